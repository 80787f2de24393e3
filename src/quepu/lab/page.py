"""Draw tables as SVG or PNG, or as one self-contained HTML page: Chinese first with English below, or English alone."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import HandError, Text, cannot_write
from quepu.lab import drawings, maps
from quepu.lab.canvas import need, use_style
from quepu.lab.sheet import Sheet, format_value

FORMATS = (".svg", ".png", ".html")
DRAWN: dict[str, Callable[[Sheet, str], Any]] = {
    "rarity": drawings.rarity, "won": drawings.rarity, "points": drawings.points,
    "implications": maps.implications, "overlap": maps.overlap,
    "calibrate": drawings.calibrate, "factors": drawings.factors, "joint": maps.joint, "played": drawings.draw_played,
    "moved": drawings.draw_moves, "payable": drawings.payable, "compare-fans": drawings.draw_changes,
    "least": drawings.least, "redundant": drawings.redundant,
}  # fmt: skip
"""The drawing of each kind of table that has one."""
_SHOWN = 400
"""Rows of a table shown on a page; the CSV has all."""
_OPENED = 12
"""Tables with at most this many rows are expanded initially."""
_CUT = Text("未完成：只含已算出的部分。", "Partial: only the finished part.")


def svg(sheet: Sheet, lang: str = "zh", framed: bool = True) -> str:
    """Return the drawing as SVG text; without `framed`, without title and source."""
    with use_style(framed):
        out = io.BytesIO()
        DRAWN[sheet.key](sheet, lang).savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue().decode()


def check_name(path: str | Path) -> None:
    """Refuse a plot's name before the work is done.

    Raises:
        HandError: its suffix is unknown, or the packages for plots are missing.
    """
    if Path(path).suffix not in FORMATS:
        raise HandError(
            f"图的文件名应以 {'、'.join(FORMATS)} 结尾。", f"a plot's name must end in {', '.join(FORMATS)}."
        )
    need()


class Part(NamedTuple):
    """A table on a page with its description, and the command that prints it."""

    sheet: Sheet
    about: Text | None = None
    command: str = ""


class Headline(NamedTuple):
    """A number worth showing at the top."""

    name: Text
    value: str


def page(
    parts: Sequence[Part | Sheet], lang: str = "zh", title: Text | None = None, intro: Sequence[Text] = (),
    facts: Sequence[Headline] = (), partial: bool = False,
) -> str:  # fmt: skip
    """Return the self-contained page. In Chinese, every text has its English below it."""
    sections = [part if isinstance(part, Part) else Part(part) for part in parts]
    head = title or sections[0].sheet.title
    style = resources.files("quepu.data").joinpath("lab.css").read_text("utf-8")
    links = "".join(
        f'<a href="#s{at}">{escape(_shorten_title(part.sheet).say(lang))}</a>' for at, part in enumerate(sections)
    )
    numbers = "".join(f"<div><dt>{_both(fact.name, lang)}</dt><dd>{escape(fact.value)}</dd></div>" for fact in facts)
    body = "\n".join(_section(part, lang, at) for at, part in enumerate(sections))
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(head.say(lang))}</title><style>\n{style}</style></head><body>\n"
        f"<header><div><h1>{_both(head, lang, 'small')}</h1>{''.join(f'<p>{_both(x, lang)}</p>' for x in intro)}"
        f"{f'<p class=partial>{_both(_CUT, lang)}</p>' if partial else ''}"
        f"{f'<dl class=facts>{numbers}</dl>' if numbers else ''}</div></header>\n"
        f"<nav><div>{links}</div></nav>\n<main>{body}</main></body></html>\n"
    )


def _both(text: Text, lang: str, tag: str = 'small class="en"') -> str:
    """Return a text, a Chinese one with its English below."""
    if lang == "en" or text.zh == text.en:
        return escape(text.say(lang))
    return f'{escape(text.zh)}<{tag} lang="en">{escape(text.en)}</{tag.split(maxsplit=1)[0]}>'


def _shorten_title(sheet: Sheet) -> Text:
    """Return the title without the book's name."""
    return Text(sheet.title.zh.rpartition("：")[2], sheet.title.en.rpartition(": ")[2])


def _section(part: Part, lang: str, at: int) -> str:
    sheet, about, command = part
    parts = [f'<section id="s{at}"><h2>{_both(_shorten_title(sheet), lang, "small")}</h2>']
    if sheet.partial:
        parts.append(f'<p class="partial">{_both(_CUT, lang)}</p>')
    if about:
        parts.append(f"<p>{_both(about, lang)}</p>")
    if sheet.lines:
        parts.append('<ul class="said">' + "".join(f"<li>{_both(x, lang)}</li>" for x in sheet.lines) + "</ul>")
    if sheet.key in DRAWN and sheet.rows:
        text = escape(sheet.title.say(lang))
        parts.append(f'<figure aria-label="{text}">{_inline(svg(sheet, lang, framed=False), at)}</figure>')
    parts.append(_table(sheet, lang))
    if command:
        parts.append(f"<p><code>{escape(command)}</code></p>")
    parts.append(f'<p class="source">{_both(sheet.source, lang)}</p></section>')
    return "\n".join(parts)


def _inline(text: str, at: int) -> str:
    """Prepare an SVG for a page: no prologue, and ids that do not clash with other drawings."""
    text = text[text.index("<svg") :]
    text = re.sub(r'\bid="', f'id="f{at}-', text)
    text = re.sub(r'"#(?=[\w-])', f'"#f{at}-', text)
    return re.sub(r"url\(#", f"url(#f{at}-", text)


def _cell(sheet: Sheet, row: tuple[object, ...], at: int, lang: str) -> str:
    text = escape(sheet.cell(row, at, lang))
    name = row[at]
    if lang == "zh" and sheet.columns[at].kind == "fan" and isinstance(name, str) and name in sheet.words:
        english = sheet.words[name].en.removesuffix(f" {name}")
        if english != name:
            text += f'<small lang="en">{escape(english)}</small>'
    return text


def _table(sheet: Sheet, lang: str) -> str:
    if not sheet.rows:
        return f"<p>{_both(Text('没有。', 'None.'), lang)}</p>"
    kinds = ["n" if c.numeric else "long" if c.kind == "fans" else "" for c in sheet.columns]
    tags = [f' class="{kind}"' if kind else "" for kind in kinds]
    heads = "".join(f"<th{tag}>{_both(c.head, lang)}</th>" for c, tag in zip(sheet.columns, tags, strict=True))
    rows = [
        "<tr>" + "".join(f"<td{tag}>{_cell(sheet, row, i, lang)}</td>" for i, tag in enumerate(tags)) + "</tr>"
        for row in sheet.rows[:_SHOWN]
    ]
    n, more = format_value(len(sheet.rows), "int"), max(0, len(sheet.rows) - _SHOWN)
    word = f"表格：{n} 行" if lang == "zh" else f"table: {n} row{'s' * (len(sheet.rows) != 1)}"
    if more:
        cut = format_value(more, "int")
        word += (
            f"（此处前 {_SHOWN} 行，另有 {cut} 行见 --csv）"
            if lang == "zh"
            else f" (the first {_SHOWN}; {cut} more: --csv)"
        )
    opened = " open" if len(sheet.rows) <= _OPENED else ""
    return (
        f'<details{opened}><summary>{word}</summary><div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def save(sheets: list[Sheet], path: str | Path, lang: str = "zh") -> list[Text]:
    """Draw the first table that can be drawn as an SVG or PNG, or write all tables with their drawings as an HTML page.

    Returns:
        The titles of drawable tables that were not drawn.

    Raises:
        HandError: the suffix is unknown, nothing can be drawn, or the file cannot be written.
    """
    check_name(path)
    path = Path(path)
    drawn = [sheet for sheet in sheets if sheet.key in DRAWN and sheet.rows]
    try:
        if path.suffix == ".html":
            path.write_text(page(sheets, lang), "utf-8")
            return []
        if not drawn:
            raise HandError("这张表没有图。", "there is no drawing of this table.")
        if path.suffix == ".svg":
            path.write_text(svg(drawn[0], lang), "utf-8")
        else:
            with use_style():
                DRAWN[drawn[0].key](drawn[0], lang).savefig(path, dpi=150)
    except OSError as error:
        raise cannot_write(path, error) from None
    return [sheet.title for sheet in drawn[1:]]
