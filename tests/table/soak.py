"""Many hands at random under one book after another, with every invariant looked at after every event.

    python -m tests.table.soak 100000              so many hands of every book; a line for every ten thousand
    python -m tests.table.soak 5000 canton --from 7000

Of eight hands five are by any option at random, two are eager (they mostly win and kong when they can), and one is by
players who mean to win; some have flowers where the book has none or the other way round, and in some a referee bars a
seat and frees it again.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections import Counter

from quepu.rulebooks import book, book_ids
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, make_wall
from quepu.tiles import PLAIN
from tests.table.follower import Follower
from tests.table.players import choose

EAGER = frozenset({"win", "added", "concealed", "kong", "ready"})


def play(rulebook: Rulebook, seed: str, number: int) -> Table:
    """A hand by random choices, followed to its end; the same for the same seed and number."""
    rules = play_rules(rulebook)
    rng = random.Random(f"{seed} {number}")
    chance, choice = rng.random, rng.choice
    flowers = rules.table.flowers != (number % 10 == 9)
    table = Table(rulebook, make_wall(seed, number, PLAIN.with_flowers(flowers)), round=number % 4)
    follower = Follower(table)
    kind, closely, bars = number % 8, number % 25 == 0, number % 32 > 28
    follower.check()
    while table.to_act:
        seat = table.to_act[0] if len(table.to_act) == 1 else choice(table.to_act)
        options = table.options(seat)
        if kind == 7 and chance() < 0.9:
            table.step(seat, choose(table, seat))
        else:
            if kind > 4 and chance() < 0.8:
                options = [option for option in options if option.do in EAGER or option.ready] or options
            table.step(seat, options[int(chance() * len(options))])
        if bars and chance() < 0.02:
            seat = int(chance() * 4)
            table.bar(seat, not table.board.barred[seat])
        follower.check()
        if closely:
            follower.check_closely()
    follower.check_end()
    return table


def soak(rulebook: Rulebook, hands: range, seed: str = "soak") -> Counter[str]:
    """So many hands; how many were won, drawn …, and how many events there were.

    Raises:
        AssertionError: with the number of the hand in its notes.
    """
    counts: Counter[str] = Counter()
    for number in hands:
        counts += counted(rulebook, number, seed)
    return counts


def counted(rulebook: Rulebook, number: int, seed: str = "soak") -> Counter[str]:
    """What one hand adds to the counts."""
    try:
        table = play(rulebook, seed, number)
    except Exception as wrong:
        wrong.add_note(f"{rulebook.id}, seed {seed!r}, hand {number}")
        raise
    ending = table.ending
    assert ending is not None
    counts = Counter(hands=1, random=number % 8 < 7, events=len(table.events), answers=len(table.answers))
    how = "drawn" if not ending.winners else "self-drawn" if ending.self_draw else "robbed" if ending.robbed else "off"
    counts[how] += 1
    counts["supplied 4 or 5"] += any(max(win.supplied) >= 4 for win in ending.winners)
    for event in table.events:
        if event.tag in ("kong", "added", "concealed", "flower", "barred"):
            counts[event.tag] += 1
    return counts


def main() -> None:
    """Play, and print what was played and what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hands", type=int)
    parser.add_argument("books", nargs="*", default=[name for name in book_ids() if book(name).play])
    parser.add_argument("--from", dest="first", type=int, default=0)
    options = parser.parse_args()
    for name in options.books:
        total: Counter[str] = Counter()
        begun = time.process_time()
        for number in range(options.first, options.first + options.hands):
            try:
                total += counted(book(name), number)
            except Exception as wrong:  # noqa: BLE001  # printed, and the next hand is played
                total["wrong"] += 1
                traceback.print_exception(wrong)
            if (number + 1 - options.first) % 10_000 == 0 or number + 1 == options.first + options.hands:
                line = ", ".join(f"{count:,} {what}" for what, count in total.items())
                print(f"{name}: {line}; {time.process_time() - begun:,.0f} s", flush=True)


if __name__ == "__main__":
    main()
