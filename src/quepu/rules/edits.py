"""Changes to a rulebook: rename a row, change a value, add a row, choose an option; with validation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from quepu.errors import OverlayError, UnknownName, near_names
from quepu.hands.planes import Condition
from quepu.rules.arithmetic import Arithmetic, ResidueArithmetic
from quepu.rules.parts import Option
from quepu.rules.row import EACH, MOST_OFTEN, Fan, Value, split_value

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook

_MOST_VALUE = 1000  # so that sums, products and squares fit in 32 bits


def add_rows(rows: Iterable[Fan], new: Iterable[Fan], arithmetic: Arithmetic) -> list[Fan]:
    """Return the rows with new ones appended.

    Raises:
        OverlayError: a new row has the name of another, a value of another kind, or a condition that cannot be used.
    """
    found = list(rows)
    for row in new:
        if any(row.name == other.name for other in found):
            raise OverlayError(f"已经有叫“{row.name}”的番种。", f"a fan called {row.name!r} already exists.")
        _check(row, arithmetic)
        kind = next(iter(found), row).value
        found.append(replace(row, value=like(kind, row.value, row.name)))
    return found


def change_row(row: Fan, changes: Mapping[str, Any], arithmetic: Arithmetic) -> Fan:
    """Return a row with some of its fields replaced.

    Raises:
        OverlayError: a value of another kind, or a condition that cannot be used.
    """
    made = replace(row, **changes)
    if (made.when, made.on, made.of, made.joins, made.most) != (row.when, row.on, row.of, row.joins, row.most):
        _check(made, arithmetic)
    return revalue_row(replace(made, value=row.value), changes["value"], row.name) if "value" in changes else made


def _check(row: Fan, arithmetic: Arithmetic) -> None:
    """Refuse a row that one hand and many hands could count differently.

    Conditions from quepu itself, formulas included, are not tried: its tests do that.
    """
    if isinstance(row.most, bool) or not isinstance(row.most, int) or not 1 <= row.most <= MOST_OFTEN:
        raise OverlayError(
            f"番种“{row.name}”的 most 应是 1 到 {MOST_OFTEN}。",
            f"most of the fan {row.name!r} must be 1 to {MOST_OFTEN}.",
        )
    by_groups = isinstance(arithmetic, ResidueArithmetic)
    if row.of == EACH and by_groups:
        raise OverlayError(
            f"番种“{row.name}”：这本规则的番种各计一次，不能用 of=EACH。",
            f"fan {row.name!r}: in this book every fan counts once, so of=EACH is not possible.",
        )
    if not all(_own(condition) for condition in (row.when, row.on) if condition is not None):
        from quepu.rules.condition_trial import try_conditions

        try_conditions(row, by_groups=by_groups)


def _own(condition: Condition) -> bool:
    while isinstance(condition, partial):
        condition = condition.func
    return str(getattr(condition, "__module__", "")).startswith("quepu.")


def with_option(book: Rulebook, key: str, choice: Any) -> Rulebook:
    """Return the book with one of its options chosen.

    Raises:
        UnknownName: it has no such option.
        OverlayError: the option cannot be set to this.
    """
    option = _option(book, key)
    if not option.takes(choice):
        if option.between:
            least, most = option.between
            raise OverlayError(
                f"选项“{key}”应是 {least} 到 {most} 的整数。",
                f"option {key!r} must be a whole number, {least} to {most}.",
            )
        listed = ", ".join(map(str, option.choices))
        raise OverlayError(f"选项“{key}”只能取：{listed}。", f"option {key!r} must be one of: {listed}.")
    made = option.apply(book, choice)
    return replace(made, chosen={**made.chosen, option.key: choice})


def _option(book: Rulebook, key: str) -> Option:
    option = next((o for o in book.options if key in (o.key, o.former)), None)
    if option is None:
        near = near_names(key, {o.key: o.key for o in book.options})
        raise UnknownName(
            f"{book.title.zh}没有选项“{key}”。" + (f"是不是{'、'.join(near)}？" if near else ""),
            f"{book.title.en} has no option {key!r}." + (f" Did you mean {' / '.join(near)}?" if near else ""),
        )
    return option


def rename_rows(rows: Iterable[Fan], names: Mapping[str, str]) -> list[Fan]:
    """Return the rows after some fans were renamed, old name → new.

    Raises:
        OverlayError: a new name is empty, or two fans would have the same one.
    """
    found = [_rename(row, names) for row in rows]
    seen: set[str] = set()
    for row in found:
        if not row.name.strip():
            raise OverlayError("番种的新名称不能是空的。", "the new name of a fan must not be empty.")
        if row.name in seen:
            raise OverlayError(f"改名后有两个番种叫“{row.name}”。", f"two fans would be called {row.name!r}.")
        seen.add(row.name)
    return found


def _rename(row: Fan, names: Mapping[str, str]) -> Fan:
    """Return a row after some fans were renamed, its own name and its relations."""

    def swap(listed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in listed)

    row = replace(row, drops=swap(row.drops), conflicts=swap(row.conflicts))
    if row.name in names:
        new = names[row.name]
        row = replace(row, name=new, aliases=(*(alias for alias in row.aliases if alias != new), row.name))
    return row


def natural(number: int, name: str) -> int:
    """Return a number of a rulebook that cannot be below 0; errors call it `name`.

    Raises:
        OverlayError: it is not such a number.
    """
    if isinstance(number, bool) or not hasattr(number, "__index__") or index(number) < 0:
        raise OverlayError(
            f"{name} 应是不小于 0 的整数，不是 {number!r}。", f"{name} must be a whole number from 0, not {number!r}."
        )
    return index(number)


def revalue_row(row: Fan, new: Any, name: str) -> Fan:
    """Return the row with another value; a mapping may set any of `Fan.parts` and keeps the rest.

    Raises:
        OverlayError: it does not fit.
    """
    others = row.other_values
    if not isinstance(new, Mapping) or not others:
        return replace(row, value=like(row.value, new, name))
    value = like(row.value, new, name, row.parts)
    columns = {
        key: like(old, {part: new[f"{key}_{part}"] for part in split_value(old) if f"{key}_{part}" in new}, name)
        for key, old in others.items()
    }
    return replace(row, value=value, extra=replace(row.extra, **columns))  # type: ignore[type-var]  # a dataclass


def like(old: Value, new: Any, name: str, parts: Mapping[str, int] | None = None) -> Value:
    """Return `new` in the shape of `old`: an int for an int, as many numbers for a tuple; from 0 to a thousand.

    parts: the keys allowed in a mapping, if more than the parts of `old`.

    Raises:
        OverlayError: it does not fit.
    """
    given = new.values() if isinstance(new, Mapping) else new if isinstance(new, (list, tuple)) else (new,)
    if any(isinstance(x, int) and not 0 <= x <= _MOST_VALUE for x in given):
        raise OverlayError(
            f"“{name}”的值应在 0 到 {_MOST_VALUE} 之间。",
            f"the value of {name!r} must lie between 0 and {_MOST_VALUE}.",
        )
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in given)
    if isinstance(old, tuple):
        own = split_value(old)
        parts = parts or own
        if isinstance(new, Mapping) and (unknown := [key for key in new if key not in parts]):
            raise OverlayError(
                f"“{name}”的值里没有“{unknown[0]}”，可用：{'、'.join(parts)}。",
                f"the value of {name!r} has no {unknown[0]!r}; there are: {', '.join(parts)}.",
            )
        if whole and isinstance(new, Mapping):
            return old._replace(**{part: n for part, n in new.items() if part in own})  # type: ignore[attr-defined]  # it has _fields, so it is a named tuple
        if whole and isinstance(new, (list, tuple)) and len(new) == len(old):
            return type(old)(*new)
        shape = f"{{ {', '.join(f'{part} = {n}' for part, n in parts.items())} }}", str(list(old))
        raise OverlayError(
            f"“{name}”的值应写作 {shape[0]} 或 {shape[1]}。",
            f"the value of {name!r} must be like {shape[0]} or {shape[1]}.",
        )
    if not whole or not isinstance(new, int):
        raise OverlayError(f"“{name}”的值应是一个整数。", f"the value of {name!r} must be an integer.")
    return new
