"""Drafts with the new keys at random: what the workshop answers at once equals the count of every hand."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import quepu
from quepu.errors import Error
from quepu.fast.universe.standard_hands import STATES
from quepu.lab.pairing import ClassPairs, pair_up
from quepu.rulebooks import house_rules
from quepu.rules.arithmetic import Leaving
from quepu.rules.house_fans import columns_of
from quepu.rules.row import ALL
from quepu.rules.rulebook import Rulebook
from quepu.rules.written_formulas import written_formulas
from tests.fast.universe.full_count import EveryReading
from tests.fast.universe.pairs_by_hand import pair_by_hand

BOOKS = ("lingque-29", "lingque-26", "yuque-54", "guobiao-mcr", "canton")
FORMULAS = (
    "有(三色相连(刻子, 3))", "有(相连(顺子, 2))", "有(刻子 & 序数(5))", "有(雀头 & 字牌)", "个数(刻子 & 幺九牌)",
    "没有(字牌) 且 几门(牌) <= 2", "门清的 且 非 自摸的", "个数(两色相同(顺子))",
)  # fmt: skip
DRAFT_STATES = ("open-draw", "kongs", "open-discard", "closed-discard", "closed-draw")
JUMPS = ('"f1 >= 3 且 f1*f1 > 2*f0"', '"f0 - f1 < 1"', "[[3, 3], [4, 3, 2]]", '"f1*f1 > 2*f0"')


def value(book: Rulebook, rng: random.Random) -> str:
    old = book.fans[0].value
    return f"[{rng.randrange(1, 40)}, {rng.randrange(1, 6)}]" if isinstance(old, tuple) else str(rng.randrange(1, 20))


def options(book: Rulebook, rng: random.Random) -> list[str]:
    listed = rng.sample(book.options, min(2, len(book.options)))
    lines = []
    for one in listed:
        choice: Any = rng.choice(one.choices)
        if one.key == "jump":
            lines.append(f"jump = {rng.choice(JUMPS)}")
        elif isinstance(choice, (bool, int)):
            lines.append(f"{one.key} = {str(choice).lower()}")
        elif isinstance(choice, str):
            lines.append(f'{one.key} = "{choice}"')
    return ["[options]", *lines] if lines else []


def draft(name: str, rng: random.Random) -> str:
    """Write a rules file with a fan or two, changed conditions, relations, columns and residues at random."""
    book = quepu.book(name)
    names = [fan.name for fan in book.fans]
    columns = columns_of(book)
    known = list(written_formulas(book).values()) or list(FORMULAS)
    lines = [f'base = "{name}"', f"minimum = {rng.randrange(20)}"]
    gone = rng.sample(names, rng.randrange(3))
    lines.append(f"without = [{', '.join(f'{chr(34)}{one}{chr(34)}' for one in gone)}]")
    left = [one for one in names if one not in gone]
    lines += options(book, rng)
    changed = rng.sample([one for one in left if book.fan(one).of == ALL], 2)
    for one in changed:
        lines.append(f'[changes."{one}"]')
        if rng.random() < 0.6 and not book.fan(one).joins:
            lines.append(f"when = '{rng.choice([*FORMULAS, *known])}'")
        lines.append(
            f"most = {rng.randrange(1, 4)}" if "groups" not in columns else f"priority = {rng.randrange(1, 8)}"
        )
        lines.append(f"value = {value(book, rng)}")
    if rng.random() < 0.7:
        lines += ['[fans."新番"]', f"when = '{rng.choice(FORMULAS)}'", f"value = {value(book, rng)}"]
        lines.append(f'class = "{rng.choice([*dict.fromkeys(fan.category for fan in book.fans)])}"')
        if "groups" in columns:
            lines += [
                f"groups = {rng.randrange(1, 6)}",
                f"priority = {rng.randrange(1, 8)}",
                f"off = {rng.randrange(3)}",
            ]
        lines.append(f'drops = ["{rng.choice(left)}"]')
    for table in ("drops", "conflicts")[: 1 + (name not in ("guobiao-mcr", "canton"))]:
        one, other = rng.sample([name for name in left if name not in changed], 2)
        lines += [f"[{table}]", f'"{one}" = ["{other}"]']
    if isinstance(book.arithmetic, Leaving):
        groups = book.arithmetic.residue_names(book)
        a, b = rng.sample([name for name in groups if name not in gone], 2)
        lines += [f'[residues."{a}"]', f'"{b}" = {rng.randrange(groups[b] + 1)}']
    return "\n".join(lines) + "\n"


def counted(pairs: ClassPairs) -> dict[tuple[int, int], tuple[int, int]]:
    """Hands and tile sets by their points before and after."""
    points = np.stack([pairs.points(0), pairs.points(1)], axis=1)
    every, at = np.unique(points, axis=0, return_inverse=True)
    sums = [np.bincount(at.reshape(-1), column.astype(float), len(every)) for column in (pairs.hands, pairs.sets)]
    return {(int(a), int(b)): (int(n), int(w)) for (a, b), n, w in zip(every.tolist(), *sums, strict=True)}


class _Books:
    """A book with all readings of the state that was counted last."""

    def __init__(self, name: str) -> None:
        self.name, self.book = name, quepu.book(name)
        self._readings: EveryReading | None = None

    def same_at_once(self, seed: int) -> bool:
        """Compare one draft, and return whether it is a valid one."""
        text = draft(self.name, random.Random(f"{self.name} {seed}"))
        try:
            changed = house_rules.read(text)
        except Error:
            return False
        if self.book.shapes != changed.shapes:
            return False
        state = STATES[DRAFT_STATES[seed // 40 % len(DRAFT_STATES)]]
        if self._readings is None or self._readings.state != state:
            self._readings = EveryReading(self.book, state)
        assert counted(pair_up(self.book, changed, state)) == self._readings.count(changed), text
        return True


@pytest.mark.parametrize("name", BOOKS)
def test_drafts_at_random_are_mostly_valid(name: str) -> None:
    good = 0
    for seed in range(30):
        try:
            house_rules.read(draft(name, random.Random(f"{name} {seed}")))
        except Error:
            continue
        good += 1
    assert good >= 15


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", BOOKS)
def test_instant_answers_equal_the_full_count(name: str) -> None:
    books, done, seed = _Books(name), 0, 0
    while done < 200:
        done += books.same_at_once(seed)
        seed += 1


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("key", DRAFT_STATES)
def test_the_full_count_of_a_draft_is_one_hand_by_hand(name: str, key: str) -> None:
    base, state = quepu.book(name), STATES[key]
    drafts = (draft(name, random.Random(f"{name} {key} {seed}")) for seed in range(40))
    changed = next(one for one in map(_valid, drafts) if one is not None and one.shapes == base.shapes)
    assert EveryReading(base, state).count(changed) == counted(pair_by_hand(base, changed, state))


def _valid(text: str) -> Rulebook | None:
    try:
        return house_rules.read(text)
    except Error:
        return None
