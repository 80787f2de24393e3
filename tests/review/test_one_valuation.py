"""The hint at the table, the calculator's advice and the review value a position alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu.bots import make_bot
from quepu.bots.chances import count_most_melds
from quepu.review.valuation import RatedAction, rate_hand, rate_options
from quepu.rulebooks import book
from quepu.server.rooms.hints import hint
from quepu.table import ActionKind, Table, make_wall
from quepu.tiles import KINDS, NAMES, PLAIN
from tests.review.flat import write_flat


def key(choice: RatedAction) -> tuple[int, float, int | None, float]:
    return choice.action.tile_kind, round(choice.share, 9), choice.missing, round(choice.chance, 9)


def compared(name: str, positions: int) -> int:
    """How many discards were valued alike in this many positions of played hands, by all three."""
    rules, found, number = book(name), 0, 0
    while found < positions:
        number += 1
        table = Table(rules, make_wall(23, number, PLAIN))
        bots = [make_bot("plain", seat) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(rules, seat)
        while table.to_act and found < positions:
            seat = table.to_act[0]
            view, options = table.view(seat), table.options(seat)
            plain = [option for option in options if option.do is ActionKind.DISCARD]
            if len({option.tile for option in plain}) > 1 and len(plain) == len(options) and max(view.tiles) < KINDS:
                review = rate_options(view, options)  # what a review grades by
                assert review is not None
                calculated = rate_hand(
                    view.as_hand()._replace(concealed=tuple(sorted(view.tiles))),
                    rules,
                    view.open_tiles(),
                    view.board.left,
                    count_most_melds(view.board, seat),
                )
                assert [key(one) for one in calculated.choices] == [key(one) for one in review.choices]
                choices = hint(view, options)["hint"]["choices"]
                assert [one["tile"] for one in choices] == [
                    NAMES[one.action.tile_kind] for one in calculated.choices[: len(choices)]
                ]
                found += 1
            table.step(seat, bots[seat].act(view, options))
    return found


def test_a_few_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    write_flat(book("guobiao"), tmp_path)
    assert compared("guobiao", 5) == 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lingque-29", "guobiao-mcr", "yuque-54"])
def test_two_hundred_positions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    assert compared(name, 100) == 100
