"""What the end of a hand says of its win, asked again, gives the same score: in every book, with whatever happened."""

from __future__ import annotations

import pytest

from quepu import score
from quepu.bots import make_bot
from quepu.hands.hand import Meld, MeldKind
from quepu.json_lines.answers import score_object
from quepu.rulebooks import book
from quepu.server.payments import won_hand
from quepu.server.rooms.closing import great_fan
from quepu.table import Table, make_wall
from quepu.table.open_melds import OpenMeld
from quepu.tiles import PLAIN
from tests.books import PLAYED


def played(rules: str, seed: int) -> Table:
    """A hand of bots that win and kong as soon as they can."""
    bots = [make_bot("plain", 4 * seed + seat) for seat in range(4)]
    for seat, bot in enumerate(bots):
        bot.begin(book(rules), seat)
    table = Table(book(rules), make_wall(seed, 1, PLAIN.with_flowers(bool(seed % 2))), round=seed % 4)
    while table.to_act:
        seat = table.to_act[0]
        options = table.options(seat)
        keen = [one for one in options if one.do in ("win", "concealed", "added", "kong", "flower")]
        table.step(seat, keen[0] if keen else bots[seat].act(table.view(seat), options))
    return table


@pytest.mark.parametrize("hands", [16, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", PLAYED)
def test_a_win_scored_again_is_worth_the_same(rules: str, hands: int) -> None:
    wins, ways = 0, set()
    for seed in range(hands):
        table = played(rules, seed)
        ending = table.ending
        assert ending is not None
        if ending.first is None or ending.first.score is None:
            assert won_hand(None, table.book, ()) is None
            continue
        request = won_hand(ending.winners[0].score, table.book, table.board.melds[ending.winners[0].seat])
        if request is None:
            assert ending.winners[0].score.hand.winning is None
            continue
        givers = request.pop("givers")
        assert len(givers) == request["hand"].count("(") + request["hand"].count("[")
        answer = score_object({"rules": rules, **request})
        assert answer["valid"], (request, answer)
        assert answer["total"] == ending.winners[0].points
        wins += 1
        ways |= {request["self_draw"]}
    assert wins >= 3
    assert len(ways) == 2


def test_who_gave_a_meld_is_given_from_where_the_winner_sits() -> None:
    table = next(
        one for one in (played("canton", seed) for seed in range(40)) if one.ending and set(one.ending.seats) - {0}
    )
    ending = table.ending
    assert ending is not None
    assert ending.winners[0].score is not None
    assert ending.winners
    pung = Meld(MeldKind.PUNG, 0)
    request = won_hand(
        ending.winners[0].score,
        table.book,
        [*(OpenMeld(pung, 0, (ending.seats[0] + by) % 4) for by in (1, 2, 3)), OpenMeld(pung)],
    )
    assert request is not None
    assert request["givers"] == "RAL-"


@pytest.mark.parametrize(
    ("rules", "hand", "fan"),
    [
        ("guobiao-mcr", "1122m3344p5566s7p+7p", "七对"),
        ("guobiao-mcr", "EEESSSWWWNNN1m+1m", "大四喜"),
        ("guobiao-mcr", "123m456p789sEEE4s+4s", None),
        ("lingque-29", "1112223334445m+5m", "四连刻"),
        ("yuque-54", "1112223334445m+5m", "四连刻"),
        ("canton", "19m19p19sESWNCFP+1m", "十三幺"),
    ],
)
def test_great_hands_are_called_by_their_greatest_fan_and_others_are_not(
    rules: str, hand: str, fan: str | None
) -> None:
    found = great_fan(score(hand, rules))
    assert (found and found.zh) == fan
