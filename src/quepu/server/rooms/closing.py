"""The end of a hand as sent to everyone: the score and its reasons, payments, open tiles, and what follows."""

from __future__ import annotations

from typing import Any

from quepu.errors import Text
from quepu.match.match import Match
from quepu.match.settle import Settlement
from quepu.match.words import announcements, place_name
from quepu.rules.measured_figures import figures, top_tenth
from quepu.scoring.score import Score
from quepu.server.payments import end_of_hand
from quepu.server.rooms.messages import Message
from quepu.table import Table
from quepu.table.events import HandShown
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS


def over(
    table: Table, before: Match, after: Match, settled: Settlement, reveal: dict[str, Any], *, shows: bool
) -> Message:
    """Return the message for the end of the hand of `table`; `reveal` is its wall and its secrets.

    With `shows`, all four hands are revealed (the wall tells them anyway), else those that the book shows.

    Seats go E S W N. `ready` are the values of the hands beside the winner's, in books that pay every ready
    hand, and `announced` the sentences about them (报番).
    """
    ending, place = table.ending, before.place
    assert ending is not None  # noqa: S101  # called only then
    first = ending.first
    score = None if first is None else first.score
    shown = {WINDS[event.seat]: event.tiles for event in table.events if isinstance(event, HandShown)}
    if shows:
        shown = {WINDS[seat]: tuple(table.view(seat).tiles) for seat in range(4)} | shown
    message: dict[str, Any] = end_of_hand(ending, settled, table.book, table.board.melds) | {
        "great": None if score is None or (fan := great_fan(score)) is None else fan._asdict(),
        "place": place_name(place, before.rules.words)._asdict(),
        "seats": [before.names[player] for player in place.seats],
        "supplied": [0] * 4 if first is None else list(first.supplied),
        "ready": list(ending.ready) if before.rules.ready_value is not None else None,
        "announced": [
            {"seat": WINDS[one.seat], "text": one.text._asdict()}
            for one in announcements(ending, table.ready_hands(), before.rules)
        ],
        "hands": {wind: [TILE_NAMES[kind] for kind in tiles] for wind, tiles in shown.items()},
        "board": table.board.to_json(),
        "zero_sum": before.rules.zero_sum,
        "standings": [standing._asdict() for standing in after.standings()],
        "next": None if after.over else place_name(after.place, after.rules.words)._asdict(),
        "match_over": after.over,
        "reveal": reveal,
    }
    return {"over": message}


def great_fan(score: Score) -> Text | None:
    """Return the fan that names a great hand: the one whose cheapest hand is worth most; None for an ordinary hand.

    A hand is great if it is among the book's highest tenth of usual wins (`quepu.arena.usual`).
    """
    book = score.book
    least = top_tenth(book)
    if least is None or score.total - book.flower_value * score.hand.flower_count < least or not score.fans:
        return None
    cheapest = {name: figure.least or 0 for name, figure in figures(book).items()}
    best = max(score.fans, key=lambda line: (cheapest.get(line.name, 0), sum(line.value.values())))
    return Text(best.name.partition(":")[0], book.fan(best.name).english)
