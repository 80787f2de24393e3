"""The scorekeeper's arithmetic: fold the records of a table into seats, payments, totals and announcements.

Records name players instead of seats: correcting an early hand may move the dealer, and later hands must still concern
the same people. The seats follow from the earlier records.

A problem that would refuse a new record (`Row.problems`) does not prevent an old table from being read: a record from
before a check existed stays, together with its problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quepu.errors import Error, Text, UnknownName
from quepu.match import penalties
from quepu.match.match import Match, MatchError, MatchHand, reduce_scores
from quepu.match.penalties import Penalty
from quepu.match.seats import RoundPosition
from quepu.match.words import Announcement, announcements, changes, ending_text, penalty_text
from quepu.rulebooks.house_rules import book_of
from quepu.rules.measured_figures import usual
from quepu.rules.play_rules import SEATS, Payment, fan_of
from quepu.scorekeeper import settled
from quepu.scorekeeper.hand_endings import Entered, RecordProblem, read_ending
from quepu.scorekeeper.records import (
    BellRecord,
    CameTo,
    EndRecord,
    FurtherWinner,
    HandRecord,
    PenaltyRecord,
    Record,
    ReseatRecord,
    SubstituteRecord,
    TableSpec,
)
from quepu.tiles import WINDS, WINDS_CHINESE

DEFAULT_RATIO = (1.0, 480.0)
"""α and T₀ of the reduced score if a table wants one and sets only the other, or neither: 灵雀's."""
_KEYS, _OWN = 15, 5
"""Number of likely points offered, and how many of them may be this table's recent ones."""


class LedgerError(Error):
    """An impossible record; the sentence says which, and why."""


class Unanswered(LedgerError):
    """A record that lacks a fact on which payments depend: `question` says which."""

    def __init__(self, problem: RecordProblem) -> None:
        super().__init__(*problem.text)
        self.question = problem.question


@dataclass(frozen=True)
class Row:
    """A record with its effects; `problems` are why it would be refused now, `remarks` what to know about it."""

    record: Record
    place: RoundPosition
    text: Text
    how: Text | None
    payments: tuple[Payment, ...]
    gains: tuple[int, ...]
    totals: tuple[int, ...]
    pool: int
    names: tuple[str, str, str, str] = ("", "", "", "")
    announced: tuple[Announcement, ...] = ()
    remarks: tuple[Text, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
    came_to: CameTo | None = None


@dataclass(frozen=True)
class Ledger:
    """The state of a table.

    `match` has the players of the next hand; `people` are the gains of everyone who played, the first four first.
    `barred` are the players who may neither win nor be paid as ready in the next hand, `ended` tells whether the match
    was ended early, `rung` whether time is up and one hand is left.
    """

    spec: TableSpec
    match: Match
    rows: tuple[Row, ...]
    news: tuple[Text, ...]
    people: Mapping[str, int]
    barred: frozenset[int] = frozenset()
    ended: bool = False
    rung: bool = False

    @property
    def over(self) -> bool:
        """Whether no hand follows."""
        return self.ended or self.match.over

    @property
    def seats(self) -> tuple[int, ...]:
        """The points of each seat, whoever sat there."""
        gains = zip(*(row.gains for row in self.rows), strict=True)
        return tuple(self.match.rules.match.start + sum(one) for one in gains)

    def reduce_scores(self) -> tuple[float, ...] | None:
        """Each player's reduced score (约化分数) with n = hands played; None if the table has none."""
        ratio = self.ratio
        if ratio is None or not self.match.hands:
            return None
        return reduce_scores(list(self.people.values()), alpha=ratio[0], scale=ratio[1], n=len(self.match.hands))

    @property
    def ratio(self) -> tuple[float, float] | None:
        """α and T₀ of the reduced score: the table's, else the book's; None if neither has any."""
        own, spec = self.match.rules.match.reduced, self.spec
        if own is None and spec.alpha is None and spec.scale is None:
            return None
        alpha, scale = own or DEFAULT_RATIO
        return spec.alpha or alpha, spec.scale or scale


def fold(spec: TableSpec, records: Sequence[Record], new: int | None = None) -> Ledger:
    """Derive the state of a table from its records.

    Raises:
        Error: a record is impossible; the sentence names its number, except for the one at `new`, which has none yet.
    """
    book = book_of(spec.rules, spec.house)
    if spec.revision is not None:
        book = book.at(min(spec.revision, book.revision))
    names = (spec.names[0], spec.names[1], spec.names[2], spec.names[3])
    match = Match(book, names, spec.rounds, spec.ranked)
    rows: list[Row] = []
    before, ended, rung = match, False, False
    people = dict.fromkeys(names, match.rules.match.start)
    barred: frozenset[int] = frozenset()
    for i, record in enumerate(records):
        before = match
        try:
            if ended:
                raise MatchError("这一场已经结束。", "this match has already been ended.")
            if rung and isinstance(record, BellRecord):
                raise MatchError("时间到已经记过了。", "the end of time was already recorded.")
            if isinstance(record, SubstituteRecord) and record.name in people:
                raise MatchError(f"{record.name} 已经在这一场里。", f"{record.name} has played here already.")
            row, match = _row(match, record, barred)
            for name, gain in zip(before.names, row.gains, strict=True):
                people[name] += gain
            if isinstance(record, SubstituteRecord):
                people[record.name] = 0
            ended = isinstance(record, EndRecord) or (rung and isinstance(record, HandRecord))
            rung = rung or isinstance(record, BellRecord)
        except Error as error:
            if i == new:
                raise
            raise LedgerError(
                f"第 {i + 1} 条记录：{error.text.zh}", f"record {i + 1}: {error.text.en}", error.at
            ) from error
        rows.append(row)
        barred = _find_barred(match, record, barred)
    news = tuple(changes(before, match)) if rows and not ended else ()
    return Ledger(spec, match, tuple(rows), news, people, barred, ended, rung and not ended)


def open_spec(spec: TableSpec) -> TableSpec:
    """Return a spec for a table opened now: it keeps the newest revision of its book, or the requested one.

    Raises:
        Error: the book or revision is unknown.
    """
    book = book_of(spec.rules, spec.house)
    return spec.model_copy(update={"revision": book.at(spec.revision or book.revision).revision})


def as_settled(records: Sequence[Record], ledger: Ledger) -> list[Record]:
    """Return the records with the result of each, to be stored with them."""
    return [
        record.model_copy(update={"came_to": row.came_to}) if isinstance(record, HandRecord | PenaltyRecord) else record
        for record, row in zip(records, ledger.rows, strict=True)
    ]


def with_record(spec: TableSpec, records: Sequence[Record], at: int, record: Record, *, insert: bool = False) -> Ledger:
    """Return the table with this record at `at`: before the existing one (`insert`), in its place, or last.

    Raises:
        Unanswered: it lacks a fact on which payments depend. Error: it is impossible, or makes a later one impossible.
    """
    ledger = fold(spec, [*records[:at], record], new=at)
    accept(ledger.rows[at])
    rest = records[at if insert else at + 1 :]
    return fold(spec, [*records[:at], record, *rest]) if rest else ledger


def accept(row: Row) -> None:
    """Refuse a new row that has a problem.

    Raises:
        Unanswered: its record lacks a fact on which payments depend.
        LedgerError: it is impossible.
    """
    for problem in row.problems:
        if problem.question is None:
            raise LedgerError(*problem.text)
        raise Unanswered(problem)


def _find_barred(match: Match, record: Record, barred: frozenset[int]) -> frozenset[int]:
    """Return the players barred from the next hand after this record: a bar lasts until a hand has ended."""
    if isinstance(record, HandRecord):
        return frozenset()
    if isinstance(record, PenaltyRecord) and penalties.bars(match.rules, _penalty(record)):
        return barred | {record.player}
    return barred


def _penalty(record: PenaltyRecord) -> Penalty:
    return Penalty(
        record.player, record.fault, record.points, record.remedied, record.revoked, record.note, record.receiver
    )


class _Effect(NamedTuple):
    """The match after a record, and the parts of its row that differ from the defaults."""

    match: Match
    text: Text
    record: Record
    gains: tuple[int, ...] = (0, 0, 0, 0)
    payments: tuple[Payment, ...] = ()
    how: Text | None = None
    announced: tuple[Announcement, ...] = ()
    remarks: tuple[Text, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
    came_to: CameTo | None = None


def _row(match: Match, record: Record, barred: frozenset[int]) -> tuple[Row, Match]:
    """Return the row of a record and the match after it."""
    if isinstance(record, HandRecord):
        effect = _play(match, record, barred)
    elif isinstance(record, PenaltyRecord):
        effect = _penalise(match, record, barred)
    elif isinstance(record, SubstituteRecord):
        effect = _substitute(match, record)
    elif isinstance(record, EndRecord):
        note = f"（{record.note}）" if record.note else ""
        effect = _Effect(match, Text(f"到此为止{note}", f"ended here {record.note}".rstrip()), record)
    elif isinstance(record, BellRecord):
        word = match.rules.words.hand
        effect = _Effect(match, Text(f"时间到：再记一{word.zh}即结束", f"time is up: last {word.en}"), record)
    else:
        effect = _reseat(match, record)
    after = effect.match
    row = Row(
        effect.record,
        match.place if effect.came_to is None else settled.place(effect.came_to),
        effect.text,
        effect.how,
        effect.payments,
        effect.gains,
        after.totals,
        after.pool - match.pool,
        match.names,
        effect.announced,
        effect.remarks,
        effect.problems,
        effect.came_to,
    )
    return row, after


def _play(match: Match, record: HandRecord, barred: frozenset[int]) -> _Effect:
    """Play a hand of the match. Its recorded result stands if today's rules pay otherwise."""
    came_to = settled.then(match, record.came_to, barred)
    announced: tuple[Announcement, ...] = ()
    try:
        hand = read_ending(match, record, barred)
        after = match.add_hand(hand.ending)
    except Error as error:  # today's rules do not know the recorded ending
        if came_to is None:
            raise
        hand = Entered(settled.ending(came_to), remarks=(error.text,))
        after = settled.hand(match, hand.ending, came_to)
    else:
        record = _complete(match, record, hand)
        if came_to is None or _stands(match, after.hands[-1].settlement.payments, came_to):
            announced = announcements(hand.ending, hand.ready, match.rules)
        else:
            remark = settled.remark(came_to, hand.ending)
            hand = hand._replace(ending=settled.ending(came_to), how=None, remarks=(*hand.remarks, remark))
            after = settled.hand(match, hand.ending, came_to)
    played: MatchHand = after.hands[-1]
    payments = played.settlement.payments
    return _Effect(
        after,
        ending_text(match, hand.ending),
        record,
        played.players,
        payments,
        hand.how,
        announced,
        hand.remarks,
        hand.problems,
        came_to or settled.came_to(match, payments, barred, hand.ending),
    )


def _penalise(match: Match, record: PenaltyRecord, barred: frozenset[int]) -> _Effect:
    """Pay a penalty. Its recorded cost stands if today's rules pay otherwise."""
    penalty = _penalty(record)
    came_to = None if record.revoked else settled.then(match, record.came_to, barred)
    remarks: tuple[Text, ...] = ()
    try:
        after, payments = match.penalise(penalty), match.penalty_flows(penalty)
    except UnknownName as error:
        if came_to is None:
            raise
        after, payments = settled.fault(match, penalty, came_to), settled.payments(came_to)
        remarks = (error.text,)
    if came_to is not None and not _stands(match, payments, came_to):
        after, payments = settled.fault(match, penalty, came_to), settled.payments(came_to)
        remarks = (settled.remark(came_to, None),)
    return _Effect(
        after,
        penalty_text(match, penalty),
        record,
        tuple(b - a for a, b in zip(match.totals, after.totals, strict=True)),
        payments,
        remarks=remarks,
        came_to=came_to or settled.came_to(match, payments, barred, None),
    )


def _stands(match: Match, payments: tuple[Payment, ...], came_to: CameTo) -> bool:
    """Return whether a record, at the same place of the match, pays the same as when it was written."""
    return settled.place(came_to) == match.place and settled.alike(payments, came_to)


def _reseat(match: Match, record: ReseatRecord) -> _Effect:
    """Draw the seats of a match again."""
    east, south, west, north = record.start
    zh = "，".join(f"{WINDS_CHINESE[i]} {match.names[p]}" for i, p in enumerate(record.start))
    en = ", ".join(f"{WINDS[i]} {match.names[p]}" for i, p in enumerate(record.start))
    return _Effect(match.reseat((east, south, west, north)), Text(f"重新定座：{zh}", f"new seats: {en}"), record)


def _substitute(match: Match, record: SubstituteRecord) -> _Effect:
    """Put a substitute in a player's seat; results so far stay with the player."""
    names = list(match.names)
    old, names[record.player] = names[record.player], record.name
    after = match.rename((names[0], names[1], names[2], names[3]))
    return _Effect(after, Text(f"{record.name} 接替 {old}", f"{record.name} takes over from {old}"), record)


def _complete(match: Match, record: HandRecord, hand: Entered) -> HandRecord:
    """Return the record with everything that follows from it filled in, as if it had been entered by points."""
    ending, seats = hand.ending, match.place.seats
    by_player = [seats.index(player) for player in range(SEATS)]
    announced = match.rules.announced
    win = ending.first
    if record.facts:
        flowers = 0 if win is None or win.score is None else win.score.hand.flower_count
        supplied = (0, 0, 0, 0) if win is None else win.supplied
        record = record.model_copy(
            update={
                "winner": None if win is None else seats[win.seat],
                "points": None if win is None else win.points - flowers * match.book.flower_value,
                "flowers": flowers,
                "also": [
                    FurtherWinner(
                        winner=seats[other.seat],
                        points=other.points,
                        supplied=[other.supplied[seat] for seat in by_player],
                        liable=None if other.liable is None else seats[other.liable],
                    )
                    for other in ending.winners[1:]
                ],
                "liable": None if win is None or win.liable is None else seats[win.liable],
                "self_draw": ending.self_draw,
                "discarder": None if ending.discarder is None else seats[ending.discarder],
                "robbed": ending.robbed,
                "supplied": [supplied[seat] for seat in by_player],
                "kong_feeder": None if ending.kong_feeder is None else seats[ending.kong_feeder],
                "ready": [ending.ready[seat] for seat in by_player],
            }
        )
    if announced is None:
        return record
    values = [ending.ready[seat] for seat in by_player]
    return record.model_copy(
        update={
            "fan": None if win is None else fan_of(announced, win.points),
            "ready_fan": [None if points is None else fan_of(announced, points) for points in values],
        }
    )


def likely(ledger: Ledger) -> list[tuple[int, int]]:
    """List likely values of the next win, ascending: this table's recent ones, then the book's usual ones.

    Each is given as announced (fan, in books whose players announce fan) and in points.
    """
    match, announced = ledger.match, ledger.match.rules.announced
    if announced is None:
        had = [row.record.points for row in reversed(ledger.rows) if isinstance(row.record, HandRecord)]
    else:
        had = [win.points for hand in reversed(match.hands) for win in hand.ending.winners]
    found = [points for points in dict.fromkeys(had) if points and points >= match.book.minimum][:_OWN]
    for points in usual(match.book):
        if len(found) >= _KEYS:
            break
        if points not in found:
            found.append(points)
    if announced is None:
        return [(points, points) for points in sorted(found)]
    called = ((fan_of(announced, points), points) for points in sorted(found))
    return [(fan, points) for fan, points in called if fan is not None]
