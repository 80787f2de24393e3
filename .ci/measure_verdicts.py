"""Measure how far estimates of a choice's cost are off: `python .ci/measure_verdicts.py FOLDER [BOOK …]`.

Random choices of `gain` bots: the best one and one of the next three are played out in the same worlds
(`quepu.review.playouts`). Rows are kept in FOLDER, a file for each span of hands. `--write` fits
`data/confidence.json`: the error of an estimate as a share of what the best choice is worth. `--again` takes later
moments, at which a hand is ready or nearly so, plays all their choices in the same worlds and compares each two of
them: it looks after 64 and after 128 worlds, doubles the worlds of verdicts outside the noise, and
counts those that are contradicted (the other one is better then, outside the noise) and those whose difference changes
sign.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.errors import Error
from quepu.fast.nearest.receipts import FAR
from quepu.review.asking import Scene, estimate
from quepu.review.confidence import ALL, BASE
from quepu.review.playouts import LineWorlds, Played, Verdict, play_line, play_out, widen
from quepu.review.reliability import each_choice
from quepu.review.valuation import RatedAction
from quepu.rulebooks import find_book
from quepu.table.sampling import can_sample

BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
FILE = Path(quepu.__file__).parent / "data" / "confidence.json"
WORLDS = 64
LOOKS = (WORLDS, 2 * WORLDS)
SPAN = 20
"""Hands that are played at once."""
LATE, NEAR = 55, 2
"""Tiles in the wall, and tiles missing, at most, of moments whose verdicts are doubled."""


def scenes(rules: str, seed: int, first: int, late: bool) -> Iterator[tuple[int, Scene, random.Random]]:
    """Yield a random choice of each hand; `late`: with few tiles in the wall, and few missing."""
    book, rng = find_book(rules), random.Random(f"{rules} {seed} {first}")
    met: dict[int, int] = {}
    kept: dict[int, Any] = {}
    for number, table, seat, _ in each_choice(book, seed, first, first + SPAN):
        if late and table.board.left > LATE:
            continue
        met[number] = met.get(number, 0) + 1
        if rng.random() * met[number] < 1:
            kept[number] = table.copy(), seat
    for number, (table, seat) in kept.items():
        if not can_sample(table, seat):
            continue
        try:
            scene = Scene.of_table(table, seat)
            best, *others = scene.rated.choices
        except Error:
            continue
        if late and (best.missing or FAR) > NEAR:
            continue
        if not scene.rated.lost and best.points is None and others:
            yield number, scene, rng


def rows(rules: str, seed: int, first: int) -> Iterator[dict[str, Any]]:
    """Yield a row for a random choice of each hand: the best one and one of the next three."""
    for number, scene, rng in scenes(rules, seed, first, late=False):
        best, *others = scene.rated.choices[:4]
        other = rng.choice(others)
        try:
            played = play_out(scene, best.action, other.action, Played(), WORLDS)
        except Error:
            continue
        if (verdict := played.verdict) is not None:
            won = played.won[0] / played.worlds
            yield row(number, scene, (best, other), verdict) | {"worlds": played.worlds, "won": won}


def row(number: int, scene: Scene, pair: tuple[RatedAction, RatedAction], verdict: Verdict) -> dict[str, Any]:
    """Return what is kept of a verdict about two choices."""
    return {
        "hand": number, "left": scene.view.board.left, "estimate": estimate(scene, *pair),
        "worth": scene.rated.choices[0].expected, "mean": verdict.mean, "half": verdict.half,
        "chance": pair[0].chance, "better": verdict.better, "later": None, "later_mean": None,
    }  # fmt: skip


class Lines:
    """Some choices of a scene, played out in the same worlds as far as needed."""

    def __init__(self, scene: Scene, choices: Sequence[RatedAction]) -> None:
        self._scene, self.choices = scene, choices
        self._walls: dict[int, Any] = {}
        self._played: list[list[LineWorlds]] = [[] for _ in choices]

    def play(self, at: int, worlds: int) -> tuple[Any, Any]:
        """Return what one of them gained in each of the first worlds, and where it won."""
        parts = self._played[at]
        while len(parts) * WORLDS < worlds:
            start = len(parts) * WORLDS
            if start not in self._walls:
                self._walls[start] = self._scene.orders(start, start + WORLDS)
            parts.append(play_line(self._scene, self.choices[at].action, self._walls[start]))
        nets, won = (np.concatenate(some)[:worlds] for some in list(zip(*parts, strict=True))[:2])
        return nets, won

    def verdict(self, pair: tuple[int, int], worlds: int) -> Verdict:
        """Compare two of them."""
        a, b = (self.play(at, worlds)[0] for at in pair)
        sums = int(a.sum()), int(b.sum())
        made = Played(worlds, sums, squares=int(((a - b) ** 2).sum())).verdict
        assert made is not None  # noqa: S101  # there are enough worlds
        return made


def doubled_rows(rules: str, seed: int, first: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each two of some choices of each hand; verdicts outside the noise are doubled."""
    for number, scene, _ in scenes(rules, seed, first, late=True):
        lines = Lines(scene, scene.rated.choices)
        try:
            for pair in combinations(range(len(lines.choices)), 2):
                worlds, verdict = LOOKS[0], lines.verdict(pair, LOOKS[0])
                if not verdict.better:
                    worlds, verdict = LOOKS[1], lines.verdict(pair, LOOKS[1])
                a, b = (lines.choices[at] for at in pair)
                won = float(lines.play(pair[0], worlds)[1].mean())
                made = row(number, scene, (a, b), verdict) | {"worlds": worlds, "won": won}
                if verdict.better:
                    later = lines.verdict(pair, 2 * worlds)
                    made |= {"later": later.better, "later_mean": later.mean}
                yield made
        except Error:
            continue


def fitted(found: list[dict[str, Any]]) -> dict[str, float]:
    """Return the error of estimates, as `quepu.review.confidence` takes it."""
    some = [one for one in found if one["worth"] > 0]
    apart = np.array([one["mean"] - one["estimate"] for one in some])
    worth, half = (np.array([one[key] for one in some]) for key in ("worth", "half"))
    loss = np.clip([one["estimate"] / one["worth"] for one in some], 0, 1)
    noise = (half / np.array([widen(one["worlds"]) for one in some]) / worth) ** 2
    grows = (BASE + loss) ** 2
    weight = 1 / (noise + 0.05) ** 2
    error = float((weight * grows * ((apart / worth) ** 2 - noise)).sum() / (weight * grows * grows).sum())
    return {"choices": len(found), "error": round(max(0.0, error) ** 0.5, 3)}


def main() -> None:
    """Play for a while, then print and perhaps write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("books", nargs="*", default=list(BOOKS))
    parser.add_argument("--seed", type=int, default=4545)
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    spans = {rules: sum(1 for _ in given.folder.glob(f"{rules}-{given.seed}-*.jsonl")) for rules in given.books}
    while time.monotonic() - started < given.seconds:
        rules = min(spans, key=lambda one: spans[one])
        path = given.folder / f"{rules}-{given.seed}-{spans[rules] * SPAN}.jsonl"
        make = doubled_rows if given.again else rows
        made = [json.dumps(one) for one in make(rules, given.seed, spans[rules] * SPAN)]
        path.write_text("\n".join(made) + "\n", "utf-8")
        spans[rules] += 1
    fit: dict[str, Any] = {}
    every: list[list[dict[str, Any]]] = []
    for rules in given.books:
        found = [
            json.loads(line)
            for file in sorted(given.folder.glob(f"{rules}-*.jsonl"))
            for line in file.read_text("utf-8").splitlines()
            if line
        ]
        if not found:
            continue
        fit[rules] = fitted(found)
        every.append(found)
        sure = [one for one in found if one["better"]]
        again = [one for one in sure if one["later"] is not None]
        turned = sum(one["later"] == -one["better"] for one in again)
        crossed = sum(one["later_mean"] * one["better"] < 0 for one in again)
        won, chance = (float(np.mean([one[key] for one in found])) for key in ("won", "chance"))
        print(
            rules, fit[rules], f"outside the noise {len(sure)}, for the best one {sum(o['better'] > 0 for o in sure)};",
            f"doubled {len(again)} of {len({one['hand'] for one in sure})} hands,",
            f"contradicted {turned}, sign changed {crossed};",
            f"chance {chance:.3f}, played {won:.3f}",
        )  # fmt: skip
    if given.write:
        fewest = min(map(len, every))  # of all books together, each counts the same
        fit = {ALL: fitted([one for found in every for one in found[:fewest]]), **fit}
        FILE.write_text(json.dumps(fit, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
