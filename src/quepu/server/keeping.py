"""The scorekeeper's arithmetic: from the records of a table to seats, payments, totals and what has to be said.

Records name players, not seats: correcting an early hand may move the dealer, and later hands must still be about the
same people. The seats follow from the records before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import quepu
from quepu.errors import Error, HandError, NotAWin, Text
from quepu.figures import usual
from quepu.hand import Luck
from quepu.match import penalties
from quepu.match.match import Hand, Match
from quepu.match.penalties import Penalty
from quepu.match.seats import Place
from quepu.play_rules import SEATS, Ending, Payment
from quepu.rulebook import Rulebook
from quepu.scoring import Score
from quepu.server.hands_api import book_of
from quepu.server.settling import supplied
from quepu.server.table_messages import HandRecord, PenaltyRecord, Record, TableSpec
from quepu.server.wording import changes, ending_text, penalty_text
from quepu.table.facts import read_fact
from quepu.table.referee import tell
from quepu.tiles import EAST, WINDS, WINDS_CHINESE

_KEYS, _OWN = 15, 5
"""Likely points that are offered, and how many of them may be what this table had lately."""


class KeepingError(Error):
    """A record that cannot be: the sentence says which and why."""


@dataclass(frozen=True)
class Row:
    """A record with what it led to."""

    record: Record
    place: Place
    text: Text
    how: Text | None
    payments: tuple[Payment, ...]
    gains: tuple[int, ...]
    totals: tuple[int, ...]
    pool: int


@dataclass(frozen=True)
class Kept:
    """A table worked out."""

    spec: TableSpec
    match: Match
    rows: tuple[Row, ...]
    news: tuple[Text, ...]


def fold(spec: TableSpec, records: Sequence[Record]) -> Kept:
    """Work a table out from its records.

    Raises:
        Error: some record cannot be; the sentence names its number.
    """
    book = book_of(spec.rules, spec.house)
    names = (spec.names[0], spec.names[1], spec.names[2], spec.names[3])
    match = Match(book, names, spec.rounds, spec.ranked)
    rows: list[Row] = []
    before = match
    for i, record in enumerate(records):
        before = match
        try:
            row, match = _row(match, record)
        except Error as error:
            raise KeepingError(
                f"第 {i + 1} 条记录：{error.text.zh}", f"record {i + 1}: {error.text.en}", error.at
            ) from error
        rows.append(row)
    return Kept(spec, match, tuple(rows), tuple(changes(before, match)) if rows else ())


def _row(match: Match, record: Record) -> tuple[Row, Match]:
    gains: tuple[int, ...]
    flows: tuple[Payment, ...]
    if isinstance(record, HandRecord):
        ending, how = _ending(match, record)
        after = match.played(ending)
        played: Hand = after.hands[-1]
        text = ending_text(match, ending)
        if record.told:
            record = _spelled(match, record, ending)
        flows, gains = played.settlement.payments, played.players
    elif isinstance(record, PenaltyRecord):
        penalty = Penalty(record.player, record.fault, record.points, record.remedied, record.revoked, record.note)
        after = match.penalised(penalty)
        gains = tuple(b - a for a, b in zip(match.totals, after.totals, strict=True))
        flows = penalties.flows(match.rules, penalty, match.place.seats.index(record.player))
        text, how = penalty_text(match, record), None
    else:
        start = record.start
        after = match.reseated((start[0], start[1], start[2], start[3]))
        gains, flows, how = (0, 0, 0, 0), (), None
        zh = "，".join(f"{WINDS_CHINESE[i]} {match.names[p]}" for i, p in enumerate(start))
        en = ", ".join(f"{WINDS[i]} {match.names[p]}" for i, p in enumerate(start))
        text = Text(f"重新定座：{zh}", f"seats drawn anew: {en}")
    return Row(record, match.place, text, how, flows, gains, after.totals, after.pool - match.pool), after


def _ending(match: Match, record: HandRecord) -> tuple[Ending, Text | None]:
    """The end of a hand in seats, and how its points came about where the tiles tell."""
    if record.told:
        ending = _told_ending(match.book, tuple(record.told), match.place.round_wind)
        return ending, None if ending.score is None else ending.score.tally.how
    seats = match.place.seats
    seat_of = seats.index
    book = match.book
    ready = _ready(match, record)
    if record.winner is None:
        return Ending(ready=ready), None
    winner = seat_of(record.winner)
    discarder = None if record.discarder is None else seat_of(record.discarder)
    feeder = None if record.kong_feeder is None else seat_of(record.kong_feeder)
    score: Score | None = None
    given = [record.supplied[player] for player in seats]
    robbed, luck, how = record.robbed, 0, None
    if record.tiles is not None:
        score = _score(match, record, winner)
        points, how = score.total, score.tally.how
        luck = int(score.hand.luck)
        robbed = bool(luck & Luck.ROBBED_KONG)
        if any(record.tiles.givers) or discarder is not None:
            given = list(supplied(score.hand, record.tiles.givers, winner, discarder))
    else:
        if record.points is None:
            raise HandError("和了多少没有写：填点数，或给出牌。", "the win has neither points nor tiles.")
        if record.points < book.minimum:
            raise HandError(
                f"{record.points} {book.unit.zh}不够起和的 {book.minimum} {book.unit.zh}。",
                f"{record.points} {book.unit.en} do not reach the minimum of {book.minimum}.",
            )
        points = record.points + record.flowers * book.flower_value
        if discarder is not None and any(given):
            given[discarder] = max(given[discarder], 1)
    ending = Ending(
        winner,
        points,
        record.self_draw,
        discarder,
        robbed,
        (given[0], given[1], given[2], given[3]),
        feeder,
        ready,
        luck,
        score,
    )
    return ending, how


@lru_cache(maxsize=512)
def _told_ending(book: Rulebook, told: tuple[str, ...], round: int) -> Ending:
    """How a hand ended that was told event by event."""
    telling = tell(book, [read_fact(line) for line in told], round=round)
    if telling.problems:
        listed = [
            Text(
                f"第 {p.at + 1} 句“{told[p.at]}”：{p.text.zh}",
                f"line {p.at + 1}, {told[p.at]!r}: {p.text.en}",
            )
            for p in telling.problems
        ]
        raise KeepingError("".join(text.zh for text in listed), " ".join(text.en for text in listed))
    if telling.ending is None:
        raise KeepingError("这一局还没有说完。", "this hand was not told to its end.")
    return telling.ending


def _spelled(match: Match, record: HandRecord, ending: Ending) -> HandRecord:
    """A told hand with what follows from it filled in, as it would be entered by its points."""
    seats = match.place.seats
    by_player = [seats.index(player) for player in range(SEATS)]
    flowers = 0 if ending.score is None else ending.score.hand.flower_count
    return record.model_copy(
        update={
            "winner": None if ending.winner is None else seats[ending.winner],
            "points": None if ending.winner is None else ending.points - flowers * match.book.flower_value,
            "flowers": flowers,
            "self_draw": ending.self_draw,
            "discarder": None if ending.discarder is None else seats[ending.discarder],
            "robbed": ending.robbed,
            "supplied": [ending.supplied[seat] for seat in by_player],
            "kong_feeder": None if ending.kong_feeder is None else seats[ending.kong_feeder],
            "ready": [ending.ready[seat] for seat in by_player],
        }
    )


def _score(match: Match, record: HandRecord, winner: int) -> Score:
    tiles = record.tiles
    assert tiles is not None  # noqa: S101  # asked before
    score = quepu.score(
        tiles.hand,
        match.book,
        seat=WINDS[winner],
        round=WINDS[match.place.round_wind],
        self_draw=record.self_draw,
        circumstances=tiles.circumstances,
        flowers=tiles.flowers,
    )
    if not score.can_win:
        raise NotAWin(
            f"这手牌 {score.points}，不够起和的 {score.minimum}。",
            f"this hand is worth {score.points}, below the minimum of {score.minimum}.",
        )
    return score


def _ready(match: Match, record: HandRecord) -> tuple[int | None, int | None, int | None, int | None]:
    """What each other ready hand is worth, by seat, in books that pay for it."""
    rules, book = match.rules, match.book
    found: list[int | None] = [None] * SEATS
    if rules.ready_value is not None:
        for seat, player in enumerate(match.place.seats):
            if player == record.winner:
                continue
            found[seat] = record.ready[player]
            text = record.ready_hands[player]
            if text:
                hand = quepu.parse(text)._replace(seat=EAST + seat, round=EAST + match.place.round_wind)
                found[seat] = rules.ready_value(hand, book, hand.counts())
    return found[0], found[1], found[2], found[3]


def likely(kept: Kept) -> list[int]:
    """Points that the next win may well be worth, ascending: this table's of late, then what the book's usually are."""
    had = [row.record.points for row in reversed(kept.rows) if isinstance(row.record, HandRecord)]
    found = [points for points in dict.fromkeys(had) if points and points >= kept.match.book.minimum][:_OWN]
    for points in usual(kept.match.book):
        if len(found) >= _KEYS:
            break
        if points not in found:
            found.append(points)
    return sorted(found)
