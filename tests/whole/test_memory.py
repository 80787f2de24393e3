"""A score depends on the hand and on nothing that was scored before, through whatever door and in whatever order."""

from __future__ import annotations

import multiprocessing
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from quepu.fast.compiled.code_cache import installed
from quepu.fast.universe.classes import signature_parts
from quepu.hands.planes import Planes
from quepu.rulebooks import book as find
from quepu.rulebooks import book_ids
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.shapes.readings import readings
from tests.doors import ANSWERING, COUNTING, Door, compiled, explained, in_a_fresh_process, mixed, through
from tests.test_books import BOOKS

_NUMBERS = count()
EVERY: tuple[Door, ...] = (*COUNTING, *ANSWERING, explained)


def fresh(book: Rulebook) -> Rulebook:
    """The same book, which remembers nothing."""
    alias = f"fresh {next(_NUMBERS)}"  # books that are equal share what is remembered
    return replace(book.having(id=book.id), aliases=(*book.aliases, alias))


def the_same_by_every_door(answers: list[list[str]]) -> None:
    counting, answering = answers[: len(COUNTING)], answers[len(COUNTING) : -1]
    for doors in (counting, answering):
        for other in doors[1:]:
            assert other == doors[0]


@pytest.mark.parametrize("n", [25, pytest.param(120, marks=pytest.mark.long)])
@pytest.mark.parametrize("book", BOOKS)
def test_the_same_by_every_door_in_every_order(book: Rulebook, n: int) -> None:
    hands = mixed(book, n, 51)
    answers = through(EVERY, fresh(book), hands, 0)
    the_same_by_every_door(answers)
    for turn in (1, 2):
        assert through(EVERY, fresh(book), hands, turn) == answers


@pytest.mark.long
def test_the_same_in_a_fresh_process() -> None:
    """A process that scores the books in another order, in other turns, says what this one says."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = {
            name: pool.submit(in_a_fresh_process, name, 40, 52, 3, (*COUNTING, explained))
            for name in reversed(book_ids())
        }
        for name, answer in there.items():
            book = find(name)
            assert answer.result() == through((*COUNTING, explained), book, mixed(book, 40, 52), 0), name


@pytest.mark.slow
@pytest.mark.timeout(3600)  # minutes a book, more on a busy machine
@pytest.mark.parametrize("book", BOOKS)
def test_the_same_by_every_door_in_fresh_processes_on_many(book: Rulebook) -> None:
    """Twenty thousand hands in three orders, each in a process that scored nothing before."""
    n, seed = 20_000, 53
    doors = (*EVERY, compiled) if installed() else EVERY
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        turns = [pool.submit(in_a_fresh_process, book.id, n, seed, turn, doors) for turn in range(3)]
        first, *others = [turn.result() for turn in turns]
    the_same_by_every_door(first[: len(EVERY)])
    assert first[-1] == first[0] or not installed()
    for other in others:
        assert other == first


# ---- what a tally is remembered by is all that it depends on


def value_of(tally: Tally) -> Any:
    """What must not differ; notes and reasons name the groups of one reading."""
    counted = sorted((c.row, c.times, tuple(c.value.items())) for c in tally.counted)
    return tally.points, tally.bonus, tuple(tally.parts.items()), counted, tally.how


TOGETHER = (
    ("c1", "c2", "c3", "c4", "o1", "o2", "o3", "o4"), ("p", "xp", "pc", "k", "kc"), ("t1", "t2", "t3", "t4"),
)  # fmt: skip
"""Planes that say one thing together: a change of one alone may be a reading that cannot be."""


def changed(real: list[Planes], rng: random.Random, each: int) -> list[tuple[Planes, Planes]]:
    """Real readings beside copies that have one plane, or planes that go together, of another reading, or empty."""
    alone = [(name,) for name in Planes._fields if not any(name in some for some in TOGETHER)]
    blank = Planes(*[0] * len(Planes._fields))
    found = []
    for h in real:
        for names in (*TOGETHER, *alone):
            for donor in (blank, *rng.choices(real, k=each)):
                other = h._replace(**{name: getattr(donor, name) for name in names})
                if other != h:
                    found.append((h, other))
    return found


def signature(book: Rulebook, h: Planes) -> tuple[int, ...]:
    return tuple(int(read(h)) for read, _ in signature_parts(book))


def leaving_out(book: Rulebook, n: int, each: int) -> int:
    """How many changes of a plane a situation or a signature left out; fails where one of them changed a tally.

    The tallies compared are worked out from the whole reading, and never remembered.
    """
    hands = mixed(book, n, 54)
    real = [reading.h for hand in hands for reading in readings(hand, book.shapes, book.reads)]
    arithmetic, left_out = book.arithmetic, 0
    for h, other in changed(real, random.Random(55), each):
        ours, theirs = book.detect(h), book.detect(other)
        alike = arithmetic.situation(book, ours, h) == arithmetic.situation(book, theirs, other)
        if alike or signature(book, h) == signature(book, other):
            left_out += 1
            assert value_of(book.explain_tally(h)) == value_of(book.explain_tally(other)), (h, other)
    return left_out


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_situation_leaves_out_changes_no_tally(book: Rulebook) -> None:
    assert leaving_out(book, 25, 1) > 100  # enough cases to mean something


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_what_a_situation_leaves_out_changes_no_tally_on_many(book: Rulebook) -> None:
    assert leaving_out(book, 1500, 3) > 30_000


@pytest.mark.parametrize("book", BOOKS)
def test_an_explanation_counts_as_the_tally_does(book: Rulebook) -> None:
    """`told` looks at the whole reading and remembers nothing, `tally` is remembered by the situation."""
    remembering = fresh(book)
    for hand in mixed(book, 300, 56):
        for reading in readings(hand, book.shapes, book.reads):
            assert value_of(remembering.tally(reading.h)) == value_of(book.explain_tally(reading.h)), reading.text()


@pytest.mark.parametrize("book", BOOKS)
def test_planes_that_nobody_reads_change_no_situation(book: Rulebook) -> None:
    """What `Rulebook.reads` leaves out is not worked out for a reading: nothing may depend on it."""
    unread = [name for name in Planes._fields if name not in book.reads]
    rng = random.Random(58)
    hands = mixed(book, 100, 57)
    real = [reading.h for hand in hands for reading in readings(hand, book.shapes, book.reads)]
    for h in real:
        other = h._replace(**{name: getattr(rng.choice(real), name) for name in unread})
        one, two = (book.arithmetic.situation(book, book.detect(x), x) for x in (h, other))
        assert one == two
