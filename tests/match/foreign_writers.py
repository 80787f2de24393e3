"""What other programs would have written down of hands that our table played: the importers' counterparts."""

from __future__ import annotations

import base64
import json
import zlib
from collections import defaultdict
from typing import Any

from quepu.table import Table
from quepu.table.facts import Fact
from quepu.tiles import FIRST_FLOWER, WINDS

SUITS = (0, 2, 1)  # 万 条 饼: where ours stand in theirs


def _base(kind: int) -> int:
    return 9 * SUITS[kind // 9] + kind % 9 if kind < 27 else kind


def tziakcha(table: Table, hand: int, names: list[str], scores: list[int] | None = None) -> dict[str, Any]:
    """A hand of 雀渣; `names` from East on."""
    copies: dict[int, int] = defaultdict(int)
    numbers: dict[int, list[int]] = defaultdict(list)
    wall = []
    for kind in table.wall.tiles:
        number = 136 + kind - FIRST_FLOWER if kind >= FIRST_FLOWER else 4 * _base(kind) + copies[kind]
        copies[kind] += 1
        numbers[kind].append(number)
        wall.append(number)
    actions: list[list[int]] = []
    events = list(table.events)
    begun, turn, last = False, 0, -1
    skip = 0
    for at, event in enumerate(events):
        if skip:
            skip -= 1
            continue
        _, seat, tile, low, *_ = Fact.of(event)
        number = numbers[tile][0] if tile is not None and tile in numbers else 0
        kong = 0 if tile is None else _base(tile) if tile < FIRST_FLOWER else 0
        head = 16 * (seat or 0)
        match event.tag:
            case "draw" if not begun:
                begun, turn = True, 0
                while events[at + skip + 1].tag == "flower" and events[at + skip + 2].tag == "replace":
                    flower, drawn = events[at + skip + 1], events[at + skip + 2]
                    actions.append([1, (flower.tile - FIRST_FLOWER << 8) + numbers[drawn.tile][0], 0])  # type: ignore[attr-defined]
                    skip += 2
                actions.append([0, 0, 0])
            case "flower":
                drawn = events[at + 1]
                assert drawn.tag == "replace"
                actions.append([head + 1, (tile - FIRST_FLOWER << 8) + numbers[drawn.tile][0], 0])  # type: ignore[attr-defined,operator]
                skip = 1
            case "draw" | "replace":
                actions.append([head + 7, number + (256 if event.tag == "replace" else 0), 0])
            case "discard":
                actions.append([head + 2, number, 0])
                turn, last = seat or 0, tile or 0
            case "chow":
                actions.append([head + 3, _base((low or 0) + 1) + (3 << 6), 0])
            case "pung":
                actions.append([head + 4, _base(last) + ((turn - (seat or 0)) % 4 << 6), 0])
            case "kong":
                actions.append([head + 5, _base(last) + ((turn - (seat or 0)) % 4 << 6), 0])
            case "concealed":
                actions.append([head + 5, kong, 0])
            case "added":
                actions.append([head + 5, kong + 0x300, 0])
            case "win":
                actions.append([head + 6, 2, 0])
    ending = table.ending
    assert ending is not None
    step: dict[str, Any] = {
        "w": "".join(f"{number:02x}" for number in wall),
        "d": sum(die << 4 * i for i, die in enumerate(table.wall.dice)),
        "i": hand,
        "p": [{"i": name, "n": name} for name in names],
        "a": actions,
        "b": 0 if not ending.winners else 1 << ending.winners[0].seat,
        "y": [{} if (win := ending.win_of(seat)) is None else {"f": win.points} for seat in range(4)],
    }
    if scores is not None:
        step["s"] = scores
    return step


def packed(step: dict[str, Any]) -> dict[str, Any]:
    """The older form of a hand."""
    return {"script": base64.b64encode(zlib.compress(json.dumps(step).encode())).decode()}


def _salasasa(kind: int) -> int:
    if kind >= FIRST_FLOWER:
        return 51 + kind - FIRST_FLOWER
    if kind < 27:
        return 10 * (kind // 9 + 1) + kind % 9 + 1
    return {31: 45, 32: 47, 33: 46}.get(kind, 41 + kind - 27)


def open_mahjong(tables: list[Table], seats: list[list[int]] | None = None) -> dict[str, Any]:
    """A match of open_mahjong_unity; `seats` of each hand."""
    rounds = {}
    for number, table in enumerate(tables, 1):
        hands: list[list[int]] = [[] for _ in range(4)]
        ticks: list[list[Any]] = []
        begun = False
        for event in table.events:
            _, seat, tile, low, *_ = Fact.of(event)
            name = 0 if tile is None else _salasasa(tile)
            match event.tag:
                case "deal":
                    hands[seat or 0] = [_salasasa(one) for one in event.tiles]  # type: ignore[attr-defined]
                case "draw" if not begun:
                    begun = True
                    hands[0].append(name)
                    ticks.append(["reset", 0])
                case "draw":
                    ticks.append(["d", name])
                case "flower":
                    ticks.append(["bh", name, seat, "T"])
                case "replace":
                    ticks.append(["bd", name, seat] if ticks[-1][0] == "bh" else ["gd", name])
                case "discard":
                    ticks.append(["c", name, "F"])
                case "chow":
                    code = {0: "cr", 1: "cm", 2: "cl"}[(tile or 0) - (low or 0)]
                    ticks.append([code, name, seat, 0, 0])
                case "pung" | "kong":
                    ticks.append([{"pung": "p", "kong": "g"}[event.tag], name, seat, 0, 0])
                case "concealed" | "added":
                    ticks.append([{"concealed": "ag", "added": "jg"}[event.tag], name, "F"])
                case "win":
                    ticks.append(["hu_self", seat, table.ending.winners[0].points, ["花牌*1"], [0, 0, 0, 0]])  # type: ignore[union-attr]
                case "exhausted":
                    ticks.append(["liuju"])
        rounds[f"round_index_{number}"] = {
            "current_round": number,
            **({} if seats is None else {"seats": seats[number - 1]}),
            **{f"p{seat}_tiles": hands[seat] for seat in range(4)},
            "tiles_list": [_salasasa(kind) for kind in table.wall.order()],
            "action_ticks": [*ticks, ["end"]],
        }
    title = {
        "rule": "guobiao",
        "sub_rule": "guobiao/standard",
        **{f"p{i}_name": name for i, name in enumerate("甲乙丙丁")},
    }
    return {"game_title": title, "game_round": rounds}


def mjai(tables: list[Table], names: list[str]) -> list[str]:
    """A stream of events; the dealer of hand n is player n."""
    from quepu.table.wall import TILE_NAMES

    lines: list[dict[str, Any]] = [{"type": "start_game", "names": names}]
    for dealer, table in enumerate(tables):
        tehais: list[list[str]] = [[] for _ in range(4)]
        rest: list[dict[str, Any]] = []
        for event in table.events:
            _, seat, tile, low, *_ = Fact.of(event)
            actor = ((seat or 0) + dealer) % 4
            pai = TILE_NAMES[tile] if tile is not None else ""
            match event.tag:
                case "deal":
                    tehais[actor] = [TILE_NAMES[one] for one in event.tiles]  # type: ignore[attr-defined]
                case "draw" | "replace":
                    rest.append({"type": "tsumo", "actor": actor, "pai": pai})
                case "flower":
                    rest.append({"type": "flower", "actor": actor, "pai": pai})
                case "discard":
                    rest.append({"type": "dahai", "actor": actor, "pai": pai, "tsumogiri": False})
                case "chow":
                    used = [TILE_NAMES[one] for one in range(low or 0, (low or 0) + 3) if one != tile]
                    rest.append({"type": "chi", "actor": actor, "pai": pai, "consumed": used})
                case "pung" | "kong":
                    rest.append({"type": {"pung": "pon", "kong": "daiminkan"}[event.tag], "actor": actor, "pai": pai})
                case "concealed":
                    rest.append({"type": "ankan", "actor": actor, "consumed": [pai] * 4})
                case "added":
                    rest.append({"type": "kakan", "actor": actor, "pai": pai})
                case "win":
                    rest.append({"type": "hora", "actor": actor})
                case "exhausted":
                    rest.append({"type": "ryukyoku"})
        lines.append({"type": "start_kyoku", "bakaze": WINDS[0], "kyoku": dealer + 1, "tehais": tehais})
        lines += [*rest, {"type": "end_kyoku"}]
    return [json.dumps(line) for line in [*lines, {"type": "end_game"}]]
