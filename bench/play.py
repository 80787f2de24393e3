"""Play hands on one table and on many, as bots and as environments for learning, and review them.

    python bench/run.py duels pairs=master:gain:600 books=lingque-29,canton jobs=2
    python bench/run.py wall_variance walls=200 jobs=2
    python bench/run.py wall_variance walls=400 own_walls=1 parties=2

Tables and environments take turns with riichienv. Without bots of a level both sides choose at random among what is
allowed.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import stdev
from typing import Any

import numpy as np
from run import Row, compare, process

from quepu.arena import Plan, play_hand, simulate
from quepu.arena.work_parts import missing, spread
from quepu.bots import LEVELS, make_bot
from quepu.fast.compiled.code_cache import installed
from quepu.fast.tables import FastTables, walls
from quepu.match import LogWriter, Match
from quepu.match.settle import settle
from quepu.rl import env, vec
from quepu.rl.encodings import EncodingName
from quepu.rulebooks import book, book_ids
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall

BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
PEER = "riichienv: random hands"
EACH = 60
WARM = "one turn to warm up, compiled code on disk"


def legal_action(seen: Any, number: float) -> Any:
    """Choose one of riichienv's list of legal actions."""
    legal = seen.legal_actions()
    return legal[int(number * len(legal))]


def masked_action(seen: Any, number: float) -> Any:
    """Choose one that riichienv's mask allows, after its observation was encoded (74 × 34 float32)."""
    np.frombuffer(seen.encode(), np.float32)
    legal = np.flatnonzero(np.frombuffer(seen.mask(), np.int8))
    return seen.find_action(int(legal[int(number * len(legal))]))


def riichi_rounds(turn: int, rounds: int, choose: Callable[[Any, float], Any]) -> int:
    """Play rounds of riichienv; return how many decisions they took."""
    import riichienv

    rnd, decisions = random.Random(turn).random, 0
    for i in range(rounds):
        table = riichienv.RiichiEnv(game_mode="4p-red-single", seed=turn * rounds + i)
        seen = table.reset()
        while not table.done():
            decisions += len(seen)
            seen = table.step({player: choose(one, rnd()) for player, one in seen.items()})
    return decisions


def table_rounds(turn: int, name: str, hands: int, *, written: bool = False) -> int:
    """Play hands on `Table` by random choices; `written`: write their log too."""
    rules, match = play_rules(book(name)), Match(book(name))
    rnd, lines = random.Random(turn).random, list[str]()
    log = LogWriter(match, lines.append)
    for i in range(hands):
        table = Table(match.book, make_wall(turn, i, rules.table.tiles), rules=rules)
        while table.to_act:
            options = table.options(table.to_act[0])
            table.step(table.to_act[0], options[int(rnd() * len(options))])
        if written:
            log.hand(1, match.place, table)
            assert table.ending is not None
            done = match.add_hand(table.ending)
            log.result(done.hands[-1].settlement, done.totals)
    return hands


def bot_rounds(turn: int, name: str, level: str, hands: int) -> int:
    """Play hands of four bots on `Table`."""
    rules = play_rules(book(name))
    bots = [make_bot(level, turn + seat) for seat in range(4)]
    for i in range(hands):
        play_hand(book(name), make_wall(turn, i, rules.table.tiles), bots, rules=rules)
    return hands


def fast_rounds(turn: int, name: str, level: str, tables: int) -> int:
    """Play one hand on each of many compiled tables, walls and generators included."""
    seeds = np.random.default_rng(turn).integers(0, 1 << 40, (tables, 4))
    FastTables(name, walls(name, tables, turn), seeds, levels=level).play()
    return tables


def table_hands() -> Iterator[Row]:
    """Play whole hands with every event recorded: on `Table`, and compiled where numba is installed."""
    works: dict[str, Callable[[int], int]] = {
        PEER: lambda turn: min(EACH, riichi_rounds(turn, EACH, legal_action)),
        "lingque-29: Table, random, log written": partial(table_rounds, name="lingque-29", hands=EACH, written=True),
    }
    for name in BOOKS:
        works[f"{name}: Table, random"] = partial(table_rounds, name=name, hands=EACH)
        for level, hands in (("plain", 20), ("gain", 2)):
            works[f"{name}: Table, {level}"] = partial(bot_rounds, name=name, level=level, hands=hands)
        for level, tables in (("random", 4096), ("plain", 2048), ("gain", 128)) if installed() else ():
            works[f"{name}: FastTables, {level}"] = partial(fast_rounds, name=name, level=level, tables=tables)
    yield from compare(works, [PEER], "hands/s", turns=3, note=WARM)


def single(turn: int, name: str, encoding: EncodingName = "counts") -> int:
    """Play by the environment of one table; return how many decisions were taken."""
    made, rnd = env(name, encoding=encoding), random.Random(turn).random
    decisions = 0
    made.reset(seed=turn)
    for _ in range(EACH):
        made.reset()
        while not made.episode.over:
            seen = made.observe(made.agent_selection)
            legal = np.flatnonzero(seen["action_mask"])
            made.step(int(legal[int(rnd() * len(legal))]))
            decisions += 1
    return decisions


MADE: dict[tuple[str, EncodingName, int, bool | None], Any] = {}


def together(turn: int, name: str, encoding: EncodingName, n: int, compiled: bool | None) -> int:
    """Play by the environment of n tables, which is made once; at least four hands of each table."""
    key = name, encoding, n, compiled
    made = MADE.get(key) or MADE.setdefault(key, vec(name, n, compiled=compiled, encoding=encoding))
    rng, decisions, ended = np.random.default_rng(turn), 0, 0
    seen, _ = made.reset(seed=turn)
    while ended < max(EACH, 4 * n):
        mask = seen["action_mask"]
        seen, _, over, _, _ = made.step((rng.random(mask.shape, np.float32) * mask).argmax(axis=1))
        decisions += n
        ended += int(np.count_nonzero(over))
    return decisions


def environments() -> Iterator[Row]:
    """Take random decisions with observation and mask at every step, as a policy would."""
    peer = "riichienv: encode and mask"
    works: dict[str, Callable[[int], int]] = {peer: partial(riichi_rounds, rounds=EACH, choose=masked_action)}
    kinds: list[tuple[str, EncodingName]] = [(name, "counts") for name in BOOKS]
    kinds += [("lingque-29", "planes"), ("lingque-29", "tokens")]
    for name, encoding in kinds:
        works[f"{name}: env, {encoding}"] = partial(single, name=name, encoding=encoding)
    every: list[tuple[int, bool | None, list[tuple[str, EncodingName]]]] = [(16, False, kinds[:1])]
    every += [(256, True, kinds), (1, True, kinds), (16, None, kinds[:1])] * installed()
    kind = {False: "", True: ", compiled", None: ", as given by default"}
    if installed():
        vec("lingque-29", 1, compiled=True)  # given by default once the code is on disk
    for n, compiled, some in every:
        for name, encoding in some:
            given: dict[str, Any] = {"name": name, "encoding": encoding, "n": n, "compiled": compiled}
            works[f"{name}: vec({n}{kind[compiled]}), {encoding}"] = partial(together, **given)
    yield from compare(works, [peer], "decisions/s", turns=3, note=WARM)


FIRST = """
import sys
import numpy as np
from quepu.fast.tables import FastTables, walls
name = sys.argv[1]
FastTables(name, walls(name, 4, 1), np.zeros((4, 4), np.int64), levels="plain").play()
"""


def first_use(names: tuple[str, ...] = ("guobiao-mcr",)) -> Iterator[Row]:
    """Play on compiled tables for the first time on a machine, then in a process that finds the code on disk."""
    if not installed():
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": f"{folder}/code", "QUEPU_CACHE": f"{folder}/tables"}
        for name in names:
            for what in ("nothing on disk", "code on disk"):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, "-c", FIRST, name], env=environment, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                yield Row(f"{name}: compiled tables, {what}", spent, note="a whole process that plays four hands")


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
    books: Sequence[str] | str = ("lingque-29", "guobiao-mcr"),
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
