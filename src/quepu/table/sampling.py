"""Determinisation: sample hands and wall consistent with one seat's view. For search and for tests.

All tiles that a seat cannot see are dealt again uniformly at random; how others played is not taken into account. A
hand that is known to be ready gets a ready hand (these are not uniform).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quepu.errors import Error, Text
from quepu.hands.hand import Meld
from quepu.hands.suit_tables import KEY
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import PASS, Action, ActionKind, NotAllowed, find_option
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    SeatEvent,
    Won,
)
from quepu.table.play import Table
from quepu.table.ready import LASTING, waits_of
from quepu.table.visibility import View
from quepu.table.wall import HAND, WallPlan, WallWalk, build_wall
from quepu.tiles import CHOW_STARTS, FIRST_FLOWER

_TRIES = 2000
_NOT_READY = Text("造不出与报听相符的手牌。", "no ready hand could be made of the tiles left.")


class SampleError(Error):
    """A position from which nothing can be sampled."""


class Assumed(NamedTuple):
    """Assumptions about tiles that a seat has not seen: seats that are ready, and kinds that other hands hold."""

    ready: frozenset[int] = frozenset()
    held: tuple[int, ...] = ()


NOTHING_ASSUMED = Assumed()


class HiddenTiles(NamedTuple):
    """Concealed kinds by seat, sorted (the own ones unchanged, with the drawn tile), and the tiles of the wall."""

    hands: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...]


def sample_hidden(view: View, seed: int) -> HiddenTiles:
    """Sample the other hands and the wall under a view; deterministic for a seed.

    Raises:
        SampleError: the view has more tiles than there are.
    """
    rng = random.Random(f"sample {seed}")
    rules, board = play_rules(view.book).table, view.board
    flowered = board.plan.size > len(rules.tiles.with_flowers(False).tiles)
    left = Counter(rules.tiles.with_flowers(flowered).tiles)
    seen = board.visible()
    for kind in (*view.tiles, *(kind for flowers in board.flowers for kind in flowers)):
        seen[kind] += 1
    left.subtract({kind: n for kind, n in enumerate(seen) if n})
    if min(left.values()) < 0:
        raise SampleError("这一视角里的牌比一副牌还多。", "this view has more tiles than a set.")
    hidden_kongs = sum(shown.hidden for melds in board.melds for shown in melds)
    for _ in range(hidden_kongs):
        fours = [kind for kind, n in left.items() if n == rules.tiles.copies]
        del left[rng.choice(fours)]
    sizes = [
        0 if seat == view.seat else HAND - 3 * len(board.melds[seat]) + (seat == board.turn and _holds_drawn(view))
        for seat in range(4)
    ]
    tiles = [kind for kind in left.elements() if kind < FIRST_FLOWER]
    flowers = [kind for kind in left.elements() if kind >= FIRST_FLOWER]
    rng.shuffle(tiles)
    hands = []
    for seat, size in enumerate(sizes):
        taken, tiles = tiles[:size], tiles[size:]
        hands.append(tuple(sorted(view.tiles if seat == view.seat else taken)))
    wall = tiles + flowers
    rng.shuffle(wall)
    return HiddenTiles(tuple(hands), tuple(wall))


def _holds_drawn(view: View) -> bool:
    """Return whether the seat whose turn it is has an extra tile: it drew or claimed, and offers nothing."""
    board = view.board
    return board.offerer is None and not board.over


class _Held(NamedTuple):
    """A tile in a seat's hand: its kind and its place in the order of drawing."""

    kind: int
    place: int


def can_sample(table: Table, seat: int) -> bool:
    """Return whether a seat knows everything that has happened: nothing is offered only to others."""
    return not table.over and not table.held and (table.offered[1] is None or seat in table.to_act)


def sample_table(table: Table, seat: int, seed: int) -> Table:
    """Return a table on which the seat has seen the same, with other tiles in the hidden hands and the wall.

    It can be played on. It is deterministic for a seed.

    Raises:
        SampleError: the hand is over, only other seats are to answer (which the seat cannot know), or no hand could be
            made for a seat that has declared itself ready.
    """
    if table.over:
        raise SampleError("这一局已打完，没有看不见的牌。", "the hand is over: nothing is hidden.")
    if not can_sample(table, seat):
        raise SampleError("正等别家应答，这一家还不知道。", "others are to answer, which this seat does not know.")
    rng = random.Random(f"sample {seed}")
    hidden = HiddenPlaces(table, seat)
    order = hidden.sample(rng)
    made = Table(table.book, build_wall(order, *table.wall[1:]), round=table.board.round, rules=table.rules)
    try:
        _play_again(made, hidden.record(order), table.answers, seat)
    except NotAllowed as wrong:  # a seat declared itself ready and has changed its hand since
        raise SampleError(*_NOT_READY) from wrong
    return made


def drawn_places(events: Sequence[Event], plan: WallPlan) -> dict[int, int]:
    """Map the number of each draw event after the deal to its place in the order of drawing."""
    walk = WallWalk(plan)
    return {
        n: walk.head(event.seat) if isinstance(event, Drawn) else walk.tail(event.seat)
        for n, event in enumerate(events)
        if isinstance(event, Drawn | ReplacementDrawn)
    }


class HiddenPlaces:
    """Places of the wall whose tiles a seat has not seen, from the events of a table."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.events = table.events
        self.order = table.wall.order()
        self.rules = table.rules.table
        self.held: list[list[_Held]] = [[], [], [], []]
        self.kongs: list[tuple[int, list[int]]] = []
        """Others' concealed kongs that lie face down: the event's number, and places."""
        plan = self.plan = WallPlan.of(self.rules, len(self.order), table.wall.own)
        self.places = drawn_places(self.events, plan)
        for n, event in enumerate(self.events):
            self._follow(n, event)
        self.undrawn = table.position.undrawn_places()

    def _follow(self, n: int, event: Event) -> None:
        if isinstance(event, Dealt):
            places = self.plan.dealt_places(event.seat)
            self.held[event.seat] = list(map(_Held, event.tiles, places))
        elif isinstance(event, Drawn | ReplacementDrawn):
            self.held[event.seat].append(_Held(event.tile, self.places[n]))
        elif isinstance(event, Discarded):
            held = self.held[event.seat]
            if event.as_drawn:
                held.pop()
            else:
                self._take(event.seat, event.tile)
        elif isinstance(event, Claimed):
            for kind in event.own:
                self._take(event.seat, kind)
        elif isinstance(event, FlowerSetAside | KongAdded):
            self._take(event.seat, event.tile)
        elif isinstance(event, KongConcealed):
            fours = [self._take(event.seat, event.tile) for _ in range(4)]
            if self.rules.concealed_kongs_hidden and event.seat != self.seat:
                self.kongs.append((n, fours))

    def _take(self, seat: int, kind: int) -> int:
        """Remove the tile of this kind that the seat got first from its hand; return its place."""
        held = self.held[seat]
        at = next(i for i, one in enumerate(held) if one.kind == kind)
        return held.pop(at).place

    @property
    def turns(self) -> Counter[int]:
        """The discards of each seat so far."""
        return Counter(event.seat for event in self.events if isinstance(event, Discarded))

    # ---- other tiles in those places

    def sample(self, rng: random.Random, assumed: Assumed = NOTHING_ASSUMED) -> list[int]:
        """Return an order of all tiles that differs only in those places.

        Raises:
            SampleError: no hands could be dealt that declarations and assumptions allow.
        """
        order = self.order[:]
        others = [other for other in range(4) if other != self.seat]
        in_hands = {other: [one.place for one in self.held[other]] for other in others}
        anything = self.undrawn[
            :
        ]  # hands hold no flowers; only the drawn tile may be one, in games where it may be discarded
        turn = self.table.turn
        if self.table.drawn is not None and turn != self.seat and not self.rules.flowers_replaced:
            anything.append(in_hands[turn].pop())
        places = [place for other in others for place in in_hands[other]] + anything
        pool = Counter(order[place] for place in places)
        for _, fours in self.kongs:
            pool.update(order[place] for place in fours)
        for _, fours in self.kongs:
            kind = rng.choice(sorted(kind for kind, n in pool.items() if n == 4))
            del pool[kind]
            for place in fours:
                order[place] = kind
        ready = {other for other in others if self.table.board.declared[other]} | assumed.ready
        hidden, assumed = Hidden(in_hands, anything), assumed._replace(ready=frozenset(ready))
        deal(order, pool, hidden, rng, assumed, self.table.book, self.table.melds)
        return order

    def record(self, order: Sequence[int]) -> list[Event]:
        """Return the events as they would have been with this order."""
        found: list[Event] = []
        kongs = {n: order[place] for n, places in self.kongs for place in places}
        for n, event in enumerate(self.events):
            if isinstance(event, Dealt):
                tiles = tuple(order[place] for place in self.plan.dealt_places(event.seat))
                found.append(Dealt(event.seat, tiles))
            elif isinstance(event, Drawn | ReplacementDrawn):
                found.append(type(event)(event.seat, order[self.places[n]]))
            elif isinstance(event, KongConcealed):
                found.append(KongConcealed(event.seat, kongs.get(n, event.tile)))
            else:
                found.append(event)
        return found


class Hidden(NamedTuple):
    """Places in the order of drawing that a seat has not seen: of hands by seat (without flowers), and the rest."""

    hands: Mapping[int, Sequence[int]]
    rest: Sequence[int]


def deal(
    order: list[int], pool: Counter[int], hidden: Hidden, rng: random.Random, assumed: Assumed, book: Rulebook,
    melds: Sequence[tuple[Meld, ...]],
) -> None:  # fmt: skip
    """Put the tiles of a pool into hidden places of an order; `melds` by seat.

    Raises:
        SampleError: no hands could be dealt as assumed.
    """
    hands = {seat: [*places] for seat, places in hidden.hands.items()}
    for kind in assumed.held:
        for _ in range(pool[kind]):
            free = [hand for seat, hand in hands.items() if hand and seat not in assumed.ready]
            if not free:
                raise SampleError("别家手里放不下这些牌。", "the other hands have no room for these tiles.")
            hand = rng.choice(free)
            order[hand.pop(rng.randrange(len(hand)))] = kind
        del pool[kind]
    for seat, places in hands.items():
        if seat in assumed.ready:
            for place, kind in zip(places, _ready_hand(book, melds[seat], len(places), pool, rng), strict=True):
                order[place] = kind
                pool[kind] -= 1
            hands[seat] = []
    tiles = [kind for kind in pool.elements() if kind < FIRST_FLOWER]
    flowers = [kind for kind in pool.elements() if kind >= FIRST_FLOWER]
    rng.shuffle(tiles)
    for places in hands.values():
        for place in places:
            order[place] = tiles.pop()
    left = tiles + flowers
    rng.shuffle(left)
    for place, kind in zip(hidden.rest, left, strict=True):
        order[place] = kind


def _ready_hand(
    book: Rulebook, melds: tuple[Meld, ...], size: int, pool: Counter[int], rng: random.Random
) -> list[int]:
    """Return concealed tiles for a seat known to be ready (with the drawn one last, if it is one of them)."""
    waits = waits_of(book.shapes)
    tiles = Counter({kind: n for kind, n in pool.items() if kind < FIRST_FLOWER})
    need = HAND // 3 - len(melds)
    for _ in range(_TRIES):
        hand = _nearly_complete(tiles, need, rng)
        if hand is not None and waits(sum(KEY[kind] for kind in hand), hand, melds, LASTING):
            if len(hand) < size:
                rest = tiles - Counter(hand)
                hand.append(rng.choice(sorted(rest.elements())))
            return hand
    raise SampleError(*_NOT_READY)


def _nearly_complete(pool: Counter[int], sets: int, rng: random.Random) -> list[int] | None:
    """Draw sets and a pair from the pool, less one tile; None if the first tiles drawn do not allow it."""
    left = Counter(pool)
    found: list[int] = []
    for _ in range(sets):
        kind = rng.choice(sorted(left.elements()))
        run = kind in CHOW_STARTS and rng.random() < 0.7
        group = [kind, kind + 1, kind + 2] if run else [kind] * 3
        if Counter(group) - left:
            return None
        left -= Counter(group)
        found += group
    pairs = sorted(kind for kind, n in left.items() if n >= 2)
    if not pairs:
        return None
    found += [rng.choice(pairs)] * 2
    found.pop(rng.randrange(len(found)))
    return sorted(found)


def _play_again(table: Table, record: Sequence[Event], answers: Sequence[tuple[int, int, Action]], seat: int) -> None:
    """Bring the table to the end of the record, with the seat's own answers and the others' as the record needs them.

    Raises:
        SampleError: the table produces other events.
    """
    own: dict[int, list[Action]] = {}
    for n, who, answer in answers:
        if who == seat:
            own.setdefault(n, []).append(answer)
    n = 0
    while n < len(record):
        if n < table.event_count:
            if table.event(n) != record[n]:
                raise SampleError("重演结果与原来不同。", "replaying the table gave a different result.")
            n += 1
            continue
        event = record[n]
        if isinstance(event, Barred | BarLifted):
            table.bar(event.seat, isinstance(event, Barred))
        elif table.offered[1] is not None:
            _answer(table, event, own.get(n, []), seat)
        else:
            action = event.action()
            if action is None or not isinstance(event, SeatEvent):
                raise SampleError("重演结果与原来不同。", "replaying the table gave a different result.")
            table.step(event.seat, action)
    if table.event_count > len(record):
        raise SampleError("重演结果与原来不同。", "replaying the table gave a different result.")
    last = own.get(len(record), [])
    while table.offered[1] is not None and (last or seat not in table.to_act):
        _answer(table, None, last, seat)


def _answer(table: Table, event: Event | None, own: list[Action], seat: int) -> None:
    """Give one answer to the current offer so that this event follows (None: the next offer).

    `own` are the seat's answers, which are used up in order.
    """
    claim = _claim_of(event)
    if own and seat in table.to_act:
        table.step(seat, own.pop(0)._replace(score=None))
    elif claim is not None and isinstance(event, SeatEvent) and find_option(table.options(event.seat), claim):
        table.step(event.seat, claim)
    else:
        table.step(next((who for who in table.to_act if who != seat), seat), PASS)


def _claim_of(event: Event | None) -> Action | None:
    """Return the answer to an offer that leads to this event; None: a pass."""
    if isinstance(event, ChowClaimed):
        return Action(ActionKind.CHOW, event.tile, event.low)
    if isinstance(event, Claimed):
        return Action(ActionKind.PUNG if isinstance(event, PungClaimed) else ActionKind.KONG, event.tile)
    if isinstance(event, ReadyDeclared):
        return Action(ActionKind.READY)
    return Action(ActionKind.WIN) if isinstance(event, Won) else None


__all__ = [
    "NOTHING_ASSUMED",
    "Assumed",
    "HiddenPlaces",
    "HiddenTiles",
    "SampleError",
    "can_sample",
    "sample_hidden",
    "sample_table",
]
