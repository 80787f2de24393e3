"""A table that continues from a position of a replay: the part of the log it starts with, built in another process."""

from __future__ import annotations

import json
from typing import Any

from quepu.errors import Error
from quepu.match.frames import frame_at, steps_at
from quepu.match.log import LogWriter
from quepu.match.match import Match
from quepu.match.starts import StartError, start_in
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.replays.review_worker import Source, counts, load_replay
from quepu.table.sampling import can_sample, sample_table
from quepu.tiles import WINDS

_MOST_ROUNDS = 16
"""The most rounds of a match in a room."""


def beginning(source: Source, at: int, seat: str, redealt: bool, seed: int) -> dict[str, Any]:
    """Return the start of a new table as plain data: the lines of a log that ends at frame `at` of a match.

    `redealt`: tiles unseen by `seat` are dealt again at random. If only other seats are to answer, which that seat
    cannot know, the next position it knows is used.

    Raises:
        Error: the frame does not exist, its hand is over, or it cannot be continued.
    """
    replay = load_replay(source)
    number, frame = _hand_of(counts(replay), at)
    hand = replay.hands[number - 1]
    if hand.problem is not None:
        raise StartError(
            "这一局照今天的程序重演不出来，不能接着打。",
            "today's program cannot replay this hand, so play cannot continue from it.",
        )
    rules, house = _names_of(replay.book, source.house)
    steps = steps_at(hand, frame)
    assert steps is not None  # noqa: S101  # the picture was counted
    table, place, _ = start_in(replay, number, steps)
    if redealt:
        while not can_sample(table, WINDS.index(seat)):
            steps += 1
            table, place, _ = start_in(replay, number, steps)
        table = sample_table(table, WINDS.index(seat), seed)
    lines: list[str] = []
    match = Match(replay.book, first=place)
    LogWriter(match, lines.append, own_walls=table.wall.own).hand(1, place, table)
    return {
        "lines": lines,
        "rules": rules,
        "house": house,
        "rounds": min(_MOST_ROUNDS, replay.match.rounds or match.rules.match.rounds),
        "flowers": len(table.wall.tiles) > len(match.rules.table.tiles.with_flowers(False).tiles),
        "place": place.seats[WINDS.index(seat)],
        "hand": number,
        "steps": steps,
        "at": at - frame + frame_at(hand, steps),
    }


def _hand_of(pictures: list[int], at: int) -> tuple[int, int]:
    """Return the hand (from 1) of a frame of a match, and the frame's number in that hand."""
    for number, count in enumerate(pictures, 1):
        if at < count:
            return number, at
        at -= count
    raise StartError("牌谱里没有这一步。", "the replay has no such position.")


def _names_of(book: Rulebook, house: str) -> tuple[str, str]:
    """Return rules and house rules from which a log's book can be rebuilt for a table.

    Raises:
        StartError: it can no longer be rebuilt.
    """
    tried = [("", house), (book.id, "")] if house.strip() else [(book.id, "")]
    if book.chosen:
        options = "\n".join(f"{key} = {json.dumps(choice)}" for key, choice in book.chosen.items())
        tried.append((book.id, f'base = "{book.id}"\n[options]\n{options}\n'))
    for rules, text in tried:
        try:
            made = book_of(rules, text)
        except Error:
            continue
        if made.fingerprint == book.fingerprint:
            return rules or book.id, text
    raise StartError("这份牌谱的规则现在开不了桌。", "a table can no longer be opened under the rules of this replay.")
