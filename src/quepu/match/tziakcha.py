"""Read records of 雀渣 (tziakcha.net): one hand, or a session of them.

A hand is {"step": {…}}, or {"script": base64 of its zlib-packed JSON}. In it `p` are the four players from East on
(`n` their names, `i` their ids), `i` the number of the hand from 0, `w` the wall (two hexadecimal digits a tile, East's
side first), `d` four dice (four bits each, the first lowest), `a` the actions, `s` the points of each seat, `b` who won
and who dealt in, `y` the fans of the win (`f` in all). Tiles are numbers 0-143: four of a kind after each other,
万 条 饼, winds, 中 發 白, then the flowers. An action is [seat * 16 + kind, data, milliseconds]:

    kind | what happened         | data
    -----|-----------------------|-----
    0    | the play begins       |
    1    | a flower is replaced  | low byte the tile drawn, bits 8-11 the flower
    2    | a discard             | low byte the tile; bit 8: from the hand
    3    | a chow                | bits 0-5 the kind in the middle; 0: a claim that lost
    4    | a pung                | bits 0-5 the kind; 0: a claim that lost
    5    | a kong                | bits 0-5 the kind, 6-7 from whom (0: concealed), 8-9 both set: added
    6    | a win                 | bits 1… the fan; 0: a claim that lost
    7    | a draw                | low byte the tile; bit 8: from the tail
    8, 9 | passed                |

Facts from public converters (tziakcha-stats/tziakcha-fetcher, Choimoe/tziakcha_record_reader).
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move, distinct
from quepu.table.wall import Wall, WallError, check_wall, dealt_places
from quepu.tiles import FIRST_FLOWER, PLAIN

_RULES = "guobiao-mcr"
_TILES = 144
_PACKED_MOST = 4 << 20
"""The most bytes of an unpacked script; a hand has about ten thousand."""
_START, _FLOWER, _DISCARD, _CHOW, _PUNG, _KONG, _WIN, _DRAW = range(8)
_REMARKS = (Text("思考的时间和“过”没有保留。", "times and passes are not kept."),)


def is_record(data: Mapping[str, Any]) -> bool:
    """Return whether this is such a record."""
    records = data.get("records")
    if isinstance(records, list) and records and isinstance(records[0], dict):
        data = records[0]
    return "script" in data or (isinstance(data.get("step"), dict) and "w" in data["step"])


def read_record(data: Mapping[str, Any]) -> ForeignMatch:
    """Read the match in a record.

    Raises:
        ForeignError: it is incomplete; with the number of the hand, or of the action in it.
    """
    records = data.get("records")
    several = records if isinstance(records, list) else [data]
    steps = [_step(one, number) for number, one in enumerate(several, 1)]
    steps.sort(key=lambda step: step["i"])
    people: list[tuple[str, str]] = []
    for step in steps:
        for one in _players(step):
            if one not in people:
                people.append(one)
    if len(people) != 4:
        raise ForeignError("不是同样的四个人。", "these are not the same four players.")
    hands = [_hand(step, tuple(people.index(one) for one in _players(step))) for step in steps]
    return ForeignMatch("tziakcha", _RULES, distinct([name for _, name in people]), hands, _REMARKS)


def _step(record: Any, number: int) -> dict[str, Any]:
    """Return a hand as plain data; all of it is validated before anything is read."""
    step = record.get("step") if isinstance(record, dict) else None
    if step is None and isinstance(record, dict) and isinstance(record.get("script"), str):
        try:
            unpacker = zlib.decompressobj()
            packed = unpacker.decompress(base64.b64decode(record["script"], validate=True), _PACKED_MOST)
            step = json.loads(packed) if unpacker.eof else None
        except (binascii.Error, zlib.error, ValueError, RecursionError):
            step = None
    if not isinstance(step, dict) or not _has_whole_wall(step):
        raise ForeignError("不是雀渣的完整牌谱。", "this is not a complete tziakcha record.", number)
    return step


def _has_whole_wall(step: Mapping[str, Any]) -> bool:
    wall, actions, players = step.get("w"), step.get("a"), step.get("p")
    return (
        isinstance(wall, str)
        and len(wall) == 2 * _TILES
        and all(letter in "0123456789abcdefABCDEF" for letter in wall)
        and all(type(step.get(key)) is int and step[key] >= 0 for key in ("d", "i"))
        and isinstance(players, list)
        and len(players) == 4
        and all(isinstance(one, dict) for one in players)
        and isinstance(actions, list)
        and all(
            isinstance(one, list) and len(one) > 1 and all(type(value) is int and value >= 0 for value in one[:2])
            for one in actions
        )
    )


def _players(step: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the id and the name of the players at East, South, West and North."""
    return [(str(one.get("i") or one.get("n")), str(one.get("n") or "")) for one in step["p"]]


def tile_of(number: int, entry: int | None) -> int:
    """Return the kind for one of their tiles; `entry` is the number of its action (None: a tile of the wall).

    Raises:
        ForeignError: it is not a tile.
    """
    if not 0 <= number < _TILES:
        raise ForeignError(f"没有 {number} 这张牌。", f"there is no tile {number}.", entry)
    kind = number >> 2
    if kind >= 34:  # one of each flower
        return FIRST_FLOWER + number - 136
    if kind >= 27:
        return kind
    suit, rank = divmod(kind, 9)
    return (0, 18, 9)[suit] + rank  # 万 条 饼


def _hand(step: Mapping[str, Any], seats: Sequence[int]) -> ForeignHand:
    wall = Wall(
        tuple(tile_of(int(step["w"][at : at + 2], 16), None) for at in range(0, 2 * _TILES, 2)),
        (step["d"] & 15, step["d"] >> 4 & 15, step["d"] >> 8 & 15, step["d"] >> 12 & 15),
    )
    try:
        check_wall(wall, PLAIN)
    except WallError as wrong:
        raise ForeignError(*wrong.text) from wrong
    order = wall.order()
    hands = [[order[at] for at in dealt_places(seat)] for seat in range(4)]
    flowers: list[list[int]] = [[] for _ in range(4)]
    moves, ignored = _moves(step["a"], hands, flowers, order[52])
    won, fan = _find_winner(step)
    scores = step.get("s")
    points = list(scores) if isinstance(scores, list) and [type(n) for n in scores] == [int] * 4 else None
    if not moves or moves[-1].what != "win":
        moves.append(Move("drawn", None, None, len(step["a"])))
    elif won is not None and moves[-1].seat != won:
        raise ForeignError("和家与动作不符。", "the winner is another than the actions say.", len(step["a"]))
    return ForeignHand(
        step["i"] // 4 % 4,
        tuple(tuple(hand) for hand in hands),
        tuple(tuple(own) for own in flowers),
        moves,
        points,
        fan,
        rest=order,
        ignored=ignored,
        wall=wall,
        dealership=step["i"] % 4,
        seats=(seats[0], seats[1], seats[2], seats[3]),
    )


def _find_winner(step: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the winner by the result (None: no winner), and the fan."""
    mask = step.get("b")
    winner = (mask & 15).bit_length() - 1 if type(mask) is int and mask & 15 else None
    rows = step.get("y")
    row = rows[winner] if isinstance(rows, list) and winner is not None and winner < len(rows) else None
    fan = row.get("f") if isinstance(row, dict) else None
    return winner, fan if type(fan) is int else None


def _moves(
    actions: Sequence[Sequence[int]], hands: list[list[int]], flowers: list[list[int]], first: int
) -> tuple[list[Move], int]:
    """Return the moves and the number of losing claims; flowers replaced before the play are taken out of the hands."""
    moves: list[Move] = []
    ignored, begun, dealer_first = 0, False, first
    for entry, (head, data, *_) in enumerate(actions, 1):
        seat, kind = head >> 4 & 3, head & 15
        tile, meld = data & 255, data & 63
        if kind == _START and not begun:
            begun = True
            moves.append(Move("draw", 0, dealer_first, entry))
        elif kind == _FLOWER:
            flower, drawn = tile_of((data >> 8 & 15) + 136, entry), tile_of(tile, entry)
            if not begun and flower in hands[seat]:
                hands[seat].remove(flower)
                hands[seat].append(drawn)
                flowers[seat].append(flower)
            elif not begun:  # the dealer's fourteenth tile
                moves += [Move("draw", 0, dealer_first, entry), Move("flower", seat, flower, entry)]
                dealer_first = drawn
            else:
                moves += [Move("flower", seat, flower, entry), Move("draw", seat, drawn, entry)]
        elif kind == _DISCARD:
            moves.append(Move("play", seat, tile_of(tile, entry), entry))
        elif kind in (_CHOW, _PUNG, _KONG, _WIN) and not data:
            ignored += 1
        elif kind == _CHOW:
            if not meld and not (moves and moves[-1].what == "play"):
                raise ForeignError("吃的不是刚打出的牌。", "what is claimed was not just discarded.", entry)
            middle = tile_of(meld << 2, entry) if meld else moves[-1].tile  # 0: the claimed tile is the middle one
            moves.append(Move("chow", seat, middle, entry))
        elif kind == _PUNG:
            moves.append(Move("pung", seat, tile_of(meld << 2, entry), entry))
        elif kind == _KONG:
            what = "added" if data & 0x300 == 0x300 else "kong"
            moves.append(Move(what, seat, tile_of(meld << 2, entry), entry))
        elif kind == _WIN:
            moves.append(Move("win", seat, None, entry))
            break
        elif kind == _DRAW:
            moves.append(Move("draw", seat, tile_of(tile, entry), entry))
    return moves, ignored
