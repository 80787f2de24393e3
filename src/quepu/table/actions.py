"""Actions of a seat, interned so that comparing and listing them costs next to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Error, Text, join_list
from quepu.hands.hand import Meld, MeldKind
from quepu.rules.play_rules import USUAL_WORDS, Words
from quepu.table.wall import TILE_NAMES
from quepu.tiles import CHINESE, FLOWERS, FLOWERS_ENGLISH, SIMPLIFIED, WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.scoring.score import Score

TILE_NUMBER = {name: kind for kind, name in enumerate(TILE_NAMES)}


class NotAllowed(Error):
    """An action that the seat may not take now."""


class ActionKind(StrEnum):
    """The kind of an action, by its name in messages; `KONG` claims a discard.

    Examples:
        >>> import quepu
        >>> from quepu.table import ActionKind
        >>> ActionKind.PUNG.name, ActionKind.PASS.name
        ('PUNG', 'PASS')
    """

    DISCARD = "discard"
    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    ADDED = "added"
    CONCEALED = "concealed"
    FLOWER = "flower"
    READY = "ready"
    WIN = "win"
    PASS = "pass"  # noqa: S105  # no password


_KIND_OF: dict[str, ActionKind] = {kind: kind for kind in ActionKind}


class _Fields(NamedTuple):
    do: ActionKind
    tile: int | None = None
    low: int | None = None
    drawn: bool = False
    ready: bool = False
    score: Score | None = None


class Action(_Fields):
    """One action.

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> action = quepu.Table(quepu.book("guobiao"), make_wall(7)).options(0)[0]
        >>> action.do.name, action.tile is not None
        ('DISCARD', True)

    `tile` is the kind discarded, claimed, konged or set aside, None if none is named; `low` the lowest kind of a chow,
    else None; `drawn` whether a discard is the tile just drawn; `ready` whether the discard declares the hand ready;
    `score` the score of a win (in options only; an action need not have it).
    """

    __slots__ = ()

    def __new__(
        cls,
        do: ActionKind | str,
        tile: int | None = None,
        low: int | None = None,
        drawn: bool = False,
        ready: bool = False,
        score: Score | None = None,
    ) -> Action:
        """Return an action; `do` may be the name of its kind.

        Raises:
            ActionError: the name is unknown.
        """
        kind = _KIND_OF.get(do)
        if kind is None:
            raise _no_kind()
        return tuple.__new__(cls, (kind, tile, low, drawn, ready, score))

    @property
    def tile_kind(self) -> int:
        """The `tile` of an action that names one.

        Raises:
            ValueError: it names no tile.
        """
        if self.tile is None:
            raise ValueError(self)
        return self.tile

    @property
    def run(self) -> range:
        """The kinds of a chow; empty for any other action."""
        return range(0) if self.low is None else range(self.low, self.low + 3)

    @property
    def meld(self) -> Meld:
        """Return the meld that a claim makes.

        Raises:
            ValueError: it is not a claim for a meld.
        """
        if self.low is not None:
            return Meld(MeldKind.CHOW, self.low)
        return Meld(_MELDS[self.do], self.tile_kind)

    def to_json(self) -> dict[str, Any]:
        """Return plain data: {"do": "chow", "tile": "5m", "low": "4m"}."""
        data: dict[str, Any] = {"do": self.do.value}
        if self.tile is not None:
            data["tile"] = TILE_NAMES[self.tile]
        if self.low is not None:
            data["low"] = TILE_NAMES[self.low]
        if self.drawn:
            data["drawn"] = True
        if self.ready:
            data["ready"] = True
        if self.score is not None:
            data["score"] = self.score.to_json()
        return data

    def text(self, book: Words = USUAL_WORDS) -> Text:
        """Return the action in words, the book's own if they differ from the usual ones."""
        zh, en = (book.won.zh, "win") if self.do is ActionKind.WIN else _WORDS[self.do]
        if self.low is not None:
            return Text(zh + "".join(CHINESE[k] for k in self.run), f"{en} {''.join(TILE_NAMES[k] for k in self.run)}")
        if self.tile is not None:
            zh += tile_text(self.tile).zh
            en += " " + tile_text(self.tile).en
        if self.drawn:
            zh, en = zh + "（摸切）", en + " (as drawn)"
        if self.ready:
            zh, en = zh + "，报听", en + ", ready"
        return Text(zh, en)


_WORDS = {
    ActionKind.DISCARD: ("打", "discard"), ActionKind.CHOW: ("吃", "chow"), ActionKind.PUNG: ("碰", "pung"),
    ActionKind.KONG: ("杠", "kong"), ActionKind.ADDED: ("加杠", "add to the pung"),
    ActionKind.CONCEALED: ("暗杠", "concealed kong"), ActionKind.FLOWER: ("补花", "replace"),
    ActionKind.READY: ("报听", "ready"), ActionKind.WIN: ("和", "win"), ActionKind.PASS: ("过", "pass"),
}  # fmt: skip
_MELDS = {ActionKind.PUNG: MeldKind.PUNG, ActionKind.KONG: MeldKind.KONG}
CLAIMS = frozenset({ActionKind.CHOW, ActionKind.PUNG, ActionKind.KONG})
"""Claims of a discard for a meld."""


def tile_text(kind: int) -> Text:
    """Return the name of one of the 42 kinds in both languages."""
    if kind >= len(CHINESE):
        return Text(FLOWERS[kind - len(CHINESE)], FLOWERS_ENGLISH[kind - len(CHINESE)])
    return Text(SIMPLIFIED[kind], TILE_NAMES[kind])


PASS = Action(ActionKind.PASS)
WIN = Action(ActionKind.WIN)
READY = Action(ActionKind.READY)
FROM_HAND = tuple(Action(ActionKind.DISCARD, kind) for kind in range(42))
AS_DRAWN = tuple(Action(ActionKind.DISCARD, kind, drawn=True) for kind in range(42))
FROM_HAND_READY = tuple(Action(ActionKind.DISCARD, kind, ready=True) for kind in range(34))
AS_DRAWN_READY = tuple(Action(ActionKind.DISCARD, kind, drawn=True, ready=True) for kind in range(34))
PUNG = tuple(Action(ActionKind.PUNG, kind) for kind in range(34))
KONG = tuple(Action(ActionKind.KONG, kind) for kind in range(34))
ADDED = tuple(Action(ActionKind.ADDED, kind) for kind in range(34))
CONCEALED = tuple(Action(ActionKind.CONCEALED, kind) for kind in range(34))
FLOWER = tuple(Action(ActionKind.FLOWER, kind) for kind in range(42))


def _chows(tile: int) -> tuple[tuple[int, int, Action], ...]:
    if tile >= 27:
        return ()
    found = []
    for low in (tile - 2, tile - 1, tile):
        if low >= 0 and low // 9 == tile // 9 == (low + 2) // 9:
            a, b = (k for k in range(low, low + 3) if k != tile)
            found.append((a, b, Action(ActionKind.CHOW, tile, low)))
    return tuple(found)


CHOWS = tuple(_chows(tile) for tile in range(42))
"""For each kind: the two other kinds of every chow it can finish, and the action."""


def find_option(options: Sequence[Action], action: Action) -> Action | None:
    """Find the option that an action means: the same kind of action on the same tile; a win needs no tile."""
    for option in options:
        if option is action:
            return option
    for option in options:
        if option[:5] == action[:5]:
            return option
        if option.do is action.do is ActionKind.WIN and action.tile in (None, option.tile):
            return option
    return None


def timeout(options: Sequence[Action]) -> Action:
    """Return the action of a seat that does not answer: a pass, else the drawn tile, else its last tile."""
    for option in reversed(options):
        if option.do is ActionKind.PASS or (option.do is ActionKind.DISCARD and not option.ready):
            return option
    return options[-1]


def refusal(seat: int, action: Action, to_act: Sequence[int], options: Sequence[Action], book: Words) -> Text:
    """Say why a seat may not do this now: others are to act, or it has other options."""
    zh, en = action.text(book)
    who, who_en = (WINDS_CHINESE[seat], WINDS[seat]) if 0 <= seat < 4 else (str(seat), str(seat))
    if seat not in to_act:
        refused = Text(f"{who}家现在不能“{zh}”", f"{who_en} cannot choose “{en}” now")
        if not to_act:
            return Text(f"{refused.zh}：这一{book.hand.zh}已结束。", f"{refused.en}: the hand is over.")
        turn = join_list(Text(WINDS_CHINESE[s], WINDS[s]) for s in to_act)
        return Text(f"{refused.zh}：轮到的是{turn.zh}。", f"{refused.en}: it is {turn.en}'s turn.")
    listed = join_list(option.text(book) for option in options)
    return Text(
        f"{who}家现在不能“{zh}”，可以：{listed.zh}。", f"{who_en} cannot choose “{en}” now; options: {listed.en}."
    )


class ActionError(Error):
    """Data that is not an action."""


def read_action(data: Any) -> Action:
    """Read an action from its JSON form.

    Raises:
        ActionError: it is not an action.
    """
    if not isinstance(data, dict) or data.get("do") not in _WORDS:
        raise _no_kind()
    tiles = []
    for key in ("tile", "low"):
        name = data.get(key)
        if name is not None and (not isinstance(name, str) or name not in TILE_NUMBER):
            raise ActionError(f"动作的 {key} 不是牌：{name!r}。", f"the {key} of an action is not a tile: {name!r}.")
        tiles.append(None if name is None else TILE_NUMBER[name])
    tile, low = tiles
    return Action(data["do"], tile, low, data.get("drawn") is True, data.get("ready") is True)


def _no_kind() -> ActionError:
    listed = ", ".join(_WORDS)
    return ActionError(f"动作的 do 应是：{listed}。", f"an action's do is one of: {listed}.")
