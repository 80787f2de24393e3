"""Complete self-played hands a second, with every event recorded, beside riichienv driven from Python in the same run.

Both sides choose uniformly among their legal actions with the same kind of generator; they take turns, so that a busy
neighbour slows both. "Written" also turns every event into a chained line of a log. riichienv records its own log too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from riichi import legal_action, riichi_rounds
from rows import Row

from quepu.arena.bot_hand import play_hand
from quepu.bots.protocol import make_bot
from quepu.match import LogWriter, Match
from quepu.rulebooks import book, book_ids
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.tiles import PLAIN

EACH = 200
TURNS = 8


def ours(name: str, seed: int, *, written: bool = False) -> int:
    """So many hands of one book by random choices; how many were made."""
    rules, match = play_rules(book(name)), Match(book(name))
    flowers = rules.table.flowers
    rnd = random.Random(seed).random
    decisions = 0
    lines: list[str] = []
    log = LogWriter(match, lines.append)
    for i in range(EACH):
        table = Table(match.book, make_wall(seed, i, PLAIN.with_flowers(flowers)), rules=rules)
        while table.to_act:
            seat = table.to_act[0]
            options = table.options(seat)
            table.step(seat, options[int(rnd() * len(options))])
            decisions += 1
        if written:
            log.hand(1, match.place, table)
            assert table.ending is not None
            done = match.played(table.ending)
            log.result(done.hands[-1].settlement, done.totals)
    return decisions


def by_bots(name: str, level: str, seed: int) -> int:
    """Hands by four bots through the arena; how many answers they gave."""
    rules = play_rules(book(name))
    bots = [make_bot(level, seed + seat) for seat in range(4)]
    answers = 0
    for i in range(EACH // 4):
        wall = make_wall(seed, i, rules.table.tiles)
        table = play_hand(book(name), wall, bots, rules=rules)
        answers += sum(event.tag in ("discard", "added", "concealed") for event in table.events) + len(table.answers)
    return 4 * answers


def measure() -> Iterator[Row]:
    """A row for riichienv, then for each book and kind of player."""
    works: dict[str, Callable[[int], int]] = {
        "riichienv: random": lambda seed: riichi_rounds(seed, EACH, legal_action),
        "lingque-29: random": lambda seed: ours("lingque-29", seed),
        "lingque-29: random, log written": lambda seed: ours("lingque-29", seed, written=True),
    }
    spent = dict.fromkeys(works, 0.0)
    decisions = dict.fromkeys(works, 0)
    for seed in range(TURNS):
        for what, work in works.items():
            begun = time.process_time()
            made = work(seed)
            if seed:  # the first turn warms up
                spent[what] += time.process_time() - begun
                decisions[what] += made
    hands = EACH * (TURNS - 1)
    base = hands / spent["riichienv: random"]
    for what in works:
        rate = hands / spent[what]
        beside = f"{decisions[what] / spent[what]:,.0f} decisions/s, {decisions[what] / hands:.0f} a hand"
        if what != "riichienv: random":
            beside += f"; {rate / base:.2f} × riichienv"
        yield Row(what, f"{rate:,.0f} hands/s", beside)
    others: list[tuple[str, Callable[[int], int], int]] = [
        (f"{name}: random", partial(ours, name), EACH) for name in book_ids() if name != "lingque-29"
    ]
    others += [
        ("lingque-29: random bots by the arena", lambda seed: by_bots("lingque-29", "random", seed), EACH // 4),
        ("lingque-29: plain bots by the arena", lambda seed: by_bots("lingque-29", "plain", seed), EACH // 4),
    ]
    for what, work, n in others:
        work(0)
        begun = time.process_time()
        made = sum(work(seed) for seed in (1, 2))
        took = time.process_time() - begun
        yield Row(what, f"{2 * n / took:,.0f} hands/s", f"{made * n / EACH / took:,.0f} decisions/s")
