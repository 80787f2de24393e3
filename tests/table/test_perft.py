"""How many sequences of n actions there are from fixed walls: a change of the rules shows as another number.

`python -m tests.table.test_perft` writes the file anew; what changed is then to be explained.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from tests.books import PLAYED

COUNTS = Path(__file__).with_name("perft.txt")
HEAD = """# Sequences of n actions, every seat that is asked taken in any order.
# book, seed of the wall, how many random steps (of that seed) are played first, counts for n = 1, 2 …
"""
WALLS = (1, 2, 3)
LATER = (0, 30, 70)
DEPTH = 4


def perft(table: Table, depth: int) -> int:
    if depth == 0 or not table.to_act:
        return 1 if depth == 0 else 0
    total = 0
    for seat in table.to_act:
        for action in table.options(seat):
            if depth == 1:
                total += 1
                continue
            after = table.copy()
            after.step(seat, action)
            total += perft(after, depth - 1)
    return total


def position(name: str, seed: int, steps: int) -> Table:
    table = Table(book(name), make_wall(seed, tiles=play_rules(book(name)).table.tiles))
    rng = random.Random(seed)
    for _ in range(steps):
        seat = rng.choice(table.to_act)
        table.step(seat, rng.choice([option for option in table.options(seat) if option.do != "win"]))
    return table


def line(name: str, seed: int, steps: int, depth: int) -> str:
    counts = [perft(position(name, seed, steps), n) for n in range(1, depth + 1)]
    return f"{name} {seed} {steps} " + " ".join(map(str, counts))


def written() -> dict[tuple[str, int, int], str]:
    found = {}
    for text in COUNTS.read_text().splitlines():
        if text and not text.startswith("#"):
            name, seed, steps, *_ = text.split()
            found[name, int(seed), int(steps)] = text
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_counts(name: str) -> None:
    expected = written()
    for seed in WALLS:
        for steps in LATER:
            counts = expected[name, seed, steps].split()[3:]
            assert len(counts) == DEPTH
            assert line(name, seed, steps, 2).split()[3:] == counts[:2]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_counts_in_full(name: str) -> None:
    expected = written()
    for seed in WALLS:
        for steps in LATER:
            assert line(name, seed, steps, DEPTH) == expected[name, seed, steps]


def test_the_books_differ_where_their_rules_do() -> None:
    assert len({" ".join(text.split()[1:]) for text in written().values()}) > len(WALLS) * len(LATER)


def main() -> None:
    lines = [line(name, seed, steps, DEPTH) for name in PLAYED for seed in WALLS for steps in LATER]
    COUNTS.write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
