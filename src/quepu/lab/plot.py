"""Tables of the lab drawn: light background, axes with units, a source line, Chinese labels on any machine.

The labels' font comes from the package noto-cjk-sans-otc (Noto Sans CJK, SIL Open Font License); SVG keeps them as
outlines, so a plot looks the same everywhere.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any

from quepu.errors import HandError
from quepu.lab.sheet import Sheet

Array = Any
INK, GRID, ACCENT, WARM, COOL = "#222222", "#d9d9d9", "#1f4e9c", "#b3261e", "#1b7f3b"
FAMILY = "Noto Sans CJK SC"
_STYLE: dict[Any, Any] = {
    "figure.facecolor": "white", "axes.facecolor": "white", "axes.edgecolor": "#888888", "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK, "axes.grid": True, "grid.color": GRID,
    "grid.linewidth": 0.6, "axes.axisbelow": True, "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "svg.fonttype": "path", "axes.unicode_minus": False, "svg.hashsalt": "quepu",
}  # fmt: skip
FORMATS = (".svg", ".png", ".html")


def _need() -> None:
    """Matplotlib and the font, or one sentence.

    Raises:
        HandError: the plots' packages are not installed.
    """
    try:
        import matplotlib.font_manager
        import noto_cjk_sans_otc
    except ModuleNotFoundError:
        raise HandError(
            "画图需要 matplotlib 和中文字体：pip install 'quepu[lab]'。",
            "plots need matplotlib and a font: pip install 'quepu[lab]'.",
        ) from None
    manager = matplotlib.font_manager.fontManager
    if not any(font.name == FAMILY for font in manager.ttflist):
        manager.addfont(str(noto_cjk_sans_otc.FONT_PATH))


@contextmanager
def _styled() -> Any:
    import matplotlib

    _need()
    with matplotlib.rc_context({**_STYLE, "font.family": [FAMILY, "DejaVu Sans"]}):
        yield


def _axes(sheet: Sheet, lang: str, width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(sheet.title.say(lang), loc="left", fontsize=12)
    wide = int(width * (9 if lang == "zh" else 13))
    figure.supxlabel(fill(sheet.source.say(lang), wide * 2), fontsize=6.5, color="#777777", ha="left", x=0.01)
    return figure, axes


def _column(sheet: Sheet, key: str) -> list[Any]:
    at = [column.key for column in sheet.columns].index(key)
    return [row[at] for row in sheet.rows]


def _pick(lang: str, zh: str, en: str) -> str:
    return en if lang == "en" else zh


def _labels(axes: Any, points: list[tuple[float, float, str]], color: str = INK) -> None:
    """Names beside points, later ones left out where they would cover earlier ones."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    axes.margins(x=0.07)
    agg: Any = FigureCanvasAgg
    canvas = agg(axes.figure)
    canvas.draw()  # now everything has its place
    taken: list[Any] = []
    for x, y, name in points:
        for dx, dy, ha in ((5, 3, "left"), (-5, 3, "right"), (5, -9, "left"), (-5, -9, "right"), (0, 9, "center")):
            text = axes.annotate(
                name, (x, y), xytext=(dx, dy), textcoords="offset points", fontsize=7.5, color=color, ha=ha
            )
            box = text.get_window_extent(canvas.get_renderer())
            if not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            text.remove()


def rarity(sheet: Sheet, lang: str) -> Any:
    """Bits of every fan as bars, commonest first."""
    rows = [(n, b) for n, b in zip(_column(sheet, "fan"), _column(sheet, "bits"), strict=True) if b is not None]
    rows.sort(key=lambda row: row[1])
    figure, axes = _axes(sheet, lang, 9, max(3.0, 0.19 * len(rows) + 1.4))
    axes.barh([name for name, _ in rows], [bits for _, bits in rows], color=ACCENT, height=0.7)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.tick_params(axis="y", labelsize=7.5)
    axes.grid(axis="y", visible=False)
    for at, (_, bits) in enumerate(rows):
        axes.text(bits + 0.15, at, f"{bits:.1f}", va="center", fontsize=6.5)
    axes.set_xlabel(_pick(lang, "稀有度（比特，−log₂ 占比）", "rarity (bits, −log2 of the share)"))
    return figure


def points(sheet: Sheet, lang: str) -> Any:
    """Share of hands by points, and the share worth at least so much."""
    figure, axes = _axes(sheet, lang, 9, 4.6)
    x = _column(sheet, "points")
    axes.vlines(x, 1e-12, [100 * s for s in _column(sheet, "share")], color=ACCENT, linewidth=2.2,
                label=_pick(lang, "恰为此数", "exactly"))  # fmt: skip
    axes.step(x, [100 * s for s in _column(sheet, "at_least")], where="post", color=WARM, linewidth=1.2,
              label=_pick(lang, "不低于", "at least"))  # fmt: skip
    axes.set_yscale("log")
    low = min(s for s in _column(sheet, "at_least") if s) * 100
    axes.set_ylim(max(low / 3, 1e-10), 150)
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(-0.5, max(x) * 1.1)
    ticks = [0, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    axes.set_xticks([t for t in ticks if t <= max(x)], [str(t) for t in ticks if t <= max(x)])
    axes.set_xlabel(_pick(lang, "点数", "points"))
    axes.set_ylabel(_pick(lang, "占全部实体牌组（%）", "share of physical tile sets (%)"))
    minimum = sheet.facts.get("minimum")
    if minimum:
        axes.axvline(
            minimum, color=COOL, linewidth=1, linestyle="--", label=_pick(lang, f"起和 {minimum}", f"minimum {minimum}")
        )
    axes.legend(frameon=False)
    return figure


def _matrix(sheet: Sheet, a: str, b: str, value: str, names: list[str], symmetric: bool) -> Array:
    import numpy as np

    grid = np.full((len(names), len(names)), np.nan)
    place = {name: i for i, name in enumerate(names)}
    for one, two, x in zip(_column(sheet, a), _column(sheet, b), _column(sheet, value), strict=True):
        grid[place[one], place[two]] = x
        if symmetric:
            grid[place[two], place[one]] = x
    return grid


def _heat(sheet: Sheet, lang: str, value: str, bar: str, symmetric: bool, **look: Any) -> Any:
    names = list(dict.fromkeys([*_column(sheet, "fan"), *_column(sheet, "other")]))
    size = max(5.5, 0.17 * len(names) + 2)
    figure, axes = _axes(sheet, lang, size + 1, size)
    image = axes.imshow(_matrix(sheet, "fan", "other", value, names, symmetric), **look)
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
    axes.set_yticks(range(len(names)), names, fontsize=6)
    axes.grid(visible=False)
    figure.colorbar(image, ax=axes, shrink=0.6, label=bar)
    return figure


def implications(sheet: Sheet, lang: str) -> Any:
    """Of hands that hold one fan (rows), how many hold another (columns)."""
    bar = _pick(lang, "成立此行者中，此列亦成立的比例", "share of the row's hands that hold the column's fan")
    return _heat(sheet, lang, "share", bar, False, cmap="Blues", vmin=0, vmax=1)


def overlap(sheet: Sheet, lang: str) -> Any:
    """How far two fans are the same hands."""
    bar = _pick(lang, "重合度（交集 / 并集）", "overlap (both / either)")
    return _heat(sheet, lang, "jaccard", bar, True, cmap="Blues", vmin=0)


def joint(sheet: Sheet, lang: str) -> Any:
    """Where pairs of fans pay more or less than their joint rarity."""
    bar = _pick(lang, "同计最低 − 按稀有度（正为偏高）", "least together − by rarity (positive: overpaid)")
    most = max((abs(x) for x in _column(sheet, "residual")), default=1)
    return _heat(sheet, lang, "residual", bar, True, cmap="RdBu_r", vmin=-most, vmax=most)


def calibrate(sheet: Sheet, lang: str) -> Any:
    """Least worth against bits, the line, and every name that finds room, outliers first."""
    figure, axes = _axes(sheet, lang, 9, 6)
    bits, value = _column(sheet, "bits"), _column(sheet, "value")
    colors = [{"overpaid": WARM, "underpaid": COOL}.get(v, ACCENT) for v in _column(sheet, "verdict")]
    axes.scatter(bits, value, s=18, c=colors, zorder=3)
    _line(axes, sheet.facts, bits, ACCENT, sheet.lines[0].say(lang) if sheet.lines else "")
    axes.set_xlabel(_pick(lang, f"稀有度（比特，刻子权 ×{sheet.facts['pung_factor']:g}）",
                          f"rarity (bits, each pung ×{sheet.facts['pung_factor']:g})"))  # fmt: skip
    axes.set_ylabel(next(column.head for column in sheet.columns if column.key == "value").say(lang))
    axes.plot([], [], "o", color=WARM, label=_pick(lang, "偏高", "overpaid"))
    axes.plot([], [], "o", color=COOL, label=_pick(lang, "偏低", "underpaid"))
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    _labels(axes, list(zip(bits, value, _column(sheet, "fan"), strict=True)))
    return figure


def _line(axes: Any, facts: dict[str, Any], x: list[float], color: str, label: str) -> None:
    if "slope" in facts and x:
        ends = [min(x), max(x)]
        axes.plot(ends, [facts["slope"] * e + facts["intercept"] for e in ends], color=color, linewidth=1, label=label)


def factors(sheet: Sheet, lang: str) -> Any:
    """R² by pung factor."""
    figure, axes = _axes(sheet, lang, 7, 4)
    axes.plot(_column(sheet, "factor"), _column(sheet, "r2"), marker="o", markersize=4, color=ACCENT)
    axes.axvline(sheet.facts["best"], color=WARM, linestyle="--", linewidth=1,
                 label=_pick(lang, f"最好 ×{sheet.facts['best']:g}", f"best ×{sheet.facts['best']:g}"))  # fmt: skip
    axes.set_xlabel(_pick(lang, "每副刻子的权（倍）", "weight of a pung (times)"))
    axes.set_ylabel("R²")
    axes.legend(frameon=False)
    return figure


def played(sheet: Sheet, lang: str) -> Any:
    """What was won against what is exact, source by source."""
    figure, axes = _axes(sheet, lang, 9, 6)
    keys = list(dict.fromkeys(_column(sheet, "source")))
    every: list[tuple[float, float, str]] = []
    for key, color, said in zip(keys, (ACCENT, WARM, COOL, "#7a4dbf", "#b07d00"), sheet.lines, strict=False):
        rows = [row for row in sheet.rows if row[0] == key]
        x, y = [row[2] for row in rows], [row[3] for row in rows]
        axes.scatter(x, y, s=20, color=color, zorder=3)
        _line(axes, sheet.facts.get(key, {}), x, color, said.say(lang))
        every += [(row[2], row[3], row[1]) for row in rows]
    most = max((x for x, _, _ in every), default=1)
    axes.plot(
        [0, most],
        [0, most],
        color="#999999",
        linestyle=":",
        label=_pick(lang, "若如实战即理论", "if played were exact"),
    )
    axes.set_xlabel(_pick(lang, "理论比特（精确枚举）", "exact bits"))
    axes.set_ylabel(_pick(lang, "实战比特（log₂ 和牌数 / 次数）", "played bits (log2 of wins / count)"))
    axes.legend(frameon=False, fontsize=7.5, loc="upper left")
    highest = {name: max(y for _, y, other in every if other == name) for _, _, name in every}
    _labels(axes, [(x, y, name) for x, y, name in every if y == highest[name]])
    return figure


def moved(sheet: Sheet, lang: str) -> Any:
    """Arrows from each fan's old place to its new."""
    figure, axes = _axes(sheet, lang, 9, 6)
    names: list[tuple[float, float, str]] = []
    for name, x, y, u, v, change in sheet.rows:
        if None in (x, y, u, v):
            place = (u, v) if u is not None else (x, y)
            if None not in place:
                axes.scatter(
                    *place, s=22, marker="+" if u is not None else "x", color=COOL if u is not None else "#888888"
                )
                names.append((*place, name))
        elif abs(change) > 1e-9:
            color = WARM if change > 0 else ACCENT
            axes.annotate("", (u, v), (x, y), arrowprops={"arrowstyle": "->", "color": color, "lw": 1.2})
            names.append((u, v, name))
            axes.scatter([x, u], [y, v], s=6, color=color)
        else:
            axes.scatter(u, v, s=8, color="#bbbbbb")
    axes.set_xlabel(_pick(lang, "稀有度（比特）", "rarity (bits)"))
    axes.set_ylabel(next(column.head for column in sheet.columns if column.key == "new_value").say(lang))
    for mark, color, zh, en in (("+", COOL, "新增", "added"), ("x", "#888888", "删去", "removed")):
        axes.plot([], [], mark, color=color, label=_pick(lang, zh, en))
    axes.plot([], [], color=WARM, label=_pick(lang, "升", "up"))
    axes.plot([], [], color=ACCENT, label=_pick(lang, "降", "down"))
    axes.legend(frameon=False)
    _labels(axes, names)
    return figure


def payable(sheet: Sheet, lang: str) -> Any:
    """Share that may win, by state."""
    figure, axes = _axes(sheet, lang, 8, 0.6 * len(sheet.rows) + 2)
    names = _column(sheet, "en" if lang == "en" else "zh")
    at = range(len(names))
    for shift, key, color, zh, en in ((-0.2, "share_hands", "#9db7de", "占和牌种数", "of hands"),
                                      (0.2, "share_sets", ACCENT, "占实体牌组", "of tile sets")):  # fmt: skip
        share = [100 * s for s in _column(sheet, key)]
        axes.barh([i + shift for i in at], share, height=0.38, color=color, label=_pick(lang, zh, en))
        for i, s in zip(at, share, strict=True):
            axes.text(s + 0.7, i + shift, f"{s:.1f}%", va="center", fontsize=7.5)
    axes.set_yticks(list(at), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    axes.set_xlabel(_pick(lang, "达到起和的比例（%）", "share that reaches the minimum (%)"))
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    return figure


def changed(sheet: Sheet, lang: str) -> Any:
    """Mean change of the hands with each fan."""
    rows = [(row[0], row[7]) for row in sheet.rows if row[7] is not None and abs(row[7]) >= 0.005]
    rows.sort(key=lambda row: row[1])
    figure, axes = _axes(sheet, lang, 9, max(3.0, 0.19 * len(rows) + 1.4))
    axes.barh(
        [r[0] for r in rows], [r[1] for r in rows], color=[WARM if r[1] > 0 else ACCENT for r in rows], height=0.7
    )
    axes.set_xscale("symlog", linthresh=1)
    axes.tick_params(axis="y", labelsize=7.5)
    axes.margins(y=0.01)
    axes.set_xlabel(_pick(lang, "计入此番种的和牌平均变化（点）", "mean change of the hands that count it (points)"))
    return figure


DRAWN: dict[str, Callable[[Sheet, str], Any]] = {
    "rarity": rarity, "points": points, "implications": implications, "overlap": overlap, "calibrate": calibrate,
    "factors": factors, "joint": joint, "played": played, "moved": moved, "payable": payable, "compare-fans": changed,
}  # fmt: skip
"""The drawing of each kind of table that has one."""


def svg(sheet: Sheet, lang: str = "zh") -> str:
    """The drawing as SVG text."""
    with _styled():
        out = io.BytesIO()
        DRAWN[sheet.key](sheet, lang).savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue().decode()


def check_name(path: str | Path) -> None:
    """Refuse a plot's name before the work is done.

    Raises:
        HandError: it ends in nothing known, or the packages for plots are missing.
    """
    if Path(path).suffix not in FORMATS:
        raise HandError(
            f"图的文件名应以 {'、'.join(FORMATS)} 结尾。", f"a plot's name must end in {', '.join(FORMATS)}."
        )
    _need()


def save(sheets: list[Sheet], path: str | Path, lang: str = "zh") -> None:
    """Draw the first table that can be drawn as an SVG or PNG, or all tables with their drawings as an HTML page.

    Raises:
        HandError: the name ends in nothing known, nothing can be drawn, or the file cannot be written.
    """
    check_name(path)
    path = Path(path)
    drawn = [sheet for sheet in sheets if sheet.key in DRAWN and sheet.rows]
    if not drawn:
        raise HandError("这张表没有图。", "there is no drawing of this table.")
    try:
        if path.suffix == ".html":
            from quepu.lab.page import page

            path.write_text(page(sheets, lang), "utf-8")
        elif path.suffix == ".svg":
            path.write_text(svg(drawn[0], lang), "utf-8")
        else:
            with _styled():
                DRAWN[drawn[0].key](drawn[0], lang).savefig(path, dpi=150)
    except OSError as error:
        raise HandError(f"写不了 {path}：{error.strerror}。", f"cannot write {path}: {error.strerror}.") from None
