"""Actions of a seat. They are interned: comparing and listing them costs next to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Error, Text
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.table.wall import TILE_NAMES
from quepu.tiles import CHINESE, FLOWERS, FLOWERS_ENGLISH

if TYPE_CHECKING:
    from quepu.scoring.score import Score

TILE_NUMBER = {name: kind for kind, name in enumerate(TILE_NAMES)}


class Action(NamedTuple):
    """One action: `do` is discard, chow, pung, kong (a discard), added, concealed, flower, ready, win or pass.

    `tile` is the kind discarded, claimed, konged or set aside; `low` the lowest kind of a chow; `drawn` whether a
    discard is the tile just drawn; `ready` whether the discard declares the hand ready; `score` what a win scores
    (in options only; an action need not carry it).
    """

    do: str
    tile: int = -1
    low: int = -1
    drawn: bool = False
    ready: bool = False
    score: Score | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data: {"do": "chow", "tile": "5m", "low": "4m"}."""
        data: dict[str, Any] = {"do": self.do}
        if self.tile >= 0:
            data["tile"] = TILE_NAMES[self.tile]
        if self.low >= 0:
            data["low"] = TILE_NAMES[self.low]
        if self.drawn:
            data["drawn"] = True
        if self.ready:
            data["ready"] = True
        if self.score is not None:
            data["score"] = self.score.to_json()
        return data

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """The action in words, those of its book where they differ from the usual ones."""
        zh, en = (book.won.zh, "win") if self.do == "win" else _WORDS[self.do]
        if self.do == "chow":
            run = range(self.low, self.low + 3)
            return Text(zh + "".join(CHINESE[k] for k in run), f"{en} {''.join(TILE_NAMES[k] for k in run)}")
        if self.tile >= 0:
            zh += tile_text(self.tile).zh
            en += " " + tile_text(self.tile).en
        if self.drawn:
            zh, en = zh + "（摸切）", en + " (as drawn)"
        if self.ready:
            zh, en = zh + "，报听", en + ", ready"
        return Text(zh, en)


_WORDS = {
    "discard": ("打", "discard"), "chow": ("吃", "chow"), "pung": ("碰", "pung"), "kong": ("杠", "kong"),
    "added": ("加杠", "add to the pung"), "concealed": ("暗杠", "concealed kong"), "flower": ("补花", "replace"),
    "ready": ("报听", "ready"), "win": ("和", "win"), "pass": ("过", "pass"),
}  # fmt: skip


def tile_text(kind: int) -> Text:
    """The name of one of the 42 kinds in both languages."""
    if kind >= len(CHINESE):
        return Text(FLOWERS[kind - len(CHINESE)], FLOWERS_ENGLISH[kind - len(CHINESE)])
    return Text(CHINESE[kind], TILE_NAMES[kind])


KINDS_OF_ACTION = tuple(_WORDS)

PASS = Action("pass")
WIN = Action("win")
READY = Action("ready")
FROM_HAND = tuple(Action("discard", kind) for kind in range(42))
AS_DRAWN = tuple(Action("discard", kind, drawn=True) for kind in range(42))
FROM_HAND_READY = tuple(Action("discard", kind, ready=True) for kind in range(34))
AS_DRAWN_READY = tuple(Action("discard", kind, drawn=True, ready=True) for kind in range(34))
PUNG = tuple(Action("pung", kind) for kind in range(34))
KONG = tuple(Action("kong", kind) for kind in range(34))
ADDED = tuple(Action("added", kind) for kind in range(34))
CONCEALED = tuple(Action("concealed", kind) for kind in range(34))
FLOWER = tuple(Action("flower", kind) for kind in range(42))


def _chows(tile: int) -> tuple[tuple[int, int, Action], ...]:
    if tile >= 27:
        return ()
    found = []
    for low in (tile - 2, tile - 1, tile):
        if low >= 0 and low // 9 == tile // 9 == (low + 2) // 9:
            a, b = (k for k in range(low, low + 3) if k != tile)
            found.append((a, b, Action("chow", tile, low)))
    return tuple(found)


CHOWS = tuple(_chows(tile) for tile in range(42))
"""For each kind: the two other kinds of every chow it can finish, and the action."""


def meant(options: Sequence[Action], action: Action) -> Action | None:
    """The option that an action means: the same words about the same tile; a win needs no tile."""
    for option in options:
        if option is action:
            return option
    for option in options:
        if option[:5] == action[:5] or (option.do == action.do == "win" and action.tile in (-1, option.tile)):
            return option
    return None


def timeout(options: Sequence[Action]) -> Action:
    """The action of a seat that does not answer: a pass, else the drawn tile, else its last tile."""
    for option in reversed(options):
        if option.do == "pass" or (option.do == "discard" and not option.ready):
            return option
    return options[-1]


class ActionError(Error):
    """Data that is no action."""


def read_action(data: Any) -> Action:
    """An action from its JSON form.

    Raises:
        ActionError: it is none.
    """
    if not isinstance(data, dict) or data.get("do") not in _WORDS:
        listed = ", ".join(_WORDS)
        raise ActionError(f"动作的 do 应是：{listed}。", f"an action's do is one of: {listed}.")
    numbers = []
    for key in ("tile", "low"):
        name = data.get(key)
        if name is not None and (not isinstance(name, str) or name not in TILE_NUMBER):
            raise ActionError(f"动作的 {key} 不是牌：{name!r}。", f"an action's {key} is no tile: {name!r}.")
        numbers.append(-1 if name is None else TILE_NUMBER[name])
    return Action(data["do"], numbers[0], numbers[1], data.get("drawn") is True, data.get("ready") is True)
