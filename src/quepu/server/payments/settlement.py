"""The settlement after a win by the book's own table rules, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.match.settle import Settlement, summed
from quepu.rules.play_rules import SEATS, Ending, Payment, PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scorekeeper.supply import as_before
from quepu.scoring.score import Score
from quepu.server.hands.win_request import won_hand
from quepu.table.open_melds import OpenMeld
from quepu.tiles import EAST, WINDS

_NOT_READY: tuple[int | None, ...] = (None,) * SEATS


def settled(
    score: Score, discarder: int | None, givers: Sequence[str | None] = (), ready: Sequence[int | None] = _NOT_READY
) -> dict[str, Any]:
    """Every payment after a win. `ready` is looked at only in books that pay every ready hand.

    A meld without a giver is drawn as claimed from 上家, and counted so.
    """
    rules = play_rules(score.book)
    winner = score.hand.seat - EAST
    values = tuple(ready[i] if rules.ready_value and i != winner else None for i in range(SEATS))
    ending = Ending(
        winner=winner,
        points=score.total,
        self_draw=score.hand.self_draw,
        discarder=discarder,
        robbed=bool(score.hand.luck & Luck.ROBBED_KONG),
        supplied=as_before(score.hand, givers, winner, discarder),
        ready=(values[0], values[1], values[2], values[3]),
        luck=int(score.hand.luck),
        score=score,
    )
    return paid(rules.settle(ending, score.book), rules)


def paid(payments: Sequence[Payment], rules: PlayRules) -> dict[str, Any]:
    """Payments as plain data: each flow, and what each seat and the pool are left with (`SettledWin`)."""
    found = summed(payments, zero_sum=False)
    return {
        "payments": flows(payments),
        "gains": list(found.seats),
        "pool": found.pool,
        "zero_sum": rules.zero_sum,
        "needs_ready": rules.ready_value is not None,
    }


def end_of_hand(ending: Ending, settled: Settlement, book: Rulebook, melds: Sequence[OpenMeld]) -> dict[str, Any]:
    """The end of a hand as plain data (`EndOfHand`). `melds` are the winner's as they lie on the table."""
    score = ending.score
    return {
        "winner": None if ending.winner is None else WINDS[ending.winner],
        "discarder": None if ending.discarder is None else WINDS[ending.discarder],
        "self_draw": ending.self_draw,
        "robbed": ending.robbed,
        "won": None if ending.winner is None else won_hand(score, book, melds),
        "score": {lang: score.to_json(explain=True, lang=lang) for lang in ("zh", "en")} if score else None,
        "payments": flows(settled.payments),
        "gains": list(settled.seats),
        "pool": settled.pool,
    }


def flows(payments: Iterable[tuple[int, int, int, Text]]) -> list[dict[str, Any]]:
    """Each flow with its reason; payer and payee are winds, or "pool"."""
    name = (*WINDS, "pool")
    return [
        {"payer": name[payer], "payee": name[payee], "points": points, "why": why._asdict()}
        for payer, payee, points, why in payments
    ]
