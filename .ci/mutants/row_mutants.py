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
import random
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fnmatch import fnmatchcase as fnmatch
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from areas import ROOT
from code_mutants import forked

KEPT = {"_detector", "index", "_spellings", "reads"}
"""Remembered parts of a book that no mutant of a row changes."""
NO_FIGURES = {"__init__", "row", "guide", "options", "option_words", "corrections", "house", "circumstance_bits"}
"""Modules of a family without figures to compute with: their texts, and bits that only have to differ."""
SECONDS = 12
"""Seconds of a processor that tests of a family may take to notice a mutant: a survivor survived so many."""
STATED = re.compile(
    "rows|stated|rulings|relations|examples|near_miss|settle|test_play|test_table|contradictions|couples"
)
"""Tests that compare the book with its own sentences: tried first."""


class RowMutant(NamedTuple):
    """A change of a book: what it is called, the row it is about (-1: the book), and how to make it."""

    name: str
    row: int
    write: Callable[[], None]
    restore: Callable[[], None] = lambda: None

    def apply(self, book: Any) -> None:
        """Change the book, or what its table or payments are worked out from."""
        self.write()
        forget(book)


def altered(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a value changed by one in every way: numbers up and down, a switch turned, one name less."""
    at = key or "it"
    if isinstance(value, bool):
        yield f"{at} {value} -> {not value}", not value
    elif isinstance(value, (int, float)):
        for more in (1, -1):
            yield f"{at} {value} -> {value + more}", value + more
    elif hasattr(value, "_asdict"):
        for name in value._fields:
            for text, new in altered(getattr(value, name), f"{at}.{name}"):
                yield text, value._replace(**{name: new})
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for text, new in altered(getattr(value, field.name), f"{at}.{field.name}"):
                yield text, replace(value, **{field.name: new})
    elif isinstance(value, Mapping):
        for name, old in value.items():
            for text, new in altered(old, f"{at}[{name}]"):
                yield text, {**value, name: new}
            if isinstance(old, str):
                yield f"{at} without {name}", {k: v for k, v in value.items() if k != name}
    elif isinstance(value, (tuple, list)):
        for i, old in enumerate(value):
            if isinstance(old, str):
                yield f"{at} without {old}", type(value)([*value[:i], *value[i + 1 :]])
            else:
                for text, new in altered(old, f"{at}[{i}]"):
                    yield text, type(value)([*value[:i], new, *value[i + 1 :]])
    elif isinstance(value, frozenset):
        for old in sorted(map(str, value)):
            yield f"{at} without {old}", frozenset(one for one in value if str(one) != old)


def _write(thing: Any, new: Mapping[str, Any]) -> None:
    """Change a frozen value where it stands: tests have it as a parameter."""
    for field, value in new.items():
        object.__setattr__(thing, field, value)


def forget(book: Any) -> None:
    """Drop what a book remembers."""
    stated = {field.name for field in fields(book)}
    for name in set(book.__dict__) - stated - KEPT:
        del book.__dict__[name]


def rows_of(book: Any, together: Mapping[int, list[int]], times: Mapping[int, int]) -> Iterator[RowMutant]:
    """Yield every mutant of the rows and the limits of a book.

    `together` are rows that hold beside each row in wins, `times` how often each holds at most. A field that the
    arithmetic of the family never reads gets no mutants, nor does a `most` that no hand comes near.
    """
    fans = book.fans
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src/quepu/rulebooks" / book.family).glob("*.py"))

    def is_read(field: str) -> bool:
        return re.search(rf"\b(fan|row)\.{field}\b", source) is not None

    conflicts = "book.conflicts" in source

    rng = random.Random(f"rows of {book.id}")

    def changed(i: int, what: str, **new: Any) -> RowMutant:
        old = {field: getattr(fans[i], field) for field in new}
        return RowMutant(f"{fans[i].name}: {what}", i, lambda: _write(fans[i], new), lambda: _write(fans[i], old))

    for i, fan in enumerate(fans):
        for text, value in altered(fan.value, "value"):
            yield changed(i, text, value=value)
        for most in (fan.most - 1, fan.most + 1) if is_read("most") else ():
            if times.get(i, 0) >= min(most + 1, fan.most + 1):
                yield changed(i, f"most {fan.most} -> {most}", most=most)
        for of in {fan.of - 1, fan.of + 1} if fan.of > 0 else {0} if fan.of < 0 else set():
            yield changed(i, f"of {fan.of} -> {of}", of=of)
        for name in fan.drops:
            left = tuple(one for one in fan.drops if one != name)
            yield changed(i, f"drops without {name}", drops=left, implied=tuple(o for o in fan.implied if o != name))
        for name in fan.implied:
            left = tuple(one for one in fan.implied if one != name)
            yield changed(i, f"{name} is dropped and not implied", implied=left)
        for name in fan.conflicts if conflicts else ():
            left = tuple(one for one in fan.conflicts if one != name)
            yield changed(i, f"conflicts without {name}", conflicts=left)
        free = [j for j in together.get(i, ()) if not book.drops[i] >> j & 1 and not book.drops[j] >> i & 1]
        if free:
            other = fans[rng.choice(free)].name
            yield changed(i, f"drops {other} too", drops=(*fan.drops, other))
            other = fans[rng.choice(free)].name
            if conflicts:
                yield changed(i, f"conflicts with {other} too", conflicts=(*fan.conflicts, other))
        if is_read("joins"):
            yield changed(i, f"joins {fan.joins} -> {not fan.joins}", joins=not fan.joins)
        if fan.on is not None:
            yield changed(i, "without on", on=None)
        for text, extra in altered(fan.extra, "extra") if fan.extra is not None else ():
            yield changed(i, text, extra=extra)
    for name in ("minimum", "flower_value"):
        for text, value in altered(getattr(book, name), name):
            new, old = {name: value}, {name: getattr(book, name)}
            yield RowMutant(text, -1, partial(_write, book, new), partial(_write, book, old))


def is_kept_out_twice(book: Any, mutant: RowMutant) -> bool:
    """Return whether a name that is dropped no more is also dropped by another row that this one drops.

    In families where "what is kept out still keeps out" (国标, 广东) nothing changes then.
    """
    name, _, gone = mutant.name.partition(": drops without ")
    if not gone or book.family not in ("guobiao", "canton") or gone not in book.index:
        return False
    seen, open_rows = 0, [i for i in range(len(book.fans)) if book.drops[book.index[name]] >> i & 1]
    open_rows.remove(book.index[gone])
    while open_rows:
        row = open_rows.pop()
        if not seen >> row & 1:
            seen |= 1 << row
            open_rows += [i for i in range(len(book.fans)) if book.drops[row] >> i & 1]
    return bool(seen >> book.index[gone] & 1)


def play_of(book: Any) -> Iterator[RowMutant]:
    """Yield every mutant of a book's rules of table, match and faults."""
    from quepu.rules import play_rules as module

    if not book.play:
        return
    rules = module.play_rules(book)
    words = {
        "dealer_repeats": ("never", "win", "win or draw"), "earthly": ("first discard", "first draw"),
        "to": ("pool", "others", "one", "nobody"),
    }  # fmt: skip

    def changed(what: str, thing: Any, field: str, new: Any) -> RowMutant:
        return RowMutant(what, -1, partial(_write, thing, {field: new}))

    for part in ("table", "match"):
        old = getattr(rules, part)
        for field in fields(old):
            value = getattr(old, field.name)
            made = list(altered(value, field.name)) if field.name not in ("tiles", "hand", "moves") else []
            made += [(f"{field.name} {value} -> {new}", new) for new in words.get(field.name, ()) if new != value]
            if field.name in ("claims", "last_discard"):
                more = {"win", "chow", "pung", "kong"} - value - ({"win"} if field.name == "claims" else set())
                made += [(f"{field.name} with {one}", value | {one}) for one in sorted(more)]
            if field.name == "moves":
                for i, (a, b, c, d) in enumerate(value):
                    made.append((f"moves[{i}] with two seats changed", (*value[:i], (b, a, c, d), *value[i + 1 :])))
                    made.append((f"moves[{i}] with two others changed", (*value[:i], (a, b, d, c), *value[i + 1 :])))
                    made.append((f"moves without [{i}]", (*value[:i], *value[i + 1 :])))
            for text, new in made:
                yield changed(f"{part}: {text}", old, field.name, new)
    for i, fault in enumerate(rules.faults):
        for name in ("points", "to", "barred", "again", "remedies"):
            value = getattr(fault, name)
            made = list(altered(value, name)) if name in ("points", "barred", "again") else []
            made += [(f"to {value} -> {new}", new) for new in words.get(name, ()) if new != value]
            if name == "remedies" and value:
                made.append(("one remedy less", value[1:]))
            for text, new in made:
                faults = (*rules.faults[:i], fault._replace(**{name: new}), *rules.faults[i + 1 :])
                yield changed(f"fault {fault.key}: {text}", rules, "faults", faults)
    yield changed(f"zero_sum {rules.zero_sum} -> {not rules.zero_sum}", rules, "zero_sum", not rules.zero_sum)


def figures_of(family: str) -> Iterator[RowMutant]:
    """Yield every mutant of the numbers that modules of a family compute with."""
    import importlib

    for path in sorted((ROOT / "src/quepu/rulebooks" / family).glob("*.py")):
        if path.stem in NO_FIGURES:
            continue
        module = importlib.import_module(f"quepu.rulebooks.{family}.{path.stem}")
        for name, value in sorted(vars(module).items()):
            own = f"\n{name}" in path.read_text("utf-8") or f"\n{name}:" in path.read_text("utf-8")
            if not own or isinstance(value, type) or (callable(value) and not hasattr(value, "_asdict")):
                continue
            if is_dataclass(value) or type(value).__module__.startswith("quepu.hands") or name == "ROWS":
                continue  # rows are part of the book already
            for text, new in altered(value, name):
                yield RowMutant(f"{path.stem}: {text}", -1, lambda m=module, n=name, v=value, w=new: _set(m, n, v, w))  # type: ignore[misc]


def _set(module: Any, name: str, old: Any, new: Any) -> None:
    if isinstance(old, dict):
        old.clear()
        old.update(new)
        return
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").startswith("quepu.rulebooks") and vars(other).get(name) is old:
            setattr(other, name, new)
    setattr(module, name, new)


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
