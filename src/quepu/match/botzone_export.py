"""Export a hand of a log as a match of botzone.org.cn: messages of judge and players, for `botzone_record`."""

from __future__ import annotations

from typing import Any

from quepu.errors import Error
from quepu.match.botzone_record import tile_name
from quepu.match.botzone_requests import JudgeRequests, explain_refusal
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import add_up
from quepu.match.starts import describe_missing
from quepu.table import seen_by
from quepu.table.events import (
    ChowClaimed,
    Discarded,
    Event,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    Won,
)


class ExportError(Error):
    """A hand that the platform's format cannot express."""


def to_botzone(replay: Replay, number: int = 1) -> dict[str, Any]:
    """Hand `number` (from 1) of a log as the platform's record: {"logs": …, "players": …, "initdata": …}.

    Raises:
        ExportError: the hand does not exist, did not end, or belongs to another game than the platform's.
    """
    if not 1 <= number <= len(replay.hands):
        raise ExportError(*describe_missing(number, len(replay.hands)))
    hand = replay.hands[number - 1]
    wrong = explain_refusal(replay.book)
    if wrong is not None:
        raise ExportError(*wrong)
    if hand.ending is None:
        raise ExportError("这一局没有打完。", "this hand was not finished.")
    names = [replay.match.names[player] for player in hand.place.seats]
    return {"logs": _entries(hand), "players": [{"name": name} for name in names], "initdata": _initdata(hand)}


def _initdata(hand: PlayedHand) -> dict[str, Any]:
    """Return what the judge deals from: own walls, each taken from its end; a shared wall has no such form."""
    if not hand.wall.own:
        return {}
    each = len(hand.wall.tiles) // 4
    tiles = [hand.wall.tiles[each * seat : each * (seat + 1)][::-1] for seat in range(4)]
    return {"walltiles": " ".join(tile_name(tile) for own in tiles for tile in own), "quan": hand.place.round_wind}


def _entries(hand: PlayedHand) -> list[dict[str, Any]]:
    """List the judge's and the players' entries in turn."""
    seats = [JudgeRequests(seat, hand.place.round_wind) for seat in range(4)]
    sent = 0
    found: list[dict[str, Any]] = []
    events = hand.events
    for n, event in enumerate(events):
        for seat, requests in enumerate(seats):
            requests.add(seen_by(event, seat, n, hidden=True))
        following = events[n + 1] if n + 1 < len(events) else None
        if following is not None and type(following).__name__ == "FlowerSetAside":
            continue  # a drawn flower is reported with its replacement
        while sent < min(len(requests.found) for requests in seats):
            content = {str(seat): requests.found[sent] for seat, requests in enumerate(seats)}
            display = {"tile": tile_name(event.tile)} if isinstance(event, KongConcealed) else {}
            found.append({"output": {"command": "request", "content": content, "display": display}})
            sent += 1
            last = sent == min(len(requests.found) for requests in seats)
            found.append(_responses(events[n + 1 :] if last else ()))
    ending = hand.ending
    paid = add_up(hand.payments, zero_sum=False).seats
    display = {"action": "HUANG"}
    if ending is not None and ending.first is not None:
        fans = [{"name": name, "cnt": count} for name, count in (hand.fans[0] if hand.fans else ())]
        display = {"action": "HU", "player": ending.first.seat, "fanCnt": ending.first.points, "fan": fans}  # type: ignore[dict-item]
    scores = {str(seat): points for seat, points in enumerate(paid)}
    found.append({"output": {"command": "finish", "content": scores, "display": display}})
    return found


def _responses(following: tuple[Event, ...]) -> dict[str, Any]:
    """Return the players' responses, derived from the events that follow."""
    answers = dict.fromkeys("0123", "PASS")
    event = following[0] if following else None
    thrown = following[1] if len(following) > 1 else None
    tile = tile_name(thrown.tile) if isinstance(thrown, Discarded) else ""
    if isinstance(event, Discarded):
        answers[str(event.seat)] = f"PLAY {tile_name(event.tile)}"
    elif isinstance(event, PungClaimed):
        answers[str(event.seat)] = f"PENG {tile}"
    elif isinstance(event, ChowClaimed):
        answers[str(event.seat)] = f"CHI {tile_name(event.low + 1)} {tile}"
    elif isinstance(event, KongClaimed):
        answers[str(event.seat)] = "GANG"
    elif isinstance(event, KongConcealed):
        answers[str(event.seat)] = f"GANG {tile_name(event.tile)}"
    elif isinstance(event, KongAdded):
        answers[str(event.seat)] = f"BUGANG {tile_name(event.tile)}"
    elif isinstance(event, Won):
        answers[str(event.seat)] = "HU"
    return {seat: {"response": answer, "verdict": "OK"} for seat, answer in answers.items()}
