"""Everything a client sends over a room's socket, as one union of types; its key identifies the message.

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
"""The number of phrases; each client has its own words for them."""


class HelloMessage(Schema):
    """The first message: the seat's `token` (none: a spectator), and the last message seen (`after`).

    With `hand`, only lines of the last dealt hand after `after` are sent: all that a page shows.
    """

    token: str = ABSENT
    after: int | None = None
    hand: bool = ABSENT


class TableAction(Schema):
    """One of the options of the last view, without its `score`."""

    model_config = ConfigDict(extra="ignore")  # an option may be sent back unchanged

    do: Deed
    tile: str = ABSENT
    low: str = ABSENT
    drawn: bool = ABSENT
    ready: bool = ABSENT


class ActionMessage(Schema):
    """An action of this seat. `n` is the snapshot it answers, so that late ones are refused."""

    action: TableAction
    n: int | None = None


class ReadyMessage(Schema):
    """Ready for the match to begin, or for the next hand."""

    ready: Literal[True]


class BeginMessage(Schema):
    """Begin the match without absent players; everyone present is ready."""

    begin: Literal[True]


class SaltMessage(Schema):
    """The salt of this seat for the next wall (`commitment`), and the one committed to for the sealed wall."""

    commitment: str | None = None
    salt: str | None = None


class KickMessage(Schema):
    """Free a person's or a bot's seat before the match, as `host`."""

    kick: Place


class ReserveMessage(Schema):
    """Reserve a seat for a name before the match, as `host` ("": for anyone)."""

    reserve: Place
    name: str


class DoorMessage(Schema):
    """Close the room to further players before the match, as `host`, or open it again."""

    closed: bool


class PaceMessage(Schema):
    """Set the least seconds that a bot takes (`think`), as the person in charge of the table."""

    pace: Annotated[float, Field(ge=0, le=10)]


class BackMessage(Schema):
    """Return of a player who did not move for long: the bot in this seat stops."""

    back: Literal[True]


class UndoMessage(Schema):
    """Take back this seat's last choice in the hand; only where one person plays against bots (`terms.undo`)."""

    undo: Literal[True]


class PhraseMessage(Schema):
    """One of a few phrases, by number, shown to everyone at the table; at most one every two seconds."""

    phrase: Annotated[int, Field(ge=0, lt=PHRASES)]


class HintWanted(Schema):
    """Ask for a hint, with its reasons in Chinese or English."""

    hint: Literal[True]
    lang: Literal["zh", "en"] = "zh"


class PingMessage(Schema):
    """Answered at once by `pong` with the same number."""

    ping: float


ClientMessage = (
    ActionMessage | ReadyMessage | BeginMessage | SaltMessage | KickMessage | ReserveMessage | DoorMessage | BackMessage
    | PaceMessage | UndoMessage | PhraseMessage | HintWanted
)  # fmt: skip
"""Anything a client sends to a room after its first message; pings are answered earlier."""

CLIENT: tuple[type[Schema], ...] = (
    HelloMessage, ActionMessage, ReadyMessage, BeginMessage, SaltMessage, KickMessage, ReserveMessage, DoorMessage,
    BackMessage, PaceMessage, UndoMessage, PhraseMessage, HintWanted, PingMessage,
)  # fmt: skip
"""All client messages, first one and ping included."""

_BY_KEY: dict[str, type[ClientMessage]] = {
    "action": ActionMessage, "ready": ReadyMessage, "begin": BeginMessage, "salt": SaltMessage,
    "commitment": SaltMessage, "kick": KickMessage, "reserve": ReserveMessage, "closed": DoorMessage,
    "back": BackMessage, "undo": UndoMessage, "pace": PaceMessage, "phrase": PhraseMessage, "hint": HintWanted,
}  # fmt: skip

_REFUSALS: dict[str, tuple[str, str]] = {
    "action": ("看不懂的动作。", "this is not a valid action."),
    "salt": ("盐应是 32 位十六进制数。", "a salt must be 32 hexadecimal digits."),
    "commitment": ("承诺应是 64 位十六进制数。", "a commitment must be 64 hexadecimal digits."),
    "kick": ("那里没有可以请出的人。", "there is no player to remove."),
    "pace": ("电脑思考时间是 0 到 10 秒。", "bots take 0 to 10 seconds."),
    "reserve": ("没有这个座位或名字。", "there is no such seat or name."),
}


def pong(data: Any) -> dict[str, Any] | None:
    """Return the answer to a ping; None if it is another message: pings concern the connection, not the room."""
    if not isinstance(data, dict) or "ping" not in data:
        return None
    number = data["ping"]
    return {"pong": number if isinstance(number, (int, float)) else 0}


def read_message(data: Any) -> ClientMessage:
    """Read a client's message from its JSON form.

    Raises:
        Error: it is not in the union.
    """
    if not isinstance(data, dict):
        raise RoomError("消息不是 JSON 对象。", "a message is a JSON object.")
    if "say" in data:  # older pages and programs use this key for an action
        data = {"action" if key == "say" else key: value for key, value in data.items()}
    key = next((key for key in _BY_KEY if key in data), "")
    try:
        if key:
            return _BY_KEY[key].model_validate(data, strict=True)
    except ValidationError as wrong:
        if key == "action":
            with suppress(*MALFORMED):
                read_action(data["action"])  # raises an error that names the mistake
        first = str(wrong.errors()[0]["loc"][0])
        raise RoomError(*_REFUSALS.get(first, _REFUSALS.get(key, _UNKNOWN))) from None
    raise RoomError(*_UNKNOWN)


_UNKNOWN = ("不认识的消息。", "an unknown message.")
