"""A second position beside a table, folded from its events alone, and compared with it after every step.

If the two are equal, the events tell all that the table does, and nothing but them changes it. That the fold itself
puts every tile where it goes is held against the wall: tiles are conserved, and come in the order of drawing. It also
proves that nothing hidden is told: a seat's own hand is folded from events which that seat is told, and the board from
those that everybody is told (of a draw only that there was one).
"""

from __future__ import annotations

from collections import Counter

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.match import settle
from quepu.rules.play_rules import SeatWin, play_rules
from quepu.scoring.score import score_hand
from quepu.shapes.readings import readings, wait_planes
from quepu.table import Event, Table, seen_by
from quepu.table.event_json import read_event
from quepu.table.events import (
    Claimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongConcealed,
    ReplacementDrawn,
    Won,
)
from quepu.table.open_melds import OpenMeld, visible
from quepu.table.position import KEY, Position, apply
from quepu.table.ready import WHATEVER
from quepu.table.visibility import Board
from quepu.table.wall import TILE_NAMES, WallPlan, check_wall
from quepu.tiles import BIT, EAST, FIRST_FLOWER, KINDS, WINDS

SECRET = frozenset({"deal", "draw", "replace"})
"""Events that only the seat itself may see; the others are told that one happened."""


class Follower:
    """Follows a table from its deal; `check` folds what happened since the last time and compares.

    Beside the fold it takes every tile from an order of drawing of its own, and holds each event against the position
    it came into.
    """

    def __init__(self, table: Table) -> None:
        check_wall(table.wall, play_rules(table.book).table.tiles)
        rules = play_rules(table.book).table
        self.table = table
        self.rules = rules
        self.folded = 0
        order = table.wall.order()
        self.first, self.wall = order[:52], order[52:]
        self.position = Position(WallPlan(len(order), rules.dead_wall, rules.dead_wall_feeds), table.board.round)
        self.heads, self.tails = 52, 0
        self.left = len(self.wall) - rules.dead_wall
        self.offer: tuple[int | None, int] | None = None  # what may be on offer, and by whom
        self.whole = Counter(order)

    # ---- the fold

    def tail(self) -> int:
        """The upper tile of the last stack, then its lower one."""
        tile = self.wall.pop(-1 if self.tails & 1 or len(self.wall) == 1 else -2)
        self.tails += 1
        return tile

    def fold(self, event: Event) -> None:
        p = self.position
        self.before(event, p)
        apply(p, event)
        if isinstance(event, Drawn | ReplacementDrawn | Claimed):
            self.offer = None
        elif isinstance(event, Discarded | KongAdded | KongConcealed | FlowerSetAside):
            self.offer = (event.tile, event.seat)
        elif isinstance(event, Exhausted):
            self.offer = (None, p.turn)

    def before(self, event: Event, p: Position) -> None:
        """What must hold when the event comes."""
        match event:
            case Drawn(seat, tile):
                assert self.wall.pop(0) == tile
                assert p.drawn is None
                self.left -= 1
                self.heads += 1
            case ReplacementDrawn(seat, tile):
                assert self.tail() == tile
                assert p.drawn is None
                self.left -= not self.rules.dead_wall_feeds
            case Discarded(seat, tile):
                assert seat == p.turn
                kept = (p.drawn or 0) < KINDS or self.rules.flowers_held
                assert p.drawn == tile if event.as_drawn else (kept and tile in p.hands[seat])
            case Claimed(seat, tile, giver):
                assert p.rivers[giver][-1] == tile
                assert (tile, giver) == self.offer
                assert p.drawn is None
                assert seat != giver
                assert sorted((*event.own, tile)) == sorted(event.meld.tiles)
            case FlowerSetAside(seat, tile):
                assert tile >= FIRST_FLOWER
                held = self.rules.flowers_held and p.drawn is not None and tile in p.hands[seat]
                assert (seat == p.turn and (held or tile == p.drawn)) if p.dealt else tile in p.hands[seat]
            case KongAdded(seat, tile) | KongConcealed(seat, tile):
                assert seat == p.turn
            case Dealt(seat, tiles):
                places = (*range(4 * seat, 4 * seat + 4), *range(16 + 4 * seat, 20 + 4 * seat),
                          *range(32 + 4 * seat, 36 + 4 * seat), 48 + seat)  # fmt: skip
                assert tiles == tuple(self.first[place] for place in places)
            case HandShown(seat, tiles):
                assert list(tiles) == p.hands[seat]
            case DiceThrown(dice):
                assert dice == self.table.wall.dice
            case Won(seat, tile, giver):
                assert not p.barred[seat]
                if giver is None:
                    assert tile in (p.drawn, None)
                elif tile is not None:
                    assert self.offer == (tile, giver)

    # ---- the comparison

    def check(self) -> None:
        """Fold what happened, and compare with the table; every seat is told what it may know and no more."""
        table, board, p = self.table, self.table.board, self.position
        events = table.events
        for n in range(self.folded, len(events)):
            event = events[n]
            secret = event.tag in SECRET
            for seat in (0, 1, 2, 3):
                seen = seen_by(event, seat, n)
                if secret and seat != event.seat:
                    assert type(seen) is int
                    assert seen == n
                else:
                    assert seen is event
            self.fold(event)
        self.folded = len(events)
        assert p == table.position
        assert self.wall == table.undrawn()
        assert tuple(map(tuple, p.hands)) == table.hands
        assert (p.drawn, p.turn) == (table.drawn, table.turn)
        assert board.visible() == visible(p.rivers, p.melds)
        assert tuple(p.rivers) == board.rivers
        assert p.melds == board.melds
        assert p.flowers == board.flowers
        assert (self.left, p.turn) == (board.left, board.turn) == (p.left, board.turn)
        assert (p.declared, p.barred) == (board.declared, board.barred)
        over, to_act = table.ending is not None, table.to_act
        assert over == table.over == board.over == (not to_act)
        if board.offerer is not None:
            assert to_act
            at_deal = self.offer if isinstance(events[-1], FlowerSetAside) else (None, board.offerer)
            assert (board.offer, board.offerer) == (self.offer if p.dealt else at_deal)
        else:
            assert board.offer is None
            assert to_act in ((), (p.turn,))
        for seat in (0, 1, 2, 3):
            view = table.view(seat)
            assert view.board == self.shown_to(board, seat)
            assert view.hand == tuple(p.hands[seat])
            assert view.drawn == (p.drawn if seat == p.turn else None)
            options = table.options(seat)
            if seat in to_act:
                assert options
                assert len({option[:5] for option in options}) == len(options)
            else:
                assert not options

    def shown_to(self, board: Board, seat: int) -> Board:
        """The board as a seat sees it: hidden kongs of others are all one and the same meld."""
        if not self.rules.concealed_kongs_hidden or self.table.over:
            return board
        blank = OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0), hidden=True)
        melds = tuple(
            tuple(blank if owner != seat and one.meld.kind is MeldKind.CONCEALED_KONG else one for one in row)
            for owner, row in enumerate(board.melds)
        )
        return board._replace(melds=melds, open_counts=tuple(visible(board.rivers, melds)))

    def check_closely(self) -> None:
        """What takes longer: the copies of the views that leave the process, quick waits, kinds held four times."""
        table, board, p = self.table, self.table.board, self.position
        counted = Counter(self.wall)
        counted.update(dict(enumerate(p.tiles())))
        assert +counted == self.whole
        names = TILE_NAMES.__getitem__
        offer, offerer = self.offer if p.dealt and self.offer is not None else (None, 0)
        if board.offerer is None:
            offer = offerer = None
        side, stack = table.wall.opening
        fed = self.tails if self.rules.dead_wall_feeds else 0
        each, more = divmod(sum(self.whole.values()) // 2, 4)
        sides = [each + (more > 0), each, each + (more > 1), each + (more > 2)]
        seen = {
            "round": WINDS[board.round],
            "dice": list(table.wall.dice),
            "stacks": {
                "each": max(sides),
                "sides": sides,
                "seat": WINDS[side],
                "stack": stack,
                "head": self.heads,
                "tail": self.tails,
                "dead": self.rules.dead_wall - fed,
            },
            "rivers": [list(map(names, river)) for river in p.rivers],
            "melds": [[shown.to_json() for shown in melds] for melds in p.melds],
            "flowers": [list(map(names, flowers)) for flowers in p.flowers],
            "left": self.left,
            "turn": WINDS[p.turn],
            "offer": names(offer) if offer is not None else None,
            "offerer": WINDS[offerer] if offerer is not None else None,
            "declared": list(p.declared),
            "barred": list(p.barred),
            "over": table.over,
        }
        for seat, hand in enumerate(p.hands):
            melds = table.melds[seat]
            assert melds == tuple(shown.meld for shown in p.melds[seat])
            drawn = p.drawn if seat == p.turn else None
            seen["melds"] = [[shown.to_json() for shown in row] for row in self.shown_to(board, seat).melds]
            assert table.view(seat).to_json() == {
                "seat": WINDS[seat],
                "rules": table.book.id,
                "hand": list(map(names, hand)),
                "drawn": names(drawn) if drawn is not None else None,
                "board": seen,
                "options": [],
            }
            assert hand == sorted(hand)
            assert len(hand) + (drawn is not None) + 3 * len(melds) in (13, 14)
            counts = [hand.count(kind) + (kind == drawn) for kind in range(len(TILE_NAMES))]
            assert p.counts[seat] == counts
            assert p.keys[seat] == sum(KEY[kind] for kind in hand)
            assert sorted(p.fours[seat]) == [kind for kind, n in enumerate(counts) if n == 4]
            if hand[-1] >= KINDS and (drawn is not None or p.dealt):
                assert self.rules.flowers_held
                assert not table.waits[seat]  # a hand with a flower in it waits for nothing
            elif len(hand) + 3 * len(melds) == 13:
                assert table.waits[seat] == wait_planes(Hand(tuple(hand), melds, luck=WHATEVER), table.book.shapes)[0]

    def check_end(self) -> None:
        """The record reads back; the sums are as the book says; the score is that of the final hand scored anew."""
        table, ending = self.table, self.table.ending
        assert ending is not None
        for event in table.events:
            assert read_event(event.to_json()) == event
        settlement = settle(ending, table.book, table.rules)
        assert sum(settlement.seats) + settlement.pool == 0
        assert settlement.pool == 0 or not table.rules.zero_sum
        for seat in range(4):
            assert settlement.seats[seat] == sum(
                p.points * ((p.payee == seat) - (p.payer == seat)) for p in settlement.payments
            )
        if not ending.winners:
            assert isinstance(table.events[-1], Exhausted | HandShown)
            return
        events = [event for event in table.events if isinstance(event, Won)]
        assert [event.seat for event in events] == list(ending.seats)
        for event, win in zip(events, ending.winners, strict=True):
            self.check_win(event, win)

    def check_win(self, event: Won, win: SeatWin) -> None:
        """A win is paid, and scored anew from its final hand; the tiles supplied are those of its melds."""
        table, p = self.table, self.position
        assert table.ending is not None
        assert settle(table.ending, table.book, table.rules).seats[win.seat] >= 0
        supplied = [0] * 4
        for shown in p.melds[win.seat]:
            if shown.source is not None:
                supplied[shown.source] += 1
        if event.giver is not None:
            supplied[event.giver] += 1
        assert event.giver == table.ending.discarder
        assert list(win.supplied) == supplied
        assert not p.barred[win.seat]
        hand = Hand(
            tuple(p.hands[win.seat]),
            tuple(shown.meld for shown in p.melds[win.seat]),
            event.tile,
            EAST + win.seat,
            EAST + table.board.round,
            win.luck,
            tuple(flower - FIRST_FLOWER for flower in p.flowers[win.seat]),
        )
        score = score_hand(hand, table.book)
        assert score.total == win.points
        assert score.can_win
        assert bool(win.luck & Luck.SELF_DRAW) == table.ending.self_draw == (event.giver is None)
        if event.tile is not None and len(hand.concealed) + 3 * len(hand.melds) == 13:
            assert readings(hand, table.book.shapes)
            waits = wait_planes(Hand(hand.concealed, hand.melds, luck=hand.luck), table.book.shapes)[0]
            assert waits & BIT[event.tile] or win.luck & (Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS)
