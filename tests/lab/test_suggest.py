"""Suggestions: what one says that it does is what a full count of the changed book shows."""

from __future__ import annotations

import pytest

from quepu.cli import run
from quepu.errors import HandError, UnknownName
from quepu.fast.universe.standard_hands import STATES
from quepu.fast.universe.valued import census
from quepu.lab.compare import pair_up, summary
from quepu.lab.suggest import Suggestion, suggest
from quepu.rulebooks import book
from quepu.rules.row import split_value
from quepu.rules.rulebook import Rulebook

OPEN = STATES["open-discard"]


def applied(rules: Rulebook, one: Suggestion) -> Rulebook:
    values = {c.fan: c.new["fan"] for c in one.changes if c.fan}
    minimum = next((c.new["minimum"] for c in one.changes if not c.fan), rules.minimum)
    return rules.having(values=values, minimum=minimum)


@pytest.mark.long
def test_a_mean_is_restored_by_the_smallest_change_of_one_value() -> None:
    rules = book("guobiao-mcr")
    found = suggest(rules, OPEN, "mean", wanted=11)
    steps = [abs(one.changes[0].new["fan"] - one.changes[0].old["fan"]) for one in found.found]
    near = [abs(one.measure - 11) <= 0.05 * abs(found.today.measure - 11) for one in found.found]
    assert near[0]
    assert steps[: sum(near)] == sorted(steps[: sum(near)])
    for one in found.found[:2]:
        assert len(one.changes) == 1
        facts = summary(pair_up(rules, applied(rules, one), OPEN)).facts
        assert facts["mean_new"] == pytest.approx(one.mean)
        assert facts["mean_old"] == pytest.approx(found.today.mean)


@pytest.mark.parametrize(("name", "law"), [("lingque-29", "bits"), ("lingque-29", "rare"), ("canton", "mean")])
def test_only_values_that_the_book_has_are_suggested(name: str, law: str) -> None:
    rules = book(name)
    wanted = {"bits": None, "mean": 9.0, "rare": 9.65}[law]
    found = suggest(rules, OPEN, law, "三色同顺", wanted)
    own = [split_value(fan.value) for fan in rules.fans]
    changes = [change for one in found.found for change in one.changes if change.fan]
    assert changes
    for change in changes:
        assert change.new in own
        assert all(change.new.values())  # 0 is nobody's wish: the fan would still be there and add nothing


def test_a_minimum_that_hardly_anything_reaches_is_not_suggested() -> None:
    rules = book("guobiao-mcr")
    found = suggest(rules, OPEN, "rare", "三色三步高", 12)
    assert [one.changes[0].fan for one in found.found] == ["三色三步高"]


def test_a_fan_is_made_rare_or_values_cannot_and_a_sentence_says_it() -> None:
    rules = book("guobiao-mcr")
    today = suggest(rules, OPEN, "rare", "三色三步高", 1000).today.measure
    found = suggest(rules, OPEN, "rare", "三色三步高", 1.05 / today)
    assert found.found
    for one in found.found:
        assert one.measure <= found.wanted
    assert suggest(rules, OPEN, "rare", "大四喜", 10).found == ()


@pytest.mark.slow
def test_what_a_suggestion_says_is_what_every_hand_counted_shows() -> None:
    rules = book("guobiao-mcr")
    for law, wanted in (("bits", None), ("mean", 11.0)):
        one = suggest(rules, OPEN, law, wanted=wanted).found[-1]
        counted = census(applied(rules, one), OPEN)
        sets = counted.whole.by_class("sets")
        assert float((counted.points * (sets / sets.sum())).sum()) == pytest.approx(one.mean)


@pytest.mark.slow
def test_every_step_towards_the_line_brings_the_fans_nearer() -> None:
    found = suggest(book("lingque-29"), OPEN, "bits")
    measures = [found.today.measure, *(one.measure for one in found.found)]
    assert measures == sorted(measures, reverse=True)
    assert [len(one.changes) for one in found.found] == list(range(1, len(found.found) + 1))


def test_wishes_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownName):
        suggest(book("canton"), OPEN, "gravity")
    with pytest.raises(HandError):
        suggest(book("canton"), OPEN, "mean")
    assert run(["lab", "suggest", "guobiao-mcr", "--law", "mean", "--to", "x"]) == 2
    assert run(["lab", "suggest", "guobiao-mcr", "--law", "rare", "--fan", "大四喜", "--to", "10"]) == 0
    assert "现在已经如此" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [(["mean"], "--to"), (["rare", "--fan", "大四喜"], "--to"), (["mean", "--to", "0"], "--to"),
     (["mean", "--to", "nan"], "--to"), (["rare", "--to", "10"], "--fan")],
)  # fmt: skip
def test_a_law_names_the_option_that_it_wants(
    typed: list[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang in ("zh", "en"):
        assert run(["--lang", lang, "lab", "suggest", "guobiao-mcr", "--law", *typed]) == 2
        assert wanted in capsys.readouterr().err
