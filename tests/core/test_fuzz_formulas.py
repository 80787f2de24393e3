"""Formulas and rules files at random: each is read or refused with a sentence, and none takes long to ask."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

import quepu
from quepu.errors import Error
from quepu.hands.planes import Planes
from quepu.rulebooks import house_rules
from quepu.rules.digest import expression
from quepu.rules.formula import parse_formula
from quepu.rules.formula_tree import write_formula
from quepu.rules.formula_words import OPERATORS, words
from quepu.rules.rulebook import Rulebook
from quepu.rules.written_formulas import written_formulas
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings

BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
SIGNS = (
    *"()+-*=<>&|!,（），＋1239东E中“”#é😀 ", "<=", ">=", "!=", "19m", "258", "0", "999", "1000", "sm9", "&&", "||",
)  # fmt: skip
FILES = [path.read_text(encoding="utf-8") for path in sorted(Path("examples/house").glob("*.toml"))]
KEYS = [
    "when",
    "value",
    "of",
    "most",
    "pair",
    "priority",
    "groups",
    "left",
    "why",
    "jump",
    "classes",
    "hands",
    "points",
]
VALUES = [
    "-1",
    "0",
    "1e9",
    "true",
    "[]",
    "{}",
    '""',
    "[[1, 2], [3]]",
    '"f1*f1 > 2*f0"',
    "{ left = 9 }",
    "9" * 30,
    '"each"',
]


def hands(book: Rulebook) -> list[Planes]:
    return [reading.h for hand in wins(book, 3, 7) for reading in readings(hand, book.shapes)][:4]


def formula(rng: random.Random, book: Rulebook) -> str:
    """A formula of words at random, or one of the book's with some letters changed."""
    known = list(written_formulas(book).values())
    if known and rng.random() < 0.5:
        text = list(rng.choice(known))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(3)] = rng.choice([*words(), *OPERATORS, *SIGNS])
        return "".join(text)
    parts = [*words(), *OPERATORS, *SIGNS * 3, *(fan.name for fan in book.fans), *book.circumstances]
    return rng.choice(["", " "]).join(rng.choice(parts) for _ in range(rng.randrange(40)))


def file(rng: random.Random) -> str:
    """A rules file with lines changed, repeated, left out, and values at random."""
    lines = rng.choice(FILES).splitlines()
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(lines))
        key = lines[at].partition("=")[0]
        change = rng.randrange(6)
        if change == 0:
            del lines[at : at + rng.randrange(1, 9)]
        elif change == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif change == 2:
            lines[at] = f"{key}= {rng.choice(VALUES)}"
        elif change == 3:
            lines.insert(at, f"{rng.choice(KEYS)} = {rng.choice(VALUES)}")
        elif change == 4:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
        else:
            letters = list(lines[at])
            rng.shuffle(letters)
            lines[at] = "".join(letters)
        lines = lines or [""]
    return "\n".join(lines)


def check_told(error: Error, text: str) -> None:
    assert error.text.zh
    assert error.text.en
    assert error.at is None or 0 <= error.at <= len(text), (text, error.at)


def read_formulas(n: int, seed: int) -> int:
    """Read formulas; return how many were valid."""
    rng, good = random.Random(seed), 0
    books = [quepu.book(name) for name in BOOKS]
    samples = {book.id: hands(book) for book in books}
    for _ in range(n):
        book = rng.choice(books)
        text = formula(rng, book)
        places = rng.random() < 0.1
        try:
            found = parse_formula(text, book, places=places)
        except Error as error:
            check_told(error, text)
            continue
        good += 1
        assert found.size <= 1200
        for h in samples[book.id]:
            assert int(found(h)) >= 0, text
        for lang in ("zh", "en"):
            written = write_formula(found.tree, lang)
            if len(written) <= 400:
                assert expression(parse_formula(written, book, places=places)) == expression(found), (text, written)
    return good


def read_files(n: int, seed: int) -> int:
    """Read rules files; return how many were valid."""
    rng, good = random.Random(seed), 0
    for _ in range(n):
        text = file(rng)
        try:
            book = house_rules.read(text)
        except Error as error:
            check_told(error, text)
            continue
        good += 1
        assert book.fingerprint
    return good


def test_formulas_at_random_are_read_or_refused() -> None:
    assert read_formulas(600, 1) > 20


def test_files_at_random_are_read_or_refused() -> None:
    assert read_files(60, 1) > 2


@pytest.mark.slow
def test_a_hundred_thousand_formulas_and_files() -> None:
    assert read_formulas(90_000, 2) > 1000
    assert read_files(10_000, 2) > 100


def test_fans_that_name_each_other_over_and_over_are_refused() -> None:
    names = [fan.name for fan in quepu.book("lingque-29").fans][:40]
    text = f'base = "lingque-29"\n[changes."{names[0]}"]\nwhen = "有(刻子)"\n'
    for before, name in pairwise(names):
        text += f'[changes."{name}"]\nwhen = "\\"{before}\\" 且 \\"{before}\\""\n'
    with pytest.raises(Error, match="连同所指番种的公式"):
        house_rules.read(text)


@pytest.mark.parametrize("value", ["[]", "{}", "0", '"some"', "true", "1.5"])
def test_what_a_fan_is_made_of_is_refused_if_it_is_nothing_of_the_kind(value: str) -> None:
    text = f'base = "lingque-29"\n[fans."新"]\nwhen = "有(刻子)"\nvalue = [2, 1]\nof = {value}\n'
    with pytest.raises(Error, match="第 5 行"):
        house_rules.read(text)
