"""灵雀's and 玉雀's payments written out once more from their sentences; what each gave is counted from the melds."""

from __future__ import annotations

from math import ceil


def lingque(points: int, winner: int, discarder: int | None, given: list[int]) -> list[int]:
    """What each seat gains. 自摸: 3p/2 each; 放铳: 2p, the others p; 4 tiles from one: half for the others, 5: all."""
    owes = [0] * 4
    for seat in range(4):
        if seat != winner:
            owes[seat] = 3 * points // 2 if discarder is None else 2 * points if seat == discarder else points
    gains = [-owed for owed in owes]
    gains[winner] = sum(owes)
    for giver in range(4):
        if given[giver] >= 4:
            for seat in range(4):
                if seat not in (winner, giver):
                    taken = owes[seat] if given[giver] >= 5 else ceil(owes[seat] / 2)
                    gains[seat] += taken
                    gains[giver] -= taken
    return gains


def yuque(fan: int | None, winner: int | None, discarder: int | None, ready: list[int | None]) -> list[int]:
    """What each seat gains from the pool; `ready` in fan."""
    gains = [0 if own is None else round(own * own / 2) for own in ready]
    if winner is not None and fan is not None:
        gains[winner] = fan * fan
        for seat in range(4):
            if discarder is None and seat != winner:
                gains[seat] -= round(fan * fan / 6)
            elif seat == discarder:
                gains[seat] -= round(fan * fan / 2)
    return gains
