"""A log as a stream of events in the manner of mjai (see `quepu.match.mjai`), whole or as one player sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from quepu.errors import Error
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import summed
from quepu.table.events import (
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReplacementDrawn,
    Won,
)
from quepu.table.wall import TILE_NAMES
from quepu.tiles import FIRST_FLOWER, WINDS

_CLAIMS = {ChowClaimed: "chi", PungClaimed: "pon", KongClaimed: "daiminkan"}


class StreamError(Error):
    """A log that such a stream has no form for."""


def to_mjai(replay: Replay, player: int | None = None) -> list[str]:
    """The lines of a log; with `player` (0-3) those tiles are "?" that this player does not see.

    Raises:
        StreamError: there is no such player, or seats of the match are drawn anew or moved, so that players do not
            follow each other.
    """
    if player not in (None, 0, 1, 2, 3):
        raise StreamError(f"玩家是 0 到 3，没有“{player}”。", f"players are 0 to 3: {player!r} is none.")
    hidden = replay.match.rules.table.concealed_kongs_hidden
    lines: list[dict[str, Any]] = [
        {"type": "start_game", "names": list(replay.match.names), "rules": replay.book.id.partition("@")[0]}
    ]
    for hand in replay.hands:
        lines += _hand(hand, player, hidden)
    lines.append({"type": "end_game"})
    return [json.dumps(line, ensure_ascii=False) for line in lines]


def _hand(hand: PlayedHand, player: int | None, hidden: bool) -> Iterator[dict[str, Any]]:
    seats = hand.place.seats
    if any((seat - seats[0]) % 4 != at for at, seat in enumerate(seats)):
        zh = f"第 {hand.number} 局换了座位，这种事件流里玩家次序不变：只打一圈的对局才写得成（rounds=1）。"
        en = f"seats were moved by hand {hand.number}; in such a stream they stay: only a match of one round has one"
        raise StreamError(zh, f"{en} (rounds=1).")
    dealt = {event.seat: event.tiles for event in hand.events if isinstance(event, Dealt)}
    tehais = [["?"] * 13] * 4
    for seat, tiles in dealt.items():
        if player in (None, seats[seat]):
            tehais[seats[seat]] = [_name(tile) for tile in tiles]
    place = hand.place
    yield {
        "type": "start_kyoku", "bakaze": WINDS[place.round_wind], "kyoku": place.dealership + 1, "honba": place.repeat,
        "oya": seats[0], "tehais": tehais,
    }  # fmt: skip
    for event in hand.events:
        line = _line(event, seats, player, hidden)
        if line is not None:
            yield line
    if hand.ending is not None:
        paid = summed(hand.payments, zero_sum=False).seats
        won = next((event for event in hand.events if isinstance(event, Won)), None)
        deltas = [paid[(at - seats[0]) % 4] for at in range(4)]
        if won is None:
            yield {"type": "ryukyoku", "deltas": deltas}
        else:
            giver = won.seat if won.giver is None else won.giver
            yield {"type": "hora", "actor": seats[won.seat], "target": seats[giver], "deltas": deltas}
    yield {"type": "end_kyoku"}


def _name(tile: int) -> str:
    return TILE_NAMES[tile] if tile < FIRST_FLOWER else f"f{tile - FIRST_FLOWER + 1}"


def _line(event: Event, seats: tuple[int, int, int, int], player: int | None, hidden: bool) -> dict[str, Any] | None:
    """The line of an event; None for what has none, and for the end, which has its own.

    `hidden`: concealed kongs lie face down for the others.
    """
    if isinstance(event, Won | Exhausted) or not hasattr(event, "seat") or not hasattr(event, "tile"):
        return None
    tile: int = event.tile
    line: dict[str, Any] = {"type": "", "actor": seats[event.seat], "pai": _name(tile)}
    if isinstance(event, Drawn | ReplacementDrawn):
        seen = player in (None, line["actor"])
        return line | {"type": "tsumo", "pai": line["pai"] if seen else "?"}
    if isinstance(event, Discarded):
        return line | {"type": "dahai", "tsumogiri": event.as_drawn}
    if isinstance(event, FlowerSetAside):
        return line | {"type": "flower"}
    if isinstance(event, KongAdded):
        return line | {"type": "kakan", "consumed": [_name(tile)] * 3}
    if isinstance(event, KongConcealed):
        seen = player in (None, line["actor"]) or not hidden
        return {"type": "ankan", "actor": line["actor"], "consumed": [_name(tile) if seen else "?"] * 4}
    if isinstance(event, ChowClaimed | PungClaimed | KongClaimed):
        own = [_name(kind) for kind in event.own]
        return line | {"type": _CLAIMS[type(event)], "target": seats[event.giver], "consumed": own}
    return None
