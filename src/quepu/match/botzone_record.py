"""Read a match of botzone.org.cn (Chinese-Standard-Mahjong) from its JSON: the deal and every move.

`botzone_text` reads the platform's other format, the lines of its published data sets.

Such a record is {"logs": [judge, players, judge, players, …], "initdata", "players", …}. A judge's entry has `output`
with `content`, the message to each player ("0 seat round", "1 flowers… tiles…", "2 tile" for a draw, "3 seat PLAY
tile" and the like for public events), and `display`; the players' entry has their `response`s. Tiles are W (万), B (筒)
and T (索) 1-9, F1-F4 winds, J1-J3 中 發 白, H1-H8 flowers. `output`, its `display` and the match's `initdata` may each
be JSON once more, as a text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.match.foreign_hand import UNKNOWN_RECORD, ForeignError, ForeignHand, ForeignMatch, Move
from quepu.tiles import FIRST_FLOWER, FLOWERED, PLAIN, WINDS_CHINESE, TileSet

_SUITS = {"W": 0, "B": 9, "T": 18, "F": 27, "J": 31, "H": FIRST_FLOWER}
_RANKS = {"W": 9, "B": 9, "T": 9, "F": 4, "J": 3, "H": 8}

_DEALT = 13
_SEATS = ("0", "1", "2", "3")
RULES = "guobiao-mcr"
"""The book of the platform's rules."""


def tile_name(kind: int) -> str:
    """Return the platform's name of a kind: W1 … T9, F1-F4, J1-J3, H1-H8."""
    letter = next(letter for letter in reversed(_SUITS) if _SUITS[letter] <= kind)
    return f"{letter}{kind - _SUITS[letter] + 1}"


def read_tile(name: object, entry: int | None) -> int:
    """Return the kind of a platform tile; `entry` is the number of its entry, if it has one.

    Raises:
        ForeignError: it is not a tile.
    """
    if not isinstance(name, str) or len(name) != 2 or name[0] not in _SUITS or not name[1].isdecimal():
        raise ForeignError(f"不认识的牌“{name}”。", f"{name!r} is not a tile.", entry)
    rank = int(name[1])
    if not 1 <= rank <= _RANKS[name[0]]:
        raise ForeignError(f"没有“{name}”这张牌。", f"there is no tile {name!r}.", entry)
    return _SUITS[name[0]] + rank - 1


def read_number(text: object, entry: int, most: int = 3) -> int:
    """Return a number from 0 to `most`; `entry` is the number of its entry.

    Raises:
        ForeignError: it is not such a number.
    """
    if isinstance(text, str) and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most:
        return int(text)
    shown = text[:20] if isinstance(text, str) else text
    raise ForeignError(
        f"这里应是 0 到 {most} 的数，而不是“{shown}”。", f"{shown!r} is not a number from 0 to {most}.", entry
    )


def _entries(data: Any) -> list[Any]:
    found = data if isinstance(data, list) else data.get("logs", data.get("log")) if isinstance(data, dict) else None
    if isinstance(data, dict) and found is None and "requests" in data:
        raise ForeignError(
            "这只是一家看到的（requests），别家的牌不知道；请下载整局的记录。",
            "this is what one player was sent (requests), without the others' tiles; take the whole match's record.",
        )
    if not isinstance(found, list) or not found:
        raise ForeignError(
            "既不是雀谱的牌谱，也不是 Botzone 的对局记录（没有 logs）。",
            "this is neither a quepu log nor a Botzone match (it has no logs).",
        )
    return found


def _output(entry: Any) -> Mapping[str, Any] | None:
    """Return the judge's output in an entry, or None for an entry of the players."""
    if not isinstance(entry, dict):
        return None
    output = _unpack(entry.get("output", entry))
    return output if isinstance(output, dict) and "command" in output else None


def _unpack(value: Any) -> Any:
    """Return a value, decoded if it is JSON in a string."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def read_record(data: Any) -> ForeignMatch:
    """Read the match in this data.

    Raises:
        ForeignError: it is not a complete match; with the number of the entry.
    """
    entries = _entries(data)
    if not any(map(_output, entries)) and not (isinstance(data, dict) and "logs" in data):
        raise ForeignError(*UNKNOWN_RECORD)
    round_: int | None = None
    dealt: list[tuple[int, ...]] = []
    flowers: list[tuple[int, ...]] = []
    moves: list[Move] = []
    responses: Mapping[str, Any] = {}
    scores: list[int] | None = None
    fan: int | None = None
    fault = fans = ""
    for number, entry in enumerate(entries, 1):
        output = _output(entry)
        if output is None:
            responses = entry if isinstance(entry, dict) else {}
            continue
        content = output.get("content")
        requests = {k: v.split() for k, v in content.items() if isinstance(v, str)} if isinstance(content, dict) else {}
        display = _unpack(output.get("display"))
        shown: Mapping[str, Any] = display if isinstance(display, dict) else {}
        if output["command"] == "finish":
            move, fan, fault = _finish(shown, responses, number)
            moves.append(move)
            fans = _fans(shown.get("fan"))
            scores = _scores(content)
            break
        first = next(iter(requests.values()), None)
        if not first:
            raise ForeignError("裁判没有说话。", "the judge says nothing.", number)
        if first[0] == "0":
            round_ = read_number(first[2] if len(first) > 2 else None, number)
        elif first[0] == "1":
            dealt, flowers = _deal(requests, number)
        else:
            moves += _moves(requests, shown, responses, number)
    if round_ is None or not dealt:
        raise ForeignError(
            "没有四家的配牌，不是国标麻将的整局记录。",
            "the four dealt hands are missing: this is not a complete record.",
        )
    hand = ForeignHand(round_, tuple(dealt), tuple(flowers), moves, scores, fan, fault, _wall_of(data), fans)
    return match_of(hand, names_of(data))


def _scores(content: object) -> list[int] | None:
    """Return the players' scores, or None if they are not four whole numbers."""
    found = [content.get(str(player)) for player in range(4)] if isinstance(content, dict) else []
    whole = [
        int(score) for score in found if isinstance(score, int) or (isinstance(score, float) and score.is_integer())
    ]
    return whole if len(whole) == 4 else None


def match_of(hand: ForeignHand, names: tuple[str, str, str, str]) -> ForeignMatch:
    """Return a match of one hand, with the remarks about this platform's format.

    The platform plays with four own walls, and did so with one shared wall until May 2020.
    """
    own = _own_walls(hand)
    own_order = [tile for tiles in _quarters(hand.rest) for tile in tiles] if own else hand.rest
    hand = hand._replace(own_walls=own, rest=own_order)
    remarks: list[Text] = []
    if not own:
        remarks.append(
            Text("没有掷骰：开牌位置是假定的。", "no dice are recorded: where the wall was opened is assumed.")
        )
    if not hand.rest:
        zh, en = (
            "没摸到的牌不知道次序，按牌种排着。",
            "the order of undrawn tiles is not recorded; they are sorted by kind.",
        )
        remarks.append(Text(zh, en))
    elif not own:
        remarks.append(Text("牌墙不分头尾：没摸到的牌的次序不可靠。", "the order of undrawn tiles is a guess."))
    remarks.append(
        Text("与摸到的相同的牌一律记作摸切。", "a discard like the tile just drawn is taken to be that tile.")
    )
    return ForeignMatch("botzone", RULES, names, [hand], tuple(remarks))


def _quarters(rest: Sequence[int]) -> list[Sequence[int]]:
    """Return each seat's own tiles in the order of drawing; `rest` goes from the end of the platform's wall."""
    each = len(rest) // 4
    return [rest[len(rest) - each * (seat + 1) : len(rest) - each * seat] for seat in range(4)]


def _own_walls(hand: ForeignHand) -> bool:
    """Return whether each seat drew from its own wall, as far as the record shows."""
    if hand.rest:
        dealt = [[*flowers, *tiles] for flowers, tiles in zip(hand.flowers, hand.dealt, strict=True)]
        quarters = _quarters(hand.rest)
        return all(sorted(own[: len(of)]) == sorted(of) for own, of in zip(quarters, dealt, strict=True))
    flowered = any(hand.flowers) or any(move.what == "flower" for move in hand.moves)
    each = (FLOWERED if flowered else PLAIN).size // 4
    drawn = [sum(move.what == "draw" and move.seat == seat for move in hand.moves) for seat in range(4)]
    return all(_DEALT + len(own) + n <= each for own, n in zip(hand.flowers, drawn, strict=True))


def _fans(requests: object) -> str:
    """List the fans of a win: 混一色 箭刻 喜相逢×2."""
    named = [one for one in requests if isinstance(one, dict)] if isinstance(requests, list) else []
    return " ".join(f"{one.get('name')}" + (f"×{one['cnt']}" if one.get("cnt", 1) != 1 else "") for one in named)


def _deal(requests: Mapping[str, Sequence[str]], entry: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return thirteen tiles for each player, and the flowers drawn before them."""
    dealt: list[tuple[int, ...]] = []
    flowers: list[tuple[int, ...]] = []
    for seat in range(4):
        words = requests.get(str(seat), ())
        if len(words) < 18 or words[0] != "1":
            raise ForeignError(
                f"没有{WINDS_CHINESE[seat]}家的配牌。", f"the dealt hand of player {seat} is missing.", entry
            )
        dealt.append(tuple(read_tile(name, entry) for name in words[5:18]))
        if seat == 0:
            counts = [read_number(word, entry, 8) for word in words[1:5]]
            rest = [read_tile(name, entry) for name in words[18:]]
            if sum(counts) != len(rest):
                raise ForeignError("配牌的花牌张数不符。", "the numbers of dealt flowers do not fit.", entry)
            for count in counts:
                flowers.append(tuple(rest[:count]))
                rest = rest[count:]
    return dealt, flowers


def _moves(
    requests: Mapping[str, Sequence[str]], shown: Mapping[str, Any], responses: Mapping[str, Any], entry: int
) -> list[Move]:
    for player, request in requests.items():
        if request[:1] == ["2"] and player in _SEATS and len(request) > 1:
            return [Move("draw", int(player), read_tile(request[1], entry), entry)]
    words = next((request for request in requests.values() if len(request) > 2 and request[0] == "3"), None)
    if words is None:
        raise ForeignError("不认识裁判的话。", "unknown message from the judge.", entry)
    seat, what, tiles = read_number(words[1], entry), words[2], [read_tile(name, entry) for name in words[3:]]
    wanted = {"BUHUA": 1, "PLAY": 1, "PENG": 1, "CHI": 2, "BUGANG": 1}
    if what in wanted and len(tiles) < wanted[what]:
        raise ForeignError(f"{what} 缺少牌。", f"{what} lacks its tile.", entry)
    if what == "DRAW":
        raise ForeignError("不知道摸到了什么。", "which tile was drawn is not recorded.", entry)
    if what == "BUHUA":
        return [Move("draw", seat, tiles[0], entry), Move("flower", seat, tiles[0], entry)]
    if what == "PLAY":
        return [Move("play", seat, tiles[0], entry)]
    if what == "PENG":
        return [Move("pung", seat, None, entry), Move("play", seat, tiles[0], entry)]
    if what == "CHI":
        return [Move("chow", seat, tiles[0], entry), Move("play", seat, tiles[1], entry)]
    if what == "BUGANG":
        return [Move("added", seat, tiles[0], entry)]
    if what == "GANG":
        # a concealed kong's tile is in the player's answer or on display; a claimed one's is the discard
        answer = str(_response(responses, seat)).split()
        name = answer[1] if len(answer) > 1 and answer[0] == "GANG" else shown.get("tile")
        return [Move("kong", seat, None if name is None else read_tile(name, entry), entry)]
    raise ForeignError(f"不认识的动作“{what}”。", f"{what!r} is not an action.", entry)


def _response(responses: Mapping[str, Any], seat: int) -> object:
    answer = responses.get(str(seat))
    return answer.get("response", "") if isinstance(answer, dict) else ""


def _finish(shown: Mapping[str, Any], responses: Mapping[str, Any], entry: int) -> tuple[Move, int | None, str]:
    """Return how the hand ended: the move, the fan reported, and the code of a fault."""
    action, seat = str(shown.get("action", "")), shown.get("player")
    if not action:  # no display: the player who responded
        winner = next((i for i in range(4) if _response(responses, i) == "HU"), None)
        action, seat = ("HUANG", None) if winner is None else ("HU", winner)
    at = seat if isinstance(seat, int) and 0 <= seat < 4 else None
    if action == "HUANG":
        return Move("drawn", None, None, entry), None, ""
    if action == "HU" and at is not None:
        fan = shown.get("fanCnt")
        return Move("win", at, None, entry), fan if isinstance(fan, int) else None, ""
    return Move("fault", at, None, entry), None, action


def _wall_of(data: Any) -> list[int]:
    """Return the platform's wall in the order of drawing (it is taken from the back), if it is given in full."""
    init = _unpack(data.get("initdata")) if isinstance(data, dict) else None
    text = init.get("walltiles") if isinstance(init, dict) else None
    if not isinstance(text, str):
        return []
    try:
        tiles = [read_tile(name, None) for name in reversed(text.split())]
    except ForeignError:
        return []
    return tiles if TileSet.of(tiles) in (PLAIN, FLOWERED) else []


def names_of(data: Any) -> tuple[str, str, str, str]:
    """Return four different names for the players."""
    players = data.get("players") if isinstance(data, dict) else None
    names: list[str] = []
    for seat in range(4):
        name = _find_name(players[seat]) if isinstance(players, list) and len(players) == 4 else ""
        name = name or f"{WINDS_CHINESE[seat]}家"
        names.append(f"{name} {seat + 1}" if name in names else name)
    return names[0], names[1], names[2], names[3]


def _find_name(player: Any) -> str:
    """Find the name of a bot or user at any depth."""
    if isinstance(player, str):
        return player.strip()[:24]
    if isinstance(player, dict):
        for key in ("name", "bot", "user", "nickname"):
            found = _find_name(player.get(key))
            if found:
                return found
    return ""
