"""Tables and their drawings as one self-contained HTML page."""

from __future__ import annotations

import re
from html import escape

from quepu.errors import Text
from quepu.lab.plot import DRAWN, svg
from quepu.lab.sheet import Sheet

_SHOWN = 400
"""Rows of a table on a page; the whole is in the CSV."""

_STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 1080px; padding: 2rem 1.2rem 5rem; font: 15px/1.6 system-ui, "Noto Sans CJK SC",
  "PingFang SC", "Microsoft YaHei", sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.8rem 0 .4rem; border-top: 1px solid #ddd;
  padding-top: 1.4rem; }
p.source { color: #777; font-size: .8rem; margin: .2rem 0 1rem; } ul.said { padding-left: 1.1rem; }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
details { margin: .6rem 0; } summary { cursor: pointer; color: #1f4e9c; }
div.wide { overflow: auto; max-height: 34rem; border: 1px solid #e3e3e3; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; } th { position: sticky; top: 0; background: #f6f6f4;
  text-align: left; } th, td { padding: .25rem .6rem; border-bottom: 1px solid #eee; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } nav a { margin-right: 1rem; color: #1f4e9c; }
.partial { color: #b3261e; font-weight: bold; }
"""


def page(sheets: list[Sheet], lang: str = "zh", title: Text | None = None, intro: list[Text] | None = None) -> str:
    """The page; it loads nothing from anywhere."""
    head = (title or sheets[0].title).say(lang)
    links = "".join(f'<a href="#{sheet.key}">{escape(_short(sheet, lang))}</a>' for sheet in sheets)
    said = "".join(f"<p>{escape(text.say(lang))}</p>" for text in intro or [])
    body = "\n".join(_section(sheet, lang, at) for at, sheet in enumerate(sheets))
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(head)}</title>'
        f"<style>{_STYLE}</style></head><body>\n<h1>{escape(head)}</h1>{said}\n<nav>{links}</nav>\n{body}\n</body></html>\n"
    )


def _short(sheet: Sheet, lang: str) -> str:
    return re.split("[：:]", sheet.title.say(lang))[-1].strip()


def _section(sheet: Sheet, lang: str, at: int) -> str:
    parts = [f'<h2 id="{sheet.key}">{escape(_short(sheet, lang))}</h2>']
    if sheet.partial:
        words = "未完成：只含已算出的部分。" if lang == "zh" else "Partial: only what was done."
        parts.append(f'<p class="partial">{words}</p>')
    if sheet.lines:
        parts.append('<ul class="said">' + "".join(f"<li>{escape(x.say(lang))}</li>" for x in sheet.lines) + "</ul>")
    if sheet.key in DRAWN and sheet.rows:
        parts.append(f"<figure>{_inline(svg(sheet, lang), at)}</figure>")
    parts.append(_table(sheet, lang))
    parts.append(f'<p class="source">{escape(sheet.source.say(lang))}</p>')
    return "\n".join(parts)


def _inline(text: str, at: int) -> str:
    """An SVG for use inside a page: no prologue, and ids that meet no other drawing's."""
    text = text[text.index("<svg") :]
    text = re.sub(r'\bid="', f'id="f{at}-', text)
    text = re.sub(r'"#(?=[\w-])', f'"#f{at}-', text)
    return re.sub(r"url\(#", f"url(#f{at}-", text)


def _table(sheet: Sheet, lang: str) -> str:
    numeric = [column.kind != "text" for column in sheet.columns]
    heads = "".join(
        f'<th class="n">{escape(c.head.say(lang))}</th>' if n else f"<th>{escape(c.head.say(lang))}</th>"
        for c, n in zip(sheet.columns, numeric, strict=True)
    )
    rows = []
    for row in sheet.rows[:_SHOWN]:
        cells = [escape(sheet.cell(row, i)) for i in range(len(row))]
        rows.append(
            "<tr>"
            + "".join(f'<td class="n">{c}</td>' if n else f"<td>{c}</td>" for c, n in zip(cells, numeric, strict=True))
        )
    more = len(sheet.rows) - _SHOWN
    rest = (
        ("" if more <= 0 else f"（另有 {more} 行见 CSV）")
        if lang == "zh"
        else ""
        if more <= 0
        else f" ({more} more: CSV)"
    )
    word = f"表格：{len(sheet.rows)} 行" if lang == "zh" else f"table: {len(sheet.rows)} rows"
    opened = " open" if len(sheet.rows) <= 12 else ""
    return (
        f'<details{opened}><summary>{word}{rest}</summary><div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )
