"""Turn the end of a hand into payments: the book's own arithmetic, checked, and described in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Error, Text
from quepu.rules.play_rules import POOL, SEATS, Ending, Payment, PlayRules, SeatWin, too_many_winners
from quepu.rules.rulebook import Rulebook

SEAT_NAMES = (Text("东家", "East"), Text("南家", "South"), Text("西家", "West"), Text("北家", "North"))
THE_POOL = Text("公池", "the pool")
_PRINTED = 5
"""Tiles supplied by one seat to a self-drawn hand in 灵雀's example of 全包牌: impossible, and yet printed."""


class SettleError(Error):
    """The end of a hand contradicts itself, or payments do not sum as the book says."""


class Settlement(NamedTuple):
    """Every payment of a hand, and the net gain of each seat (0 East … 3 North) and the pool.

    Examples:
        >>> from quepu.arena import match
        >>> first = match("guobiao", ["plain"] * 4, seed=1, rounds=1).hands[0].settlement
        >>> first.seats, first.payments[0]
        ((-8, -21, 37, -8), Payment(payer=0, payee=2, points=8, why=Text(zh='底分 8', en='base 8')))
    """

    payments: tuple[Payment, ...]
    seats: tuple[int, int, int, int]
    pool: int


def settle(ending: Ending, book: Rulebook, rules: PlayRules) -> Settlement:
    """Return the payments for the end of a hand.

        >>> import quepu
        >>> from quepu.rules.play_rules import Ending, SeatWin, play_rules
        >>> book = quepu.book("guobiao")
        >>> score = quepu.score("123m456p789sCCEE+E", book)
        >>> settle(Ending((SeatWin(1, score.points),), discarder=0), book, play_rules(book)).seats
        (-28, 44, -8, -8)

    Raises:
        SettleError: the ending is impossible (the tile's giver is missing, more than five tiles supplied …), or the
            flows of a book without a pool do not sum to zero.
        Error: the book refuses the points.
    """
    check_ending(ending, rules.table.most_winners)
    return add_up(rules.settle(ending, book), zero_sum=rules.zero_sum)


def add_up(payments: Sequence[Payment], *, zero_sum: bool) -> Settlement:
    """Add up payments.

    Raises:
        SettleError: a payment is not positive, goes from a seat to itself, or uses a pool that the book does not have.
    """
    balance = Counter[int]()
    for payer, payee, points, _ in payments:
        if points <= 0 or payer == payee or not (0 <= payer <= POOL and 0 <= payee <= POOL):
            raise SettleError(
                f"付分有误：{payer} 付 {payee} {points} 分。", f"a payment is wrong: {payer} pays {payee} {points}."
            )
        balance[payer] -= points
        balance[payee] += points
    if zero_sum and balance[POOL]:
        raise SettleError("各家收支之和不为零。", "the payments of the four seats do not add up to zero.")
    return Settlement(tuple(payments), (balance[0], balance[1], balance[2], balance[3]), balance[POOL])


def check_ending(ending: Ending, most: int = 1) -> None:
    """Refuse an impossible ending; `most` seats may win the same tile.

    Raises:
        SettleError: with one sentence.
    """
    discarder = ending.discarder
    if not ending.winners:
        if discarder is not None or ending.self_draw:
            raise SettleError("流局没有和牌家、放铳家。", "a hand without a winner has no winner or discarder.")
        return
    for win in ending.winners:
        if win.seat not in range(SEATS):
            raise SettleError(f"没有 {win.seat} 这个座位。", f"there is no seat {win.seat}.")
    if ending.self_draw == (discarder is not None):
        raise SettleError("和牌要么自摸，要么有一家放铳。", "a win is either self-drawn or on a discard, not both.")
    if discarder is not None and (discarder not in range(SEATS) or discarder in ending.seats):
        raise SettleError("放铳的应是另外三家之一。", "the discarder must be one of the other three.")
    if len(ending.winners) > 1:
        _check_winners(ending, most)
    for win in ending.winners:
        _check_supplied(ending, win)
        if win.liable is not None and (win.liable not in range(SEATS) or win.liable in ending.seats):
            raise SettleError(
                "包的应是没有和的一家。", "the player who pays for a whole hand must be one who did not win."
            )


def _check_winners(ending: Ending, most: int) -> None:
    """Refuse several winners who cannot have won together."""
    if ending.discarder is None:
        raise SettleError("自摸只有一家和牌。", "only one player wins by self-draw.")
    if len(ending.winners) > most:
        raise SettleError(*too_many_winners(len(ending.winners), most))
    turns = [(seat - ending.discarder) % SEATS for seat in ending.seats]
    if turns != sorted(set(turns)):
        raise SettleError(
            "几家同和，应从放铳家起按座次各列一次。",
            "several winners must be listed once each, in turn order from the discarder.",
        )


def _check_supplied(ending: Ending, win: SeatWin) -> None:
    supplied, discarder = win.supplied, ending.discarder
    total = sum(supplied)
    if (
        supplied[win.seat]
        or min(supplied) < 0
        or total > 4 + (not ending.self_draw or max(supplied) == _PRINTED)
        or (discarder is not None and any(supplied) and not supplied[discarder])
    ):
        zh = "，".join(f"{SEAT_NAMES[seat].zh} {n} 枚" for seat, n in enumerate(supplied) if n)
        en = ", ".join(f"{SEAT_NAMES[seat].en} {n}" for seat, n in enumerate(supplied) if n)
        raise SettleError(
            f"提供的牌不可能：{zh or '没有人提供'}。自摸至多 4 枚，放铳至多 5 枚且含和牌张，和牌家自己不算。",
            f"tiles supplied cannot be: {en or 'none'}; at most 4 on a self-draw, 5 with the winning discard, "
            "none by the winner.",
        )


def in_words(payment: Payment, names: Sequence[str] | None = None) -> Text:
    """Return a payment as a sentence; `names` are the players by seat, used instead of their winds."""
    zh, en = [], []
    for who in (payment.payer, payment.payee):
        text = THE_POOL if who == POOL else SEAT_NAMES[who] if names is None else Text(names[who], names[who])
        zh.append(text.zh)
        en.append(text.en)
    return Text(
        f"{zh[0]}付{zh[1]} {payment.points} 分：{payment.why.zh}",
        f"{en[0]} pays {en[1]} {payment.points}: {payment.why.en}",
    )
