"""Shared parts of the lab's drawings: paper, fonts, axes, names beside points.

The labels' font comes from the package noto-cjk-sans-otc (Noto Sans CJK, SIL Open Font License); SVG has the letters as
outlines, so a plot looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from textwrap import fill
from typing import Any

from quepu.errors import HandError
from quepu.lab.sheet import Sheet

INK, FAINT, GRID = "#222222", "#777777", "#d9d9d9"
ACCENT, PALE, WARM, COOL = "#1f4e9c", "#9db7de", "#b3261e", "#1b7f3b"
FAMILY = "Noto Sans CJK SC"
_STYLE: dict[Any, Any] = {
    "figure.facecolor": "white", "axes.facecolor": "white", "axes.edgecolor": "#888888", "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK, "axes.grid": True, "grid.color": GRID,
    "grid.linewidth": 0.6, "axes.axisbelow": True, "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "svg.fonttype": "path", "axes.unicode_minus": False, "svg.hashsalt": "quepu",
}  # fmt: skip
_framed: ContextVar[bool] = ContextVar("framed", default=True)
_letters: ContextVar[bool] = ContextVar("letters", default=False)


@contextmanager
def as_letters() -> Iterator[None]:
    """Draw SVG letters as text within this context, a third of the size; the reader's fonts render them."""
    token = _letters.set(True)
    try:
        yield
    finally:
        _letters.reset(token)


def need() -> None:
    """Check that Matplotlib and the font are installed.

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
def use_style(framed: bool = True) -> Any:
    """Use the lab's style within this context; without `framed`, the surrounding page has title and source."""
    import matplotlib

    need()
    token = _framed.set(framed)
    try:
        letters = {"svg.fonttype": "none"} if _letters.get() else {}
        with matplotlib.rc_context({**_STYLE, **letters, "font.family": [FAMILY, "DejaVu Sans"]}):
            yield
    finally:
        _framed.reset(token)


def axes_of(sheet: Sheet, lang: str, width: float, height: float) -> tuple[Any, Any]:
    """Return a figure of this size in inches with one pair of axes, the sheet's title and source."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    if _framed.get():
        axes.set_title(sheet.title.say(lang), loc="left", fontsize=12, pad=10)
        wide = int(width * (18 if lang == "zh" else 26))
        figure.supxlabel(fill(sheet.source.say(lang), wide), fontsize=6.5, color=FAINT, ha="left", x=0.01)
    return figure, axes


def settle(figure: Any) -> None:
    """Draw once to settle the layout: a second drawing leaves room for the parts that moved."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    agg: Any = FigureCanvasAgg
    agg(figure).draw()


def column(sheet: Sheet, key: str) -> list[Any]:
    """Return the cells of a column."""
    at = [column.key for column in sheet.columns].index(key)
    return [row[at] for row in sheet.rows]


def head(sheet: Sheet, key: str, lang: str) -> str:
    """Return the heading of a column."""
    return next(column.head for column in sheet.columns if column.key == key).say(lang)


def fan(sheet: Sheet, name: str, lang: str) -> str:
    """Return a fan's name for a drawing: short, in one language."""
    text = sheet.word(name, lang)
    return text.removesuffix(f" {name}") if lang == "en" else text


def pick(lang: str, zh: str, en: str) -> str:
    """Return the text in the language."""
    return en if lang == "en" else zh


def percent(axis: Any) -> None:
    """Format the ticks of a logarithmic share as per cent: 100%, 0.01%, 10⁻⁶%."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda x, _: _percent(100 * x)))
    axis.set_minor_formatter(NullFormatter())


def _percent(p: float) -> str:
    if p >= 1e-4:
        return f"{p:g}%"
    digits, power = f"{p:.0e}".split("e")
    raised = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(d)] for d in str(-int(power)))
    return f"{'' if digits == '1' else digits + '×'}10⁻{raised}%"


def line(axes: Any, facts: dict[str, Any], x: list[float], color: str, label: str) -> None:
    """Draw the fitted line from the least to the greatest of these."""
    if "slope" in facts and x:
        ends = [min(x), max(x)]
        axes.plot(ends, [facts["slope"] * e + facts["intercept"] for e in ends], color=color, linewidth=1, label=label)


_NEAR = [(5, 3, "left"), (-5, 3, "right"), (5, -9, "left"), (-5, -9, "right"), (0, 7, "center"), (0, -13, "center")]
_FAR = [(dx * k, dy * k, "left" if dx > 0 else "right") for k in (1, 1.6) for dx, dy in
        ((14, -20), (-14, 16), (22, -10), (-22, 8), (10, -28), (-10, 24))]  # fmt: skip


def names(axes: Any, points: list[tuple[float, float, str]], color: str = INK) -> None:
    """Draw names beside points, covering neither names nor points; distant ones get a line, some are left out."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    axes.margins(x=0.07, y=0.08)
    agg: Any = FigureCanvasAgg
    canvas = agg(axes.figure)
    canvas.draw()  # now everything has its final position
    dots = [axes.transData.transform((x, y)) for x, y, _ in points]
    taken: list[Any] = [Bbox.from_bounds(x - 3, y - 3, 6, 6) for x, y in dots]
    legend = axes.get_legend()
    if legend is not None:
        taken.append(legend.get_window_extent(canvas.get_renderer()))
    inside = axes.get_window_extent(canvas.get_renderer())
    seen: set[tuple[float, float, str]] = set()
    for x, y, name in points:
        if (x, y, name) in seen:
            continue
        seen.add((x, y, name))
        for n, (dx, dy, side) in enumerate([*_NEAR, *_FAR]):
            far = {"arrowprops": {"arrowstyle": "-", "color": "#888888", "lw": 0.6, "shrinkA": 0, "shrinkB": 2}}
            text = axes.annotate(
                name, (x, y), xytext=(dx, dy), textcoords="offset points", fontsize=7.5, color=color, ha=side,
                **(far if n >= len(_NEAR) else {}),
            )  # fmt: skip
            box = text.get_window_extent(canvas.get_renderer())
            box = Bbox.from_extents(*_text_box(text, canvas)) if n >= len(_NEAR) else box
            fits = inside.contains(box.x0, box.y0) and inside.contains(box.x1, box.y1)
            if fits and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            text.remove()


def _text_box(text: Any, canvas: Any) -> tuple[float, float, float, float]:
    """Return the box of an annotation's words without its line."""
    from matplotlib.text import Text

    text.update_positions(canvas.get_renderer())
    box = Text.get_window_extent(text, canvas.get_renderer())
    return box.x0, box.y0, box.x1, box.y1
