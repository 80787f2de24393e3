"""The keywords that surround a hand given as text: one list for every function of `quepu` that takes such a hand."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Final, TypedDict, cast

from quepu.errors import HandError, unknown_keywords
from quepu.hands.hand import Hand
from quepu.hands.notation import parse, tiles
from quepu.rules.circumstances import refuse_beside_hand, refuse_other_tiles, situate
from quepu.rules.rulebook import Rulebook


class HandKeywords(TypedDict, total=False):
    """What surrounds a hand."""

    seat: str | None
    """Own wind, E S W N or 东南西北; East if not given."""
    round: str | None
    """Round wind; East if not given."""
    self_draw: bool
    """Whether the winning tile was drawn; of a hand that waits, whether only self-drawn wins are meant."""
    circumstances: Iterable[str]
    """The book's own names (天和 岭上开花 …; `Rulebook.circumstances` has them) or their English labels."""
    flowers: Iterable[str] | int
    """Names of flowers (春夏秋冬梅兰竹菊), or how many."""


class WaitKeywords(HandKeywords, total=False):
    """What surrounds a hand that waits."""

    seen: str | Iterable[int]
    """Tiles in view outside the hand, as text or kinds 0-33 with repetition; they are not left to be drawn."""


_PLAIN: Final = HandKeywords(seat=None, round=None, self_draw=False, circumstances=(), flowers=())


def hand_of(function: str, hand: str | Hand, book: Rulebook, keywords: HandKeywords, *, waiting: bool = False) -> Hand:
    """A hand in what surrounds it; a `Hand` as it is. `function` is the one whose keywords these are.

    Raises:
        UnknownKeyword: there is no such keyword.
        NotationError, HandError, UnknownName: as `situate`.
    """
    if keywords:
        _refuse_unknown(function, keywords, HandKeywords)
    if isinstance(hand, Hand):
        if keywords:
            refuse_beside_hand(keywords)
        refuse_other_tiles(hand, book)
        return hand
    surrounding: dict[str, Any] = {**_PLAIN, **keywords}
    for wind in ("seat", "round"):
        surrounding[wind] = surrounding[wind] or "E"
    return situate(parse(hand), book, **surrounding, waiting=waiting)


def waiting_hand(
    function: str, hand: str | Hand, book: Rulebook, keywords: WaitKeywords
) -> tuple[Hand, Rulebook, tuple[int, ...]]:
    """A hand that waits, in what surrounds it; its rulebook; the kinds in view outside it.

    Raises:
        UnknownKeyword, NotationError, HandError, UnknownName: as `hand_of`.
    """
    from quepu.scoring.waits import marked

    _refuse_unknown(function, keywords, WaitKeywords)
    surrounding = {name: value for name, value in keywords.items() if name != "seen"}
    found = hand_of(function, hand, book, cast("HandKeywords", surrounding), waiting=True)
    return marked(found), book, _kinds(keywords.get("seen", ()))


def _refuse_unknown(function: str, keywords: HandKeywords, accepted: type[HandKeywords]) -> None:
    names = accepted.__annotations__
    unknown = [name for name in keywords if name not in names]
    if unknown:
        raise unknown_keywords(function, unknown, ["hand", "rules", *names])


def _kinds(seen: str | Iterable[int]) -> tuple[int, ...]:
    try:
        kinds = tuple(index(kind) for kind in (tiles(seen) if isinstance(seen, str) else seen))
    except TypeError:
        kinds = (-1,)
    if not all(0 <= kind < 34 for kind in kinds):
        raise HandError("seen 里的牌应是 0 到 33 的编号。", "seen must be kinds from 0 to 33.")
    return kinds
