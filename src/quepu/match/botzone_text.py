"""Read a match of botzone.org.cn from the platform's published data sets, one move per line.

    Match <id>
    Wind 0..3
    Player <n> Deal <13 tiles>
    Player <n> Draw|Play|Chi|Peng|Gang|AnGang|BuGang|Hu <tile> [Ignore Player <n> <claim> <tile>] …
    Fan <total> <fans, joined by +>      or      Huang
    Score <four numbers>

`Chi` names the middle tile. Claims that lost to a higher one follow `Ignore`. The tile after `Hu` is wrong in one
edition of the data (a win off the wall names the last discard), so nothing is read from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quepu.match.botzone_record import match_of, names_of, read_number, read_tile
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move
from quepu.tiles import FIRST_FLOWER

_MOVES = {
    "Draw": "draw",
    "Play": "play",
    "Chi": "chow",
    "Peng": "pung",
    "Gang": "kong",
    "AnGang": "kong",
    "BuGang": "added",
    "Hu": "win",
}
_BARE = ("Peng", "Gang", "Hu")
_SCORE = re.compile(r"-?\d{1,6}")
"""Claims of the tile on offer: the tile after the word is not needed."""


def is_text(lines: Sequence[str]) -> bool:
    """Return whether these lines are such a data set."""
    return lines[0].startswith(("Match ", "Wind "))


def read_text(lines: Sequence[str]) -> ForeignMatch:
    """Read the one match in these lines; entries are numbered like the lines, from 1.

    Raises:
        ForeignError: there is not exactly one complete match; with the line.
    """
    begins = [number for number, line in enumerate(lines, 1) if line.startswith("Match ")]
    if len(begins) > 1:
        raise ForeignError(
            f"一次导入一局：这里有 {len(begins)} 局。",
            f"import one match at a time: there are {len(begins)}.",
            begins[1],
        )
    wind: int | None = None
    fan, fans, ignored = None, "", 0
    dealt: dict[int, list[int]] = {}
    moves: list[Move] = []
    scores: list[int] | None = None
    for number, line in enumerate(lines, 1):
        words = line.split()
        match words[0], words[1:]:
            case "Match", _:
                pass
            case "Wind", [text]:
                wind = read_number(text, number)
            case "Player", [player, "Deal", *tiles]:
                dealt[read_number(player, number)] = [read_tile(name, number) for name in tiles]
            case "Player", [player, what, tile, *rest] if what in _MOVES:
                seat, kind = read_number(player, number), read_tile(tile, number)
                moves.append(Move(_MOVES[what], seat, None if what in _BARE else kind, number))
                ignored += rest.count("Ignore")
            case "Fan", [total, *named]:
                fan = read_number(total, number, 9999)
                fans = " ".join(named).replace("+", " ").replace("*1", "").replace("*", "×")
            case "Huang", []:
                moves.append(Move("drawn", None, None, number))
            case "Score", [_, _, _, _] as listed if all(map(_SCORE.fullmatch, listed)):
                scores = [int(text) for text in listed]
            case _:
                raise ForeignError(f"不认识“{line[:40]}”。", f"{line[:40]!r} is not known.", number)
    flowers = [tuple(tile for tile in dealt.get(seat, ()) if tile >= FIRST_FLOWER) for seat in range(4)]
    hands = [tuple(tile for tile in dealt.get(seat, ()) if tile < FIRST_FLOWER) for seat in range(4)]
    if wind is None or any(len(hand) != 13 for hand in hands):
        raise ForeignError("没有圈风或四家的配牌。", "the round's wind or a dealt hand is missing.")
    hand = ForeignHand(wind, tuple(hands), tuple(flowers), moves, scores, fan, "", [], fans, ignored)
    return match_of(hand, names_of(None))
