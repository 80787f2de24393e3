"""A second state beside a table, folded from its events alone, and compared with it after every step.

The fold takes every tile from where it must lie and puts it where it goes, so that tiles are conserved if the two
states are equal. It also proves that nothing hidden is told: a seat's own hand is folded from events which that seat is
told, and the board from those that everybody is told (of a draw only that there was one). As a view is the board and
the own hand, nothing in it can come from anywhere else.
"""

from __future__ import annotations

from bisect import insort

from quepu.hand import Hand, Luck, Meld, MeldKind
from quepu.match import settle
from quepu.play_rules import play_rules
from quepu.readings import readings, wait_planes
from quepu.scoring import score_hand
from quepu.table import Event, Table, seen_by
from quepu.table.events import read_event
from quepu.table.ready import WHATEVER
from quepu.table.view import Set
from quepu.table.wall import TILE_NAMES, check_wall
from quepu.tiles import BIT, EAST, FIRST_FLOWER, KINDS, WINDS

SECRET = frozenset({"deal", "draw", "replace"})
"""Events that only the seat itself may see; the others are told that one happened."""
_MELDS = {"chow": MeldKind.CHOW, "pung": MeldKind.PUNG, "kong": MeldKind.KONG}


class Follower:
    """Follows a table from its deal; `check` folds what happened since the last time and compares."""

    def __init__(self, table: Table) -> None:
        check_wall(table.wall)
        rules = play_rules(table.book).table
        self.table = table
        self.rules = rules
        self.folded = 0
        order = table.wall.order()
        self.first, self.wall = order[:52], order[52:]
        self.flowered = len(order) > 136
        self.heads, self.tails = 52, 0
        self.left = len(self.wall) - rules.dead_wall
        self.dealt = False
        self.turn = 0
        self.drawn = -1
        self.hands: list[list[int]] = [[], [], [], []]
        self.counts = [[0] * KINDS for _ in range(4)]
        self.rivers: list[list[int]] = [[], [], [], []]
        self.melds: list[list[Set]] = [[], [], [], []]
        self.flowers: list[list[int]] = [[], [], [], []]
        self.declared = ["", "", "", ""]
        self.barred = [False] * 4
        self.offer = (-1, -1)  # what may be on offer, and by whom

    # ---- the fold

    def take(self, seat: int, kinds: list[int]) -> None:
        """Out of the concealed hand, the drawn tile put into it before."""
        hand = self.hands[seat]
        if self.drawn >= 0:
            assert seat == self.turn
            insort(hand, self.drawn)
            self.drawn = -1
        for kind in kinds:
            hand.remove(kind)
            self.counts[seat][kind] -= 1

    def tail(self) -> int:
        """The upper tile of the last stack, then its lower one."""
        tile = self.wall.pop(-1 if self.tails & 1 or len(self.wall) == 1 else -2)
        self.tails += 1
        return tile

    def fold(self, event: Event) -> None:
        e, seat, tile = event.e, event.seat, event.tile
        if e == "draw":
            assert self.wall.pop(0) == tile
            self.dealt = True
            self.left -= 1
            self.heads += 1
            self.turn, self.drawn, self.offer = seat, tile, (-1, -1)
            if tile < KINDS:
                self.counts[seat][tile] += 1
        elif e == "discard":
            if event.drawn:
                assert self.drawn == tile
                self.drawn = -1
                if tile < KINDS:
                    self.counts[seat][tile] -= 1
            else:
                assert self.drawn < KINDS
                self.take(seat, [tile])
                self.declared[seat] = ""
            if event.ready:
                self.declared[seat] = "first"
            self.rivers[seat].append(tile)
            self.offer = (tile, seat)
        elif e in _MELDS:
            assert self.rivers[event.source].pop() == tile
            assert (tile, event.source) == self.offer
            assert self.drawn == -1
            low = event.low if e == "chow" else tile
            meld = Meld(_MELDS[e], low)
            used = list(meld.tiles)
            used.remove(tile)
            self.turn, self.offer = seat, (-1, -1)
            self.take(seat, used)
            self.melds[seat].append(Set(meld, tile, event.source))
            self.declared[seat] = ""
        elif e == "replace":
            assert self.tail() == tile
            self.left -= not self.rules.dead_wall_feeds
            if tile < KINDS:
                self.counts[seat][tile] += 1
            if self.dealt:
                self.turn, self.drawn = seat, tile
            else:
                insort(self.hands[seat], tile)
            self.offer = (-1, -1)
        elif e == "flower":
            assert tile >= FIRST_FLOWER
            if self.dealt:
                assert (seat, tile) == (self.turn, self.drawn)
                self.drawn = -1
            else:
                self.hands[seat].remove(tile)
            self.flowers[seat].append(tile)
            self.offer = (tile, seat)
        elif e == "concealed":
            self.take(seat, [tile] * 4)
            self.melds[seat].append(Set(Meld(MeldKind.CONCEALED_KONG, tile)))
            self.declared[seat] = ""
            self.offer = (tile, seat)
        elif e == "added":
            self.take(seat, [tile])
            self.change(seat, tile, MeldKind.PUNG, MeldKind.KONG)
            self.declared[seat] = ""
            self.offer = (tile, seat)
        elif e == "deal":
            places = (*range(4 * seat, 4 * seat + 4), *range(16 + 4 * seat, 20 + 4 * seat),
                      *range(32 + 4 * seat, 36 + 4 * seat), 48 + seat)  # fmt: skip
            assert event.tiles == tuple(self.first[place] for place in places)
            self.hands[seat] = sorted(event.tiles)
            for kind in event.tiles:
                if kind < KINDS:
                    self.counts[seat][kind] += 1
        elif e == "win":
            self.win(event)
        elif e == "ready":
            self.declared[seat] = "deal"
        elif e in ("barred", "freed"):
            self.barred[seat] = e == "barred"
        elif e == "show":
            assert sorted(event.tiles) == self.hands[seat]
        elif e == "exhausted":
            self.offer = (-1, self.turn)
        else:
            assert e == "dice"
            assert event.tiles == self.table.wall.dice

    def change(self, seat: int, kind: int, was: MeldKind, to: MeldKind) -> None:
        """A pung becomes a kong, or again a pung."""
        melds = self.melds[seat]
        at = [shown.meld for shown in melds].index(Meld(was, kind))
        melds[at] = melds[at]._replace(meld=Meld(to, kind), added=to == MeldKind.KONG)

    def win(self, event: Event) -> None:
        """The winning tile goes to the winner from where it lies."""
        tile, source = event.tile, event.source
        if source < 0 or tile < 0:
            assert tile in (self.drawn, -1)
            return
        assert self.offer == (tile, source)
        before = next(e for e in reversed(self.table.events) if e.e in ("discard", "added", "concealed"))
        if before.e == "discard":
            assert self.rivers[source].pop() == tile
        elif before.e == "added":
            self.change(source, tile, MeldKind.KONG, MeldKind.PUNG)
        else:
            assert self.melds[source].pop().meld == Meld(MeldKind.CONCEALED_KONG, tile)
            for _ in range(3):
                insort(self.hands[source], tile)
                self.counts[source][tile] += 1

    # ---- the comparison

    def check(self) -> None:
        """Fold what happened, and compare with the table; every seat is told what it may know and no more."""
        table, board = self.table, self.table.board
        events = table.events
        for n in range(self.folded, len(events)):
            event = events[n]
            secret = event.e in SECRET
            for seat in (0, 1, 2, 3):
                told = seen_by(event, seat, n)
                if secret and seat != event.seat:
                    assert type(told) is int
                    assert told == n
                else:
                    assert told is event
            self.fold(event)
        self.folded = len(events)
        assert self.hands == table.hands
        assert self.drawn == table.drawn
        assert self.wall == table.undrawn()
        assert self.rivers == board.rivers
        assert self.melds == board.melds
        assert self.flowers == board.flowers
        assert self.counts == table.counts
        assert (self.left, self.turn) == (board.left, board.turn)
        assert self.turn == table.turn
        assert self.declared == board.declared
        assert self.barred == board.barred
        over, asked = table.ending is not None, table.asked
        assert over == table.over == board.over == (not asked)
        if board.offerer >= 0:
            assert asked
            at_deal = self.offer if events[-1].e == "flower" else (-1, board.offerer)
            assert (board.offer, board.offerer) == (self.offer if self.dealt else at_deal)
        else:
            assert board.offer == -1
            assert asked in ((), (self.turn,))
        for seat in (0, 1, 2, 3):
            view = table.views[seat]
            assert view.board is board
            assert view.hand is table.hands[seat]
            assert view.drawn == (self.drawn if seat == self.turn else -1)
            options = table.options(seat)
            if seat in asked:
                assert options
                assert len({option[:5] for option in options}) == len(options)
            else:
                assert not options

    def check_closely(self) -> None:
        """What takes longer: the copies of the views that leave the process, quick waits, kinds held four times."""
        table, board = self.table, self.table.board
        assert table.tiles() == [(4 if kind < KINDS else 1) * (kind < KINDS or self.flowered) for kind in range(42)]
        names = TILE_NAMES.__getitem__
        offer, offerer = self.offer if self.dealt else (-1, 0)
        if board.offerer < 0:
            offer = offerer = -1
        side, stack = table.wall.opening
        fed = self.tails if self.rules.dead_wall_feeds else 0
        told = {
            "round": WINDS[board.round],
            "dice": list(table.wall.dice),
            "stacks": {
                "each": 18 if self.flowered else 17,
                "seat": WINDS[side],
                "stack": stack,
                "head": self.heads,
                "tail": self.tails,
                "kept": self.rules.dead_wall - fed,
            },
            "rivers": [list(map(names, river)) for river in self.rivers],
            "melds": [[shown.to_json() for shown in melds] for melds in self.melds],
            "flowers": [list(map(names, flowers)) for flowers in self.flowers],
            "left": self.left,
            "turn": WINDS[self.turn],
            "offer": names(offer) if offer >= 0 else None,
            "offerer": WINDS[offerer] if offerer >= 0 else None,
            "declared": self.declared,
            "barred": self.barred,
            "over": table.over,
        }
        for seat, hand in enumerate(self.hands):
            melds = table.melds[seat]
            assert melds == tuple(shown.meld for shown in self.melds[seat])
            drawn = self.drawn if seat == self.turn else -1
            assert table.views[seat].to_json() == {
                "seat": WINDS[seat],
                "rules": table.book.id,
                "hand": list(map(names, hand)),
                "drawn": names(drawn) if drawn >= 0 else None,
                "board": told,
                "options": [],
            }
            assert len(hand) + (drawn >= 0) + 3 * len(melds) in (13, 14)
            counts = [hand.count(kind) + (kind == drawn) for kind in range(KINDS)]
            assert table.counts[seat] == counts
            assert sorted(table.fours[seat]) == [kind for kind in range(KINDS) if counts[kind] == 4]
            if len(hand) + 3 * len(melds) == 13:
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
        if ending.winner is None:
            assert table.events[-1].e in ("exhausted", "show")
            return
        assert settlement.seats[ending.winner] >= 0
        supplied = [0] * 4
        for shown in self.melds[ending.winner]:
            if shown.source >= 0:
                supplied[shown.source] += 1
        if ending.discarder is not None:
            supplied[ending.discarder] += 1
        assert list(ending.supplied) == supplied
        win = next(event for event in reversed(table.events) if event.e == "win")
        assert win.seat == ending.winner
        assert not self.barred[win.seat]
        hand = Hand(
            tuple(self.hands[win.seat]),
            tuple(shown.meld for shown in self.melds[win.seat]),
            win.tile if win.tile >= 0 else None,
            EAST + win.seat,
            EAST + table.board.round,
            ending.luck,
            tuple(flower - FIRST_FLOWER for flower in self.flowers[win.seat]),
        )
        score = score_hand(hand, table.book)
        assert score.total == ending.points
        assert score.can_win
        assert bool(ending.luck & Luck.SELF_DRAW) == ending.self_draw == (win.source < 0)
        if win.tile >= 0 and len(hand.concealed) + 3 * len(hand.melds) == 13:
            assert readings(hand, table.book.shapes)
            waits = wait_planes(Hand(hand.concealed, hand.melds, luck=hand.luck), table.book.shapes)[0]
            assert waits & BIT[win.tile] or ending.luck & (Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS)
