"""The difference between two rulebooks: fans added, removed, renamed, revalued, redefined, with other relations."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from quepu.errors import Text, join_list
from quepu.rules.digest import expression
from quepu.rules.faults import RECEIVERS
from quepu.rules.figures_diff import figure_changes
from quepu.rules.formula import Formula
from quepu.rules.guide import Paragraph, Section, guide
from quepu.rules.play_rules import play_rules
from quepu.rules.play_words import FIELDS, FLOWER_VALUE, SETTINGS, play_words, setting_words
from quepu.rules.row import EACH, Fan, split_value
from quepu.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class FanChange:
    """A fan of the old book and the same fan in the new one, and how they differ.

    `redefined`: its wording differs; `restated`: the wording of its relations differs, though the relations do not;
    `reread`: the words are the same, but it holds in other hands; `moved`: it is in another category.
    """

    old: Fan
    new: Fan
    renamed: bool
    revalued: bool
    redefined: bool
    restated: bool
    reread: bool
    moved: bool
    lost: Relations
    gained: Relations

    @property
    def differs(self) -> bool:
        """Whether anything differs."""
        return self.renamed or self.revalued or self.reworded or self.reread or self.moved or self.related

    @property
    def reworded(self) -> bool:
        """Whether the sentence differs in more than its value and its listed relations."""
        return self.redefined or self.restated

    @property
    def related(self) -> bool:
        """Whether 不计 or 互斥 differ."""
        return bool(self.lost or self.gained)

    def told_relations(self) -> list[tuple[frozenset[str], Text]]:
        """Return the fans of each change of relations, and the words that follow this fan's name; {} are those fans."""
        told = (
            (self.gained.drops, Text(" 不计{}", ": {} no longer counted with it")),
            (self.lost.drops, Text(" 取消不计{}", ": now counted together with {}")),
            (self.gained.conflicts, Text(" 与{}互斥", ": now mutually exclusive with {}")),
            (self.lost.conflicts, Text(" 与{}不再互斥", ": no longer mutually exclusive with {}")),
        )
        return [(fans, says) for fans, says in told if fans]


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations of a fan, which drops (不计) and excludes (互斥) these, by the new book's names if it has them."""

    drops: frozenset[str] = frozenset()
    conflicts: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.drops or self.conflicts)


class Reworded(NamedTuple):
    """A section of the rules in words: paragraphs only in the old book, and only in the new one."""

    title: Text
    old: tuple[Text, ...]
    new: tuple[Text, ...]


class PlayChange(NamedTuple):
    """A rule of table or match, a fault or a setting, by its key and name, in both books."""

    what: str
    label: Text
    old: Text
    new: Text

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"what": self.what, **{key: getattr(self, key)._asdict() for key in ("label", "old", "new")}}


_NONE = Text("无", "none")


class _Told(NamedTuple):
    """A rule in words: its name and its value."""

    label: Text
    value: Text


def _describe_play(book: Rulebook) -> dict[str, _Told]:
    """Return a book's rules of table, match and faults in words, by key."""
    rules = play_rules(book)
    found: dict[str, _Told] = {}
    for part in (rules.table, rules.match):
        found |= {key: _Told(FIELDS[key], value) for key, value in play_words(part).items()}
    found["flower_value"] = _Told(FLOWER_VALUE, setting_words(book.flower_value))
    for fault in rules.faults:
        barred = Text("、停和", ", dead hand") if fault.barred else Text("", "")
        price, to = fault.price, RECEIVERS[fault.to]
        if fault.points or fault.again:
            price = Text(f"{price.zh}（{to.zh}）", f"{price.en} ({to.en})")
        found[fault.key] = _Told(fault.name, Text(price.zh + barred.zh, price.en + barred.en))
    return found


def _settings(book: Rulebook, told: Container[str]) -> dict[str, _Told]:
    """The settings of a book in words, by key, without those `told` elsewhere."""
    options = {option.former or option.key: option for option in book.options}
    found = {}
    for key, value in book.settings.items():
        if key in told or key in _IN_PLAY:
            continue
        if key in options:
            found[key] = _Told(options[key].text, options[key].in_words(value))
        else:
            found[key] = _Told(SETTINGS.get(key) or Text(key, key), setting_words(value))
    return found


_IN_PLAY = ("faults", "table", "match", "classes of new fans", "classes of changed fans", "residues", "joining")
"""Settings that a house writes for its table, told by the rules of play, and classes, told with the fans."""


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences between two books. `changed` holds the fans in both that differ."""

    old: Rulebook
    new: Rulebook
    added: tuple[Fan, ...]
    removed: tuple[Fan, ...]
    changed: tuple[FanChange, ...]
    reworded: tuple[Reworded, ...] = ()
    rewritten: tuple[Fan, ...] = ()
    """Fans of the new book whose condition is written otherwise and holds alike in every hand that was tried."""
    figures: tuple[PlayChange, ...] = ()
    """Columns of the family and residues that differ."""

    @property
    def same(self) -> bool:
        """Whether the two have the same fans."""
        return not (self.added or self.removed or self.changed)

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """Options in both books with different choices: by key, the old choice and the new."""
        keys = {option.key: option.choices[0] for option in self.old.options}
        both = [(option.key, option.choices[0]) for option in self.new.options if option.key in keys]
        chosen = {key: (self.old.chosen.get(key, keys[key]), self.new.chosen.get(key, first)) for key, first in both}
        return {key: pair for key, pair in chosen.items() if pair[0] != pair[1]}

    @property
    def play(self) -> tuple[PlayChange, ...]:
        """Differences at the table, in a match and in payments: kongs, the last tile, seats, faults, caps."""
        told = {
            name for option in self.new.options if option.key in self.options for name in (option.key, option.former)
        }
        before, after = _settings(self.old, told), _settings(self.new, told)
        if self.old.play and self.new.play:
            before |= _describe_play(self.old)
            after |= _describe_play(self.new)
        changes = []
        for key in dict.fromkeys([*before, *after]):
            label = (after.get(key) or before[key]).label
            old, new = (side[key].value if key in side else _NONE for side in (before, after))
            if old != new:
                changes.append(PlayChange(key, label, old, new))
        return tuple(changes)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Return plain data; in English categories have their English names as well."""

        def write_category(change: FanChange) -> dict[str, Any]:
            old, new = change.old.category, change.new.category
            if not change.moved or lang != "en":
                return {"category": [old, new] if change.moved else None}
            english = [self.old.class_name(old, lang), self.new.class_name(new, lang)]
            return {"category": [old, new], "category_english": english}

        return {
            "old": self.old.id,
            "new": self.new.id,
            "minimum": [self.old.minimum, self.new.minimum],
            "options": {key: list(pair) for key, pair in self.options.items()},
            "added": [{"name": fan.name, "english": fan.english, "value": fan.parts} for fan in self.added],
            "removed": [{"name": fan.name, "english": fan.english, "value": fan.parts} for fan in self.removed],
            "changed": [
                {
                    "name": change.new.name,
                    "english": change.new.english,
                    "renamed_from": change.old.name if change.renamed else None,
                    "value": [change.old.parts, change.new.parts] if change.revalued else None,
                    "sentence": [change.old.sentence, change.new.sentence] if change.reworded else None,
                    "holds_in_other_hands": change.reread,
                    **write_category(change),
                    "no_longer_drops": sorted(change.lost.drops),
                    "now_drops": sorted(change.gained.drops),
                    "no_longer_conflicts": sorted(change.lost.conflicts),
                    "now_conflicts": sorted(change.gained.conflicts),
                }
                for change in self.changed
            ],
            "rewritten": [fan.name for fan in self.rewritten],
            "figures": [one.to_json() for one in self.figures],
            "play": [one.to_json() for one in self.play],
            "rules": [
                {
                    "section": one.title._asdict(),
                    "old": [t._asdict() for t in one.old],
                    "new": [t._asdict() for t in one.new],
                }
                for one in self.reworded
            ],
        }


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
            match = next((other for other in free.values() if _is_same(fan, other)), None)
            if match is not None:
                pairs[fan.name] = match.name
                del free[match.name]
    changes, rewritten = [], []
    for fan in old.fans:
        if fan.name in pairs:
            change = _change(old, new, fan, new.fan(pairs[fan.name]), pairs)
            if change.differs:
                changes.append(change)
            if not change.reread and not change.redefined and expression(fan.when) != expression(change.new.when):
                rewritten.append(change.new)
    return Difference(
        old,
        new,
        added=tuple(fan for fan in new.fans if fan.name in free),
        removed=tuple(fan for fan in old.fans if fan.name not in pairs),
        changed=tuple(changes),
        reworded=_find_reworded(old, new),
        rewritten=tuple(rewritten),
        figures=tuple(PlayChange(*cell) for cell in figure_changes(old, new, pairs)),
    )


def _find_reworded(old: Rulebook, new: Rulebook) -> tuple[Reworded, ...]:
    """Return sections of the two guides that differ, by key, in the new book's order."""
    before, after = ({section.key: section for section in guide(book)} for book in (old, new))
    found = []
    for key in (*after, *(key for key in before if key not in after)):
        sides = [_paragraphs(one[key]) if key in one else {} for one in (before, after)]
        gone = tuple(text for words, text in sides[0].items() if words not in sides[1])
        come = tuple(text for words, text in sides[1].items() if words not in sides[0])
        if gone or come:
            found.append(Reworded((after.get(key) or before[key]).title, gone, come))
    return tuple(found)


def _paragraphs(section: Section) -> dict[str, Text]:
    """Return the paragraphs of a section by their bare words, without numbers of examples."""
    texts = [part.text for part in section.parts if isinstance(part, Paragraph)]
    return {re.sub(r"(?<=例)\d+", "", wording(text.zh)): text for text in texts}


def _is_same(old: Fan, new: Fan) -> bool:
    names = {old.name, *old.aliases} & {new.name, *new.aliases}
    return bool(names) or wording(old.sentence) == wording(new.sentence)


_MARKS = str.maketrans("，。；：、（）“”‘’", ",.;:,()\"\"''")
_BESIDE = re.compile(r"(?<=[.)])(?:计\d+副\d翻|不计|可加计|与[^.]*互斥)[^.]*")
"""Clauses about a fan's value and relations, which are compared by themselves."""


def wording(sentence: str) -> str:
    """Reduce a sentence to its words: without spaces, with uniform punctuation and a uniform 幺."""
    return "".join(sentence.split()).translate(_MARKS).replace("么", "幺").rstrip(".")


def _beside(sentence: str) -> dict[str, str]:
    """Return the clauses of a sentence about what counts beside the fan, by kind."""
    clauses = re.findall(r"(?<=[.)])(不计|可加计|与(?=[^.]*互斥))([^.]*)", wording(sentence) + ".")
    return {kind: "、".join(sorted(names.removesuffix("互斥").split("、"))) for kind, names in clauses}


def definition(sentence: str) -> str:
    """Return the part of a sentence that defines the fan, without its value, 不计 and 互斥."""
    return re.sub(r"\.+", ".", _BESIDE.sub("", wording(sentence) + ".")).strip(".")


def _change(old: Rulebook, new: Rulebook, a: Fan, b: Fan, pairs: Mapping[str, str]) -> FanChange:
    before, after = _relations(old, a, pairs), _relations(new, b, {})
    words = definition(a.sentence) != definition(b.sentence)
    lost = Relations(before.drops - after.drops, before.conflicts - after.conflicts)
    gained = Relations(after.drops - before.drops, after.conflicts - before.conflicts)
    listed = {"不计": lost.drops | gained.drops, "与": lost.conflicts | gained.conflicts}
    old_clauses, new_clauses = _beside(a.sentence), _beside(b.sentence)
    restated = any(
        old_clauses.get(kind) != new_clauses.get(kind) and not listed.get(kind) for kind in {*old_clauses, *new_clauses}
    )
    return FanChange(
        old=a,
        new=b,
        renamed=a.name != b.name,
        revalued=a.parts != b.parts,
        redefined=words,
        restated=restated and not words,
        reread=not words and _holds_otherwise(old, new, a, b),
        moved=a.category != b.category,
        lost=lost,
        gained=gained,
    )


def _holds_otherwise(old: Rulebook, new: Rulebook, a: Fan, b: Fan) -> bool:
    """Whether two conditions hold in other hands; a formula that is only written otherwise does not."""
    if expression(a.when) == expression(b.when):
        return False
    if (a.of == EACH) != (b.of == EACH) or not any(isinstance(one.when, Formula) for one in (a, b)):
        return True
    from quepu.rules.condition_trial import tell_apart

    return tell_apart(a.when, b.when, (old, new))


def _relations(book: Rulebook, fan: Fan, names: Mapping[str, str]) -> Relations:
    row = book.index[fan.name]

    def find_names(mask: int) -> frozenset[str]:
        if not mask:
            return frozenset()
        return frozenset(names.get(f.name, f.name) for i, f in enumerate(book.fans) if mask >> i & 1)

    return Relations(find_names(book.drops[row]), find_names(book.conflicts[row]))


def edition_changes(old: Rulebook, new: Rulebook) -> dict[str, list[Text]]:
    """Return the changes as lines by kind: "values", "relations", "wording"."""
    found = difference(old, new)
    values, related, words = [], [], []
    names = {fan.name: fan.english for book in (old, new) for fan in book.fans}
    if old.minimum != new.minimum:
        values.append(Text(f"起和 {old.minimum} → {new.minimum}", f"minimum {old.minimum} → {new.minimum}"))
    options = {option.key: option for option in (*old.options, *new.options)}
    for key, (before, after) in found.options.items():
        title, was, now = options[key].text, options[key].in_words(before), options[key].in_words(after)
        values.append(Text(f"{title.zh}：{was.zh} → {now.zh}", f"{title.en}: {was.en} → {now.en}"))
    values += [
        Text(f"新增 {fan.name}（{_value_text(fan)}）", f"new: {fan.english_and_name} ({_value_text(fan)})")
        for fan in found.added
    ]
    values += [Text(f"删去 {fan.name}", f"dropped: {fan.english_and_name}") for fan in found.removed]
    for change in found.changed:
        name, english = change.new.name, change.new.english_and_name
        if change.revalued:
            pair = f"{_value_text(change.old)} → {_value_text(change.new)}"
            values.append(Text(f"{name} {pair}", f"{english} {pair}"))
        if change.renamed:
            words.append(Text(f"{change.old.name} 改名 {name}", f"{change.old.name} is now {english}"))
        if change.redefined or change.reread:
            before, after = (Text(fan.in_words("zh"), fan.in_words("en")) for fan in (change.old, change.new))
            zh = f"：{before.zh} → {after.zh}" if before.zh != after.zh else ""
            en = f": {before.en} → {after.en}" if before.en != after.en else ""
            words.append(Text(f"{name} 的定义有改{zh}", f"{english} has a different definition{en}"))
        if change.restated:
            pair = f"{change.old.sentence} → {change.new.sentence}"
            words.append(Text(f"{name} 的文字有改：{pair}", f"{english} is reworded: {pair}"))
        for fans, says in change.told_relations():
            listed = join_list(Text(fan, names.get(fan, fan)) for fan in sorted(fans))
            related.append(Text(name + says.zh.format(listed.zh), english + says.en.format(listed.en)))
    return {"values": values, "relations": related, "wording": words}


def _value_text(fan: Fan) -> str:
    return " · ".join("/".join(map(str, split_value(one).values())) for one in (fan.value, *fan.other_values.values()))
