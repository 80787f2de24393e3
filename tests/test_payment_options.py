"""Base, cap, payment tables and the joining rule as options of 国标 and 广东."""

from __future__ import annotations

import pytest

import quepu
from quepu.errors import OverlayError
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.guide import Paragraph, guide
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook

GUOBIAO = ["guobiao", "guobiao-mcr", "guobiao-mil-2025", "guobiao-ema", "guobiao-jmsa"]


def paid(rules: Rulebook, points: int, discarder: int | None = None) -> list[int]:
    ending = Ending((SeatWin(0, points),), self_draw=discarder is None, discarder=discarder)
    found = [0, 0, 0, 0]
    for one in play_rules(rules).settle(ending, rules):
        found[one.payer] += one.points
    return found


def paragraphs(rules: Rulebook) -> list[Paragraph]:
    return [part for section in guide(rules) for part in section.parts if isinstance(part, Paragraph)]


def house(base: str, options: str) -> Rulebook:
    return read(f'base = "{base}"\n[options]\n{options}')


@pytest.mark.parametrize("name", GUOBIAO)
def test_base_and_cap_of_guobiao_are_options(name: str) -> None:
    assert paid(house(name, "base = 5"), 20, 2) == [0, 5, 25, 5]
    assert paid(house(name, "cap = 30"), 40) == [0, 38, 38, 38]
    assert paid(house(name, "cap = 0"), 100) == [0, 108, 108, 108]
    usual = 88 if name == "guobiao-jmsa" else 0
    assert paid(house(name, f"cap = {usual}\nbase = 8"), 100) == paid(book(name), 100)
    assert house(name, f"cap = {usual}\nbase = 8\njoins = true").fingerprint == book(name).fingerprint
    assert any("base is 5" in part.text.en for part in paragraphs(house(name, "base = 5")))
    assert not any("At this table the base" in part.text.en for part in paragraphs(book(name)))


def test_without_the_joining_rule_every_relation_counts() -> None:
    joined = quepu.score("123m123m456m789m9s+9s", "guobiao")
    apart = quepu.score("123m123m456m789m9s+9s", house("guobiao", "joins = false"))
    assert apart.points > joined.points
    back = house("guobiao", "joins = false").having(options={"joins": True})
    assert back.fingerprint == book("guobiao").fingerprint


def test_many_hands_at_once_count_without_the_joining_rule() -> None:
    from quepu.batch import score_many
    from quepu.scoring.samples import wins
    from quepu.scoring.score import score_hand

    rules = house("guobiao", "joins = false")
    hands = list(wins(rules, 400, 9))
    assert score_many(hands, rules, fast=False).points.tolist() == [score_hand(one, rules).points for one in hands]


def test_payment_tables_of_canton_are_named_or_written() -> None:
    assert paid(house("canton", "payment = [0, 1, 2, 4, 8]\ncap = 0"), 3)[1] in (4, 8)
    assert paid(house("canton", "payment = [0, 1, 2, 4, 8]"), 50)[1] == 8
    assert paid(house("canton", 'payment = "doubling"'), 2, 1) == paid(
        house("canton", "payment = [1, 2, 4, 8, 16]"), 2, 1
    )
    assert paid(house("canton", "discard = [1, 5, 2]"), 3, 1)[2] > 0
    assert paid(house("canton", 'discard = "alone"'), 3, 1)[2] == 0


@pytest.mark.parametrize(
    ("options", "zh"),
    [
        ('payment = "treble"', "payment 应是书上的一张表"),
        ("payment = []", "payment 应是书上的一张表"),
        ("payment = [1, -1]", "payment 应是书上的一张表"),
        ("discard = [1, 2]", "discard 应是书上的一种"),
        ("base = 0", "应是 1 到 100000 的整数"),
    ],
)
def test_wrong_tables_are_refused_with_their_line(options: str, zh: str) -> None:
    with pytest.raises(OverlayError) as caught:
        house("canton", options)
    assert "第 3 行" in caught.value.say("zh")
    assert zh in caught.value.say("zh")


@pytest.mark.parametrize("name", GUOBIAO)
def test_a_base_beyond_reason_is_refused(name: str) -> None:
    with pytest.raises(OverlayError, match="0 到 1000"):
        house(name, "base = 1001")
