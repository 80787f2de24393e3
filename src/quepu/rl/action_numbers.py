"""The actions of any book as numbers, always the same ones, so that a policy can move between books."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.table import Action, ActionKind, actions

DISCARD = 0  # + kind (42): a tile of this kind, the drawn one only if no other is held
DISCARD_READY = 42  # + kind (34): the same, declaring the hand ready
CHOW = 76  # + 0, 1, 2: the offered tile is the lowest, middle or highest of the run
PUNG, KONG, WIN, PASS, READY, FLOWER = range(79, 85)
ADDED = 85  # + kind (34)
CONCEALED = 119  # + kind (34)
COUNT = 153
_OF_KIND = {ActionKind.DISCARD: DISCARD, ActionKind.ADDED: ADDED, ActionKind.CONCEALED: CONCEALED}
_ALONE = {
    ActionKind.PUNG: PUNG, ActionKind.KONG: KONG, ActionKind.WIN: WIN, ActionKind.PASS: PASS,
    ActionKind.READY: READY, ActionKind.FLOWER: FLOWER,
}  # fmt: skip


def number(action: Action) -> int:
    """The number of an action (two discards of one kind share it).

    Examples:
        >>> from quepu.table import Action, ActionKind
        >>> number(Action(ActionKind.DISCARD, tile=27)), number(Action(ActionKind.PASS))
        (27, 82)
    """
    do = action.do
    if action.low is not None:
        return CHOW + action.tile_kind - action.low
    if do in _OF_KIND:
        return (DISCARD_READY if action.ready else _OF_KIND[do]) + action.tile_kind
    return _ALONE[do]


def numbers(options: Sequence[Action]) -> list[int]:
    """Numbers of options, in their order. Of two discards of one kind the one from the hand comes first.

    Examples:
        >>> import quepu
        >>> from quepu.table import make_wall
        >>> numbers(quepu.Table(quepu.book("guobiao-mcr"), make_wall(7)).options(0))[:4]
        [1, 3, 4, 7]
    """
    found = list(map(_NUMBERS.get, map(id, options)))
    if None in found:
        return list(map(number, options))
    return found  # type: ignore[return-value]  # none is None


def number_options(options: Sequence[Action]) -> dict[int, Action]:
    """Options by number; of two discards of one kind the one from the hand.

    Examples:
        >>> import quepu
        >>> from quepu.table import make_wall
        >>> options = number_options(quepu.Table(quepu.book("guobiao-mcr"), make_wall(7)).options(0))
        >>> sorted(options)[:2], options[1].tile
        ([1, 3], 1)
    """
    backwards = options[::-1]  # what is discarded as drawn stands behind what is in the hand
    return dict(zip(numbers(backwards), backwards, strict=True))


def _number_interned() -> dict[int, int]:
    """The number of each action that is made once and for all, by identity."""
    lists = (
        actions.FROM_HAND,
        actions.AS_DRAWN,
        actions.FROM_HAND_READY,
        actions.AS_DRAWN_READY,
        actions.PUNG,
        actions.KONG,
        actions.ADDED,
    )
    chows = [chow for row in actions.CHOWS for _, _, chow in row]
    every = (
        *(one for row in lists for one in row),
        *actions.CONCEALED,
        *actions.FLOWER,
        *chows,
        actions.PASS,
        actions.READY,
    )
    return {id(action): number(action) for action in every}


_NUMBERS = _number_interned()


def names() -> list[str]:
    """List the meaning of each number, for logs and tables.

    Examples:
        >>> names()[27], names()[79], len(names())
        ('discard E', 'pung', 153)
    """
    from quepu.table.wall import TILE_NAMES

    listed = [f"discard {TILE_NAMES[kind]}" for kind in range(42)]
    listed += [f"discard {TILE_NAMES[kind]}, ready" for kind in range(34)]
    listed += ["chow as lowest", "chow as middle", "chow as highest", "pung", "kong", "win", "pass", "ready", "flower"]
    listed += [f"add {TILE_NAMES[kind]} to the pung" for kind in range(34)]
    listed += [f"concealed kong of {TILE_NAMES[kind]}" for kind in range(34)]
    return listed
