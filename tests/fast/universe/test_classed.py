"""Universes in classes: what they make of a changed book is what counting every hand makes of it."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quepu.cli import run
from quepu.fast.universe.census import Census, classify
from quepu.fast.universe.classed import Classed, Conditions, class_universe, conditions_of
from quepu.fast.universe.classed_cache import (
    MOST_SHIPPED,
    SHIPPED,
    classed_for,
    is_cached,
    load,
    pack,
    prepare,
    shipped_file,
)
from quepu.fast.universe.classes import Classes, Signatures
from quepu.fast.universe.standard_hands import STATES, HandState, Universe, find_shared
from quepu.fast.universe.valued import census_of, changed_rows, kinds_of, valued
from quepu.hands.planes import Planes
from quepu.lab.compare import by_fan, most_changed, summary
from quepu.lab.find_hand import find_hands
from quepu.lab.pairing import ClassPairs, pair_up
from quepu.lab.points import distribution
from quepu.lab.rarity import rarity
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from tests.fast.universe.pairs_by_hand import pair_by_hand
from tests.fast.universe.plain_census import take

OPEN = STATES["open-discard"]


def overlay(base: Rulebook, rng: random.Random) -> Rulebook:
    """A book with some values, relations, options and rows changed."""
    values = {fan.name: rng.choice(base.fans).value for fan in rng.sample(base.fans, rng.randrange(1, 6))}
    made = base.having(id="changed", values=values, minimum=rng.randrange(0, 2 * base.minimum + 9))
    if rng.random() < 0.5:
        one, other = rng.sample([fan.name for fan in base.fans], 2)
        field = rng.choice(("drops", "conflicts"))
        made = made.having(fans={one: {field: (*getattr(made.fan(one), field), other)}})
    if rng.random() < 0.3:
        made = made.having(without=[rng.choice([fan.name for fan in made.fans if fan.name not in values])])
    if rng.random() < 0.3:
        name = rng.choice([fan.name for fan in made.fans if fan.name not in values])
        made = made.having(aliases={name: f"新{name}"})
    for option in rng.sample(base.options, min(len(base.options), rng.randrange(3))):
        tried = base.having(options={option.key: rng.choice(option.choices)})
        if tried.shapes == base.shapes:
            made = made.having(options={option.key: tried.choice(option)})
    return made


def numbers(census: Census) -> tuple[Any, ...]:
    """All that the tables show of a census, examples aside."""
    fans = [(r.name, r.holding, r.readings, r.hands, r.sets, r.least, r.most) for r in rarity(census)]
    return fans, distribution(census).rows, census.left_out


def same_pairs(a: ClassPairs, b: ClassPairs) -> None:
    assert summary(a).rows == summary(b).rows
    assert by_fan(a).rows == by_fan(b).rows
    assert [row[3] for row in most_changed(a, 50).rows] == [row[3] for row in most_changed(b, 50).rows]
    assert len(a.hands) == len(b.hands)


@pytest.fixture(scope="module")
def classed() -> Classed:
    return classed_for((book("guobiao-mcr"),), OPEN)


@pytest.mark.long
def test_a_changed_book_is_tallied_as_a_full_census_does(classed: Classed) -> None:
    base = book("guobiao-mcr")
    changed = covered(base, random.Random(7), OPEN)
    assert numbers(census_of(valued(base, classed))) == numbers(take(base, OPEN))
    assert numbers(census_of(valued(changed, classed))) == numbers(take(changed, OPEN))


@pytest.mark.long
def test_only_the_classes_of_a_changed_row_are_tallied_anew(classed: Classed) -> None:
    base = book("guobiao-mcr")
    before = valued(base, classed)
    for seed in range(4):
        changed = covered(base, random.Random(seed), OPEN)
        rows = changed_rows(base, changed)
        whole = valued(changed.having(id="whole"), classed)
        part = valued(changed, classed, before)
        assert (part.classes.points[part.number] == whole.classes.points[whole.number]).all()
        assert (part.classes.bonus[part.number] == whole.classes.bonus[whole.number]).all()
        assert (part.classes.counts[part.number] == whole.classes.counts[whole.number]).all()
        assert rows is None or len(rows) <= 8


@pytest.mark.long
def test_a_draft_changed_step_by_step_is_tallied_as_it_is_at_once(classed: Classed) -> None:
    base, rng = book("guobiao-mcr"), random.Random(11)
    draft, before = base, valued(base, classed)
    for step in range(4):
        one, other = rng.sample(base.fans, 2)
        draft = draft.having(id=f"step{step}", values={one.name: other.value})
        draft = draft.having(fans={one.name: {"drops": (*draft.fan(one.name).drops, other.name)}})
        found, fresh = valued(draft, classed, before), Classes(draft)
        number = fresh.classify(Planes(*classed.examples.T), len(classed.examples))
        for name in ("points", "bonus", "counts", "holds"):
            mine, theirs = getattr(found.classes, name), getattr(fresh, name)
            assert np.array_equal(mine[found.number], theirs[number]), (step, name)


def test_the_file_is_small_and_read_as_it_was_written(classed: Classed, tmp_path: Path) -> None:
    path = tmp_path / "classes.xz"
    path.write_bytes(pack(classed))
    assert path.stat().st_size < 300_000
    found = load(path, OPEN, classed.conditions)
    assert found is not None
    assert (found.examples == classed.examples).all()
    assert {name: [x.tolist() for x in part[:2]] for name, part in found.parts.items()} == {
        name: [x.tolist() for x in part[:2]] for name, part in classed.parts.items()
    }
    for name, part in found.parts.items():
        for a, b in zip(part.several, classed.parts[name].several, strict=True):
            assert (a == b).all()
    assert load(path, OPEN, "other") is None
    drawn = replace(classed, state=STATES["open-draw"])
    path.write_bytes(pack(classed, drawn))  # what is much alike takes hardly any room
    assert path.stat().st_size < len(pack(classed)) + 2_000
    for state in (OPEN, drawn.state):
        again = load(path, state, classed.conditions)
        assert again is not None
        assert (again.state, again.examples.tolist()) == (state, classed.examples.tolist())
    assert load(path, STATES["kongs"], classed.conditions) is None
    path.write_bytes(b"broken")
    assert load(path, OPEN, classed.conditions) is None
    assert load(tmp_path / "none.xz", OPEN, classed.conditions) is None


def test_conditions_of_house_rules_are_those_of_their_book() -> None:
    base = book("lingque-29")
    changed = base.having(values={"三连刻": (20, 3)}, without=["喜相逢"])
    assert conditions_of(base).cover(conditions_of(changed), OPEN)
    fan = replace(base.fan("三连刻"), name="新", when=lambda h: h.p & 5 != 0)
    assert not conditions_of(base).cover(conditions_of(base.having(add=[fan])), OPEN)


def covered(base: Rulebook, rng: random.Random, state: HandState) -> Rulebook:
    """Such a book without a condition that its base does not have: an option may bring one."""
    own = conditions_of(base)
    return next(one for one in iter(lambda: overlay(base, rng), None) if own.cover(conditions_of(one), state))


class _EveryHand:
    """All standard hands of a state, each with the classes of its readings under a book."""

    def __init__(self, base: Rulebook, state: HandState) -> None:
        universe, self.classes, same = Universe(state), Classes(base), find_shared()
        alone: list[tuple[np.ndarray, np.ndarray]] = []
        several = []
        for kind, index, number in classify(self.classes, universe):
            weight = universe.weights(kind, index)
            mine = np.flatnonzero(same.pair == kind)
            at = np.searchsorted(index, same.melds[mine])
            single = np.ones(len(index), np.bool_)
            single[at] = False
            alone.append((number[single], weight[single]))
            several.append((same.group[mine], same.order[mine], number[at], weight[at]))
        number, weight = (np.concatenate(column) for column in zip(*alone, strict=True))
        n = len(self.classes)  # a hand that can be read in one way only is of one class under every house rule
        self.hands, self.sets = np.bincount(number, minlength=n), np.bincount(number, weight, n).astype(np.int64)
        self.of, self.order, self.numbers, self.weights = (
            np.concatenate(column) for column in zip(*several, strict=True)
        )

    def counts(self, house: Rulebook) -> dict[str, tuple[int, int]]:
        """Hands and tile sets by points, and by fan, under a house rule of the book: hand by hand."""
        tallies = [house.tally(h) for h in self.classes.examples]
        points = np.array([tally.points for tally in tallies])
        total = points + np.array([tally.bonus for tally in tallies])
        rank = np.lexsort((self.order, -points[self.numbers], -total[self.numbers], self.of))
        best = rank[np.concatenate([[True], np.diff(self.of[rank]) != 0])]
        number, n = self.numbers[best], len(tallies)
        hands = self.hands + np.bincount(number, minlength=n)
        sets = self.sets + np.bincount(number, self.weights[best], n).astype(np.int64)
        found: dict[str, tuple[int, int]] = {}
        for tally, n, w in zip(tallies, hands.tolist(), sets.tolist(), strict=True):
            for key in (str(tally.points), *(house.fans[counted.row].name for counted in tally.counted)):
                before = found.get(key, (0, 0))
                found[key] = before[0] + n, before[1] + w
        return {key: both for key, both in found.items() if both[0]}


def by_points_and_fan(census: Census) -> dict[str, tuple[int, int]]:
    """The same of a census."""
    hands, sets = census.standard.hands.sum(axis=1), census.standard.sets.sum(axis=1)
    which = {str(p): census.points == p for p in np.unique(census.points)}
    which |= {fan.name: census.counts[:, row] > 0 for row, fan in enumerate(census.book.fans)}
    found = {key: (int(hands[at].sum()), int(sets[at].sum())) for key, at in which.items()}
    return {key: both for key, both in found.items() if both[0]}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", book_ids())
def test_two_hundred_random_overlays_of_every_book(name: str) -> None:
    base, rng = book(name), random.Random(name)
    every = _EveryHand(base, OPEN)
    found = classed_for((base,), OPEN)
    near = valued(base, found)
    for n in range(200):
        changed = covered(base, rng, OPEN)
        assert by_points_and_fan(census_of(valued(changed, found, near))) == every.counts(changed), (
            n,
            changed.fingerprint,
        )


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", book_ids())
def test_a_new_condition_is_found_anew(name: str) -> None:
    """An overlay that its book's classes do not tell apart: another option, most often."""
    base, rng = book(name), random.Random(name)
    own = conditions_of(base)
    drafts = [overlay(base, rng) for _ in range(60)]
    for changed in [one for one in drafts if not own.cover(conditions_of(one), OPEN)][:2]:
        assert numbers(census_of(valued(changed, classed_for((changed,), OPEN)))) == numbers(take(changed, OPEN))


def test_a_hand_is_found_or_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    rules, closed = book("lingque-29"), STATES["closed-discard"]
    found = find_hands(rules, closed, fans=["三连刻", "清一色"], without=["九莲宝灯"], least=200)
    assert found.hands > 0
    for one in found.examples:
        assert one.points >= 200
        assert {"三连刻", "清一色"} <= set(one.fans)
        assert "九莲宝灯" not in one.fans
    counted = census_of(valued(rules, classed_for((rules,), closed)))
    row = rules.index["三连刻"]
    assert find_hands(rules, closed, fans=["三连刻"]).hands == int(
        counted.whole.by_class("hands")[counted.counts[:, row] > 0].sum()
    )
    assert find_hands(rules, closed, fans=["七对", "对对和"]).hands == 0
    assert run(["lab", "find", "lingque-29", "--with", "七对,对对和"]) == 0
    printed = capsys.readouterr()
    assert "没有这样的和牌：“门前清点和”的和牌已全部查过。" in printed.out
    assert "用 -S 查" in printed.err
    assert run(["lab", "find", "lingque-29", "--with", "三连刻"]) == 0
    assert "-S" not in capsys.readouterr().err
    assert run(["lab", "find", "lingque-29", "--with", "无此番"]) == 2


def by_signature(classed: Classed, conditions: Conditions) -> dict[str, tuple[Any, ...]]:
    """All that a universe counts, whatever the numbers of its classes: they hang on the order they are met in.

    Hands whose readings are all of one class are hands of one reading: files were written before that was so.
    """
    signatures = Signatures(conditions.by_hash[key] for key in sorted(conditions.by_hash))
    h = Planes(*classed.examples.T)
    number = signatures.classify(h, len(classed.examples))
    mark = signatures.index.hashes[number] ^ h.form.astype(np.uint64)

    def key(code: np.ndarray) -> list[tuple[int, int]]:
        return list(zip(mark[code // 5].tolist(), (code % 5).tolist(), strict=True))

    found = {}
    for name, part in classed.parts.items():
        several, codes = part.several, key(part.several.code)
        single = dict(zip(key(part.single[:, 0]), part.single[:, 1:].tolist(), strict=True))
        others = []
        for (a, b), n in zip(pairwise(several.starts.tolist()), several.hands.tolist(), strict=True):
            sets = several.sets[a:b].tolist()
            if len({*zip(codes[a:b], sets, strict=True)}) == 1:
                hands, before = single.get(codes[a], [0, 0])
                single[codes[a]] = [hands + n, before + sets[0]]
            else:
                others.append((codes[a:b], sets, n))
        readings = sorted(zip(key(part.readings[:, 0]), part.readings[:, 1:].tolist(), strict=True))
        found[name] = (readings, sorted(single.items()), sorted(others))
    return found


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", book_ids())
@pytest.mark.parametrize("states", SHIPPED, ids=lambda states: states[0].key)
def test_what_is_shipped_is_what_is_sorted_now(name: str, states: tuple[HandState, ...]) -> None:
    """Mended by `python -m quepu.fast.universe.classed_cache`."""
    conditions = conditions_of(book(name))
    path = shipped_file(conditions.digest, states[0])
    before = [shipped_file(conditions.digest, some[0]) for some in SHIPPED[: SHIPPED.index(states)]]
    room = MOST_SHIPPED - sum(one.stat().st_size for one in before if one.is_file())
    every = [class_universe(conditions, state) for state in states]
    if not path.is_file():
        assert len(pack(*every)) > room, "run: python -m quepu.fast.universe.classed_cache"
        return
    assert path.stat().st_size <= room
    for made in every:
        found = load(path, made.state, conditions.digest)
        assert found is not None
        assert found.left_out == made.left_out
        assert by_signature(found, conditions) == by_signature(made, conditions)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", book_ids())
@pytest.mark.parametrize("key", ["open-discard", "closed-discard", "kongs", "single-closed"])
def test_a_full_census_and_comparison_of_every_book(name: str, key: str) -> None:
    base, state = book(name), STATES[key]
    changed = overlay(base, random.Random(key + name))
    found = classed_for((changed,), state)
    assert numbers(census_of(valued(changed, found))) == numbers(take(changed, state))
    same_pairs(pair_up(base, changed, state), pair_by_hand(base, changed, state))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yuque-54", "guobiao-mcr", "canton"])
def test_books_of_different_shapes_are_compared_as_hand_by_hand(name: str) -> None:
    """玉雀 has sets and a pair alone; 国标 has pairs that cover those of 灵雀, 广东 shapes that no other book has."""
    old, new = book("lingque-29"), book(name)
    same_pairs(pair_up(old, new, STATES["closed-discard"]), pair_by_hand(old, new, STATES["closed-discard"]))


@pytest.mark.slow
def test_editions_of_one_family_share_a_universe() -> None:
    old, new = book("lingque-26"), book("lingque-29")
    prepare((old, new), [STATES["open-discard"], STATES["closed-discard"]], 2)
    assert is_cached((old, new), STATES["closed-discard"])
    pairs = pair_up(old, new, STATES["closed-discard"])
    same_pairs(pairs, pair_by_hand(old, new, STATES["closed-discard"]))
    assert classed_for((old, new), STATES["closed-discard"]) is classed_for((old, new), STATES["closed-discard"])


@pytest.mark.slow
def test_a_comparison_is_the_same_hand_by_hand(classed: Classed) -> None:
    base = book("guobiao-mcr")
    changed = covered(base, random.Random(3), OPEN)
    kinds = kinds_of(valued(base, classed), valued(changed, classed))
    by_hand = pair_by_hand(base, changed, OPEN)
    assert (int(kinds.hands.sum()), int(kinds.sets.sum())) == (int(by_hand.hands.sum()), int(by_hand.sets.sum()))
    same_pairs(pair_up(base, changed, OPEN), by_hand)
