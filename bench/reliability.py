"""Predicted against actual: `python bench/reliability.py FOLDER [BOOK …] [--hands N] [--jobs N] [--only-read]`.

Four `gain` bots play; of each seat one decision, all alike, is written down with the chance to win that the review
predicts and with what became of the hand (`quepu.review.reliability`). Rows lie in FOLDER, a file for each span of
hands: begun again it goes on with those that are missing, `--only-read` plays none. `--write` writes what was measured
of each book, in every second span, to `data/chances.json`. Then tenths of the predictions are printed with what came
true in the other spans, which nothing was fitted to; with `--both`, of all spans, each half by what was fitted to the
other. `--forms` compares forms of the correction, fitted to every second span, on hands of the seed `FORMS` alone, to
which and by which nothing else is fitted or judged. `--fit` prints the constants of `quepu.bots.chances`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import lgamma, log
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.bots import chances
from quepu.bots.chances import ALL, FARTHEST, MOST_HIDDEN, WEIGHTS, MeasuredChances, from_json, measured
from quepu.fast.compiled.code_cache import installed
from quepu.review.reliability import Sample, samples, tenths
from quepu.review.turns import by_turn
from quepu.rulebooks import named

SPAN = 100
BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton", "lingque-26")
FORMS = 3131
"""The seed by which a form is chosen."""
FEWEST = 200
"""Turns of which so many were seen have a rate of their own."""
FILE = Path(quepu.__file__).parent / "data" / "chances.json"
WON = Sample._fields.index("won")
WITHIN = (3, 6)
"""Turns within which being ready and winning are looked at, too."""
COARSE, LEAST, CLOSE = 0.02, 1e-4, 1.02
"""Of fitting steps: chances that are taken as one, the least chance, and how near a rate is found."""


def play(rules: str, seed: int, first: int, folder: str) -> str:
    """Play a span of hands into its file."""
    found = samples(named(rules), seed, first, first + SPAN, fast=installed())
    rows = np.array([[float(value) for value in row] for row in found])
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


def read(folder: Path, rules: str, checked: bool | None) -> Any:
    """Rows of a book, a hand's number first, that are fitted to or `checked` against; None: for choosing a form."""
    found = [np.zeros((0, len(Sample._fields)))]
    for file in sorted(folder.glob(f"{rules}-*-*.npy")):
        seed, first = (int(part) for part in file.stem.rsplit("-", 2)[1:])
        if (None if seed == FORMS else first // SPAN % 2 == 1) is checked:
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


def predicted(rows: Any, measured: MeasuredChances) -> list[float]:
    """The chance to win of these rows of one book."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    return [measured.chance(int(n), w, int(unseen), left / 4 + 0.5, int(m)) for n, w, unseen, left, m in each]


def terms(rows: Any) -> dict[str, Any]:
    """What a correction may be made of, a column each."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    each = zip(of["missing"], of["ways"], of["unseen"], of["left"], of["shown"], strict=True)
    odds = np.array([chances.log_odds(int(n), w, int(u), left / 4 + 0.5, int(m)) for n, w, u, left, m in each])
    lacks = np.clip(of["missing"], 1, chances.DEEPEST)
    return {
        "one": np.ones(len(rows)),
        **{f"missing {n}": (lacks == n) * 1.0 for n in LACKS},
        "law": odds,
        "bend": np.maximum(odds, 0),
        "square": np.minimum(odds * odds, FARTHEST),
        "turns": np.log(of["left"] / 4 + 0.5),
        "melds": of["shown"],
        "hidden": np.clip(of["unseen"] - of["left"], 0, MOST_HIDDEN),
    }


LACKS = range(1, chances.DEEPEST + 1)
MISSING = tuple(f"missing {n}" for n in LACKS)
CHOSEN = (*MISSING, *WEIGHTS)
MADE_OF = {
    "a line": ("one", "law"),
    "a line with a bend at one half": ("one", "law", "bend"),
    "a constant for each number of missing tiles": (*MISSING, "law"),
    "and turns": (*MISSING, "law", "turns"),
    "and turns, melds": (*MISSING, "law", "turns", "melds"),
    "and turns, melds, hidden tiles": (*MISSING, "law", "turns", "melds", "hidden"),
    "and turns, melds, hidden tiles, a bend": (*MISSING, "law", "bend", "turns", "melds", "hidden"),
    "and turns, melds, hidden tiles, the square": CHOSEN,
}


def forms(fit: dict[str, Any], judged: dict[str, Any]) -> None:
    """Print how likely each form makes what came true in rows that it is judged by, more than the law alone does."""
    print("\n| form | " + " | ".join(judged) + " | all |\n|---|" + "---:|" * (len(judged) + 1))
    seen = {rules: (terms(fit[rules]), terms(rows), rows[:, WON]) for rules, rows in judged.items()}
    for name, parts in MADE_OF.items():
        gains = []
        for rules, (x, z, won) in seen.items():
            weights, _ = regression(np.stack([x[part] for part in parts], 1), fit[rules][:, WON])
            odds = [np.stack([z[part] for part in parts], 1) @ weights, z["law"]]
            made, alone = (-np.logaddexp(0, np.where(won > 0, -one, one)).sum() for one in odds)
            gains.append(made - alone)
        print(f"| {name} | " + " | ".join(f"{gain:+.1f}" for gain in [*gains, sum(gains)]) + " |")


def table(title: str, rows: Any, now: Sequence[float], of_books: Sequence[MeasuredChances]) -> None:
    """The chance to win of these rows, as predicted, and, with what was measured `of_books`, within some turns."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    show(f"{title}: won", rows, np.array(now), of["won"] > 0)
    if not of_books:
        return
    each = zip(of["missing"], now, of["left"], of_books, strict=True)
    curves = [by_turn(int(n), p, int(left), one.ended) for n, p, left, one in each]
    for turns in WITHIN:
        at = [curve[min(turns, len(curve)) - 1] for curve in curves]
        won = (of["won"] > 0) & (of["ended"] <= turns)
        show(f"{title}: won within {turns} turns", rows, np.array([one.won for one in at]), won)
        far = of["missing"] > 1
        ready = np.array([one.ready for one in at])
        show(f"{title}: ready within {turns} turns", rows[far], ready[far], (of["ready"] <= turns)[far])


def tables(found: dict[str, Any], now: dict[str, list[float]], of_books: dict[str, MeasuredChances]) -> None:
    """Tables of each book, and of all together; `of_books` may be empty."""
    for rules, rows in found.items():
        table(rules, rows, now[rules], [of_books[rules]] * len(rows) if of_books else [])
    each = [of_books[rules] for rules, rows in found.items() for _ in rows] if of_books else []
    table("all", together(found), [share for rules in found for share in now[rules]], each)


def fitted(rows: Any) -> dict[str, Any]:
    """What `data/chances.json` has of a book (`quepu.bots.chances`)."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    x = terms(rows)
    weights = [round(float(one), 3) for one in regression(np.stack([x[part] for part in CHOSEN], 1), of["won"])[0]]
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
        "missing": weights[: len(MISSING)],
        **dict(zip(WEIGHTS, weights[len(MISSING) :], strict=True)),
        "ended": [round(float(rate), 3) for rate in rates],
    }


def paced(rows: Any, book: MeasuredChances) -> list[float]:
    """How much faster than the last step each other is, so that hands are ready and won as early as they were."""
    of = dict(zip(Sample._fields, rows.T, strict=True))
    chance = COARSE * np.round(np.array(predicted(rows, book)) / COARSE)
    alike = np.stack([np.clip(of["missing"], 1, chances.DEEPEST), chance, 4 * np.round(of["left"] / 4)], 1)
    each, which, counts = np.unique(alike, axis=0, return_inverse=True, return_counts=True)
    came = [
        np.bincount(which, (of[what] <= turns) & (of["won"] > 0 if what == "ended" else True))
        for turns in WITHIN
        for what in ("ended", "ready")
    ]

    def unlikely(steps: tuple[float, ...]) -> float:
        """Minus the log-likelihood of what came true within some turns."""
        total = 0.0
        for (n, chance, left), count, *true in zip(each, counts, *came, strict=True):
            curve = by_turn(int(n), max(float(chance), COARSE / 4), int(left), book.ended, steps)
            at = [curve[min(turns, len(curve)) - 1] for turns in WITHIN]
            shares = [share for one in at for share in (one.won, one.ready)]
            for share, of_these in zip(shares, true, strict=True):
                p = min(max(share, LEAST), 1 - LEAST)
                total -= of_these * log(p) + (count - of_these) * log(1 - p)
        return total

    steps, factor = [1.0] * chances.DEEPEST, 1.3
    best = unlikely(tuple(steps))
    while factor > CLOSE:
        better = False
        for at in range(1, chances.DEEPEST):
            for times in (factor, 1 / factor):
                tried = (*steps[:at], steps[at] * times, *steps[at + 1 :])
                found = unlikely(tried)
                if found < best:
                    best, steps, better = found, list(tried), True
                    break
        factor = factor if better else factor**0.5
    return [round(one, 2) for one in steps]


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
    parser.add_argument("--both", action="store_true", help="judge all hands, each half by a fit to the other")
    parser.add_argument("--forms", action="store_true", help="only compare forms of the correction")
    parser.add_argument("--steps", action="store_true", help="only fit the rates of steps (quepu.review.turns)")
    parser.add_argument("--fit", action="store_true", help="the constants of the common law, too")
    parser.add_argument("--write", action="store_true", help="write data/chances.json")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if not given.only_read:
        with ProcessPoolExecutor(given.jobs) as pool:
            todo = [pool.submit(play, *span) for span in spans(given.folder, given.books, given.seed, given.hands)]
            for done in as_completed(todo):
                print(done.result(), flush=True)
    fit, found, apart = (
        {rules: rows for rules in given.books if len(rows := read(given.folder, rules, which))}
        for which in (False, True, None)
    )
    if given.forms:
        forms(fit, apart)
        return
    if given.steps:
        for rules, rows in fit.items():
            print(rules, paced(rows, measured(named(rules))), flush=True)
        return
    if given.write:
        data = {ALL: fitted(together(fit)), **{rules: fitted(rows) for rules, rows in fit.items()}}
        FILE.write_text(json.dumps(data, indent=1).replace("\n   ", " ").replace("\n  ]", "]") + "\n", "utf-8")
    of = {rules: measured(named(rules)) for rules in found}
    now = {rules: predicted(rows, of[rules]) for rules, rows in found.items()}
    if given.both:
        turned = {rules: predicted(fit[rules], from_json(fitted(rows))) for rules, rows in found.items()}
        now = {rules: shares + turned[rules] for rules, shares in now.items()}
        found = {rules: np.concatenate([rows, fit[rules]]) for rules, rows in found.items()}
    tables(found, now, of if given.within else {})
    if given.fit:
        logistic(*columns(together(found)))


if __name__ == "__main__":
    main()
