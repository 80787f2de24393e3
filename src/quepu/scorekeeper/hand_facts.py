"""The ending of a hand that was entered event by event."""

from __future__ import annotations

from functools import lru_cache

from quepu.errors import HandError, Text
from quepu.rules.play_rules import Ending, ReadyHand
from quepu.rules.rulebook import Rulebook
from quepu.table.facts import read_fact
from quepu.table.referee import reconstruct


@lru_cache(maxsize=512)
def ending_from_facts(
    book: Rulebook, lines: tuple[str, ...], round: int
) -> tuple[Ending, tuple[ReadyHand | None, ...]]:
    """Return the ending of a hand that was recorded event by event, and the ready hands that were shown."""
    found = reconstruct(book, [read_fact(line) for line in lines], round=round)
    if found.problems:
        listed = [
            Text(
                f"第 {p.at + 1} 句“{lines[p.at]}”：{p.text.zh}",
                f"line {p.at + 1}, {lines[p.at]!r}: {p.text.en}",
            )
            for p in found.problems
        ]
        raise HandError("".join(text.zh for text in listed), " ".join(text.en for text in listed))
    ending = found.ending
    if ending is None:
        raise HandError(f"这一{found.table.rules.words.hand.zh}还没有说完。", "this hand was not entered completely.")
    hands = found.table.ready_hands()
    shown = tuple(hand if value is not None else None for hand, value in zip(hands, ending.ready, strict=True))
    return ending, shown
