"""The formats of a log, and where one says that a person takes the place of a bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from quepu.errors import HandError
from quepu.match.match import Match
from quepu.rules.play_rules import SEATS

FORMAT = 3
FORMATS = (1, 2, 3, 4, 5)
"""Every format that can be read; all stay readable for good. In format 1 the fingerprint covered sentences and not
conditions; since then it is the scoring fingerprint (`quepu.rules.digest`). Since format 3 a wall may include salts of
players; before, the dealing program made it alone (`commitment` and `salt` of the hand). Format 4 is written where each
seat draws from its own wall (`"walls": "own"` in the header), which programs of before cannot play. Format 5 is
written where a person may take the place of a bot between hands (`"joins": true`), so that its players may change.
"""
MIXED = 3
"""The first format whose walls may be mixed."""
OWN_WALLS = 4
JOINS = 5
PERSON: Final = "person"
"""The description of a player in a log who is not a bot."""


class Joined(NamedTuple):
    """A person who took the place of a bot: player number, name, and the bot's name; `hand` is the first one played."""

    player: int
    name: str
    bot: str
    hand: int


def check_format(header: Mapping[str, Any]) -> None:
    """Check the format of a log, and what its header says about walls and joining.

    Raises:
        HandError: the format is unknown, or the rest does not belong to it.
    """
    log, walls = header.get("log"), header.get("walls")
    if type(log) is not int or log not in FORMATS:
        raise HandError("不是雀谱的牌谱，或格式版本不同。", "this is not a quepu log, or its format is not supported.")
    if walls not in (None, "own") or (log != JOINS and (walls == "own") != (log == OWN_WALLS)):
        raise HandError("walls 应是 own，且只在格式 4、5 里。", "walls must be own, and only in formats 4 and 5.")
    if header.get("joins") is not (True if log == JOINS else None):
        raise HandError("joins 应是 true，且只在格式 5 里。", "joins must be true, and only in format 5.")


def read_joined(data: Mapping[str, Any], header: Mapping[str, Any], match: Match, bots: Sequence[str]) -> Joined:
    """Read a line that a person joins; `bots` describe the players so far.

    Raises:
        HandError: this person cannot play in that place.
    """
    player, name = data["joined"], data["name"]
    if header["log"] != JOINS or match.over:
        raise HandError("这一场不能中途加入。", "no player can join this match.")
    if type(player) is not int or player not in range(SEATS) or len(bots) != SEATS or bots[player] == PERSON:
        raise HandError("只能接替电脑。", "a player can only take the place of a bot.")
    if not isinstance(name, str) or name in (*match.names, *header["players"]):
        raise HandError("加入的人要有自己的名字。", "a player who joins needs a name of their own.")
    return Joined(player, name, match.names[player], len(match.hands) + 1)


def seat_joined(match: Match, joined: Joined) -> Match:
    """Return the match with a person in the place of a bot; the points stay with the place."""
    a, b, c, d = (joined.name if at == joined.player else name for at, name in enumerate(match.names))
    return match.rename((a, b, c, d))
