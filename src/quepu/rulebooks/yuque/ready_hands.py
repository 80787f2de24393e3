"""听牌算番: what a hand that is ready, and did not win, is worth."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.hands.hand import Hand
from quepu.rules.play_rules import ReadyHand
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes.readings import ready


def ready_value(hand: Hand, book: Rulebook, visible: Sequence[int] | None = None) -> ReadyHand | None:
    """The worth of thirteen tiles at the end of a hand, None if they are not ready.

    Every wait is scored as a win off a discard without any accident (天和 地和 岭上开花 海底捞月 河底捞鱼 抢杠). The
    highest with a copy that the holder cannot see counts; if all copies of all waits are in sight, the lowest of all.
    A tile of which the own hand holds all four is no wait (虚听).

    Args:
        hand: thirteen tiles; its luck is not looked at.
        book: an edition or house rule of this family.
        visible: copies of each of the 34 kinds that the holder can see, the own hand and melds included; by default
            the own hand alone.
    """
    hand = hand._replace(winning=None, luck=0)
    if visible is None:
        visible = hand.counts()
    waits = ready(hand, book.shapes)
    if not waits:
        return None
    scores = {tile: score_hand(hand._replace(winning=tile), book) for tile in waits}
    live = [tile for tile in waits if visible[tile] < 4]
    if live:
        best = max(live, key=lambda tile: scores[tile].points)
        return ReadyHand(best, scores[best], True)
    least = min(waits, key=lambda tile: scores[tile].points)
    return ReadyHand(least, scores[least], False)
