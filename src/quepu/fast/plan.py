"""Choose what scores the hands of a book: plain Python (the twin of the others), arrays or compiled code; score."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text, language
from quepu.fast.arrays.hand_arrays import Gathered, HandArrays
from quepu.fast.arrays.readings import OWN, choose, read
from quepu.fast.compiled.code_cache import installed
from quepu.fast.compiled.context import UNMET
from quepu.fast.compiled.scorer import BestPlanes, CompiledScorer, Found
from quepu.fast.weighing import Weighing, weighing_of
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.hands.planes import Planes
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import COMPILED
from quepu.shapes.readings import readings


class Backend(Enum):
    """A way to score many hands."""

    PLAIN = "plain"
    """Hand by hand, as `quepu.score` does it."""
    ARRAYS = "arrays"
    """On numpy arrays: books that add up or multiply."""
    COMPILED = "compiled"
    """By loops that numba compiles (the extra `fast`)."""


_REPAID = {Backend.ARRAYS: (100_000, 5_000_000), Backend.PLAIN: (2_000, 200_000)}
"""For each backend otherwise used: from how many hands on it pays to load compiled code, and to compile it."""


class Plan:
    """A book made ready for scoring many hands: its weighing and its compiled scorer."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.weighing: Weighing | None = weighing_of(book)

    @cached_property
    def scorer(self) -> CompiledScorer | None:
        """The compiled scorer, or None if a row or shape of the book cannot be compiled."""
        return CompiledScorer.of(self.book, self.weighing)

    def loaded(self, fans: bool) -> bool:
        """Report whether the compiled scorer is ready in this process."""
        scorer: CompiledScorer | None = self.__dict__.get("scorer")  # asking must not make it
        return scorer is not None and scorer.loaded(fans)

    @property
    def without_numba(self) -> Backend:
        """The backend where nothing is compiled."""
        on_arrays = self.weighing is not None and not isinstance(self.weighing, ResidueWeighing)
        return Backend.ARRAYS if on_arrays else Backend.PLAIN


@lru_cache(8)
def plan_of(book: Rulebook) -> Plan:
    """Return the plan of a book, made once."""
    return Plan(book)


def choose_backend(book: Rulebook, n: int, installed: bool, fans: bool = True) -> Backend:
    """Choose how to score n hands of a book.

    installed: whether numba is. fans: whether fan counts are wanted.
    """
    plan = plan_of(book)
    otherwise = plan.without_numba
    load, compile_ = _REPAID[otherwise]
    if plan.loaded(fans):
        return Backend.COMPILED
    if not installed or n < load or plan.scorer is None:
        return otherwise
    return Backend.COMPILED if n >= compile_ or plan.scorer.compiled(fans) else otherwise


def load_compiled(book: Rulebook) -> None:
    """Load the compiled code of a book, if all of it is cached, and score single hands by it from now on."""
    scorer = plan_of(book).scorer
    if scorer is not None and scorer.compiled(fans=True):
        compile_book(book)


Report = Callable[[Text, int, int], None]
"""Called before each step with its text, the steps done and the steps in all."""
_COMPILING = (
    Text("编译读牌（每台机器一次，约十秒）", "compiling the reading of hands (once per machine, about ten seconds)"),
    Text("编译计番（每种算法一次，几秒）", "compiling the arithmetic (once for each arithmetic, a few seconds)"),
    Text("编译番种（每本规则一次，一两秒）", "compiling fans (once per rulebook, a second or two)"),
    Text("编译单手算番（每本规则一次，一两秒）", "compiling single hands (once per rulebook, a second or two)"),
    Text("编译番种计数（每本规则一次，一两秒）", "compiling counts of fans (once per rulebook, a second or two)"),
)


def tell_terminal(text: Text, done: int, steps: int) -> None:
    """Write a step of compilation to standard error, if that is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"quepu: {text.say(language())} {done + 1}/{steps}\n")


def compile_book(book: Rulebook, fans: bool = True, report: Report | None = None) -> bool:
    """Compile all code that scores hands of a book, or load it from the cache; no hand is scored for that.

    fans: the code that counts fans, too. report: called before each step where something has to be compiled.

    Returns:
        Whether the book can be compiled.
    """
    scorer = plan_of(book).scorer
    if scorer is None:
        return False
    steps = scorer.steps(fans)
    silent = report is None or scorer.compiled(fans)
    for done, (step, text) in enumerate(zip(steps, _COMPILING, strict=False)):
        if report is not None and not silent:
            report(text, done, len(steps))
        step()
    if fans:
        book.notes[COMPILED] = scorer
    return True


_AT_ONCE = 256
"""So many hands with figures not seen yet are worked through before the compiled loop is tried again."""


class Settled(NamedTuple):
    """The best reading of each hand. Hands that are not a win have `valid` False and zeros."""

    valid: NDArray[np.bool_]
    points: NDArray[np.int32]  # towards the minimum
    bonus: NDArray[np.int32]  # fans that do not count towards the minimum
    counts: NDArray[np.uint8]  # [N, fans], how often each fan counts; [0, fans] if not requested
    h: Any  # planes of the best reading, an array [N] or one number each; anything where not valid

    def planes(self) -> dict[str, NDArray[np.int64]]:
        """Return the planes that distinguish the best reading from others: [N] each, 0 where not valid."""
        return {name: np.where(self.valid, getattr(self.h, name), 0) for name in OWN}


class Engine:
    """Scores arrays of hands under one book.

    >>> import quepu
    >>> from quepu.batch import from_hands
    >>> engine = Engine(quepu.book("guobiao"))
    >>> engine.score(from_hands([quepu.parse("123m456p789sCCEE+E")])).points.tolist()
    [20]
    """

    def __init__(self, book: Rulebook, backend: Backend | None = None) -> None:
        self.book = book
        self.backend = backend

    def score(self, wins: HandArrays, fans: bool = True, planes: bool = True) -> Settled:
        """Score hands; with counts of fans if `fans`, with planes of the best reading if `planes` or `fans`."""
        backend = self.backend or choose_backend(self.book, wins.n, installed(), fans)
        if backend is Backend.COMPILED and plan_of(self.book).scorer is not None:
            return _score_compiled(self.book, wins, fans, planes)
        return _score_uncompiled(self.book, wins, fans)


def _score_uncompiled(book: Rulebook, wins: HandArrays, fans: bool) -> Settled:
    if plan_of(book).without_numba is Backend.ARRAYS:
        return _score_on_arrays(book, wins, fans)
    return _score_one_by_one(book, wins, fans)


def _score_on_arrays(book: Rulebook, wins: HandArrays, fans: bool) -> Settled:
    weighing = plan_of(book).weighing
    if weighing is None or isinstance(weighing, ResidueWeighing):
        raise ValueError(book.id)
    found = read(wins, book.shapes, book.reads)
    m, n = len(found.of), wins.n
    counts = np.zeros((n if fans else 0, len(book.fans)), np.uint8)
    if not m:
        none = np.zeros(n, np.int32)
        return Settled(none > 0, none, none, counts, Planes(*(0,) * len(Planes._fields)))
    weighed = weighing.weigh(found.h, m, fans)
    at = choose(n, found, weighed.points, weighed.bonus)
    valid = wins.possible & (at >= 0)
    best = np.maximum(at, 0)
    if fans:
        counts = weighed.counts.take(best, axis=0)
        counts[~valid] = 0
    points, bonus = (np.where(valid, x[best], 0).astype(np.int32) for x in (weighed.points, weighed.bonus))
    return Settled(valid, points, bonus, counts, Gathered(found.h, best))


def _score_one_by_one(book: Rulebook, wins: HandArrays, fans: bool) -> Settled:
    n = wins.n
    points, bonus = np.zeros((2, n), np.int32)
    counts = np.zeros((n if fans else 0, len(book.fans)), np.uint8)
    planes = np.zeros((n, len(Planes._fields)), np.int64)
    valid = np.zeros(n, np.bool_)
    for i in np.flatnonzero(wins.possible).tolist():
        best: tuple[Tally, Planes] | None = None
        for reading in readings(wins.hand(i), book.shapes, book.reads):
            tally = book.tally(reading.h)
            if best is None or _value(tally) > _value(best[0]):
                best = tally, reading.h
        if best is not None:
            valid[i], points[i], bonus[i] = True, best[0].points, best[0].bonus
            planes[i] = best[1]
            for counted in best[0].counted if fans else ():
                counts[i, counted.row] += counted.times
    return Settled(valid, points, bonus, counts, Planes(*planes.T))


def _value(tally: Tally) -> tuple[int, int]:
    return tally.points + tally.bonus, tally.points


def _score_compiled(book: Rulebook, wins: HandArrays, fans: bool, planes: bool) -> Settled:
    scorer = plan_of(book).scorer
    if scorer is None:
        raise ValueError(book.id)
    found = scorer.score(wins, planes or fans, fans)
    left = np.flatnonzero(found.left)
    while left.size and (found.left[left] == UNMET).any():
        unmet = left[found.left[left] == UNMET][:_AT_ONCE]  # the others may need only the same figures
        if not scorer.meet(wins.some(unmet)):
            break
        _put(found, left, scorer.score(wins.some(left), planes or fans, fans))
        left = left[found.left[left] != 0]
    if left.size:
        settled = _score_one_by_one(book, wins.some(left), fans)
        values = np.zeros((found.planes.shape[0], len(left) if planes or fans else 0), np.int64)
        if values.size:
            for name, row in BestPlanes.ROWS.items():
                values[row] = getattr(settled.h, name)
        none = np.zeros(len(left), np.uint8)
        _put(found, left, Found(settled.points, settled.bonus, settled.valid, none, values, settled.counts))
    return Settled(found.valid, found.points, found.bonus, found.counts, BestPlanes(found.planes))


def _put(found: Found, left: NDArray[np.int64], few: Found) -> None:
    """Put the scores of a few hands where they belong."""
    columns: tuple[NDArray[Any], ...] = tuple(found[:4])
    for column, values in zip(columns, few[:4], strict=True):
        column[left] = values
    if few.planes.size:
        found.planes[:, left] = few.planes
    if few.counts.size:
        found.counts[left] = few.counts
