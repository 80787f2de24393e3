"""What wins are usually worth at the table: `data/usual.json`, for the keys of the scorekeeper.

python -m quepu.arena.usual     plays the hands again and writes the file
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import quepu
from quepu.arena.hand import play_hand
from quepu.arena.simulate import Plan
from quepu.bots.protocol import make_bot
from quepu.match.settle import settle
from quepu.play_rules import play_rules
from quepu.rulebook import Rulebook
from quepu.table import make_wall

HANDS, SEED, LEVEL, KEPT = 600, 1, "steps", 48


def usual(book: Rulebook, hands: int = HANDS) -> dict[str, int]:
    """What the wins of four bots were worth, flowers left out: value → how often, the most frequent first."""
    plan = Plan(book.id, (LEVEL,) * 4, hands, SEED)
    plan.prepare()
    rules = play_rules(book)
    found: Counter[int] = Counter()
    for at in range(hands):
        bots = [make_bot(LEVEL, (SEED * 1_000_003 + at) * 4 + seat) for seat in range(4)]
        table = play_hand(book, make_wall(SEED, at, flowers=plan.with_flowers), bots, round=at // 4 % 4, rules=rules)
        ending = table.ending
        if ending is not None and ending.winner is not None and ending.score is not None:
            assert settle(ending, book, rules)  # noqa: S101  # a value that cannot be paid is no key
            found[ending.score.total - book.flower_value * ending.score.hand.flower_count] += 1
    return {str(value): n for value, n in sorted(found.most_common(KEPT), key=lambda one: (-one[1], one[0]))}


def path() -> Path:
    """Where the values lie (read again by `quepu.figures`)."""
    return Path(quepu.__file__).parent / "data" / "usual.json"


if __name__ == "__main__":
    told = {book.id: usual(book) for book in quepu.books()}
    path().write_text(json.dumps(told, indent=1) + "\n", "utf-8")
