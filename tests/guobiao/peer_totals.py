"""Writes peer_totals.tsv: hands that together show every fan, with the totals that PyMahjongGB gives them.

    python -m tests.guobiao.peer_totals

So the quick tests hold guobiao-mcr to it without needing it installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from quepu.hands.hand import Hand
from quepu.hands.notation import parse, write
from quepu.rulebooks import book
from quepu.scoring.samples import wins
from quepu.tiles import NAMES

FILE = Path(__file__).with_name("peer_totals.tsv")
OFTEN = 6


def lines() -> Iterator[str]:
    """Hands out of many, each of which shows a fan that was not yet shown often enough."""
    from tests.guobiao.peer import peer

    seen: Counter[str] = Counter()
    for hand in wins(book("guobiao-mcr"), 40_000, seed=2024):
        total, fans = peer(hand)
        if min(seen[name] for name in fans) < OFTEN:
            seen.update(fans.keys())
            where = f"{NAMES[hand.seat]}{NAMES[hand.round]}"
            yield "\t".join(map(str, (write(hand), where, hand.luck, hand.flower_count, total)))


def read() -> Iterator[tuple[Hand, int]]:
    """The hands of the file with their totals."""
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        text, where, luck, flowers, total = line.split("\t")
        seat, round = (NAMES.index(wind) for wind in where)
        yield parse(text)._replace(seat=seat, round=round, luck=int(luck), flowers=int(flowers)), int(total)


if __name__ == "__main__":
    FILE.write_text("\n".join(["hand\tseat, round\tluck\tflowers\ttotal", *lines()]) + "\n", encoding="utf-8")
