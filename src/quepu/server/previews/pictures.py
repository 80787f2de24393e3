"""Draw a preview as PNG: a title, a hand in the tile art of the pages, and lines of text."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from quepu.errors import needs
from quepu.server.http.pages import STATIC
from quepu.server.names import visible

WIDTH, HEIGHT = 1200, 630
"""The size in pixels that chat apps ask for."""
BACK: Final = "back"
_EDGE = 60
_GAP = 0.4
"""The room before a meld or the last tile, in widths of a tile."""
_WIDEST_TILE = 84
_SHAPE = 4 / 3
_TITLE, _LINE = 58, 36
"""Sizes of letters in pixels."""
_SMALLEST = 0.65
"""The least share of their size that letters shrink to."""
_MOST_LINES = 4
_PAPER, _INK, _PALE, _SEAL, _JADE, _FACE = "#f6f4ee", "#23221e", "#666257", "#a92c22", "#2f7d63", "#fffdf6"
_WIDE = 0x2E80
"""The first of the code points whose letters are as wide as high."""


class Shown(NamedTuple):
    """The content of a preview. Tiles have the names of the tile art; `last` is the winning or drawn tile, or ""."""

    title: str
    lines: tuple[str, ...] = ()
    concealed: tuple[str, ...] = ()
    melds: tuple[tuple[str, ...], ...] = ()
    last: str = ""

    @property
    def description(self) -> str:
        """The lines as one text."""
        return " · ".join(filter(None, self.lines))


def draw(shown: Shown) -> bytes:
    """Draw a preview as PNG, 1200×630.

    Raises:
        MissingExtra: a package of the server is not installed.
    """
    needs("resvg_py", "noto_cjk_sans_otc", extra="server")
    import noto_cjk_sans_otc
    import resvg_py

    return resvg_py.svg_to_bytes(
        svg_string=draw_svg(shown), font_files=[str(noto_cjk_sans_otc.FONT_PATH)], skip_system_fonts=True
    )


def draw_svg(shown: Shown) -> str:
    """Draw a preview as SVG, with letters that need the font "Noto Sans CJK SC"."""
    art = _tile_art()
    tiles, bottom = _place_tiles(shown)
    used = {kind for kind, _, _, _ in tiles if kind in art}
    faces = [
        f'<g transform="translate({x:.1f} {_TILES_TOP})"><rect y="5" width="{w:.1f}" height="{w * _SHAPE:.1f}" rx="8" '
        f'fill="{_JADE}"/><rect width="{w:.1f}" height="{w * _SHAPE:.1f}" rx="8" '
        f'fill="{_JADE if kind == BACK else _FACE}" stroke="{_SEAL if red else "#d5cdb8"}" '
        f'stroke-width="{5 if red else 1}"/><use href="#{kind}" width="{w:.1f}" height="{w * _SHAPE:.1f}"/></g>'
        for kind, x, w, red in tiles
    ]
    texts = [_text(shown.title, 96, _TITLE, _INK, bold=True)]
    top = bottom + 74
    for line in shown.lines[:_MOST_LINES]:
        texts.append(_text(line, top, _LINE, _PALE))
        top += int(_LINE * 1.5)
    texts.append(_text("雀谱 quepu", HEIGHT - 34, 28, _SEAL))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<defs>{''.join(art[kind] for kind in sorted(used))}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>{"".join(faces)}{"".join(texts)}</svg>'
    )


_TILES_TOP = 150


def _place_tiles(shown: Shown) -> tuple[list[tuple[str, float, float, bool]], float]:
    """Return each tile with its left edge, width, and whether it is the last one; and where the row ends below."""
    groups = [shown.concealed, *shown.melds, *([(shown.last,)] if shown.last else [])]
    groups = [group for group in groups if group]
    if not groups:
        return [], 120
    widths = sum(map(len, groups)) + _GAP * (len(groups) - 1)
    width = min(_WIDEST_TILE, (WIDTH - 2 * _EDGE) / widths)
    placed, x = [], float(_EDGE)
    for at, group in enumerate(groups):
        for kind in group:
            placed.append((kind, x, width - 3, bool(shown.last) and at == len(groups) - 1))
            x += width
        x += _GAP * width
    return placed, _TILES_TOP + width * _SHAPE


def _text(text: str, bottom: float, size: int, colour: str, *, bold: bool = False) -> str:
    """Return a line of text: smaller if it is long, and cut where the picture ends."""
    text, room = visible(text), WIDTH - 2 * _EDGE
    least = size * _SMALLEST
    fitting = max(least, min(size, room / max(1.0, _measure(text))))
    while _measure(text) * fitting > room:
        text = text.removesuffix("…")[:-1] + "…"
    stroke = f' stroke="{colour}" stroke-width="1.6"' if bold else ""  # the font has one weight
    return (
        f'<text x="{_EDGE}" y="{bottom:.0f}" font-family="Noto Sans CJK SC" font-size="{fitting:.1f}" '
        f'fill="{colour}"{stroke}>{escape(text)}</text>'
    )


def _measure(text: str) -> float:
    """Return about how wide a text is, in the height of its letters."""
    return sum(1.0 if ord(letter) >= _WIDE or letter == "…" else 0.57 for letter in text)


@lru_cache(maxsize=1)
def _tile_art(folder: Path = STATIC / "assets") -> dict[str, str]:
    """Return the drawings of the built pages by tile; none if the pages are not built."""
    found = next(iter(sorted(folder.glob("tiles-*.svg"))), None)
    if found is None:
        return {}
    plain = re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", found.read_text("utf-8"))  # a picture has no style sheet
    return {match[1]: match[0] for match in re.finditer(r'<symbol id="(\w+)".*?</symbol>', plain, re.DOTALL)}
