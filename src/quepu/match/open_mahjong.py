"""Read matches of open_mahjong_unity (Salasasa): 国标 from its JSON with `game_title` and `game_round`.

`game_title` has `rule`, `sub_rule` and the names `p0_name` … `p3_name`; `game_round` has `round_index_1`, …, each with
`current_round` (1-4 East, 5-8 South, …), `seats` (the seat of each of the four; older records leave it out),
`p0_tiles` … by seat (the dealer's fourteenth tile is the last of `p0_tiles`), `tiles_list` (the wall) and
`action_ticks`:

    ["bh", flower, seat, …]  a flower set aside        ["bd", tile, …]  its replacement
    ["d", tile]  a draw      ["gd", tile]  after a kong  ["c", tile, "T" | "F", …]  a discard, as drawn or not
    ["cl" | "cm" | "cr", tile, seat, …]  a chow whose claimed tile is the highest, the middle, the lowest
    ["p", tile, seat, …]     ["g", tile, seat, …]      ["ag", tile, …]  concealed kong   ["jg", tile, …]  added
    ["hu_self" | "hu_first" | …, seat, fan, [fans], [points by seat], …]   ["liuju"]     ["end"]

Tiles are 11-19 万, 21-29 饼, 31-39 条, 41-44 winds, 45 中, 46 白, 47 發, 51-58 flowers. A draw names no seat: after a
discard, it belongs to the next one. Facts from the project's own description of its format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move, distinct
from quepu.tiles import FIRST_FLOWER

_RULES = "guobiao-mcr"
_STANDARD = ("", "guobiao/standard")
_DRAGONS = {46: 33, 47: 32}
_CHOWS = {"cl": -1, "cm": 0, "cr": 1}
"""Offset from the claimed tile to the middle one."""
_QUIET = ("reset", "ca", "end", "ask_hand", "ask_other", "state")
"""Entries that move no tile."""


def is_record(data: Mapping[str, Any]) -> bool:
    """Return whether this is such a record; it may be the value of `record`."""
    return isinstance(_inside(data).get("game_round"), dict)


def _inside(data: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = data.get("record")
    return inner if isinstance(inner, dict) else data


def read_record(data: Mapping[str, Any]) -> ForeignMatch:
    """Read the match in a record.

    Raises:
        ForeignError: it has other rules or is incomplete; with the number of the hand, or of the entry in it.
    """
    data = _inside(data)
    title = data.get("game_title")
    title = title if isinstance(title, dict) else {}
    rule, sub = str(title.get("rule", "guobiao")), str(title.get("sub_rule", ""))
    if rule != "guobiao":
        raise ForeignError(f"只读国标的牌谱，这是“{rule}”。", f"only 国标 is read, and this is {rule!r}.")
    remarks = []
    if sub not in _STANDARD:
        remarks.append(Text(f"子规则“{sub}”按 {_RULES} 计。", f"the variant {sub!r} is counted as {_RULES}."))
    hands = []
    for number in range(1, len(data["game_round"]) + 1):
        one = data["game_round"].get(f"round_index_{number}")
        if not isinstance(one, dict):
            raise ForeignError("没有这一局。", "this hand is missing.", number)
        hands.append(_hand(one, number))
    if any(hand.seats is None for hand in hands):
        remarks.append(Text("没有记座位：按书换座。", "seats are not recorded: they change as the book has it."))
    remarks.append(Text("没有掷骰：开牌位置是假定的。", "no dice are recorded: where the wall was opened is assumed."))
    names = distinct([str(title.get(f"p{i}_name") or "") for i in range(4)])
    return ForeignMatch("open_mahjong", _RULES, names, hands, tuple(remarks))


def tile_of(number: Any, entry: int) -> int:
    """Return the kind for one of their tiles.

    Raises:
        ForeignError: it is not a tile.
    """
    if type(number) is int:
        suit, rank = divmod(number, 10)
        if suit in (1, 2, 3) and rank:
            return 9 * (suit - 1) + rank - 1
        if 41 <= number <= 45:
            return 27 + number - 41
        if number in _DRAGONS:
            return _DRAGONS[number]
        if 51 <= number <= 58:
            return FIRST_FLOWER + number - 51
    raise ForeignError(f"没有“{number}”这张牌。", f"there is no tile {number!r}.", entry)


def _tiles(one: Mapping[str, Any], key: str, number: int) -> list[int]:
    found = one.get(key)
    if not isinstance(found, list):
        raise ForeignError(f"缺少 {key}。", f"{key} is missing.", number)
    return [tile_of(tile, number) for tile in found]


def _hand(one: Mapping[str, Any], number: int) -> ForeignHand:
    hands = [_tiles(one, f"p{seat}_tiles", number) for seat in range(4)]
    round_ = one.get("current_round")
    if type(round_) is not int or round_ < 1 or [len(hand) for hand in hands] != [14, 13, 13, 13]:
        raise ForeignError("配牌或局号不对。", "the dealt tiles or the number of the hand are wrong.", number)
    ticks = one.get("action_ticks")
    if not isinstance(ticks, list) or not all(isinstance(tick, list) and tick for tick in ticks):
        raise ForeignError("缺少 action_ticks。", "action_ticks are missing.", number)
    first = hands[0].pop()
    dealt, moves, flowers, scores, fan, fans = _moves(ticks, hands, first)
    wall = _tiles(one, "tiles_list", number)
    seats = one.get("seats")
    sits = None
    if isinstance(seats, list) and sorted(n for n in seats if type(n) is int) == [0, 1, 2, 3]:
        sits = (seats.index(0), seats.index(1), seats.index(2), seats.index(3))
    elif seats is not None:
        raise ForeignError("座位不对。", "the seats are wrong.", number)
    return ForeignHand(
        (round_ - 1) // 4 % 4,
        dealt,
        flowers,
        moves,
        scores,
        fan,
        rest=wall if len(wall) == 144 else [],
        fans=fans,
        dealership=(round_ - 1) % 4,
        seats=sits,
        by_player=sits is None,  # as in records from before seats were added
    )


_Moved = tuple[tuple[tuple[int, ...], ...], list[Move], tuple[tuple[int, ...], ...], list[int] | None, int | None, str]


def _moves(ticks: Sequence[Sequence[Any]], hands: list[list[int]], first: int) -> _Moved:
    """Return the deal after flowers are replaced, the moves, the flowers, and the result."""
    moves: list[Move] = []
    flowers: list[list[int]] = [[] for _ in range(4)]
    scores: list[int] | None = None
    fan, fans, turn, begun = None, "", 0, False
    waiting: int | None = None  # the seat waiting for the replacement of a dealt flower

    def begin(entry: int) -> None:
        nonlocal begun
        if not begun:
            begun = True
            moves.append(Move("draw", 0, first, entry))

    for entry, tick in enumerate(ticks, 1):
        what, tile = str(tick[0]), tick[1] if len(tick) > 1 else None
        seat = tick[2] if len(tick) > 2 and tick[2] in (0, 1, 2, 3) else turn
        if what == "bh":
            flower = tile_of(tile, entry)
            if not begun and flower in hands[seat]:
                hands[seat].remove(flower)
                flowers[seat].append(flower)
                waiting = seat
            else:
                begin(entry)
                moves.append(Move("flower", seat, flower, entry))
                turn = seat
        elif what == "bd" and waiting is not None:
            hands[waiting].append(tile_of(tile, entry))
            waiting = None
        elif what in ("d", "gd", "bd"):
            begin(entry)
            if what == "d" and moves[-1].what == "play":
                turn = (turn + 1) % 4
            moves.append(Move("draw", turn, tile_of(tile, entry), entry))
        elif what in ("c", "ag", "jg"):
            begin(entry)
            moves.append(Move({"c": "play", "ag": "kong", "jg": "added"}[what], turn, tile_of(tile, entry), entry))
        elif what in ("cl", "cm", "cr", "p", "g"):
            turn = seat
            name = {"p": "pung", "g": "kong"}.get(what, "chow")
            moves.append(Move(name, seat, tile_of(tile, entry) + _CHOWS.get(what, 0), entry))
        elif what.startswith("hu_"):
            begin(entry)
            named = tick[3] if len(tick) > 3 and isinstance(tick[3], list) else []
            if "错和" in named:
                raise ForeignError("错和的局读不了。", "a hand with a false win cannot be read.", entry)
            moves.append(Move("win", tile if tile in (0, 1, 2, 3) else None, None, entry))
            fan = tick[2] if len(tick) > 2 and type(tick[2]) is int else None
            fans = " ".join(str(one).replace("*1", "").replace("*", "×") for one in named)
            points = tick[4] if len(tick) > 4 else None
            scores = list(points) if isinstance(points, list) and [type(n) for n in points] == [int] * 4 else None
            break
        elif what == "liuju":
            moves.append(Move("drawn", None, None, entry))
            break
        elif what not in _QUIET:
            raise ForeignError(f"不认识“{what[:20]}”。", f"{what[:20]!r} is not known.", entry)
    dealt = tuple(tuple(hand) for hand in hands)
    if any(tile >= FIRST_FLOWER for hand in dealt for tile in hand):
        raise ForeignError("有花牌没有补。", "a flower was not replaced.", len(ticks))
    return dealt, moves, tuple(tuple(own) for own in flowers), scores, fan, fans
