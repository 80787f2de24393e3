"""Results of records as settled when written: a season does not change when a book does."""

from __future__ import annotations

from collections.abc import Iterable

from quepu.errors import Text
from quepu.match.match import Match, Recorded
from quepu.match.penalties import Penalty
from quepu.match.seats import RoundPosition
from quepu.rules.play_rules import Ending, Payment, SeatWin
from quepu.scorekeeper.records import CameTo


def came_to(match: Match, flows: Iterable[Payment], barred: Iterable[int], ended: Ending | None) -> CameTo:
    """Return the current result of a record, to be stored with it; `ended` of None: a fault."""
    return CameTo(
        fingerprint=match.book.fingerprint,
        place=_place(match),
        barred=sorted(barred),
        points=None if ended is None else 0 if ended.first is None else ended.first.points,
        winner=None if ended is None or ended.first is None else ended.first.seat,
        also=[] if ended is None else [(win.seat, win.points) for win in ended.winners[1:]],
        discarder=None if ended is None else ended.discarder,
        payments=[(payer, payee, paid, why.zh, why.en) for payer, payee, paid, why in flows],
    )


def then(match: Match, written: CameTo | None, barred: Iterable[int]) -> CameTo | None:
    """Return the stored result of a record if it still stands at its place; None otherwise.

    If the rules have changed since and would move it, it keeps the place where it was played.
    """
    if written is None:
        return None
    stands = written.place == _place(match) and written.barred == sorted(barred)
    return written if stands or written.fingerprint != match.book.fingerprint else None


def place(written: CameTo) -> RoundPosition:
    """Return the place of a stored result."""
    round, dealership, repeat, *start = written.place
    return RoundPosition(round, dealership, repeat, (start[0], start[1], start[2], start[3]))


def payments(written: CameTo) -> tuple[Payment, ...]:
    """Return the payments of a stored result."""
    return tuple(Payment(payer, payee, paid, Text(zh, en)) for payer, payee, paid, zh, en in written.payments)


def alike(flows: Iterable[Payment], written: CameTo) -> bool:
    """Return whether payers, payees and points are the same, whatever the reasons say."""
    return [payment[:3] for payment in flows] == [payment[:3] for payment in written.payments]


def ending(written: CameTo) -> Ending:
    """Return the ending of a hand from its stored result."""
    if written.winner is None:
        return Ending()
    wins = (SeatWin(written.winner, written.points or 0), *(SeatWin(seat, points) for seat, points in written.also))
    return Ending(wins, written.discarder is None, written.discarder)


def hand(match: Match, ended: Ending, written: CameTo) -> Match:
    """Return the match after a hand that keeps its stored settlement."""
    return match.add_recorded(Recorded(ended, payments(written), place(written)))


def fault(match: Match, penalty: Penalty, written: CameTo) -> Match:
    """Return the match after a fault that keeps its stored cost."""
    return match.add_recorded(Recorded(penalty, payments(written), place(written)))


def remark(written: CameTo, ended: Ending | None) -> Text:
    """Say that today's rules would give another result: `ended` (None: a fault), perhaps a win of other points."""
    now = written.points if ended is None else 0 if ended.first is None else ended.first.points
    if written.points is not None and now != written.points:
        return Text(
            f"按当时所记 {written.points} 结算；照今天的规则是 {now}。",
            f"settled as written down then, {written.points}; by today's rules it would be {now}.",
        )
    return Text(
        "按当时所记的收付结算；照今天的规则会不同。",
        "settled as written down then; by today's rules other payments would be made.",
    )


def _place(match: Match) -> list[int]:
    at = match.place
    return [at.round, at.dealership, at.repeat, *at.start]
