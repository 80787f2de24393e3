"""Mutants of rulebooks: every value, relation, limit and payment changed by one.

The book is changed where it stands, so that every test sees the change. First it is asked about the hands written down
for it (examples of the books, rulings, near misses, clauses: all conformance cases) in which the changed row holds;
whatever survives is tried on the quick tests of its family, in forks of one pytest. That the fingerprint is another
does not count.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase as fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from areas import ROOT
from code_mutants import forked
from row_changes import RowMutant, figures_of, forget, is_kept_out_twice, play_of, rows_of

SECONDS = 12
"""Seconds of a processor that tests of a family may take to notice a mutant: a survivor survived so many."""
STATED = re.compile(
    "rows|stated|rulings|relations|examples|near_miss|settle|test_play|test_table|contradictions|couples"
)
"""Tests that compare the book with its own sentences: tried first."""


class Cases:
    """Hands that are written down for a book, and what they come to; by the rows that hold in them."""

    def __init__(self, book: Any) -> None:
        from quepu.conformance.agreement import cases
        from quepu.errors import Error
        from quepu.json_lines.answers import parse_request
        from quepu.shapes.readings import readings

        self.book = book
        self.by_row: dict[int, list[int]] = {}
        self.hands: list[tuple[Any, Mapping[str, Any]]] = []
        for case in cases(book.id):
            if case.kind == "payment" or not case.expect["valid"]:
                continue
            try:
                hand, _ = parse_request(case.request, book)
            except Error:
                continue
            found = readings(hand, book.shapes, book.reads)
            held = {row for one in found for row, _ in book.detect(one.h)}
            for row in held | {line.row for one in found for line in book.tally(one.h).counted}:
                self.by_row.setdefault(row, []).append(len(self.hands))
            self.hands.append((hand, case.expect))

    def notice(self, row: int) -> bool:
        """Return whether some hand in which this row holds comes to something else now."""
        from quepu.errors import Error
        from quepu.scoring.score import score_hand

        for at in self.by_row.get(row, ()) if row >= 0 else range(len(self.hands)):
            hand, expect = self.hands[at]
            try:
                score = score_hand(hand, self.book)
                found = (score.points, score.total, score.can_win, sorted((one.name, one.count) for one in score.fans))
            except (Error, ArithmeticError, LookupError, AssertionError, ValueError):
                return True
            fans = sorted((one["name"], one["count"]) for one in expect["fans"])
            if found != (expect["points"], expect["total"], expect["can_win"], fans):
                return True
        return False


def held_together(book: Any) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Return which rows hold beside each other in random wins, and how often each holds at most."""
    from quepu.rules.row import EACH
    from quepu.scoring.samples import wins
    from quepu.shapes.readings import readings

    found: dict[int, set[int]] = {}
    times: dict[int, int] = {}
    for hand in wins(book, 400, seed=7):
        for one in readings(hand, book.shapes, book.reads):
            held = []
            for row, n in book.detect(one.h):
                held.append(row)
                times[row] = max(times.get(row, 0), n.bit_count() if book.fans[row].of == EACH else n)
            for row in held:
                found.setdefault(row, set()).update(other for other in held if other != row)
    return {row: sorted(others) for row, others in found.items()}, times


STATEMENTS = {
    "lingque": ("test_table",),
    "yuque": ("test_relations", "test_guide"),
    "guobiao": ("test_rows", "test_not_repeated"),
    "canton": ("test_stated",),
}
"""Modules of tests that compare the rows of a family with its own sentences and tables, and need no pytest for it."""
LONG = re.compile(
    "always_holds|editions_differ|rules_in_words|cut_of_bamboo|every_entry_is_what|every_big|every_little|many_hands|many_readings"
)


class Statements:
    """Tests of a family that are called as functions: those about one row first, then those about the book."""

    def __init__(self, book: Any) -> None:
        self.book = book
        self.of_row: list[Callable[[Any], None]] = []
        self.of_book: list[Callable[[], None]] = []
        modules = ["tests.test_books", *(f"tests.{book.family}.{name}" for name in STATEMENTS[book.family])]
        for name in modules:
            for test, function in vars(importlib.import_module(name)).items():
                if not test.startswith("test_") or not callable(function) or LONG.search(test):
                    continue
                wanted = set(inspect.signature(function).parameters)
                rules = book.id if function.__annotations__.get("rules") == "str" else book
                if wanted == {"rules", "fan"}:
                    self.of_row.append(partial(_call, function, rules=rules))
                elif wanted == {"fan"}:
                    self.of_row.append(function)
                elif name != modules[0] and wanted <= {"rules"} and not hasattr(function, "hypothesis"):
                    self.of_book.append(partial(function, **({"rules": rules} if wanted else {})))
        self.true = [[test for test in self.of_row if _holds(test, fan)] for fan in book.fans]
        self.of_book = [test for test in self.of_book if _holds(test) and _holds(test)]  # some hold only once

    def notice(self, row: int) -> bool:
        """Return whether one of them fails now."""
        if row >= 0 and any(not _holds(test, self.book.fans[row]) for test in self.true[row]):
            return True
        return any(not _holds(test) for test in self.of_book)


def _call(function: Callable[..., None], fan: Any, rules: Any) -> None:
    function(rules=rules, fan=fan)


def _holds(test: Callable[..., None], *given: Any) -> bool:
    try:
        test(*given)
    except Exception:  # noqa: BLE001  # whatever a mutant raises
        return False
    return True


class Loop:
    """A pytest plugin that tries what the hands of a book did not notice on the tests of its family."""

    def __init__(self, books: list[Any], only: str) -> None:
        self.books, self.only = books, only
        self.table: list[tuple[str, str, int, int, int]] = []
        self.alive: list[tuple[str, str]] = []
        self.equal = [(book, name) for one in _listed() for book in one["books"] for name in one["changes"]]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant of every book."""
        done = set()
        for book in self.books:
            kinds = [("rows", rows_of(book, *held_together(book))), ("table and match", play_of(book))]
            if book.family not in done and not done.add(book.family):
                kinds.append(("figures", figures_of(book.family)))
            for kind, mutants in kinds:
                if self.only in kind:
                    self._try(session, book, kind, list(mutants))
        return True

    def _try(self, session: pytest.Session, book: Any, kind: str, mutants: list[RowMutant]) -> None:
        cases = Cases(book)
        first, later, equal = 0, 0, 0
        slow: list[RowMutant] = []
        stated, second = Statements(book) if kind == "rows" else None, 0
        for mutant in mutants if kind == "rows" else ():
            mutant.apply(book)
            if cases.notice(mutant.row):
                first += 1
            elif stated and stated.notice(mutant.row):
                second += 1
            else:
                slow.append(mutant)
            mutant.restore()
            forget(book)
        if stated and any(stated.notice(row) or cases.notice(row) for row in range(len(book.fans))):
            raise RuntimeError(f"a mutant of {book.id} was not taken back: the counts mean nothing")
        print(f"{book.id} {kind}: {first} + {second} of {len(mutants)} noticed by hands and sentences", flush=True)
        tests = [item for item in session.items if _of(item.nodeid, book, kind)]
        nothing = RowMutant("nothing", -1, lambda: None)
        while broken := forked(partial(_first_to_fail, nothing, book, tests)):
            print(f"left out, for it fails without a mutant: {broken}", file=sys.stderr, flush=True)
            tests = [item for item in tests if item.nodeid != broken]
        killers: dict[str, int] = {}
        for mutant in slow if kind == "rows" else mutants:
            listed = any(fnmatch(book.id, one) and fnmatch(mutant.name, name) for one, name in self.equal)
            if listed or is_kept_out_twice(book, mutant):
                equal += 1
                continue
            about = mutant.name.partition(":")[0]

            def early(item: pytest.Item, about: str = about) -> tuple[bool, int, bool]:
                test = item.nodeid.partition("[")
                return about not in test[2], -killers.get(test[0], 0), not STATED.search(item.nodeid)

            order = sorted(tests, key=early)
            killer = forked(lambda mutant=mutant, order=order: _first_to_fail(mutant, book, order))
            if killer == "":
                self.alive.append((book.id, mutant.name))
                print(f"{book.id}: {mutant.name}", flush=True)
            else:
                later += 1
                test = (killer or "").partition("[")[0]
                killers[test] = killers.get(test, 0) + 1
        self.table.append((book.id, kind, len(mutants), first + second + later, equal))
        print(f"{book.id} {kind}: {len(slow)} of {len(mutants)} go to the tests", file=sys.stderr, flush=True)
        share = 100 * (first + second + later) / max(1, len(mutants) - equal)
        left = len(mutants) - first - second - later - equal
        counts = f"{len(mutants)} | {first} + {second} + {later} | {equal} | {left} | {share:.1f} %"
        print(f"| {book.id} | {kind} | {counts} |", flush=True)


def _listed() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8")).get(
        "row", []
    )
    return found


FINGERPRINTS = ("test_every_case_agrees_and_the_record", "fingerprint", "up_to_date", "test_every_fan_has_a_positive")


def _of(test: str, book: Any, kind: str) -> bool:
    """Return whether a test is about this book: of its family, or of every book with this one named."""
    if any(part in test for part in FINGERPRINTS):
        return False
    if kind == "rows" and test.startswith(("tests/table/", "tests/match/")):
        return "settle" in test
    if test.startswith(f"tests/{book.family}/"):
        return True
    from quepu.rulebooks import book_ids

    named = [
        one
        for one in book_ids()
        if f"[{one}-" in test or f"[{one}]" in test or f"-{one}]" in test or f"-{one}-" in test
    ]
    if test.startswith(("tests/lingque/", "tests/yuque/", "tests/guobiao/", "tests/canton/")):
        return False
    return not named or book.id in named


def _first_to_fail(mutant: RowMutant, book: Any, tests: list[pytest.Item]) -> str:
    import resource

    from code_mutants import _passes

    resource.setrlimit(resource.RLIMIT_CPU, (5 * SECONDS, 5 * SECONDS))
    begun = time.process_time()
    mutant.apply(book)
    for item in tests:
        if not _passes(item):
            return item.nodeid
        if time.process_time() - begun > SECONDS:
            break
    return ""


def run(names: list[str], only: str = "") -> int:
    """Try the mutants of these books, or of all; return how many no test notices.

    `only` is part of a kind: rows, table and match, figures.
    """
    import hypothesis

    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True, deadline=None)
    hypothesis.settings.load_profile("mutants")
    from quepu.rulebooks import book, book_ids

    books = [book(name) for name in names or book_ids()]
    tests = [f"tests/{family}" for family in dict.fromkeys(one.family for one in books)]
    tests += [
        "tests/test_stated_play.py",
        "tests/test_books.py",
        "tests/core/test_occurrences.py",
        "tests/test_explanations.py",
        "tests/table",
    ]
    tests += [f"tests/match/test_{name}.py" for name in ("match", "settle", "settle_independently", "penalties")]
    loop = Loop(books, only)
    pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *tests], plugins=[loop])
    return len(loop.alive)
