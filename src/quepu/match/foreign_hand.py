"""Hands of other programs, independent of their format: the deal, every move, and the result there."""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Error, Text
from quepu.table.wall import Wall
from quepu.tiles import WINDS_CHINESE

UNKNOWN_RECORD = Text(
    "这不是雀谱的牌谱，也不是 Botzone、雀渣、open_mahjong_unity 或 mjai 的记录。",
    "this is neither a log of quepu nor a record of Botzone, 雀渣 (tziakcha), open_mahjong_unity or mjai.",
)


class ForeignError(Error):
    """A record that is invalid or incomplete; `at` is the number of the entry in its log."""

    def __init__(self, zh: str, en: str, at: int | None = None) -> None:
        where = Text("", "") if at is None else Text(f"第 {at} 条：", f"entry {at}: ")
        super().__init__(f"{where.zh}{zh}", f"{where.en}{en}", at)


class Move(NamedTuple):
    """A move: draw, flower, play, chow (`tile` in the middle), pung, kong, added, win, drawn, fault.

    `seat` is None if the move belongs to no seat or an unknown one, `tile` if none is named: for a claim, it is the one
    on offer.
    """

    what: str
    seat: int | None
    tile: int | None
    entry: int


class ForeignHand(NamedTuple):
    """A hand. Seats are 0 East … 3 North.

    `dealt` are thirteen tiles each without the `flowers` that were set aside before. `rest` is the program's own wall
    in the order of drawing (of own walls, seat after seat), if given; `wall` the whole wall with its dice, if both are
    given. `own_walls`: each seat seems to have drawn from its own wall. `seats` are the players
    (0-3) in those seats; None: as the book seats them. `scores` are by seat, or else `by_player`. `fans` are the fans
    of the win according to the record, `ignored` counts claims that lost to a higher one.
    """

    round: int
    dealt: tuple[tuple[int, ...], ...]
    flowers: tuple[tuple[int, ...], ...]
    moves: list[Move]
    scores: list[int] | None
    fan: int | None
    fault: str = ""
    rest: list[int] = []  # noqa: RUF012  # a tuple's default, which nobody changes
    fans: str = ""
    ignored: int = 0
    wall: Wall | None = None
    dealership: int = 0
    seats: tuple[int, int, int, int] | None = None
    by_player: bool = False
    own_walls: bool = False


class ForeignMatch(NamedTuple):
    """Hands in sequence. `source` is the program, `remarks` list what its format cannot express."""

    source: str
    rules: str
    names: tuple[str, str, str, str]
    hands: list[ForeignHand]
    remarks: tuple[Text, ...] = ()


def distinct(names: list[str]) -> tuple[str, str, str, str]:
    """Return four names as a match needs them: different, not empty, not too long."""
    made: list[str] = []
    for at, name in enumerate(names):
        shown = name.strip()[:24] or f"{WINDS_CHINESE[at]}家"
        made.append(f"{shown[:22]} {at + 1}" if shown in made else shown)
    return made[0], made[1], made[2], made[3]
