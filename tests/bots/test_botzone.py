"""Strangers at the table: programs of botzone.org.cn as seats, in every form of its protocol, and logs for it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from quepu.arena import Plan, match, simulate
from quepu.arena.bot_hand import play_hand
from quepu.bots import make_bot
from quepu.bots.botzone import GOES_ON, BotzoneBot
from quepu.bots.botzone_player import BotzonePlayer, responses_to
from quepu.bots.line_process import BotError
from quepu.errors import Error
from quepu.match import read_log
from quepu.match.botzone_export import ExportError, to_botzone
from quepu.match.botzone_facts import read_requests
from quepu.match.botzone_record import read_record, read_tile, tile_name
from quepu.match.botzone_requests import JudgeRequests
from quepu.match.imports import read_any
from quepu.match.log import PlayedHand
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read as read_rules
from quepu.rules.play_rules import play_rules
from quepu.table import Event, Table, make_wall, seen_by
from quepu.table.actions import PASS
from quepu.table.events import (
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReplacementDrawn,
    Won,
)
from quepu.table.facts import Fact
from quepu.tiles import FIRST_FLOWER, PLAIN
from tests.table.players import choose

MADE = (ChowClaimed, PungClaimed, KongClaimed, KongAdded, Discarded)

ROOT = Path(__file__).parents[2]
SAMPLE = [sys.executable, str(ROOT / "examples" / "botzone_bot.py")]
CAREFUL = """
import json, sys
MODE, KEEP = sys.argv[1], sys.argv[2] == "keep"
def answer(requests):
    held, seat = [], None
    for request in requests:
        words = request.split()
        if words[0] == "0":
            seat = words[1]
        elif words[0] == "1":
            assert len(words) == 18 + sum(map(int, words[1:5])), request
            held = words[5:18]
        elif words[0] == "2":
            held.append(words[1])
        elif words[:2] == ["3", seat] and words[2] == "PLAY":
            held.remove(words[3])
    assert len(held) in (0, 13, 14), held
    return "PLAY " + held[-1] if requests[-1].startswith("2") else "PASS"
def put(response):
    print(json.dumps({"response": response}) if MODE == "json" else response)
    if KEEP:
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
    sys.stdout.flush()
if MODE == "json":
    data = json.loads(sys.stdin.readline())
    requests = data["requests"]
    assert len(data["responses"]) == len(requests) - 1
else:
    n = int(sys.stdin.readline())
    lines = [sys.stdin.readline().strip() for _ in range(2 * n - 1)]
    requests = lines[::2]
put(answer(requests))
while KEEP:
    line = sys.stdin.readline()
    if not line:
        break
    requests.append(json.loads(line) if MODE == "json" else line.strip())
    put(answer(requests))
"""


def test_tiles_have_the_platforms_names() -> None:
    for kind in range(42):
        assert read_tile(tile_name(kind), 1) == kind
    names = [tile_name(kind) for kind in (0, 8, 9, 26, 27, 30, 31, 33, 34)]
    assert " ".join(names) == "W1 W9 B1 T9 F1 F4 J1 J3 H1"


@pytest.mark.parametrize(("form", "goes_on"), [("lines", "keep"), ("json", "keep")])
def test_a_program_plays_hands_in_each_form(form: str, goes_on: str, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(CAREFUL, "utf-8")
    own = book("guobiao-mcr")
    for seed in range(3):
        stranger = BotzoneBot([sys.executable, str(program), form, goes_on], form)  # type: ignore[arg-type]
        bots = [make_bot("random", seat) for seat in range(4)]
        bots[seed] = stranger
        table = play_hand(own, make_wall(seed, 0, play_rules(own).table.tiles), bots, round=1)
        assert table.over
        mine = [event for event in table.events if isinstance(event, Discarded) and event.seat == seed]
        assert mine and all(event.as_drawn for event in mine)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["lines", pytest.param("json", marks=pytest.mark.long)])
def test_a_program_that_is_started_anew_each_turn(form: str, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(CAREFUL, "utf-8")
    own = book("guobiao-mcr")
    stranger = BotzoneBot([sys.executable, str(program), form, "anew"], form)  # type: ignore[arg-type]
    bots = [stranger, *(make_bot("random", seat) for seat in range(3))]
    assert play_hand(own, make_wall(5, 0, play_rules(own).table.tiles), bots).over


def test_what_goes_wrong_is_a_sentence(tmp_path: Path) -> None:
    def with_program(text: str) -> None:
        program = tmp_path / "bot.py"
        program.write_text(text, "utf-8")
        stranger = BotzoneBot([sys.executable, str(program)], patience=5)
        own = book("guobiao-mcr")
        bots = [stranger, *(make_bot("random", seat) for seat in range(3))]
        play_hand(own, make_wall(1, 0, play_rules(own).table.tiles), bots)

    goes_on = f"print('{GOES_ON}', flush=True)"
    for text in (
        "",
        f"print('PLAY X9'); {goes_on}; input()",
        f"print('SING'); {goes_on}\nfor _ in iter(input, ''): print('SING'); {goes_on}",
    ):
        with pytest.raises(Exception) as wrong:  # noqa: PT011
            with_program(text)
        assert isinstance(wrong.value, BotError) or "X9" in str(wrong.value)


@pytest.mark.slow
def test_the_sample_bot_finishes_a_hundred_matches() -> None:
    """A match of the platform is one hand."""
    plan = Plan("guobiao-mcr", (BotzoneBot(SAMPLE), "plain", "plain", "plain"), 100, 3)
    stats = simulate(plan)
    assert stats.hands == 100 and stats.players[0].hands == 100
    assert stats.players[0].wins == stats.players[0].claims == 0


def test_the_sample_bot_plays_a_match() -> None:
    assert match("guobiao-mcr", [BotzoneBot(SAMPLE), "random", "random", "random"], seed=2, rounds=1).over


def test_requests_are_what_a_seat_sees() -> None:
    own = book("guobiao-mcr")
    for seed in range(6):  # random ones discard flowers, which the platform's judge would replace
        bots = [make_bot("random" if seed % 2 else "plain", seat) for seat in range(4)]
        table = play_hand(own, make_wall(seed, 0, play_rules(own).table.tiles), bots)
        seats = [JudgeRequests(seat, 0) for seat in range(4)]
        for n, event in enumerate(table.events):
            for seat, requests in enumerate(seats):
                requests.add(seen_by(event, seat, n, hidden=True))
        for requests in zip(*(one.found for one in seats), strict=True):
            kinds = {request.split()[0] for request in requests}
            assert kinds <= {"0"} or kinds <= {"1"} or kinds <= {"2", "3"}
            if "2" in kinds:
                assert sum(request.startswith("2 ") for request in requests) == 1


def test_requests_are_read_as_what_happened() -> None:
    """Claims, kongs and discards that a seat is told of are those of the table, with the right chow."""
    own, claims = book("guobiao-mcr"), Counter[str]()
    for seed in range(20):
        table = Table(own, make_wall(seed, 0, PLAIN))
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, choose(table, seat))
        seats = [JudgeRequests(seat, 0) for seat in range(4)]
        for n, event in enumerate(table.events):
            for seat, requests in enumerate(seats):
                requests.add(seen_by(event, seat, n, hidden=True))
        happened = [Fact.of(event) for event in table.events if isinstance(event, MADE)]
        claims.update(fact.event.__name__ for fact in happened)
        for seat, requests in enumerate(seats):
            seen = read_requests(requests.found, ["PASS"] * (len(requests.found) - 1))
            public = [fact for fact in seen.facts if fact.event in MADE]
            assert (seen.seat, seen.round) == (seat, 0)
            for mine, theirs in zip(public, happened, strict=False):
                assert (mine.event, mine.seat, mine.tile, mine.low) == (
                    theirs.event, theirs.seat, theirs.tile, theirs.low,
                )  # fmt: skip
            assert len(happened) - 1 <= len(public) <= len(happened)  # the judge asks nobody about the last tile
    assert set(claims) == {kind.__name__ for kind in MADE}


def test_an_own_kong_is_known_by_the_answer() -> None:
    deal = "1 0 0 0 0 W1 W1 W1 W2 W2 W3 W4 W5 W9 B1 B2 B3 B4"
    told = ["0 0 0", deal, "2 W1", "3 0 GANG"]
    seen = read_requests(told, ["PASS", "PASS", "GANG W1"])
    kong = next(fact for fact in seen.facts if fact.event is KongConcealed)
    assert (kong.seat, kong.tile) == (0, 0)
    other = read_requests(["0 0 0", deal, "3 1 DRAW", "3 1 GANG"], ["PASS", "PASS", "GANG W1"])
    assert next(fact.tile for fact in other.facts if fact.event is KongConcealed) is None
    with pytest.raises(Error) as refused:
        read_requests(told, ["PASS", "PASS", "GANG Q1"])
    assert refused.value.say("zh") == "第 4 条：不认识的牌“Q1”。"


@pytest.mark.parametrize("seed", [1, 4])
def test_an_exported_hand_is_read_back(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    match("guobiao-mcr", ["plain"] * 4, seed=seed, rounds=1, log=file)
    replay = read_log(file.read_text("utf-8").splitlines())
    for number, hand in enumerate(replay.hands, 1):
        record = json.loads(json.dumps(to_botzone(replay, number)))
        (back,) = read_record(record).hands
        assert back.round == hand.place.round_wind
        discards = [(event.seat, event.tile) for event in hand.events if isinstance(event, Discarded)]
        assert [(move.seat, move.tile) for move in back.moves if move.what == "play"] == discards
        won = next((event for event in hand.events if isinstance(event, Won)), None)
        assert [move.seat for move in back.moves if move.what == "win"] == ([won.seat] if won else [])
    with pytest.raises(ExportError):
        to_botzone(replay, 99)
    other = tmp_path / "o.jsonl"
    match("yuque-54", ["random"] * 4, seed=seed, rounds=1, log=other)
    with pytest.raises(ExportError):
        to_botzone(read_log(other.read_text("utf-8").splitlines()))


def test_what_the_platform_does_not_play_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="form 是 lines 或 json，不是“xml”"):
        BotzoneBot(SAMPLE, "xml")  # type: ignore[arg-type]
    house = read_rules('base = "guobiao-mcr"\n[table]\nkong_after_claim = true')
    for rules, why in ((book("canton"), "只打国标"), (house, "吃碰后可以接着开杠")):
        with pytest.raises(BotError, match=why):
            match(rules, [BotzoneBot(SAMPLE), "random", "random", "random"], rounds=1)
        match(rules, ["random"] * 4, rounds=1, log=tmp_path / "m")
        with pytest.raises(ExportError, match=why):
            to_botzone(read_log((tmp_path / "m").read_text("utf-8").splitlines(), rules))


def course(hand: PlayedHand) -> tuple[list[Event], list[list[int]], list[list[int]]]:
    """What happened since the deal, and what each had dealt and set aside then, however it lay in the wall."""
    events = [replace(one, as_drawn=False) if isinstance(one, Discarded) else one for one in hand.events]
    first = next(n for n, event in enumerate(events) if isinstance(event, Drawn))
    hands: list[list[int]] = [[], [], [], []]
    flowers: list[list[int]] = [[], [], [], []]
    for event in events[:first]:
        if isinstance(event, Dealt):
            hands[event.seat] = list(event.tiles)
        elif isinstance(event, FlowerSetAside):
            hands[event.seat].remove(event.tile)
            flowers[event.seat].append(event.tile)
        elif isinstance(event, ReplacementDrawn):
            hands[event.seat].append(event.tile)
    return events[first:], [sorted(one) for one in hands], [sorted(one) for one in flowers]


def same_after_export(players: list[str], seeds: range, file: Path) -> int:
    """How many flowers were discarded in hands that all come back from the platform's form as they were."""
    flowers = 0
    for seed in seeds:
        match("guobiao-mcr", players, seed=seed, rounds=1, log=file)
        replay = read_log(file.read_text("utf-8").splitlines())
        for number, hand in enumerate(replay.hands, 1):
            record = to_botzone(replay, number)
            back = read_any(json.dumps(record)).replay
            assert course(back.hands[0]) == course(hand), (seed, number)
            settled = replay.match.hands[number - 1].players
            assert back.match.hands[0].players == tuple(settled[player] for player in hand.place.seats)
            played = [e for e in hand.events if isinstance(e, Discarded) and e.tile >= FIRST_FLOWER]
            answers = [one["response"] for entry in record["logs"][1::2] for one in entry.values()]
            assert [answers.count(f"PLAY {tile_name(e.tile)}") for e in played] == [1] * len(played)
            flowers += len(played)
    return flowers


def test_a_discarded_flower_is_exported(tmp_path: Path) -> None:
    assert same_after_export(["random"] * 4, range(2), tmp_path / "m.jsonl") > 4


@pytest.mark.slow
def test_hundreds_of_exported_hands_come_back_as_they_were(tmp_path: Path) -> None:
    for players in (["random"] * 4, ["plain", "random", "closed", "steps"], ["plain"] * 4):
        same_after_export(players, range(30), tmp_path / "m.jsonl")


def own_program(form: str = "lines", *more: str) -> BotzoneBot:
    command = [sys.executable, "-m", "quepu", "bot", "--botzone", "plain", "--seed", "5", *more]
    return BotzoneBot(command, form, patience=60)  # type: ignore[arg-type]


def moves(table: Table) -> list[Event]:
    """What happened; which of two equal tiles is discarded cannot be said in the protocol."""
    return [replace(event, as_drawn=False) if isinstance(event, Discarded) else event for event in table.events]


def compared(seeds: range, stranger: BotzoneBot) -> None:
    """Our bot as a program of the platform does what it does when it is seated itself."""
    own = book("guobiao-mcr")
    for seed in seeds:
        wall, place = make_wall(seed, 0, play_rules(own).table.tiles), seed % 4
        bots = [make_bot("plain", 100 + seat) for seat in range(4)]
        bots[place] = make_bot("plain", 5)
        seated = play_hand(own, wall, bots, round=seed // 4 % 4)
        bots = [make_bot("plain", 100 + seat) for seat in range(4)]
        bots[place] = stranger
        assert moves(play_hand(own, wall, bots, round=seed // 4 % 4)) == moves(seated), seed


@pytest.mark.long
def test_our_own_program_plays_as_the_bot_itself() -> None:
    """In the one a chow goes to another for a pung, in the other the bot wins."""
    compared(range(6, 7), own_program())
    compared(range(4, 5), own_program("json"))


def test_a_history_that_is_none_is_a_sentence() -> None:
    deal = "1 0 0 0 0 W1 W2 W3 W4 W5 W6 W7 W8 W9 B1 B2 B3 B4"
    begun = ["0 1 0", deal]
    for more in (
        ["2 Z1"], ["5"], ["3 0 PLAY"], ["3 0 DRAW", "3 0 CHI W1 W2"], ["3 0 DRAW", "3 0 PLAY W9", "3 1 CHI W9 F1"],
        ["3 0 PENG W1"], ["3 2 DRAW", "3 2 PLAY F1", "3 1 PENG W1"], ["2 W1"], ["2 B9", "3 1 PLAY J1", "2 B9"],
        ["1"], [deal], ["3 9 DRAW"], ["3 0"], ["3"], ["3 0 DRAW", "3 0"], ["3 0 DRAW", "3 0 PLAY W9", "2 H1", "2 H2"],
    ):  # fmt: skip
        broken = BotzonePlayer(lambda: make_bot("plain"), book("guobiao-mcr"))
        with pytest.raises(Error):
            broken.response(begun + more, ["PASS"] * (len(more) + 1))
    player = BotzonePlayer(lambda: make_bot("plain"), book("guobiao-mcr"))
    assert player.response([*begun, "3 0 DRAW", "3 0 PLAY F1"], ["PASS"] * 3) == "PASS"
    for lines in (
        ["x"],
        [],
        ["9" * 5000],
        ["2", "0 1 0"],
        ["{}"],
        ['{"requests": [1], "responses": []}'],
        ['{"requests": "0"}'],
    ):
        with pytest.raises(Error):
            list(responses_to(iter(lines), player))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_our_own_program_over_many_hands() -> None:
    compared(range(20), own_program())


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("form", ["lines", pytest.param("json", marks=pytest.mark.long)])
def test_our_own_program_started_anew_each_turn(form: str) -> None:
    compared(range(1), own_program(form, "--once"))


@pytest.mark.parametrize(
    "level", ["plain", *(pytest.param(one, marks=pytest.mark.long) for one in ("random", "closed"))]
)
def test_no_discard_is_claimed_once_the_next_seat_has_no_tile(level: str) -> None:
    # North has discarded when East had drawn all tiles of its own wall: a pung would be a wrong answer
    line = (Path(__file__).parent / "own_walls.json").read_text("utf-8").strip()
    player = BotzonePlayer(lambda: make_bot(level, 1), book("guobiao-mcr"), False)
    assert list(responses_to(iter([line]), player, once=True)) == ['{"response": "PASS"}']


def test_our_bot_draws_more_than_an_own_wall_has_where_the_wall_is_shared() -> None:
    table = Table(book("guobiao-mcr"), make_wall(4, 0, PLAIN))
    while not table.over:  # West claims whatever it can, so that the others draw more often
        seat = table.to_act[0]
        options = table.options(seat)
        claims = [one for one in options if one.do in ("pung", "chow") and seat == 2]
        drawn = next((one for one in options if one.drawn), options[0])
        table.step(seat, claims[0] if claims else PASS if PASS in options else drawn)
    east = JudgeRequests(0, 0)
    for n, event in enumerate(table.events):
        east.add(seen_by(event, 0, n, hidden=True))
    draws = [n for n, request in enumerate(east.found, 1) if request.startswith("2 ")]
    assert len(draws) > 21
    player = BotzonePlayer(lambda: make_bot("closed", 1), book("guobiao-mcr"), False)
    for n in (draws[0], draws[21]):
        assert player.response(east.found[:n], ["PASS"] * (n - 1)).split()[0] in ("PLAY", "HU")


@pytest.mark.slow
@pytest.mark.parametrize("own", [True, False])
def test_our_bot_plays_both_forms_of_the_wall(own: bool) -> None:
    rules = book("guobiao-mcr")
    for seed in range(3):
        command = [sys.executable, "-m", "quepu", "bot", "--botzone", "plain", "--no-flowers"]
        bots = [BotzoneBot(command, patience=60), *(make_bot("plain", seat) for seat in range(3))]
        table = play_hand(rules, make_wall(seed, 0, PLAIN, own), bots)
        same = play_hand(rules, make_wall(seed, 0, PLAIN, own), [make_bot("plain", seat) for seat in range(4)])
        assert table.over
        assert table.wall.own is own
        assert len(table.events) > 40
        assert same.over
