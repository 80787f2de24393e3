"""Drawings of fans against fans."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from quepu.lab.canvas import GRID, INK, WARM, axes_of, column, fan, percent, pick, settle
from quepu.lab.sheet import Sheet

Array = NDArray[Any]


def _order(sheet: Sheet) -> list[str]:
    """Return the fans of the table in the order of their book."""
    met = set(column(sheet, "fan")) | set(column(sheet, "other"))
    return [name for name in sheet.words if name in met]


def _matrix(sheet: Sheet, value: str, order: list[str], symmetric: bool) -> Array:
    import numpy as np

    grid = np.full((len(order), len(order)), np.nan)
    place = {name: i for i, name in enumerate(order)}
    for a, b, x in zip(column(sheet, "fan"), column(sheet, "other"), column(sheet, value), strict=True):
        grid[place[a], place[b]] = x
        if symmetric:
            grid[place[b], place[a]] = x
    return grid


def _map(
    sheet: Sheet, lang: str, value: str, symmetric: bool, rows: str, bar: bool = True, **look: Any
) -> tuple[Any, Any, Any]:
    """Draw the map with names on all sides and thin lines between the cells."""
    order = _order(sheet)
    side = max(3.4, 0.16 * len(order))
    names = 0.9 if lang == "zh" else 1.7  # on each of the four sides
    figure, axes = axes_of(sheet, lang, side + 2 * names + (1.3 if bar else 0.3), side + 2 * names + 0.3)
    image = axes.imshow(_matrix(sheet, value, order, symmetric), aspect="equal", **look)
    labels = [fan(sheet, name, lang) for name in order]
    axes.set_xticks(range(len(labels)), labels, rotation=90, fontsize=6)
    axes.set_yticks(range(len(labels)), labels, fontsize=6)
    axes.tick_params(length=0, labeltop=True, labelright=len(labels) > 25, top=False)
    axes.grid(visible=False)
    edges = [n - 0.5 for n in range(len(labels) + 1)]
    axes.hlines(edges, -0.5, len(labels) - 0.5, color=GRID, linewidth=0.3)
    axes.vlines(edges, -0.5, len(labels) - 0.5, color=GRID, linewidth=0.3)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.plot([-0.5, len(labels) - 0.5], [-0.5, len(labels) - 0.5], color="#bbbbbb", linewidth=0.5)
    axes.set_ylabel(rows)
    return figure, axes, image


LEVELS = (
    (WARM, "必然（全部）", "always"),
    ("#2b5fab", "多半（≥ 50%）", "often (≥ 50%)"),
    ("#8db1de", "有时（1–50%）", "sometimes (1–50%)"),
    ("#dfeaf7", "罕见（< 1%）", "rarely (< 1%)"),
    ("white", "从不", "never"),
)


def implications(sheet: Sheet, lang: str) -> Any:
    """Draw the share of hands with one fan (rows) that also hold another (columns)."""
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.patches import Patch

    shades: Any = ListedColormap([color for color, _, _ in LEVELS[3::-1]])
    steps = BoundaryNorm([0, 0.01, 0.5, 1, 2], 4)
    figure, axes, _ = _map(sheet, lang, "share", False, pick(lang, "这个番种成立时（行）", "if this fan holds (row)"),
                           bar=False, cmap=shades, norm=steps)  # fmt: skip
    axes.set_xlabel(pick(lang, "另一番种（列）也成立的比例", "how often this fan (column) also holds"))
    patches = [Patch(facecolor=c, edgecolor="#aaaaaa", label=pick(lang, zh, en)) for c, zh, en in LEVELS]
    figure.legend(handles=patches, frameon=False, loc="outside upper right", ncols=5, fontsize=8)
    return figure


def overlap(sheet: Sheet, lang: str) -> Any:
    """Draw the overlap of the hands of two fans."""
    from matplotlib.colors import LogNorm

    least = max(min(column(sheet, "jaccard"), default=1e-4), 1e-6)
    figure, axes, image = _map(sheet, lang, "jaccard", True, "", cmap="Blues", norm=LogNorm(least, 1))
    bar = figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02)
    bar.set_label(pick(lang, "重合度：两番种皆计入的牌组 ÷ 计入其一的牌组（对数色阶）",
                       "overlap: tile sets counting both / either (logarithmic)"))  # fmt: skip
    percent(bar.ax.yaxis)
    settle(figure)
    return figure


def joint(sheet: Sheet, lang: str) -> Any:
    """Draw which pairs of fans pay more or less than their joint rarity."""
    most = max((abs(x) for x in column(sheet, "residual")), default=1)
    figure, axes, image = _map(sheet, lang, "residual", True, "", cmap="RdBu_r", vmin=-most, vmax=most)
    unit = sheet.facts["unit"]
    bar = figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02)
    bar.set_label(pick(lang, f"两番种同计的最低{unit['zh']} − 按共现稀有度应有（红：偏高，蓝：偏低；白：从不同计）",
                       f"least {unit['en']} of both − by joint rarity (red over-, blue underpaid)"))  # fmt: skip
    axes.tick_params(colors=INK)
    settle(figure)
    return figure
