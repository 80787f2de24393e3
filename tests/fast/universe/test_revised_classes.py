"""Classes under a changed book: each as the book itself makes of it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.revised_classes import FiguredClasses, RevisedClasses
from quepu.fast.universe.standard_hands import STATES
from quepu.fast.universe.valued import changed_rows
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids
from quepu.rules.formula import parse_formula
from quepu.rules.row import Fan, split_value
from quepu.rules.rulebook import Rulebook
from tests.books import long_but

BOOKS = [book(name) for name in book_ids()]
ACCRETING = [rules for rules in BOOKS if ResidueWeighing.of(rules)]
SOME = 300


def draft(rules: Rulebook, rng: random.Random) -> Rulebook:
    """Some values and relations changed."""
    values = {}
    for fan in rng.sample(rules.fans, 3):
        part, old = rng.choice(list(split_value(fan.value).items()))
        new = max(0, old + rng.choice((-3, -1, 1, 2, 9)))
        values[fan.name] = fan.value._replace(**{part: new}) if hasattr(fan.value, "_replace") else new
    one, other = rng.sample([fan.name for fan in rules.fans], 2)
    field = rng.choice(("drops", "conflicts"))
    return rules.having(
        id="draft",
        values=values,
        minimum=rules.minimum + 1,
        fans={one: {field: (*getattr(rules.fan(one), field), other)}},
    )


def revised_as_made_anew(rules: Rulebook, seed: int, n: int) -> None:
    rng = random.Random(seed)
    examples = classed_for((rules,), STATES["closed-discard"]).examples
    some = examples[np.sort(np.array(rng.sample(range(len(examples)), n)))]
    near: Classes = FiguredClasses(rules)
    near.classify(Planes(*some[: n // 2].T), n // 2)
    near.classify(Planes(*some.T), n)
    for _ in range(3):
        changed = draft(near.book, rng)
        rows = changed_rows(near.book, changed)
        assert rows
        made, fresh = RevisedClasses(near, changed, rows), Classes(changed)
        fresh.classify(Planes(*some[: n // 2].T), n // 2)
        fresh.classify(Planes(*some.T), n)
        for name in ("points", "bonus", "counts", "holds"):
            assert np.array_equal(getattr(made, name), getattr(fresh, name)), name
        assert {k: v.tolist() for k, v in made.parts.items()} == {k: v.tolist() for k, v in fresh.parts.items()}
        assert list(made.tallies) == list(fresh.tallies)
        near = made


@pytest.mark.parametrize("rules", long_but(BOOKS, *(b.id for b in BOOKS if b not in ACCRETING)))
def test_every_class_is_worth_what_the_changed_book_says(rules: Rulebook) -> None:
    revised_as_made_anew(rules, 5, SOME)


def compile_kernel(rules: Rulebook, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the kernel that adds by residues: classes are not valued by one that is not there yet."""
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(folder))
    part = ResidueWeighing.of(rules)
    assert part is not None
    part.totals(part.words(Planes(*np.zeros((len(Planes._fields), 1), np.int64)), 1))  # compiled by its first call
    assert part.code.there


FORMULAS = ("有(三色相连(刻子, 3))", "有(相连(顺子, 3))", "个数(牌 & 19m) > 2", "有(刻子 & 序数(5))", "有(雀头 & 字牌)")


@pytest.mark.long
@pytest.mark.parametrize("number", [1, len(FORMULAS)])
@pytest.mark.parametrize("rules", [pytest.param(rules, id=rules.id) for rules in ACCRETING])
def test_a_book_with_new_rows_is_valued_at_once(
    rules: Rulebook, number: int, compiled_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_kernel(rules, compiled_folder, monkeypatch)
    some = FORMULAS[-number:]
    changed = rules.having(
        id="draft",
        add=[Fan(f"新{i}", 5, rules.fans[0].category, x, parse_formula(x, rules), x) for i, x in enumerate(some)],
    )
    examples = classed_for((rules,), STATES["closed-discard"]).examples
    examples = examples[:: len(examples) // SOME]
    fresh, made = Classes(changed), FiguredClasses(changed)
    for classes in (fresh, made):
        classes.classify(Planes(*examples.T), len(examples))
    monkeypatch.setattr(FiguredClasses, "_one_by_one", None)
    for name in ("points", "bonus", "counts", "holds"):
        assert np.array_equal(getattr(made, name), getattr(fresh, name)), name
    assert made.counts[:, len(rules.fans) :].any()


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(rules, id=rules.id) for rules in ACCRETING])
def test_by_the_loop_too(rules: Rulebook, compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_kernel(rules, compiled_folder, monkeypatch)
    for seed in range(20):
        revised_as_made_anew(rules, seed, 2000)


def test_a_new_class_is_refused() -> None:
    rules = BOOKS[0]
    examples = classed_for((rules,), STATES["closed-discard"]).examples[:2]
    near = Classes(rules)
    near.classify(Planes(*examples[:1].T), 1)
    made = RevisedClasses(near, rules.having(id="draft", minimum=1), frozenset())
    with pytest.raises(ValueError, match="1 classes"):
        made.classify(Planes(*examples[1:].T), 1)
