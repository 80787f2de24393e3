"""Logs as streams like mjai's are read back as they were; one player's stream has no tile that he does not see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from quepu.arena import match
from quepu.match import Replay, read_log
from quepu.match.foreign_hand import ForeignError
from quepu.match.imports import read_any
from quepu.match.log import PlayedHand
from quepu.match.mjai import read_stream
from quepu.match.mjai_export import StreamError, to_mjai
from quepu.table.events import Discarded, Drawn, Event, FlowerSetAside, ReplacementDrawn, Won
from quepu.table.wall import TILE_NAMES
from quepu.tiles import KINDS
from tests.books import PLAYED
from tests.match.test_verdict import played as greedy


def played(rules: str, file: Path) -> Replay:
    match(rules, ["plain"] * 4, seed=3, rounds=1, log=file)
    return read_log(file.read_text("utf-8").splitlines())


def test_a_stream_is_read_back(tmp_path: Path) -> None:
    replay = played("guobiao-mcr", tmp_path / "m")
    named = replace(replay, match=replace(replay.match, names=("甲", "乙", "丙", "丁")))
    assert '"甲", "乙", "丙", "丁"' in to_mjai(named)[0]
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


def streams(rules: str, seeds: range, file: Path, *, flowers: bool = True) -> Iterator[tuple[Replay, list[str]]]:
    """Whole streams of matches, with their logs."""
    for seed in seeds:
        match(rules, ["plain", "random", "closed", "plain"], seed=seed, rounds=1, log=file)
        replay = read_log(file.read_text("utf-8").splitlines())
        yield replay, to_mjai(replay, flowers=flowers)


def test_a_meld_names_the_tiles_that_were_in_the_hand() -> None:
    """Two of a chow or pung, three of a kong that was claimed or added, four of a concealed one."""
    seen = dict.fromkeys(("chi", "pon", "daiminkan", "kakan", "ankan"), 0)
    for replay in map(greedy, PLAYED):
        for line in map(json.loads, to_mjai(replace(replay, hands=replay.hands[:4]))):
            if "consumed" not in line:
                continue
            seen[line["type"]] += 1
            assert len(line["consumed"]) == {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}[line["type"]]
            if line["type"] == "chi":
                kinds = sorted(TILE_NAMES.index(tile) for tile in (*line["consumed"], line["pai"]))
                assert kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]
            else:
                assert set(line["consumed"]) == {line.get("pai", line["consumed"][0])}
    assert all(seen[kind] for kind in ("chi", "pon", "daiminkan", "kakan")), seen


@pytest.mark.parametrize("rules", ["lingque-29", "canton"])
def test_a_deal_has_every_field_that_readers_require(rules: str, tmp_path: Path) -> None:
    """Scores before a hand are what the hands before it came to, player by player."""
    for replay, lines in streams(rules, range(2), tmp_path / "m"):
        deals = [line for line in map(json.loads, lines) if line["type"] == "start_kyoku"]
        assert all(line["dora_marker"] in TILE_NAMES and line["kyotaku"] == 0 for line in deals)
        paid = [list(hand.players) for hand in replay.match.hands]
        expected = [[sum(own) for own in zip(*paid[:at], [0] * 4, strict=True)] for at in range(len(paid))]
        assert [line["scores"] for line in deals] == expected
        assert len({line["dora_marker"] for line in deals}) == 1  # it says nothing about the wall


@pytest.mark.parametrize("rules", ["canton", "guobiao-mcr"])
def test_without_flowers_the_rest_is_as_it_was(rules: str, tmp_path: Path) -> None:
    """No line has a flower; everybody is dealt thirteen other tiles, and draws and discards them in the same order."""
    for replay, lines in streams(rules, range(3), tmp_path / "m", flowers=False):
        assert not any('"flower"' in line or '"f' in line for line in lines)
        for deal in (line for line in map(json.loads, lines) if line["type"] == "start_kyoku"):
            assert all(len(own) == 13 and set(own) <= set(TILE_NAMES) for own in deal["tehais"])
        back = read_stream(lines)
        for mine, theirs in zip(replay.hands, back.hands, strict=True):
            first = [type(event) for event in mine.events].index(Drawn)
            happened = [event for event in mine.events[first:] if getattr(event, "tile", KINDS) < KINDS]
            drawn = [(event.seat, event.tile) for event in happened if isinstance(event, Drawn | ReplacementDrawn)]
            assert [(move.seat, move.tile) for move in theirs.moves if move.what == "draw"] == drawn
            discards = [(event.seat, event.tile) for event in happened if isinstance(event, Discarded)]
            assert [(move.seat, move.tile) for move in theirs.moves if move.what == "play"] == discards


@pytest.mark.parametrize(
    ("header", "rules"),
    [
        ({"rulebook": "canton"}, "canton"),
        ({"rules": "canton"}, "canton"),  # also read
        ({"rules": {"player_count": 4, "honba_value": 100}, "preset": "tenhou"}, "guobiao-mcr"),  # as jansou writes it
        ({"rules": {"player_count": 4}, "rulebook": "canton"}, "canton"),
        ({}, "guobiao-mcr"),
    ],
)
def test_the_book_of_a_stream_is_a_text(header: dict[str, object], rules: str, tmp_path: Path) -> None:
    first, *rest = to_mjai(played("canton", tmp_path / "m"))
    names = json.loads(first)["names"]
    assert json.loads(first)["rulebook"] == "canton" and "rules" not in json.loads(first)  # jansou wants a table there
    assert read_stream([json.dumps({"type": "start_game", "names": names} | header), *rest]).rules == rules


@pytest.mark.parametrize(
    ("at", "event"),
    [
        (1, {"dora_marker": "3p"}),
        (1, {"dora_marker": "5mr"}),
        (3, {"type": "reach", "actor": 0}),
        (3, {"type": "dora", "dora_marker": "N"}),
    ],
)
def test_a_game_of_riichi_is_refused(at: int, event: dict[str, object], tmp_path: Path) -> None:
    """A stream that names no rulebook would otherwise be read, and counted, as a game of 国标."""
    lines = to_mjai(played("guobiao-mcr", tmp_path / "m"))
    lines[0] = json.dumps({"type": "start_game"})
    assert len(read_stream(lines).hands) == 4
    if at == 1:
        lines[1] = json.dumps(json.loads(lines[1]) | event)
    else:
        lines.insert(at, json.dumps(event))
    with pytest.raises(ForeignError) as refused:
        read_stream(lines)
    assert refused.value.text.en == (
        f"entry {at + 1}: this is a game of riichi mahjong (it has riichi or dora), which quepu does not play."
    )
    lines[0] = json.dumps({"type": "start_game", "rulebook": "guobiao-mcr"})
    remarks = [text.en for text in read_stream(lines).remarks]
    assert [text for text in remarks if text.endswith("is not kept.")] == (
        [] if at == 1 else [f"{'riichi' if event['type'] == 'reach' else 'dora'} is not kept."]
    )


@pytest.mark.slow
@pytest.mark.parametrize("rules", PLAYED)
def test_mjai_reads_it(rules: str, tmp_path: Path) -> None:
    """The state of each player that mjai keeps follows the whole stream, and that player's own."""
    state = pytest.importorskip("mjai.mlibriichi.state", reason="mjai is not installed")
    lines_read = 0
    for replay, lines in streams(rules, range(10), tmp_path / "m", flowers=False):
        hidden = replay.match.rules.table.concealed_kongs_hidden  # four unknown tiles are what mjai cannot read
        for player in range(4):
            for stream in (lines, *(() if hidden else (to_mjai(replay, player, flowers=False),))):
                follower = state.PlayerState(player)
                for line in stream:
                    follower.update(line)
                    lines_read += 1
                deal = [json.loads(line) for line in stream if "start_kyoku" in line][-1]
                assert follower.scores == [deal["scores"][(player + at) % 4] for at in range(4)]
    assert lines_read > 1000


@pytest.mark.slow
@pytest.mark.parametrize("rules", PLAYED)
def test_riichienv_reads_it(rules: str, tmp_path: Path) -> None:
    riichienv = pytest.importorskip("riichienv", reason="riichienv is not installed")
    for replay, lines in streams(rules, range(10), tmp_path / "m", flowers=False):
        file = tmp_path / "stream.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = riichienv.MjaiReplay.from_jsonl(str(file))
        assert found.num_rounds() == len(replay.hands)
        for mine, theirs in zip(replay.hands, found.take_kyokus(), strict=True):
            drawn = sum(isinstance(event, Drawn | ReplacementDrawn) and event.tile < KINDS for event in mine.events)
            dealt = takewhile(lambda event: not isinstance(event, Drawn), mine.events)
            drawn -= sum(isinstance(event, ReplacementDrawn) and event.tile < KINDS for event in dealt)
            assert sum(event["name"] == "DealTile" for event in theirs.events()) == drawn


@pytest.mark.slow
@pytest.mark.parametrize("rules", PLAYED)
def test_jansou_reads_it(rules: str, tmp_path: Path) -> None:
    """jansou 0.14.0 follows every draw and discard to the same winners and totals."""
    jansou = pytest.importorskip("jansou.io.mjai", reason="jansou is not installed")
    for replay, lines in streams(rules, range(10), tmp_path / "m", flowers=False):
        found = jansou.parse_mjai("\n".join(lines) + "\n")
        assert len(found.rounds) == len(replay.hands) and list(found.final_scores) == list(replay.match.totals)
        for mine, theirs in zip(replay.hands, found.rounds, strict=True):
            won = [mine.place.seats[event.seat] for event in mine.events if isinstance(event, Won)][:1]
            assert won == ([one.winner for one in theirs.outcome] if isinstance(theirs.outcome, tuple) else [])
            assert sum(type(event).__name__ == "Discard" for event in theirs.events) == sum(
                isinstance(event, Discarded) and event.tile < KINDS for event in mine.events
            )
