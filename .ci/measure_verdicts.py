"""Measure how far estimates of a choice's cost are off: `python .ci/measure_verdicts.py FOLDER [BOOK …]`.

Random choices of `gain` bots: the best one and one of the next three are played out in the same worlds
(`quepu.review.playouts`). Rows are kept in FOLDER, a file for each span of hands. `--write` fits
`data/confidence.json`: the error of an estimate as a share of what the best choice is worth. `--again` compares with
any other choice, looks after 64 and after 128 worlds, doubles the worlds of verdicts outside the noise, and counts
those that are contradicted (the other one is better then, outside the noise) and those whose difference changes sign.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.errors import Error
from quepu.review.asking import Scene, estimate
from quepu.review.confidence import ALL, BASE
from quepu.review.playouts import Played, play_out, widen
from quepu.review.reliability import each_choice
from quepu.rulebooks import find_book

BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
FILE = Path(quepu.__file__).parent / "data" / "confidence.json"
WORLDS = 64
LOOKS = (WORLDS, 2 * WORLDS)
SPAN = 20
"""Hands that are played at once."""


def rows(rules: str, seed: int, first: int, again: bool) -> Any:
    """Yield a row for a random choice of each hand; `again`: verdicts outside the noise are doubled."""
    book, rng = find_book(rules), random.Random(f"{rules} {seed} {first}")
    met: dict[int, int] = {}
    kept: dict[int, Any] = {}
    for number, table, seat, _ in each_choice(book, seed, first, first + SPAN):
        met[number] = met.get(number, 0) + 1
        if rng.random() * met[number] < 1:
            kept[number] = table.copy(), seat
    for number, (table, seat) in kept.items():
        try:
            scene = Scene.of_table(table, seat)
            best, *others = scene.rated.choices if again else scene.rated.choices[:4]
            if scene.rated.lost or best.points is not None or not others:
                continue
            other = rng.choice(others)
            found = estimate(scene, best, other)
            played, later = Played(), None
            for worlds in LOOKS if again else LOOKS[:1]:
                played = play_out(scene, best.action, other.action, played, worlds)
                verdict = played.verdict
                if verdict is None or verdict.better:
                    break
            if again and verdict is not None and verdict.better:
                later = play_out(scene, best.action, other.action, played, 2 * played.worlds).verdict
        except Error:
            continue
        if verdict is None:
            continue
        yield {
            "hand": number, "left": table.board.left, "estimate": found, "worth": best.expected, "mean": verdict.mean,
            "half": verdict.half, "worlds": played.worlds, "chance": best.chance,
            "won": played.won[0] / played.worlds, "better": verdict.better,
            "later": None if later is None else later.better, "later_mean": None if later is None else later.mean,
        }  # fmt: skip


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
        made = [json.dumps(row) for row in rows(rules, given.seed, spans[rules] * SPAN, given.again)]
        path.write_text("\n".join(made) + "\n", "utf-8")
        spans[rules] += 1
    fit: dict[str, Any] = {}
    every: list[dict[str, Any]] = []
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
        every += found
        sure = [one for one in found if one["better"]]
        again = [one for one in sure if one["later"] is not None]
        turned = sum(one["later"] == -one["better"] for one in again)
        crossed = sum(one["later_mean"] * one["better"] < 0 for one in again)
        won, chance = (float(np.mean([one[key] for one in found])) for key in ("won", "chance"))
        print(
            rules, fit[rules], f"outside the noise {len(sure)}, for the best one {sum(o['better'] > 0 for o in sure)};",
            f"doubled {len(again)}, contradicted {turned}, sign changed {crossed};",
            f"chance {chance:.3f}, played {won:.3f}",
        )  # fmt: skip
    if given.write:
        fit = {ALL: fitted(every), **fit}
        FILE.write_text(json.dumps(fit, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
