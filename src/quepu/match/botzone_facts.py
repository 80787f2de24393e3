"""Read the facts that a bot of botzone.org.cn knows of a hand from the judge's requests to its seat.

`botzone_requests` writes such requests, and has their forms. `quepu.table.referee` makes a table of the facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quepu.match.botzone_record import read_tile
from quepu.match.foreign_hand import ForeignError
from quepu.table.events import (
    ChowClaimed,
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
)
from quepu.table.facts import Fact

_TILES = {"DRAW": 0, "BUHUA": 1, "PLAY": 1, "PENG": 1, "CHI": 2, "GANG": 0, "BUGANG": 1}
_COUNTS = frozenset("012345678")
_DEALT = 13
_MIDDLE = frozenset(kind for kind in range(27) if 1 <= kind % 9 <= 7)


class Seen(NamedTuple):
    """The contents of requests: the own seat, the round wind (0 East … 3 North), and the facts in order.

    `actor` is the seat whose draw or tile the last request leaves to be answered, None if PASS is the only answer.
    """

    seat: int
    round: int
    facts: list[Fact]
    actor: int | None


def read_requests(requests: Sequence[str], responses: Sequence[str]) -> Seen:
    """Read the facts from a hand's requests so far; `responses` are the bot's own to all but the last.

    Raises:
        ForeignError: a request is not one of the judge's; with its number, from 1.
    """
    first = requests[0].split() if requests else []
    if len(first) < 3 or first[0] != "0":
        raise _unknown(" ".join(first), 1)
    reader = _Reader(_wind(first[1], 1), _wind(first[2], 1))
    for number, request in enumerate(requests[1:], 2):
        reader.read(request.split(), responses[number - 2] if number <= len(responses) + 1 else "", number)
    return Seen(reader.seat, reader.round, reader.facts, reader.actor)


class _Reader:
    """Read requests one after another, from the second on."""

    def __init__(self, seat: int, round: int) -> None:
        self.seat, self.round = seat, round
        self.facts: list[Fact] = []
        self.actor: int | None = None
        self._discard: int | None = None  # the tile that can be claimed
        self._replaces = False  # the next draw replaces a kong tile or flower

    def read(self, words: list[str], response: str, number: int) -> None:
        """Read one request; `response` is the bot's answer to the one before."""
        self.actor = None
        kind = words[0] if words else ""
        if kind == "1" and number == 2 and len(words) >= 5 + _DEALT:
            self._deal(words, number)
        elif kind == "2" and number > 2 and len(words) == 2:
            self.actor = self.seat
            self._drew(self.seat, read_tile(words[1], number))
        elif kind == "3" and number > 2 and len(words) > 2 and len(words) - 3 >= _TILES.get(words[2], len(words)):
            tiles = [read_tile(word, number) for word in words[3:]]
            seat, own = _wind(words[1], number), response.split()
            kong = words[2] == "GANG" and seat == self.seat and own[:1] == ["GANG"] and len(own) > 1
            named = read_tile(own[1], number) if kong else None
            if not self._record_event(seat, words[2], tiles, named):
                raise _unknown(" ".join(words), number)
        else:
            raise _unknown(" ".join(words), number)

    def _deal(self, words: list[str], number: int) -> None:
        """Start the hand with all flowers of the deal replaced; which tiles replaced them does not matter."""
        tiles = [read_tile(word, number) for word in words[5 : 5 + _DEALT]]
        rest = [read_tile(word, number) for word in words[5 + _DEALT :]]
        counts = [int(word) for word in words[1:5] if word in _COUNTS]
        if len(counts) != 4 or sum(counts) != len(rest):
            raise ForeignError("配牌的花牌张数不符。", "the numbers of dealt flowers do not fit.", number)
        first = sum(counts[: self.seat])
        own = rest[first : first + counts[self.seat]]
        came = tiles[_DEALT - len(own) :] if own else []
        self.facts.append(Fact(Dealt, self.seat, tiles=(*tiles[: _DEALT - len(own)], *own)))
        for seat, count in enumerate(counts):
            for n in range(count):
                self.facts.append(Fact(FlowerSetAside, seat, rest.pop(0)))
                self.facts.append(Fact(ReplacementDrawn, seat, came[n] if seat == self.seat else None))

    def _drew(self, seat: int, tile: int | None) -> None:
        self.facts.append(Fact(ReplacementDrawn if self._replaces else Drawn, seat, tile))
        self._replaces, self._discard = False, None

    def _record_event(self, seat: int, what: str, tiles: list[int], named: int | None) -> bool:
        """Record a public event; return False if there is nothing to claim or no such chow.

        named: the tile of which the own answer declared a kong.
        """
        if what in ("PENG", "CHI") and self._discard is None:
            return False
        if what == "CHI" and tiles[0] not in _MIDDLE:
            return False
        made: type[Event] | None = None
        if what == "DRAW":
            self._drew(seat, None)
        elif what == "BUHUA":
            self._drew(seat, tiles[0])
            self.facts.append(Fact(FlowerSetAside, seat, tiles[0]))
            self._replaces = True
        elif what == "GANG":
            self._kong(seat, named)
        elif what == "BUGANG":
            made = KongAdded
            self._replaces = True
        else:
            if what == "PENG":
                self.facts.append(Fact(PungClaimed, seat, self._discard))
            elif what == "CHI":
                self.facts.append(Fact(ChowClaimed, seat, self._discard, tiles[0] - 1))
            made, self._discard = Discarded, tiles[-1]
        if made is not None:
            self.facts.append(Fact(made, seat, tiles[-1]))
            self.actor = None if seat == self.seat else seat
        return True

    def _kong(self, seat: int, named: int | None) -> None:
        """Record a kong: of the tile that can be claimed, or concealed; the answer named an own one."""
        if self._discard is not None:
            self.facts.append(Fact(KongClaimed, seat, self._discard))
        else:
            self.facts.append(Fact(KongConcealed, seat, named))
        self._replaces, self._discard = True, None


def _wind(word: str, number: int) -> int:
    if word in ("0", "1", "2", "3"):
        return int(word)
    raise ForeignError(f"这里应是 0 到 3 的数，而不是“{word}”。", f"{word!r} is not a number from 0 to 3.", number)


def _unknown(request: str, number: int) -> ForeignError:
    return ForeignError(
        f"不认识裁判的请求：{request[:60]}", f"this is not a request from the judge: {request[:60]}", number
    )
