"""`quepu simulate`: run bots against bots and count results."""

from __future__ import annotations

import csv as csv_
import importlib.util
import io
import os
import sys
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from quepu.cli import parameters
from quepu.cli.files import report_more, writable, write
from quepu.cli.screen import print_json, prose, show, table
from quepu.cli.texts import Chosen, in_words_of, join_words, say, spoken

if TYPE_CHECKING:
    from quepu.arena import Stats
    from quepu.rules.rulebook import Rulebook


class How(TypedDict):
    """Options for how it is run, and where the figures go."""

    jobs: int
    cluster: str
    resume: str
    csv: str
    json: bool
    own_walls: bool
    all_seatings: bool
    ijcai: bool


@parameters.command(
    "simulate",
    parameters.rules(),
    parameters.text(
        "--bots", "-b", help="opt.bots", metavar="A,B,C,D", default="gain,gain,plain,plain", complete=parameters.bots
    ),
    parameters.number("--hands", "-n", "hands", help="opt.hands.or_walls", default=1000, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.jobs(),
    parameters.flag("--all-seatings", help="opt.all_seatings"),
    parameters.flag("--ijcai", help="opt.ijcai"),
    parameters.flag("--duplicate", "-d", help="opt.duplicate"),
    parameters.with_flowers(),
    parameters.flag("--own-walls", help="opt.own_walls"),
    parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"),
    parameters.text("--resume", help="opt.duel.resume", metavar="FILE"),
    parameters.text("--csv", help="opt.csv", metavar="FILE"),
    parameters.json(),
)
def command(
    rules: str, bots: str, hands: int, seed: int, duplicate: bool, flowers: bool | None, **how: Unpack[How]
) -> int:
    """Simulate."""
    from quepu.arena import Plan, simulate
    from quepu.cli.inputs import bots_of
    from quepu.cli.screen import meter, note_tables

    csv, json = how["csv"], how["json"]
    writable(csv, json=json)
    if duplicate:
        print(say("deprecated.duplicate"), file=sys.stderr)
    every = duplicate or how["all_seatings"]
    plan = Plan(rules, bots_of(bots), hands, seed, every, flowers, how["own_walls"], how["ijcai"])
    if sys.stderr.isatty() and importlib.util.find_spec("numpy") is not None:
        note_tables(plan.book)
    with meter(hands) as advance:
        stats = simulate(
            plan,
            how["jobs"] or os.cpu_count() or 1,
            lambda done, _whole, _stats: advance(done),
            how["cluster"],
            how["resume"] or None,
        )
    report_more(stats.hands // len(plan.seatings(0)), hands)
    if stats.partial and not stats.hands:
        raise KeyboardInterrupt
    data: dict[str, Any] = {
        "rules": plan.book.id,
        "fingerprint": plan.book.fingerprint,
        "seed": seed,
        **stats.to_json(),
    }
    english = {fan.name: fan.english for fan in plan.book.fans}
    if Chosen.lang == "en":
        data["english"] = {name: english.get(name, name) for name in data["fans"]}
    if csv:
        write(_table(data), csv)
    if json:
        print_json(data)
    elif csv != "-":
        _show(stats, data, plan.book)
    return 130 if stats.partial else 0


def _table(data: dict[str, Any]) -> str:
    """Write the players as CSV."""
    file = io.StringIO()
    writer = csv_.DictWriter(file, list(data["players"][0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(data["players"])
    return file.getvalue()


def _show(stats: Stats, data: dict[str, Any], book: Rulebook) -> None:
    from quepu.cli.score_view import fan_name
    from quepu.rules.play_rules import play_rules

    own = in_words_of(play_rules(book).words)
    if stats.partial:
        print(say("sim.partial"), file=sys.stderr)
    heads = ("sim.level", "sim.hands", "sim.wins", "sim.dealt_in", "sim.claims", "sim.points", "sim.net")
    grid = table([say(head, **own) for head in heads], right=[1, 2, 3, 4, 5, 6])
    for player in data["players"]:
        grid.add_row(
            player["level"],
            str(player["hands"]),
            f"{player['win_share']:.1%}",
            f"{player['deal_in_share']:.1%}",
            f"{player['claims_a_hand']:.2f}",
            f"{player['points_a_win']:.1f}",
            f"{player['net_a_hand']:+.2f}" + ("" if (error := player["net_se"]) is None else f" ± {error:.2f}"),
        )
    show(grid)
    lines = [
        say(
            "sim.summary",
            hands=data["hands"],
            drawn=data["drawn_share"],
            points=data["points_a_hand"],
            draws=data["draws_a_hand"],
            unit=spoken(book.unit),
            **own,
        )
    ]
    lines += [say("sim.difference", **line, **own) for line in data["differences"]]
    for line in data.get("standing", ()):
        error = "" if line["se"] is None else f" ± {line['se']:.2f}"
        lines.append(say("sim.standing", **line | {"se": error}))
    common = list(data["fans"].items())[:12]
    wins = max(1, data["hands"] - data["drawn"])
    english = {fan.name: fan.english for fan in book.fans}
    if common:
        listed = (f"{fan_name(name, english.get(name, ''))} {n / wins:.1%}" for name, n in common)
        lines.append(say("sim.fans") + join_words(listed))
    show(prose("\n".join(lines), 0))
