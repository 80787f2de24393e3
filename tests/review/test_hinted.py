"""Hands played by the table's hints and reviewed from their logs: what a hint proposes is never called a mistake."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from quepu.bots import make_bot, payable_bot
from quepu.match import LogWriter, Match, read_log
from quepu.review import review_hand
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.server.rooms.hints import HintRequest, answer
from quepu.table import Action, ActionKind, Table, make_wall
from quepu.tiles import NAMES, PLAIN
from tests.review.flat import write_flat


def hinted(table: Table, rules: Rulebook) -> Action:
    """What the hint says, as a client reads it."""
    seat = table.to_act[0]
    view, options = table.view(seat), table.options(seat)
    request = HintRequest(rules.id, "", seat, view.board, view.hand, view.drawn, tuple(options), "zh")
    hint: dict[str, Any] = answer(pickle.loads(pickle.dumps(request)))["hint"]  # as a process gets it
    if "choices" not in hint:
        assert hint["outlook"]["missing"] >= 1
        return next((option for option in options if option.do is ActionKind.FLOWER), options[-1])
    best = hint["choices"][0]
    assert best["text"]
    assert hint["text"].startswith((best["text"], "哪样"))
    assert [one["share"] for one in hint["choices"]] == sorted((one["share"] for one in hint["choices"]), reverse=True)
    for aim in hint["aims"]:
        assert len(aim["tiles"]) >= (best["missing"] or 1)
        assert aim["points"] >= rules.minimum
    for option in options:
        named = [None if kind is None else NAMES[kind] for kind in (option.tile, option.low)]
        if option.do.value == best["do"] and (named == [best["tile"], best["low"]] or best["do"] in ("win", "pass")):
            return option
    raise AssertionError(best)


def played(rules: Rulebook, number: int, most: int = 1000) -> tuple[Counter[str], int]:
    """Grades of East, who follows the hints for so many moves, and how many of them were claims."""
    wall = make_wall(17, number, PLAIN)
    table = Table(rules, wall)
    bots = [make_bot("plain", seat) for seat in range(4)]
    for seat, bot in enumerate(bots):
        bot.begin(rules, seat)
    moves = 0
    while table.to_act and moves < most:
        seat = table.to_act[0]
        options = table.options(seat)
        follows = seat == 0 and len(options) > 1
        moves += follows
        table.step(seat, hinted(table, rules) if follows else bots[seat].act(table.view(seat), options))
    match, lines = Match(rules), list[str]()
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, table)
    made = review_hand(read_log(lines, unfinished=True).hands[0], rules, 0)["decisions"]
    grades = Counter(one["grade"] for one in made if one["seat"] == "E")
    return grades, sum(one["kind"] == "claim" for one in made if one["seat"] == "E")


@pytest.mark.parametrize("name", ["guobiao", "canton"])
def test_what_is_hinted_is_no_mistake(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book(name)
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    write_flat(rules, tmp_path)
    grades, claims = played(rules, 1, 14)
    assert set(grades) <= {"best", "lost"}
    assert grades["best"] > 10
    assert claims


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lingque-29", "yuque-54", "guobiao-mcr", "canton"])
def test_of_five_hundred_hinted_moves_none_is_a_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUEPU_CACHE", raising=False)  # the book's own tables
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    payable_bot.payable(book(name)).prepare()
    grades: Counter[str] = Counter()
    claims, number = 0, 0
    while grades.total() < 500:
        number += 1
        made, claimed = played(book(name), number)
        grades += made
        claims += claimed
    assert set(grades) <= {"best", "lost"}
    assert grades["best"] > 450
    assert claims > 50
