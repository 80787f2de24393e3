"""Calibrate a book: the value of each fan against its rarity in bits.

玉雀's author calls a 番 value the logarithm of the theoretical win probability of hands with the feature, relative to a
plain hand. Here every decomposed standard hand is weighted by its number of physical tile sets, times a factor for each
of its pungs (a pung can be claimed from any player, a chow only from one). A fan's share is that of the hands in which
its condition holds, and its bits are -log2 of the share. The method is in docs/guide/lab.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text
from quepu.fast.universe.census import PUNGS, Census
from quepu.lab.captions import source, state_words
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rules.rulebook import Rulebook

Array = NDArray[Any]
PUNG_FACTOR = 2.0
FACTORS = tuple(1 + 0.25 * n for n in range(13))
FEWEST = 3
"""The fewest points for fitting a line."""


@dataclass(frozen=True)
class FittedLine:
    """y = slope x + intercept by least squares."""

    slope: float
    intercept: float
    r2: float
    sd: float  # standard deviation of the residuals
    n: int
    slope_se: float  # standard error of the slope: the uncertainty from the spread of the points about the line

    @overload
    def at(self, x: float) -> float: ...

    @overload
    def at(self, x: Array) -> Array: ...

    def at(self, x: Any) -> Any:
        """Return the line's y at x."""
        return self.slope * x + self.intercept


def fit(x: Array, y: Array) -> FittedLine | None:
    """Fit a line to these points; None for fewer than three or all at one x."""
    if len(x) < FEWEST or np.ptp(x) == 0:
        return None
    slope, intercept = np.polyfit(x, y, 1)
    rest = y - (slope * x + intercept)
    r2 = 1 - rest.var() / y.var() if y.var() else 0.0
    se = np.sqrt(rest @ rest / (len(x) - 2)) / (np.std(x) * np.sqrt(len(x)))
    return FittedLine(float(slope), float(intercept), float(r2), float(rest.std()), len(x), float(se))


def is_plain(census: Census) -> bool:
    """Return whether the book adds up 番; one that multiplies 副 and 翻 is measured by log2 of its points."""
    return "fu" not in census.parts and "fan" in census.parts


def scale_values(census: Census) -> Array:
    """Return the value of each class on the fitted scale: the sum of 番, or log2 of points (NaN for 0)."""
    if is_plain(census):
        return np.asarray(census.parts["fan"], float)
    points = census.points.astype(float)
    return np.asarray(np.log2(points, out=np.full(len(points), np.nan), where=points > 0))


def scale(census: Census) -> Text:
    """Return the name of that scale."""
    return Text("番", "fan") if is_plain(census) else Text("log₂ 点数", "log2 points")


def pung_weights(factor: float) -> Array:
    """Return the weights of hands with 0 … 4 pungs."""
    return np.asarray(factor ** np.arange(PUNGS))


@dataclass(frozen=True)
class Placed:
    """Fans of a book as points of the plot: names, rows, bits, and the least value of a hand that counts them."""

    names: list[str]
    rows: list[list[int]]
    bits: Array
    value: Array
    all_sets: float

    def holds(self, census: Census, at: int) -> Array:
        """Return the classes in which one of its rows holds: bool."""
        return np.asarray(census.holds[:, self.rows[at]].any(axis=1))

    def counts(self, census: Census, at: int) -> Array:
        """Return the classes in which one of its rows counts: bool."""
        return np.asarray((census.counts[:, self.rows[at]] > 0).any(axis=1))


def stems(book: Rulebook) -> dict[str, list[int]]:
    """Group rows by fan: those that differ by tile or suit (清一色:萬, 番牌 中) are one, under their stem."""
    found: dict[str, list[int]] = {}
    for row, fan in enumerate(book.fans):
        found.setdefault(re.split("[: ]", fan.name)[0], []).append(row)
    return {(stem if len(rows) > 1 else book.fans[rows[0]].name): rows for stem, rows in found.items()}


def stem_words(*books: Rulebook) -> dict[str, Text]:
    """Return the fans of these books in both languages, including the stems of such rows."""
    words = {}
    for book in books:
        for stem, rows in stems(book).items():
            words[stem] = Text(stem, f"{' / '.join(book.fans[row].english for row in rows)} {stem}")
    return words


def place_fans(census: Census, factor: float = PUNG_FACTOR, by_row: bool = False) -> Placed:
    """Return every fan (or row) that some but not all hands hold, and that some hand counts."""
    weight = census.standard.reading_sets @ pung_weights(factor)
    total = weight.sum()
    value = scale_values(census)
    taken = census.standard.by_class("readings") > 0
    book = census.book
    fans = {fan.name: [row] for row, fan in enumerate(book.fans)} if by_row else stems(book)
    at = Placed(list(fans), list(fans.values()), np.zeros(len(fans)), np.zeros(len(fans)), float(total))
    counted, held = np.ascontiguousarray(census.counts.T) > 0, np.ascontiguousarray(census.holds.T)  # by fan
    plotted = []
    for n, rows in enumerate(at.rows):
        counts = counted[rows].any(axis=0) & taken
        share = weight[held[rows].any(axis=0)].sum() / total
        if 0 < share < 1 and counts.any() and not np.isnan(value[counts]).all():
            plotted.append(n)
            at.bits[n], at.value[n] = -np.log2(share), np.nanmin(value[counts])
    return Placed(
        [at.names[n] for n in plotted], [at.rows[n] for n in plotted], at.bits[plotted], at.value[plotted], float(total)
    )


def values(census: Census, factor: float = PUNG_FACTOR) -> Sheet:
    """Tabulate each fan's bits, least value, the line's value for its bits, and the difference: outliers first."""
    at = place_fans(census, factor)
    line = fit(at.bits, at.value)
    fitted = line.at(at.bits) if line else np.full(len(at.bits), np.nan)
    rest = at.value - fitted
    order = np.argsort(-np.abs(rest), kind="stable")
    rows = [
        (at.names[i], float(at.bits[i]), float(at.value[i]), float(fitted[i]), float(rest[i]), _verdict(rest[i], line))
        if line
        else (at.names[i], float(at.bits[i]), float(at.value[i]), None, None, "")
        for i in order
    ]
    unit = scale(census)
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("bits", Text("比特", "bits"), "number"),
        SheetColumn("value", Text(f"最低 {unit.zh}", f"least {unit.en}"), "number"),
        SheetColumn("fitted", Text("拟合", "fitted"), "number"),
        SheetColumn("residual", Text("差", "residual"), "number"),
        SheetColumn("verdict", Text("评", "verdict"), "word"),
    )
    facts: dict[str, Any] = {"pung_factor": factor, "fans": len(rows), "log2": not is_plain(census)}
    lines = [_NO_LINE]
    if line:
        facts |= {"slope": line.slope, "intercept": line.intercept, "r2": line.r2, "sd": line.sd}
        words = stem_words(census.book)
        over, under = ([words[row[0]] for row in rows if row[5] == which][:5] for which in ("overpaid", "underpaid"))
        lines = [
            Text(
                f"{unit.zh} = {line.slope:.2f} × 比特 {line.intercept:+.2f}，R² {line.r2:.3f}，标准差 {line.sd:.2f}"
                f"（{line.n} 个番种，刻子权 ×{factor:g}）",
                f"{unit.en} = {line.slope:.2f} × bits {line.intercept:+.2f}, R² {line.r2:.3f}, s.d. {line.sd:.2f} "
                f"({line.n} fans, each pung ×{factor:g})",
            ),
            Text(
                f"偏高：{'、'.join(x.zh for x in over) or '无'}；偏低：{'、'.join(x.zh for x in under) or '无'}",
                f"overpaid: {', '.join(x.en for x in over) or 'none'}; "
                f"underpaid: {', '.join(x.en for x in under) or 'none'}",
            ),
        ]
    title = Text(f"{census.book.title.zh}：番值与稀有度", f"{census.book.title.en}: values against rarity")
    words = stem_words(census.book) | VERDICTS
    return Sheet("calibrate", title, source(census), columns, rows, facts, lines, words=words)


_NO_LINE = Text(
    f"能放在图上的番种不到 {FEWEST} 个，拟合不出直线。",
    f"Fewer than {FEWEST} fans can be placed, so no line is fitted.",
)
VERDICTS = {"overpaid": Text("偏高", "overpaid"), "underpaid": Text("偏低", "underpaid"), "": Text("", "")}


def _verdict(rest: float, line: FittedLine | None) -> str:
    if line is None or np.isnan(rest) or abs(rest) < line.sd:
        return ""
    return "overpaid" if rest > 0 else "underpaid"


def factors(census: Census) -> Sheet:
    """Tabulate how well the line fits for each weight of a pung."""
    rows = []
    for factor in FACTORS:
        at = place_fans(census, factor)
        line = fit(at.bits, at.value)
        if line:
            rows.append((factor, line.r2, line.sd, line.slope, line.intercept))
    columns = (
        SheetColumn("factor", Text("刻子权", "pung factor"), "number"),
        SheetColumn("r2", Text("R²", "R²"), "number"),
        SheetColumn("sd", Text("标准差", "s.d."), "number"),
        SheetColumn("slope", Text("斜率", "slope"), "number"),
        SheetColumn("intercept", Text("截距", "intercept"), "number"),
    )
    best = max(rows, key=lambda row: row[1])[0] if rows else None
    line_ = Text(f"拟合最好的刻子权：{best}", f"best pung factor: {best}") if rows else _NO_LINE
    title = Text(f"{census.book.title.zh}：刻子权与拟合优度", f"{census.book.title.en}: fit by pung factor")
    return Sheet("factors", title, source(census), columns, rows, {"best": best}, [line_])


def joint(census: Census, factor: float = PUNG_FACTOR) -> Sheet:
    """Compare, for every two fans that count together, the value of their joint bits with the least such hand."""
    at = place_fans(census, factor)
    line = fit(at.bits, at.value)
    weight = census.standard.reading_sets @ pung_weights(factor)
    taken = census.standard.by_class("readings") > 0
    value = scale_values(census)
    holds = [at.holds(census, n) for n in range(len(at.names))]
    counts = [at.counts(census, n) & taken for n in range(len(at.names))]
    rows = []
    for i in range(len(holds)):
        for j in range(i + 1, len(holds)):
            share = weight[holds[i] & holds[j]].sum() / at.all_sets
            both = counts[i] & counts[j]
            if share and both.any() and line and not np.isnan(value[both]).all():
                bits = float(-np.log2(share))
                least = float(np.nanmin(value[both]))
                fitted = float(line.at(bits))
                rows.append((at.names[i], at.names[j], bits, least, fitted, least - fitted))
    rows.sort(key=lambda row: -abs(row[5]))
    rest = np.array([row[5] for row in rows])
    facts: dict[str, Any] = {"pairs": len(rows), "unit": {"zh": f" {scale(census).zh} ", "en": scale(census).en}}
    lines = [_NO_LINE] if line is None else []
    if rows:
        near = 100 * (np.abs(rest) <= 2).mean()
        facts |= {"bias": float(rest.mean()), "sd": float(rest.std()), "within_two": float((np.abs(rest) <= 2).mean())}
        lines = [
            Text(
                f"{len(rows)} 对：平均差 {rest.mean():+.2f}，标准差 {rest.std():.2f}，{near:.0f}% 在 2 以内",
                f"{len(rows)} pairs: bias {rest.mean():+.2f}, s.d. {rest.std():.2f}, {near:.0f}% within 2",
            )
        ]
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("other", Text("与", "with"), "fan"),
        SheetColumn("bits", Text("共现比特", "joint bits"), "number"),
        SheetColumn("value", Text("同计最低", "least together"), "number"),
        SheetColumn("fitted", Text("按稀有度", "by rarity"), "number"),
        SheetColumn("residual", Text("差", "residual"), "number"),
    )
    title = Text(f"{census.book.title.zh}：复合与共现", f"{census.book.title.en}: pairs of fans against their rarity")
    return Sheet("joint", title, source(census), columns, rows, facts, lines, words=stem_words(census.book))


def payable(censuses: list[Census]) -> Sheet:
    """Tabulate the share of all standard hands that can win, state by state."""
    rows = []
    for census in censuses:
        pays = census.points >= census.book.minimum
        hands, sets = census.standard.by_class("hands"), census.standard.by_class("sets")
        rows.append(
            (
                census.state.key,
                int(hands[pays].sum()),
                float(hands[pays].sum() / hands.sum()),
                float(sets[pays].sum() / sets.sum()),
            )
        )
    columns = (
        SheetColumn("state", Text("状态", "state"), "word"),
        SheetColumn("hands", Text("可和种数", "valid hands"), "int"),
        SheetColumn("share_hands", Text("占种数", "of hands"), "share"),
        SheetColumn("share_sets", Text("占牌组", "of tile sets"), "share"),
    )
    book = censuses[0].book
    title = Text(
        f"{book.title.zh}：起和 {book.minimum} 时可和的牌",
        f"{book.title.en}: valid hands with a minimum of {book.minimum}",
    )
    where = source(censuses[0], *censuses[1:])
    return Sheet("payable", title, where, columns, rows, {"minimum": book.minimum}, words=state_words(*censuses))


def tabulate_moves(old: Census, new: Census, factor: float = PUNG_FACTOR) -> Sheet:
    """Tabulate the place of each fan in the plots of two editions."""
    a, b = place_fans(old, factor), place_fans(new, factor)
    before = {name: (float(x), float(y)) for name, x, y in zip(a.names, a.bits, a.value, strict=True)}
    after = {name: (float(x), float(y)) for name, x, y in zip(b.names, b.bits, b.value, strict=True)}
    rows = []
    for name in dict.fromkeys([*after, *before]):
        x, y = before.get(name, (None, None))
        u, v = after.get(name, (None, None))
        change = v - y if v is not None and y is not None else None
        rows.append((name, x, y, u, v, change))
    rows.sort(key=lambda row: -abs(row[5]) if row[5] is not None else -1e9)
    unit = scale(new)
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("old_bits", Text("旧比特", "bits before"), "number"),
        SheetColumn("old_value", Text(f"旧最低 {unit.zh}", f"least {unit.en} before"), "number"),
        SheetColumn("new_bits", Text("新比特", "bits now"), "number"),
        SheetColumn("new_value", Text(f"新最低 {unit.zh}", f"least {unit.en} now"), "number"),
        SheetColumn("change", Text("变化", "change"), "number"),
    )
    title = Text(
        f"{old.book.title.zh} → {new.book.title.zh}：番值移动",
        f"{old.book.title.en} → {new.book.title.en}: fans that moved",
    )
    facts = {"scale": {"zh": f"最低 {unit.zh}", "en": f"least {unit.en}"}, "log2": not is_plain(new)}
    return Sheet("moved", title, source(new), columns, rows, facts, words=stem_words(new.book, old.book))
