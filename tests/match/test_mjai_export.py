"""Logs as streams like mjai's are read back as they were; one player's stream has no tile that he does not see."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quepu.arena import match
from quepu.match import Replay, read_log
from quepu.match.imports import read_any
from quepu.match.log import PlayedHand
from quepu.match.mjai import read_stream
from quepu.match.mjai_export import StreamError, to_mjai
from quepu.table.events import Discarded, Drawn, Event, FlowerSetAside, Won


def played(rules: str, file: Path) -> Replay:
    match(rules, ["plain"] * 4, seed=3, rounds=1, log=file)
    return read_log(file.read_text("utf-8").splitlines())


def test_a_stream_is_read_back(tmp_path: Path) -> None:
    replay = played("guobiao-mcr", tmp_path / "m")
    back = read_stream(to_mjai(replay))
    assert back.rules == "guobiao-mcr" and len(back.hands) == len(replay.hands) == 4
    for mine, theirs in zip(replay.hands, back.hands, strict=True):
        discards = [(event.seat, event.tile) for event in mine.events if isinstance(event, Discarded)]
        assert [(move.seat, move.tile) for move in theirs.moves if move.what == "play"] == discards
        won = [event.seat for event in mine.events if isinstance(event, Won)]
        assert [move.seat for move in theirs.moves if move.what == "win"] == won
        assert theirs.round == mine.place.round_wind and theirs.seats == mine.place.seats


def since_the_deal(hand: PlayedHand) -> list[Event]:
    """What happened then; which of two equal tiles was discarded is not read back."""
    first = [type(event) for event in hand.events].index(Drawn)
    return [replace(event, as_drawn=False) if isinstance(event, Discarded) else event for event in hand.events[first:]]


@pytest.mark.parametrize("rules", ["canton", "guobiao-mcr"])
def test_hands_with_flowers_are_played_again_as_they_were(rules: str, tmp_path: Path) -> None:
    """Whether flowers are set aside by who draws them, or by the table at once."""
    flowers = 0
    for seed in (1, 2):
        match(rules, ["plain", "closed", "plain", "random"], seed=seed, rounds=1, log=tmp_path / "m")
        replay = read_log((tmp_path / "m").read_text("utf-8").splitlines())
        back = read_any("\n".join(to_mjai(replay))).replay
        assert [hand.players for hand in back.match.hands] == [hand.players for hand in replay.match.hands]
        for mine, theirs in zip(replay.hands, back.hands, strict=True):
            happened = since_the_deal(mine)
            assert since_the_deal(theirs) == happened
            flowers += sum(isinstance(event, FlowerSetAside) for event in happened)
    assert flowers > 10


def test_a_players_stream_hides_what_he_does_not_see(tmp_path: Path) -> None:
    replay = played("guobiao-mcr", tmp_path / "m")
    for line in map(json.loads, to_mjai(replay, 2)):
        if line["type"] == "tsumo":
            assert (line["pai"] == "?") == (line["actor"] != 2)
        if line["type"] == "start_kyoku":
            assert [hand[0] == "?" for hand in line["tehais"]] == [True, True, False, True]
    drawn = sum(isinstance(event, Drawn) for hand in replay.hands for event in hand.events)
    assert sum('"tsumo"' in line for line in to_mjai(replay)) >= drawn


@pytest.mark.parametrize(("rules", "shown"), [("guobiao-mcr", False), ("guobiao", True), ("lingque-29", True)])
def test_a_concealed_kong_lies_face_down_where_the_table_hides_it(rules: str, shown: bool, tmp_path: Path) -> None:
    kongs, seen = 0, []
    for seed in range(12):
        match(rules, ["random"] * 4, seed=seed, rounds=1, log=tmp_path / "m")
        replay = read_log((tmp_path / "m").read_text("utf-8").splitlines())
        whole = [line for line in map(json.loads, to_mjai(replay)) if line["type"] == "ankan"]
        kongs += len(whole)
        assert all("?" not in line["consumed"] for line in whole)
        for player in range(4):
            mine = [line for line in map(json.loads, to_mjai(replay, player)) if line["type"] == "ankan"]
            assert [line["actor"] for line in mine] == [line["actor"] for line in whole]
            for line, full in zip(mine, whole, strict=True):
                if line["actor"] == player:
                    assert line == full
                else:
                    assert line["consumed"] in (["?"] * 4, full["consumed"])
                    seen.append("?" not in line["consumed"])
    assert kongs and seen == [shown] * (3 * kongs)


@pytest.mark.parametrize("player", [4, -1, "0"])
def test_a_player_that_is_none_is_refused(player: int, tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="0 到 3"):
        to_mjai(played("guobiao-mcr", tmp_path / "m"), player)


def test_moved_seats_have_no_stream(tmp_path: Path) -> None:
    file = tmp_path / "m"
    match("guobiao-mcr", ["random"] * 4, seed=3, rounds=2, log=file)
    replay = read_log(file.read_text("utf-8").splitlines())
    with pytest.raises(StreamError, match=r"第 5 局换了座位.*只打一圈.*rounds=1") as refused:
        to_mjai(replay)
    assert "hand 5" in refused.value.say("en") and "one round" in refused.value.say("en")
