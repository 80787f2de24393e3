"""Logs: what is written is read back and replayed; what was changed, moved or cut is refused with its line."""

from __future__ import annotations

import json
import random

import pytest

from quepu.match import LogError, LogWriter, Match, Penalty, Replay, read_log
from quepu.match.log import chain_hash
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending
from quepu.table import Table, commitment, make_wall, secret_wall
from quepu.tiles import PLAIN
from tests.books import MANY_HANDS, PLAYED
from tests.table.follower import Follower
from tests.table.players import choose


def play_match(name: str, seed: int, rounds: int = 1) -> tuple[Match, list[str]]:
    """A match of eager random players, with a penalty and one taken back."""
    rng = random.Random(seed)
    match = Match(book(name), rounds=rounds)
    lines: list[str] = []
    log = LogWriter(match, lines.append, seed=seed)
    n = 0
    while not match.over:
        n += 1
        assert n < MANY_HANDS, "the dealer never leaves"
        flowers = match.rules.table.flowers
        table = Table(match.book, make_wall(seed, n, PLAIN.with_flowers(flowers)), round=match.place.round_wind)
        log.hand(n, match.place, table)
        steps = 0
        while table.to_act:
            seat = rng.choice(table.to_act)
            # where the dealer stays unless another wins, somebody has to win now and then
            if match.rules.match.dealer_repeats == "win or draw" and rng.random() < 0.9:
                table.step(seat, choose(table, seat))
            else:
                options = table.options(seat)
                keen = [option for option in options if option.do in ("win", "concealed", "added", "kong")]
                table.step(seat, keen[0] if keen else rng.choice(options))
            steps += 1
            if rng.random() < 0.2:
                log.sync()
            if steps == 20 and n == 2 and match.rules.faults:
                key = next(fault.key for fault in match.rules.faults if fault.barred)
                penalty = Penalty(match.place.seats[2], key, note="上手就报")
                match = match.penalise(penalty)
                log.penalty(penalty)
                table.bar(2)
        assert table.ending is not None
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals)
        if n == 2 and match.rules.faults:
            index = next(i for i, entry in enumerate(match.entries) if isinstance(entry, Penalty))
            match = match.revoke(index)
            log.revoke(index)
    log.end()
    return match, lines


def plain(entry: object) -> object:
    """An entry without its score, which is an object of its own."""
    if not isinstance(entry, Ending):
        return entry
    return entry._replace(winners=tuple(win._replace(score=None) for win in entry.winners))


@pytest.mark.parametrize("name", PLAYED)
def test_a_log_reads_back(name: str) -> None:
    match, lines = play_match(name, 11)
    for line in lines:  # the quick ways to write a line write what JSON would
        assert json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")) == line
    replay = read_log(lines)
    assert replay.finished
    assert [plain(entry) for entry in replay.match.entries] == [plain(entry) for entry in match.entries]
    assert replay.match.totals == match.totals
    assert replay.header["fingerprint"] == book(name).fingerprint
    assert len(replay.hands) == len(match.hands)
    for hand in replay.hands:
        table = hand.table(replay.book)
        Follower(table).check()
        read_events = [step.event for step in hand.steps if step.event is not None]
        assert tuple(read_events) == table.events
        assert table.ending is not None
        settled = match.hands[hand.number - 1].ending.winners
        assert [win[:2] for win in table.ending.winners] == [win[:2] for win in settled]
    assert replay.unfinished is None
    assert all(json.loads(line)["h"] for line in lines)


def test_a_replay_stops_anywhere() -> None:
    _, lines = play_match("lingque-29", 12)
    replay = read_log(lines)
    hand = replay.hands[0]
    seen = [len(hand.table(replay.book, n).events) for n in range(0, len(hand.steps), 10)]
    assert seen == sorted(seen)
    assert seen[0] == 6  # dice, four deals, the first draw


@pytest.mark.parametrize("seed", range(3))
def test_what_was_changed_moved_or_cut_is_refused_at_its_line(seed: int) -> None:
    _, lines = play_match("lingque-26" if seed else "yuque-54", seed)
    rng = random.Random(seed)
    for _ in range(12):
        at = rng.randrange(len(lines))
        line = lines[at]
        spot = rng.randrange(len(line))
        other = "7" if line[spot] != "7" else "3"
        changed = [*lines[:at], line[:spot] + other + line[spot + 1 :], *lines[at + 1 :]]
        with pytest.raises(LogError) as refused:
            read_log(changed)
        assert refused.value.line == at + 1
        with pytest.raises(LogError) as refused:
            read_log(lines[:at])
        assert refused.value.line == at + 1
        with pytest.raises(LogError) as refused:
            read_log([*lines[:at], *lines[at + 1 :]])
        assert refused.value.line == at + 1
        if at + 1 < len(lines):
            with pytest.raises(LogError) as refused:
                read_log([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
            assert refused.value.line == at + 1
    with pytest.raises(LogError):
        read_log([*lines, lines[-1]])


def forged(lines: list[str], at: int, **changes: object) -> list[str]:
    """A log with one line changed and every hash after it made right again."""
    last, made = 0, []
    for i, line in enumerate(lines):
        data = json.loads(line)
        del data["h"]
        if i == at:
            data.update(changes)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))[:-1]
        last = chain_hash(last, text)
        made.append(f'{text},"h":{last}}}')
    return made


def line_of(lines: list[str], **what: object) -> int:
    return next(i for i, line in enumerate(lines) if what.items() <= json.loads(line).items())


ODD: list[object] = [
    None, True, -1, 7, 10**30, 0.5, "", "x", "1m", "E", [], [[]], {}, {"do": "win"}, [0, 1, 2, 3], ["E"] * 4,
]  # fmt: skip


def refusal(lines: list[str]) -> LogError | None:
    try:
        read_log(lines, unfinished=True)
    except LogError as refused:
        return refused
    return None


@pytest.mark.parametrize("name", ["lingque-29", "yuque-54"])
def test_any_nonsense_in_a_line_is_refused_with_a_sentence(name: str) -> None:
    _, lines = play_match(name, 6)
    rng = random.Random(6)
    short = lines[: line_of(lines, hand=2) + 1]
    whole = [json.loads(line) for line in short]
    for _ in range(120):
        at = rng.choice([0, 1, rng.randrange(len(short))])
        keys = [key for key in whole[at] if key not in ("h", "quepu", "fingerprint", "seed", "bots", "options")]
        key = rng.choice(keys)
        odd = rng.choice(ODD)
        if odd == whole[at][key] or (key == "ranked" and at == 0) or (key, odd) == ("rounds", 7):
            continue
        made = forged(short, at, **{key: odd})
        refused = refusal(made)
        if refused is None:  # what is no part of the game may say anything
            free = ("rounds", "players", "note", "chosen", "rules", "revision", "title", "commitment", "salt", "ready")
            assert key in (*free, "drawn") or read_log(made, unfinished=True).problems, (key, odd)
        else:
            assert refused.text.zh.startswith("第")
            assert refused.line <= len(short)


def test_a_forger_who_mends_the_hashes_is_found_by_playing_it_again() -> None:
    _, lines = play_match("lingque-29", 5)
    assert read_log(forged(lines, -1)).finished
    draw = line_of(lines, e="draw")
    tile = json.loads(lines[draw])["tile"]
    for at, changes in (
        (draw, {"tile": "1m" if tile != "1m" else "2m"}),
        (line_of(lines, e="discard"), {"seat": "W"}),
        (line_of(lines, e="deal"), {"tiles": "1m" * 4 + "2m" * 4 + "3m" * 4 + "4m"}),
        (line_of(lines, e="dice"), {"dice": [1, 1, 1, 1]}),
        (line_of(lines, hand=1), {"dice": [1, 1, 1, 1]}),
        (line_of(lines, hand=1), {"place": [1, 1, 0, [0, 1, 2, 3]]}),
    ):
        changed = forged(lines, at, **changes)
        try:
            problems = read_log(changed).problems
        except LogError:  # tiles that are not where they are taken from, results that do not add up
            continue
        assert problems[0].line == at + 1, changes
    for at, changes in (
        (line_of(lines, hand=1), {"hand": 2}),
        (len(lines) - 1, {"end": 3}),
        (next(i for i, line in enumerate(lines) if line.startswith('{"result')), {"totals": [1000, 0, 0, -1000]}),
        (0, {"players": ["a"]}),
    ):
        with pytest.raises(LogError):
            read_log(forged(lines, at, **changes))
    with pytest.raises(LogError, match="格式"):
        read_log(forged(lines, 0, log=99))


def test_other_rules_than_today_are_no_reason_to_refuse_a_log() -> None:
    match, lines = play_match("lingque-29", 5)
    for header, same in (
        ({}, True),
        ({"fingerprint": "0" * 12}, False),
        ({"log": 1, "fingerprint": "0" * 12}, False),
        ({"revision": 99}, False),
        ({"rules": "a book that is no more", "title": ["旧谱", "Old"]}, False),
        ({"chosen": {"no such option": 1}}, False),
    ):
        replay = read_log(forged(lines, 0, **header))
        assert replay.finished
        assert replay.same_rules is same
        assert bool(replay.notes) is not (same or "log" in header), header
        assert replay.problems == ()
        assert replay.match.totals == match.totals
        assert [hand.settlement for hand in replay.match.hands] == [hand.settlement for hand in match.hands]
        assert replay.match.standings() == match.standings()
        assert replay.match.book.title.zh == ("旧谱" if "title" in header else match.book.title.zh)


@pytest.mark.parametrize(
    ("own", "changes"),
    [(True, {"log": 3}), (True, {"log": 1}), (True, {"walls": "shared"}), (True, {"walls": ["own"]}),
     (False, {"log": 4}), (False, {"walls": "own"})],
)  # fmt: skip
def test_the_form_of_the_walls_must_fit_the_format(own: bool, changes: dict[str, object]) -> None:
    lines: list[str] = []
    match = Match(book("guobiao-mcr"))
    log = LogWriter(match, lines.append, own_walls=own)
    log.hand(1, match.place, Table(match.book, make_wall(1, own=own)))
    assert read_log(forged(lines, -1), unfinished=True).hands[0].wall.own is own
    with pytest.raises(LogError, match="walls"):
        read_log(forged(lines, 0, **changes), unfinished=True)


@pytest.mark.parametrize("text", ["", "{}", "hello", '{"log":1,"h":0}', "[1]", '"x","h":0}', '{"log":1,"h":"0"}'])
def test_what_is_no_log_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(LogError) as refused:
        read_log(text.splitlines())
    assert refused.value.line == 1
    assert refused.value.text.zh.startswith("第 1 行")


def resume(lines: list[str], replay: Replay) -> list[str]:
    """Go on with a log that broke off, every seat throwing away what it draws."""
    out = list(lines[: replay.lines])
    log, table = LogWriter.resume(replay, out.append)
    match = replay.match
    n = len(match.hands)
    while True:
        if table is not None:
            rng = random.Random(1)
            while table.to_act:
                seat = rng.choice(table.to_act)
                table.step(seat, rng.choice(table.options(seat)))
            assert table.ending is not None
            match = match.add_hand(table.ending)
            n += 1
            log.result(match.hands[-1].settlement, match.totals)
        if match.over:
            break
        seed = replay.header["seed"]
        table = Table(match.book, make_wall(seed, n + 1), round=match.place.round_wind)
        log.hand(n + 1, match.place, table)
    log.end()
    return out


def test_a_log_that_broke_off_goes_on() -> None:
    _, lines = play_match("lingque-29", 7)
    rng = random.Random(7)
    for _ in range(12):
        cut = rng.randrange(1, len(lines))
        torn = [*lines[:cut], lines[cut][: rng.randrange(len(lines[cut]))]] if rng.random() < 0.5 else lines[:cut]
        replay = read_log(torn, unfinished=True)
        assert not replay.finished
        whole = resume(torn, replay)
        assert whole[: replay.lines] == lines[: replay.lines]
        again = read_log(whole)
        assert again.finished


def test_a_commitment_in_a_log_is_checked() -> None:
    match = Match(book("lingque-29"))
    wall, salt = secret_wall()
    for promise, fine in ((commitment(wall, salt), True), (commitment(wall, salt + "x"), False)):
        lines: list[str] = []
        log = LogWriter(match, lines.append)
        log.hand(1, match.place, Table(match.book, wall), salt=salt, commitment=promise)
        if fine:
            assert read_log(lines, unfinished=True).hands[0].commitment == promise
        else:
            with pytest.raises(LogError, match="承诺"):
                read_log(lines, unfinished=True)


def test_a_log_under_house_rules_is_played_again_with_the_book_and_read_without() -> None:
    house = book("lingque-29").having(minimum=16, id="house")
    match = Match(house)
    lines: list[str] = []
    log = LogWriter(match, lines.append)
    log.hand(1, match.place, Table(house, make_wall(1)))
    alone = read_log(lines, unfinished=True)
    assert "house" in alone.notes[0].zh
    assert tuple(alone.hands[0].events) == Table(house, make_wall(1)).events
    with_book = read_log(lines, house, unfinished=True)
    assert with_book.book is house
    assert with_book.same_rules


def test_a_seat_barred_while_it_is_to_act_is_no_answer_of_its_own() -> None:
    match = Match(book("yuque-54"))
    barred = None
    for hand in range(50):
        table = Table(match.book, make_wall(31, hand))
        lines: list[str] = []
        log = LogWriter(match, lines.append)
        log.hand(1, match.place, table)
        rng = random.Random(hand)
        while table.to_act:
            waiting = [seat for seat in table.to_act if any(option.do == "pass" for option in table.options(seat))]
            if waiting and barred is None:
                barred = waiting[0]
                log.penalty(Penalty(barred, "冲和"))
                match_after = match.penalise(Penalty(barred, "冲和"))
                table.bar(barred)
                assert barred not in table.to_act or table.turn == barred
                continue
            seat = rng.choice(table.to_act)
            table.step(seat, rng.choice(table.options(seat)))
        assert table.ending is not None
        if barred is not None:
            break
    assert barred is not None
    done = match_after.add_hand(table.ending)
    log.result(done.hands[-1].settlement, done.totals)
    replay = read_log(lines, unfinished=True)
    assert replay.match.totals == done.totals
    assert replay.hands[0].table(match.book).events == table.events
