"""Write a log as a stream of mjai events (see `quepu.match.mjai`), whole or as one player sees it.

Programs for riichi read it: `start_kyoku` has the fields that they require. `scores` are the players' totals before the
hand; `kyotaku` (riichi deposits) is 0 and `dora_marker` always north, since our rules have neither: it reveals nothing
about the wall. docs/guide/bots.md lists what the format cannot express.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import dropwhile, pairwise, takewhile
from typing import Any

from quepu.errors import Error
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import add_up
from quepu.table.events import (
    ChowClaimed,
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReplacementDrawn,
    SeatEvent,
    TileEvent,
    Won,
)
from quepu.table.wall import TILE_NAMES
from quepu.tiles import FIRST_FLOWER, WINDS

DORA_MARKER = "N"
_CLAIMS: dict[type[Claimed], str] = {ChowClaimed: "chi", PungClaimed: "pon", KongClaimed: "daiminkan"}


class StreamError(Error):
    """A log that such a stream cannot express."""


def to_mjai(replay: Replay, player: int | None = None, *, flowers: bool = True) -> list[str]:
    """Return the lines of a log as a stream; for a `player` (0-3), tiles that this player does not see are "?".

    Without `flowers`, the stream has none, as if their replacements had been drawn at once: for programs that know only
    34 kinds of tile.

    Raises:
        StreamError: the player does not exist, or the match changes seats, so that players do not follow each other, or
            a hand was won by flowers alone and they are left out.
    """
    if player not in (None, 0, 1, 2, 3):
        raise StreamError(f"玩家是 0 到 3，没有“{player}”。", f"players are 0 to 3, not {player!r}.")
    hidden = replay.match.rules.table.concealed_kongs_hidden
    lines: list[dict[str, Any]] = [
        {"type": "start_game", "names": list(replay.match.names), "rulebook": replay.book.id.partition("@")[0]}
    ]
    totals = [0, 0, 0, 0]
    results = [hand.players for hand in replay.match.hands]
    for at, hand in enumerate(replay.hands):
        if not flowers and _holds_flower(hand):
            raise StreamError(
                f"第 {hand.number} 局有花牌留在手里，不能略去花牌。",
                f"a flower was held in hand {hand.number}: it has no stream without flowers.",
            )
        lines += (line for line in _hand(hand, player, hidden, totals, flowers) if flowers or not _is_flower(line))
        if at < len(results):
            totals = [before + more for before, more in zip(totals, results[at], strict=True)]
    lines.append({"type": "end_game"})
    return [json.dumps(line, ensure_ascii=False) for line in lines]


def _is_flower(line: dict[str, Any]) -> bool:
    return str(line.get("pai", "")).startswith("f")


def _find_dealt(hand: PlayedHand, flowers: bool) -> dict[int, tuple[int, ...]]:
    """Return the tiles dealt to each seat; without `flowers`, with their replacements before the first draw."""
    tiles = {event.seat: list(event.tiles) for event in hand.events if isinstance(event, Dealt)}
    if not flowers:
        for event in takewhile(lambda event: not isinstance(event, Drawn), hand.events):
            if isinstance(event, FlowerSetAside):
                tiles[event.seat].remove(event.tile)
            elif isinstance(event, ReplacementDrawn):
                tiles[event.seat].append(event.tile)
        if any(tile >= FIRST_FLOWER for own in tiles.values() for tile in own):
            raise StreamError(
                f"第 {hand.number} 局配牌里的花没补就完了，不能略去花牌。",
                f"hand {hand.number} ended before dealt flowers were replaced: it has no stream without flowers.",
            )
    return {seat: tuple(own) for seat, own in tiles.items()}


def _play(hand: PlayedHand) -> Iterator[Event]:
    """Return the events from the first draw on."""
    return dropwhile(lambda event: not isinstance(event, Drawn), hand.events)


def _holds_flower(hand: PlayedHand) -> bool:
    """Return whether a drawn flower stayed in a hand for a while: the next event neither set it aside nor threw it."""
    return any(
        event.tile >= FIRST_FLOWER
        and isinstance(after, SeatEvent)
        and not (isinstance(after, FlowerSetAside | Discarded) and after.tile == event.tile)
        for event, after in pairwise(_play(hand))
        if isinstance(event, Drawn | ReplacementDrawn)
    )


def _hand(
    hand: PlayedHand, player: int | None, hidden: bool, totals: list[int], flowers: bool
) -> Iterator[dict[str, Any]]:
    seats = hand.place.seats
    if any((seat - seats[0]) % 4 != at for at, seat in enumerate(seats)):
        zh = f"第 {hand.number} 局换了座位，这种事件流里玩家次序不变：只打一圈的对局才写得成（rounds=1）。"
        en = f"seats were moved by hand {hand.number}; in such a stream they stay: only a match of one round has one"
        raise StreamError(zh, f"{en} (rounds=1).")
    tehais = [["?"] * 13] * 4
    for seat, tiles in _find_dealt(hand, flowers).items():
        if player in (None, seats[seat]):
            tehais[seats[seat]] = [_name(tile) for tile in tiles]
    place = hand.place
    yield {
        "type": "start_kyoku", "bakaze": WINDS[place.round_wind], "kyoku": place.dealership + 1, "honba": place.repeat,
        "kyotaku": 0, "oya": seats[0], "scores": list(totals), "dora_marker": DORA_MARKER, "tehais": tehais,
    }  # fmt: skip
    for event in hand.events if flowers else _play(hand):
        line = _line(event, seats, player, hidden)
        if line is not None:
            yield line
    if hand.ending is not None:
        paid = add_up(hand.payments, zero_sum=False).seats
        wins = [event for event in hand.events if isinstance(event, Won)]
        deltas = [paid[(at - seats[0]) % 4] for at in range(4)]
        if not wins:
            yield {"type": "ryukyoku", "deltas": deltas}
        for won in wins:
            giver = won.seat if won.giver is None else won.giver
            yield {"type": "hora", "actor": seats[won.seat], "target": seats[giver], "deltas": deltas}
            deltas = [0] * 4  # of several winners, the first line has what all of them are paid
    yield {"type": "end_kyoku"}


def _name(tile: int) -> str:
    return TILE_NAMES[tile] if tile < FIRST_FLOWER else f"f{tile - FIRST_FLOWER + 1}"


def _line(event: Event, seats: tuple[int, int, int, int], player: int | None, hidden: bool) -> dict[str, Any] | None:
    """Return the line of an event; None for events without one, and for the end, which has its own.

    `hidden`: concealed kongs lie face down for other seats.
    """
    if not isinstance(event, TileEvent):
        return None
    tile = event.tile
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
    if isinstance(event, Claimed):
        own = [_name(kind) for kind in event.own]
        return line | {"type": _CLAIMS[type(event)], "target": seats[event.giver], "consumed": own}
    return None
