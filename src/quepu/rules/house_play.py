"""[table], [match] and [penalties] in a file of house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import Any, Final, Literal

from quepu.rules.faults import RECEIVERS, FaultChange
from quepu.rules.house_words import A_NATURAL, Refuses, is_title, natural, should_be, text_of
from quepu.rules.play_rules import TABLE_SWITCHES, MatchRules, play_rules
from quepu.rules.play_words import FIELDS, FLOWERS, play_words
from quepu.rules.rulebook import Rulebook

_TIMES_MOST: Final = 10
_ROUNDS_MOST: Final = 16
_DEALER: Final[tuple[Literal["never", "win", "win or draw"], ...]] = ("never", "win", "win or draw")
Fit = tuple[Callable[[Any], bool], str, str]
"""A check of a value, and what it must be in Chinese and in English."""


def with_play(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with the house rules for its table and matches."""
    for key, found in (("table", _switches(file, data)), ("match", _match(file, data))):
        if found:
            made = made.having(settings={key: (*made.settings.get(key, ()), *found)})
    return made


def with_faults(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with the house's penalties."""
    faults = _faults(file, data)
    if faults:
        made = made.having(settings={"faults": (*made.settings.get("faults", ()), *faults)})
        file.apply(partial(play_rules, made), "penalties")
    return made


def describe_play(book: Rulebook) -> dict[str, Any]:
    """Return a book's rules of table, match and faults as [table], [match] and [penalties] write them, with words."""
    rules = play_rules(book)
    words = {**FIELDS, "flowers": FLOWERS}
    return {
        "match": {
            "rounds": rules.match.rounds,
            "dealer_repeats": rules.match.dealer_repeats,
            "moves": [list(move) for move in rules.match.moves],
            "reduced": list(rules.match.reduced or ()),
        },
        "repeats": [
            {"value": one, "text": play_words(MatchRules(dealer_repeats=one))["dealer_repeats"]._asdict()}
            for one in _DEALER
        ],
        "table": [
            {"key": key, "text": words[key]._asdict(), "on": bool(getattr(rules.table, key))} for key in TABLE_SWITCHES
        ],
        "faults": [
            {"key": fault.key, "name": fault.name._asdict(), "text": fault.text._asdict(), "points": fault.points,
             "again": list(fault.again), "to": fault.to, "barred": fault.barred}
            for fault in rules.faults
        ],
        "receivers": [{"value": to, "text": text._asdict()} for to, text in RECEIVERS.items()],
    }  # fmt: skip


def _switches(file: Refuses, data: Mapping[str, Any]) -> tuple[tuple[str, bool], ...]:
    """Return the switches that the house sets for its table."""
    for name, value in data.get("table", {}).items():
        if name not in TABLE_SWITCHES:
            words = {**FIELDS, "flowers": FLOWERS}
            zh = "、".join(f"{key}（{words[key].zh}）" for key in TABLE_SWITCHES)
            en = ", ".join(f"{key} ({words[key].en})" for key in TABLE_SWITCHES)
            file.wrong(
                f"[table] 没有“{name}”，可用：{zh}。", f"[table] has no {name!r}; there are: {en}.", "table", name
            )
        if not isinstance(value, bool):
            file.wrong(f"“{name}”应是 true 或 false。", f"{name!r} must be true or false.", "table", name)
    return tuple(data.get("table", {}).items())


def _match(file: Refuses, data: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return how the house plays its matches: fields of `MatchRules` to set."""
    found: list[tuple[str, Any]] = []
    for name, value in data.get("match", {}).items():
        if name not in _MATCH:
            zh = "、".join(f"{key}（{FIELDS[key].zh}）" for key in _MATCH)
            en = ", ".join(f"{key} ({FIELDS[key].en})" for key in _MATCH)
            file.wrong(
                f"[match] 没有“{name}”，可用：{zh}。", f"[match] has no {name!r}; there are: {en}.", "match", name
            )
        fits, zh, en = _MATCH[name]
        if not fits(value):
            file.wrong(f"“{name}”{should_be(zh)}。", f"{name!r} must be {en}.", "match", name)
        found.append((name, None if value is False else _tuples(value)))
    return tuple(found)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _moves(value: Any) -> bool:
    """Whether a value lists seat changes: where East, South, West and North of a round sit in the next, 0 to 3."""
    return (
        isinstance(value, list)
        and len(value) <= _ROUNDS_MOST
        and all(isinstance(move, list) and all(map(natural, move)) and sorted(move) == [0, 1, 2, 3] for move in value)
    )


def _is_reduced(value: Any) -> bool:
    numbers = (
        isinstance(value, list) and len(value) == 2 and all(type(x) in (int, float) and 0 < x < inf for x in value)
    )
    return numbers or value is False


_MATCH: Final[dict[str, Fit]] = {
    "rounds": (lambda x: natural(x) and 1 <= x <= _ROUNDS_MOST, f"1 到 {_ROUNDS_MOST}", f"1 to {_ROUNDS_MOST}"),
    "dealer_repeats": (lambda x: x in _DEALER, f"{'、'.join(_DEALER)} 之一", f"one of: {', '.join(_DEALER)}"),
    "moves": (
        _moves,
        "列表，每一圈之后东南西北各坐到哪一位（0 东 1 南 2 西 3 北）：[[1, 0, 3, 2], …]，不换座写 []",
        "where East, South, West and North sit after each round, 0 to 3, as in [[1, 0, 3, 2], …]; [] for no changes",
    ),
    "reduced": (
        _is_reduced,
        "两个正数 [α, T₀]，没有约化分数写 false",
        "two numbers [α, T₀], or false for no reduced score",
    ),
}
"""Rules of a match that a house may change, by the field of `MatchRules`."""


def _faults(file: Refuses, data: Mapping[str, Any]) -> tuple[FaultChange, ...]:
    """Return the faults of the house: another price, a complete fault, or `false` to remove one."""
    found: list[FaultChange] = []
    for name, given in data.get("penalties", {}).items():
        if given is False:
            found.append((name, None))
            continue
        number = isinstance(given, int) and not isinstance(given, bool)
        fields = {"points": given} if number else dict(given) if isinstance(given, dict) else {"": given}
        for key, value in fields.items():
            if key not in _FAULT:
                listed = "、".join(_FAULT)
                file.wrong(
                    f"罚例“{name}”应是分数、false，或一张表：{listed}。",
                    f"the fault {name!r} must be points, false, or a table of: {', '.join(_FAULT)}.",
                    "penalties", name,
                )  # fmt: skip
            fits, zh, en = _FAULT[key]
            if not fits(value):
                file.wrong(
                    f"罚例“{name}”的 {key} {should_be(zh)}。",
                    f"{key} of the fault {name!r} must be {en}.",
                    "penalties",
                    name,
                )
        if "again" in fields:
            fields["again"] = tuple(fields["again"])
        if "text" in fields:
            fields["text"] = text_of(fields["text"])
        found.append((name, tuple(sorted(fields.items()))))
    return tuple(found)


_RECEIVERS: Final = tuple(RECEIVERS)
_FAULT: Final[dict[str, Fit]] = {
    "points": (natural, *A_NATURAL),
    "again": (
        lambda value: isinstance(value, list) and len(value) <= _TIMES_MOST and all(map(natural, value)),
        f"再犯各次的分数的列表，最多 {_TIMES_MOST} 个，各是{A_NATURAL[0]}",
        f"a list of points for each further time: {_TIMES_MOST} at most, each {A_NATURAL[1]}",
    ),
    "to": (lambda value: value in _RECEIVERS, f"{' '.join(_RECEIVERS)} 之一", f"one of {', '.join(_RECEIVERS)}"),
    "barred": (lambda value: isinstance(value, bool), "true 或 false", "true or false"),
    "text": (is_title, "一段文字，或 { zh = …, en = … }", "text, or { zh = …, en = … }"),
}
"""What a house may say of a fault: its price (points), of further times (again), to whom, whether it bars, in words."""
