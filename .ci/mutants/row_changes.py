"""Mutants of rulebooks: every change by one of their rows, rules of play and figures."""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from areas import ROOT

KEPT = {"_detector", "index", "_spellings", "reads"}
"""Remembered parts of a book that no mutant of a row changes."""
NO_FIGURES = {"__init__", "row", "guide", "options", "option_words", "corrections", "house", "circumstance_bits"}
"""Modules of a family without figures to compute with: their texts, and bits that only have to differ."""


class RowMutant(NamedTuple):
    """A change of a book: its name, the number of its row (-1 for the book itself), and how to make and undo it."""

    name: str
    row: int
    write: Callable[[], None]
    restore: Callable[[], None] = lambda: None

    def apply(self, book: Any) -> None:
        """Change the book, or what its table or payments are worked out from."""
        self.write()
        forget(book)


def altered(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a value changed by one in every way: numbers up and down, a switch turned, one name less."""
    at = key or "it"
    if isinstance(value, bool):
        yield f"{at} {value} -> {not value}", not value
    elif isinstance(value, (int, float)):
        for more in (1, -1):
            yield f"{at} {value} -> {value + more}", value + more
    elif hasattr(value, "_asdict"):
        for name in value._fields:
            for text, new in altered(getattr(value, name), f"{at}.{name}"):
                yield text, value._replace(**{name: new})
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for text, new in altered(getattr(value, field.name), f"{at}.{field.name}"):
                yield text, replace(value, **{field.name: new})
    elif isinstance(value, Mapping):
        for name, old in value.items():
            for text, new in altered(old, f"{at}[{name}]"):
                yield text, {**value, name: new}
            if isinstance(old, str):
                yield f"{at} without {name}", {k: v for k, v in value.items() if k != name}
    elif isinstance(value, (tuple, list)):
        for i, old in enumerate(value):
            if isinstance(old, str):
                yield f"{at} without {old}", type(value)([*value[:i], *value[i + 1 :]])
            else:
                for text, new in altered(old, f"{at}[{i}]"):
                    yield text, type(value)([*value[:i], new, *value[i + 1 :]])
    elif isinstance(value, frozenset):
        for old in sorted(map(str, value)):
            yield f"{at} without {old}", frozenset(one for one in value if str(one) != old)


def _write(thing: Any, new: Mapping[str, Any]) -> None:
    """Change a frozen value where it stands: tests have it as a parameter."""
    for field, value in new.items():
        object.__setattr__(thing, field, value)


def forget(book: Any) -> None:
    """Drop what a book remembers."""
    stated = {field.name for field in fields(book)}
    for name in set(book.__dict__) - stated - KEPT:
        del book.__dict__[name]


def rows_of(book: Any, together: Mapping[int, list[int]], times: Mapping[int, int]) -> Iterator[RowMutant]:
    """Yield every mutant of the rows and the limits of a book.

    `together` are rows that hold beside each row in wins, `times` how often each holds at most. A field that the
    arithmetic of the family never reads gets no mutants, nor does a `most` that no hand comes near.
    """
    fans = book.fans
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src/quepu/rulebooks" / book.family).glob("*.py"))

    def is_read(field: str) -> bool:
        return re.search(rf"\b(fan|row)\.{field}\b", source) is not None

    conflicts = "book.conflicts" in source

    rng = random.Random(f"rows of {book.id}")

    def changed(i: int, what: str, **new: Any) -> RowMutant:
        old = {field: getattr(fans[i], field) for field in new}
        return RowMutant(f"{fans[i].name}: {what}", i, lambda: _write(fans[i], new), lambda: _write(fans[i], old))

    for i, fan in enumerate(fans):
        for text, value in altered(fan.value, "value"):
            yield changed(i, text, value=value)
        for most in (fan.most - 1, fan.most + 1) if is_read("most") else ():
            if times.get(i, 0) >= min(most + 1, fan.most + 1):
                yield changed(i, f"most {fan.most} -> {most}", most=most)
        for of in {fan.of - 1, fan.of + 1} if fan.of > 0 else {0} if fan.of < 0 else set():
            yield changed(i, f"of {fan.of} -> {of}", of=of)
        for name in fan.drops:
            left = tuple(one for one in fan.drops if one != name)
            yield changed(i, f"drops without {name}", drops=left, implied=tuple(o for o in fan.implied if o != name))
        for name in fan.implied:
            left = tuple(one for one in fan.implied if one != name)
            yield changed(i, f"{name} is dropped and not implied", implied=left)
        for name in fan.conflicts if conflicts else ():
            left = tuple(one for one in fan.conflicts if one != name)
            yield changed(i, f"conflicts without {name}", conflicts=left)
        free = [j for j in together.get(i, ()) if not book.drops[i] >> j & 1 and not book.drops[j] >> i & 1]
        if free:
            other = fans[rng.choice(free)].name
            yield changed(i, f"drops {other} too", drops=(*fan.drops, other))
            other = fans[rng.choice(free)].name
            if conflicts:
                yield changed(i, f"conflicts with {other} too", conflicts=(*fan.conflicts, other))
        if is_read("joins"):
            yield changed(i, f"joins {fan.joins} -> {not fan.joins}", joins=not fan.joins)
        if fan.on is not None:
            yield changed(i, "without on", on=None)
        for text, extra in altered(fan.extra, "extra") if fan.extra is not None else ():
            yield changed(i, text, extra=extra)
    for name in ("minimum", "flower_value"):
        for text, value in altered(getattr(book, name), name):
            new, old = {name: value}, {name: getattr(book, name)}
            yield RowMutant(text, -1, partial(_write, book, new), partial(_write, book, old))


def is_kept_out_twice(book: Any, mutant: RowMutant) -> bool:
    """Return whether another row still excludes the name that the mutant takes out of `drops`.

    In a book that adds up, a row that is excluded goes on excluding others, so that nothing changes then.
    """
    from quepu.rules.arithmetic import AdditiveArithmetic

    name, _, gone = mutant.name.partition(": drops without ")
    if not gone or not isinstance(book.arithmetic, AdditiveArithmetic) or gone not in book.index:
        return False
    seen, open_rows = 0, [i for i in range(len(book.fans)) if book.drops[book.index[name]] >> i & 1]
    open_rows.remove(book.index[gone])
    while open_rows:
        row = open_rows.pop()
        if not seen >> row & 1:
            seen |= 1 << row
            open_rows += [i for i in range(len(book.fans)) if book.drops[row] >> i & 1]
    return bool(seen >> book.index[gone] & 1)


def play_of(book: Any) -> Iterator[RowMutant]:
    """Yield every mutant of a book's rules of table, match and faults."""
    from quepu.rules import play_rules as module

    if not book.play:
        return
    rules = module.play_rules(book)
    words = {
        "dealer_repeats": ("never", "win", "win or draw"), "earthly": ("first discard", "first draw"),
        "to": ("pool", "others", "one", "nobody"),
    }  # fmt: skip

    def changed(what: str, thing: Any, field: str, new: Any) -> RowMutant:
        return RowMutant(what, -1, partial(_write, thing, {field: new}))

    for part in ("table", "match"):
        old = getattr(rules, part)
        for field in fields(old):
            value = getattr(old, field.name)
            made = list(altered(value, field.name)) if field.name not in ("tiles", "hand", "moves") else []
            made += [(f"{field.name} {value} -> {new}", new) for new in words.get(field.name, ()) if new != value]
            if field.name in ("claims", "last_discard"):
                more = {"win", "chow", "pung", "kong"} - value - ({"win"} if field.name == "claims" else set())
                made += [(f"{field.name} with {one}", value | {one}) for one in sorted(more)]
            if field.name == "moves":
                for i, (a, b, c, d) in enumerate(value):
                    made.append((f"moves[{i}] with two seats changed", (*value[:i], (b, a, c, d), *value[i + 1 :])))
                    made.append((f"moves[{i}] with two others changed", (*value[:i], (a, b, d, c), *value[i + 1 :])))
                    made.append((f"moves without [{i}]", (*value[:i], *value[i + 1 :])))
            for text, new in made:
                yield changed(f"{part}: {text}", old, field.name, new)
    for i, fault in enumerate(rules.faults):
        for name in ("points", "to", "barred", "again", "remedies"):
            value = getattr(fault, name)
            made = list(altered(value, name)) if name in ("points", "barred", "again") else []
            made += [(f"to {value} -> {new}", new) for new in words.get(name, ()) if new != value]
            if name == "remedies" and value:
                made.append(("one remedy less", value[1:]))
            for text, new in made:
                faults = (*rules.faults[:i], fault._replace(**{name: new}), *rules.faults[i + 1 :])
                yield changed(f"fault {fault.key}: {text}", rules, "faults", faults)
    yield changed(f"zero_sum {rules.zero_sum} -> {not rules.zero_sum}", rules, "zero_sum", not rules.zero_sum)


def figures_of(family: str) -> Iterator[RowMutant]:
    """Yield every mutant of the numbers that modules of a family compute with."""
    for path in sorted((ROOT / "src/quepu/rulebooks" / family).glob("*.py")):
        if path.stem in NO_FIGURES:
            continue
        module = importlib.import_module(f"quepu.rulebooks.{family}.{path.stem}")
        for name, value in sorted(vars(module).items()):
            own = f"\n{name}" in path.read_text("utf-8") or f"\n{name}:" in path.read_text("utf-8")
            if not own or isinstance(value, type) or (callable(value) and not hasattr(value, "_asdict")):
                continue
            if is_dataclass(value) or type(value).__module__.startswith("quepu.hands") or name == "ROWS":
                continue  # rows are part of the book already
            for text, new in altered(value, name):
                yield RowMutant(f"{path.stem}: {text}", -1, lambda m=module, n=name, v=value, w=new: _set(m, n, v, w))  # type: ignore[misc]


def _set(module: Any, name: str, old: Any, new: Any) -> None:
    if isinstance(old, dict):
        old.clear()
        old.update(new)
        return
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").startswith("quepu.rulebooks") and vars(other).get(name) is old:
            setattr(other, name, new)
    setattr(module, name, new)
