"""玉雀 at a physical table: fan are announced, every ready hand is counted, barred players get nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import quepu
from quepu.errors import Error
from quepu.rules.play_rules import fan_of, least_fan
from quepu.scorekeeper.ledger import Row, fold, with_record
from quepu.scorekeeper.records import HandRecord, PenaltyRecord, Record, TableSpec
from quepu.table import Table, make_wall
from tests.cli.typed import run
from tests.scorekeeper.pay import yuque
from tests.table.players import play

SPEC = TableSpec(rules="yuque-54", names=["甲", "乙", "丙", "丁"])
BOOK = quepu.book("yuque-54")


def row_of(record: Record, *before: Record) -> Row:
    return with_record(SPEC, [*before], len(before), record).rows[-1]


def test_fan_are_announced_and_their_squares_paid() -> None:
    drawn = row_of(HandRecord(winner=0, fan=18, self_draw=True))
    assert list(drawn.gains) == yuque(18, 0, None, [None] * 4) == [324, -54, -54, -54]
    assert "18 番 324 点" in drawn.text.zh
    discard = row_of(HandRecord(winner=2, fan=13, discarder=0, ready_fan=[7, 4, None, None]))
    assert list(discard.gains) == yuque(13, 2, 0, [7, 4, None, None])
    for fan in (0, 1, 7, 13, 61):
        assert fan_of(lambda f: f * f, fan * fan) == fan


def test_points_of_a_package_may_have_a_limit() -> None:
    """A book whose points stop growing, or stay alike for several fan, is answered like any other."""
    limit = lambda f: min(f * f, 100)  # noqa: E731
    assert [fan_of(limit, points) for points in (81, 99, 100, 101, 10**6)] == [9, None, 10, None, None]
    assert [least_fan(limit, points) for points in (82, 100, 101)] == [10, 10, None]
    assert [fan_of(lambda f: f // 2, points) for points in (0, 3, 30_000)] == [0, 6, 60_000]


@pytest.mark.parametrize("points", [18, 2, 325, 3248])
def test_points_that_are_no_square_are_refused_but_stay_readable(points: int) -> None:
    for record in (
        HandRecord(winner=0, points=points, self_draw=True),
        HandRecord(ready=[None, points, None, None]),
    ):
        with pytest.raises(Error, match="不是哪个番数的点数"):
            row_of(record)
        assert fold(SPEC, [record]).rows[0].problems
    assert row_of(HandRecord(winner=0, points=324, self_draw=True)).gains[0] == 324


def test_a_barred_player_neither_wins_nor_is_paid_as_ready() -> None:
    fault = PenaltyRecord(player=2, fault="冲和")
    assert fold(SPEC, [fault]).barred == {2}
    with pytest.raises(Error, match="丙 这一局停和陪打，不能和"):
        row_of(HandRecord(winner=2, fan=5, discarder=1), fault)
    for ready in ({"ready_fan": [None, None, 4, None]}, {"ready_hands": [None, None, "12345678m11p234s", None]}):
        with pytest.raises(Error, match="丙 这一局停和陪打，不算听牌"):
            row_of(HandRecord.model_validate(ready), fault)
    assert row_of(HandRecord(winner=1, fan=5, discarder=2), fault).gains[2] < 0  # he may still deal in
    for free in ({"remedied": True}, {"revoked": True}):
        assert not fold(SPEC, [fault.model_copy(update=free)]).barred
    assert not fold(SPEC, [fault, HandRecord()]).barred  # the bar ends with the hand


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ({"ready_hands": [None, *["123m456p789sCCEE"] * 3]}, "6 张东"),
        ({"ready_hands": [None, "123m456p789sCCEE", "EEE456p789s1123m", None]}, "5 张东"),
        ({"ready_hands": [None, "123m456p789sCCEE", None, "111m456p789sFFEE"], "seen": "E"}, "5 张东"),
        (
            {"winner": 0, "self_draw": True, "tiles": {"hand": "123m456p789sCCEE+E"},
             "ready_hands": [None, "123m456p789sCCEE", None, None]}, "5 张东",
        ),
    ],
)  # fmt: skip
def test_the_hands_that_are_shown_come_out_of_one_set(shown: dict[str, object], kind: str) -> None:
    record = HandRecord.model_validate(shown)
    with pytest.raises(Error, match=f"有 {kind}"):
        row_of(record)
    assert fold(SPEC, [record]).rows[0].problems  # a table that has it stays readable
    two = [None, "123m456p789sCCEE", "123m456p789sCCEE", None]
    assert row_of(HandRecord(ready_hands=two)).gains[1] > 0


def test_tiles_in_sight_decide_which_wait_counts() -> None:
    hand = "(123m)(456m)78m234s66s"
    record = HandRecord(ready_hands=[hand, None, None, None])
    assert [one.text.zh for one in row_of(record).announced] == ["听九万：一气贯通 8，8 番 64 点，未和得 32"]
    dead = record.model_copy(update={"seen": "9999m"})
    assert [one.text.zh for one in row_of(dead).announced] == ["听六万：无番，0 番 0 点，未和得 0"]
    assert row_of(dead).gains[0] == 0
    every = record.model_copy(update={"seen": "9999m 666m"})
    assert "各张均已亮出，按最低计" in row_of(every).announced[0].text.zh
    with pytest.raises(Error, match="看得见 5 张"):
        row_of(record.model_copy(update={"seen": "99999m"}))


def test_a_wait_for_a_fifth_tile_is_no_wait() -> None:
    row = row_of(HandRecord(ready_hands=["12456789m77p[3333m]", None, None, None]))
    assert row.gains == (0, 0, 0, 0)
    assert row.announced == ()


def test_announcements_go_round_from_the_winner() -> None:
    record = HandRecord(
        winner=2,
        discarder=3,
        tiles={"hand": "234m234p2344567s+4s"},
        ready_hands=["(123m)(456m)78m234s66s", "123456789m99p23s", None, "123456789p11p23s"],
    )
    row = row_of(record)
    assert [one.seat for one in row.announced] == [2, 3, 0, 1]
    assert row.announced[0].text.zh.startswith("和：")
    fans = [quepu.score(text, BOOK).parts["fan"] for text in ("123456789p11p23s+1s", "123456789m99p23s+1s")]
    assert [f"{fan} 番" in row.announced[at].text.zh for at, fan in zip((1, 3), fans, strict=True)] == [True, True]


def test_a_played_table_announces_what_it_pays() -> None:
    ready = 0
    for seed in range(12):
        table = play(Table(BOOK, make_wall(str(seed), 1)))
        ending = table.ending
        assert ending is not None
        hands = table.ready_hands()
        assert tuple(None if hand is None else hand.points for hand in hands) == ending.ready
        ready += sum(hand is not None for hand in hands)
    assert ready > 10


def test_the_evening_of_the_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = (
        "自摸 甲 18\n自摸 乙 18番\n和 丙 丁 9番 听 甲=7番 乙=4\n罚 丙 冲和\n流局 听 丙=4\n和 丙 乙 25\n流局 听 甲=13\n"
    )
    assert run(monkeypatch, typed, "match", str(tmp_path / "y.json"), "--rules", "yuque-54") == 2
    printed = capsys.readouterr()
    assert "324 分" in printed.out
    assert "54 分" in printed.out
    assert "停和陪打：丙" in printed.out
    assert printed.err.count("停和陪打") == 2
    assert "169/2=84.5→84（凑偶）" in printed.out
    assert "324/6=54" in printed.out and "625/6" not in printed.out


def test_hands_played_in_the_terminal_end_with_every_announcement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ("play", "--rules", "yuque-54", "--seed", "7", "--bots", "plain", "--log", str(tmp_path / "log.jsonl"))
    assert run(monkeypatch, "\n" * 90, *args) == 0
    printed = capsys.readouterr().out
    assert "未和得" in printed
    assert "家 电脑" in printed
