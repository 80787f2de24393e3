"""Complete self-played rounds a second, events and log included, against riichienv in the same run.

    python bench/rounds.py [--rules lingque-29] [--seconds 6]

Both sides choose uniformly among their legal actions with the same kind of generator; CPU time of one process, the two
taking turns so that a busy neighbour slows both. "written" also turns every event into a chained line of the log.
"""

from __future__ import annotations

import argparse
import random
import time

from quepu.match import LogWriter, Match
from quepu.play_rules import play_rules
from quepu.rulebooks import book as find_book
from quepu.table import Table, make_wall


def quepu_rounds(name: str, n: int, seed: int, *, written: bool = False) -> int:
    book = find_book(name)
    rules = play_rules(book)
    flowers = rules.table.flowers
    rnd = random.Random(seed).random
    decisions = 0
    for i in range(n):
        table = Table(book, make_wall(seed, i, flowers=flowers), rules=rules)
        while table.asked:
            seat = table.asked[0]
            options = table.options(seat)
            table.step(seat, options[int(rnd() * len(options))])
            decisions += 1
        if written:
            lines: list[str] = []
            match = Match(book)
            log = LogWriter(match, lines.append)
            log.hand(1, match.place, table)
            assert table.ending is not None
            match = match.played(table.ending)
            log.result(match.hands[-1].settlement, match.totals)
            log.end()
    return decisions


def riichienv_rounds(n: int, seed: int) -> int:
    import riichienv

    rnd = random.Random(seed).random
    decisions = 0
    for i in range(n):
        env = riichienv.RiichiEnv(game_mode="4p-red-single", seed=seed + i)
        observations = env.reset()
        while not env.done():
            actions = {}
            for player, observation in observations.items():
                legal = observation.legal_actions()
                actions[player] = legal[int(rnd() * len(legal))]
                decisions += 1
            observations = env.step(actions)
    return decisions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="lingque-29")
    parser.add_argument("--seconds", type=float, default=6.0)
    given = parser.parse_args()
    sides = {
        f"quepu {given.rules}": lambda seed: quepu_rounds(given.rules, 200, seed),
        f"quepu {given.rules}, written": lambda seed: quepu_rounds(given.rules, 200, seed, written=True),
        "riichienv": lambda seed: riichienv_rounds(200, seed),
    }
    spent = dict.fromkeys(sides, 0.0)
    best = dict.fromkeys(sides, 0.0)
    rounds = dict.fromkeys(sides, 0)
    decisions = dict.fromkeys(sides, 0)
    for side in sides.values():
        side(0)  # warm
    seed = 1
    while min(spent.values()) < given.seconds:
        for name, side in sides.items():
            start = time.process_time()
            decisions[name] += side(seed)
            took = time.process_time() - start
            spent[name] += took
            best[name] = max(best[name], 200 / took)
            rounds[name] += 200
        seed += 1
    base = rounds["riichienv"] / spent["riichienv"]
    for name in sides:
        rate = rounds[name] / spent[name]
        each = decisions[name] / rounds[name]
        print(
            f"{name:32s} {rate:8.0f} rounds/s (best {best[name]:6.0f}) {rate * each:9.0f} decisions/s"
            f" {each:6.1f} a round {rate / base:6.2f} x riichienv"
        )


if __name__ == "__main__":
    main()
