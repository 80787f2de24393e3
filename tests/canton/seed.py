"""Reads the example hands out of the text of seed 004 and finds circumstances under which each shows its pattern.

    python -m tests.canton.seed SEED.txt > src/quepu/rulebooks/canton/examples.toml

The seed itself is not in the repository; the file made from it is, and `test_examples.py` holds it to the book.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

from quepu.errors import Error
from quepu.hands.hand import FLOWER_NUMBER, Hand, Luck, Meld, MeldKind
from quepu.hands.notation import tiles, write
from quepu.rulebooks import book
from quepu.rulebooks.canton.circumstance_bits import CIRCUMSTANCES
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand
from quepu.tiles import EAST

TILE_CHARACTERS = set("一二三四五六七八九万筒索东南西北中发白")
FLOWER_CHARACTERS = set(FLOWER_NUMBER)
UNBULLETED = {"东东东东发发": "十八罗汉"}
"""An example whose own bullet is lost, by its end (ruling A22)."""
LOST = {"全不靠": "E1", "三色连刻": "E2"}
"""Rulings on the two examples that cannot show their pattern."""
IN_TEXT = {"杠上开花": "杠上开花", "七抢一": "七抢一", "花糊": "花糊", "八仙过海": "八仙过海", "十三不搭": "第一圈"}
"""Circumstances that the entry itself is about."""


def bullets(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each pattern's name as the seed writes it (up to a bracket, slash or footnote) with the lines below it."""
    body = text.split("零番\n", 1)[1].split("注释\n", 1)[0]
    name, lines = "", []
    for line in (raw.strip() for raw in body.splitlines()):
        if line.startswith("•"):
            if name:
                yield name, lines
            head = re.split("[:：]", line.lstrip("• "), maxsplit=1)[0]
            name, lines = (head if "全大" in head else re.split(r"[(（/\[]", head)[0]), []
        elif line and not re.fullmatch(r"[零一两三四五七八十二]+番|\[编辑\]", line):
            lines.append(line)
    yield name, lines


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Every example hand: the pattern it stands under and its tiles as the seed writes them."""
    for name, lines in bullets(text):
        for line in lines:
            example = re.sub(r"\(.*?\)", "", line.removeprefix("例").lstrip(":： "))
            shown = re.sub(r"[ }+]", "", example)
            if len(shown) >= 5 and set(shown) <= TILE_CHARACTERS | FLOWER_CHARACTERS:
                under = next((fan for end, fan in UNBULLETED.items() if shown.endswith(end)), name)
                yield under, example.strip()


def split(example: str) -> tuple[list[int], int | None, list[int]]:
    """Kinds, the winning tile where a plus marks it, and flowers."""
    flowers = [FLOWER_NUMBER[c] for c in example if c in FLOWER_CHARACTERS]
    plain = "".join(c for c in example if c not in FLOWER_CHARACTERS | {"}"})
    before, _, after = plain.partition("+")
    first = tiles(before) if before.strip() else ()
    rest = tiles(after) if after.strip() else ()
    return [*first, *rest], rest[-1] if rest else None, flowers


def arrangements(kinds: list[int], marked: int | None) -> Iterator[Hand]:
    """Ways to hold these tiles, plainest first: kongs where there are too many, then what is melded, then the win."""
    fours = sorted({k for k in kinds if kinds.count(k) == 4})
    kongs = max(0, len(kinds) - 14)
    for sets in range(4):
        for konged in combinations(fours, kongs):
            for how in product((MeldKind.CONCEALED_KONG, MeldKind.KONG), repeat=kongs):
                own = sorted(k for k in kinds if k not in konged)
                melds = tuple(Meld(kind, tile) for kind, tile in zip(how, konged, strict=True))
                for claimed in claims(own, sets):
                    rest = list(own)
                    for meld in claimed:
                        for tile in meld.tiles:
                            rest.remove(tile)
                    for winning in sorted(set(rest), reverse=True):
                        if marked in (None, winning):
                            held = list(rest)
                            held.remove(winning)
                            yield Hand(tuple(held), (*melds, *claimed), winning)


def claims(own: list[int], n: int) -> Iterator[tuple[Meld, ...]]:
    """Every way to have claimed n sets out of these tiles."""
    held = set(own)
    possible = [Meld(MeldKind.PUNG, k) for k in sorted(held) if own.count(k) >= 3]
    possible += [Meld(MeldKind.CHOW, k) for k in sorted(held) if k < 27 and k % 9 < 7 and {k + 1, k + 2} <= held]
    for some in combinations(possible, n):
        in_melds = [tile for meld in some for tile in meld.tiles]
        if all(in_melds.count(k) <= own.count(k) for k in in_melds):
            yield some


def shown(rules: Rulebook, fan: str, example: str) -> tuple[Hand, list[str], Score] | None:
    """The first arrangement under which the pattern is counted in the best reading."""
    kinds, marked, flowers = split(example)
    circumstance = IN_TEXT.get(fan)
    if not kinds:  # flowers alone: any tiles do where they win by themselves, any win elsewhere
        alone = "一万五万九万二筒四筒六筒八筒三索七索东西中发"
        kinds = list(tiles(alone if circumstance else "一筒二筒三筒三索三索三索五索六索七索六万七万八万东东"))
    for drawn in (False, True):
        luck = int(CIRCUMSTANCES[circumstance]) if circumstance else 0
        luck |= int(Luck.SELF_DRAW) if drawn else 0
        names = ["自摸"] if luck & Luck.SELF_DRAW else []
        names += [circumstance] if circumstance else []
        for hand in [Hand(tuple(kinds))] if len(kinds) == 13 else arrangements(kinds, marked):
            if luck & Luck.KONG_DRAW and not any(meld.kind >= MeldKind.KONG for meld in hand.melds):
                continue
            whole = hand._replace(luck=luck, seat=EAST + 1, flowers=tuple(sorted(flowers)))
            try:
                score = score_hand(whole, rules)
            except Error:
                continue
            if any(line.name == fan for line in score.fans):
                return whole, names, score
    return None


def main() -> None:
    """Write the file."""
    rules = book("canton")
    found = list(examples(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print(f"# The {len(found)} example hands of seed 004, in its order. `said` is the hand as the seed writes it, read")
    print("# by a program; `hand` lays it out under circumstances in which the pattern counts (seat S, round E, what")
    print("# is claimed, the winning tile and where needed the self-draw are constructed, the plainest that do).")
    print("# `ruling` explains those that cannot show their pattern.")
    for fan, example in found:
        answer = shown(rules, fan, example)
        print("\n[[example]]")
        print(f'fan = "{fan}"')
        print(f'said = "{example}"')
        if answer is None:
            print(f'ruling = "{LOST[fan]}"')
            continue
        hand, names, _ = answer
        print(f'hand = "{write(hand)}"')
        if names:
            print("circumstances = [" + ", ".join(f'"{name}"' for name in names) + "]")
        if isinstance(hand.flowers, tuple) and hand.flowers:
            named = [flower for flower, number in FLOWER_NUMBER.items() if number in hand.flowers]
            print("flowers = [" + ", ".join(f'"{name}"' for name in named) + "]")


if __name__ == "__main__":
    main()
