"""The kind of each mistake in positions made for it, and sentences that name tiles and fans."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from quepu.bots.chances import BENT
from quepu.review import MISTAKES
from quepu.review.aimed_hands import Aim
from quepu.review.insight import Insight, Side, insight, mistake
from quepu.review.turns import STEPS, by_turn
from quepu.review.valuation import RatedAction, rate_options
from quepu.rulebooks import book
from quepu.table import Action, Table
from quepu.table.actions import PASS
from tests.review.flat import write_flat
from tests.table.walls import go, stacked

NO_AIMS: tuple[Aim, ...] = ()


@pytest.fixture(scope="module", autouse=True)
def flat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        patch.setattr("quepu.fast.nearest.payable._TABLES", {})
        for name in ("guobiao", "canton"):
            write_flat(book(name), folder)
        yield folder


def choice(action: Action, share: float, missing: int | None, chance: float, reach: float) -> RatedAction:
    return RatedAction(action, share, missing, (), 0, reach, chance=chance, expected=chance * reach)


def kind(best: RatedAction, taken: RatedAction, shapes: tuple[int, int] = (2, 3), risked: float = 0.0) -> str:
    seen = Insight(Side(NO_AIMS, shapes[0]), Side(NO_AIMS, shapes[1]), risked, 1.0, 0.5)
    return mistake((best, taken), 1, seen)


def test_each_kind() -> None:
    first, other, chow = Action("discard", 0), Action("discard", 5), Action("chow", 3, 3)
    best = choice(first, 1.0, 2, 0.3, 20.0)
    assert kind(choice(Action("win"), 1.0, 0, 1.0, 0.0)._replace(points=8), best) == "missed_win"
    assert kind(best._replace(action=PASS), choice(chow, 0.5, 2, 0.3, 10.0)) == "claim"
    assert kind(best, choice(other, 0.5, 3, 0.2, 20.0)) == "speed"
    assert kind(best, choice(other, 0.5, None, 0.0, 20.0)) == "speed"
    assert kind(best, choice(other, 0.5, 3, 0.2, 20.0), shapes=(2, 2)) == "unpayable"
    assert kind(best, choice(other, 0.5, 2, 0.2, 19.0)) == "speed"
    assert kind(best, choice(other, 0.5, 2, 0.29, 10.0)) == "value"
    assert kind(best, choice(other, 0.9, 2, 0.29, 19.0), risked=0.8) == "safety"
    assert set(MISTAKES) == {"missed_win", "claim", "unpayable", "safety", "speed", "value"}


def risky(name: str) -> Table:
    """West and South show melds and have discarded much; East is to discard."""
    wall = stacked(["1359m1359p1359sC", "2468m258p258sESW", "147m147p147sESWN", "369m369p369sESWN"])
    return go(Table(book(name), wall))


@pytest.mark.parametrize("name", ["guobiao", "canton"])
def test_danger_counts_where_holding_back_pays(name: str) -> None:
    view = risky(name).view(0)
    found = rate_options(view, risky(name).options(0))
    assert found is not None
    assert all(0 <= one.danger < 0.05 for one in found.choices)
    assert [one.expected for one in found.choices] == pytest.approx(
        [found.choices[0].expected * one.share**BENT for one in found.choices]
    )
    best, *rest = found.choices
    other = rest[0]
    dangerous = (best._replace(danger=0.0), other._replace(danger=0.3), *rest[1:])
    safer = (best._replace(danger=0.3), other._replace(danger=0.0), *rest[1:])
    bad, good = (insight(view, found._replace(choices=choices), 1) for choices in (dangerous, safer))
    if name == "guobiao":
        assert bad.risked > 1
        assert bad.loss > 0.35
        assert mistake(dangerous, 1, bad) == "safety"
        assert good.risked < -1
        assert (good.cost, good.loss) == (0.0, 0.0)
    else:
        assert bad.risked == good.risked == 0
        assert bad.loss == good.loss == pytest.approx(1 - other.share)


@pytest.mark.parametrize("missing", [1, 2, 3, 5])
def test_chances_grow_turn_by_turn_up_to_the_chance_to_win(missing: int) -> None:
    for chance in (0.01, 0.2, 0.6):
        curve = by_turn(missing, chance, 60, (0.2, 0.1, 0.0))
        assert [one.turn for one in curve] == list(range(1, 16))
        assert curve[-1].won == pytest.approx(chance, abs=0.002)
        assert all(before.won <= after.won <= after.ready for before, after in pairwise(curve))
        assert all((one.ready == 1) == (missing == 1) for one in curve)


def test_a_slow_step_makes_a_hand_ready_later_and_wins_as_often() -> None:
    alike, slow = (by_turn(2, 0.3, 60, (0.2, 0.1), steps) for steps in ((1.0, 1.0), (1.0, 0.5)))
    assert all(late.ready < soon.ready for late, soon in zip(slow, alike, strict=True))
    assert slow[-1].won == pytest.approx(alike[-1].won, abs=0.002)
    assert by_turn(2, 0.3, 60, (0.2, 0.1)) == by_turn(2, 0.3, 60, (0.2, 0.1), STEPS) != alike


@pytest.mark.parametrize("missing", [2, 3, 5])
def test_where_steps_are_more_than_turns_nobody_is_promised_to_be_ready(missing: int) -> None:
    for left in (1, 4, 8):
        curve = by_turn(missing, 0.03, left, (0.2, 0.1))
        assert [one.turn for one in curve] == list(range(1, max(1, left // 4) + 1))
        assert curve[-1].won == pytest.approx(0.03, abs=0.002)
        assert 0.03 < curve[-1].ready < 0.5
