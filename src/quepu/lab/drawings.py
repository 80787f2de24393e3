"""Drawings of the lab's tables, except the maps of fans against fans."""

from __future__ import annotations

from typing import Any

from quepu.lab.canvas import (
    ACCENT,
    COOL,
    FAINT,
    INK,
    PALE,
    WARM,
    axes_of,
    column,
    fan,
    head,
    line,
    names,
    percent,
    pick,
)
from quepu.lab.sheet import Sheet

_UNNAMED = "#bbbbbb"


def _bars(sheet: Sheet, lang: str, rows: list[tuple[str, float]], colors: Any) -> tuple[Any, Any]:
    """Draw a bar for each fan, the first on top."""
    figure, axes = axes_of(sheet, lang, 9, max(3.0, 0.19 * len(rows) + 1.4))
    axes.barh(range(len(rows)), [value for _, value in rows], color=colors, height=0.7)
    axes.set_yticks(range(len(rows)), [fan(sheet, name, lang) for name, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", labelsize=7.5, length=0)
    axes.grid(axis="y", visible=False)
    return figure, axes


def rarity(sheet: Sheet, lang: str) -> Any:
    """Draw bits of every fan as bars, commonest first."""
    rows = [(n, b) for n, b in zip(column(sheet, "fan"), column(sheet, "bits"), strict=True) if b is not None]
    rows.sort(key=lambda row: row[1])
    figure, axes = _bars(sheet, lang, rows, ACCENT)
    for at, (_, bits) in enumerate(rows):
        axes.text(bits + 0.15, at, f"{bits:.1f}", va="center", fontsize=6.5)
    axes.set_xlabel(pick(lang, "稀有度（比特 = −log₂ 占全部实体牌组之比；多 1 比特即少一半）",
                         "rarity (bits: −log2 of the share of physical tile sets)"))  # fmt: skip
    return figure


def points(sheet: Sheet, lang: str) -> Any:
    """Draw the share of hands by points, and the share worth at least that much."""
    from matplotlib.ticker import NullLocator

    figure, axes = axes_of(sheet, lang, 9, 4.6)
    x, at_least = column(sheet, "points"), column(sheet, "at_least")
    axes.vlines(x, 1e-14, column(sheet, "share"), color=ACCENT, linewidth=2.2,
                label=pick(lang, "正好这个数", "exactly this many"))  # fmt: skip
    axes.step(
        x, at_least, where="pre", color=WARM, linewidth=1.2, label=pick(lang, "不少于这个数", "at least this many")
    )
    axes.set_yscale("log")
    axes.set_ylim(max(min(s for s in at_least if s) / 3, 1e-12), 1.5)
    percent(axes.yaxis)
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(min(-0.5, *x), max(x) * 1.1)
    ticks = [t for t in (0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if t <= max(x)]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    unit = sheet.facts["unit"]
    axes.set_xlabel(pick(lang, f"一副和牌的{unit['zh']}数", f"{unit['en']} of a hand"))
    axes.set_ylabel(pick(lang, "占全部实体牌组之比", "share of physical tile sets"))
    minimum = sheet.facts.get("minimum")
    if minimum:
        label = pick(lang, f"起和 {minimum}", f"minimum {minimum}")
        axes.axvline(minimum, color=COOL, linewidth=1, linestyle="--", label=label)
    axes.legend(frameon=False)
    return figure


def calibrate(sheet: Sheet, lang: str) -> Any:
    """Draw least value against bits, the line, and every name that fits, outliers first."""
    figure, axes = axes_of(sheet, lang, 9, 6)
    bits, value = column(sheet, "bits"), column(sheet, "value")
    colors = [{"overpaid": WARM, "underpaid": COOL}.get(v, ACCENT) for v in column(sheet, "verdict")]
    axes.scatter(bits, value, s=18, c=colors, zorder=3)
    line(axes, sheet.facts, bits, ACCENT, sheet.lines[0].say(lang) if sheet.lines else "")
    factor = f"{sheet.facts['pung_factor']:g}"
    axes.set_xlabel(pick(lang, f"稀有度（比特，每副刻子权 ×{factor}）", f"rarity (bits, each pung ×{factor})"))
    axes.set_ylabel(head(sheet, "value", lang))
    for color, zh, en in ((WARM, "偏高（高出一个标准差）", "overpaid (by one s.d.)"),
                          (COOL, "偏低（低出一个标准差）", "underpaid (by one s.d.)")):  # fmt: skip
        axes.plot([], [], "o", markersize=4, color=color, label=pick(lang, zh, en))
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    if sheet.facts.get("log2"):
        _as_points(axes, lang)
    names(axes, [(x, y, fan(sheet, n, lang)) for x, y, n in zip(bits, value, column(sheet, "fan"), strict=True)])
    return figure


def _as_points(axes: Any, lang: str) -> None:
    """Add a second scale on the right: points, if the axis has their logarithm."""
    from matplotlib.ticker import FuncFormatter

    right = axes.secondary_yaxis("right")
    right.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{2**y:.4g}"))
    right.set_ylabel(pick(lang, "点数", "points"))


def factors(sheet: Sheet, lang: str) -> Any:
    """Draw R² by pung factor."""
    figure, axes = axes_of(sheet, lang, 7, 4)
    axes.plot(column(sheet, "factor"), column(sheet, "r2"), marker="o", markersize=4, color=ACCENT)
    best = f"{sheet.facts['best']:g}"
    axes.axvline(sheet.facts["best"], color=WARM, linestyle="--", linewidth=1,
                 label=pick(lang, f"拟合最好：×{best}", f"best: ×{best}"))  # fmt: skip
    axes.set_xlabel(pick(lang, "每副刻子的权（倍）", "weight of a pung (times)"))
    axes.set_ylabel(pick(lang, "番值对比特的线性拟合优度 R²", "R² of the line through values and bits"))
    axes.legend(frameon=False)
    return figure


def draw_played(sheet: Sheet, lang: str) -> Any:
    """Draw played shares against exact ones, source by source."""
    figure, axes = axes_of(sheet, lang, 9, 6)
    keys = list(dict.fromkeys(column(sheet, "source")))
    every: list[tuple[float, float, str]] = []
    for key, color in zip(keys, (ACCENT, WARM, COOL, "#7a4dbf", "#b07d00"), strict=False):
        rows = [row for row in sheet.rows if row[0] == key]
        x, y = [row[2] for row in rows], [row[3] for row in rows]
        axes.scatter(x, y, s=20, color=color, zorder=3)
        facts = sheet.facts.get(key, {})
        slope = f"{facts['slope']:.2f} ± {facts['slope_se']:.2f}" if facts else "–"
        label = pick(lang, f"{sheet.word(key, lang)}：斜率 {slope}，{len(rows)} 个番种",
                    f"{sheet.word(key, lang)}: slope {slope}, {len(rows)} fans")  # fmt: skip
        line(axes, facts, x, color, label)
        if not facts:
            axes.plot([], [], "o", color=color, label=label)
        every += [(row[2], row[3], row[1]) for row in rows]
    most = max((x for x, _, _ in every), default=1)
    axes.plot([0, most], [0, most], color="#999999", linestyle=":",
              label=pick(lang, "斜率 1：实战与理论相同", "slope 1: played as exact"))  # fmt: skip
    axes.set_xlabel(pick(lang, "理论比特（精确枚举）", "exact bits"))
    axes.set_ylabel(pick(lang, "实战比特（log₂ 和牌数 ÷ 该番种次数）", "played bits (log2 of wins / count)"))
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    highest = {name: max(y for _, y, other in every if other == name) for _, _, name in every}
    names(axes, [(x, y, fan(sheet, name, lang)) for x, y, name in every if y == highest[name]])
    return figure


def draw_moves(sheet: Sheet, lang: str) -> Any:
    """Draw arrows from each fan's old place to its new one."""
    figure, axes = axes_of(sheet, lang, 9, 6)
    named: list[tuple[float, float, str]] = []
    for name, x, y, u, v, change in sheet.rows:
        if None in (x, y, u, v):
            place, mark, color = ((u, v), "P", COOL) if u is not None else ((x, y), "X", FAINT)
            if None not in place:
                axes.scatter(*place, s=34, marker=mark, color=color, zorder=4)
                named.append((*place, name))
        elif abs(change) > 1e-9:
            color = WARM if change > 0 else ACCENT
            axes.scatter([x], [y], s=16, facecolors="white", edgecolors=color, zorder=3)
            axes.scatter([u], [v], s=16, color=color, zorder=3)
            arrow = {"arrowstyle": "->,head_width=0.2,head_length=0.3", "color": color, "lw": 1.2,
                     "shrinkA": 2, "shrinkB": 2}  # fmt: skip
            axes.annotate("", (u, v), (x, y), arrowprops=arrow)
            named.append((u, v, name))
        else:
            axes.scatter(u, v, s=8, color=_UNNAMED)
    axes.set_xlabel(pick(lang, "稀有度（比特）", "rarity (bits)"))
    axes.set_ylabel(sheet.facts["scale"][pick(lang, "zh", "en")])
    for mark, color, zh, en in (("P", COOL, "新增", "added"), ("X", FAINT, "删去", "removed"),
                                ("o", WARM, "升（空心：旧值）", "up (hollow: before)"),
                                ("o", ACCENT, "降（空心：旧值）", "down (hollow: before)"),
                                ("o", _UNNAMED, "不变", "unchanged")):  # fmt: skip
        axes.plot([], [], mark, markersize=5, color=color, label=pick(lang, zh, en))
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    if sheet.facts.get("log2"):
        _as_points(axes, lang)
    names(axes, [(x, y, fan(sheet, name, lang)) for x, y, name in named])
    return figure


def payable(sheet: Sheet, lang: str) -> Any:
    """Draw the share that can win, by state."""
    figure, axes = axes_of(sheet, lang, 8, 0.6 * len(sheet.rows) + 2)
    at = range(len(sheet.rows))
    for shift, key, color, zh, en in ((-0.2, "share_hands", PALE, "占和牌种数", "of hands"),
                                      (0.2, "share_sets", ACCENT, "占实体牌组", "of physical tile sets")):  # fmt: skip
        share = [100 * s for s in column(sheet, key)]
        axes.barh([i + shift for i in at], share, height=0.38, color=color, label=pick(lang, zh, en))
        for i, s in zip(at, share, strict=True):
            axes.text(s + 0.7, i + shift, f"{s:.1f}%", va="center", fontsize=7.5)
    axes.set_yticks(list(at), [sheet.word(key, lang) for key in column(sheet, "state")])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 108)
    axes.set_xticks(range(0, 101, 20), [f"{t}%" for t in range(0, 101, 20)])
    minimum = sheet.facts["minimum"]
    axes.set_xlabel(pick(lang, f"达到起和 {minimum} 的比例", f"share that reaches the minimum of {minimum}"))
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    return figure


def least(sheet: Sheet, lang: str) -> Any:
    """Draw the fewest points of a hand with each fan, cheapest first."""
    rows = [(n, v) for n, v in zip(column(sheet, "fan"), column(sheet, "least"), strict=True) if v is not None]
    rows.sort(key=lambda row: row[1])
    figure, axes = _bars(sheet, lang, rows, ACCENT)
    for at, (_, value) in enumerate(rows):
        axes.annotate(str(value), (value, at), xytext=(3, 0), textcoords="offset points", va="center", fontsize=6.5)
    axes.set_xscale("symlog", linthresh=2)
    ticks = [t for t in (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if t <= rows[-1][1]]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.margins(x=0.06)
    unit = sheet.facts["unit"]
    axes.set_xlabel(pick(lang, f"含此番种的和牌最少几{unit['zh']}（对数轴）",
                         f"fewest {unit['en']} of a hand that counts it (logarithmic)"))  # fmt: skip
    return figure


def redundant(sheet: Sheet, lang: str) -> Any:
    """Draw the share of a fan's readings whose score changes without it; fans that never matter stand out."""
    rows = [(row[0], 100 * row[3]) for row in sheet.rows if row[3] is not None]
    rows.sort(key=lambda row: -row[1])
    figure, axes = _bars(sheet, lang, rows, ACCENT)
    for at, (_, share) in enumerate(rows):
        axes.text(share + 0.8, at, pick(lang, "从不", "never") if not share else f"{share:.3g}%", va="center",
                  fontsize=6.5, color=WARM if not share else INK)  # fmt: skip
    axes.set_xlim(0, 108)
    axes.set_xticks(range(0, 101, 20), [f"{t}%" for t in range(0, 101, 20)])
    axes.set_xlabel(pick(lang, "有这个番种的拆解中，删去它得分就变的比例",
                         "share of the readings that hold it whose score changes without it"))  # fmt: skip
    return figure


def draw_changes(sheet: Sheet, lang: str) -> Any:
    """Draw the mean change of the hands with each fan."""
    from matplotlib.ticker import NullLocator

    rows = [(row[0], row[7]) for row in sheet.rows if row[7] is not None and abs(row[7]) >= 0.005]
    rows.sort(key=lambda row: -row[1])
    figure, axes = _bars(sheet, lang, rows, [WARM if change > 0 else ACCENT for _, change in rows])
    most = max((abs(change) for _, change in rows), default=1.0)
    for at, (_, change) in enumerate(rows):
        side = "left" if change > 0 else "right"
        axes.annotate(f"{change:+.2f}", (change, at), xytext=(3 if change > 0 else -3, 0), textcoords="offset points",
                      va="center", ha=side, fontsize=6.5)  # fmt: skip
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xscale("symlog", linthresh=1)
    low = -most * 3 if any(change < 0 for _, change in rows) else -0.5
    high = most * 3 if any(change > 0 for _, change in rows) else 0.5
    axes.set_xlim(low, high)
    axes.xaxis.set_minor_locator(NullLocator())
    ticks = [t for t in (-500, -100, -20, -5, -1, 0, 1, 5, 20, 100, 500) if low <= t <= high]
    axes.set_xticks(ticks, [f"{t:+d}" if t else "0" for t in ticks])
    axes.set_xlabel(pick(lang, "旧版或新版计入此番种的和牌，点数平均变化（按实体牌组；对数轴）",
                         "mean change in points of hands that count it in either (logarithmic)"))  # fmt: skip
    return figure
