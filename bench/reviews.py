"""How long a hand's review takes: every decision of all four seats, with and without numba, tables built before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rows import Row

BOOKS = ("lingque-29", "lingque-26", "yuque-54", "guobiao-mcr", "canton")
HANDS = 30
_ONE = """
import json, sys, time
if sys.argv[3] == "without": sys.modules["numba"] = None
from quepu.bots import make_bot
from quepu.bots.payable_bot import payable
from quepu.match import LogWriter, Match, read_log
from quepu.review import review_hand
from quepu.rulebooks import named
from quepu.table import Table, make_wall
from quepu.rules.play_rules import play_rules
from quepu.tiles import PLAIN
book = named(sys.argv[1])
payable(book).prepare()
times = []
for number in range(int(sys.argv[2])):
    table = Table(book, make_wall(29, number, PLAIN.with_flowers(play_rules(book).table.flowers)))
    bots = [make_bot("plain", seat) for seat in range(4)]
    for seat, bot in enumerate(bots): bot.begin(book, seat)
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
    match, lines = Match(book), []
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, table)
    hand = read_log(lines, unfinished=True).hands[0]
    begun = time.process_time()
    made = review_hand(hand, book)
    times.append((time.process_time() - begun, len(made["decisions"])))
print(json.dumps(times))
"""


def measure() -> Iterator[Row]:
    """Two rows a book."""
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent / "src")}
    for how in ("with", "without"):
        for book in BOOKS:
            arguments = [sys.executable, "-c", _ONE, book, str(HANDS), how]
            done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True)
            times = json.loads(done.stdout)
            mean = sum(time for time, _ in times) / len(times)
            count = sum(n for _, n in times) / len(times)
            longest = max(time for time, _ in times)
            what = f"a hand under {book} reviewed, {how} numba"
            yield Row(what, f"{mean:.2f} s", f"longest of {HANDS} {longest:.2f} s; {count:.0f} decisions, all seats")
