"""Four own walls: each seat draws from its own, as the judge of botzone.org.cn has it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from quepu.arena import play_hand
from quepu.hands.hand import Luck
from quepu.match import LogWriter, Match, read_log
from quepu.match.botzone_export import to_botzone
from quepu.match.seats import RoundPosition
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.table.actions import PASS
from quepu.table.events import Drawn, ReplacementDrawn
from quepu.table.position import Position, apply
from quepu.table.sampling import sample_table
from quepu.table.wall import Wall, WallPlan, commitment, read_wall
from quepu.tiles import PLAIN
from tests.botzone_judge import Judge
from tests.table.players import choose
from tests.table.walls import go, kinds, throw_away

MCR = book("guobiao-mcr")


def own_walls(*tiles: str, south_last: str = "") -> Wall:
    """Own walls that begin with these tiles, seat by seat; `south_last` is the last of South's."""
    left = Counter(PLAIN.tiles)
    begun = [kinds(text) for text in tiles] + [[]] * (4 - len(tiles))
    ends = [[], kinds(south_last), [], []]
    for own in (*begun, *ends):
        left.subtract(own)
    assert min(left.values()) >= 0
    more = sorted(left.elements(), key=lambda kind: (kind * 7 % 34, kind))
    whole: list[int] = []
    for own, end in zip(begun, ends, strict=True):
        taken = 34 - len(own) - len(end)
        whole += [*own, *more[:taken], *end]
        del more[:taken]
    return Wall(tuple(whole), (1, 1, 1, 1), own=True)


def thrown(table: Table, until: str) -> Table:
    """Discard what is drawn, claiming nothing, until this seat has drawn its last own tile."""
    seat = "ESWN".index(until)
    while not (table.drawn is not None and table.turn == seat and table.board.piles is not None
               and table.board.piles[seat] == 0):  # fmt: skip
        step_on(table)
    return table


def step_on(table: Table) -> None:
    seat = table.to_act[0]
    options = table.options(seat)
    table.step(seat, PASS if PASS in options else options[-1] if options[-1].drawn else next(
        option for option in options if option.drawn))  # fmt: skip


def test_each_seat_draws_from_its_own_wall_whoever_claims() -> None:
    wall = make_wall(3, own=True)
    free, claimed = (Table(MCR, wall) for _ in range(2))
    rng = random.Random(4)
    for table in (free, claimed):
        while not table.over:
            seat = table.to_act[0]
            options = [one for one in table.options(seat) if table is claimed or one.do not in ("pung", "chow", "kong")]
            table.step(seat, rng.choice(options))
    for table in (free, claimed):
        for seat in range(4):
            got = [event.tile for event in table.events
                   if isinstance(event, Drawn | ReplacementDrawn) and event.seat == seat]  # fmt: skip
            assert list(wall.tiles[34 * seat + 13 : 34 * seat + 13 + len(got)]) == got
    assert any(event.tag in ("pung", "chow") for event in claimed.events)


def test_a_hand_ends_when_the_player_to_draw_cannot() -> None:
    # West takes East's discard, so South and West have a tile left when East cannot draw
    table = Table(MCR, own_walls("1m1p1s2m2p2s3m3p3sEEE4m", "", "44m5m5p5s6m6p6sSSSNW"))
    go(table, "E discard 4m", "W pung 4m", "W discard N")
    throw_away(table)
    assert table.events[-1].tag == "exhausted"
    assert table.board.piles == (0, 1, 1, 0)
    assert table.board.left == 2
    assert table.ending is not None
    assert not table.ending.winners


def test_a_discard_can_only_be_won_once_the_next_seat_has_no_tile() -> None:
    # North's last discard lies before East's empty wall; East's before South's, who has one tile left
    pairs = "11p5m5p5s6m6p6sSSSNW"
    for thrower, claims in (("E", True), ("N", False)):
        table = Table(MCR, own_walls("", pairs))
        thrown(table, thrower)
        seat = table.turn
        claimed = [
            option.do for other in range(4) if other != seat for kind in {table.drawn}
            for option in _claims_on(table, other, kind)
        ]  # fmt: skip
        assert bool(claimed) is claims


def _claims_on(table: Table, other: int, kind: int | None) -> list[object]:
    """What `other` could claim if it held a pair of the tile thrown, which is put into its hand."""
    again = table.copy()
    assert kind is not None
    p = again._position
    for old, new in zip(sorted(p.hands[other])[:2], (kind, kind), strict=True):
        p.hands[other].remove(old)
        p.counts[other][old] -= 1
        p.hands[other] = sorted([*p.hands[other], new])
        p.counts[other][new] += 1
    again._state.look(other)
    seat = again.turn
    again.step(seat, next(option for option in again.options(seat) if option.drawn))
    return [option for option in again.options(other) if option.do in ("pung", "kong", "chow")]


@pytest.mark.parametrize(("kind", "claim"), [("3s", "pung"), ("4s", "kong")])
def test_an_empty_own_wall_forbids_no_claim_and_an_exposed_kong_ends_the_hand(kind: str, claim: str) -> None:
    # the claimer has drawn all 21 tiles; South discards his last one before West, who has one left
    table = Table(MCR, own_walls("33s444s1m1p2m2pEEES", south_last=kind))
    thrown(table, "S")
    assert table.board.piles == (0, 0, 1, 1)
    go(table, f"S discard {kind} drawn", f"E {claim} {kind}")
    if claim == "kong":
        assert [event.tag for event in table.events[-2:]] == ["kong", "exhausted"]
        assert table.over
    else:
        assert table.to_act == (0,)
        go(table, "E discard 1m")
        assert table.over


@pytest.mark.parametrize(("own", "after", "allowed"), [(1, 1, True), (0, 1, False), (1, 0, False)])
def test_own_kongs_need_a_tile_of_both_walls(own: int, after: int, allowed: bool) -> None:
    table = Table(MCR, own_walls("1111m222p2s3m3p3sEE2p"))
    p = table._position
    p.pungs[0].append(kinds("3m")[0])
    assert p.piles is not None
    p.piles[0], p.piles[1] = own, after
    table._options = None
    found = {option.do for option in table.options(0)}
    assert {"concealed", "added"} <= found if allowed else not {"concealed", "added"} & found


def test_the_last_tile_is_told_by_the_next_seats_wall() -> None:
    for own, after, last in ((0, 1, False), (1, 0, True), (0, 0, True)):
        table = Table(MCR, own_walls("123m456m789m123pE" + "E"))
        p = table._position
        assert p.piles is not None
        p.piles[0], p.piles[1] = own, after
        table._options = None
        win = table.options(0)[0]
        assert win.do == "win"
        assert win.score is not None
        assert bool(win.score.hand.luck & Luck.LAST_DRAW) is last


@pytest.mark.parametrize("name", ["guobiao-mcr", "guobiao", "lingque-29", "yuque-54", "canton"])
@pytest.mark.parametrize("seed", range(3))
def test_every_book_plays_with_own_walls_and_its_log_is_read_back(name: str, seed: int) -> None:
    rules = book(name)
    match = Match(rules, ("a", "b", "c", "d"), 1)
    tiles = play_rules(rules).table.tiles
    lines: list[str] = []
    log = LogWriter(match, lines.append, seed=seed, own_walls=True)
    while not match.over:
        table = Table(rules, make_wall(seed, len(match.hands) + 1, tiles, own=True), round=match.place.round_wind)
        log.hand(len(match.hands) + 1, match.place, table)
        position = Position(table.position.plan, match.place.round_wind)
        folded = 0
        while not table.over:
            for event in table.events_from(folded):
                apply(position, event)
            folded = table.event_count
            assert position == table.position
            assert len(table.undrawn()) == table.board.left
            seat = table.to_act[0]
            table.step(seat, choose(table, seat))
        assert table.ending is not None
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals, table.ending)
    log.end()
    replay = read_log(lines)
    assert replay.header["walls"] == "own"
    assert not replay.remarks
    assert replay.match.totals == match.totals
    assert all(hand.wall.own for hand in replay.hands)


def test_old_headers_and_commitments_are_as_before() -> None:
    lines: list[str] = []
    LogWriter(Match(MCR, ("a", "b", "c", "d")), lines.append)
    assert '"log":3' in lines[0]
    assert "walls" not in lines[0]
    shared, own = make_wall(1), make_wall(1, own=True)
    assert commitment(shared, "00") != commitment(own, "00")
    assert read_wall(own.text(), own.dice, own=True) == own != shared


def test_a_log_says_which_walls_it_has() -> None:
    log = LogWriter(match := Match(MCR, ("a", "b", "c", "d")), [].append, own_walls=True)
    with pytest.raises(ValueError, match="header"):
        log.hand(1, match.place, Table(MCR, make_wall(1)))


@pytest.mark.parametrize("seed", range(6))
def test_a_sampled_table_keeps_the_own_walls(seed: int) -> None:
    table = Table(MCR, make_wall(seed, own=True))
    for _ in range(60):
        if table.over:
            break
        seat = table.to_act[0]
        made = sample_table(table, seat, seed)
        assert made.wall.own
        assert made.view(seat) == table.view(seat)
        assert Counter(made.wall.tiles) == Counter(table.wall.tiles)
        table.step(seat, choose(table, seat))


@pytest.mark.parametrize(("level", "flowers"), [("random", False), ("plain", False), ("plain", True)])
def test_the_judge_comes_to_the_same_end(level: str, flowers: bool) -> None:
    ends: Counter[str] = Counter()
    for seed in range(25):
        wall = make_wall(seed, 1, PLAIN.with_flowers(flowers), own=True)
        place = RoundPosition(1 + seed % 4, 0, 0, (0, 1, 2, 3))
        table = play_hand(MCR, wall, [level] * 4, round=place.round_wind, seed=seed)
        ends[judged(table, place).action] += 1
    assert ends["HUANG"]
    assert set(ends) <= {"HU", "HUANG"}


def judged(table: Table, place: RoundPosition) -> Judge:
    """Run a finished hand before the judge, and see that every request and the end are the same."""
    match = Match(MCR, ("a", "b", "c", "d"), 4, first=place)
    lines: list[str] = []
    log = LogWriter(match, lines.append, own_walls=True)
    log.hand(1, place, table)
    assert table.ending is not None
    played = match.add_hand(table.ending)
    log.result(played.hands[-1].settlement, played.totals, table.ending)
    log.end()
    record = to_botzone(read_log(lines, unfinished=True))
    judge = Judge(record["initdata"]["walltiles"].split(), record["initdata"]["quan"])
    entries = record["logs"]
    for asked, answered in zip(entries[:-1:2], entries[1::2], strict=True):
        requests = [asked["output"]["content"][str(seat)] for seat in range(4)]
        assert list(map(_sorted_flowers, requests)) == list(map(_sorted_flowers, judge.requests))
        on = judge.step({seat: (one["verdict"], one["response"]) for seat, one in
                         ((int(key), value) for key, value in answered.items())})  # fmt: skip
        if not on:
            break
    assert list(entries[-1]["output"]["content"].values()) == judge.scores
    assert [win.points for win in table.ending.winners] == [judge.fan] * (judge.action == "HU")
    return judge


def _sorted_flowers(request: str) -> str:
    """A request with the flowers of the deal sorted: our table sets them aside in another order."""
    words = request.split()
    return " ".join([*words[:18], *sorted(words[18:])] if words[0] == "1" else words)


def test_plans_of_own_walls_leave_nothing_out() -> None:
    for size in (108, 136, 144):
        plan = WallPlan.of(play_rules(book("yuque-54")).table, size, own=True)
        assert plan.dead == 0
        assert plan.piles() == [size // 4 - 13] * 4
        assert [plan.dealt_places(seat)[0] for seat in range(4)] == [size // 4 * seat for seat in range(4)]
