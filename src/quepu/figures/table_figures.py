"""The figures of a score table."""

from __future__ import annotations

from quepu.figures.figures import Figures, HandResult, of_match
from quepu.scorekeeper.ledger import Ledger
from quepu.scorekeeper.records import HandRecord


def figures_of(ledger: Ledger, *, at: str = "", when: float = 0.0) -> dict[str, Figures]:
    """Everybody's figures at one table; `at` names it, `when` is its time."""
    match = ledger.match
    rows = [row for row in ledger.rows if isinstance(row.record, HandRecord)]
    hands = []
    for row, hand in zip(rows, match.hands, strict=True):
        ending, seats = hand.ending, hand.place.seats
        score = ending.score
        record = row.record
        written = record.tiles.hand if isinstance(record, HandRecord) and record.tiles is not None else ""
        hands.append(
            HandResult(
                names=row.names,
                winner=None if ending.winner is None else seats[ending.winner],
                discarder=None if ending.discarder is None else seats[ending.discarder],
                points=ending.points,
                gains=hand.players,
                fans=None if score is None else [(fan.name, fan.count) for fan in score.fans],
                tiles=written,
            )
        )
    start = match.rules.match.start
    return of_match(
        match.book.id, {name: total - start for name, total in ledger.people.items()}, hands, at=at, when=when
    )
