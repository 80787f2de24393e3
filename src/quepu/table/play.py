"""One hand: who is asked, what they may say, what follows. `options` and `step` are the only door."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from itertools import chain
from typing import NoReturn

from quepu.errors import Error, NotAWin
from quepu.hand import Hand, Meld, MeldKind
from quepu.play_rules import Ending, PlayRules, play_rules
from quepu.rulebook import Rulebook
from quepu.scoring import Score, score_hand
from quepu.suits import KEY
from quepu.table import actions as say
from quepu.table import events as happen
from quepu.table.actions import PASS, Action
from quepu.table.events import Event
from quepu.table.luck import kongs_in_a_row, luck_of
from quepu.table.ready import waits_of
from quepu.table.view import Board, Set, View
from quepu.table.wall import TILE_NAMES, Wall
from quepu.tiles import BIT, EAST, FIRST_FLOWER, KINDS, WINDS

_ALL_CLAIMS = frozenset({"win", "chow", "pung", "kong"})
_BITS = (*BIT, *(0,) * 8)
_RANK = {"win": 30, "kong": 20, "pung": 20, "chow": 10, "ready": 5}
_ASK = ((0,), (1,), (2,), (3,))
_FROM_HAND = say.FROM_HAND.__getitem__
_CHOWS = say.CHOWS
_DRAW = happen.DRAW


class NotAllowed(Error):
    """An action that the seat may not take now."""


class Table:
    """A hand being played: the wall, four hands, the board, and what happened so far.

    `asked` are the seats whose answer is awaited (empty when the hand is over); after a discard there may be several,
    and they may answer in any order. `events` is the numbered record; `answers` keeps what seats said to an offer,
    each with the number of events there were, because a pass leaves no event.
    """

    __slots__ = (
        "_claims",
        "_free_last",
        "_front",
        "_offer",
        "_options",
        "_order",
        "_said",
        "_waits_of",
        "answers",
        "asked",
        "back",
        "board",
        "book",
        "counts",
        "drawn",
        "ending",
        "events",
        "fours",
        "hands",
        "keys",
        "melds",
        "pungs",
        "rules",
        "turn",
        "views",
        "waits",
        "wall",
    )

    def __init__(self, book: Rulebook, wall: Wall, *, round: int = 0, rules: PlayRules | None = None) -> None:
        """Deal a hand. `round` is the round wind, 0 East … 3 North; `wall` decides whether flowers are played."""
        self.book = book
        self.rules = rules or play_rules(book)
        self.wall = wall
        table = self.rules.table
        board = self.board = Board(round, wall.dice)
        order = self._order = wall.order()
        board.left = len(order) - 52 - table.dead_wall
        self._front = 52
        self.back = 0
        self._free_last = table.last_discard == _ALL_CLAIMS
        self._waits_of = waits_of(book.shapes)
        self.drawn = -1
        self.turn = 0
        self.events: list[Event] = [Event("dice", tiles=wall.dice)]
        self.answers: list[tuple[int, int, Action]] = []
        self.ending: Ending | None = None
        self.melds: list[tuple[Meld, ...]] = [(), (), (), ()]
        self.fours: list[list[int]] = [[], [], [], []]
        self.pungs: list[list[int]] = [[], [], [], []]
        self._claims: dict[int, list[Action]] = {}
        self._said: list[tuple[int, int, Action]] = []
        self._offer = ""
        self._options: list[Action] | None = None
        self.hands: list[list[int]] = []
        for s in range(4):
            at = 4 * s
            dealt = [*order[at : at + 4], *order[at + 16 : at + 20], *order[at + 32 : at + 36], order[48 + s]]
            self.events.append(Event("deal", s, tiles=tuple(dealt)))
            self.hands.append(dealt)
        if len(order) > 136:
            for s in range(4):
                self._dealt_flowers(s)
        self.counts: list[list[int]] = []
        self.keys: list[int] = []
        self.waits: list[int] = []
        for s, hand in enumerate(self.hands):
            hand.sort()
            counts = [0] * KINDS
            for kind in hand:
                counts[kind] += 1
                if counts[kind] == 4:
                    self.fours[s].append(kind)
            self.counts.append(counts)
            self.keys.append(sum([KEY[kind] for kind in hand]))
            self.waits.append(self._waits_of(self.keys[s], hand, ()))
        self.views = [View(s, book, board, self.hands[s]) for s in range(4)]
        self.asked: tuple[int, ...] = ()
        if table.declares_ready and any(self.waits[1:]):
            self._open("opening", {s: [say.READY, PASS] for s in (1, 2, 3) if self.waits[s]}, 0, -1)
        else:
            self._draw(0)

    # ---- asking

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.ending is not None

    def view(self, seat: int) -> View:
        """What the seat knows (live; `View.to_json` copies)."""
        return self.views[seat]

    def options(self, seat: int) -> list[Action]:
        """Everything the seat may say now; empty if it is not asked. Not to be changed."""
        if self._offer:
            return self._claims.get(seat, [])
        if seat != self.turn or self.ending is not None:
            return []
        if self._options is None:
            self._options = self._turn_options()
        return self._options

    def step(self, seat: int, action: Action) -> None:
        """Let a seat say something it may say; `events` grows by what follows.

        Raises:
            NotAllowed: it is not among `options(seat)`.
        """
        if self._offer:
            self._answer(seat, action)
            return
        do, tile, _, drawn, ready, _ = action
        if seat != self.turn or self.ending is not None:
            self._refuse(seat, action)
        if do != "discard" or ready or self.board.declared[seat]:
            self._act(seat, action)
            return
        if drawn:
            if tile != self.drawn or tile < 0:
                self._refuse(seat, action)
            self.events.append(happen.DISCARD_DRAWN[seat][tile])
            if tile < KINDS:
                counts = self.counts[seat]
                n = counts[tile] = counts[tile] - 1
                if n == 3:
                    self.fours[seat].remove(tile)
        else:
            hand = self.hands[seat]
            if tile not in hand or self.drawn >= KINDS:
                self._refuse(seat, action)
            self.events.append(happen.DISCARD[seat][tile])
            hand.remove(tile)
            was = self.drawn
            if was >= 0:
                insort(hand, was)
                key = self.keys[seat] = self.keys[seat] + KEY[was] - KEY[tile]
            else:
                key = self.keys[seat] = self.keys[seat] - KEY[tile]
            counts = self.counts[seat]
            n = counts[tile] = counts[tile] - 1
            if n == 3:
                self.fours[seat].remove(tile)
            self.waits[seat] = self._waits_of(key, hand, self.melds[seat])
        self.drawn = -1
        self.views[seat].drawn = -1
        self.board.rivers[seat].append(tile)
        self._offer_discard(seat, tile)

    # ---- drawing

    def _draw(self, seat: int) -> None:
        board = self.board
        left = board.left
        if not left:
            self._exhausted()
            return
        order = self._order
        front = self._front
        # the last tile of all may be the lower one of a stack whose upper one went to a kong
        tile = order[front + (left == 1 and self.back & 1 and front == len(order) - self.back - 1)]
        self._front = front + 1
        board.left = left - 1
        self.events.append(_DRAW[seat][tile])
        if tile >= KINDS:
            self._take(seat, tile)
            return
        self.turn = board.turn = seat
        self.drawn = self.views[seat].drawn = tile
        self.asked = _ASK[seat]
        self._options = None
        counts = self.counts[seat]
        n = counts[tile] = counts[tile] + 1
        if n == 4:
            self.fours[seat].append(tile)

    def _tail(self) -> int:
        """The next tile from the tail: the upper tile of a stack first."""
        order, back = self._order, self.back
        at = len(order) - back - (0 if back & 1 else 2)
        at = max(at, self._front)  # one tile left of a stack whose upper one was drawn from the head
        self.back = back + 1
        if not self.rules.table.dead_wall_feeds:
            self.board.left -= 1
        return order[at]

    def _can_replace(self) -> bool:
        if self.rules.table.dead_wall_feeds:
            return self.back < self.rules.table.dead_wall
        return self.board.left > 0

    def _replace(self, seat: int) -> None:
        if not self._can_replace():
            self._exhausted()
            return
        tile = self._tail()
        self.events.append(happen.REPLACE[seat][tile])
        self._take(seat, tile)

    def _take(self, seat: int, tile: int) -> None:
        board = self.board
        self.turn = board.turn = seat
        self.drawn = self.views[seat].drawn = tile
        self.asked = _ASK[seat]
        self._options = None
        if tile < KINDS:
            counts = self.counts[seat]
            n = counts[tile] = counts[tile] + 1
            if n == 4:
                self.fours[seat].append(tile)
        elif self.rules.table.flowers_kept_out:
            self._set_aside(seat, tile)

    def _set_aside(self, seat: int, tile: int) -> None:
        self.events.append(happen.FLOWER[seat][tile])
        self.drawn = self.views[seat].drawn = -1
        flowers = self.board.flowers
        flowers[seat].append(tile)
        if self.rules.table.flower_wins and len(flowers[seat]) == 1:
            for other in range(4):
                if len(flowers[other]) == 7:
                    option = self._win(other, -1, "flower")
                    if option is not None:
                        self._open("flower", {other: [option, PASS]}, seat, tile)
                        return
        self._replace(seat)

    def _dealt_flowers(self, seat: int) -> None:
        hand = self.hands[seat]
        while (flower := max(hand)) >= FIRST_FLOWER:
            hand.remove(flower)
            self.board.flowers[seat].append(flower)
            self.events.append(happen.FLOWER[seat][flower])
            tile = self._tail()
            self.events.append(happen.REPLACE[seat][tile])
            hand.append(tile)

    # ---- the seat whose turn it is

    def _turn_options(self) -> list[Action]:
        seat = self.turn
        drawn = self.drawn
        board = self.board
        if drawn >= KINDS:
            return [say.AS_DRAWN[drawn], *([say.FLOWER[drawn]] if self._can_replace() else ())]
        found: list[Action] = []
        barred = board.barred[seat]
        if drawn >= 0 and not barred and (self.waits[seat] & _BITS[drawn] or len(board.flowers[seat]) >= 7):
            win = self._win(seat, drawn, "draw")
            if win is not None:
                found.append(win)
        found.extend(map(_FROM_HAND, dict.fromkeys(self.hands[seat])))
        if drawn >= 0:
            found.append(say.AS_DRAWN[drawn])
        rules = self.rules.table
        if (self.fours[seat] or self.pungs[seat]) and not barred:
            if drawn < 0 and not rules.kong_after_claim:
                return found
            if not board.left and not rules.kong_without_replacement:
                return found
            counts = self.counts[seat]
            for kind in self.fours[seat]:
                found.append(say.CONCEALED[kind])  # noqa: PERF401  # mostly empty: no comprehension's frame
            for kind in self.pungs[seat]:
                if counts[kind]:
                    found.append(say.ADDED[kind])  # noqa: PERF401
        if rules.declares_ready:
            found += self._declarations(seat)
        return found

    def _declarations(self, seat: int) -> list[Action]:
        """First discards that leave the hand ready, said with a declaration."""
        if any(meld.exposed for meld in self.melds[seat]) or self.board.declared[seat] or self.drawn < 0:
            return []
        if self.board.barred[seat] or any(event.e == "discard" and event.seat == seat for event in self.events):
            return []
        hand, drawn = self.hands[seat], self.drawn
        found = [say.AS_DRAWN_READY[drawn]] if self.waits[seat] else []
        for kind in dict.fromkeys(hand):
            rest = hand[:]
            rest.remove(kind)
            insort(rest, drawn)
            if self._waits_of(self.keys[seat] + KEY[drawn] - KEY[kind], rest, self.melds[seat]):
                found.append(say.FROM_HAND_READY[kind])
        return found

    def _act(self, seat: int, action: Action) -> None:
        """Anything but a plain discard, by the seat whose turn it is."""
        options = self.options(seat)
        chosen = say.meant(options, action)
        if chosen is None:
            self._refuse(seat, action)
        do, tile = action.do, action.tile
        declared = self.board.declared
        if do == "win":
            self._won(seat, chosen, "draw", -1)
            return
        if declared[seat] and (do != "discard" or not action.drawn or options[0].do == "win"):
            declared[seat] = ""  # changing tiles or passing a win takes it back
        if do == "discard":
            kept, at = "first" if action.ready else declared[seat], len(self.events)
            declared[seat] = ""
            self.step(seat, Action("discard", tile, drawn=action.drawn))
            declared[seat] = kept
            if action.ready:
                self.events[at] = self.events[at]._replace(ready=True)
        elif do == "flower":
            self._set_aside(seat, tile)
        elif do == "concealed":
            self._concealed(seat, tile)
        else:
            self._added(seat, tile)

    def _give(self, seat: int, kinds: Iterable[int]) -> None:
        """Put the drawn tile into the hand, then take these kinds out of it."""
        hand, counts, key = self.hands[seat], self.counts[seat], self.keys[seat]
        drawn = self.drawn
        if drawn >= 0 and seat == self.turn:
            insort(hand, drawn)
            key += KEY[drawn]
            self.drawn = self.views[seat].drawn = -1
        for kind in kinds:
            hand.remove(kind)
            counts[kind] -= 1
            if counts[kind] == 3:
                self.fours[seat].remove(kind)
            key -= KEY[kind]
        self.keys[seat] = key

    def _meld(self, seat: int, shown: Set) -> None:
        self.board.melds[seat].append(shown)
        self.melds[seat] = (*self.melds[seat], shown.meld)

    def _concealed(self, seat: int, kind: int) -> None:
        self._give(seat, (kind,) * 4)
        self._meld(seat, Set(Meld(MeldKind.CONCEALED_KONG, kind)))
        self.events.append(Event("concealed", seat, kind))
        self._look(seat)
        if self.rules.table.concealed_kong_robbed_by:
            self._rob(seat, kind, "concealed")
        else:
            self._replace(seat)

    def _added(self, seat: int, kind: int) -> None:
        self._give(seat, (kind,))
        self._change_pung(seat, kind, MeldKind.KONG)
        self.pungs[seat].remove(kind)
        self.events.append(Event("added", seat, kind))
        self._look(seat)
        self._rob(seat, kind, "added")

    def _change_pung(self, seat: int, kind: int, to: MeldKind) -> None:
        melds = self.board.melds[seat]
        at = next(
            i for i, s in enumerate(melds) if s.meld.tile == kind and s.meld.kind in (MeldKind.PUNG, MeldKind.KONG)
        )
        melds[at] = melds[at]._replace(meld=Meld(to, kind))
        self.melds[seat] = tuple(shown.meld for shown in melds)

    def _look(self, seat: int) -> None:
        """Work out what the hand now waits for."""
        self.waits[seat] = self._waits_of(self.keys[seat], self.hands[seat], self.melds[seat])

    def _rob(self, seat: int, kind: int, offer: str) -> None:
        claims: dict[int, list[Action]] = {}
        for other in ((seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3):
            if self.waits[other] & _BITS[kind] and not self.board.barred[other]:
                option = self._win(other, kind, offer)
                if option is not None:
                    claims[other] = [option, PASS]
        if claims:
            self._open(offer, claims, seat, kind)
        else:
            self._replace(seat)

    # ---- what others may claim

    def _offer_discard(self, seat: int, tile: int) -> None:
        nearest, opposite, before = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
        if tile < KINDS:
            bit = BIT[tile]
            waits, counts = self.waits, self.counts
            claims: dict[int, list[Action]] | None = None
            own = counts[nearest]
            chows = []
            for a, b, chow in _CHOWS[tile]:
                if own[a] and own[b]:
                    chows.append(chow)  # a loop costs less than a comprehension's frame here
            if chows or own[tile] >= 2 or waits[nearest] & bit:
                options = self._claimable(nearest, tile, chows)
                if options:
                    claims = {nearest: options}
            if counts[opposite][tile] >= 2 or waits[opposite] & bit:
                options = self._claimable(opposite, tile, [])
                if options:
                    claims = {opposite: options} if claims is None else {**claims, opposite: options}
            if counts[before][tile] >= 2 or waits[before] & bit:
                options = self._claimable(before, tile, [])
                if options:
                    claims = {before: options} if claims is None else {**claims, before: options}
            if claims is not None:
                self._open("discard", claims, seat, tile)
                return
        self._draw(nearest)

    def _claimable(self, seat: int, tile: int, chows: list[Action]) -> list[Action]:
        """What a seat may claim a discard for, dearest first, and to pass; empty if nothing."""
        if self.board.barred[seat]:
            return []
        found: list[Action] = []
        if self.waits[seat] & BIT[tile]:
            win = self._win(seat, tile, "discard")
            if win is not None:
                found.append(win)
        rules = self.rules.table
        left = self.board.left
        allowed = _ALL_CLAIMS if left or self._free_last else rules.last_discard
        n = self.counts[seat][tile]
        if n == 3 and "kong" in allowed and (left or rules.kong_without_replacement):
            found.append(say.KONG[tile])
        if n >= 2 and "pung" in allowed:
            found.append(say.PUNG[tile])
        if chows and "chow" in allowed:
            found += chows
        if found:
            found.append(PASS)
        return found

    def _open(self, offer: str, claims: dict[int, list[Action]], seat: int, tile: int) -> None:
        self._offer = offer
        self._claims = claims
        self._said = []
        self.asked = tuple(claims)
        self.board.offer, self.board.offerer = tile, seat

    def _answer(self, seat: int, action: Action) -> None:
        options = self._claims.get(seat)
        if options is None:
            self._refuse(seat, action)
        if action is PASS:
            chosen = PASS
        else:
            found = say.meant(options, action)
            if found is None:
                self._refuse(seat, action)
            chosen = found
        self.answers.append((len(self.events), seat, chosen))
        claims = self._claims
        del claims[seat]
        if chosen.do != "pass":
            rank = _RANK[chosen.do] - (seat - self.board.offerer & 3) if chosen.do != "ready" else 0
            self._said.append((rank, seat, chosen))
        elif options[0].do == "win":
            self.board.declared[seat] = ""  # passing a win takes a declaration back
        if claims:
            said = self._said
            offerer = self.board.offerer
            if self._offer == "opening" or not said:
                self.asked = tuple(claims)
                return
            best = max(said)[0]
            if any(_RANK[opts[0].do] - (other - offerer & 3) > best for other, opts in claims.items()):
                self.asked = tuple(claims)
                return
        self._settle_offer()

    def _settle_offer(self) -> None:
        """Everybody who matters has answered: let the best claim stand, or go on."""
        offer, said = self._offer, self._said
        seat, tile = self.board.offerer, self.board.offer
        self._offer = ""
        self._claims = {}
        self.board.offer = self.board.offerer = -1
        if offer == "opening":
            for _, other, _ in sorted(said, key=lambda one: one[1]):
                self.board.declared[other] = "deal"
                self.events.append(Event("ready", other))
            self._draw(0)
        elif said:
            _, claimer, action = max(said)
            if action.do == "win":
                self._won(claimer, action, offer, seat)
            else:
                self._claim(claimer, action, seat)
        elif offer == "discard":
            self._draw((seat + 1) & 3)
        elif offer == "exhausted":
            self._end(Ending(ready=self._ready_values()))
        else:
            assert tile >= 0  # noqa: S101  # a kong or flower was offered
            self._replace(seat)

    def _claim(self, seat: int, action: Action, source: int) -> None:
        do, tile, low = action.do, action.tile, action.low
        self.board.rivers[source].pop()
        self.board.declared[seat] = ""
        self.turn = self.board.turn = seat
        self.events.append(Event(do, seat, tile, low, source))
        if do == "chow":
            self._give(seat, (kind for kind in range(low, low + 3) if kind != tile))
            self._meld(seat, Set(Meld(MeldKind.CHOW, low), tile, source))
        elif do == "pung":
            self._give(seat, (tile, tile))
            self._meld(seat, Set(Meld(MeldKind.PUNG, tile), tile, source))
            self.pungs[seat].append(tile)
        else:
            self._give(seat, (tile, tile, tile))
            self._meld(seat, Set(Meld(MeldKind.KONG, tile), tile, source))
            self._look(seat)
            self._replace(seat)
            return
        self.waits[seat] = 0  # fourteen tiles now; the discard says what they wait for
        self.asked = _ASK[seat]
        self._options = None

    # ---- winning and ending

    def _hand(self, seat: int, winning: int | None, luck: int) -> Hand:
        flowers = self.board.flowers[seat]
        return Hand(
            tuple(self.hands[seat]),
            self.melds[seat],
            winning,
            EAST + seat,
            EAST + self.board.round,
            luck,
            tuple(kind - FIRST_FLOWER for kind in flowers) if flowers else (),
        )

    def _win(self, seat: int, tile: int, offer: str) -> Action | None:
        """The action of winning, with its score, if the tiles and the minimum allow it."""
        luck = luck_of(self.events, self.board, self.rules.table, seat, tile, offer)
        score = _score(self._hand(seat, tile if tile >= 0 else None, luck), self.book)
        if score is None or not score.can_win:
            return None
        if offer == "concealed" and not score.best.h.form & self.rules.table.concealed_kong_robbed_by:
            return None
        return Action("win", tile, worth=score) if tile >= 0 else Action("win", worth=score)

    def _won(self, seat: int, action: Action, offer: str, source: int) -> None:
        score = action.worth
        assert score is not None  # noqa: S101  # options always carry it
        events, board = self.events, self.board
        feeder = None
        if offer == "draw":
            feeder = next((kong.source for kong in kongs_in_a_row(events) if kong.e == "kong"), None)
        supplied = [0, 0, 0, 0]
        for shown in board.melds[seat]:
            if shown.source >= 0:
                supplied[shown.source] += 1
        gave = source if offer not in ("draw", "exhausted") else -1
        if gave >= 0:
            supplied[gave] += 1
        if offer == "added":
            self._change_pung(source, action.tile, MeldKind.PUNG)
        elif offer == "concealed":
            board.melds[source].pop()
            self.melds[source] = tuple(shown.meld for shown in board.melds[source])
            insort(self.hands[source], action.tile)
            insort(self.hands[source], action.tile)
            insort(self.hands[source], action.tile)
            self.keys[source] += 3 * KEY[action.tile]
            self.counts[source][action.tile] += 3
        elif offer == "discard":
            board.rivers[source].pop()
        events.append(Event("win", seat, action.tile, source=gave))
        self._end(
            Ending(
                winner=seat,
                points=score.total,
                self_draw=gave < 0,
                discarder=gave if gave >= 0 else None,
                robbed=offer in ("added", "concealed", "flower"),
                supplied=(supplied[0], supplied[1], supplied[2], supplied[3]),
                kong_feeder=feeder,
                ready=self._ready_values(seat, action.tile if gave >= 0 else -1),
                luck=score.hand.luck,
                score=score,
            )
        )

    def _exhausted(self) -> None:
        """Nobody can draw: the hand is drawn, unless its discards win."""
        self.events.append(Event("exhausted"))
        last = self.turn
        if self.rules.table.outer_discards:
            claims: dict[int, list[Action]] = {}
            for seat in (0, 1, 2, 3):
                if not self.board.barred[seat] and self._outer(seat):
                    option = self._win(seat, -1, "exhausted")
                    if option is not None:
                        claims[seat] = [option, PASS]
            if claims:
                self._open("exhausted", claims, last, -1)
                return
        self._end(Ending(ready=self._ready_values()))

    def _outer(self, seat: int) -> bool:
        """Whether a closed hand discarded only terminals and honours and lost none of them to a claim."""
        thrown = [event.tile for event in self.events if event.e == "discard" and event.seat == seat]
        return (
            bool(thrown)
            and len(thrown) == len(self.board.rivers[seat])
            and not any(meld.exposed for meld in self.melds[seat])
            and all(kind >= 27 or kind % 9 in (0, 8) for kind in thrown)
        )

    def _ready_values(
        self, winner: int | None = None, given: int = -1
    ) -> tuple[int | None, int | None, int | None, int | None]:
        """What each ready hand beside the winner's is worth; `given` is a discard or kong tile that was won."""
        value = self.rules.ready_value
        if value is None:
            return (None, None, None, None)
        found: list[int | None] = []
        for seat in range(4):
            hand, view = self.hands[seat], self.views[seat]
            if seat == winner or self.board.barred[seat] or len(hand) + 3 * len(self.melds[seat]) != 13:
                found.append(None)
            else:
                seen = view.seen()
                if given >= 0:
                    seen[given] += 1
                found.append(value(self._hand(seat, None, 0), self.book, seen))
        return (found[0], found[1], found[2], found[3])

    def _end(self, ending: Ending) -> None:
        self.asked = ()
        self._offer = ""
        self._claims = {}
        self.board.over = True
        self.ending = ending
        shows = range(4) if self.rules.ready_value else () if ending.winner is None else (ending.winner,)
        for seat in shows:
            self.events.append(Event("show", seat, tiles=tuple(self.hands[seat])))

    # ---- people's mistakes

    def bar(self, seat: int, barred: bool = True) -> None:
        """Let a seat neither claim nor win for the rest of the hand, or take that back. Said by a referee.

        What the seat was asked just now is withdrawn.
        """
        if self.board.barred[seat] == barred or self.ending is not None:
            return
        self.board.barred[seat] = barred
        self.events.append(Event("barred" if barred else "freed", seat))
        self._options = None
        if barred and seat in self._claims:
            self._answer(seat, PASS)

    # ---- other

    def _refuse(self, seat: int, action: Action) -> NoReturn:
        zh, en = action.text() if action.do in say.KINDS_OF_ACTION else (str(action.do), str(action.do))
        who = "東南西北"[seat] if 0 <= seat < 4 else str(seat)
        if seat not in self.asked:
            now = "、".join("東南西北"[s] for s in self.asked) or "无（本局已结束）"
            now_en = ", ".join(WINDS[s] for s in self.asked) or "nobody (the hand is over)"
            raise NotAllowed(
                f"{who}家现在不能“{zh}”：轮到的是{now}。", f"seat {seat} may not say “{en}” now: asked is {now_en}."
            )
        listed = [option.text() for option in self.options(seat)]
        raise NotAllowed(
            f"{who}家现在不能“{zh}”，可以：{'、'.join(t.zh for t in listed)}。",
            f"{WINDS[seat]} may not say “{en}” now, but: {', '.join(t.en for t in listed)}.",
        )

    def copy(self) -> Table:
        """A table of its own in the same position."""
        made: Table = object.__new__(Table)
        for name in Table.__slots__:
            setattr(made, name, getattr(self, name))
        made.board = self.board.copy()
        for name in ("hands", "counts", "fours", "pungs"):
            setattr(made, name, [one[:] for one in getattr(self, name)])
        for name in ("keys", "waits", "melds", "events", "answers", "_said"):
            setattr(made, name, getattr(self, name)[:])
        made._claims = dict(self._claims)
        made.views = [View(s, self.book, made.board, made.hands[s], self.views[s].drawn) for s in range(4)]
        return made

    def tiles(self) -> list[int]:
        """How many of each of the 42 kinds there are in hands, melds, rivers, flowers and wall together."""
        counts = [0] * len(TILE_NAMES)
        board = self.board
        melded = (kind for melds in board.melds for shown in melds for kind in shown.meld.tiles)
        for kind in chain(*self.hands, *board.rivers, *board.flowers, melded, self.undrawn()):
            counts[kind] += 1
        if self.drawn >= 0:
            counts[self.drawn] += 1
        if self.ending is not None and self.ending.discarder is not None and self.events:
            win = next(event for event in reversed(self.events) if event.e == "win")
            if win.tile >= 0:
                counts[win.tile] += 1  # it lies with the winner
        return counts

    def undrawn(self) -> list[int]:
        """The tiles still in the wall, dead wall included, from the head to the tail."""
        order, front, back = self._order, self._front, self.back
        rest = order[front : len(order) - back]
        if back & 1 and rest:
            rest = (
                [*order[front : len(order) - back - 1], order[len(order) - back]]
                if len(order) - back - 1 >= front
                else []
            )
        return rest


def _score(hand: Hand, book: Rulebook) -> Score | None:
    try:
        return score_hand(hand, book)
    except NotAWin:
        return None
