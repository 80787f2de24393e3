"""香港麻将 at the table: half-spicy doubling, the discarder pays all."""

from __future__ import annotations

from quepu.errors import Text
from quepu.rules.play_rules import SEATS, Ending, MatchRules, Payment, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook

SHARE = {3: 16, 4: 32, 5: 48, 6: 64, 7: 96, 8: 128, 9: 192, 10: 256}
"""Half-spicy: what each pays for a self-draw; the discarder pays twice as much."""


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Return who pays whom."""
    win = ending.first
    if win is None:
        return ()
    fan = max(3, min(win.points, book.cap))
    payers = [seat for seat in range(SEATS) if seat != win.seat] if ending.self_draw else [ending.discarder]
    points = SHARE[fan] if ending.self_draw else 2 * SHARE[fan]
    why = Text(f"{win.points} 番，付 {points}", f"{win.points} fan: {points}")
    return tuple(Payment(seat, win.seat, points, why) for seat in payers if seat is not None)


def rules(book: Rulebook) -> PlayRules:
    """Return what tables and matches ask of the book."""
    return PlayRules(
        table=TableRules(tiles=book.tiles), match=MatchRules(rounds=4, dealer_repeats="win"), settle=settle
    )
