"""The plan of a book, and the choice between the plain scorer (the twin of all others), arrays and compiled code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from functools import cached_property, lru_cache

from quepu.errors import Text, language
from quepu.fast.compiled.scorer import CompiledScorer
from quepu.fast.weighing import Weighing, weighing_of
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import COMPILED


class Backend(Enum):
    """A way to score many hands."""

    PLAIN = "plain"
    """Hand by hand, as `quepu.score` does it."""
    ARRAYS = "arrays"
    """On numpy arrays: books that add up or multiply."""
    COMPILED = "compiled"
    """By loops that numba compiles (the extra `fast`)."""


_REPAID = {Backend.ARRAYS: (100_000, 5_000_000), Backend.PLAIN: (2_000, 200_000)}
"""By what would score the hands otherwise: how many repay loading compiled code, and compiling it."""


class Plan:
    """A book as the fast side needs it: its weighing and its compiled scorer."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.weighing: Weighing | None = weighing_of(book)

    @cached_property
    def scorer(self) -> CompiledScorer | None:
        """The compiled scorer, or None if a row or shape of the book cannot be compiled."""
        return CompiledScorer.of(self.book, self.weighing)

    def loaded(self, fans: bool) -> bool:
        """Report whether the compiled scorer is ready in this process."""
        scorer: CompiledScorer | None = self.__dict__.get("scorer")  # which is not made for this question
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
    Text("编译读牌（每台机器一次，约十秒）", "compiling how hands are read (once a machine, some ten seconds)"),
    Text("编译算法（每种算法一次，几秒）", "compiling how points are made (once for each arithmetic, some seconds)"),
    Text("编译番种（每本规则一次，一两秒）", "compiling fans (once for each rulebook, a second or two)"),
    Text("编译单手算番（每本规则一次，一两秒）", "compiling single hands (once for each rulebook, a second or two)"),
    Text("编译番种计数（每本规则一次，一两秒）", "compiling counts of fans (once for each rulebook, a second or two)"),
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
