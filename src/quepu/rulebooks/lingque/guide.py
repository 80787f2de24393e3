"""The guide of 灵雀 besides its fans: rules.toml, its two tables, its numbered examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from quepu.errors import Text
from quepu.hands.notation import parse
from quepu.rulebooks.lingque.arithmetic import own_arithmetic
from quepu.rulebooks.lingque.jumps import USUAL_JUMP
from quepu.rulebooks.lingque.row import FuFan, LingqueExtra
from quepu.rules.guide import Grid, Paragraph, Part, Section, Shown, examples, faults, read
from quepu.rules.measured_figures import figures
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.shapes.readings import readings

_HERE = Path(__file__).parent
_PAIRS = ((3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 4))
"""The larger and the smaller fan of 表 1, as the book prints it."""


def sections(book: Rulebook) -> tuple[Section, ...]:
    """Return the rules in words, the tables and the examples of an edition or a house rule of it."""
    makers = {
        "jumps": _jumps, "summary": _summary, "examples": _examples, "readings": _readings, "faults": faults,
    }  # fmt: skip
    return read(_HERE / "rules.toml", book, makers)


def _jumps(book: Rulebook, _words: str) -> Iterable[Part]:
    """表 1: show the result of two fans of different categories, open and closed."""
    arithmetic = own_arithmetic(book)
    factor = arithmetic.factor
    some = [(f0, f1) for f0 in range(1, 7) for f1 in range(1, f0 + 1) if factor(False, f0, f1) > f0]
    pairs = _PAIRS if arithmetic.jump == USUAL_JUMP else some
    rows = [(f0, f1, factor(False, f0, f1), factor(True, f0, f1)) for f0, f1 in pairs]
    cells = [tuple(Text(str(cell), str(cell)) for cell in row) for row in rows]
    closed = f"f1 + {factor(True, 1, 0) - 1}"
    cells.append((Text("其余情况", "any other"), Text("", ""), Text("f1", "f1"), Text(closed, closed)))
    yield Grid(
        Text("表 1：翻数计算参照表", "Table 1: the fan of a hand"),
        (Text("较大翻数 f1", "larger fan f1"), Text("较小翻数 f2", "smaller fan f2"), Text("非门清计翻", "fan, open"),
         Text("门清计翻", "fan, closed")),
        tuple(cells),
        (0, 1, 2, 3),
        Text("见于第二十六版丁1；这里的 f1、f2 即上文的 f0、f1。", "From 丁1 of the 26th edition; its f1 and f2 are f0 and f1 above."),
    )  # fmt: skip


_PRINTED_LEAST = {"29": {"岭上开花": 16}}
"""Points that an edition's table prints on purpose although no hand with the fan scores so few (LQ26)."""


class _Line(NamedTuple):
    """A row of 番种简表 before it is sorted."""

    name: Text
    row: Fan
    value: FuFan
    least: int


def _summary(book: Rulebook, _words: str) -> Iterable[Part]:
    """番种简表: list every row by its least points (by 副 × 翻 if unknown), 番牌 as pair and pung apart."""
    measured = figures(book)
    printed = _PRINTED_LEAST.get(book.edition, {}) if measured else {}
    lines: dict[str, _Line] = {}
    for row in book.fans:
        pair = row.own(LingqueExtra).pair
        if pair is None:
            least = printed.get(row.name) or (measured[row.name].least if row.name in measured else None)
            lines[row.name] = _Line(
                Text(row.name, f"{row.name} {row.english}"), row, row.value, least or row.value.fu * row.value.fan
            )
        else:  # the four 番牌 take two lines each, as in the book
            for zh, en, value in (("番牌（对）", "番牌, a pair", pair), ("番牌（刻）", "番牌, a pung", row.value)):
                lines[zh] = _Line(Text(zh, en), row, value, value.fu * value.fan)
    rows = []
    for line in sorted(lines.values(), key=lambda line: line.least):
        numbers = (*line.value, line.least) if measured else line.value
        category = Text(line.row.category, book.class_name(line.row.category, "en"))
        rows.append((line.name, category, *(Text(str(n), str(n)) for n in numbers)))
    heads = (
        Text("番种", "fan"),
        Text("类别", "category"),
        Text("副数", "fu"),
        Text("翻数", "fan"),
        Text("点数", "points"),
    )
    note = None
    if measured and book.edition == "29":
        note = Text(  # rulings LQ-E1, LQ-E7, LQ26
            "原书印作镜同对 12 副、100 点，清幺九属字牌类，四杠属幺九类，皆为误印。"
            f"岭上开花照原书印 16 点，这样的和牌实际至少 {measured['岭上开花'].least} 点。",
            "Misprinted in the book: 镜同对 12 fu, 100 points; the classes of 清幺九 and 四杠. "
            f"岭上开花 is printed as 16, as in the book; the least such hand comes to {measured['岭上开花'].least}.",
        )
    elif measured:
        note = Text(
            "此版原书无此表；点数为逐一枚举所得。", "This edition prints no such table; the points are enumerated."
        )
    width = 5 if measured else 4
    yield Grid(Text("番种简表", "Fans by points"), heads[:width], tuple(rows), tuple(range(2, width)), note)


def _examples(book: Rulebook, words: str) -> Iterable[Part]:
    """List numbered examples: all, or a range of numbers."""
    first, _, last = words.partition("-")
    numbers = range(int(first), int(last or first) + 1) if words else range(1, 1000)
    found = list(examples(_HERE / "examples.toml", lambda entry: entry.get("number") in numbers, book))
    for number in numbers if words else ():
        places = {part.label.zh: at for at, part in enumerate(found) if isinstance(part, Shown)}
        if f"例 {number}" not in places:
            next_one = next((places[f"例 {n}"] for n in numbers if n > number and f"例 {n}" in places), len(found))
            found.insert(
                next_one,
                Paragraph(
                    Text(
                        f"例 {number}　计 自摸、杠、三暗刻、幺九刻、喜相逢，共 26 副 3 翻 78 点。没有这样的牌：三个刻子只余一副顺子，喜相逢需两副。",
                        f"Example {number} counts 自摸, 杠, 三暗刻, 幺九刻, 喜相逢: 26 fu, 3 fan, 78 points. There is no such "
                        "hand: three pungs leave one chow, and 喜相逢 needs two.",
                    ),
                    ruling="LQ-E4",
                ),
            )
    yield from found


def _readings(book: Rulebook, _words: str) -> Iterable[Part]:
    """Show the two readings of the mirrored hand's example."""
    number = {"29": "88", "26": "91"}[book.edition]
    found = examples(_HERE / "examples.toml", lambda entry: str(entry.get("number")) == number, book)
    hand = next(part.example.hand for part in found if isinstance(part, Shown))
    points: dict[str, int] = {}
    for reading in readings(parse(hand), book.shapes, book.reads):
        way = reading.text()
        points[way] = max(points.get(way, 0), book.tally(reading.h).points)
    ways = sorted(points, key=lambda way: -points[way])  # the text calls the more valuable one the first
    rows = tuple((Text(f"第{'一二三四五六'[i]}种", f"way {i + 1}"), Text(way, way)) for i, way in enumerate(ways[:2]))
    yield Grid(Text("两种拆解方式", "The two ways"), (Text("", ""), Text("雀头与面子", "pair and sets")), rows)
