"""`quepu seating`: the seats in every round of a tournament."""

from __future__ import annotations

import csv as tables_of_text
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quepu.cli import parameters
from quepu.cli.files import writable, write
from quepu.cli.inputs import natural
from quepu.cli.screen import print_json, prose, show, table
from quepu.cli.texts import join_words, pick, say
from quepu.errors import HandError, cannot_read
from quepu.spreadsheets import read_cells
from quepu.tiles import WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.tournament import Quality, Schedule


@parameters.command(
    "seating",
    parameters.argument("players", "arg.players", default=None),
    parameters.number("--rounds", "-n", help="opt.seating.rounds", default=4, least=1, most=30),
    click.Option(["--odd"], help=say("opt.odd"), type=click.Choice(["rest", "three"]), default="rest"),
    parameters.text("--absent", help="opt.absent", metavar="NAME:ROUNDS", many=True),
    parameters.number("--seed", help="opt.seating.seed", default=0, least=0),
    parameters.text("--csv", help="opt.csv.seating", metavar="FILE"),
    parameters.json(),
)
def command(players: str, rounds: int, odd: str, absent: tuple[str, ...], seed: int, csv: str, json: bool) -> int:
    """Seating."""
    from quepu.tournament import make_schedule

    writable(csv, json=json)
    names, teams = _players(players)
    away: dict[str, set[int]] = {}
    for word in absent:
        name, numbers = _absence(word, names)
        away.setdefault(name, set()).update(numbers)
    made = make_schedule(names, rounds, odd="three" if odd == "three" else "rest", teams=teams, absent=away, seed=seed)
    if csv:
        write(_rows(made), csv)
    if json:
        print_json(_to_data(made))
    elif not csv:
        _show(made)
    return 0


def _players(given: str) -> tuple[list[str], dict[str, str]]:
    """Return names and teams from a file with one per line ("name" or "name,team"), or numbered players."""
    count = natural(given)
    if count is not None and not Path(given).exists():
        return [str(i) for i in range(1, count + 1)], {}
    try:
        text = Path(given).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise cannot_read(given, error) from None
    except UnicodeDecodeError:
        raise HandError(f"{given} 不是 UTF-8 文本。", f"{given} is not UTF-8 text.") from None
    rows = [row for row in map(read_cells, text.splitlines()) if any(row)]
    return [row[0] for row in rows], {row[0]: row[1] for row in rows if len(row) > 1 and row[1]}


def _absence(word: str, names: list[str]) -> tuple[str, set[int]]:
    name, _, rounds = word.rpartition(":")
    numbers = [natural(part) for part in rounds.split(",")]
    if not name or None in numbers:
        raise HandError(
            f"缺席写成 名字:轮次，如 张三:1,2，不是 {word}。", f"an absence is NAME:SESSIONS, as in Li:1,2, not {word}."
        )
    if name not in names:
        raise HandError(f"名单里没有“{name}”。", f"{name!r} is not among the players.")
    return name, {number for number in numbers if number is not None}


def _show(made: Schedule) -> None:
    for at, one in enumerate(made.rounds, 1):
        grid = table([say("seating.table"), *pick(WINDS_CHINESE, WINDS)], right=(0,))
        for number, four in enumerate(one.tables, 1):
            grid.add_row(str(number), *(name or "—" for name in four))
        show(say("seating.round", n=at), grid)
        if one.resting:
            show(say("seating.resting", names=join_words(one.resting)))
    show(prose(_words(made.quality), 0))


def _words(quality: Quality) -> str:
    """Describe in a line how even the schedule is."""
    parts = [
        say("seating.repeats", n=quality.repeats, most=quality.most_meetings)
        if quality.repeats
        else say("seating.none"),
        say("seating.seats", n=quality.seats),
    ]
    if quality.repeats and quality.unavoidable:
        parts.insert(1, say("seating.unavoidable", n=quality.unavoidable))
    if quality.met_teammates:
        parts.append(say("seating.teammates", n=quality.met_teammates))
    if quality.rests[1]:
        parts.append(say("seating.rests", least=quality.rests[0], most=quality.rests[1]))
    return say("seating.comma").join(parts) + say("seating.stop")


def _rows(made: Schedule) -> str:
    """Write one line per table: round, table, the four names."""
    out = io.StringIO()
    writer = tables_of_text.writer(out, lineterminator="\n")
    writer.writerow(["round", "table", "east", "south", "west", "north"])
    for at, one in enumerate(made.rounds, 1):
        for number, four in enumerate(one.tables, 1):
            writer.writerow([at, number, *(name or "" for name in four)])
        writer.writerows([at, "", name, "", "", ""] for name in one.resting)
    return out.getvalue()


def _to_data(made: Schedule) -> dict[str, Any]:
    return {"rounds": [one._asdict() for one in made.rounds], "quality": made.quality._asdict()}
