"""Distil `master` into a small net that rates options, with numpy alone: examples/master.npz, which `net:FILE` plays.

python examples/distil.py [HANDS] [FILE]      a minute of a core with 150 hands of each book

One net learns the books together: the rows of `quepu.bots.option_form` mean the same in each.
"""

from __future__ import annotations

import sys

import numpy as np
from option_network import OptionNetwork
from ppo import Decisions, imitate, taught

BOOKS = ("guobiao-mcr", "lingque-29", "yuque-54", "canton")
TEACHER = "master"


def agreement(network: OptionNetwork, decisions: Decisions) -> float:
    """Return the share of decisions in which the network rates the option taken highest."""
    ratings = network.rate(decisions.rows)
    return float((ratings[decisions.taken] >= np.maximum.reduceat(ratings, decisions.starts)).mean())


def join(parts: list[Decisions]) -> Decisions:
    """Return the decisions of several books as one."""
    before = np.cumsum([0, *(len(part.rows) for part in parts)])
    return Decisions(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.starts + n for part, n in zip(parts, before, strict=False)]),
        np.concatenate([part.taken + n for part, n in zip(parts, before, strict=False)]),
    )


def main(hands: int = 150, file: str = "examples/master.npz") -> None:
    """Collect, train, store, and print how often the net agrees with its teacher on hands kept apart."""
    network = imitate(join([taught(name, TEACHER, hands) for name in BOOKS]))
    network.save(file)
    for name in BOOKS:
        apart = taught(name, TEACHER, max(2, hands // 10), first=hands)
        print(f"{name}: agrees on {agreement(network, apart):.1%} of {len(apart.taken)} decisions of hands kept apart")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 150, *sys.argv[2:3])
