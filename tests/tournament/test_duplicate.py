"""Duplicate at real tables: trays of 13, 11 and 10 tiles, each seat against its average, IMPs, players and teams."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from quepu.tiles import PLAIN
from quepu.tournament.duplicate import (
    IMPS,
    DuplicateError,
    Result,
    imps,
    individual,
    own_walls,
    read_imps,
    read_results,
    slips_page,
    teams,
    tray,
)
from tests.cli.run import outside

SECRET = "ab" * 32


def evening(hands: int = 4, tables: int = 4, seed: int = 1) -> list[Result]:
    """Sixteen players in four teams: the member in seat s of team t sits at table (t + s + hand) mod 4."""
    rng, found = random.Random(seed), []
    for hand in range(1, hands + 1):
        for table in range(tables):
            a, b, c = (rng.randint(-40, 60) for _ in range(3))
            for seat, points in enumerate((a, b, c, -a - b - c)):
                team = (table - seat - hand) % tables
                found.append(Result(hand, str(table + 1), seat, f"{'ABCD'[team]}{seat}", points, "ABCD"[team]))
    return found


def as_csv(results: list[Result]) -> str:
    lines = [f"{r.hand},{r.table},{'ESWN'[r.seat]},{r.name},{r.points},{r.team}" for r in results]
    return "\n".join(["hand,table,seat,name,points,team", *lines]) + "\n"


def test_trays_have_every_tile_once_and_follow_the_own_walls() -> None:
    for wall in own_walls(SECRET, 3):
        assert wall.own
        rows = [tray(wall, seat) for seat in range(4)]
        assert [[len(row) for row in four] for four in rows] == [[13, 11, 10]] * 4
        assert Counter(kind for four in rows for row in four for kind in row) == Counter(PLAIN.tiles)
        for seat, (dealt, first, last) in enumerate(rows):
            assert list(dealt) == sorted(wall.tiles[34 * seat : 34 * seat + 13])
            assert (*first, *last) == wall.tiles[34 * seat + 13 : 34 * seat + 34]
    assert own_walls(SECRET, 3)[:2] == own_walls(SECRET, 2)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_page_has_a_slip_for_each_hand_and_seat(lang: str) -> None:
    page = slips_page("A & B", own_walls(SECRET, 2), lang)
    assert page.count("<section>") == 8 and page.count("<svg") == 2 * 136
    assert "A &amp; B" in page and ("第 2 局 北家" if lang == "zh" else "hand 2, North") in page


def test_imps_go_by_the_table_on_both_sides_of_each_limit() -> None:
    for number, least in enumerate(IMPS, 1):
        assert imps(Fraction(least)) == number == -imps(Fraction(-least))
        assert imps(Fraction(4 * least - 1, 4)) == number - 1
    assert imps(Fraction(0)) == 0 and imps(Fraction(10**6)) == 24
    own = read_imps("least = [5, 10]")
    assert [imps(Fraction(one), own) for one in (4, 5, 9, 10, -10)] == [0, 1, 1, 2, -2]


def test_each_seat_is_compared_with_its_average() -> None:
    # one hand at two tables: East won 50 and lost 10, an average of 20
    points = {"1": (50, -20, -20, -10), "2": (-10, 30, -10, -10)}
    results = [Result(1, t, seat, f"{t}{seat}", net) for t, four in points.items() for seat, net in enumerate(four)]
    lines = {line.name: line for line in individual(results)}
    assert (lines["10"].difference, lines["10"].imps) == (30, 1)
    assert (lines["20"].difference, lines["20"].imps) == (-30, -1)
    assert (lines["11"].difference, lines["21"].imps) == (-25, 1)
    assert (lines["13"].difference, lines["13"].imps, lines["13"].rank) == (0, 0, lines["23"].rank)
    assert [line.rank for line in individual(results)] == [1, 2, 3, 4, 4, 6, 7, 8]


def test_sums_of_differences_vanish_over_all_players_and_teams() -> None:
    results = evening(8)
    for lines in (individual(results), teams(results)):
        assert abs(sum(line.difference for line in lines)) < 1e-9
        assert all(line.hands == 8 for line in lines)
        keys = [(-line.imps, -line.difference) for line in lines]
        assert keys == sorted(keys)
    by_hand = {
        team: sum(
            imps(Fraction(4 * own - everyone, 4))
            for hand in range(1, 9)
            for own in [sum(r.points for r in results if (r.hand, r.team) == (hand, team))]
            for everyone in [sum(r.points for r in results if r.hand == hand)]
        )
        for team in "ABCD"
    }
    assert {line.name: line.imps for line in teams(results)} == by_hand


def test_an_evening_of_sixteen_goes_from_deal_to_standings(tmp_path: Path) -> None:
    slips, walls, results = (str(tmp_path / name) for name in ("slips.html", "walls.json", "results.csv"))
    dealt = outside("duplicate", "deal", "-n", "4", "--slips", slips, "--walls", walls, "--secret", SECRET)
    assert dealt.code == 0
    made = json.loads(Path(walls).read_text("utf-8"))
    assert made["commitment"] in dealt.out and len(made["walls"]) == 4 and made["own"]
    assert outside("verify", walls).code == 0
    Path(results).write_text(as_csv(evening()), "utf-8-sig")
    for more, count in (((), 16), (("--teams",), 4)):
        data = outside("duplicate", "score", results, *more, "--json").json
        assert len(data) == count and data[0]["rank"] == 1
        table = outside("duplicate", "score", results, *more, "--csv", "-").out
        assert [row["name"] for row in csv.DictReader(io.StringIO(table))] == [row["name"] for row in data]
        for lang in ("zh", "en"):
            assert outside("duplicate", "score", results, *more, "--lang", lang).out.count("\n") >= count + 2


GOOD = as_csv(evening(1))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "missing"),
        ("hand,table,seat,name\n", "points"),
        ("hand,table,seat,name,points\n", "no results"),
        (GOOD.replace("1,1,E", "1,1,Q", 1), "line 2"),
        (GOOD.replace("1,1,E", "x,1,E", 1), "line 2"),
        (GOOD.replace("1,1,E", "0,1,E", 1), "line 2"),
        (GOOD + "1,1,E,Z9,5,A\n", "line 18 has the hand, table and seat of line 2"),
        (GOOD + "2,1,E,Z9,9e9,A\n", "line 18"),
        (GOOD.rsplit("\n", 2)[0], "3 seats"),
        (GOOD.replace(",1,S,", ",1,东,"), "line 3 has"),
        ("\n".join(GOOD.splitlines()[:5]), "one table only"),
        (GOOD.replace(GOOD.splitlines()[1].split(",")[3], GOOD.splitlines()[2].split(",")[3]), "2 results"),
    ],
)
def test_results_that_cannot_be_compared_are_refused_with_their_line(text: str, sentence: str) -> None:
    with pytest.raises(DuplicateError) as refused:
        read_results(text)
    assert sentence in refused.value.text.en


def test_teams_hold_every_seat_once() -> None:
    results = evening(1)
    for wrong in (
        [r._replace(team="") if r.name == "A0" else r for r in results],
        [r._replace(team="B") if r.name == "A0" else r for r in results],
    ):
        with pytest.raises(DuplicateError, match=r"队|team|应在"):
            teams(wrong)


@pytest.mark.parametrize("text", ["", "least = 5", "least = []", "least = [5, 5]", "least = [10, 5]", "least = [0, 5]",
                                  "least = [1.5]", "least = [true]", "x"])  # fmt: skip
def test_a_table_of_imps_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(DuplicateError, match="least"):
        read_imps(text)


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    for words in (("deal",), ("score",), ("shuffle",), ("deal", "x"), ("score", str(tmp_path / "none.csv")),
                  ("deal", "--slips", str(tmp_path / "s.html"), "--secret", "12")):  # fmt: skip
        done = outside("duplicate", *words, "--lang", "en")
        assert done.code == 2 and done.err.count("\n") == 1, words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hand,table,seat,name,points\n\n\n1,1,Q,A,3\n", "line 4 is not a result"),
        ("hand,table,seat,name,points\n1,1,E," + "A" * 200_000 + ",3\n", "line 2 is not CSV"),
        ("h" * 200_000 + "\n1,1,E,A,3\n", "the first line must name"),
    ],
)
def test_a_line_is_named_as_an_editor_counts_it(text: str, sentence: str) -> None:
    with pytest.raises(DuplicateError) as refused:
        read_results(text)
    assert refused.value.text.en.startswith(sentence)


def test_walls_are_not_written_over_others_or_over_the_slips(tmp_path: Path) -> None:
    walls, slips = str(tmp_path / "w.json"), str(tmp_path / "s.html")
    assert outside("duplicate", "deal", "--slips", slips, "--walls", slips).code == 2
    assert not Path(slips).exists()
    assert outside("duplicate", "deal", "-n", "1", "--walls", walls).code == 0
    before = Path(walls).read_bytes()
    done = outside("duplicate", "deal", "-n", "1", "--slips", slips, "--walls", walls, "--lang", "en")
    assert done.code == 2 and f"{walls} exists" in done.err
    assert Path(walls).read_bytes() == before and not Path(slips).exists()
