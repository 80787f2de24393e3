"""`quepu stats`: figures of players over any set of logs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.files import writable, write
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import say, spoken
from quepu.errors import HandError, Text, UnknownName, cannot_read, near_names
from quepu.spreadsheets import render

if TYPE_CHECKING:
    from quepu.figures.log_figures import Unreadable
    from quepu.figures.mistakes import Mistakes
    from quepu.scorekeeper.roster import Roster

_SHOWN = 50
"""Rows of a table on the screen."""
_NAMED = 10
"""Players named where one is unknown."""
Json = dict[str, Any]


@parameters.command(
    "stats",
    parameters.argument("logs", "arg.logs", default=None),
    parameters.text("--player", help="opt.player", metavar="NAME"),
    parameters.text("--roster", help="opt.roster", metavar="FILE"),
    parameters.flag("--mistakes", help="opt.mistakes"),
    parameters.number("--jobs", "-j", help="opt.jobs", default=0, least=0, most=256),
    parameters.text("--csv", help="opt.csv", metavar="FILE"),
    parameters.json(),
)
def command(logs: str, player: str, roster: str, mistakes: bool, jobs: int, csv: str, json: bool) -> int:
    """Figures of players."""
    from quepu.cli.stats_mistakes import review_files, show_mistakes
    from quepu.figures import player_report
    from quepu.figures.log_sets import of_files
    from quepu.logs import files

    writable(csv, json=json)
    folder = Path(logs)
    if not folder.exists():
        raise cannot_read(folder, FileNotFoundError(2, os.strerror(2)))
    who_is_who = _roster(roster)
    found = of_files(list(files(folder)), who_is_who, jobs or cpus())
    if not found.matches:
        raise HandError("这里没有牌谱。", "there are no logs here.")
    labels, several = found.labels(who_is_who), found.several()
    shown = [line for one in several for line in player_report.lines(one, labels)]
    own = ""
    if player:
        own = next((id for id, label in labels.items() if player in (id, label)), who_is_who.player(player))
        shown = [line for line in shown if line["id"] == own]
        if not shown:
            raise _unknown_player(player, list(labels.values()))
    if csv:
        write(_csv(shown), csv)
        if not json:
            return 0
    pages = [page for one in several for line in player_report.lines(one, labels)
             if line in shown and (page := player_report.page(one, line["id"], labels))]  # fmt: skip
    reviewed = review_files(list(files(folder)), who_is_who, own, jobs or cpus()) if mistakes else {}
    if json:
        unread = [{"path": one.path, "why": spoken(one.why)} for one in found.unread]
        lost = [{"files": count, "text": spoken(text)} for text, count in found.lost.most_common()]
        if mistakes:
            pages = [one | {"mistakes": _mistakes(one["id"], reviewed)} for one in pages]
        print_json(
            {"matches": len(found.matches), "hands": found.hands, "players": pages, "unread": unread, "lost": lost}
        )
        return 0
    show(say("stats.files", matches=len(found.matches), hands=found.hands, unread=len(found.unread)))
    for one in several:
        those = [line for line in shown if line["book"] == one.book]
        if those:
            _show_players(those, one.book if len(several) > 1 else "")
    for page in pages if own else ():
        _show_one(page)
    for book, found_in in reviewed.items():
        show_mistakes({line["id"]: line["name"] for line in shown}, book, found_in)
    for text, count in found.lost.most_common():
        show(say("stats.lost", count=count, text=spoken(text)))
    _show_unread(found.unread)
    return 0


def _show_unread(unread: Sequence[Unreadable]) -> None:
    """Show each reason for unread files once, with their number."""
    paths: dict[Text, list[str]] = {}
    for one in unread:
        paths.setdefault(one.why, []).append(one.path)
    for why, those in sorted(paths.items(), key=lambda item: -len(item[1])):
        key = "stats.unread" if len(those) == 1 else "stats.unread.several"
        show(say(key, path=those[0], count=len(those), why=spoken(why)))


def _mistakes(id: str, reviewed: dict[str, dict[str, Mistakes]]) -> Json:
    """Return a player's mistakes found by reviews, by book."""
    return {book: found[id].figures() for book, found in reviewed.items() if id in found}


def _unknown_player(player: str, labels: list[str]) -> UnknownName:
    """Build the error for an unknown player, with similar names, or some of those there are."""
    if near := near_names(player, dict(zip(labels, labels, strict=True))):
        zh, en = f"是不是{'、'.join(near)}？", f"did you mean {' or '.join(near)}?"
    else:
        some, more = labels[:_NAMED], len(labels) > _NAMED
        zh, en = f"玩家有：{'、'.join(some)}{'等' * more}。", f"there are: {', '.join(some)}{' …' * more}."
    return UnknownName(f"没有玩家“{player}”，{zh}", f"there is no player {player!r}; {en}")


def cpus() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _roster(path: str) -> Roster:
    from quepu.cli import saved_files
    from quepu.scorekeeper.roster import Roster, fold

    return fold(saved_files.read_roster(Path(path)).changes) if path else Roster()


def _percent(count: int, of: int) -> str:
    from quepu.figures.intervals import rate

    one = rate(count, of)
    return f"{one.share:.1%} ({one.low:.0%}–{one.high:.0%})" if of else "–"


def _row(line: Json) -> list[str]:
    places = sum((i + 1) * count for i, count in enumerate(line["places"]))
    rating = line["rating"]
    return [
        line["name"],
        str(line["matches"]),
        str(line["hands"]),
        _percent(line["wins"], line["hands"]),
        _percent(line["self_draws"], line["wins"]),
        _percent(line["deal_ins"], line["hands"]),
        "–" if line["mean_win"] is None else f"{line['mean_win']:.1f}",
        f"{line['total'] / line['hands']:+.2f}",
        f"{places / line['matches']:.2f}" if line["matches"] else "–",
        f"{line['total']:+d}",
        f"{rating['mean']:.1f}±{rating['deviation']:.1f}" if rating["matches"] else "–",
    ]


_KEYS = ("player", "matches", "hands", "win", "self_draw", "deal_in", "points", "mean", "place", "total", "rating")


def _show_players(lines: list[Json], book: str) -> None:
    if book:
        show("")
        show(book)
    grid = table([say(f"stats.{key}") for key in _KEYS], right=list(range(1, len(_KEYS))))
    for line in lines[:_SHOWN]:
        grid.add_row(*_row(line))
    show(grid)


def _show_one(page: Json) -> None:
    for book in page["fans"]:
        grid = table([say(f"stats.{key}") for key in ("fan", "count", "share", "exact")], right=[1, 2, 3])
        for fan in book["fans"][:_SHOWN]:
            exact = "–" if fan["exact"] is None else f"{fan['exact']:.2%}"
            grid.add_row(fan["name"], str(fan["count"]), f"{fan['count'] / book['wins']:.1%}", exact)
        show(grid)
    columns = ("opponent", "matches", "above", "below", "difference")
    grid = table([say(f"stats.{key}") for key in columns], right=[1, 2, 3, 4])
    for one in page["against"][:_SHOWN]:
        grid.add_row(one["name"], str(one["matches"]), str(one["above"]), str(one["below"]), f"{one['difference']:+d}")
    show(grid)


def _csv(lines: list[Json]) -> str:
    rows: list[list[Any]] = [
        ["player", "matches", "hands", "wins", "self_draws", "deal_ins", "mean_win", "mean_deal_in", "total",
         "first", "second", "third", "fourth", "rating", "deviation", "id", "book"]
    ]  # fmt: skip
    for line in lines:
        name, rating = line["name"], line["rating"]
        own = [round(rating["mean"], 3), round(rating["deviation"], 3)] if rating["matches"] else ["", ""]
        means = ["" if line[key] is None else round(line[key], 3) for key in ("mean_win", "mean_deal_in")]
        counts = [line[key] for key in ("matches", "hands", "wins", "self_draws", "deal_ins")]
        rows.append([name, *counts, *means, line["total"], *line["places"], *own, line["id"], line["book"]])
    return render(rows)
