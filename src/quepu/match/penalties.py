"""Faults: their cost and their payees. The list is the book's (`PlayRules.faults`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from quepu.errors import Text, UnknownName, join_list
from quepu.folding import fold
from quepu.match.settle import SettleError
from quepu.rules.faults import Fault
from quepu.rules.play_rules import POOL, SEATS, Payment, PlayRules

_FALSE_WIN: Final = "错和"


class Penalty(NamedTuple):
    """A player's fault. `points` replaces the book's number; `remedied`: made good, so the player is not barred.

        >>> import quepu
        >>> match = quepu.Match(quepu.book("guobiao"), ("A", "B", "C", "D"))
        >>> match.penalise(Penalty(0, "错和")).totals
        (-30, 10, 10, 10)

    `revoked`: taken back; it stays in the record and costs nothing. `receiver` is the harmed player, the only one paid.
    """

    player: int
    fault: str
    points: int | None = None
    remedied: bool = False
    revoked: bool = False
    note: str = ""
    receiver: int | None = None


def fault(rules: PlayRules, key: str) -> Fault:
    """Return the fault of this name.

    Raises:
        UnknownName: the book has no fault of this name.
    """
    for one in rules.faults:
        if fold(key) in map(fold, one.spellings):
            return one
    listed = join_list(one.typed for one in rules.faults) if rules.faults else Text("（无）", "none")
    raise UnknownName(f"没有“{key}”这条罚例，现有：{listed.zh}。", f"no fault {key!r}; faults: {listed.en}.")


def key_of(rules: PlayRules, name: str) -> str:
    """Return the book's own word for a fault; unknown and former ones keep their names."""
    return next((one.key for one in rules.faults if fold(name) in map(fold, one.spellings)), name)


def cost(
    one: Fault, seat: int, points: int | None = None, *, before: int = 0, receiver: int | None = None
) -> tuple[Payment, ...]:
    """Return the payments of a seat for a fault; `points` replaces the book's number if the table agreed on another.

    `before` counts the player's earlier faults of this kind in the match, `receiver` is the only seat paid.

    Raises:
        SettleError: it is paid to one player, and the payee is missing; or neither the rules nor you give a figure.
    """
    if one.open and points is None:
        raise SettleError(
            f"“{one.key}”罚多少由裁判定：请写明罚多少。",
            f"the referee says what {one.name.en!r} costs: give the points.",
        )
    amount = one.amount(before) if points is None else points
    if amount <= 0:
        return ()
    why = Text(f"罚：{one.key}", f"penalty: {one.name.en}")
    if receiver is not None and receiver != seat:
        return (Payment(seat, receiver, amount, why),)
    if one.to == "one":
        raise SettleError(
            f"“{one.key}”赔受损的一家：请写明是谁。", f"{one.key!r} is paid to one player: name that player."
        )
    if one.to in ("pool", "nobody"):
        return (Payment(seat, POOL, amount, why),)
    return tuple(Payment(seat, other, amount, why) for other in range(SEATS) if other != seat)


def flows(rules: PlayRules, penalty: Penalty, seats: Sequence[int], before: int = 0) -> tuple[Payment, ...]:
    """Return the payments for a penalty, where `seats` are the players at E S W N; none once it is taken back.

    Raises:
        UnknownName: the book has no such fault.
        SettleError: it is paid to one player, and the payee is missing.
    """
    one = fault(rules, penalty.fault)
    if penalty.revoked:
        return ()
    receiver = None if penalty.receiver is None else seats.index(penalty.receiver)
    return cost(one, seats.index(penalty.player), penalty.points, before=before, receiver=receiver)


def bars(rules: PlayRules, penalty: Penalty) -> bool:
    """Return whether a fault bars its player from wins and claims for the hand (停和陪打): not if it was made good.

        >>> import quepu
        >>> from quepu.rules.play_rules import play_rules
        >>> rules = play_rules(quepu.book("guobiao"))
        >>> bars(rules, Penalty(0, "错和")), bars(rules, Penalty(0, "迟到"))
        (True, False)

    Raises:
        UnknownName: the book has no such fault.
    """
    return fault(rules, penalty.fault).barred and not penalty.remedied and not penalty.revoked


def false_win(rules: PlayRules, name: str) -> Text:
    """Say how to enter a win of this player below the minimum; empty where the book has no fault for it."""
    found = next((one for one in rules.faults if _FALSE_WIN in (one.key, *one.names)), None)
    if found is None:
        return Text("", "")
    return Text(
        f"；若已报和，请记：罚 {name} {found.key}", f"; if it was declared, enter: fault {name} {found.typed.en}"
    )
