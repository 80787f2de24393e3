"""Digests of rulebooks: a field that a row leaves empty is as if it were not there, and changes no fingerprint."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from quepu.hands.planes import Condition
from quepu.rulebooks import books
from quepu.rules import digest
from quepu.rules.digest import to_plain
from quepu.rules.rulebook import Rulebook


@dataclass(frozen=True)
class Before:
    """A row as it was."""

    name: str = "甲"
    value: int = 0


@dataclass(frozen=True)
class After(Before):
    """The same with fields that came later, each left empty."""

    kept_out: bool = False
    beside: tuple[str, ...] = ()
    note: str = ""
    most: int | None = None


def test_a_field_left_empty_is_not_digested() -> None:
    assert to_plain(Before()) == to_plain(After()) == [("name", "甲"), ("value", 0)]
    for filled in (After(kept_out=True), After(beside=("乙",)), After(note="乙"), After(most=0)):
        assert to_plain(filled) != to_plain(Before())
    assert to_plain(Before(value=0)) != to_plain({"name": "甲"}), "nought is a value"
    assert to_plain({"b": 1, "a": (2, {3})}) == [("a", [2, [3]]), ("b", 1)]


def test_a_class_is_no_record() -> None:
    assert to_plain(Before) is Before and to_plain((1, 2)) == [1, 2]


def test_expressions_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "_EXPRESSIONS_MOST", 3)
    kept = digest._Expressions()
    conditions: tuple[Condition, ...] = (
        lambda h: h.p, lambda h: h.k, lambda h: h.p, lambda h: h.c1, lambda h: h.c2 & h.c1, lambda h: h.p,
    )  # fmt: skip
    found, sizes = zip(*((kept.hash(when), len(kept._hashes)) for when in conditions), strict=True)
    assert sizes == (1, 2, 2, 3, 3, 1)  # before another is worked out, three or more are forgotten
    assert found[0] == found[2] == found[5] and len(set(found)) == 4


@pytest.mark.parametrize("rules", books(), ids=lambda one: one.id)
def test_a_setting_that_is_switched_off_is_as_one_that_is_not_there(rules) -> None:  # type: ignore[no-untyped-def]
    assert rules.having(settings={"something new": False}, id=rules.id).fingerprint == rules.fingerprint
    assert rules.having(settings={"something new": True}, id=rules.id).fingerprint != rules.fingerprint


@pytest.mark.parametrize("rules", books(), ids=lambda rules: rules.id)
def test_a_fingerprint_is_of_what_is_chosen_and_not_of_the_way_it_is_written(rules: Rulebook) -> None:
    """Choosing what holds anyway is no other book; choosing anything else is, with every choice another."""
    for option in rules.options:
        usual = rules.chosen.get(option.key, option.choices[0])
        same = rules.having(options={option.key: usual}).fingerprint == rules.fingerprint
        assert same, option.key
        others = [choice for choice in option.choices if choice != usual]
        found = {rules.having(options={option.key: choice}).fingerprint for choice in others}
        assert len(found) == len(others) and rules.fingerprint not in found, option.key
