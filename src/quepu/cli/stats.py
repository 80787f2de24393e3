"""`quepu stats`: figures of players over any set of logs."""

from __future__ import annotations

import csv as tables_of_text
import io
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import options
from quepu.cli.files import writable, write
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import say, spoken
from quepu.errors import HandError, cannot_read

if TYPE_CHECKING:
    from quepu.figures.figures import Figures
    from quepu.figures.logs import MatchFigures, Unreadable
    from quepu.figures.rates import Rate
    from quepu.figures.rating import Rating

_ALONE = 200
"""Files up to which one process reads them all."""
_SHOWN = 50
"""Rows of a table on the screen."""


@options.command(
    "stats",
    options.argument("logs", "arg.logs", default=None),
    options.text("--player", help="opt.player", metavar="NAME"),
    options.jobs(),
    options.text("--csv", help="opt.csv", metavar="FILE"),
    options.json(),
)
def command(logs: str, player: str, jobs: int, csv: str, json: bool) -> int:
    """Figures of players."""
    from quepu.figures.figures import merged
    from quepu.figures.logs import Unreadable, files

    writable(csv)
    folder = Path(logs)
    if not folder.exists():
        raise cannot_read(folder, FileNotFoundError(2, os.strerror(2)))
    found = _read(list(files(folder)), jobs or os.cpu_count() or 1)
    matches = [one for one in found if not isinstance(one, Unreadable)]
    unread = [one for one in found if isinstance(one, Unreadable)]
    if not matches:
        raise HandError("这里没有牌谱。", "there are no logs here.")
    figures = merged(one.players for one in matches)
    if player and player not in figures:
        raise HandError(f"没有“{player}”。", f"nobody is called {player!r}.")
    ratings = _ratings(matches)
    shown = {player: figures[player]} if player else figures
    if csv:
        write(_csv(shown, ratings), csv)
        return 0
    if json:
        print_json(
            {
                "matches": len(matches),
                "players": {name: _plain(one, ratings.get(name)) for name, one in shown.items()},
                "unread": [{"path": one.path, "why": spoken(one.why)} for one in unread],
            }
        )
        return 0
    hands = sum(one.hands for one in figures.values()) // 4
    show(say("stats.files", matches=len(matches), hands=hands, unread=len(unread)))
    _show_players(shown, ratings)
    if player:
        _show_one(figures[player])
    for one in unread[:10]:
        show(say("stats.unread", path=one.path, why=spoken(one.why)))
    return 0


def _read(paths: list[Path], jobs: int) -> list[MatchFigures | Unreadable]:
    from quepu.figures.logs import read

    if jobs < 2 or len(paths) < _ALONE:
        return [read(path) for path in paths]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(read, paths, chunksize=64))


def _ratings(matches: list[MatchFigures]) -> dict[str, Rating]:
    """Ratings in the order of the files' names; none where openskill is not there."""
    from quepu.figures.rating import ratings

    try:
        return ratings(one.totals for one in matches)
    except ImportError:
        return {}


def _plain(one: Figures, rating: Rating | None) -> dict[str, Any]:
    from quepu.figures.rates import mean, rates

    return {
        **one.to_json(),
        "rates": {key: rate._asdict() for key, rate in rates(one).items()},
        "mean": mean(one.total, one.squares, one.hands)._asdict() if one.hands > 1 else None,
        "rating": None if rating is None else rating._asdict(),
    }


def _percent(rate: Rate) -> str:
    return f"{rate.share:.1%} ({rate.low:.0%}–{rate.high:.0%})" if rate.of else "–"


def _row(name: str, one: Figures, rating: Rating | None) -> list[str]:
    from quepu.figures.rates import rates

    shares = rates(one)
    places = sum((i + 1) * count for i, count in enumerate(one.places))
    return [
        name,
        str(one.matches),
        str(one.hands),
        _percent(shares["win"]),
        _percent(shares["self_draw"]),
        _percent(shares["deal_in"]),
        f"{one.won / one.wins:.1f}" if one.wins else "–",
        f"{one.total / one.hands:+.2f}" if one.hands else "–",
        f"{places / one.matches:.2f}" if one.matches else "–",
        f"{one.total:+d}",
        "–" if rating is None else f"{rating.mean:.1f}±{rating.deviation:.1f}",
    ]


_KEYS = ("player", "matches", "hands", "win", "self_draw", "deal_in", "points", "mean", "place", "total", "rating")


def _ordered(figures: dict[str, Figures]) -> list[tuple[str, Figures]]:
    return sorted(figures.items(), key=lambda item: (-item[1].total, item[0]))


def _show_players(figures: dict[str, Figures], ratings: dict[str, Rating]) -> None:
    grid = table([say(f"stats.{key}") for key in _KEYS], right=list(range(1, len(_KEYS))))
    for name, one in _ordered(figures)[:_SHOWN]:
        grid.add_row(*_row(name, one, ratings.get(name)))
    show(grid)


def _show_one(one: Figures) -> None:
    import quepu
    from quepu.errors import Error
    from quepu.rules.measured_figures import figures as exact_figures

    for book, fans in one.fans.items():
        try:
            exact = exact_figures(quepu.book(book))
        except Error:
            exact = {}
        wins = one.read[book]
        grid = table([say(f"stats.{key}") for key in ("fan", "count", "share", "exact")], right=[1, 2, 3])
        for fan, count in sorted(fans.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]:
            share = exact[fan].share if fan in exact else None
            grid.add_row(fan, str(count), f"{count / wins:.1%}", "–" if share is None else f"{share:.2%}")
        show(grid)
    grid = table(
        [say(f"stats.{key}") for key in ("opponent", "matches", "above", "below", "difference")], right=[1, 2, 3, 4]
    )
    for name, (met, above, below, difference) in sorted(one.against.items(), key=lambda item: -item[1][0])[:_SHOWN]:
        grid.add_row(name, str(met), str(above), str(below), f"{difference:+d}")
    show(grid)


def _csv(figures: dict[str, Figures], ratings: dict[str, Rating]) -> str:
    out = io.StringIO()
    writer = tables_of_text.writer(out)
    writer.writerow(
        ["player", "matches", "hands", "wins", "self_draws", "deal_ins", "won", "dealt", "total",
         "first", "second", "third", "fourth", "rating", "deviation"]
    )  # fmt: skip
    for name, one in _ordered(figures):
        rating = ratings.get(name)
        own = ["", ""] if rating is None else [f"{rating.mean:.3f}", f"{rating.deviation:.3f}"]
        safe = f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name
        writer.writerow(
            [safe, one.matches, one.hands, one.wins, one.self_draws, one.deal_ins, one.won, one.dealt, one.total,
             *one.places, *own]
        )  # fmt: skip
    return out.getvalue()
