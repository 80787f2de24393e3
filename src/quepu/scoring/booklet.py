"""A rulebook as a typeset booklet: one HTML page for paper, with a picture of every tile of every example.

Its text stands in the book's order; then come the fans by value, the changes since another edition and the rulings. The
page loads nothing; tiles are drawn by `quepu.hands.drawing`, each face once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from html import escape

from quepu.errors import Error, Text, join_list
from quepu.hands.drawing import hand_html, tile_svg
from quepu.hands.notation import parse
from quepu.rules.circumstances import english_name
from quepu.rules.diff import edition_changes
from quepu.rules.guide import Grid, Paragraph, Part, guide
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.rules.row import Example, Fan, amount, split_value, texts_in_columns, value_text
from quepu.rules.rulebook import Option, Rulebook
from quepu.scoring.describe import drops_in_words, score_example
from quepu.tiles import FLOWERS, FLOWERS_ENGLISH

_WORDS = {
    "fans": Text("番种", "Fans"),
    "brief": Text("番种表（按值）", "Fans by value"),
    "changes": Text("改动", "What changed"),
    "values": Text("值", "Values"),
    "relations": Text("关系", "Relations"),
    "wording": Text("文字与定义", "Wording"),
    "rulings": Text("裁定", "Rulings"),
    "open": Text("（待作者定）", " (open question)"),
    "drops": Text("不计：", "Not counted with it: "),
    "conflicts": Text("互斥：", "Mutually exclusive with: "),
    "contents": Text("目录", "Contents"),
    "pays": Text("怎样付", "Payments"),
    "between": Text("中间的番数照上下两行推算。", "Numbers of fan in between follow from the rows around them."),
}
_STYLE = """
@page { size: SIZE; margin: MARGIN; @bottom-center { content: counter(page); font-size: 8pt; } }
* { box-sizing: border-box; }
body { font: 9.5pt/1.5 "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", serif; color: #111; margin: 0 auto;
  max-width: 190mm; }
h1, h2, h3, h4 { font-family: "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", sans-serif; line-height: 1.3;
  break-after: avoid; }
h1 { font-size: 24pt; text-align: center; margin: 48mm 0 6mm; }
h2 { font-size: 14pt; border-bottom: .5pt solid #111; margin: 9mm 0 3mm; }
h3 { font-size: 11pt; margin: 5mm 0 2mm; }
p, ul { margin: 0 0 2mm; }
h2 + p { break-after: avoid; break-inside: avoid; }
ul { padding-left: 5mm; }
.cover { text-align: center; break-after: page; }
.cover ol { text-align: left; display: inline-block; margin-top: 14mm; }
article { break-inside: avoid; margin: 0 0 3.5mm; }
article h4 { font-size: 10.5pt; margin: 0; display: flex; gap: 2mm; align-items: baseline; }
article h4 small { font-weight: 400; color: #555; flex: 1; }
.cap { font-size: 8pt; color: #444; line-height: 1.4; }
blockquote { margin: 0 0 2mm; padding-left: 3mm; border-left: 1.5pt solid #bbb; color: #333; }
table { border-collapse: collapse; margin: 0 0 3mm; font-size: 8.5pt; }
td, th { border: .4pt solid #888; padding: .7mm 1.6mm; text-align: left; vertical-align: top; }
th { background: #eee; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
.value { white-space: nowrap; }
tr { break-inside: avoid; }
tr:nth-last-child(-n + 3) { break-before: avoid; }
svg.t { width: 4.6mm; height: 6.1mm; vertical-align: middle; }
.hand { display: block; margin: .6mm 0; }
.halves { display: flex; gap: 7mm; align-items: flex-start; break-inside: avoid; }
.halves td, .halves th { padding: .4mm 1.6mm; }
.columns { columns: 2; column-gap: 7mm; }
.columns svg.t { width: 4mm; height: 5.3mm; }
.sheet h1 { font-size: 14pt; margin: 0 0 2mm; }
.sheet { font-size: SHEET; }
.sheet .columns { columns: 2; column-gap: 6mm; line-height: 1.5; }
.sheet .columns p { margin: 0 0 1.6mm; }
.club { font-size: calc(SHEET * .82); line-height: 1.35; }
.club table { font-size: inherit; margin: 0 0 2mm; }
.club td, .club th { padding: .35mm 1.4mm; }
.club h3 { font-size: 1.15em; margin: 2mm 0 1mm; }
.club li, .club .cap { font-size: .92em; line-height: 1.3; }
.tiles h1 { font-size: 12pt; margin: 0 0 2mm; }
.tiles > div { column-gap: 4mm; font-size: calc(var(--row) * .42); line-height: 1.05; }
.tiles .row { display: flex; align-items: center; gap: .35em; height: var(--row); break-inside: avoid;
  border-bottom: .2pt solid #bbb; overflow: hidden; padding-right: .3mm; }
.tiles .row b { white-space: nowrap; min-width: 2.2em; }
.tiles .row > span:nth-child(2) { flex: 1; }
.tiles .row small { white-space: nowrap; }
.tiles .row > .long { font-size: .78em; line-height: 1; }
.tiles .row > span:last-child { gap: .35em !important; flex-wrap: nowrap !important; }
.tiles svg.t { width: calc(var(--tile) * .75); height: var(--tile); }
@media screen {
  body { padding: 4mm; background: #fff; font-size: 12pt; color-scheme: light; }
  h1 { margin-top: 8mm; }
  .cap { font-size: 10pt; }
  table { display: block; overflow-x: auto; font-size: 11pt; }
}
@media screen and (max-width: 640px) {
  .columns, .sheet .columns { columns: 1; }
  .halves { flex-wrap: wrap; }
  .hand span { white-space: normal !important; }
}
"""
_ROWS, _NARROW, _SHORT, _LATIN = 20, 40, 8, 0x2E80
_SHEET_LINE, _SHEET_GAP, _SHEET_LINES, _SHEET_MOST = 20.5, 0.25, 72, 1.5
"""Ems of a line of a sheet, lines between two rows, lines that both columns have room for at the usual size, and the
most times that size: larger ones would leave no line whole."""
_TWO_COLUMNS, _PAGE_ROWS, _CARD_ROW, _WIDTHS = 100, 246.0, 8.0, {"A4": 180.0, "A5": 128.0}
"""Of a sheet with tiles: rows that two columns hold, millimetres for the rows of a page, those of a row of a card, and
the width of the page between its margins.
"""
_CARD_ROWS, _CARD_FIRST = 24, 17
"""Rows of payments that a club's card shows whole; of more, the first ones that it shows in any case."""
_LONG_NAME = 28
"""Letters of a name that three columns show in smaller type."""
_SIZES = {"A4": ("A4", "16mm 15mm", "12pt"), "A5": ("A5", "11mm 10mm", "8pt")}


def booklet(book: Rulebook, lang: str, since: Rulebook | None = None, paper: str = "A4") -> str:
    """Return the whole booklet; with `since`, also the changes since that edition."""
    parts = list(_parts(book, lang, since))
    contents = "".join(f"<li>{escape(title)}</li>" for title, _ in parts)
    cover = (
        f"<section class=cover><h1>{escape(book.title.say(lang))}</h1><p class=cap>{book.id} · {book.fingerprint}</p>"
        f"<ol>{contents}</ol></section>"
    )
    body = "".join(f"<section><h2>{escape(title)}</h2>{text}</section>" for title, text in parts)
    return _page(book, lang, cover + body, paper)


def fan_sheet(book: Rulebook, lang: str, paper: str = "A4") -> str:
    """番种表: list every fan by value on one sheet, in the largest type that fits."""
    rows = list(_by_value(book, lang, "<p><b>{}</b> {}</p>"))
    lines = sum(math.ceil(_ems(row) / _SHEET_LINE) + _SHEET_GAP for row in rows)
    size = min(_SHEET_MOST, math.sqrt(_SHEET_LINES / lines))
    return _page(
        book, lang, f'<section class=sheet><h1>{escape(book.title.say(lang))}</h1>'
        f'<div class=columns style="font-size:{size:.2f}em">{"".join(rows)}</div>'
        f"{_foot(book, lang)}</section>", paper,
    )  # fmt: skip


def _foot(book: Rulebook, lang: str) -> str:
    """Return the foot of a sheet: the minimum and the cap, if the book has one, and the book's name."""
    limits = [Text(f"{amount(book.minimum, book.unit).zh}起和", f"minimum {book.minimum}")]
    if book.cap:
        limits.append(Text(f"封顶 {amount(book.cap, book.unit).zh}", f"at most {book.cap} are paid"))
    said = Text("，", ", ").say(lang).join(one.say(lang) for one in limits)
    return f"<p class=cap>{escape(said)} · {book.id} · {book.fingerprint}</p>"


def _names(fan: Fan, lang: str) -> tuple[str, ...]:
    """Return the name of a fan in the language of the sheet, and those in further languages that differ from it."""
    name = fan.name if lang == "zh" else fan.english
    return tuple(dict.fromkeys((name, *texts_in_columns(fan, ("name",)))))


def tile_sheet(book: Rulebook, lang: str, paper: str = "A4") -> str:
    """List every fan by value with its example in tiles: on one A4 page, or on A5 cards."""
    fans = sorted(book.fans, key=lambda fan: -math.prod(split_value(fan.value).values()))
    rows = "".join(
        f"<div class=row><b>{escape(value_text(split_value(fan.value), lang, unit=book.unit))}</b>"
        f"<span{' class=long' if len(name) > _LONG_NAME else ''}>{escape(name)}"
        f"{''.join(f' <small>{escape(other)}</small>' for other in others)}</span>{_tiles(fan.example)}</div>"
        for fan in fans
        for name, *others in (_names(fan, lang),)
    )
    columns = 1 if paper == "A5" else 2 if len(fans) <= _TWO_COLUMNS else 3
    height = _CARD_ROW if paper == "A5" else _PAGE_ROWS / math.ceil(len(fans) / columns)
    width = _WIDTHS[paper] / columns
    style = f"columns:{columns};--row:{height:.2f}mm;--tile:{min(height * 0.78, width * 0.035):.2f}mm"
    return _page(
        book, lang, f'<section class=tiles><h1>{escape(book.title.say(lang))}</h1>'
        f'<div style="{style}">{rows}</div>{_foot(book, lang)}</section>', paper,
    )  # fmt: skip


def club_card(book: Rulebook, lang: str, paper: str = "A5") -> str:
    """Return a card of a club's rules: what it chose, the payments, and what players should know."""
    rules, options = play_rules(book), club_options(book)
    differing = {option.key for option in options if book.choice(option) != option.choices[0]}
    rows = "".join(
        f"<tr><td>{escape(option.text.say(lang))}</td><td><b>{escape(option.in_words(choice).say(lang))}</b></td></tr>"
        for option in options
        if option.matters(differing)
        for choice in (book.choice(option),)
    )
    grid = _pay_table(book, rules, lang)
    notes = "".join(f"<li>{escape(note.say(lang))}</li>" for note in rules.notes)
    head = f"<h1>{escape(book.title.say(lang))}</h1><table>{rows}</table>"
    foot = f"<ul>{notes}</ul><p class=cap>{book.fingerprint}</p>"
    return _page(book, lang, f'<section class="sheet club">{head}{grid}{foot}</section>', paper)


def _pay_table(book: Rulebook, rules: PlayRules, lang: str) -> str:
    """Return the payments of each number of fan under their heading, if the book has such a table.

    Of a long one, so that the card stays on one page: the first rows, and then those of values that a fan has.
    """
    quick = rules.quick_table(None) if rules.quick_table is not None else None
    if quick is None:
        return ""
    rows, note = quick.rows, ""
    if len(rows) > _CARD_ROWS:
        values = {math.prod(split_value(fan.value).values()) for fan in book.fans}
        rows = tuple(row for at, row in enumerate(rows) if at < _CARD_FIRST or row[0] in values)
        note = f"<p class=cap>{escape(_WORDS['between'].say(lang))}</p>"
    cells = tuple(tuple(Text(str(cell), str(cell)) for cell in row) for row in rows)
    grid = Grid(_WORDS["pays"], quick.heads, cells, tuple(range(len(quick.heads))), quick.note)
    return f"<h3>{_WORDS['pays'].say(lang)}</h3>{_table(grid, lang)}{note}"


def club_options(book: Rulebook) -> tuple[Option, ...]:
    """Return the options that a club should settle, in the order in which it is asked."""
    keyed = {option.key: option for option in book.options}
    asked = play_rules(book).club if book.play else ()
    options = tuple(keyed[key] for key in asked if key in keyed) if asked else book.options
    return tuple(option for option in options if len(option.choices) > 1 or option.between is not None)


def _tiles(example: Example | None) -> str:
    return "" if example is None else hand_html(parse(example.hand))


def _ems(row: str) -> float:
    """Return the width of a row's text in ems: a Chinese letter is one, a Latin one about half."""
    return sum(1.0 if ord(letter) > _LATIN else 0.5 for letter in re.sub("<[^>]*>", "", row))


def _page(book: Rulebook, lang: str, body: str, paper: str) -> str:
    """Return the page with each face of a tile in it once."""
    faces = []
    for kind in range(-1, 42):
        drawn = tile_svg(kind)
        if drawn in body:
            inside = re.sub(r"^<svg[^>]*>|</svg>$", "", drawn)
            faces.append(f'<symbol id="t{kind}" viewBox="0 0 24 32">{inside}</symbol>')
            body = body.replace(drawn, f'<svg class=t><use href="#t{kind}"/></svg>')
    size, margin, letters = _SIZES[paper]
    style = _STYLE.replace("SIZE", size).replace("MARGIN", margin).replace("SHEET", letters)
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(book.title.say(lang))}</title><style>{style}</style></head><body>\n"
        f'<svg width="0" height="0" style="position:absolute">{"".join(faces)}</svg>\n{body}\n</body></html>\n'
    )


def _parts(book: Rulebook, lang: str, since: Rulebook | None) -> Iterator[tuple[str, str]]:
    out = {key: text.say(lang) for key, text in _WORDS.items()}
    for section in guide(book):
        text = "".join(_part(book, part, lang, section.title) for part in section.parts)
        yield section.title.say(lang), f"<div class=columns>{text}</div>" if section.key == "examples" else text
    rows = []
    for category in dict.fromkeys(fan.category for fan in book.fans):
        rows.append(f"<h3>{escape(book.class_name(category, lang))}</h3>")
        rows += [_fan(book, fan, lang, out) for fan in book.fans if fan.category == category]
    yield out["fans"], f"<div class=columns>{''.join(rows)}</div>"
    brief = "".join(_by_value(book, lang, "<tr><td class='n value'>{}</td><td>{}</td></tr>"))
    yield out["brief"], f"<table>{brief}</table>"
    if since is not None:
        changed = edition_changes(since, book)
        lists = "".join(
            f"<h3>{out[key]}</h3><ul>{''.join(f'<li>{escape(line.say(lang))}</li>' for line in lines)}</ul>"
            for key, lines in changed.items()
            if lines
        )
        yield f"{out['changes']} {since.title.say(lang)} → {book.title.say(lang)}", lists
    if len(book.rulings):
        yield (
            out["rulings"],
            "".join(
                f"<article><b>{escape(one.id)} {escape(one.question.say(lang))}{out['open'] if one.open else ''}</b>"
                f"<p>{escape(one.answer.say(lang))}</p>"
                f"<blockquote class=cap>{escape(one.sentence)}</blockquote></article>"
                for one in book.rulings
            ),
        )


def _by_value(book: Rulebook, lang: str, line: str) -> Iterator[str]:
    """Yield a line for every value, the highest first: the value, and its fans."""
    found: dict[tuple[int, ...], list[Fan]] = {}
    for fan in book.fans:
        found.setdefault(tuple(split_value(fan.value).values()), []).append(fan)

    def size(parts: tuple[int, ...]) -> int:
        product = 1
        for part in parts:
            product *= max(1, part)
        return product

    for parts in sorted(found, key=lambda one: (-size(one), not any(one), one)):
        fans = found[parts]
        names = _list_names((_brief_name(fan, lang) for fan in fans), lang)
        yield line.format(escape(value_text(split_value(fans[0].value), lang, unit=book.unit)), escape(names))


def _brief_name(fan: Fan, lang: str) -> str:
    """Return the names of a fan for a list: the book's, in English also that label, then those of further languages."""
    shown = (fan.name, *((fan.english,) if lang == "en" else ()), *texts_in_columns(fan, ("name",)))
    return " ".join(dict.fromkeys(shown))


def _list_names(names: Iterable[str], lang: str) -> str:
    return join_list(names).say(lang)


def _fan(book: Rulebook, fan: Fan, lang: str, out: dict[str, str]) -> str:
    english = fan.english if lang == "en" else ""
    others = _list_names((*((english,) if english else ()), *fan.aliases), lang)
    text = f"<p>{escape(fan.in_words(lang))}</p>"
    if fan.in_words(lang) != fan.sentence:
        text += f"<blockquote class=cap>{escape(fan.sentence)}</blockquote>"
    if fan.example is not None:
        text += _hand(book, fan.example, lang)
    there = [name for name in fan.conflicts if name in book.index]
    conflicts = there if lang == "zh" else [book.fan(name).english for name in there]
    for field, names in (("drops", drops_in_words(fan, book).say(lang)), ("conflicts", _list_names(conflicts, lang))):
        if names:
            text += f"<p class=cap>{out[field]}{escape(names)}</p>"
    return (
        f"<article><h4>{escape(fan.name)}<small>{escape(others)}</small>"
        f"<span>{escape(value_text(fan.parts, lang, unit=book.unit))}</span></h4>{text}</article>"
    )


def _part(book: Rulebook, part: Part, lang: str, above: Text) -> str:
    if isinstance(part, Paragraph):
        text = f"<p>{escape(part.text.say(lang))}</p>"
        if part.sentence and part.sentence != part.text.say(lang):
            text += f"<blockquote class=cap>{escape(part.sentence)}</blockquote>"
        return text
    if isinstance(part, Grid):
        note = f"<p class=cap>{escape(part.note.say(lang))}</p>" if part.note is not None else ""
        title = part.title.say(lang)
        return (f"<h3>{escape(title)}</h3>" if title != above.say(lang) else "") + _table(part, lang) + note
    label = f"<b>{escape(part.label.say(lang))}</b> {escape(part.printed.say(lang))}"
    return f"<article><p>{label}</p>{_hand(book, part.example, lang)}</article>"


def _table(grid: Grid, lang: str) -> str:
    """Return a table; one long and narrow enough to be halved stands in two parts side by side."""
    head = "".join(f"<th{_class(one.say(lang), False)}>{escape(one.say(lang))}</th>" for one in grid.heads)
    rows = [
        "<tr>"
        + "".join(
            f"<td{_class(cell.say(lang), i in grid.numbers)}>{escape(cell.say(lang))}</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>"
        for row in grid.rows
    ]
    wide = sum(  # a head may take two lines
        max(_width(grid.heads[i].say(lang)) // 2, *(_width(row[i].say(lang)) for row in grid.rows))
        for i in range(len(grid.heads))
    )
    halves = 2 if len(rows) >= _ROWS and wide <= _NARROW else 1
    each = -(-len(rows) // halves)
    tables = [
        f"<table><thead><tr>{head}</tr></thead>{''.join(rows[at : at + each])}</table>"
        for at in range(0, len(rows), each or 1)
    ]
    return f"<div class=halves>{''.join(tables)}</div>" if halves > 1 else "".join(tables)


def _class(cell: str, number: bool) -> str:
    """Return the CSS class of a cell: a figure, or a word or two that stay in one line."""
    return " class=n" if number else " class=value" if cell and _width(cell) <= _SHORT else ""


def _width(text: str) -> int:
    """Count the letters of a text, Chinese ones twice."""
    return sum(2 if ord(letter) > _LATIN else 1 for letter in text)


def _hand(book: Rulebook, example: Example, lang: str) -> str:
    """Return an example in tiles, with its circumstances and its score."""
    try:
        score = score_example(example, book)
    except Error as error:
        return f"<p class=cap>{escape(example.hand)} {escape(error.say(lang))}</p>"
    beside = [*example.circumstances, *example.flowers]
    if lang == "en":
        flowers = dict(zip(FLOWERS, FLOWERS_ENGLISH, strict=True))
        beside = [flowers.get(name) or english_name(book.near.get(name, name), book) for name in beside]
    how = " · ".join([*beside, score.tally.how.say(lang), score.fan_names.say(lang)])
    return f"<span class=hand>{hand_html(score.hand)}</span><p class=cap>{escape(how)}</p>"
