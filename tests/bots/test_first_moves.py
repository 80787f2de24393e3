"""A bot's first decision compiles nothing: what it needs was compiled beforehand, and it is known whether it was."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from quepu.bots import LEVELS
from quepu.fast.nearest import join_code
from quepu.fast.nearest.gain_files import unbuilt
from quepu.rulebooks import book, book_ids
from quepu.server.budget import Buckets
from quepu.server.limits import Limits
from quepu.server.rooms import preparation
from quepu.server.rooms.bot_pool import BotPools
from quepu.server.work.building import Building
from tests.review.flat import write_flat

HEAVY = [name for name, level in LEVELS.items() if level.heavy]
_DECISIONS = 8

_PREPARED_THEN_PLAYED = """
import gc, json, sys
from numba.core.dispatcher import Dispatcher
from quepu.fast.nearest.join_code import join_code
from quepu.rulebooks import book
from quepu.server.rooms.bot_choice import BotRequest, answer
from quepu.server.work.building import BookSource, build, compile_queries, is_built
from quepu.table import Table, make_wall

def loops():
    return {(one.py_func.__name__, str(kinds)) for one in gc.get_objects() if isinstance(one, Dispatcher)
            for kinds in one.signatures}

books, levels, most = sys.argv[1].split(), sys.argv[2].split(), int(sys.argv[3])
compile_queries()
for rules in books:
    while not is_built(BookSource(rules)):
        build(BookSource(rules))
prepared = loops()
played = {}
for rules, level in ((rules, level) for rules in books for level in levels):
    table, moves = Table(book(rules), make_wall(17)), 0
    while table.to_act and moves < most:
        seat = table.to_act[0]
        options = table.options(seat)
        at = answer(BotRequest.of(rules, "", level, table.view(seat), options)) if len(options) > 1 else 0
        moves += len(options) > 1
        table.step(seat, options[at])
    played[f"{rules} {level}"] = moves
print(json.dumps({"join": join_code().loaded, "played": played, "more": sorted(loops() - prepared)}))
"""


@pytest.mark.long
def test_bots_use_no_loop_that_preparation_has_not_compiled() -> None:
    pytest.importorskip("numba")
    arguments = [sys.executable, "-c", _PREPARED_THEN_PLAYED, " ".join(book_ids()), " ".join(HEAVY), str(_DECISIONS)]
    done = subprocess.run(arguments, env=dict(os.environ), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["join"]
    assert found["played"] == {f"{rules} {level}": _DECISIONS for rules in book_ids() for level in HEAVY}
    assert not found["more"]


def test_compiled_loops_are_known_by_their_files_and_the_processor_they_were_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    code = join_code.join_code.__wrapped__()
    monkeypatch.setattr(join_code, "join_code", lambda: code)
    assert not join_code.compiled()
    for name in join_code.ENTRIES:
        assert not join_code.compiled(), "a part of the machine code is missing"
        code._file(name).touch()
    assert join_code.compiled()
    monkeypatch.setattr("quepu.fast.compiled.code_cache._machine", lambda: "another")
    assert not join_code.compiled()


def test_a_book_with_tables_is_not_ready_before_loops_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "_LOOK", 0.0)
    write_flat(book("guobiao"), tmp_path)
    assert not unbuilt(book("guobiao"))
    made = preparation.Preparation(Building(Limits(), Buckets(1, 1)), lambda *_: None)
    monkeypatch.setattr(preparation, "compiled", lambda: False)
    assert not made.is_ready("guobiao", "")
    monkeypatch.setattr(preparation, "compiled", lambda: True)
    assert made.is_ready("guobiao", "")


def test_a_process_for_strong_bots_begins_when_a_table_with_one_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    there = {"guobiao"}
    pools = BotPools(ready=lambda rules, _house: rules in there)
    for name, pool in pools.pools.items():
        monkeypatch.setattr(pool, "expect", partial(begun.append, name))
    pools.expect("guobiao", "", ("", "plain", "random", "plain"))
    pools.expect("canton", "", ("", "master", "master", "master"))
    assert not begun, "weak bots load nothing; a table without tables has no strong ones yet"
    pools.expect("guobiao", "", ("", "plain", "people", "plain"))
    pools.expect("guobiao", "minimum = 9", ("", "master", "", ""))
    assert begun == ["strong", "house"]


@pytest.mark.long
def test_a_process_that_is_expected_loads_the_loops_before_any_question() -> None:
    pools = BotPools()
    try:
        pools.strong.expect()
        processes = pools.strong._processes()
        assert processes.submit(join_loaded).result() == (importlib.util.find_spec("numba") is not None)
        pools.strong.expect()
        assert pools.strong._processes() is processes
    finally:
        pools.close()


def join_loaded() -> bool:
    """Whether the process that this is asked of has the loops."""
    return join_code.join_code().loaded
