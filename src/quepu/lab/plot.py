"""Draw and write tables of the lab: SVG, PNG, or a page with table and drawing."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quepu.errors import HandError
from quepu.lab import drawings, maps
from quepu.lab.canvas import need, use_style
from quepu.lab.sheet import Sheet

FORMATS = (".svg", ".png", ".html")
DRAWN: dict[str, Callable[[Sheet, str], Any]] = {
    "rarity": drawings.rarity, "won": drawings.rarity, "points": drawings.points,
    "implications": maps.implications, "overlap": maps.overlap,
    "calibrate": drawings.calibrate, "factors": drawings.factors, "joint": maps.joint, "played": drawings.draw_played,
    "moved": drawings.draw_moves, "payable": drawings.payable, "compare-fans": drawings.draw_changes,
    "least": drawings.least, "redundant": drawings.redundant,
}  # fmt: skip
"""The drawing of each kind of table that has one."""


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
