"""Read streams of events in the style of mjai, for four players and Chinese rules.

*Untested*: no real record of Chinese rules was available.

Each line is a JSON object with a `type`; `actor` is a player from 0, who stays the same for the whole match.

    start_game    names, rulebook (its id, also read from `rules`; 国标 if both are left out)
    start_kyoku   bakaze ("E" …), kyoku (1-4) or oya, tehais (thirteen tiles of each player)
    tsumo         actor, pai                        flower   actor, pai (set aside; a tsumo follows)
    dahai         actor, pai, tsumogiri
    chi, pon, daiminkan   actor, target, pai, consumed
    ankan         actor, consumed                   kakan    actor, pai
    hora          actor, target, deltas             ryukyoku
    end_kyoku, end_game

Tiles are 1m-9m, 1p-9p, 1s-9s, E S W N, P F C (白 發 中), and f1-f8 or 春 … for flowers; 0m 0p 0s and 5mr … are fives.
Riichi, dora and their scores do not apply to these rules: they are left out with a remark if a rulebook is named, and a
stream without one is refused as a game of riichi.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move, distinct
from quepu.table.wall import TILE_NAMES
from quepu.tiles import FIRST_FLOWER, WINDS

_RULES = "guobiao-mcr"
_KINDS = {name: kind for kind, name in enumerate(TILE_NAMES)} | {f"f{i + 1}": FIRST_FLOWER + i for i in range(8)}
_FIVES = {"0m": "5m", "0p": "5p", "0s": "5s", "5mr": "5m", "5pr": "5p", "5sr": "5s"}
_FLOWERS = ("flower", "bonus", "nukidora")
_QUIET = ("none", "reach", "reach_accepted", "dora", "end_kyoku", "end_game", "hello")
_FOREIGN = {"reach": Text("立直", "riichi"), "dora": Text("宝牌", "dora")}
_NO_DORA = (None, "?", "N")
"""The `dora_marker` of a deal without dora; quepu's own streams have N."""


def is_stream(lines: Sequence[str]) -> bool:
    """Return whether these lines are such a stream."""
    if not lines[0].lstrip().startswith("{"):
        return False
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("type") in ("start_game", "start_kyoku")


def read_stream(lines: Sequence[str]) -> ForeignMatch:
    """Read the match in these lines; entries are numbered like the lines, from 1.

    Raises:
        ForeignError: it is incomplete, only one player's view, or a game of riichi; with the line.
    """
    names, rules = ["", "", "", ""], _RULES
    book_named = False
    hands: list[ForeignHand] = []
    left: set[str] = set()
    open_hand: _Hand | None = None
    for entry, line in enumerate(lines, 1):
        event = _event(line, entry)
        kind = str(event.get("type"))
        if not book_named and _is_riichi(kind, event):
            raise ForeignError(
                "这是立直麻将的牌谱（有立直或宝牌），雀谱没有立直麻将。",
                "this is a game of riichi mahjong (it has riichi or dora), which quepu does not play.",
                entry,
            )
        if kind == "start_game":
            given = event.get("names")
            if isinstance(given, list) and len(given) == 4:
                names = [str(name) for name in given]
            named = event.get("rulebook", event.get("rules"))
            book_named = isinstance(named, str)  # jansou's `rules` is a table of riichi settings
            rules = str(named) if book_named else rules
        elif kind == "start_kyoku":
            if open_hand is not None:
                hands.append(open_hand.finish(entry))
            open_hand = _Hand(event, entry)
        elif kind in _QUIET:
            left |= {kind} & set(_FOREIGN)
            if kind == "end_kyoku" and open_hand is not None:
                hands.append(open_hand.finish(entry))
                open_hand = None
        elif open_hand is None:
            raise ForeignError("还没有配牌。", "nothing has been dealt yet.", entry)
        else:
            open_hand.read_line(kind, event, entry)
    if open_hand is not None:
        hands.append(open_hand.finish(len(lines)))
    remarks = [
        Text("没有掷骰：开牌位置是假定的。", "no dice are recorded: where the wall was opened is assumed."),
        Text(
            "没摸到的牌不知道次序，按牌种排着。", "the order of undrawn tiles is not recorded; they are sorted by kind."
        ),
        Text("这个读法没有用真实的牌谱验证过。", "this reader has not been tested on real records."),
    ]
    remarks += [Text(f"{_FOREIGN[kind].zh}没有保留。", f"{_FOREIGN[kind].en} is not kept.") for kind in sorted(left)]
    return ForeignMatch("mjai", rules, distinct(names), hands, tuple(remarks))


def _is_riichi(kind: str, event: Mapping[str, Any]) -> bool:
    """Return whether an event only occurs in riichi mahjong."""
    return kind in ("reach", "reach_accepted", "dora") or (
        kind == "start_kyoku" and event.get("dora_marker") not in _NO_DORA
    )


def _event(line: str, entry: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ForeignError("这一行不是 JSON。", "this line is not valid JSON.", entry)
    return found


def tile_of(name: Any, entry: int) -> int:
    """Return the kind for a tile's name.

    Raises:
        ForeignError: it is not a tile.
    """
    kind = _KINDS.get(_FIVES.get(name, name)) if isinstance(name, str) else None
    if name == "?":
        raise ForeignError(
            "这只是一家看到的，别家的牌不知道。", "this is what one player saw, without the others' tiles.", entry
        )
    if kind is None:
        raise ForeignError(f"不认识的牌“{name}”。", f"{name!r} is not a tile.", entry)
    return kind


class _Hand:
    """A hand while its lines are being read."""

    def __init__(self, event: Mapping[str, Any], entry: int) -> None:
        wind, number = event.get("bakaze", "E"), event.get("kyoku", 1)
        dealer = event.get("oya", number - 1 if type(number) is int else None)
        tehais = event.get("tehais")
        if wind not in tuple(WINDS) or dealer not in (0, 1, 2, 3) or not isinstance(tehais, list) or len(tehais) != 4:
            raise ForeignError("配牌的一行不完整。", "the deal line is incomplete.", entry)
        self.round, self.dealer = WINDS.index(wind), int(dealer)
        self.dealership = number - 1 if type(number) is int and 1 <= number <= 4 else self.dealer
        self.hands: list[list[int]] = [[] for _ in range(4)]
        for actor, tiles in enumerate(tehais):
            if not isinstance(tiles, list) or len(tiles) != 13:
                raise ForeignError("每家应配十三张牌。", "thirteen tiles are dealt to each.", entry)
            self.hands[self.seat(actor, entry)] = [tile_of(tile, entry) for tile in tiles]
        self.flowers: list[list[int]] = [[] for _ in range(4)]
        self.moves: list[Move] = []
        self.waiting: int | None = None  # the seat waiting for the replacement of a dealt flower
        self.scores: list[int] | None = None

    def seat(self, actor: Any, entry: int) -> int:
        """Return the seat of a player in this hand."""
        if actor not in (0, 1, 2, 3):
            raise ForeignError(f"没有玩家“{actor}”。", f"there is no player {actor!r}.", entry)
        return int(actor - self.dealer) % 4

    def read_line(self, kind: str, event: Mapping[str, Any], entry: int) -> None:
        """Read one more line."""
        if kind == "ryukyoku":
            self.moves.append(Move("drawn", None, None, entry))
            return
        seat = self.seat(event.get("actor"), entry)
        if kind == "tsumo" and self.waiting == seat:
            self.hands[seat].append(tile_of(event.get("pai"), entry))
            self.waiting = None
        elif kind in _FLOWERS:
            tile = tile_of(event.get("pai"), entry)
            if not self.moves and tile in self.hands[seat]:
                self.hands[seat].remove(tile)
                self.flowers[seat].append(tile)
                self.waiting = seat
            else:
                self.moves.append(Move("flower", seat, tile, entry))
        elif kind in ("tsumo", "dahai", "kakan", "pon", "daiminkan"):
            name = {"tsumo": "draw", "dahai": "play", "kakan": "added", "pon": "pung", "daiminkan": "kong"}[kind]
            self.moves.append(Move(name, seat, tile_of(event.get("pai"), entry), entry))
        elif kind in ("chi", "ankan"):
            used = event.get("consumed")
            tiles = sorted(tile_of(one, entry) for one in used) if isinstance(used, list) else []
            if kind == "chi":
                tiles = sorted([*tiles, tile_of(event.get("pai"), entry)])
            if len(tiles) != (3 if kind == "chi" else 4):
                raise ForeignError("缺少“consumed”的牌。", "the tiles of 'consumed' are missing.", entry)
            self.moves.append(Move("chow" if kind == "chi" else "kong", seat, tiles[1], entry))
        elif kind == "hora":
            self.moves.append(Move("win", seat, None, entry))
            deltas = event.get("deltas")
            if isinstance(deltas, list) and [type(n) for n in deltas] == [int] * 4:
                self.scores = [deltas[(self.dealer + at) % 4] for at in range(4)]
        else:
            raise ForeignError(f"不认识“{kind[:20]}”。", f"unknown event {kind[:20]!r}.", entry)

    def finish(self, entry: int) -> ForeignHand:
        """Return the hand once it is over."""
        if any(tile >= FIRST_FLOWER for hand in self.hands for tile in hand):
            raise ForeignError("有花牌没有补。", "a flower was not replaced.", entry)
        a, b, c, d = ((self.dealer + at) % 4 for at in range(4))
        return ForeignHand(
            self.round,
            tuple(tuple(hand) for hand in self.hands),
            tuple(tuple(own) for own in self.flowers),
            self.moves,
            self.scores,
            None,
            dealership=self.dealership,
            seats=(a, b, c, d),
        )
