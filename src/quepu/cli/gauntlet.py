"""`quepu gauntlet`: let every bot meet the fixed anchors on the same walls, and write the standing as one page."""

from __future__ import annotations

import os
from typing import Any

from quepu.cli import parameters
from quepu.cli.files import ending, writable, write
from quepu.cli.screen import meter, print_json, prose, show, table
from quepu.cli.texts import say


@parameters.command(
    "gauntlet",
    parameters.text(
        "--rules", "-r", help="opt.rules", metavar="RULES", default="guobiao-mcr", complete=parameters.books
    ),
    parameters.text("--bots", "-b", help="opt.gauntlet.bots", metavar="A,B,…", complete=parameters.bots),
    parameters.number("--walls", "-n", help="opt.gauntlet.walls", default=20, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.jobs(),
    parameters.text("--resume", help="opt.duel.resume", metavar="FILE"),
    parameters.text("--page", help="opt.gauntlet.page", metavar="FILE.md"),
    parameters.json(),
)
def command(rules: str, bots: str, walls: int, seed: int, jobs: int, resume: str, page: str, json: bool) -> int:
    """Run a gauntlet."""
    from quepu.arena.gauntlet import ENTRANTS, Gauntlet, GauntletRecord, run_gauntlet
    from quepu.cli.inputs import bots_of

    writable(page, json=json)
    if page:
        ending(page, ".md")
    gauntlet = Gauntlet(rules, bots_of(bots) if bots else ENTRANTS, walls, seed)
    stopped = False
    with meter(len(list(GauntletRecord(gauntlet, resume or None).missing()))) as advance:
        try:
            record = run_gauntlet(gauntlet, jobs or os.cpu_count() or 1, resume or None, lambda done, _: advance(done))
        except KeyboardInterrupt:
            if not resume:
                raise
            record, stopped = GauntletRecord(gauntlet, resume), True
    data = record.to_json()
    if page:
        write(_page(data, walls, seed, _sibling(page)), page)
    if json:
        print_json(data)
    elif page != "-":
        _show(data)
    return 130 if stopped else 0


def _heads(data: dict[str, Any]) -> list[str]:
    return [say("sim.level"), say("gauntlet.overall"), *data["anchors"], say("gauntlet.faults")]


def _cells(data: dict[str, Any], row: dict[str, Any]) -> list[str]:
    """Return the figures of a bot: points with half the width of the 95% interval."""
    against = [row["against"].get(anchor) for anchor in data["anchors"]]
    figures = [_figure(found) for found in (row["overall"], *against)]
    return [*figures, str(row["faults"]) if row["faults"] else ""]


def _figure(found: dict[str, Any] | None) -> str:
    if found is None:
        return "—"
    return f"{found['points']:+.2f}" + (
        "" if found["se"] is None else f" ± {(found['high95'] - found['low95']) / 2:.2f}"
    )


def _show(data: dict[str, Any]) -> None:
    grid = table(_heads(data), right=list(range(1, len(data["anchors"]) + 3)))
    for row in data["bots"]:
        grid.add_row(row["bot"], *_cells(data, row))
    show(grid)
    show(prose(say("gauntlet.summary", hands=data["hands"], seconds=data["processor_seconds"]), 0))


def _sibling(page: str) -> str:
    """Return a link to the page in the other language, X.md and X.zh.md, if it is there."""
    name = os.path.basename(page)
    other, called = (
        (f"{name.removesuffix('.zh.md')}.md", "English")
        if name.endswith(".zh.md")
        else (f"{name.removesuffix('.md')}.zh.md", "中文")
    )
    return f"[{called}]({other})" if os.path.exists(os.path.join(os.path.dirname(page), other)) else ""


def _page(data: dict[str, Any], walls: int, seed: int, sibling: str) -> str:
    """Return the standing as Markdown."""
    how = say("gauntlet.how", rules=data["rules"], walls=walls, seed=seed, anchors=", ".join(data["anchors"]))
    counts = say("gauntlet.summary", hands=data["hands"], seconds=data["processor_seconds"])
    heads = _heads(data)
    lines = [
        f"# {say('gauntlet.title')}",
        "",
        *([sibling, ""] if sibling else []),
        how,
        "",
        counts,
        "",
        "| " + " | ".join(heads) + " |",
    ]
    lines.append("|---|" + "---:|" * (len(heads) - 1))
    for row in data["bots"]:
        name = row["bot"].replace("|", "\\|").replace("`", "'")
        lines.append(f"| `{name}` | " + " | ".join(_cells(data, row)) + " |")
    command = (
        f"quepu gauntlet --rules {data['rules']} --walls {walls} --seed {seed} --resume gauntlet.json --page FILE.md"
    )
    lines += ["", say("gauntlet.again"), "", "<!-- not run: it plays for minutes -->", "```sh", command, "```", ""]
    return "\n".join(lines)
