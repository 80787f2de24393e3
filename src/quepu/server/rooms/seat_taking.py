"""The seating of a room: places taken with a token, given back, filled with bots."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from quepu.errors import Text
from quepu.schema import LONGEST_PERSON
from quepu.server.names import like_a_bot, skeleton, visible
from quepu.server.rooms.places import UNCLAIMED, Joiner, RoomError, SeatSlot, digest

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room

ABSENT: Final = 8.0
"""Seconds without a connection after which another person may have the place that one waits for."""
_OURS = re.compile("电脑([1-4])·")
_ME, _HOST = Text("我", "Player"), Text("桌主", "Host")
_GIVEN = {"(我)": _ME, "(Player)": _ME, "(Me)": _ME, "(桌主)": _HOST, "(Host)": _HOST}
"""Default names from the page, as they are stored (web/src/pages/play/given.ts)."""
_BEFORE = 1e9
"""Seconds credited to people who sat here before a restart, so that they keep seniority."""
FILLER = "plain"
"""The level that fills free places."""


class Seating:
    """The four places of a room. `levels` are the bots it was opened with ("": for a person)."""

    def __init__(self, levels: Sequence[str]) -> None:
        self.levels = tuple(levels)
        self.places = [SeatSlot(name=bot_name(i, level), level=level) for i, level in enumerate(levels)]
        self.held = False
        """Whether a desk assigned the places by name: players cannot give them to others."""

    def take(self, name: str, at: int | None) -> tuple[int, str]:
        """Give a person a place: the first free one, or the requested free one; return its number and token.

        A bot's place becomes free when the host frees it.

        Raises:
            RoomError: no place is free, or the name is taken.
        """
        name = self.check_name(name)
        if at is None:
            open_to = [i for i, place in enumerate(self.places) if place.kind == "free" and self._admits(i, name)]
            at = min(
                open_to, key=lambda i: (not self.places[i].reserved, i), default=-1
            )  # the place reserved for the name first
        elif not self._admits(at, name):
            held = self.places[at].reserved
            raise RoomError(f"这个座位留给了“{held}”。", f"this seat is reserved for {held!r}.")
        if at < 0 or self.places[at].person:
            raise RoomError("没有空位了。", "no seat is free.")
        if self.places[at].kind == "bot":
            raise RoomError("那里坐着电脑，房主让出来才能坐。", "a bot sits there until the host frees the seat.")
        token = secrets.token_urlsafe(18)
        self.assign(at, name, digest(token))
        return at, token

    def check_name(self, name: str) -> str:
        """Return a name without invisible characters.

        Raises:
            RoomError: it is not allowed, or someone has it here.
        """
        name = visible(name)
        if not name or like_a_bot(name):
            raise RoomError(f"不能叫“{name}”。", f"the name {name!r} is not allowed.")
        there = {
            skeleton(one) for place in self.places for one in (place.name, place.joiner.name if place.joiner else "")
        }
        if skeleton(name) in there - {""}:
            raise RoomError(f"“{name}”已经有人用了。", f"the name {name!r} is taken.")
        return name

    def _admits(self, at: int, name: str) -> bool:
        reserved = self.places[at].reserved
        return not reserved or skeleton(reserved) == skeleton(name)

    def claim(self, name: str) -> tuple[int, str]:
        """Give a person the place reserved for the name while a bot played there; return its number and token.

        Raises:
            RoomError: no place is reserved for the name.
        """
        at = self._reserved(name)
        if at is not None:
            token = secrets.token_urlsafe(18)
            self.assign(at, self.places[at].name, digest(token))
            return at, token
        raise RoomError("牌局已经开始。", "the match has begun.")

    def is_reserved(self, name: str) -> bool:
        """Return whether a bot plays in a place that is reserved for the name."""
        return self._reserved(name) is not None

    def _reserved(self, name: str) -> int | None:
        own = skeleton(visible(name))
        held = (at for at, place in enumerate(self.places) if place.unclaimed and skeleton(place.reserved) == own)
        return next(held, None) if own else None

    def reserve(self, at: int, name: str) -> None:
        """Reserve an empty place by name; "": open it to anyone.

        Raises:
            RoomError: the place is taken, or the name is not allowed.
        """
        name = visible(name)[:LONGEST_PERSON]
        if self.places[at].person:
            raise RoomError("那里已经有人坐了。", "that seat is taken.")
        if like_a_bot(name):
            raise RoomError(f"不能叫“{name}”。", f"the name {name!r} is not allowed.")
        self.places[at].reserved = name

    def assign(self, at: int, name: str = "", token: str = "") -> None:
        """Assign a person's name and the digest of a token to a place; without them it returns to its initial state."""
        place = self.places[at]
        place.token, place.name, place.level = token, name, "" if token else self.levels[at]
        place.joiner = None
        place.link = place.link_by = ""
        if not token:
            place.name = bot_name(at, place.level)
            place.ready = place.member = False
            place.address = ""

    def free(self, at: int) -> None:
        """Remove a bot from its place, so that a person can sit there."""
        self.levels = (*self.levels[:at], "", *self.levels[at + 1 :])
        self.assign(at)

    def reorder(self, order: Sequence[int]) -> None:
        """Permute the players: the one at `order[i]` now sits at `i`."""
        self.levels = tuple(self.levels[at] for at in order)
        self.places[:] = [self.places[at] for at in order]  # the audience shares this list
        for at, place in enumerate(self.places):
            if place.kind == "bot":
                place.name = bot_name(at, place.level)
            for listener in place.listeners:
                listener.place = at

    def restore(self, number: int, place: int, name: str = "", token: str = "", member: str = "") -> None:
        """Restore a place taken or given back, from entry `number` of the room's log; senior to all newcomers."""
        slot = self.places[place]
        if not (token and slot.person and slot.name == name):  # otherwise only the token changed
            slot.since = number - _BEFORE
        self.assign(place, name, token)
        slot.member = bool(member)

    def restore_joiner(self, joiner: int, name: str = "", token: str = "", member: str = "") -> None:
        """Restore who takes a bot's place after this hand, from a room's log."""
        self.places[joiner].joiner = Joiner(name, token, bool(member)) if token else None

    def read_entry(self, number: int, body: dict[str, Any]) -> bool:
        """Restore what entry `number` of the room's log says about places; return False if that is nothing."""
        if "place" in body:
            self.restore(number, **body)
        elif "joiner" in body:
            self.restore_joiner(**body)
        elif "link" in body:
            slot = self.places[body["link"]]
            slot.link, slot.link_by = body["token"], body["by"]
        elif "reserve" in body:
            self.places[body["reserve"]].reserved = body["name"]
        elif "held" in body:
            self.held = body["held"]
        elif "free" in body:
            self.free(body["free"])
        elif "order" in body:
            self.fill()
            self.reorder(body["order"])
        else:
            return False
        return True

    def renew(self, at: int) -> str:
        """Issue a new token for a person's place.

        Raises:
            RoomError: the place is empty.
        """
        place = self.places[at]
        if not place.person:
            raise RoomError("这个座位没有人。", "this seat is empty.")
        token = secrets.token_urlsafe(18)
        place.token = digest(token)
        place.link = place.link_by = ""
        return token

    def fill(self) -> None:
        """Fill free places with bots; one reserved for a name only until its owner comes."""
        for i, place in enumerate(self.places):
            if place.kind == "free" and place.reserved:
                self.assign(i, place.reserved, UNCLAIMED)
            elif place.kind == "free":
                place.level, place.name = FILLER, bot_name(i, FILLER)

    def who(self, token: str) -> int | None:
        """Return the place of a token."""
        if not token:
            return None
        own = digest(token)
        return next((at for at, place in enumerate(self.places) if _opens(own, place.token, place.link)), None)

    def joining(self, token: str) -> int | None:
        """Return the place that the owner of a token takes after this hand."""
        own = digest(token)
        held = enumerate(place.joiner for place in self.places)
        return next((at for at, joiner in held if joiner is not None and _opens(own, joiner.token)), None)

    @property
    def host(self) -> int:
        """Return the place of the person who has sat here longest, the host. -1: none."""
        people = [(place.since, at) for at, place in enumerate(self.places) if place.person and not place.unclaimed]
        return min(people)[1] if people else -1

    @property
    def in_charge(self) -> int:
        """Return the place in charge during a match: the connected person who has sat longest. -1: none."""
        here = [(place.since, at) for at, place in enumerate(self.places) if place.listeners and not place.silent]
        return min(here)[1] if here else -1

    @property
    def awaited(self) -> list[SeatSlot]:
        """Return the places reserved for people who have not come."""
        return [place for place in self.places if place.kind == "free" and place.reserved]

    @property
    def vacancies(self) -> int:
        """Return how many places are free and not reserved."""
        return sum(place.kind == "free" and not place.reserved for place in self.places)

    @property
    def people(self) -> list[SeatSlot]:
        """Return the places of people."""
        return [place for place in self.places if place.person]


def _opens(own: str, *stored: str) -> bool:
    return any(one and secrets.compare_digest(one, own) for one in stored)


def list_joinable(room: Room) -> list[int]:
    """Return the places of bots that a person may take after this hand, or now between hands."""
    game = room.game
    if not room.spec.joins or game is None or room.phase not in ("playing", "between") or game.over:
        return []
    if room.phase == "playing" and game.in_last_hand:
        return []
    free = [at for at, place in enumerate(room.seating.places) if place.kind == "bot" and _is_free(room, at, place)]
    return sorted(free, key=lambda at: room.seating.places[at].joiner is not None)


def _is_free(room: Room, at: int, place: SeatSlot) -> bool:
    joiner = place.joiner
    return joiner is None or (not room.audience.joining(at) and time.monotonic() - joiner.left_at > ABSENT)


def name_text(name: str) -> Text:
    """Return a name from a log in both languages: only bots, and people without a name of their own, have two."""
    if name in _GIVEN:
        return _GIVEN[name]
    from quepu.bots.protocol import LEVEL_NAMES

    found = _OURS.match(name)
    if found is None:
        return Text(name, name)
    level = name[found.end() :]
    return Text(name, f"Bot {found[1]}·{next((name.en for name in LEVEL_NAMES.values() if name.zh == level), level)}")


def bot_name(at: int, level: str) -> str:
    """Return the name of a bot; "" for a place without one."""
    from quepu.bots.protocol import LEVEL_NAMES

    return (
        f"电脑{at + 1}·{LEVEL_NAMES[level].zh if level in LEVEL_NAMES else level.removeprefix('guest:')}"
        if level
        else ""
    )
