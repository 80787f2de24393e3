"""Rows of options: what they say of known positions, the same rows from the same view, and nothing of hidden tiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from quepu.arena import follow_hand
from quepu.bots.option_form import COLUMNS, WIDTH, OptionForm, Rows, distinct
from quepu.rulebooks import book
from quepu.table import Action, ActionKind, Table, View, make_wall
from quepu.table.sampling import sample_table

PLACE = {name: at for at, name in enumerate(COLUMNS)}
Position = tuple[View, list[Action], Action, Table]


def positions(name: str, hands: int, level: str = "gain") -> Iterator[Position]:
    """Yield every decision of four equal bots: view, options (one discard of each kind), action, table."""
    rules = book(name)
    for seed in range(hands):
        for table, seat, chosen in follow_hand(rules, make_wall(seed), [level] * 4, round=seed % 4):
            options = table.options(seat)
            if len(options) > 1:
                yield table.view(seat), distinct(options), chosen, table


def column(rows: Rows, name: str) -> list[float]:
    return [float(number) for number in rows[:, PLACE[name]]]


def test_the_best_discard_and_the_best_claim_are_those_of_gain() -> None:
    """广东 likes hands by their pay alone, as `gain` does."""
    form, turns, claims, taken = OptionForm(book("canton")), 0, 0, 0
    for view, options, chosen, _ in positions("canton", 6):
        rows = form.observe(view, options)
        assert rows.shape == (len(options), WIDTH) and np.isfinite(rows).all()
        place = [one[:3] for one in options].index(chosen[:3])
        if chosen.do is ActionKind.DISCARD and max(column(rows, "concealed kong") + column(rows, "added kong")) == 0:
            turns += 1
            assert column(rows, "is best")[place] == 1 or not any(column(rows, "is best"))
        elif options[-1].do is ActionKind.PASS and options[0].do is not ActionKind.WIN:
            claims += 1
            taken += chosen.do is not ActionKind.PASS
            assert column(rows, "is best")[place] == 1
            assert (column(rows, "value to passing")[place] > 0) is (chosen.do is not ActionKind.PASS)
    assert turns > 100 and claims > 10 and taken > 3


@pytest.mark.parametrize("name", ["guobiao-mcr", "lingque-29", "yuque-54"])
def test_rows_name_what_the_option_does_and_what_is_missing(name: str) -> None:
    form, seen = OptionForm(book(name)), set()
    for view, options, _, _ in positions(name, 3, "plain"):
        rows = form.observe(view, options)
        for option, row in zip(options, rows, strict=True):
            named = COLUMNS[int(row[:9].argmax())]
            seen.add(named)
            assert row[:8].sum() == 1 and named.split()[-1].upper() in (option.do.name, "KONG")
            if option.do is ActionKind.DISCARD:
                held = view.tiles.count(option.tile_kind)
                assert row[PLACE["held copies"]] == held / 4
                assert row[PLACE["honour"]] == (option.tile_kind >= 27)
                assert 0 < row[PLACE["risk"]] < 10 or view.board.left > 60
            assert abs(row[PLACE["left"]] - view.board.left / 80) < 1e-6
        assert min(column(rows, "missing above least")) == 0
        rows = rows[rows[:, PLACE["win"]] == 0]
        assert column(rows, "lacks one") == [float(m < 1.01 / 6) for m in column(rows, "missing")]
    assert {"discard", "chow", "pung", "pass", "win"} <= seen


def test_rows_know_nothing_that_the_seat_does_not_see() -> None:
    form = OptionForm(book("guobiao-mcr"))
    for number, (view, options, _, table) in enumerate(positions("guobiao-mcr", 1)):
        if number % 5 == 0:
            other = sample_table(table, view.seat, seed=number).view(view.seat)
            assert np.array_equal(form.observe(view, options), form.observe(other, options))


def test_one_discard_of_each_kind_is_left_the_drawn_one_if_it_is_among_them() -> None:
    pairs = 0
    for view, options, _, table in positions("lingque-29", 1, "plain"):
        every = table.options(view.seat)
        assert {one[:3] for one in options} == {one[:3] for one in every} and len(options) == len(set(options))
        if view.drawn is not None and view.drawn in view.hand:
            pairs += 1
            assert [one.drawn for one in options if one[:2] == (ActionKind.DISCARD, view.drawn)] == [True]
    assert pairs
