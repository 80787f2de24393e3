"""Logs as data: a short game whose lines tests change and seal again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

from quepu.match import LogWriter, Match, Penalty, Replay, read_log
from quepu.match.log import chain_hash
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, make_wall
from quepu.tiles import FLOWERED, PLAIN
from tests.table.players import choose

GUOBIAO = book("guobiao-mcr")
Lines = list[dict[str, Any]]
"""The data of a log's lines, without their hashes."""
Change = Callable[[Lines], object]


def sealed_lines(data: Sequence[dict[str, Any] | str]) -> list[str]:
    """Return data as the lines of a log; text stands for itself as the body of a line."""
    last, made = 0, []
    for one in data:
        body = one if isinstance(one, str) else json.dumps(one, ensure_ascii=False, separators=(",", ":"))[:-1]
        last = chain_hash(last, body)
        made.append(f'{body},"h":{last}}}')
    return made


def unsealed(lines: list[str]) -> Lines:
    return [{key: value for key, value in json.loads(line).items() if key != "h"} for line in lines]


def read(data: Sequence[dict[str, Any] | str], given: Rulebook | None = None, unfinished: bool = True) -> Replay:
    return read_log(sealed_lines(data), given, unfinished=unfinished)


@cache
def game() -> Lines:
    """A log of two hands: one with flowers, drawn by North for 10, then a fault taken back, and one without flowers."""
    match, lines = Match(GUOBIAO, rounds=1), list[str]()
    log = LogWriter(match, lines.append, seed=0)
    for number, tiles in ((1, FLOWERED), (2, PLAIN)):
        table = Table(GUOBIAO, make_wall(0, number, tiles), round=match.place.round_wind)
        log.hand(number, match.place, table)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, choose(table, seat))
        assert table.ending is not None
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals, table.ending)
        if number == 1:
            fine = Penalty(2, "错和", note="上手就报")
            match = match.penalise(fine)
            log.penalty(fine, match.penalty_flows(fine))
            match = match.revoke(1)
            log.revoke(1)
    log.end()
    return unsealed(lines)


game()  # played once, before any test: a test that only reads it is quick


def at(data: Lines, nth: int = 0, **what: object) -> int:
    """Return the place of the nth line that has these keys with these values (`...`: any value)."""
    fits = [
        n for n, one in enumerate(data) if all(key in one and value in (..., one[key]) for key, value in what.items())
    ]
    return fits[nth]


def changed(change: Change) -> Lines:
    data = deepcopy(game())
    change(data)
    return data


def set_at(nth: int = 0, where: dict[str, object] | None = None, **values: object) -> Change:
    """Return a change of some fields of a line; a field of `...` is taken away."""

    def change(data: Lines) -> None:
        line = data[at(data, nth, **(where or {}))]
        for key, value in values.items():
            if value is ...:
                del line[key]
            else:
                line[key] = value

    return change


HEADER, HAND, RESULT, FAULT = {"log": ...}, {"hand": ...}, {"result": ...}, {"fault": ...}
