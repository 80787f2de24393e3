"""Mistakes of a file of house rules: a fan left out and named again, a name that is nearly one of the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, Final

from quepu.errors import UnknownName, near_names
from quepu.rules.arithmetic import MOST_TIMES, AdditiveArithmetic, ProductArithmetic, ResidueArithmetic
from quepu.rules.house_fans import OWN_CLASS
from quepu.rules.house_words import Refuses
from quepu.rules.play_rules import play_rules
from quepu.rules.row import split_value
from quepu.rules.rulebook import Rulebook

_OF_FANS: Final = ("drops", "conflicts", "sentences")
_Named = tuple[tuple[str, ...], str, Any]
"""Where a fan is named, its name, and what stands there."""


def refuse_left_out(file: Refuses, data: Mapping[str, Any], full: Rulebook) -> None:
    """Refuse relations and sentences of fans that the file leaves out of the full book; a new fan may have their name.

    They could never be taken; here it is said why.
    """
    for keys, name in _yield_related(data):
        if name not in data.get("fans", {}):
            _refuse_gone(file, data, full, name, *keys)


def refuse_mistakes(file: Refuses, data: Mapping[str, Any], full: Rulebook, made: Rulebook) -> None:
    """Refuse mistakes in a new file; files by which games have been played are exempt, so that the games stay the same.

    `made` is the book that the file makes from the complete one.
    """
    for field in ("values", "aliases"):
        for name in data.get(field, {}):
            _refuse_gone(file, data, full, name, field, name)
    for name, given in data.get("fans", {}).items():
        _refuse_class(file, full, name, given.get("class", OWN_CLASS))
        _refuse_part(file, made, name, given["value"])
        _refuse_times(file, made, name)
    if data.get("penalties"):
        _refuse_faults(file, data["penalties"], full)
    _refuse_own_neighbours(file, data, made)
    _refuse_circles(file, data, made)


def _refuse_own_neighbours(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> None:
    """Refuse a fan that is to stand before or after itself."""
    for table, side in product(("changes", "fans"), ("before", "after")):
        for name, given in data.get(table, {}).items():
            if side in given and made.fan(given[side]) is made.fan(name):
                file.wrong(
                    f"“{name}”不能排在自己的前后：{side} 应是另一个番种。",
                    f"{name!r} cannot stand next to itself: {side} must name another fan.",
                    table, name, side,
                )  # fmt: skip


def _yield_related(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The keys and the name of every fan named in relations and sentences."""
    for field in _OF_FANS:
        for keys, name, given in _list_entries(data, field):
            yield keys, name
            if isinstance(given, list):
                yield from ((keys, word.removeprefix("+")) for word in given if isinstance(word, str))


def _list_entries(data: Mapping[str, Any], field: str) -> list[_Named]:
    """The entries of a file in a table of fans, or in the same field of new ones."""
    tables: list[_Named] = [((field, name), name, given) for name, given in data.get(field, {}).items()]
    fans = data.get("fans", {}).items()
    return tables + [(("fans", name, field), name, fan[field]) for name, fan in fans if field in fan]


def _refuse_circles(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> None:
    """Refuse a fan that excludes itself, and fans that leave out each other: neither of them would ever count."""
    adds_up = isinstance(made.arithmetic, AdditiveArithmetic)
    for keys, name, given in _list_entries(data, "conflicts"):
        if adds_up and given:
            file.wrong(
                f"{made.title.zh}把成立的番都加起来，没有互斥；哪种不计哪种，写进 [drops]。",
                f"{made.title.en} adds up every fan that holds, without exclusions: say in [drops] which drops which.",
                *keys,
            )
        for word in given:
            if made.fan(word) is made.fan(name):
                file.wrong(f"“{name}”不能与自己互斥。", f"{name!r} cannot be mutually exclusive with itself.", *keys)
    for keys, name, given in _list_entries(data, "drops"):
        row = made.index[made.fan(name).name]
        for word in (one for one in given if one[0] not in "*+"):
            other = made.index[file.apply(partial(made.fan, word), *keys).name]
            if other == row:
                file.wrong(f"“{name}”不能不计自己。", f"{name!r} cannot leave itself out.", *keys)
            if made.drops[other] >> row & 1:
                zh, en = (
                    ("", "")
                    if adds_up
                    else ("；只能计其一，写进 [conflicts]", ", or both in [conflicts]: one of them counts")
                )
                file.wrong(
                    f"“{name}”与“{word}”互相不计，就都不计了：只写一边{zh}。",
                    f"{name!r} and {word!r} would leave out each other, so neither counts: name one side alone{en}.",
                    *keys,
                )
            between = _between(made, other, row)
            if between:
                fans = [name, word, *(made.fans[i].name for i in between), name]
                file.wrong(
                    f"不计绕成了一圈：{' → '.join(fans)}。",
                    f"fans leave each other out in a circle: {' → '.join(fans)}.",
                    *keys,
                )


def _between(made: Rulebook, first: int, last: int) -> list[int]:
    """Return the rows on the shortest path of 不计 from one row to another, both excluded; empty without a path."""
    came: dict[int, int] = {first: first}
    queue = [first]
    for at in queue:
        for row in range(len(made.fans)):
            if made.drops[at] >> row & 1 and row not in came:
                came[row] = at
                queue.append(row)
    way: list[int] = []
    at = came.get(last, first)
    while at != first:
        way.append(at)
        at = came[at]
    return way[::-1]


def _refuse_gone(file: Refuses, data: Mapping[str, Any], full: Rulebook, name: str, *keys: str) -> None:
    try:
        row = full.fan(name)
    except UnknownName:
        return  # which is refused where it is used
    if row in [full.fan(one) for one in data.get("without", ())]:
        file.wrong(
            f"“{name}”已由 without 去掉，不能又在这里提到。",
            f"{name!r} is left out by `without`, so it cannot be named here.",
            *keys,
        )


def _refuse_class(file: Refuses, full: Rulebook, name: str, given: str) -> None:
    classes = dict.fromkeys(fan.category for fan in full.fans)
    if given in classes or given == OWN_CLASS:
        return
    near = near_names(given, {spelling: one for one in classes for spelling in (one, full.class_name(one, "en"))})
    file.wrong(
        f"{full.title.zh}没有“{given}”这一类，"
        + (f"是不是{'、'.join(near)}？" if near else f"可用：{'、'.join(classes)}。"),
        f"{full.title.en} has no category {given!r}; "
        + (f"did you mean {' / '.join(near)}?" if near else f"there are: {', '.join(classes)}."),
        "fans", name, "class",
    )  # fmt: skip


def _refuse_part(file: Refuses, made: Rulebook, name: str, given: object) -> None:
    """Refuse a new fan whose value has only some of its parts: the others have no former value."""
    parts = split_value(made.fan(name).value)
    lacking = [part for part in parts if part not in given] if isinstance(given, Mapping) else []
    if lacking:
        file.wrong(
            f"新番种“{name}”的值还缺 {'、'.join(lacking)}。",
            f"the value of the new fan {name!r} lacks {', '.join(lacking)}.",
            "fans", name, "value",
        )  # fmt: skip


def _refuse_times(file: Refuses, made: Rulebook, name: str) -> None:
    """Refuse a new fan that would count more often than the book's arithmetic can."""
    most = made.fan(name).most
    if isinstance(made.arithmetic, ResidueArithmetic) and most > 1:
        file.wrong(
            f"{made.title.zh}的番种各计一次，“{name}”的 most 只能是 1。",
            f"{made.title.en} counts every fan once, so most of {name!r} can only be 1.",
            "fans", name, "most",
        )  # fmt: skip
    if isinstance(made.arithmetic, ProductArithmetic) and most > MOST_TIMES:
        file.wrong(
            f"{made.title.zh}的番种最多计 {MOST_TIMES} 次，“{name}”的 most 不能更大。",
            f"{made.title.en} counts a fan {MOST_TIMES} times at most, so most of {name!r} cannot be higher.",
            "fans", name, "most",
        )  # fmt: skip


def _refuse_faults(file: Refuses, penalties: Mapping[str, Any], full: Rulebook) -> None:
    """Refuse an unknown fault that is being removed, or whose name is nearly that of a fault of the book.

    A fault of the house can have a name similar to the book's if it explains itself in words.
    """
    faults = play_rules(full).faults
    spellings = {name: one.key for one in faults for name in (one.key, *one.names, one.name.en)}
    for name, given in penalties.items():
        if any(name in (one.key, *one.names) for one in faults) or (isinstance(given, dict) and "text" in given):
            continue
        near = near_names(name, spellings)
        meant = "、".join(near), " / ".join(near)
        if near and given is not False:
            file.wrong(
                f"没有“{name}”这项罚例，是不是{meant[0]}？另立一项请写明 text。",
                f"there is no fault {name!r}; did you mean {meant[1]}? A fault of your own needs its text.",
                "penalties", name,
            )  # fmt: skip
        if given is False:
            listed = [one.key for one in faults]
            file.wrong(
                f"没有“{name}”这项罚例，" + (f"是不是{meant[0]}？" if near else f"现有：{'、'.join(listed)}。"),
                f"there is no fault {name!r}; "
                + (f"did you mean {meant[1]}?" if near else f"there are: {', '.join(listed)}."),
                "penalties", name,
            )  # fmt: skip
