"""`quepu benchmark`: let programs read a rulebook and choose discards, beside quepu's bots and trivial baselines."""

from __future__ import annotations

import sys
from typing import Any

from quepu.cli import parameters
from quepu.cli.screen import meter, print_json, show, table
from quepu.cli.texts import Chosen, say
from quepu.errors import HandError
from quepu.rulebooks import book as find

_BOOKS = ("lingque-29", "yuque-54")
_NAMES = ("quepu", "sum", "random")


@parameters.command(
    "benchmark",
    parameters.text("--contestant", "-c", "contestants", help="opt.contestant", metavar="NAME", many=True),
    parameters.text("--tasks", help="opt.benchmark.tasks", metavar="A,B", default="read,discard"),
    parameters.text("--rules", "-r", help="opt.benchmark.rules", metavar="RULES", many=True, complete=parameters.books),
    parameters.number("--cases", help="opt.benchmark.cases", default=60, least=1, most=10_000),
    parameters.number("--walls", help="opt.benchmark.walls", default=20, least=1, most=100_000),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.number("--patience", help="opt.benchmark.patience", default=60, least=1, most=3600),
    parameters.text("--out", "-o", help="opt.benchmark.out", metavar="DIR"),
    parameters.json(),
)
def command(
    contestants: tuple[str, ...], tasks: str, rules: tuple[str, ...], patience: int, out: str, json: bool, **sizes: int
) -> int:
    """Run."""
    from quepu.benchmark.contestants import find_entrant
    from quepu.benchmark.questions import Sizes, task_names
    from quepu.benchmark.running import Benchmark

    names = contestants or _NAMES
    if len(set(names)) < len(names):
        raise HandError("同一个参加者写了两次。", "a contestant is named twice.")
    entrants = [find_entrant(name, patience) for name in names]
    made = Benchmark(Sizes(books=rules or _BOOKS, lang=Chosen.lang, **sizes), task_names(tasks), entrants, out)
    stopped = False
    try:
        with meter(made.count()) as advance:
            made.run(advance)
    except KeyboardInterrupt:
        stopped = True
        print(say("benchmark.stopped" if out else "benchmark.lost"), file=sys.stderr)
    report = made.report()
    if json:
        print_json(report)
    else:
        _show(report)
    return 130 if stopped else 0


def _show(report: dict[str, Any]) -> None:
    read = [row for row in report["rows"] if row["task"] == "read"]
    if read:
        heads = [
            "benchmark.contestant", "benchmark.rules", "benchmark.right", "benchmark.interval", "benchmark.unanswered"
        ]  # fmt: skip
        grid = table([say(head) for head in heads], right=[2, 3, 4])
        for row in read:
            interval = f"{100 * row['low']:.0f}–{100 * row['high']:.0f}%"
            cells = [f"{row['cases']}/{row['of']}", interval, str(row["unanswered"])]
            grid.add_row(row["contestant"], row["rules"], *cells)
        show(say("benchmark.read"), grid)
    played = [row for row in report["rows"] if row["task"] == "discard"]
    if played:
        heads = [
            "benchmark.contestant", "benchmark.rules", "benchmark.walls", "benchmark.gain", "benchmark.interval",
            "benchmark.unanswered",
        ]  # fmt: skip
        grid = table([say(head) for head in heads], right=[2, 3, 4, 5])
        for row in played:
            unit = find(row["rules"]).unit.say(Chosen.lang)
            interval = "" if row["low"] is None else f"{row['low']:+.1f} … {row['high']:+.1f}"
            cells = [str(row["walls"]), f"{row['mean']:+.1f} {unit}", interval, f"{row['unanswered']}/{row['asked']}"]
            grid.add_row(row["contestant"], row["rules"], *cells)
        show(say("benchmark.discard", anchor=report["anchor"]), grid)
    for one in report["failures"]:
        why = one["why"][Chosen.lang]
        show(say("benchmark.failed", name=one["contestant"], n=one["count"], why=why))
