"""A belief about the others' hands: hands consistent with all that a seat has seen, sampled by their probability.

    past = Past(book, seat)                      # then past.watch(event) for each event that the seat may see
    belief = believe(view, past, seed=1)
    belief.hands                                 # uint8 [N, 3, 34]: the hands of the next three seats
    belief.shares()                              # float64 [3, 34]: expected copies of each kind in each hand

Everything that others did says something about the tiles they held then: each discard, each claim made and not made.
A hand then is the hand now, plus the discards and melds since, less the draws since, which are hidden as well. So the
state of the Markov chain is a history: where each tile was from the deal on (`quepu.fast.tables.hidden_hands`). The
policy by which histories are weighed was fitted to games of bots, book by book (`data/belief.json`).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import CachedCode, installed
from quepu.fast.tables import hidden_hands as loops
from quepu.hands.suit_tables import KEY
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.shapes.automaton import automaton
from quepu.table import Event, View
from quepu.table.events import (
    ChowClaimed,
    Claimed,
    DiceThrown,
    Discarded,
    Drawn,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    KongFaceDown,
    ReadyDeclared,
    ReplacementDrawn,
)
from quepu.table.ready import LASTING, waits_of
from quepu.table.wall import HAND
from quepu.tiles import EAST, KINDS

Ints = NDArray[np.int64]
ALL = ""
"""The entry of all books together in the file of weights."""
WALKS = 12
PLAN = loops.Plan(steps=3_000, burn=1_500, every=112, power=0.5)
"""How a belief walks: some 0.3 seconds in all. The policy is not exact, so its likelihood counts half."""
_ALWAYS = 1 << 40
"""The time at which a tile that is still in a hand leaves it."""
_DRAGONS = 0b1110000
_KINDS = np.arange(KINDS)


class _Departure(NamedTuple):
    """A tile that left a hand: its kind (-1: unknown), when, before which event it came, its slot (-1: unknown)."""

    kind: int
    leave: int
    before: int
    slot: int = -1


class _Seat:
    """A seat as others see it: when its tiles came and left."""

    def __init__(self) -> None:
        self.entered: list[int] = [0] * HAND
        self.left: list[_Departure] = []
        self.turns = self.need = self.exposed = self.suits = 0
        self.need = 4
        self.drawn: int | None = None
        """The event of the draw of this turn."""
        self.declared = False

    def drop_flower(self) -> None:
        """Remove the slot of a flower: of the tile just drawn, or one of those dealt."""
        self.entered.pop() if self.drawn is not None else self.entered.pop(0)
        self.drawn = None


class Past:
    """The public past of a hand as one seat sees it, from its events."""

    def __init__(self, book: Rulebook, seat: int) -> None:
        self.seat = seat
        self.rules = play_rules(book).table
        self.seats = [_Seat() for _ in range(4)]
        self.decisions: list[list[int]] = []
        self.seen: list[list[int]] = []
        self._open = [0] * KINDS
        self._number = self._deals = self._turn = 0
        self._replaces: int | None = None
        self._offer: Discarded | None = None

    def watch(self, event: Event | int) -> None:
        """Add an event, a bare number where it is a secret of another seat."""
        at = self._number
        self._number += 1
        if self._deals < 4:
            self._deals += not isinstance(event, DiceThrown)
            return
        offer, self._offer = self._offer, None
        if offer is not None:
            self._answer(offer, event, at - 1)
        if isinstance(event, int | Drawn | ReplacementDrawn):
            self._draw(at)
        elif isinstance(event, FlowerSetAside):
            self.seats[event.seat].drop_flower()
            self._replaces = event.seat
        elif isinstance(event, Discarded):
            self._discard(event, at)
        elif isinstance(event, Claimed):
            self._meld(event.seat, event.own, at, event.tile, exposed=True)
            if isinstance(event, KongClaimed):
                self._replaces = event.seat
        elif isinstance(event, KongAdded):
            self.seats[event.seat].left.append(_Departure(event.tile, at, at))
            self._open[event.tile] += 1
            self._replaces = event.seat
        elif isinstance(event, KongConcealed):
            self._meld(event.seat, (event.tile,) * 4, at, event.tile, exposed=False)
        elif isinstance(event, KongFaceDown):
            self._meld(event.seat, (-1,) * 4, at, -1, exposed=False)
        elif isinstance(event, ReadyDeclared):
            self._declare(event.seat, at)

    def _draw(self, at: int) -> None:
        seat = self._turn if self._replaces is None else self._replaces
        self._replaces = None
        self.seats[seat].entered.append(at)
        self.seats[seat].drawn = at
        self._turn = seat

    def _discard(self, event: Discarded, at: int) -> None:
        own, tile = self.seats[event.seat], event.tile
        self._turn = (event.seat + 1) & 3
        drawn, own.drawn = own.drawn, None
        if tile >= KINDS:
            own.entered.pop()
            return
        if not own.declared:
            self._decide(event.seat, at, loops.DISCARD, tile)
        own.turns += 1
        if event.as_drawn:
            own.left.append(_Departure(tile, at, at, len(own.entered) - 1))
        else:
            own.left.append(_Departure(tile, at, at if drawn is None else drawn))
        self._open[tile] += 1
        if event.declares:
            self._declare(event.seat, at + 1)
        self._offer = event

    def _declare(self, seat: int, at: int) -> None:
        self._decide(seat, at, loops.READY, 0)
        self.seats[seat].declared = True

    def _answer(self, offer: Discarded, event: Event | int, at: int) -> None:
        """Add the decisions of those who could claim a discard, by the event that follows it."""
        claim = event if isinstance(event, Claimed) else None
        if claim is None and not isinstance(event, int | Drawn):
            return  # it was won, or the wall is empty
        for seat in range(4):
            if seat == offer.seat or self.seats[seat].declared:
                continue
            chows = seat == (offer.seat + 1) & 3 and "chow" in self.rules.claims
            low = loops.PASSED
            if claim is not None and claim.seat == seat:
                low = claim.low if isinstance(claim, ChowClaimed) else loops.NO_CHOW
            elif claim is not None and not isinstance(claim, ChowClaimed):
                chows = False  # a pung comes first: it is not known whether the seat wanted to chow
            self._decide(seat, at, loops.OFFER, offer.tile, low, chows)

    def _meld(self, seat: int, own: Sequence[int], at: int, tile: int, exposed: bool) -> None:
        """Take tiles out of a hand for a meld."""
        mine = self.seats[seat]
        mine.left += [_Departure(kind, at, at) for kind in own]
        for kind in own:
            if kind >= 0:
                self._open[kind] += 1
        mine.need -= 1
        mine.exposed += exposed
        if exposed:
            self._turn, mine.drawn = seat, None
            mine.suits |= 1 << tile // 9 & 0b111 if tile < EAST else 0
        else:
            self._replaces = seat

    def _decide(self, seat: int, at: int, about: int, tile: int, low: int = 0, chows: bool = False) -> None:
        if seat == self.seat:
            return
        own = self.seats[seat]
        owner, valued = (seat - self.seat - 1) & 3, _DRAGONS | 1 << seat
        self.decisions.append([owner, at, about, tile, low, chows, own.need, own.turns, own.exposed, own.suits, valued])
        self.seen.append(self._open[:])


class Belief(NamedTuple):
    """Sampled hands of the next three seats, in turn order, with the probability that the known tiles give them.

    `hands` are counts by kind, uint8 [N, 3, 34]; `accepted` is the share of exchanges that were accepted.
    """

    hands: NDArray[np.uint8]
    accepted: float

    def shares(self) -> NDArray[np.float64]:
        """Return the expected copies of each kind in each hand: float64 [3, 34]."""
        found: NDArray[np.float64] = self.hands.mean(axis=0)
        return found


def begin_histories(view: View, past: Past, rng: np.random.Generator) -> loops.Histories:
    """Deal the hidden tiles at random in a way that fits what is known.

    Raises:
        ValueError: the view and the past do not belong together.
    """
    copies = np.array(past.rules.tiles.counts[:KINDS], np.int64)
    pool = [kind for kind, n in enumerate(view.unseen()) for _ in range(n)]
    order = rng.permutation(len(pool))
    hidden = [pool[place] for place in order]
    rows: list[list[int]] = []
    for owner in range(3):
        rows += _place_known(past.seats[(past.seat + 1 + owner) & 3], owner, hidden, rng)
    for row in rows:
        if row[loops.TILE] < 0:
            row[loops.TILE] = hidden.pop()
    rows += [[loops.WALL, 0, kind, _ALWAYS, 0, 0] for kind in hidden]
    slots = np.array(rows, np.int64).reshape(-1, 6)
    free = np.flatnonzero(slots[:, loops.FIXED] == 0)
    outer = slots[free, loops.OWNER] == loops.WALL
    movable = np.concatenate([free[~outer], free[outer]])
    decided = np.array(past.decisions, np.int64).reshape(-1, 11)
    decided[:, loops.VALUED] |= 1 << view.board.round
    sorted_ = np.lexsort((decided[:, loops.AT], decided[:, loops.BY]))
    decisions = np.ascontiguousarray(decided[sorted_])
    seen = np.ascontiguousarray(np.array(past.seen, np.int64).reshape(-1, KINDS)[sorted_])
    starts = np.searchsorted(decisions[:, loops.BY], np.arange(4)).astype(np.int64)
    at = decisions[:, loops.AT, None]
    there = (slots[:, loops.ENTER] < at) & (slots[:, loops.LEAVE] >= at)
    there &= slots[:, loops.OWNER] == decisions[:, loops.BY, None]
    held = np.zeros((len(decisions), KINDS), np.int64)
    rows_at, places = np.nonzero(there)
    np.add.at(held, (rows_at, slots[places, loops.TILE]), 1)
    return loops.Histories(slots, movable, decisions, starts, seen, held, copies)


def _place_known(own: _Seat, owner: int, hidden: list[int], rng: np.random.Generator) -> list[list[int]]:
    """Return the slots of a seat with its known tiles in them: the soonest needed first, each in a free slot."""
    rows = [[owner, entered, -1, _ALWAYS, 0, 0] for entered in own.entered]
    free = set(range(len(rows)))
    for gone in own.left:
        if gone.slot >= 0:
            rows[gone.slot] = [owner, rows[gone.slot][loops.ENTER], gone.kind, gone.leave, gone.before, 1]
            free.discard(gone.slot)
    kongs: dict[int, int] = {}
    for gone in sorted(own.left, key=lambda one: one.before):
        if gone.slot >= 0:
            continue
        allowed = [place for place in sorted(free) if rows[place][loops.ENTER] < gone.before]
        if not allowed:
            raise ValueError("the events do not belong to the view")
        place, kind = allowed[int(rng.integers(len(allowed)))], gone.kind
        if kind < 0:  # a kong that lies face down
            if gone.leave not in kongs:
                kongs[gone.leave] = _take_four(hidden, rng)
            kind = kongs[gone.leave]
        free.discard(place)
        rows[place] = [owner, rows[place][loops.ENTER], kind, gone.leave, gone.before, 0]
    return rows


def _take_four(hidden: list[int], rng: np.random.Generator) -> int:
    """Take four tiles of a kind out of the hidden ones; return the kind."""
    fours = sorted(kind for kind in set(hidden) if hidden.count(kind) == 4)
    if not fours:
        raise ValueError("the events do not belong to the view")
    kind = fours[int(rng.integers(len(fours)))]
    hidden[:] = [one for one in hidden if one != kind]
    return kind


def believe(view: View, past: Past, seed: int = 0, plan: loops.Plan | None = None, walks: int = WALKS) -> Belief:
    """Sample the hands of the others; deterministic for a seed.

    Args:
        view: the seat's view now.
        past: the events until now.
        seed: of the walks.
        plan: how long each of them is; None: all together take some 0.3 seconds.
        walks: how many start, each from hands dealt at random: one alone may stay among hands that are all alike.

    Raises:
        ValueError: the view and the past do not belong together.
    """
    weights, made = load_weights(view.book), []
    for number in range(seed * walks, (seed + 1) * walks):
        start = begin_histories(view, past, np.random.default_rng(number))
        made.append(walk(start, weights, number, plan or PLAN))
    return Belief(np.concatenate([one.hands for one in made]), sum(one.accepted for one in made) / walks)


def walk(
    start: loops.Histories, weights: NDArray[np.float64], seed: int, plan: loops.Plan, compiled: bool = True
) -> Belief:
    """Walk from a history (its arrays change) and return the hands met; `compiled`: by numba, if it is installed."""
    number = len(start.decisions)
    room = loops.Room(
        np.zeros((3, KINDS), np.int64), np.zeros((KINDS, loops.DISCARD_TERMS)), np.zeros((2, number + 1)),
        np.zeros(number + 1, np.int64), np.array([seed * 7919 % 2147483646 + 1], np.int64),
    )  # fmt: skip
    found = np.zeros(((plan.steps - plan.burn) // plan.every, 3, KINDS), np.uint8)
    run = loops_code().functions.walk if compiled and installed() else loops.walk
    accepted = run(plan, start, loops.Policy(flat_automaton(), np.ascontiguousarray(weights)), room, found)
    return Belief(found, accepted / max(plan.steps, 1))


def list_waits(belief: Belief, view: View) -> Ints:
    """Return the planes of the kinds that complete each hand by shape, int64 [N, 3]; they need not be worth enough."""
    waits, found = waits_of(view.book.shapes), np.zeros(belief.hands.shape[:2], np.int64)
    for n in range(3):
        melds = tuple([shown.meld for shown in view.board.melds[(view.seat + 1 + n) & 3]])
        for sample, counts in enumerate(belief.hands[:, n]):
            tiles = np.repeat(_KINDS, counts).tolist()
            found[sample, n] = waits(sum([KEY[kind] for kind in tiles]), tiles, melds, LASTING)
    return found


@cache
def flat_automaton() -> NDArray[np.uint8]:
    """Return `quepu.shapes.automaton` in one array."""
    parts = automaton()
    rows = [parts.suit, parts.honour, *parts.left, *parts.right, *(row for need in parts.final for row in need)]
    return np.frombuffer(b"".join(rows), np.uint8)


@cache
def loops_code() -> CachedCode:
    """Return the loops as text for numba."""
    source = inspect.getsource(loops)
    names = [name for name, what in vars(loops).items() if inspect.isfunction(what)]
    made = "".join(f"{name} = numba.njit(cache=True, error_model='numpy')({name})\n" for name in names)
    return CachedCode("belief", f"{source.replace('from __future__ import annotations', '')}\n\n{made}")


@cache
def _all_weights() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files("quepu") / "data" / "belief.json").read_text("utf-8"))
    return found


def load_weights(book: Rulebook) -> NDArray[np.float64]:
    """Return the weights of the policy under a book."""
    every = _all_weights()
    return np.array(every.get(book.id.partition("@")[0]) or every[ALL], np.float64)
