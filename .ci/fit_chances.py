"""Measure how often hands win in each book, and fit `data/chances.json`: `python .ci/fit_chances.py FOLDER [BOOK …]`.

Four `gain` bots play; of each seat one decision, all alike, is written down with what became of the hand
(`quepu.review.reliability`). Rows are kept in FOLDER, a file for each span of hands: a second run plays only those that
are missing. Every second span is fitted to; the others, which nothing was fitted to, say how often predictions came
true. `--write` writes the fit; without it the tables are those of the file as it is.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.bots import chances
from quepu.bots.chances import ALL, FARTHEST, MOST_HIDDEN, WEIGHTS, load_measured
from quepu.fast.compiled.code_cache import installed
from quepu.review.reliability import Sample, samples, tenths
from quepu.rulebooks import find_book

SPAN = 100
BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton", "lingque-26")
FEWEST = 200
"""Turns seen less often than this get their rate from their neighbours."""
FILE = Path(quepu.__file__).parent / "data" / "chances.json"
CURVE = FILE.with_name("calibration.json")
LACKS = range(1, chances.DEEPEST + 1)


def play(rules: str, seed: int, first: int, folder: str) -> None:
    """Play a span of hands into its file."""
    path = Path(folder) / f"{rules}-{seed}-{first}.npy"
    if not path.exists():
        rows = samples(find_book(rules), seed, first, first + SPAN, fast=installed())
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.save(file, np.array([[float(value) for value in row] for row in rows]))
        part.replace(path)


def read(folder: Path, rules: str, judged: int) -> Any:
    """Return a book's rows, the hand's number first: of spans that are fitted to (0) or judged (1)."""
    found = [np.zeros((0, len(Sample._fields)))]
    for file in sorted(folder.glob(f"{rules}-*-*.npy")):
        seed, first = (int(part) for part in file.stem.rsplit("-", 2)[1:])
        if first // SPAN % 2 == judged:
            found.append(np.load(file) + np.eye(1, len(Sample._fields))[0] * seed * 1_000_000)
    return np.concatenate(found)


def together(found: dict[str, Any]) -> Any:
    """Return the rows of all books; hands of another book have other numbers."""
    return np.concatenate([rows + np.eye(1, rows.shape[1])[0] * i * 10**11 for i, rows in enumerate(found.values())])


def columns(rows: Any) -> dict[str, Any]:
    """Return rows by their fields."""
    return dict(zip(Sample._fields, rows.T, strict=True))


def terms(rows: Any) -> Any:
    """Return the terms of the correction (`quepu.bots.chances`): one for each number of missing tiles, then WEIGHTS."""
    of = columns(rows)
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    odds = np.array([chances.log_odds(int(n), w, int(u), left / 4 + 0.5, int(m)) for n, w, u, left, m in each])
    lacks = np.clip(of["missing"], 1, chances.DEEPEST)
    weighed = {
        "law": odds,
        "square": np.minimum(odds * odds, FARTHEST),
        "turns": np.log(of["left"] / 4 + 0.5),
        "melds": of["shown"],
        "hidden": np.clip(of["unseen"] - of["left"], 0, MOST_HIDDEN),
    }
    return np.stack([*((lacks == n) * 1.0 for n in LACKS), *(weighed[name] for name in WEIGHTS)], 1)


def regression(x: Any, y: Any) -> Any:
    """Return the weights of a logistic regression, found by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ weights))
        information = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(len(weights))
        step = np.linalg.solve(information, x.T @ (y - p) - 1e-2 * weights)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return weights


def fitted(rows: Any) -> dict[str, Any]:
    """Return a book's part of `data/chances.json`."""
    of = columns(rows)
    weights = [round(float(one), 3) for one in regression(terms(rows), of["won"])]
    most = int(of["left"].max()) // 4 + 1
    ends, lasts = np.zeros(most), np.zeros(most)
    for turn in range(most):
        left = of["left"] - 4 * turn
        on = (of["ended"] > turn) & (left > 0)
        over = on & (of["ended"] <= turn + 1) & (of["won"] == 0) & (of["left"] - 4 * of["ended"] > 1)
        at = np.clip(left // 4, 0, most - 1).astype(int)
        ends += np.bincount(at[over], minlength=most)
        lasts += np.bincount(at[on], minlength=most)
    enough = np.flatnonzero(lasts >= FEWEST)
    rates = np.interp(np.arange(most), enough, ends[enough] / lasts[enough])
    return {
        "hands": len(np.unique(rows[:, 0])),
        "missing": weights[: len(LACKS)],
        **dict(zip(WEIGHTS, weights[len(LACKS) :], strict=True)),
        "ended": [round(float(rate), 3) for rate in rates],
    }


def show(rules: str, rows: Any) -> None:
    """Print tenths of the predicted chance to win, and how often they came true."""
    of, law = columns(rows), load_measured(find_book(rules))
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    predicted = [law.chance(int(n), w, int(unseen), left / 4 + 0.5, int(m)) for n, w, unseen, left, m in each]
    print(f"\n{rules}: {len(rows):,} decisions\n\n| predicted | decisions | came true | off |\n|---|---:|---:|---:|")
    for i, one in enumerate(tenths(rows[:, 0].astype(int).tolist(), predicted, (of["won"] > 0).tolist())):
        if one.of:
            off = 100 * (one.actual - one.predicted)
            print(f"| {10 * i}–{10 * i + 10} % | {one.of:,} | {one.actual:.1%} ± {one.half:.1%} | {off:+.1f} |")


def thirds(rules: str, rows: Any) -> list[list[list[float]]]:
    """Return tenths (of, predicted, actual, half) of early, middle and late decisions, a third each."""
    law, left = load_measured(find_book(rules)), rows[:, 5]
    late, early = np.quantile(left, (1 / 3, 2 / 3))
    found = []
    for some in (rows[left > early], rows[(left <= early) & (left > late)], rows[left <= late]):
        of = columns(some)
        each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
        predicted = [law.chance(int(n), w, int(unseen), left / 4 + 0.5, int(m)) for n, w, unseen, left, m in each]
        came = (of["won"] > 0).tolist()
        found.append(
            [
                [one.of, round(one.predicted, 3), round(one.actual, 3), round(one.half, 3)]
                for one in tenths(some[:, 0].astype(int).tolist(), predicted, came)
                if one.of >= FEWEST // 4
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
    parser.add_argument("--write", action="store_true", help="write data/chances.json")
    parser.add_argument("--curve", action="store_true", help="write data/calibration.json, of all rows")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        spans = [(name, first) for first in range(0, given.hands, SPAN) for name in given.books]
        for done in [pool.submit(play, name, given.seed, first, str(given.folder)) for name, first in spans]:
            done.result()
    if given.write:  # before anything asks for what the file has
        fit = {rules: read(given.folder, rules, 0) for rules in given.books}
        data = {ALL: fitted(together(fit)), **{rules: fitted(rows) for rules, rows in fit.items()}}
        FILE.write_text(json.dumps(data, indent=1).replace("\n   ", " ").replace("\n  ]", "]") + "\n", "utf-8")
    if given.curve:
        curves = {
            rules: thirds(rules, np.concatenate([read(given.folder, rules, n) for n in (0, 1)]))
            for rules in given.books
        }
        CURVE.write_text(json.dumps(curves).replace("]], ", "]],\n ").replace("]]], ", "]]],\n") + "\n", "utf-8")
    for rules in given.books:
        show(rules, read(given.folder, rules, 1))


if __name__ == "__main__":
    main()
