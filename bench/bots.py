"""Levels of bots against each other, and four of a kind: `python bench/bots.py [BOOK …] [--pairs A:B:WALLS …]`.

A duplicate match plays every wall by every different seating of two and two, so the luck of the deal falls out; a row
gives the difference in points a hand and seat with its standard error over walls, and the 95 % interval. `--equal`
gives for each level four of its kind over so many hands. Rows of Markdown tables; the number of walls is said
beforehand, and every run is arguments.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import Any

from quepu.arena import Plan, simulate
from quepu.arena.counts import Stats

PAIRS = ("plain:random:20", "steps:plain:100", "gain:steps:300", "master:gain:600")
"""Better, worse, walls: near levels need more."""
EQUAL = ("plain", "steps", "gain", "master")


def duel(rules: str, better: str, worse: str, walls: int, seed: int, jobs: int) -> str:
    """A row: two of each level on the same walls."""
    began = time.process_time()
    plan = Plan(rules, (better, better, worse, worse), walls, seed, duplicate=True)
    stats = simulate(plan, jobs, partial(progress, better)).to_json()
    line = stats["duplicate"][0]
    sign, edge = seen_by(better, line)
    low, high = sorted((sign * line["low95"], sign * line["high95"]))
    won, fed = [
        [sum(p[what] for p in stats["players"] if p["level"] == level) / stats["hands"] for level in (better, worse)]
        for what in ("wins", "deal_ins")
    ]
    return (
        f"| {rules} | {better} : {worse} | {line['walls']} | {stats['hands']} "
        f"| {edge} | {low:+.3f} … {high:+.3f} "
        f"| {won[0]:.0%} : {won[1]:.0%}, {stats['drawn_share']:.0%} | {fed[0] / 2:.0%} : {fed[1] / 2:.0%} "
        f"| {time.process_time() - began:.0f} |"
    )


def seen_by(better: str, line: dict[str, Any]) -> tuple[int, str]:
    """A difference as this level sees it: which way it counts, and its points with their standard error."""
    sign = 1 if line["better"] == better else -1
    return sign, f"{sign * line['net_a_hand']:+.3f} ± {line['se']:.3f}"


def progress(better: str, done: int, walls: int, stats: Stats) -> None:
    """How it stands, now and then: for whoever waits."""
    if done % 500 < 4 and done < walls:
        print(f"  {done} walls: {seen_by(better, stats.to_json()['duplicate'][0])[1]}", file=sys.stderr, flush=True)


def four_equal(rules: str, level: str, hands: int, seed: int, jobs: int) -> str:
    """A row: four bots of one level."""
    began = time.process_time()
    stats = simulate(Plan(rules, (level,) * 4, hands, seed), jobs).to_json()
    wins = max(1, stats["hands"] - stats["drawn"])
    claims = sum(p["claims_a_hand"] for p in stats["players"])
    closed = sum(p["closed_wins"] for p in stats["players"]) / wins
    return (
        f"| {rules} | {level} | {stats['hands']} | {wins / stats['hands']:.1%} | {stats['drawn_share']:.1%} "
        f"| {stats['points_a_hand'] * stats['hands'] / wins:.1f} | {stats['points_a_hand']:.1f} | {closed:.0%} "
        f"| {claims:.1f} | {stats['draws_a_hand']:.0f} | {time.process_time() - began:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=["lingque-29", "guobiao-mcr"])
    parser.add_argument("--pairs", nargs="*", default=list(PAIRS), metavar="A:B:WALLS")
    parser.add_argument("--equal", nargs="*", default=list(EQUAL), metavar="LEVEL")
    parser.add_argument("--hands", type=int, default=2000, help="of four equal bots")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.pairs:
        print(
            "| book | levels | walls | hands | points a hand and seat | 95 % | won, drawn | dealt in, a seat | CPU s |"
        )
        print("|---|---|---:|---:|---:|---|---|---|---:|")
    for pair in arguments.pairs:
        better, worse, walls = pair.split(":")
        for rules in arguments.books:
            print(duel(rules, better, worse, int(walls), arguments.seed, arguments.jobs))
            sys.stdout.flush()
    if arguments.equal:
        print("\n| book | four of | hands | won | drawn | points a win | a hand | closed wins | claims a hand | draws "
              "| CPU s |")  # fmt: skip
        print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for level in arguments.equal:
        for rules in arguments.books:
            print(four_equal(rules, level, arguments.hands, arguments.seed, arguments.jobs))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
