"""A whole bot of botzone.org.cn for Chinese-Standard-Mahjong, by simple lines, that keeps running.

It claims nothing, never wins (it does not count) and throws lonely tiles first.
"""

from __future__ import annotations

import sys
from collections import Counter

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def lonely(tile: str, hand: Counter[str]) -> tuple[int, int]:
    """How little a tile goes with the rest: honours alone first, then number tiles without neighbours."""
    suit, rank = tile[0], int(tile[1])
    near = sum(hand[f"{suit}{rank + step}"] for step in (-2, -1, 1, 2)) if suit in "WBT" else 0
    return hand[tile] * 2 + near, 0 if suit in "FJ" else 1


def main() -> None:
    """Read requests, write responses."""
    hand: Counter[str] = Counter()
    seat = "0"
    sys.stdin.readline()  # how many requests there are so far: one
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        answer = "PASS"
        if words[0] == "0":
            seat = words[1]
        elif words[0] == "1":
            hand.update(words[5:18])
        elif words[0] == "2":
            hand[words[1]] += 1
            tile = min((tile for tile in hand if hand[tile]), key=lambda tile: lonely(tile, hand))
            answer = f"PLAY {tile}"
        elif words[:3] == ["3", seat, "PLAY"]:
            hand[words[3]] -= 1
        print(answer)
        print(KEEP_RUNNING, flush=True)


if __name__ == "__main__":
    main()
