"""Mistakes for `quepu stats --mistakes`: review every log, and print the results."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quepu.cli.screen import meter, show, table
from quepu.cli.texts import Chosen, say

if TYPE_CHECKING:
    from quepu.figures.mistakes import Mistakes
    from quepu.scorekeeper.roster import Roster


def review_files(paths: list[Path], roster: Roster, player: str, jobs: int) -> dict[str, dict[str, Mistakes]]:
    """Review files and return everyone's mistakes, or one player's (an id), by book and by id.

    Files that are not logs of tiles are left out.
    """
    from quepu.figures.mistakes import merge_mistakes

    found, one_file = [], partial(review_file, roster=roster, player=player)
    with meter(len(paths)) as advance:
        if jobs == 1 or len(paths) < 2:
            for n, path in enumerate(paths, 1):
                found.append(one_file(path))
                advance(n)
        else:
            with ProcessPoolExecutor(jobs) as pool:
                for n, one in enumerate(pool.map(one_file, paths), 1):
                    found.append(one)
                    advance(n)
    books = sorted({book for book, _ in found if book})
    return {book: merge_mistakes(one for other, one in found if other == book) for book in books}


def review_file(path: Path, roster: Roster, player: str = "") -> tuple[str, dict[str, Mistakes]]:
    """Review one file: figures by id, and its book; empty for a file that is not a log with tiles."""
    from quepu.errors import Error
    from quepu.figures.log_figures import distinct_names
    from quepu.figures.mistakes import of_reviews
    from quepu.match.imports import read_any
    from quepu.match.reader import MALFORMED
    from quepu.review import review_hand

    try:
        replay = read_any(path.read_text("utf-8-sig")).replay
    except (Error, OSError, UnicodeDecodeError, *MALFORMED):
        return "", {}
    names = {hand.number: distinct_names(hand.names) for hand in replay.hands}
    seated = roster.at_table(list(dict.fromkeys(name for four in names.values() for name in four)), path.name, {})
    ids = {number: [seated[name] for name in four] for number, four in names.items()}
    hands = []
    for hand in replay.hands:
        if not player or player in ids[hand.number]:
            only = hand.place.seats.index(ids[hand.number].index(player)) if player else None
            hands.append(review_hand(hand, replay.book, only))
    if not hands:
        return "", {}
    found = of_reviews(ids, hands, at=path.name, when=path.stat().st_mtime)
    book = replay.book.id.partition("@")[0]
    return book, {id: one for id, one in found.items() if player in ("", id)}


def show_mistakes(names: Mapping[str, str], book: str, found: dict[str, Mistakes]) -> None:
    """Print the mistakes under one book, player by player; `names` are by id."""
    from quepu.review import MISTAKES
    from quepu.review.choice_words import points

    for id, name in names.items():
        one = found.get(id)
        if one is None or not one.decisions:
            show(say("stats.no_mistakes", name=name, book=book))
            continue
        shown = one.figures()
        rate, cost = shown["rate"], shown["cost"]
        show(
            say(
                "stats.mistakes", name=name, book=book, matches=shown["matches"], hands=one.hands, n=one.decisions,
                kept=shown["share"], mistakes=one.mistakes, blunders=one.blunders, rate=rate["share"], low=rate["low"],
                high=rate["high"], cost=_interval(cost),
            )
        )  # fmt: skip
        grid = table([say(f"stats.{key}") for key in ("kind", "count", "short", "each")], right=[1, 2, 3])
        for line in shown["kinds"]:
            kind = MISTAKES[line["kind"]].say(Chosen.lang)
            grid.add_row(kind, str(line["count"]), points(line["cost"]), points(line["cost"] / line["count"]))
        show(grid)
        grid = table([say(f"stats.{key}") for key in ("match", "hands", "cost")], right=[1, 2])
        for line in shown["curve"]:
            grid.add_row(line["at"], str(line["hands"]), _interval(line["cost"]))
        show(grid)
        for line in shown["worst"]:
            show(
                say(
                    "stats.worst", at=line["at"], hand=line["hand"], step=line["frame"] + 1,
                    kind=MISTAKES[line["kind"]].say(Chosen.lang), cost=points(line["cost"]),
                    why=line["why"][Chosen.lang],
                )
            )  # fmt: skip


def _interval(cost: dict[str, float | None]) -> str:
    """Write a mean with its interval, if it has one."""
    middle = f"{cost['mean']:.2f}"
    return middle if cost["low"] is None else f"{middle} ({cost['low']:.2f}–{cost['high']:.2f})"
