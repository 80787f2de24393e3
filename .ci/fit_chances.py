"""Measure how often hands win in each book, and fit `data/chances.json`: `python .ci/fit_chances.py FOLDER [BOOK …]`.

Four `gain` bots play; some decisions of each seat, chosen uniformly, are written down with what became of the hand
(`quepu.review.reliability`). Rows are kept in FOLDER, a file for each span of hands: a second run plays only those that
are missing. `--write` fits the books named to all of them, and the entry of all books together if all are named. How
often predictions came true is told by fits to one half of the spans, which predict the other half, or of other games
than it was fitted to by the file as it is (`--shipped`); `--curve` writes that.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.bots.chances import ALL, BEND_ODDS, DEEPEST, MeasuredChances, count_hidden, load_measured, log_step
from quepu.fast.compiled.code_cache import installed
from quepu.review.reliability import Sample, samples, tenths
from quepu.rulebooks import find_book

SPAN = 100
MOST = 4
"""Decisions of a seat and hand."""
BOOKS = ("lingque-29", "lingque-26", "yuque-54", "guobiao-mcr", "canton")
FEWEST = 200
"""Turns seen less often than this get their rate from their neighbours."""
FILE = Path(quepu.__file__).parent / "data" / "chances.json"
CURVE = FILE.with_name("calibration.json")
SQUARED = 3
"""Hands that lack more tiles are too alike in their ways for a square."""
LEAST_STEP = 0.05
"""The least weight of the ways of hands that lack more."""
WHEN = (1 / 24, 1 / 6, 1 / 2, 5 / 6)
"""Chances bend at these quantiles of the turns left."""
TIGHT = 8.0
"""How much evidence it takes to bend them."""


def play(rules: str, seed: int, first: int, folder: str) -> None:
    """Play a span of hands into its file."""
    path = Path(folder) / f"{rules}-{seed}-{first}.npy"
    if not path.exists():
        rows = samples(find_book(rules), seed, first, first + SPAN, fast=installed(), most=MOST)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.save(file, np.array([[float(value) for value in row] for row in rows]))
        part.replace(path)


def read(folder: Path, rules: str) -> Any:
    """Return a book's rows, the hand's number first: those of other seeds are other hands."""
    found = [np.zeros((0, len(Sample._fields)))]
    for file in sorted(folder.glob(f"{rules}-*-*.npy")):
        seed = int(file.stem.rsplit("-", 2)[1])
        found.append(np.load(file) + np.eye(1, len(Sample._fields))[0] * seed * 1_000_000)
    return np.concatenate(found)


def together(found: dict[str, Any]) -> Any:
    """Return the rows of all books; hands of another book have other numbers."""
    return np.concatenate([rows + np.eye(1, rows.shape[1])[0] * i * 10**11 for i, rows in enumerate(found.values())])


def columns(rows: Any) -> dict[str, Any]:
    """Return rows by their fields."""
    return dict(zip(Sample._fields, rows.T, strict=True))


def steps_of(of: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return the step (`log_step`), turns left, and hidden tiles of decisions."""
    each = zip(of["missing"], of["ways"], of["unseen"], strict=True)
    turns = of["left"] / 4 + 0.5
    hidden = [count_hidden(int(unseen), t) for unseen, t in zip(of["unseen"], turns, strict=True)]
    return np.array([log_step(int(n), ways, int(unseen)) for n, ways, unseen in each]), turns, np.array(hidden)


def terms(of: dict[str, Any]) -> Any:
    """Return what the weights of `MeasuredChances` stand before: rows of `missing`, then melds and hidden tiles."""
    step, turns, hidden = steps_of(of)
    lacks = np.clip(of["missing"], 1, DEEPEST)
    found = []
    for n in range(1, DEEPEST + 1):
        row = [np.ones(len(step)), step, step * step if n <= SQUARED else step * 0, turns / 10]
        found += [one * (lacks == n) for one in row]
    return np.stack([*found, of["shown"], hidden], 1)


def regression(x: Any, y: Any, offset: Any = 0.0, ridge: float = 1e-2) -> Any:
    """Return the weights of a logistic regression, found by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-offset - x @ weights))
        information = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(weights))
        step = np.linalg.solve(information, x.T @ (y - p) - ridge * weights)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return weights


def hats(at: Any, knots: Any) -> Any:
    """Return the weights of the two knots beside each number, as `MeasuredChances` interpolates."""
    at, knots = np.clip(at, knots[0], knots[-1]), np.array(knots)
    first = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    more = (at - knots[first]) / (knots[first + 1] - knots[first])
    found = np.zeros((len(at), len(knots)))
    found[np.arange(len(at)), first], found[np.arange(len(at)), first + 1] = 1 - more, more
    return found


def at_least(weights: int) -> Any:
    """Return the least value of each weight: chances must rise with the ways, and with the turns left."""
    least = np.full(weights, -np.inf)
    for n in range(DEEPEST):
        least[4 * n + 3] = 0.0
        if n >= SQUARED:
            least[4 * n + 1] = LEAST_STEP
    return least


def bounded(x: Any, y: Any) -> Any:
    """Return the weights of a logistic regression that are at least so large: those that would be less are fixed."""
    least = at_least(x.shape[1])
    weights, free = np.where(np.isfinite(least), least, 0.0), np.full(x.shape[1], True)
    while True:
        weights[free] = regression(x[:, free], y, x[:, ~free] @ weights[~free])
        low = free & (weights < least)
        if not low.any():
            return weights
        weights[low], free = least[low], free & ~low


def law_of(of: dict[str, Any]) -> MeasuredChances:
    """Fit the law of chances to decisions, and its bend."""
    weights = [round(float(one), 3) for one in bounded(terms(of), of["won"])]
    rows = tuple(tuple(weights[4 * n : 4 * n + 4]) for n in range(DEEPEST))
    times = tuple(round(float(one), 1) for one in np.quantile(of["left"] / 4 + 0.5, WHEN))
    law = MeasuredChances(rows, weights[-2], weights[-1], times, (), ())
    step, turns, hidden = steps_of(of)
    each = zip(of["missing"], step, turns, strict=True)
    odds = np.array([law.odds(int(n), s, t) for n, s, t in each]) + law.melds * of["shown"] + law.hidden * hidden
    near = (hats(odds, BEND_ODDS)[:, :, None] * hats(turns, times)[:, None, :]).reshape(len(odds), -1)
    bend = regression(near, of["won"], odds, TIGHT).reshape(len(BEND_ODDS), len(times))
    return law._replace(bend=tuple(tuple(round(float(one), 3) for one in row) for row in bend))


def predict(law: MeasuredChances, of: dict[str, Any]) -> Any:
    """Return the chances of decisions."""
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    return np.array([law.chance(int(n), ways, int(u), left / 4 + 0.5, int(m)) for n, ways, u, left, m in each])


def predict_halves(rows: Any) -> Any:
    """Return the chances of all decisions, those of each half by a fit to the other half."""
    half = rows[:, 0] // SPAN % 2
    found = np.zeros(len(rows))
    for one in (0, 1):
        found[half == one] = predict(law_of(columns(rows[half != one])), columns(rows[half == one]))
    return found


def ends_of(of: dict[str, Any]) -> list[float]:
    """Return how often another seat ends the hand within a turn, by turns left."""
    most = int(of["left"].max()) // 4 + 1
    ends, lasts = np.zeros(most), np.zeros(most)
    for turn in range(most):
        left = of["left"] - 4 * turn
        on = (of["ended"] > turn) & (left > 0)
        over = on & (of["ended"] <= turn + 1) & (of["won"] == 0) & (of["left"] - 4 * of["ended"] > 1)
        at = np.clip(left // 4, 0, most - 1).astype(int)
        ends += np.bincount(at[over], minlength=most)
        lasts += np.bincount(at[on], minlength=most)
    enough = np.flatnonzero(lasts >= MOST * FEWEST)
    return [round(float(rate), 3) for rate in np.interp(np.arange(most), enough, ends[enough] / lasts[enough])]


def fitted(rows: Any) -> dict[str, Any]:
    """Return a book's part of `data/chances.json`."""
    of = columns(rows)
    law = law_of(of)
    return {
        "hands": len(np.unique(rows[:, 0])),
        **{name: getattr(law, name) for name in ("missing", "melds", "hidden", "times", "bend")},
        "ended": ends_of(of),
    }


def show(rules: str, rows: Any, predicted: Any) -> None:
    """Print tenths of the predicted chance to win, how often they came true, and how far thirds of the hand are off."""
    of = columns(rows)
    print(f"\n{rules}: {len(rows):,} decisions\n\n| predicted | decisions | came true | off |\n|---|---:|---:|---:|")
    for i, one in enumerate(tenths(rows[:, 0].astype(int).tolist(), predicted, (of["won"] > 0).tolist())):
        if one.of:
            off = 100 * (one.actual - one.predicted)
            print(f"| {10 * i}–{10 * i + 10} % | {one.of:,} | {one.actual:.1%} ± {one.half:.1%} | {off:+.1f} |")
    cells = [one for third in thirds(rows, predicted) for one in third]
    far = [(*one, round(100 * (one[2] - one[1]), 1)) for one in cells if abs(one[2] - one[1]) > 0.02]
    print(f"\nTenths of thirds: {len(cells)}; more than 2 points off: {far}")


def thirds(rows: Any, predicted: Any) -> list[list[list[float]]]:
    """Return tenths (of, predicted, actual, half) of early, middle and late decisions, a third each."""
    left = columns(rows)["left"]
    late, early = np.quantile(left, (1 / 3, 2 / 3))
    found = []
    for some in (left > early, (left <= early) & (left > late), left <= late):
        came = (rows[some, Sample._fields.index("won")] > 0).tolist()
        found.append(
            [
                [one.of, round(one.predicted, 3), round(one.actual, 3), round(one.half, 3)]
                for one in tenths(rows[some][:, 0].astype(int).tolist(), predicted[some].tolist(), came)
                if one.of >= FEWEST
            ]
        )
    return found


def main() -> None:
    """Play what is missing, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("books", nargs="*", default=list(BOOKS))
    parser.add_argument("--hands", type=int, default=20_000, help="of each book")
    parser.add_argument("--seed", type=int, default=1717)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shipped", action="store_true", help="judge data/chances.json, not fits to halves")
    parser.add_argument("--write", action="store_true", help="write data/chances.json")
    parser.add_argument("--curve", action="store_true", help="write data/calibration.json, of all rows")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        spans = [(name, first) for first in range(0, given.hands, SPAN) for name in given.books]
        for done in [pool.submit(play, name, given.seed, first, str(given.folder)) for name, first in spans]:
            done.result()
    found = {rules: read(given.folder, rules) for rules in given.books}
    if given.write:
        data = json.loads(FILE.read_text("utf-8"))  # other books stay as they are
        if {*found} >= {*BOOKS}:
            data[ALL] = fitted(together(found))
        data |= {rules: fitted(rows) for rules, rows in found.items()}
        text = json.dumps(data, indent=1).replace("\n    ", " ").replace("\n   ", " ").replace("\n  ]", "]")
        FILE.write_text(text + "\n", "utf-8")
    predicted = {
        rules: predict(load_measured(find_book(rules)), columns(rows)) if given.shipped else predict_halves(rows)
        for rules, rows in found.items()
    }
    if given.curve:
        curves = json.loads(CURVE.read_text("utf-8"))  # of other books they stay
        curves |= {rules: thirds(rows, predicted[rules]) for rules, rows in found.items()}
        CURVE.write_text(json.dumps(curves).replace("]], ", "]],\n ").replace("]]], ", "]]],\n") + "\n", "utf-8")
    for rules, rows in found.items():
        show(rules, rows, predicted[rules])


if __name__ == "__main__":
    main()
