"""Draw tiles as SVG for notebooks: small faces that need no font or file beyond the browser's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final

from quepu.tiles import CHINESE, FLOWERS, GREEN, HONOURS, KINDS, NAMES, RED, WHITE

if TYPE_CHECKING:
    from quepu.hands.hand import Hand, Meld

_WIDTH, _HEIGHT = 24, 32
_COLOURS: Final = ("#b5231d", "#1d3f87", "#0e6a3f")  # characters, dots, bamboo
_INK: Final = "#1b1d22"
_BACK: Final = "#0e6a3f"
_LEFT, _MIDDLE, _RIGHT = 6.5, 12.0, 17.5
_PLACES: Final[tuple[tuple[tuple[float, float], ...], ...]] = (
    ((_MIDDLE, 16),),
    ((_MIDDLE, 9), (_MIDDLE, 23)),
    ((_LEFT, 8), (_MIDDLE, 16), (_RIGHT, 24)),
    ((_LEFT, 9), (_RIGHT, 9), (_LEFT, 23), (_RIGHT, 23)),
    ((_LEFT, 8), (_RIGHT, 8), (_MIDDLE, 16), (_LEFT, 24), (_RIGHT, 24)),
    tuple((x, y) for y in (7.0, 16.0, 25.0) for x in (_LEFT, _RIGHT)),
    ((_LEFT, 5), (_MIDDLE, 8), (_RIGHT, 11), *((x, y) for y in (18.0, 26.0) for x in (_LEFT, _RIGHT))),
    tuple((x, y) for y in (5.0, 12.3, 19.6, 27.0) for x in (_LEFT, _RIGHT)),
    tuple((x, y) for y in (7.0, 16.0, 25.0) for x in (_LEFT, _MIDDLE, _RIGHT)),
)
"""Where the dots and sticks of a rank stand, 1 to 9."""


def hand_html(hand: Hand) -> str:
    """Return the tiles of a hand side by side, with melds and the winning tile set apart."""
    shown = [tiles_html(hand.concealed), *map(meld_html, hand.melds)]
    if hand.winning is not None:
        shown.append(f"<span>+ {tile_svg(hand.winning)}</span>")
    return f'<span style="display:inline-flex;gap:.7em;align-items:center;flex-wrap:wrap">{"".join(shown)}</span>'


def table_html(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already."""
    head = f"<tr>{''.join(f'<th>{cell}</th>' for cell in heads)}</tr>" if heads else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{head}{body}</table>"


def tiles_html(kinds: Iterable[int]) -> str:
    """Return tiles side by side in one line; -1 is a face-down tile."""
    return f'<span style="white-space:nowrap">{"".join(map(tile_svg, kinds))}</span>'


def meld_html(meld: Meld, *, hidden: bool = False) -> str:
    """Return the tiles of a meld; a concealed kong has its outer tiles face down, a `hidden` one all of them."""
    if hidden:
        return tiles_html((-1,) * len(meld.tiles))
    if not meld.exposed:
        return tiles_html((-1, *meld.tiles[1:3], -1))
    return tiles_html(meld.tiles)


@cache
def tile_svg(kind: int) -> str:
    """Draw one tile (0-41) as an SVG element with its name as title; -1 is a face-down tile."""
    if kind < 0:
        return _svg("", "", _BACK)
    name = (*NAMES, *FLOWERS)[kind]
    return _svg("".join(_face(kind)), (*CHINESE, *FLOWERS)[kind] + (f" {name}" if kind < KINDS else ""), "#fffdf5")


def _svg(face: str, title: str, paper: str) -> str:
    named = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' style="vertical-align:middle">{named}<rect x=".5" y=".5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="3"'
        f' fill="{paper}" stroke="#999"/>{face}</svg>'
    )


def _face(kind: int) -> Iterator[str]:
    suit, rank = divmod(kind, 9)
    if kind >= KINDS:
        yield _word(FLOWERS[kind - KINDS], 22, 17, _COLOURS[2 if kind % 2 else 0])
    elif kind == WHITE:
        yield f'<rect x="5" y="6" width="14" height="20" rx="2" fill="none" stroke="{_COLOURS[1]}" stroke-width="2"/>'
    elif suit == len(HONOURS) - 4:
        yield _word(CHINESE[kind], 22.5, 18, {RED: _COLOURS[0], GREEN: _COLOURS[2]}.get(kind, _INK))
    elif suit == 0:
        yield _word(CHINESE[kind][0], 14, 12, _INK)
        yield _word("萬", 27.5, 13, _COLOURS[0])
    else:
        for at, (x, y) in enumerate(_PLACES[rank]):
            colour = _COLOURS[0] if rank > 1 and x == _MIDDLE else _COLOURS[(at + suit) % 2 + 1 if suit == 1 else 2]
            yield _dot(x, y, 7 if rank == 0 else 2.9, colour) if suit == 1 else _stick(x, y, rank, colour)


def _word(text: str, baseline: float, size: float, colour: str) -> str:
    return (
        f'<text x="12" y="{baseline}" font-size="{size}" font-family="serif" font-weight="bold" text-anchor="middle"'
        f' fill="{colour}">{text}</text>'
    )


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{colour}" stroke-width="{radius / 2:g}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius / 4:g}" fill="{colour}"/>'
    )


def _stick(x: float, y: float, rank: int, colour: str) -> str:
    half = (8, 5, 4.5, 5, 4, 3.6, 3.2, 2.9, 3.6)[rank]
    return (
        f'<path d="M{x} {y - half}V{y + half}" stroke="{colour}" stroke-width="{4 if rank == 0 else 2.6}"'
        f' stroke-linecap="round"/><path d="M{x - 1.6} {y}H{x + 1.6}" stroke="#fffdf5" stroke-width=".8"/>'
    )
