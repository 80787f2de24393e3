"""Choose, review and play as the bots' levels do.

python bench/run.py duels pairs=master:gain:600 books=lingque-29,canton jobs=2
python bench/run.py wall_variance walls=200 jobs=2
python bench/run.py wall_variance walls=400 own_walls=1 parties=2
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import stdev
from typing import Any

from run import PEAK, Row

from quepu.arena import Plan, play_hand, simulate
from quepu.arena.work_parts import missing, spread
from quepu.bots import LEVELS
from quepu.match.settle import settle
from quepu.rulebooks import book_ids
from quepu.rules.play_rules import play_rules

BOOKS = ("lingque-29", "guobiao-mcr")


def process(code: str, *arguments: str, **environment: str) -> Any:
    """Run code in a process of its own; return the JSON that it prints."""
    command = [sys.executable, "-c", PEAK + code, *arguments]
    return json.loads(subprocess.run(command, env=os.environ | environment, capture_output=True, check=True).stdout)


REVIEW = """
import json, sys, time
if sys.argv[3] == "without": sys.modules["numba"] = None
from quepu.arena import match
from quepu.bots.payable_bot import payable
from quepu.match import read_log
from quepu.review import review_hand
from quepu.rulebooks import named
book = named(sys.argv[1])
payable(book).prepare()
lines = []
match(book.id, ["plain"] * 4, seed=29, log=sys.argv[4])
times = []
for hand in read_log(open(sys.argv[4]), unfinished=True).hands[:int(sys.argv[2])]:
    begun = time.process_time()
    made = review_hand(hand, book)
    times.append((time.process_time() - begun, len(made["decisions"])))
print(json.dumps(times))
"""


def reviews(hands: int = 8) -> Iterator[Row]:
    """Review every decision of a hand of four `plain`, with numba in every book and without in one."""
    with tempfile.TemporaryDirectory() as folder:
        for name, how in [*((name, "with") for name in book_ids()), ("lingque-29", "without")]:
            times = process(REVIEW, name, str(hands), how, f"{folder}/{name}-{how}.jsonl")
            spent, decisions = [sum(column) / len(times) for column in zip(*times, strict=True)]
            note = f"longest of {len(times)} {max(times)[0]:.2f} s; {decisions:.0f} decisions; tables on disk"
            yield Row(f"{name}: a hand reviewed, {how} numba", spent, note=note)


PREPARE = """
import json, time
from quepu.rulebooks import book_ids
from quepu.server.work.building import BookSource, build, compile_queries, ready
compile_queries()
begun = time.process_time()
for source in map(BookSource, book_ids()):
    while not ready(source): build(source)
print(json.dumps([begun, time.process_time() - begun, round(peak())]))
"""
CHOOSE = """
import json, sys, time
from quepu.bots import make_bot
from quepu.rulebooks import book
from quepu.table import Table, make_wall
found = []
for name in sys.argv[2:]:
    begun = time.process_time()
    table, bot = Table(book(name), make_wall(17)), make_bot(sys.argv[1], 1)
    while len(options := table.options(seat := table.to_act[0])) < 2:
        table.step(seat, options[0])
    bot.begin(book(name), seat)
    bot.act(table.view(seat), options)
    found.append(time.process_time() - begun)
print(json.dumps([found, peak()]))
"""


def first_moves() -> Iterator[Row]:
    """Prepare an empty machine as a server does, then ask each strong level for its first discard in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        caches = {"QUEPU_CACHE": f"{folder}/tables", "NUMBA_CACHE_DIR": f"{folder}/loops"}
        loops, tables, memory = process(PREPARE, **caches)
        yield Row("compiling the loops of distances", loops, note="nothing on disk")
        yield Row("building the tables of every book", tables, note=f"nothing on disk; {memory} MiB at most")
        for level in (key for key, one in LEVELS.items() if one.heavy):
            each = {name: process(CHOOSE, level, name, **caches) for name in book_ids()}
            name, ((spent,), _) = max(each.items(), key=lambda item: item[1][0])
            most = max(memory for _, memory in each.values())
            yield Row(f"first discard of {level}", spent, note=f"slowest of all books: {name}; {most:.0f} MiB at most")


def memory(level: str = "gain", books: Sequence[str] = ("lingque-29", "guobiao-mcr", "canton")) -> Iterator[Row]:
    """Measure the memory of one process in which a level plays several books."""
    process(CHOOSE, level, *books)  # puts compiled code on disk
    used = process(CHOOSE, level, *books)[1]
    yield Row(f"a process in which {level} plays {len(books)} books", used, "MiB", note="compiled code on disk")


def duels(
    pairs: Sequence[str] | str = ("plain:random:20", "steps:plain:100", "gain:steps:300"),
    books: Sequence[str] | str = BOOKS,
    seed: int = 1,
    jobs: int = 1,
) -> Iterator[Row]:
    """Play every wall by every seating of two and two; a row says how many points a hand the better level wins.

    The luck of the deal falls out. A pair is BETTER:WORSE:WALLS; near levels need more walls.
    """
    for pair in [pairs] if isinstance(pairs, str) else pairs:
        better, worse, walls = pair.split(":")
        for name in [books] if isinstance(books, str) else books:
            plan = Plan(name, (better, better, worse, worse), int(walls), seed, all_seatings=True)
            stats = simulate(plan, jobs).to_json()
            line = stats["differences"][0]
            sign = 1 if line["better"] == better else -1
            low, high = sorted((sign * line["low95"], sign * line["high95"]))
            note = f"± {line['se']:.3f}, 95 % from {low:+.3f} to {high:+.3f}; {line['walls']} walls"
            yield Row(f"{name}: {better} against {worse}", sign * line["net_a_hand"], "points a hand", note=note)


Nets = dict[tuple[int, ...], list[int]]
"""What each player won on a wall, by seating."""
HALF_WIDTH = 0.5


def wall_nets(plan: Plan, first: int, last: int) -> list[tuple[float, Nets]]:
    """Play walls of a plan with every seating; each comes with its processor seconds."""
    found = []
    for at in range(first, last):
        begun, of_wall = time.process_time(), {}
        for seating in plan.seatings(at):
            table = play_hand(plan.book, plan.wall(at), plan.bots(at, seating), round=plan.round(at))
            assert table.ending is not None
            seats = settle(table.ending, plan.book, play_rules(plan.book)).seats
            of_wall[seating] = [seats[seating.index(who)] for who in range(4)]
        found.append((time.process_time() - begun, of_wall))
    return found


def _seatings(nets: Nets, number: int, wall: int) -> list[tuple[int, ...]]:
    """Return some of the seatings: one, which rotates with the walls, its rotations, even permutations, or all."""
    rotations = [tuple((at + turn) % 4 for at in range(4)) for turn in range(4)]
    even = [one for one in nets if sum(one[i] > one[j] for i in range(4) for j in range(i + 1, 4)) % 2 == 0]
    return {1: [rotations[wall % 4]], 4: rotations, 12: even}.get(number, list(nets))


def wall_variance(
    rules: str = "guobiao-mcr",
    four: Sequence[str] = ("gain", "steps", "plain", "closed"),
    walls: int = 200,
    seed: int = 11,
    jobs: int = 1,
    own_walls: Sequence[int] | int = (0, 1),
    parties: Sequence[int] | int = (4, 2),
) -> Iterator[Row]:
    """Say how many hands it takes to see half a point between the first two bots, by kind of wall and seatings.

    A difference is one of means a hand and seat over the seatings of a wall. `parties`: 4 for four different bots, 2
    for two against two.
    """
    seated = {4: tuple(four), 2: (four[0], four[0], four[1], four[1])}
    for own in [own_walls] if isinstance(own_walls, int) else own_walls:
        for levels in [seated[n] for n in ([parties] if isinstance(parties, int) else parties)]:
            plan = Plan(rules, levels, walls, seed, all_seatings=True, flowers=False, own_walls=bool(own))
            plan.prepare()
            parts = dict(spread(partial(wall_nets, plan), list(missing(walls, [], 2)), jobs))
            played = [one for span in sorted(parts) for one in parts[span]]
            kind = f"{'own walls' if own else 'shared wall'}, {' '.join(levels)}"
            yield Row(f"{kind}: processor", sum(spent for spent, _ in played), note=f"{walls} walls of {rules}")
            better, worse = [[at for at in range(4) if levels[at] == one] for one in (four[0], four[1])]
            for number in (6,) if len(better) == 2 else (1, 4, 12, 24):
                found = []
                for at, (_, nets) in enumerate(played):
                    each = [nets[seating] for seating in _seatings(nets, number, at)]
                    total = sum(sum(net[a] for a in better) - sum(net[b] for b in worse) for net in each)
                    found.append(total / len(each) / len(better))
                needed = (1.96 * stdev(found) / HALF_WIDTH) ** 2
                mean, error = sum(found) / walls, stdev(found) / walls**0.5
                note = f"{needed:,.0f} walls, {needed * number:,.0f} hands for ± {HALF_WIDTH} (95 %)"
                note += f"; here {mean:+.2f} ± {error:.2f}"
                yield Row(f"{kind}: {number} seatings a wall", stdev(found), "points", note=note)
