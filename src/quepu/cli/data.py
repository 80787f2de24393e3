"""`quepu data`: write positions with the action taken and the outcome, as training data."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from quepu.cli import parameters
from quepu.cli.files import writable
from quepu.cli.screen import print_json
from quepu.cli.texts import say, spoken
from quepu.errors import HandError, Text


class Played(TypedDict):
    """Options for hands that bots play."""

    bots: str
    hands: int
    seed: int
    jobs: int
    flowers: bool | None


_ENCODINGS = ("counts", "planes", "tokens")
_TABLES = ("matches", "hands", "decisions", "discards")


@parameters.command(
    "data",
    parameters.text("--out", "-o", help="opt.data.out", metavar="FILE", default="positions.npz"),
    parameters.rules(),
    parameters.text(
        "--bots", "-b", help="opt.bots", metavar="A,B,C,D", default="plain,plain,plain,plain", complete=parameters.bots
    ),
    parameters.number("--hands", "-n", "hands", help="opt.hands", default=200, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.text("--log", help="opt.data.log", metavar="FILE", many=True),
    parameters.text("--rows", help="opt.data.rows", metavar="NAME", complete=parameters.choices(*_TABLES)),
    parameters.text(
        "--encoding",
        help="opt.data.encoding",
        metavar="NAME",
        default="counts",
        complete=parameters.choices(*_ENCODINGS),
    ),
    parameters.jobs(),
    parameters.with_flowers(),
    parameters.json(),
    needs_click=True,
)
def command(
    out: str, rules: str, log: tuple[str, ...], rows: str, encoding: str, json: bool, **played: Unpack[Played]
) -> int:
    """Write positions."""
    writable(out)
    if rows:
        return _write_rows(rows, out, log, json)
    from quepu.cli.inputs import bots_of, rulebook
    from quepu.cli.screen import meter
    from quepu.rl.data import write_bots, write_logs

    if log:
        given = _list_given()
        for option in ("bots", "hands", "seed", "jobs", "flowers"):
            if option in given:
                typed = "no-flowers" if option == "flowers" and not played["flowers"] else option
                raise HandError(
                    f"--log 读取牌谱，不打牌：不能与 --{typed} 同用。",
                    f"--log reads a log and plays nothing: it cannot be combined with --{typed}.",
                )
        book = rulebook(rules, recorded=True) if "rules" in given else None
        with meter(len(log)) as advance:
            about = write_logs(out, log, encoding, book=book, progress=advance)  # type: ignore[arg-type]  # checked there
    else:
        levels, hands, flowers = bots_of(played["bots"]), played["hands"], played["flowers"]
        with meter(hands) as advance:
            about = write_bots(
                out, rules, levels, hands, played["seed"], encoding,  # type: ignore[arg-type]
                flowers=flowers, jobs=played["jobs"] or os.cpu_count() or 1, progress=advance,
            )  # fmt: skip
    size = os.path.getsize(out)
    stopped = about.get("partial", False)
    lost = [(count, spoken(Text(*text))) for text, count in about.pop("lost", ())]
    unread = [(path, spoken(Text(*why))) for path, why in about.pop("unread", ())]
    if json:
        listed: dict[str, Any] = {"unread": [{"path": path, "why": why} for path, why in unread]} if log else {}
        listed |= {"lost": [{"files": count, "text": text} for count, text in lost]} if log else {}
        print_json({"file": out, "bytes": size, **about, **listed})
    else:
        if stopped:
            print(say("data.partial"), file=sys.stderr)
        print(say("data.written", file=out, size=size / (1 << 20), **about))
        if about.get("left_out"):
            print(say("data.left_out", n=about["left_out"]))
        for count, text in lost:
            print(say("data.lost", count=count, text=text))
        for path, why in unread[:10]:
            print(say("stats.unread", path=path, why=why))
    return 130 if stopped else 0


def _play(out: str, given: set[str]) -> tuple[str, ...]:
    """Play matches between bots; return their logs, which stay in a folder beside the table for its examples."""
    from quepu.cli.inputs import bots_of
    from quepu.explorer.rows import write_matches

    params = click.get_current_context().params
    if not {"bots", "hands"} & given:
        raise HandError(
            "--rows discards 取自牌谱（--log），或由机器人打出来（--bots、--hands）。",
            "--rows discards reads logs (--log), or lets bots play (--bots, --hands).",
        )
    _refuse_other_ending(out)
    folder = Path(out).with_suffix(".logs")
    written = write_matches(folder, params["rules"], bots_of(params["bots"]), params["hands"], params["seed"])
    return tuple(map(str, written))  # logs of another run in that folder are no part of this table


def _write_rows(rows: str, out: str, log: tuple[str, ...], json: bool) -> int:
    """Write a table of matches, hands or decisions of logs."""
    from quepu import logs
    from quepu.cli.files import write
    from quepu.cli.inputs import rulebook
    from quepu.cli.screen import meter
    from quepu.explorer.rows import discards
    from quepu.spreadsheets import render

    given = _list_given()
    if rows not in _TABLES:
        listed = ", ".join(_TABLES)
        raise HandError(f"--rows 是 {listed}，不是“{rows}”。", f"--rows is one of {listed}, not {rows!r}.")
    if rows == "discards" and not log:
        log = _play(out, given)
        given -= {"bots", "hands", "seed"}
    if not log:
        raise HandError("--rows 取自牌谱，请用 --log 给出。", "--rows reads logs: name them with --log.")
    for option in ("bots", "hands", "seed", "flowers", "encoding"):
        if option in given:
            raise HandError(f"--rows 不能与 --{option} 同用。", f"--rows cannot be combined with --{option}.")
    _refuse_other_ending(out)
    book = rulebook(click.get_current_context().params["rules"], recorded=True) if "rules" in given else None
    tables = {"matches": logs.matches, "hands": logs.hands, "decisions": logs.decisions, "discards": discards}
    read = tables[rows]
    paths = logs.find_files(log)
    jobs = click.get_current_context().params["jobs"] if "jobs" in given else 0
    with meter(len(paths)) as advance:
        table = read(paths, rules=book, jobs=jobs, progress=advance)
        if out.endswith(".parquet"):
            number = table.to_parquet(out)
        else:
            listed_rows = [[_cell(value) for value in row.values()] for row in table]
            table.refuse_all_unread()
            write(render([list(table.columns), *listed_rows]), out)
            number = len(listed_rows)
    unread = [(one.path, spoken(one.why)) for one in table.unread]
    if json:
        skipped = [{"path": path, "why": why} for path, why in unread]
        print_json({"file": out, "bytes": os.path.getsize(out), "rows": number, "unread": skipped})
        return 0
    print(say("data.rows", file=out, rows=number, files=len(paths) - len(unread)))
    for path, why in unread[:10]:
        print(say("stats.unread", path=path, why=why))
    return 0


def _refuse_other_ending(out: str) -> None:
    if not out.endswith((".csv", ".parquet")):
        raise HandError("--rows 写 .csv 或 .parquet。", "--rows writes .csv or .parquet.")


def _cell(value: Any) -> Any:
    """Return a value as a cell of a spreadsheet: a list as its entries with spaces between them."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _list_given() -> set[str]:
    """Return the options that were given explicitly."""
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    return {name for name in context.params if context.get_parameter_source(name) is not default}
