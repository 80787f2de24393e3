"""Faults: what they cost and to whom. The list is the book's (`PlayRules.faults`)."""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Text, UnknownName
from quepu.play_rules import POOL, SEATS, Fault, Payment, PlayRules


class Penalty(NamedTuple):
    """A player's fault. `points` instead of the book's number; `remedied`: made good, so nobody is barred.

    `revoked`: taken back; it stays in the record and costs nothing.
    """

    player: int
    fault: str
    points: int | None = None
    remedied: bool = False
    revoked: bool = False
    note: str = ""


def fault(rules: PlayRules, key: str) -> Fault:
    """The fault of this name.

    Raises:
        UnknownName: the book has none of it.
    """
    for one in rules.faults:
        if one.key == key:
            return one
    listed = "、".join(one.key for one in rules.faults) or "（无）"
    raise UnknownName(f"没有“{key}”这条罚例，现有：{listed}。", f"no fault {key!r}; there are: {listed}.")


def cost(one: Fault, seat: int, points: int | None = None) -> tuple[Payment, ...]:
    """What a seat pays for a fault; `points` instead of the book's number where the table agreed on another."""
    amount = one.points if points is None else points
    if amount <= 0:
        return ()
    why = Text(f"罚：{one.key}", f"penalty: {one.key}")
    if one.to == "pool":
        return (Payment(seat, POOL, amount, why),)
    return tuple(Payment(seat, other, amount, why) for other in range(SEATS) if other != seat)


def flows(rules: PlayRules, penalty: Penalty, seat: int) -> tuple[Payment, ...]:
    """What the player of a penalty, who sits at `seat`, pays for it; nothing once it was taken back.

    Raises:
        UnknownName: the book has no such fault.
    """
    return () if penalty.revoked else cost(fault(rules, penalty.fault), seat, penalty.points)


def bars(rules: PlayRules, penalty: Penalty) -> bool:
    """Whether a fault leaves its player without wins and claims for the hand (停和陪打): not if it was made good.

    Raises:
        UnknownName: the book has no such fault.
    """
    return fault(rules, penalty.fault).barred and not penalty.remedied and not penalty.revoked
