"""Events are values with one JSON each; folding them needs no rulebook, and nothing that is handed out can change."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.table.event_json import KINDS_OF_EVENT, EventError, read_event
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan
from quepu.tiles import FLOWERED, PLAIN
from tests.books import PLAYED

LINES: list[tuple[Event, str]] = [
    (DiceThrown((2, 4, 1, 5)), '{"e":"dice","dice":[2,4,1,5]}'),
    (Dealt(0, (0, 9, 27, 34)), '{"e":"deal","seat":"E","tiles":"1m1pE春"}'),
    (Drawn(1, 13), '{"e":"draw","seat":"S","tile":"5p"}'),
    (ReplacementDrawn(2, 33), '{"e":"replace","seat":"W","tile":"P"}'),
    (FlowerSetAside(3, 41), '{"e":"flower","seat":"N","tile":"菊"}'),
    (Discarded(0, 4), '{"e":"discard","seat":"E","tile":"5m"}'),
    (Discarded(0, 4, True, True), '{"e":"discard","seat":"E","tile":"5m","drawn":true,"ready":true}'),
    (ReadyDeclared(1), '{"e":"ready","seat":"S"}'),
    (ChowClaimed(1, 4, 0, 3), '{"e":"chow","seat":"S","tile":"5m","low":"4m","from":"E"}'),
    (PungClaimed(1, 4, 0), '{"e":"pung","seat":"S","tile":"5m","from":"E"}'),
    (KongClaimed(1, 4, 3), '{"e":"kong","seat":"S","tile":"5m","from":"N"}'),
    (KongAdded(1, 4), '{"e":"added","seat":"S","tile":"5m"}'),
    (KongConcealed(1, 4), '{"e":"concealed","seat":"S","tile":"5m"}'),
    (Won(1, 4, 0), '{"e":"win","seat":"S","tile":"5m","from":"E"}'),
    (Won(1, 4), '{"e":"win","seat":"S","tile":"5m"}'),
    (Won(1, None, 0), '{"e":"win","seat":"S","from":"E"}'),
    (Won(1), '{"e":"win","seat":"S"}'),
    (Exhausted(), '{"e":"exhausted"}'),
    (HandShown(2, (0, 1, 2)), '{"e":"show","seat":"W","tiles":"1m2m3m"}'),
    (Barred(3), '{"e":"barred","seat":"N"}'),
    (BarLifted(3), '{"e":"freed","seat":"N"}'),
]
"""The lines of the first format of logs, which never change."""


@pytest.mark.parametrize(("event", "line"), LINES)
def test_an_event_has_one_json(event: Event, line: str) -> None:
    assert json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":")) == line
    assert read_event(json.loads(line)) == event
    assert read_event({"n": 7, "h": 5, **json.loads(line)}) == event
    for field in dataclasses.fields(event):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(event, field.name, 2)


def test_every_kind_of_event_is_among_the_lines() -> None:
    assert {type(event) for event, _ in LINES} == set(KINDS_OF_EVENT.values())
    assert Drawn(1, 13) != ReplacementDrawn(1, 13)


@pytest.mark.parametrize(
    "data",
    [
        None, {}, {"e": "chant"}, {"e": "draw"}, {"e": "draw", "seat": "X", "tile": "1m"},
        {"e": "exhausted", "seat": "E"},
        {"e": "draw", "seat": "E", "tile": "0m"}, {"e": "draw", "seat": "E", "tile": "1m", "low": "1m"},
        {"e": "pung", "seat": "E", "tile": "1m"}, {"e": "show", "seat": "E", "tiles": "1"}, {"e": "dice", "dice": 3},
        {"e": ["draw"]}, {"e": "draw", "seat": "", "tile": "1m"}, {"e": "dice", "dice": [6, float("inf"), 6, 6]},
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused(data: object) -> None:
    with pytest.raises(EventError):
        read_event(data)


def played(name: str, seed: int) -> Table:
    rng = random.Random(seed)
    table = Table(book(name), make_wall("fold", seed, play_rules(book(name)).table.tiles))
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        keen = [option for option in options if option.do in ("win", "kong", "added", "concealed")]
        table.step(seat, rng.choice(keen or options))
    return table


@pytest.mark.parametrize("name", PLAYED)
def test_lines_of_a_log_are_folded_without_a_rulebook(name: str) -> None:
    for seed in range(8):
        table = played(name, seed)
        lines = [json.dumps(event.to_json()) for event in table.events]
        plan = table.position.plan
        position = Position(WallPlan(plan.size, plan.dead, plan.feeds), table.position.round)
        for line in lines:
            apply(position, read_event(json.loads(line)))
        assert position == table.position
        assert position.over
        assert position.copy() == position


def test_nothing_handed_out_changes_when_the_table_goes_on() -> None:
    table = Table(book("canton"), make_wall(3, tiles=FLOWERED))
    rng = random.Random(3)
    before: list[tuple[object, str]] = []
    while table.to_act:
        views = [table.view(seat) for seat in range(4)]
        values = [table.events, table.answers, table.hands, table.melds, table.waits, table.board]
        values += [value for view in views for value in (view.hand, view.board, view.melds)]
        values += [table.options(seat) for seat in range(4)]
        before += [(value, repr(value)) for value in values]
        seat = rng.choice(table.to_act)
        table.step(seat, rng.choice(table.options(seat)))
    assert all(repr(value) == text for value, text in before[::7])


def test_a_copy_is_played_apart() -> None:
    table = Table(book("guobiao"), make_wall(11, tiles=FLOWERED))
    rng = random.Random(1)
    for _ in range(40):
        other, events, position = table.copy(), table.events, table.position
        while other.to_act:
            seat = rng.choice(other.to_act)
            other.step(seat, rng.choice(other.options(seat)))
        assert table.events == events
        assert table.position == position
        if not table.to_act:
            break
        table.step(table.to_act[0], rng.choice(table.options(table.to_act[0])))


def test_what_a_table_hands_out_changes_nothing_in_it() -> None:
    table = Table(book("lingque-29"), make_wall("copies", 1, PLAIN))
    position = table.position
    for tiles in (*position.hands, *position.counts, *position.pungs, position.keys, position.open_counts):
        tiles.clear()
    position.turn, position.left = 3, 0
    table.events_from(0).clear()
    table.undrawn().clear()
    table.tiles().clear()
    other = Table(book("lingque-29"), make_wall("copies", 1, PLAIN))
    assert table.position == other.position
    assert table.events == other.events
    assert table.options(0) == other.options(0)
    for table_ in (table, other):
        table_.step(0, table_.options(0)[-1])
    assert table.events == other.events
