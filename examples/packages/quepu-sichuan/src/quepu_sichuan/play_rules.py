"""四川麻将 at the table: no chows; the discarder pays alone, a self-drawn win is paid by all."""

from __future__ import annotations

from quepu.errors import Text
from quepu.rules.play_rules import SEATS, Ending, MatchRules, Payment, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Return who pays whom."""
    win = ending.first
    if win is None:
        return ()
    payers = [seat for seat in range(SEATS) if seat != win.seat] if ending.self_draw else [ending.discarder]
    why = Text(f"{win.points} {book.unit.zh}", f"{win.points} {book.unit.en}")
    return tuple(Payment(seat, win.seat, win.points, why) for seat in payers if seat is not None)


def rules(book: Rulebook) -> PlayRules:
    """Return what tables and matches ask of the book."""
    return PlayRules(
        table=TableRules(tiles=book.tiles, claims=frozenset({"pung", "kong"})),
        match=MatchRules(rounds=1, dealer_repeats="win"),
        settle=settle,
    )
