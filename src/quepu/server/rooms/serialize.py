"""A room as plain data: for the lobby, and the table as one place may see it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from quepu.match.words import place_name
from quepu.rules.play_rules import play_rules
from quepu.server.http.rendering import book_words
from quepu.server.rooms.messages import Message
from quepu.server.rooms.seat_taking import list_joinable
from quepu.tiles import NAMES, WINDS

if TYPE_CHECKING:
    from quepu.match.match import Match
    from quepu.server.rooms.room import Room


def head(room: Room) -> dict[str, Any]:
    """Return the public view of the room."""
    return {
        "id": room.id,
        "title": room.spec.title,
        "rules": room.spec.rules,
        "book": room.book.title._asdict(),
        "phase": room.phase,
        "hints": room.spec.hints,
        "terms": terms(room),
        "free": sum(place.kind == "free" for place in room.seating.places) if room.phase == "open" else 0,
        "joinable": len(list_joinable(room)),
        "host": room.seating.host if room.phase == "open" else room.seating.in_charge,
        "closed": room.closed,
        "held": room.seating.held,
        "next": room.next,
        "preparing": not room.prepared,
        "watching": len(room.audience.spectators),
        "places": [
            {
                "kind": place.kind,
                "name": place.name,
                "level": place.level or room.stand_in(place),
                "here": bool(place.listeners) or place.kind == "bot",
                "ready": place.ready,
                "member": place.member,
                "link_by": place.link_by,
                "joiner": "" if place.joiner is None else place.joiner.name,
                "reserved": "" if place.person and not place.unclaimed else place.reserved,
            }
            for place in room.seating.places
        ],
        "hand": None if room.game is None else _place(room.game.match),
        "updated": room.record.updated,
    }


def _place(match: Match) -> dict[str, str]:
    """Describe the place of the current hand in both languages."""
    return place_name(match.place, match.rules.words)._asdict()


def terms(room: Room) -> dict[str, Any]:
    """Return the terms agreed when the table was opened."""
    spec, book = room.spec, room.book
    rules, rounds = play_rules(book).table, play_rules(book).match.rounds
    return {
        "rounds": rounds if spec.rounds is None else spec.rounds,
        "ranked": spec.ranked,
        "move": spec.move if room.timed else 0,
        "bank": spec.bank if room.timed else 0,
        "think": spec.think,
        "shield": spec.shield,
        "delay": spec.delay,
        "spectators": spec.spectators,
        "listed": bool(spec.listed),
        "open_hands": spec.open_hands,
        "shuffle": spec.shuffle,
        "flowers": rules.flowers if spec.flowers is None else spec.flowers,
        "own_walls": spec.own_walls if room.start is None else room.start.own_walls,
        "house": bool(spec.house.strip()),
        "minimum": book.minimum,
        "unit": book.unit._asdict(),
        "words": book_words(play_rules(book).words).model_dump(),
        "sealed": spec.seed is None,
        "show_hands": spec.show_hands,
        "coached": spec.coached,
        "undo": room.undoes,
        "joins": spec.joins,
        "start": None if room.start is None else room.start.shown.model_dump(),
    }


def snapshot(room: Room, place: int | None) -> Message:
    """Return the table as this place may see it, with its options and its time."""
    message: Message = {"n": room.record.last, "phase": room.phase, "view": None}
    game = room.game
    if game is None:
        return message
    match, table = game.match, game.table
    message |= {
        "names": [match.names[player] for player in match.place.seats],
        "players": list(match.place.seats),
        "totals": [match.totals[player] for player in match.place.seats],
        "place": _place(match),
        "hand": len(match.hands) + (table is not None),
    }
    if table is None:
        if room.phase == "between" and len(room.seating.people) > 1:
            message["rest"] = round(max(0.0, room.rest_until - time.monotonic()), 1)
        return message
    seat = game.seat(place)
    counts = [len(hand) for hand in table.hands]
    message["held"] = [n + (table.drawn is not None and table.turn == s) for s, n in enumerate(counts)]
    if seat is None and room.spec.open_hands:
        message["hands"] = {WINDS[s]: [NAMES[tile] for tile in table.view(s).tiles] for s in range(4)}
    message["to_act"] = [WINDS[s] for s in table.to_act] if table.board.offer is None else []
    if seat is None or place is None:
        message["view"] = {"board": table.board_for(None).to_json(), "options": []}
    else:
        message["view"] = table.view(seat).to_json(table.options(seat))
        if seat in table.to_act and room.timed:
            message["clock"] = room.clock.to_json(room.seating.places[place])
    return message
