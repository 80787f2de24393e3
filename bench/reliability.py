"""Predicted against actual: `python bench/reliability.py FOLDER [BOOK …] [--hands N] [--jobs N] [--only-read]`.

Four `gain` bots play; of each seat one decision, all alike, is written down with the chance to win that the review
predicts and with what became of the hand (`quepu.review.reliability`). Rows lie in FOLDER, a file for each span of
hands: begun again it goes on with those that are missing, `--only-read` plays none. `--write` writes what was measured
of each book, in every second span, to `data/chances.json`. Then tenths of the predictions are printed with what came
true in the other spans, which nothing was fitted to, and, with `--fit`, the constants of `quepu.bots.chances`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import lgamma
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.bots import chances
from quepu.review.measured_chances import ALL, MeasuredChances, measured
from quepu.review.reliability import Sample, samples, tenths
from quepu.review.turns import by_turn
from quepu.rulebooks import named

SPAN = 100
BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton", "lingque-26")
SURE = 3.0
"""Standard errors from which on a bend is believed."""
FEWEST = 200
"""Turns of which so many were seen have a rate of their own."""
FILE = Path(quepu.__file__).parent / "data" / "chances.json"
WITHIN = (3, 6)
"""Turns within which being ready and winning are looked at, too."""


def play(rules: str, seed: int, first: int, folder: str) -> str:
    """Play a span of hands into its file."""
    rows = np.array([[float(value) for value in row] for row in samples(named(rules), seed, first, first + SPAN)])
    path = Path(folder) / f"{rules}-{seed}-{first}.npy"
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, rows)
    part.replace(path)
    return path.name


def spans(folder: Path, books: list[str], seed: int, hands: int) -> Iterator[tuple[str, int, int, str]]:
    """Spans that are missing, the books in turn."""
    for first in range(0, hands, SPAN):
        for rules in books:
            if not (folder / f"{rules}-{seed}-{first}.npy").exists():
                yield rules, seed, first, str(folder)


def read(folder: Path, rules: str, checked: bool) -> Any:
    """Rows of a book, of all seeds, that are fitted to or `checked` against; the number of a hand first."""
    found = [np.zeros((0, len(Sample._fields)))]
    for file in sorted(folder.glob(f"{rules}-*-*.npy")):
        seed, first = (int(part) for part in file.stem.rsplit("-", 2)[1:])
        if first // SPAN % 2 == checked:
            found.append(np.load(file) + np.eye(1, len(Sample._fields))[0] * seed * 1_000_000)
    return np.concatenate(found)


def together(found: dict[str, Any]) -> Any:
    """Rows of all books; hands of another book have other numbers."""
    return np.concatenate([rows + np.eye(1, rows.shape[1])[0] * i * 10**11 for i, rows in enumerate(found.values())])


def show(title: str, rows: Any, predicted: Any, came: Any) -> None:
    """Print the tenths of one prediction."""
    made = tenths(rows[:, 0].astype(int).tolist(), predicted.tolist(), came.tolist())
    hands = len(np.unique(rows[:, 0]))
    print(f"\n**{title}**: {hands:,} hands, {len(rows):,} decisions\n")
    print("| predicted | decisions | mean | came true | off |\n|---|---:|---:|---:|---:|")
    for i, one in enumerate(made):
        if one.of:
            print(
                f"| {10 * i}–{10 * i + 10} % | {one.of:,} | {one.predicted:.1%} | {one.actual:.1%} ± {one.half:.1%} | "
                f"{100 * (one.actual - one.predicted):+.1f} |"
            )


def law(rows: Any) -> Any:
    """The chance to win of these rows by the law that all books share."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    return np.array([chances.chance(int(n), w, int(unseen), left / 4 + 0.5, int(m)) for n, w, unseen, left, m in each])


def table(title: str, rows: Any, measured: Sequence[MeasuredChances], within: bool) -> None:
    """The chance to win of these rows, as it is predicted now, and chances within some turns.

    `measured` has for each row what was measured of its book.
    """
    of = dict(zip(Sample._fields, rows.T, strict=True))
    now = [one.corrected(chance) for one, chance in zip(measured, law(rows).tolist(), strict=True)]
    show(f"{title}: won", rows, np.array(now), of["won"] > 0)
    if not within:
        return
    each = zip(of["missing"], now, of["left"], measured, strict=True)
    curves = [by_turn(int(n), p, int(left), one.ended) for n, p, left, one in each]
    for turns in WITHIN:
        at = [curve[min(turns, len(curve)) - 1] for curve in curves]
        won = (of["won"] > 0) & (of["ended"] <= turns)
        show(f"{title}: won within {turns} turns", rows, np.array([one.won for one in at]), won)
        far = of["missing"] > 1
        ready = np.array([one.ready for one in at])
        show(f"{title}: ready within {turns} turns", rows[far], ready[far], (of["ready"] <= turns)[far])


def fitted(rows: Any) -> dict[str, Any]:
    """What `data/chances.json` has of a book (`quepu.review.measured_chances`)."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    chance = law(rows)
    odds = np.log(chance / (1 - chance))
    weights, errors = regression(np.c_[np.ones(len(rows)), odds, np.maximum(odds, 0)], of["won"])
    if abs(weights[2]) < SURE * errors[2]:  # a straight line does
        weights = np.append(regression(np.c_[np.ones(len(rows)), odds], of["won"])[0], 0.0)
    most = int(of["left"].max()) // 4 + 1
    ends, lasts = np.zeros(most), np.zeros(most)
    won = of["won"] > 0
    for turn in range(most):
        left = of["left"] - 4 * turn
        on = (of["ended"] > turn) & (left > 0)
        over = on & (of["ended"] <= turn + 1) & ~won & (of["left"] - 4 * of["ended"] > 1)
        at = np.clip(left // 4, 0, most - 1).astype(int)
        ends += np.bincount(at[over], minlength=most)
        lasts += np.bincount(at[on], minlength=most)
    enough = np.flatnonzero(lasts >= FEWEST)
    rates = np.interp(np.arange(most), enough, ends[enough] / lasts[enough])
    return {
        "hands": len(np.unique(rows[:, 0])),
        "line": [round(float(weight), 3) for weight in weights],
        "ended": [round(float(rate), 3) for rate in rates],
    }


def columns(rows: Any) -> tuple[Any, Any, list[str]]:
    """What a logistic regression sees of rows, and names of the constants."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    n = np.clip(of["missing"].astype(int), 1, chances.DEEPEST)
    true = np.maximum(of["missing"], 1)
    each = np.eye(chances.DEEPEST + 1)[n][:, 1:]
    factorial = np.array([lgamma(k + 1) for k in range(chances.DEEPEST + 1)])[n]
    step = (np.log(of["ways"]) + factorial) / true - np.log(np.maximum(of["unseen"], 1))
    turns = np.log(of["left"] / 4 + 0.5)
    lacks = range(1, chances.DEEPEST + 1)
    names = [*(f"FIRST[{k}]" for k in lacks), "WAYS", *(f"TURNS[{k}]" for k in lacks), "MELDS"]
    return np.c_[each, step, each * turns[:, None], -of["shown"]], of["won"], names


def regression(x: Any, y: Any) -> tuple[Any, Any]:
    """A logistic regression by Newton's steps: the weights and their standard errors."""
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ weights))
        information = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(len(weights))
        step = np.linalg.solve(information, x.T @ (y - p) - 1e-2 * weights)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return weights, np.sqrt(np.diag(np.linalg.inv(information)))


def logistic(x: Any, y: Any, names: list[str]) -> None:
    """Fit and print each coefficient with its standard error."""
    print("\n| | |\n|---|---:|")
    for name, weight, error in zip(names, *regression(x, y), strict=True):
        print(f"| {name} | {weight:+.2f} ± {error:.2f} |")


def main() -> None:
    """Play what is missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("books", nargs="*", default=list(BOOKS))
    parser.add_argument("--hands", type=int, default=20_000, help="of each book")
    parser.add_argument("--seed", type=int, default=1717)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only-read", action="store_true")
    parser.add_argument("--within", action="store_true", help="chances within some turns, too")
    parser.add_argument("--fit", action="store_true", help="the constants of the common law, too")
    parser.add_argument("--write", action="store_true", help="write data/chances.json")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if not given.only_read:
        with ProcessPoolExecutor(given.jobs) as pool:
            todo = [pool.submit(play, *span) for span in spans(given.folder, given.books, given.seed, given.hands)]
            for done in as_completed(todo):
                print(done.result(), flush=True)
    if given.write:
        fit = {rules: rows for rules in given.books if len(rows := read(given.folder, rules, checked=False))}
        data = {ALL: fitted(together(fit)), **{rules: fitted(rows) for rules, rows in fit.items()}}
        FILE.write_text(json.dumps(data, indent=1).replace("\n   ", " ").replace("\n  ]", "]") + "\n", "utf-8")
    found = {rules: rows for rules in given.books if len(rows := read(given.folder, rules, checked=True))}
    whole = together(found)
    of = {rules: measured(named(rules)) for rules in found}
    for rules, rows in found.items():
        table(rules, rows, [of[rules]] * len(rows), given.within)
    table("all", whole, [of[rules] for rules, rows in found.items() for _ in rows], given.within)
    if given.fit:
        logistic(*columns(whole))


if __name__ == "__main__":
    main()
