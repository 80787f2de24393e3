"""Duplicate as the Mahjong International League holds it: every table plays the same hands with own walls on trays.

A tray has rows of 13, 11 and 10 tiles: the hand as dealt, then the own wall in the order of drawing, replacements for
kongs included. Each seat is compared with the average of its hand and seat at all tables; the difference becomes IMPs.
For teams, the points of a team's members in a hand are added first.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

from quepu.errors import Error, Text, many
from quepu.folding import natural_order
from quepu.hands.drawing import tiles_html
from quepu.table.mixed_wall import NO_SALTS, mix_wall
from quepu.table.wall import Wall
from quepu.tiles import PLAIN, WINDS, WINDS_CHINESE
from quepu.tournament.walls import wall_file

ROWS = (13, 11, 10)
IMPS = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
        750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000)  # fmt: skip
"""The least difference for 1, 2, 3 … IMPs: the table of bridge (Laws of Duplicate Bridge 2017, 78B)."""


class DuplicateError(Error):
    """Results or a table of IMPs that cannot be used; the sentence says where and why."""


class Result(NamedTuple):
    """The points of a player in a hand at a table."""

    hand: int
    table: str
    seat: int
    name: str
    points: int
    team: str = ""


class Line(NamedTuple):
    """A line of the standings: IMPs and the sum of differences; equal ones share a rank."""

    rank: int
    name: str
    imps: int
    difference: float
    points: int
    hands: int


def own_walls(secret: str, hands: int) -> list[Wall]:
    """Return the walls of the hands 1, 2 … that follow from a secret: 136 tiles, 34 for each seat."""
    return [mix_wall(number, secret, NO_SALTS, PLAIN, own=True) for number in range(1, hands + 1)]


def own_wall_file(title: str, secret: str, hands: int, number: int = 1) -> dict[str, Any]:
    """Return the file of all walls of a round; `quepu verify` checks it like that of a round with shared walls."""
    return {**wall_file(title, number, secret, hands, PLAIN), "own": True}


def tray(wall: Wall, seat: int) -> list[tuple[int, ...]]:
    """Return the rows of a seat's tray: its hand sorted, then its wall in the order of drawing."""
    tiles, rows = wall.tiles[34 * seat : 34 * seat + 34], []
    for length in ROWS:
        rows.append(tiles[:length])
        tiles = tiles[length:]
    return [tuple(sorted(rows[0])), *rows[1:]]


_STYLE = """
body{font-family:sans-serif;margin:1em}section{break-inside:avoid;border:1px dashed #888;padding:.5em;margin:.5em 0}
h2{font-size:1em;margin:0 0 .3em}p{margin:.2em 0;display:flex;gap:.8em;align-items:center}small{width:8em}
@media print{body{margin:0}}
"""


def slips_page(title: str, walls: Sequence[Wall], lang: str) -> str:
    """Return a page to print: a slip for each hand and seat, by which the trays are filled."""
    labels = [
        Text("配牌 13 张", "hand, 13 tiles"),
        Text("先摸 11 张", "first 11 draws"),
        Text("再摸 10 张", "last 10 draws"),
    ]
    parts = []
    for number, wall in enumerate(walls, 1):
        for seat in range(4):
            head = Text(f"第 {number} 局 {WINDS_CHINESE[seat]}家", f"hand {number}, {_SEATS[seat]}").say(lang)
            rows = "".join(
                f"<p><small>{label.say(lang)}</small>{tiles_html(row)}</p>"
                for label, row in zip(labels, tray(wall, seat), strict=True)
            )
            parts.append(f"<section><h2>{escape(title)} · {head}</h2>{rows}</section>")
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


_SEATS = ("East", "South", "West", "North")
_SEAT_OF = {name: seat for names in (WINDS, WINDS_CHINESE, _SEATS) for seat, name in enumerate(names)}
_COLUMNS = ("hand", "table", "seat", "name", "points")


def read_results(text: str) -> list[Result]:
    """Read results from CSV with the columns hand, table, seat, name, points, and team if there are teams.

    Raises:
        DuplicateError: a line is not a result, a table lacks a seat, or a hand was played once only; with the line.
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    try:
        heads = rows.fieldnames or ()
    except csv.Error:
        heads = ()
    missing = [name for name in _COLUMNS if name not in heads]
    if missing:
        raise DuplicateError(
            f"第一行应有 {', '.join(_COLUMNS)}（队际赛再加 team），缺 {', '.join(missing)}。",
            f"the first line must name {', '.join(_COLUMNS)} (and team for teams); missing: {', '.join(missing)}.",
        )
    found: list[Result] = []
    lines: dict[tuple[int, str, int], int] = {}
    for line, row in _numbered(rows):
        cells = {name: (row.get(name) or "").strip() for name in (*_COLUMNS, "team")}
        seat, hand, points = _SEAT_OF.get(cells["seat"]), _whole(cells["hand"]), _whole(cells["points"])
        if seat is None or hand is None or hand < 1 or points is None or not cells["name"] or not cells["table"]:
            raise DuplicateError(
                f"第 {line} 行不是成绩：局号、桌号、座位（E S W N）、名字、得分。",
                f"line {line} is not a result: hand, table, seat (E S W N), name, points.",
            )
        place = hand, cells["table"], seat
        if place in lines:
            raise DuplicateError(
                f"第 {line} 行与第 {lines[place]} 行是同一局同一桌同一座位。",
                f"line {line} has the hand, table and seat of line {lines[place]}.",
            )
        lines[place] = line
        found.append(Result(hand, cells["table"], seat, cells["name"], points, cells["team"]))
    _check(found)
    return found


def _numbered(rows: csv.DictReader[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with the line it ends in; empty lines count.

    Raises:
        DuplicateError: a line is not CSV.
    """
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as wrong:
        line = rows.reader.line_num  # that of `rows` is set after a line was read
        raise DuplicateError(f"第 {line} 行不是 CSV：{wrong}。", f"line {line} is not CSV: {wrong}.") from None


def _whole(text: str) -> int | None:
    sign, digits = text[:1], text.lstrip("+-")
    whole = digits.isascii() and digits.isdigit() and len(digits) <= 6 and len(text) - len(digits) <= 1
    return (-int(digits) if sign == "-" else int(digits)) if whole else None


def _check(results: Sequence[Result]) -> None:
    """Refuse results with which seats cannot be compared.

    Raises:
        DuplicateError: with the hand.
    """
    if not results:
        raise DuplicateError("没有成绩。", "there are no results.")
    tables: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    names: dict[tuple[int, str], int] = defaultdict(int)
    for one in results:
        tables[one.hand][one.table] += 1
        names[one.hand, one.name] += 1
    for (hand, name), times in names.items():
        if times > 1:
            raise DuplicateError(
                f"第 {hand} 局：{name} 有 {times} 份成绩。", f"hand {hand}: {name} has {times} results."
            )
    for hand, of_hand in tables.items():
        for table, seats in of_hand.items():
            if seats != 4:
                raise DuplicateError(
                    f"第 {hand} 局 {table} 桌只有 {seats} 家。",
                    f"hand {hand}, table {table}: {many(seats, 'seat')} of four.",
                )
        if len(of_hand) < 2:
            raise DuplicateError(
                f"第 {hand} 局只有一桌，没有可比的。", f"hand {hand} was played at one table only: nothing to compare."
            )


def read_imps(text: str) -> tuple[int, ...]:
    """Read a table of IMPs from TOML: `least = [20, 50, …]`, the least difference for 1, 2, 3 … IMPs.

    Raises:
        DuplicateError: it is not such a table.
    """
    try:
        least = tomllib.loads(text)["least"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        least = None
    whole = isinstance(least, list) and least and all(type(one) is int and one > 0 for one in least)
    if not whole or sorted(set(least)) != least:
        raise DuplicateError(
            "IMP 表应写成 least = [20, 50, …]：得 1、2、3…IMP 的最小差，由小到大。",
            "a table of IMPs is least = [20, 50, …]: the least difference for 1, 2, 3 … IMPs, in ascending order.",
        )
    return tuple(least)


def imps(difference: Fraction, table: Sequence[int] = IMPS) -> int:
    """Return the IMPs of a difference."""
    found = sum(abs(difference) >= least for least in table)
    return found if difference > 0 else -found


def individual(results: Sequence[Result], table: Sequence[int] = IMPS) -> list[Line]:
    """Return the standings of players: each seat against the average of its hand and seat at all tables."""
    of_seat: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in results:
        of_seat[one.hand, one.seat].append(one.points)
    average = {place: Fraction(sum(points), len(points)) for place, points in of_seat.items()}
    return _standings(((one.name, one.points, one.points - average[one.hand, one.seat]) for one in results), table)


def teams(results: Sequence[Result], table: Sequence[int] = IMPS) -> list[Line]:
    """Return the standings of teams: the points of a team's members in a hand against the average of all teams.

    Raises:
        DuplicateError: in some hand a team does not hold each seat once.
    """
    of_team: dict[tuple[int, str], dict[int, int]] = defaultdict(dict)
    for one in results:
        of_team[one.hand, one.team][one.seat] = one.points
    of_hand: dict[int, list[int]] = defaultdict(list)
    counts = Counter((one.hand, one.team) for one in results)
    for (hand, team), seats in of_team.items():
        if not team or len(seats) != 4 or counts[hand, team] != 4:
            raise DuplicateError(
                f"第 {hand} 局：{team or '（没写队名）'} 应在东南西北各有一人。",
                f"hand {hand}: the team {team or '(missing)'} must have one member in each seat.",
            )
        of_hand[hand].append(sum(seats.values()))
    average = {hand: Fraction(sum(points), len(points)) for hand, points in of_hand.items()}
    sums = {(hand, team): sum(seats.values()) for (hand, team), seats in of_team.items()}
    return _standings(((team, points, points - average[hand]) for (hand, team), points in sums.items()), table)


def _standings(rows: Iterable[tuple[str, int, Fraction]], table: Sequence[int]) -> list[Line]:
    total: dict[str, tuple[int, Fraction, int, int]] = {}
    for name, points, difference in rows:
        before = total.get(name, (0, Fraction(), 0, 0))
        total[name] = before[0] + imps(difference, table), before[1] + difference, before[2] + points, before[3] + 1
    keys = sorted((one[:2] for one in total.values()), reverse=True)
    lines = [Line(keys.index(one[:2]) + 1, name, one[0], float(one[1]), one[2], one[3]) for name, one in total.items()]
    return sorted(lines, key=lambda line: (line.rank, natural_order(line.name)))
