"""Changes from one rulebook to another, as a document for readers of the edition (Markdown)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from quepu.errors import Text, join_list
from quepu.rules.arithmetic import ResidueArithmetic
from quepu.rules.diff import Difference, FanChange, PlayChange, difference
from quepu.rules.formula import Formula
from quepu.rules.formula_tree import write_formula
from quepu.rules.row import Fan, value_text
from quepu.rules.rulebook import Rulebook

_NEW: Final = Text("新番种", "New fans")
_GONE: Final = Text("删去的番种", "Fans left out")
_RENAMED: Final = Text("改名", "Renamed")
_VALUES: Final = Text("番值", "Values")
_HOLDS: Final = Text("何时成立", "When fans hold")
_BESIDE: Final = Text("不计与互斥", "Exclusions")
_COUNTING: Final = Text("怎么算", "How hands are scored")
_RESIDUES: Final = Text("表格与剩余数", "Tables and residues")
_PLAY: Final = Text("牌桌与对局", "Table and match")
_CLASSES: Final = Text("类别", "Categories")


def change_list(old: Rulebook, new: Rulebook, lang: str) -> str:
    """Return the changes as Markdown in one language; sections without changes are left out."""
    found = difference(old, new)
    title = Text(f"{new.title.zh}：与{old.title.zh}的不同", f"{new.title.en}: differences from {old.title.en}")
    sections = (
        (_NEW, [_new(new, fan, lang) for fan in found.added]),
        (_GONE, [f"- {_name(fan, lang)}" for fan in found.removed]),
        (_RENAMED, [_tell_rename(one, lang) for one in found.changed if one.renamed]),
        (_VALUES, [_tell_value(one, lang) for one in found.changed if one.revalued]),
        (_CLASSES, [_tell_move(found, one, lang) for one in found.changed if one.moved]),
        (_HOLDS, [_tell_condition(one, lang) for one in found.changed if one.redefined or one.reread]),
        (_BESIDE, [line for one in found.changed if one.related for line in _tell_relations(found, one, lang)]),
        (_COUNTING, _counting(found, lang)),
        (_RESIDUES, _cells(found.figures, lang)),
        (_PLAY, _cells(found.play, lang)),
    )
    body = [f"## {head.say(lang)}\n\n" + "\n".join(lines) for head, lines in sections if lines]
    if not body:
        body = [Text("两本没有不同。", "The two do not differ.").say(lang)]
    return f"# {title.say(lang)}\n\n" + "\n\n".join(body) + "\n"


_COLON: Final = Text("：", ": ")


def _name(fan: Fan, lang: str) -> str:
    return fan.name if lang == "zh" else fan.english_and_name


def _list_names(books: Iterable[Rulebook], names: Iterable[str], lang: str) -> str:
    """Return names of fans as a list; a fan stands in one of the books, that of an earlier one being overruled."""
    words = {fan.name: _name(fan, lang) for book in books for fan in book.fans}
    return join_list(words.get(name, name) for name in sorted(names)).say(lang)


def _new(book: Rulebook, fan: Fan, lang: str) -> str:
    category = book.class_name(fan.category, lang)
    text = f"- **{_name(fan, lang)}** · {value_text(fan.parts, lang)} · {category}"
    sentence = fan.in_words(lang)
    if isinstance(fan.when, Formula):
        words = write_formula(fan.when.tree, lang)
        if sentence != fan.when.text:
            text += f"\n  {sentence}"
        text += f"\n  `{words}`"
    else:
        text += f"\n  {sentence}"
    for names, says in ((fan.drops, _DROPS), (fan.conflicts, _EXCLUDES)):
        if names:
            text += f"\n  {says.say(lang)}{_list_names((book,), names, lang)}"
    return text + _groups(book, fan, lang)


def _groups(book: Rulebook, fan: Fan, lang: str) -> str:
    """Return the groups and priority of a fan, and what it leaves others, where the book adds by residues."""
    if not isinstance(book.arithmetic, ResidueArithmetic):
        return ""
    figures, row = book.arithmetic.residue_figures(book), book.index[fan.name]
    head = Text(
        f"涉及 {figures.groups[row]} 组，优先级 {figures.priority[row]}",
        f"groups: {figures.groups[row]}, priority: {figures.priority[row]}",
    )
    text = f"\n  {head.say(lang)}"
    left = [
        f"{_name(other, lang)} {n}/{figures.groups[i]}"
        for i, other in enumerate(book.fans)
        if i != row and (n := figures.remaining[row][i]) < figures.groups[i]
    ]
    if left:
        text += f"\n  {Text('计它之后剩：', 'left after it: ').say(lang)}{join_list(left).say(lang)}"
    return text


_DROPS: Final = Text("不计：", "not counted with it: ")
_EXCLUDES: Final = Text("互斥：", "mutually exclusive with: ")


def _tell_rename(one: FanChange, lang: str) -> str:
    return f"- {one.old.name} → {_name(one.new, lang)}"


def _tell_value(one: FanChange, lang: str) -> str:
    old, new = (value_text(fan.parts, lang) for fan in (one.old, one.new))
    return f"- {_name(one.new, lang)}{_COLON.say(lang)}{old} → {new}"


def _tell_move(found: Difference, one: FanChange, lang: str) -> str:
    old, new = (book.class_name(fan.category, lang) for book, fan in ((found.old, one.old), (found.new, one.new)))
    return f"- {_name(one.new, lang)}{_COLON.say(lang)}{old} → {new}"


def _tell_condition(one: FanChange, lang: str) -> str:
    before, after = one.old.in_words(lang), one.new.in_words(lang)
    text = (
        f"- {_name(one.new, lang)}{_COLON.say(lang)}{before} → {after}"
        if before != after
        else f"- {_name(one.new, lang)}{_COLON.say(lang)}{after}"
    )
    if isinstance(one.new.when, Formula):
        text += f"\n  `{write_formula(one.new.when.tree, lang)}`"
    return text


def _tell_relations(found: Difference, one: FanChange, lang: str) -> list[str]:
    return [
        f"- {_name(one.new, lang)}{says.say(lang).format(_list_names((found.old, found.new), names, lang))}"
        for names, says in one.told_relations()
    ]


def _counting(found: Difference, lang: str) -> list[str]:
    lines: list[str] = []
    if found.old.minimum != found.new.minimum:
        lines.append(f"- {Text('起和', 'minimum').say(lang)} {found.old.minimum} → {found.new.minimum}")
    options = {option.key: option for option in (*found.old.options, *found.new.options)}
    for key, (before, after) in found.options.items():
        option = options[key]
        words = [option.in_words(choice).say(lang) for choice in (before, after)]
        lines.append(f"- {option.text.say(lang)}{_COLON.say(lang)}{words[0]} → {words[1]}")
    return lines


def _cells(cells: Iterable[PlayChange], lang: str) -> list[str]:
    return [f"- {one.label.say(lang)}{_COLON.say(lang)}{one.old.say(lang)} → {one.new.say(lang)}" for one in cells]
