"""推倒胡 at the table: 108 tiles, no chow, the discarder pays alone."""

from __future__ import annotations

from quepu.errors import Text
from quepu.rules.play_rules import SEATS, Ending, MatchRules, Payment, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """What a win is worth, from whoever discarded it, or from each where it was drawn."""
    win = ending.first
    if win is None:
        return ()
    payers = [seat for seat in range(SEATS) if seat != win.seat] if ending.self_draw else [ending.discarder]
    why = Text(f"{win.points} {book.unit.zh}", f"{win.points} {book.unit.en}")
    return tuple(Payment(seat, win.seat, win.points, why) for seat in payers if seat is not None)


def rules(book: Rulebook) -> PlayRules:
    """What tables and matches ask of it."""
    return PlayRules(
        table=TableRules(
            tiles=book.tiles,
            claims=frozenset({"pung", "kong"}),
            last_discard=frozenset({"win", "pung", "kong"}),
            kong_after_claim=True,
        ),
        match=MatchRules(rounds=1, dealer_repeats="win"),
        settle=settle,
    )
