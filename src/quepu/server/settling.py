"""Who pays whom after a win: the settlement of the book's own table rules, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from quepu.errors import Text
from quepu.hand import Hand, Luck, MeldKind
from quepu.play_rules import POOL, SEATS, Ending, Payment, PlayRules, play_rules
from quepu.rulebook import Rulebook
from quepu.scoring import Score
from quepu.tiles import EAST, WINDS

_AROUND = {"left": -1, "across": 2, "right": 1}
"""Where 上家, 对家 and 下家 sit, in seats from the winner's."""
_NOT_READY: tuple[int | None, ...] = (None,) * SEATS


def settled(
    score: Score, discarder: int | None, givers: Sequence[str | None] = (), ready: Sequence[int | None] = _NOT_READY
) -> dict[str, Any]:
    """Every payment after a win. `ready` is looked at only in books that pay every ready hand."""
    rules = play_rules(score.book)
    winner = score.hand.seat - EAST
    told = tuple(ready[i] if rules.ready_value and i != winner else None for i in range(SEATS))
    ending = Ending(
        winner=winner,
        points=score.total,
        self_draw=score.hand.self_draw,
        discarder=discarder,
        robbed=bool(score.hand.luck & Luck.ROBBED_KONG),
        supplied=supplied(score.hand, givers, winner, discarder),
        ready=(told[0], told[1], told[2], told[3]),
        luck=int(score.hand.luck),
        score=score,
    )
    return paid(rules.settle(ending, score.book), rules)


def supplied(hand: Hand, givers: Sequence[str | None], winner: int, discarder: int | None) -> tuple[int, int, int, int]:
    """How many tiles each seat gave the winner; a chow comes from 上家, as does whatever nobody told about."""
    counts = [0] * SEATS
    for i, meld in enumerate(hand.melds):
        if meld.kind is not MeldKind.CONCEALED_KONG:
            told = givers[i] if i < len(givers) and meld.kind is not MeldKind.CHOW else None
            counts[(winner + _AROUND[told or "left"]) % SEATS] += 1
    if discarder is not None:
        counts[discarder] += 1
    return counts[0], counts[1], counts[2], counts[3]


def paid(payments: Sequence[Payment], rules: PlayRules) -> dict[str, Any]:
    """Payments as plain data: each flow, and what each seat and the pool are left with."""
    totals = [0] * (SEATS + 1)
    for payment in payments:
        totals[payment.payer] -= payment.points
        totals[payment.payee] += payment.points
    return {
        "payments": flows(payments),
        "totals": dict(zip(WINDS, totals, strict=False)),
        "pool": totals[POOL],
        "zero_sum": rules.zero_sum,
        "asks_ready": rules.ready_value is not None,
    }


def flows(payments: Iterable[tuple[int, int, int, Text]]) -> list[dict[str, Any]]:
    """Each flow with its reason; payer and payee are winds, or "pool"."""
    name = (*WINDS, "pool")
    return [
        {"payer": name[payer], "payee": name[payee], "points": points, "why": why._asdict()}
        for payer, payee, points, why in payments
    ]


@lru_cache(maxsize=64)
def asks(book: Rulebook) -> dict[str, Any]:
    """What the settlement of a book depends on, found by asking it: nobody is asked for what changes nothing."""
    rules = play_rules(book)
    points = max(book.minimum, 24)

    def discarded(**more: Any) -> tuple[Payment, ...]:
        return rules.settle(Ending(**{"winner": 0, "points": points, "discarder": 1, **more}), book)

    def drawn(**more: Any) -> tuple[Payment, ...]:
        return rules.settle(Ending(**{"winner": 0, "points": points, "self_draw": True, **more}), book)

    return {
        "supplied": discarded() != discarded(supplied=(0, 5, 0, 0)) or drawn() != drawn(supplied=(0, 0, 4, 0)),
        "kong_feeder": _differs(drawn, luck=int(Luck.KONG_DRAW | Luck.SELF_DRAW), kong_feeder=2),
        "ready": rules.ready_value is not None,
        "robbed": _amounts(discarded()) != _amounts(discarded(robbed=True)),
        "flower_value": book.flower_value,
        "minimum": book.minimum,
        "zero_sum": rules.zero_sum,
    }


def _amounts(payments: Sequence[Payment]) -> list[tuple[int, int, int]]:
    return sorted((p.payer, p.payee, p.points) for p in payments)


def _differs(flows: Any, luck: int, kong_feeder: int) -> bool:
    return _amounts(flows(luck=luck)) != _amounts(flows(luck=luck, kong_feeder=kong_feeder))
