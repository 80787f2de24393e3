"""Every condition on planes against the same 番种 said on lists of groups."""

from __future__ import annotations

import pytest

from quepu.rulebooks import book
from quepu.rules.row import EACH
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings
from tests.lingque.stated import WITHOUT_TWIN
from tests.lingque.twin import OLDER, TWIN, plain

TWINS = {"lingque-29": TWIN, "lingque-26": OLDER}


@pytest.mark.parametrize("rules", TWINS)
def test_the_twin_knows_every_relation(rules: str) -> None:
    names = {fan.name for fan in book(rules).fans}
    assert names - set(TWINS[rules]) == WITHOUT_TWIN & names


def test_what_has_no_twin_is_a_row_of_some_edition() -> None:
    assert {fan.name for rules in TWINS for fan in book(rules).fans} >= WITHOUT_TWIN


@pytest.mark.parametrize("id", TWINS)
@pytest.mark.parametrize(
    "n", [500, pytest.param(2_000, marks=pytest.mark.long), pytest.param(60_000, marks=pytest.mark.slow)]
)
def test_planes_and_lists_agree(n: int, id: str) -> None:
    rules = book(id)
    rows = [(fan, TWINS[id][fan.name]) for fan in rules.fans if fan.name in TWINS[id]]
    met = set()
    for hand in wins(rules, n, seed=51):
        for reading in readings(hand, rules.shapes, rules.reads):
            h = plain(reading)
            for fan, listed in rows:
                found = int(fan.when(reading.h))
                times = found.bit_count() if fan.of == EACH else found
                assert times == int(listed(h)), (fan.name, reading.text())
                if found:
                    met.add(fan.name)
    assert len(met) > (45 if n < 10_000 else len(rows) - 3)
