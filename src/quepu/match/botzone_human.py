"""Read a hand of the platform's data set of human games, one file each, fields separated by tabs.

    <name of an xml file>
    东|南|西|北  <points>  ['<fan>-<points>', …]  …  荒庄, 自摸 or how else it ended
    <seat>  [<tiles>]  <flowers set aside>                       four lines; the dealer, anyone, has a 14th tile
    <seat>  摸牌|打牌|吃|碰|明杠|暗杠|补杠|补花|补花后摸牌|杠后摸牌|和牌  [<tiles>]  [<claimed tile>  <its seat>]

`吃` lists the three tiles of the chow. A hand that goes on after `和牌` had a false win, where reading stops. Flowers
set aside before the first discard are given as a number only, and the dealer's 14th tile is not told apart: the last
one is taken for the drawn one, or a flower.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quepu.errors import Text
from quepu.match.botzone_record import RULES, names_of, read_number, read_tile
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move
from quepu.tiles import FIRST_FLOWER, FLOWERED, WINDS_CHINESE

_MOVES = {
    "摸牌": "draw",
    "补花后摸牌": "draw",
    "杠后摸牌": "draw",
    "打牌": "play",
    "吃": "chow",
    "碰": "pung",
    "明杠": "kong",
    "暗杠": "kong",
    "补杠": "added",
    "补花": "flower",
    "和牌": "win",
}
_BARE = ("碰", "明杠", "和牌")
"""Moves with the tile on offer: ours name none."""
_FAN = re.compile(r"(.+)-(\d{1,3})")
_REMARKS = (
    Text("没有掷骰：开牌位置是假定的。", "no dice are recorded: where the wall was opened is assumed."),
    Text("没摸到的牌不知道次序，按牌种排着。", "the order of undrawn tiles is not recorded; they are sorted by kind."),
    Text("与摸到的相同的牌一律记作摸切。", "a discard like the tile just drawn is taken to be that tile."),
    Text(
        "庄家的第一张摸牌没有标明，取最后一张。",
        "the dealer's first draw is not marked: the last tile of the hand is taken.",
    ),
)
_ANY_FLOWERS = Text(
    "开局补的花只有张数，是哪几张是假定的。",
    "of flowers set aside at the start only the number is recorded: which ones is assumed.",
)


def is_human(lines: Sequence[str]) -> bool:
    """Return whether these lines are a file of that data set."""
    wind, tab, _ = lines[1].partition("\t") if len(lines) > 2 else ("", "", "")
    return tab == "\t" and wind in WINDS_CHINESE and "\t[" in lines[2]


def read_human(lines: Sequence[str]) -> ForeignMatch:
    """Read the hand in these lines; entries are numbered like the lines, from 1.

    Raises:
        ForeignError: it is not a complete hand; with the line.
    """
    wind, *said = lines[1].split("\t")
    ended = said[-1].strip()
    hands, counts = _read_deal(lines[2:6])
    dealer = next((seat for seat in range(4) if len(hands.get(seat, ())) == 14), None)
    if dealer is None or sorted(map(len, hands.values())) != [13, 13, 13, 14]:
        raise ForeignError(
            "四家的配牌应是 13、13、13、14 张。", "the dealt hands should have 13, 13, 13 and 14 tiles.", 3
        )
    *first, drawn = sorted(hands[dealer], key=lambda tile: tile >= FIRST_FLOWER)  # a stable sort: the last one stays so
    hands[dealer] = first
    if any(tile >= FIRST_FLOWER for hand in hands.values() for tile in hand):
        raise ForeignError("配牌里有没补的花。", "a dealt hand holds flowers that were not replaced.", 3)
    moves = [Move("draw", 0, drawn, 3 + [*hands].index(dealer))]
    fault = ""
    for number, line in enumerate(lines[6:], 7):
        if moves[-1].what == "win":
            moves[-1] = moves[-1]._replace(what="fault")
            fault = "WH"
            break
        moves.append(_read_move(line, number, dealer))
    if ended == "荒庄" and not fault:
        moves.append(Move("drawn", None, None, len(lines)))
    order = [(seat + dealer) % 4 for seat in range(4)]  # from East on
    flowers = _flowers([counts[seat] for seat in order], moves)
    fan, fans = _read_fans(said[1] if len(said) > 2 else "")
    hand = ForeignHand(
        WINDS_CHINESE.index(wind), tuple(tuple(hands[seat]) for seat in order), flowers, moves, None,
        None if ended == "荒庄" else fan, fault, fans=fans,
    )  # fmt: skip
    remarks = (*_REMARKS, _ANY_FLOWERS) if any(flowers) else _REMARKS
    return ForeignMatch("botzone", RULES, names_of(None), [hand], remarks)


def _read_deal(lines: Sequence[str]) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Return the tiles and the number of flowers of each seat, as far as the lines go."""
    hands: dict[int, list[int]] = {}
    counts: dict[int, int] = {}
    for number, line in enumerate(lines, 3):
        seat, tiles, count = [*line.split("\t"), "", ""][:3]
        at = read_number(seat, number)
        hands[at] = _tiles(tiles, number)
        counts[at] = read_number(count.strip(), number, 8)
    return hands, counts


def _tiles(text: str, number: int) -> list[int]:
    return [read_tile(name.strip().strip("'\""), number) for name in text.strip().strip("[]").split(",") if name]


def _read_move(line: str, number: int, dealer: int) -> Move:
    seat, what, listed, *_ = [*line.split("\t"), "", "", ""]
    at, tiles = (read_number(seat, number) - dealer) % 4, _tiles(listed, number)
    if what not in _MOVES:
        raise ForeignError(f"不认识的动作“{what[:20]}”。", f"{what[:20]!r} is not an action.", number)
    if what in _BARE:
        return Move(_MOVES[what], at, None, number)
    if not tiles or (what == "吃" and len(tiles) != 3):
        raise ForeignError(f"“{what}”缺少牌。", f"{what} lacks its tiles.", number)
    return Move(_MOVES[what], at, sorted(tiles)[1] if what == "吃" else tiles[0], number)


def _flowers(counts: Sequence[int], moves: Sequence[Move]) -> tuple[tuple[int, ...], ...]:
    """Return flowers for each seat's number of them, among those that no move names.

    Raises:
        ForeignError: there are more than eight.
    """
    later = {move.tile for move in moves}
    free = [tile for tile in dict.fromkeys(FLOWERED.tiles) if tile >= FIRST_FLOWER and tile not in later]
    if sum(counts) > len(free):
        raise ForeignError("花牌超过八张。", "there are more than eight flowers.", 3)
    ends = [sum(counts[: seat + 1]) for seat in range(4)]
    return tuple(tuple(free[end - count : end]) for end, count in zip(ends, counts, strict=True))


def _read_fans(text: str) -> tuple[int | None, str]:
    """Return the points of the fans listed, without flowers, and their names.

    The points are None if one has no number: the set has such fans.
    """
    names = [name.strip().strip("'\"") for name in text.strip().strip("[]").split(",")]
    found = [(name, _FAN.fullmatch(name)) for name in names if name]
    counted = [match and (match[1], int(match[2])) for _, match in found]
    points = [value for one in counted if one for name, value in [one] if name != "花牌"]
    return (sum(points) if found and all(counted) else None), " ".join(m[1] if m else name for name, m in found)
