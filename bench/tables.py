"""Play hands on one table and on many, as bots and as environments for learning, next to riichienv.

Without bots of a level both sides choose at random among what is allowed.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from run import Row, compare

from quepu.arena.bot_hand import play_hand
from quepu.bots import make_bot
from quepu.fast.compiled.code_cache import installed
from quepu.fast.tables import FastTables, walls
from quepu.match import LogWriter, Match
from quepu.rl import env, vec
from quepu.rl.encodings import EncodingName
from quepu.rulebooks import book
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
