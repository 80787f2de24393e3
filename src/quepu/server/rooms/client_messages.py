"""Everything a client sends over the socket of a room, as one union of types; the key that is there names the message.

The client's types and the tables of docs/reference/protocol.md are generated from it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from quepu.match.reader import MALFORMED
from quepu.server.http.messages import ABSENT, Schema
from quepu.server.rooms.places import RoomError
from quepu.server.rooms.socket_messages import Deed
from quepu.table.actions import read_action

Place = Annotated[int, Field(ge=0, le=3)]
PHRASES = 8
"""How many phrases there are; each client has its own words for them."""


class HelloMessage(Schema):
    """The first message: whose place it is (no `token`: a spectator's), and the last message seen (`after`).

    With `hand` only lines of the hand dealt last are sent, of those after `after`: all that a page shows.
    """

    token: str = ABSENT
    after: int | None = None
    hand: bool = ABSENT


class TableAction(Schema):
    """One of the options of the last view, without its `score`."""

    model_config = ConfigDict(extra="ignore")  # an option may be sent back as it came

    do: Deed
    tile: str = ABSENT
    low: str = ABSENT
    drawn: bool = ABSENT
    ready: bool = ABSENT


class ActionMessage(Schema):
    """An action of this seat. `n` is the snapshot it answers, so that what comes too late is refused."""

    action: TableAction
    n: int | None = None


class ReadyMessage(Schema):
    """Ready for the match to begin, or for the next hand."""

    ready: Literal[True]


class BeginMessage(Schema):
    """Begin the match without those who sit there but are away; everybody who is here is ready."""

    begin: Literal[True]


class SaltMessage(Schema):
    """Salt that this place puts into the next wall (`commitment`), and the one committed to for the sealed wall."""

    commitment: str | None = None
    salt: str | None = None


class KickMessage(Schema):
    """The `host` frees a person's or a bot's place before the match."""

    kick: Place


class ReserveMessage(Schema):
    """The `host` holds a place for a name before the match ("": for anybody)."""

    reserve: Place
    name: str


class DoorMessage(Schema):
    """The `host` lets nobody else sit down before the match, or does again."""

    closed: bool


class BackMessage(Schema):
    """Return of a player who did not move for long: the bot that played for this place stops."""

    back: Literal[True]


class PhraseMessage(Schema):
    """One of a few phrases, by number, shown to everybody at the table; not more than one in two seconds."""

    phrase: Annotated[int, Field(ge=0, lt=PHRASES)]


class HintWanted(Schema):
    """A wish for a hint, with its reasons in Chinese or English."""

    hint: Literal[True]
    lang: Literal["zh", "en"] = "zh"


class PingMessage(Schema):
    """Answered at once by `pong` with the same number."""

    ping: float


ClientMessage = (
    ActionMessage | ReadyMessage | BeginMessage | SaltMessage | KickMessage | ReserveMessage | DoorMessage | BackMessage
    | PhraseMessage | HintWanted
)  # fmt: skip
"""Anything a client sends to a room after its first message; a ping is answered before it gets there."""

CLIENT: tuple[type[Schema], ...] = (
    HelloMessage, ActionMessage, ReadyMessage, BeginMessage, SaltMessage, KickMessage, ReserveMessage, DoorMessage,
    BackMessage, PhraseMessage, HintWanted, PingMessage,
)  # fmt: skip
"""The same with both, one by one."""

_BY_KEY: dict[str, type[ClientMessage]] = {
    "action": ActionMessage, "ready": ReadyMessage, "begin": BeginMessage, "salt": SaltMessage,
    "commitment": SaltMessage, "kick": KickMessage, "reserve": ReserveMessage, "closed": DoorMessage,
    "back": BackMessage, "phrase": PhraseMessage, "hint": HintWanted,
}  # fmt: skip

_REFUSALS: dict[str, tuple[str, str]] = {
    "action": ("看不懂的动作。", "this is not an action."),
    "salt": ("盐应是 32 位十六进制数。", "a salt is 32 hexadecimal digits."),
    "commitment": ("承诺应是 64 位十六进制数。", "a commitment is 64 hexadecimal digits."),
    "kick": ("那里没有可以请出的人。", "there is no player to remove."),
    "reserve": ("没有这个座位或名字。", "there is no such seat or name."),
}


def pong(data: Any) -> dict[str, Any] | None:
    """The answer to a ping; None where it is none: that is about a line, not about its room."""
    if not isinstance(data, dict) or "ping" not in data:
        return None
    number = data["ping"]
    return {"pong": number if isinstance(number, (int, float)) else 0}


def read_message(data: Any) -> ClientMessage:
    """A message of a client from its JSON form.

    Raises:
        Error: it is none of the union.
    """
    if not isinstance(data, dict):
        raise RoomError("消息不是 JSON 对象。", "a message is a JSON object.")
    if "say" in data:  # what pages opened before an update, and older programs, call an action
        data = {"action" if key == "say" else key: value for key, value in data.items()}
    key = next((key for key in _BY_KEY if key in data), "")
    try:
        if key:
            return _BY_KEY[key].model_validate(data, strict=True)
    except ValidationError as wrong:
        if key == "action":
            with suppress(*MALFORMED):
                read_action(data["action"])  # names what is wrong
        first = str(wrong.errors()[0]["loc"][0])
        raise RoomError(*_REFUSALS.get(first, _REFUSALS.get(key, _UNKNOWN))) from None
    raise RoomError(*_UNKNOWN)


_UNKNOWN = ("不认识的消息。", "an unknown message.")
