"""What is different between two rulebooks: fans added, removed, renamed, revalued, redefined, related otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quepu.rulebook import Fan, Rulebook


@dataclass(frozen=True, slots=True)
class Change:
    """A fan of the old book and the same fan in the new one, and in what they differ."""

    old: Fan
    new: Fan
    renamed: bool
    revalued: bool
    redefined: bool
    lost: Relations
    gained: Relations

    @property
    def related(self) -> bool:
        """Whether 不计 or 互斥 differ."""
        return bool(self.lost or self.gained)


@dataclass(frozen=True, slots=True)
class Relations:
    """What a fan keeps out (不计) and excludes (互斥), by the new book's names where the fan is in both."""

    drops: frozenset[str] = frozenset()
    conflicts: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.drops or self.conflicts)


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs between two books. `changed` holds the fans of both that are not the same in everything."""

    old: Rulebook
    new: Rulebook
    added: tuple[Fan, ...]
    removed: tuple[Fan, ...]
    changed: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether the two have the same fans."""
        return not (self.added or self.removed or self.changed)

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """Options that both books have and that are chosen differently: by key, the old choice and the new."""
        keys = {option.key: option.choices[0] for option in self.old.options}
        both = [(option.key, option.choices[0]) for option in self.new.options if option.key in keys]
        chosen = {key: (self.old.chosen.get(key, keys[key]), self.new.chosen.get(key, first)) for key, first in both}
        return {key: pair for key, pair in chosen.items() if pair[0] != pair[1]}

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "old": self.old.id,
            "new": self.new.id,
            "minimum": [self.old.minimum, self.new.minimum],
            "options": {key: list(pair) for key, pair in self.options.items()},
            "added": [{"name": fan.name, "english": fan.english, "value": plain(fan.value)} for fan in self.added],
            "removed": [{"name": fan.name, "english": fan.english, "value": plain(fan.value)} for fan in self.removed],
            "changed": [
                {
                    "name": change.new.name,
                    "english": change.new.english,
                    "renamed_from": change.old.name if change.renamed else None,
                    "value": [plain(change.old.value), plain(change.new.value)] if change.revalued else None,
                    "sentence": [change.old.sentence, change.new.sentence] if change.redefined else None,
                    "no_longer_drops": sorted(change.lost.drops),
                    "now_drops": sorted(change.gained.drops),
                    "no_longer_conflicts": sorted(change.lost.conflicts),
                    "now_conflicts": sorted(change.gained.conflicts),
                }
                for change in self.changed
            ],
        }


def plain(value: Any) -> dict[str, int]:
    """A row's value as a mapping from part to number: {"fu": 8, "fan": 2}, or {"fan": 6}."""
    if isinstance(value, Mapping):
        return dict(value)
    return dict(value._asdict()) if hasattr(value, "_asdict") else {"fan": value}


def difference(old: Rulebook, new: Rulebook) -> Difference:
    """Compare two rulebooks. A fan is the same by its name, else by an alias or by its sentence."""
    pairs: dict[str, str] = {}  # old name → new name
    free = {fan.name: fan for fan in new.fans}
    for fan in old.fans:
        if fan.name in free:
            pairs[fan.name] = fan.name
            del free[fan.name]
    for fan in old.fans:
        if fan.name not in pairs:
            match = next((other for other in free.values() if _same(fan, other)), None)
            if match is not None:
                pairs[fan.name] = match.name
                del free[match.name]
    changes = []
    for fan in old.fans:
        if fan.name in pairs:
            change = _change(old, new, fan, new.fan(pairs[fan.name]), pairs)
            if change.renamed or change.revalued or change.redefined or change.related:
                changes.append(change)
    return Difference(
        old,
        new,
        added=tuple(fan for fan in new.fans if fan.name in free),
        removed=tuple(fan for fan in old.fans if fan.name not in pairs),
        changed=tuple(changes),
    )


def _same(old: Fan, new: Fan) -> bool:
    names = {old.name, *old.aliases} & {new.name, *new.aliases}
    return bool(names) or wording(old.sentence) == wording(new.sentence)


def wording(sentence: str) -> str:
    """A sentence without spaces and with one sort of punctuation: only its words tell two editions apart."""
    return "".join(sentence.split()).translate(str.maketrans("，。；：、（）", ",.;:,()")).rstrip(".")


def _change(old: Rulebook, new: Rulebook, a: Fan, b: Fan, pairs: Mapping[str, str]) -> Change:
    before, after = _relations(old, a, pairs), _relations(new, b, {})
    return Change(
        old=a,
        new=b,
        renamed=a.name != b.name,
        revalued=plain(a.value) != plain(b.value),
        redefined=wording(a.sentence) != wording(b.sentence),
        lost=Relations(before.drops - after.drops, before.conflicts - after.conflicts),
        gained=Relations(after.drops - before.drops, after.conflicts - before.conflicts),
    )


def _relations(book: Rulebook, fan: Fan, names: Mapping[str, str]) -> Relations:
    row = next(i for i, other in enumerate(book.fans) if other.name == fan.name)

    def named(mask: int) -> frozenset[str]:
        return frozenset(names.get(f.name, f.name) for i, f in enumerate(book.fans) if mask >> i & 1)

    return Relations(named(book.drops[row]), named(book.conflicts[row]))
