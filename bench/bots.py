"""Levels of bots against each other in duplicate matches: `python bench/bots.py [BOOK …] [--walls N]`.

Every wall is played by every different seating of two and two, so the luck of the deal falls out. Printed as rows of
a table: the difference in points a hand and seat with its standard error, and the 95 % interval.
"""

from __future__ import annotations

import argparse
import sys
import time

from quepu.arena import Plan, simulate

PAIRS = (("plain", "random", 1), ("steps", "plain", 1), ("gain", "plain", 1), ("gain", "steps", 3))
"""Better, worse, and how many times the walls: near levels need more."""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("books", nargs="*", default=["lingque-29", "guobiao-mcr"])
    asked.add_argument("--walls", type=int, default=20)
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--seed", type=int, default=1)
    told = asked.parse_args()
    print("| book | levels | walls | hands | points a hand and seat | 95 % | won, drawn | s |")
    print("|---|---|---:|---:|---:|---|---|---:|")
    for rules in told.books:
        for better, worse, times in PAIRS:
            began = time.perf_counter()
            plan = Plan(rules, (better, better, worse, worse), told.walls * times, told.seed, duplicate=True)
            stats = simulate(plan, told.jobs).to_json()
            line = stats["duplicate"][0]
            sign = 1 if line["better"] == better else -1
            low, high = sorted((sign * line["low95"], sign * line["high95"]))
            won = [
                sum(p["wins"] for p in stats["players"] if p["level"] == x) / stats["hands"] for x in (better, worse)
            ]
            print(
                f"| {rules} | {better} : {worse} | {line['walls']} | {stats['hands']} "
                f"| {sign * line['net_a_hand']:+.1f} ± {line['se']:.1f} | {low:+.1f} … {high:+.1f} "
                f"| {won[0]:.0%} : {won[1]:.0%}, {stats['drawn_share']:.0%} | {time.perf_counter() - began:.0f} |"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
