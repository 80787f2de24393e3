"""Read a match of botzone.org.cn from the platform's published data sets, one move per line.

    Match <id>
    Wind 0..3
    Player <n> Deal <13 tiles>
    Player <n> Draw|Play|Chi|Peng|Gang|AnGang|BuGang|Hu <tile> [Ignore Player <n> <claim> <tile>] …
    Fan <total> <fans, joined by +>      or      Huang
    Score <four numbers>

`Chi` names the middle tile. Claims that lost to a higher one follow `Ignore`. The tile after `Hu` of a self-drawn win
is the last discard instead of the tile drawn: the draw is used, and the difference reported. Seats and winds are
0 East, 1 South, 2 West, 3 North, as the hands show; the README of the data has another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from quepu.errors import Text
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
_WRONG_TILE = Text(
    "自摸的和牌写的不是摸到的那张，这里按摸到的算。",
    "a self-drawn win names another tile than the one drawn, which is used.",
)
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
    remarks: list[Text] = []
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
                last = moves[-1] if moves else None
                if what == "Hu" and last is not None and (last.what, last.seat) == ("draw", seat) and last.tile != kind:
                    remarks.append(_WRONG_TILE)
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
    found = match_of(hand, names_of(None))
    return found._replace(remarks=(*found.remarks, *remarks))


def split_matches(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield each match in the lines of a data set, with the number of its first line, from 1.

    The first one may lack its `Match` line.
    """
    begins = [at for at, line in enumerate(lines) if at == 0 or line.startswith("Match ")]
    for first, after in pairwise([*begins, len(lines)]):
        yield first + 1, lines[first:after]
