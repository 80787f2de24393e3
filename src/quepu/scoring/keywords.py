"""Give a hand its seat, winds, circumstances and flowers, from the keywords of every public function."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, cast

from quepu.errors import HandError, unknown_keywords
from quepu.hands.hand import Hand
from quepu.hands.notation import parse, tiles
from quepu.rules.circumstances import refuse_beside_hand, refuse_impossible, refuse_other_tiles, situate
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand
from quepu.scoring.signatures import HAND_DEFAULTS, HandKeywords, WaitKeywords
from quepu.shapes.distance import hand_missing
from quepu.shapes.distance import useful as useful_kinds
from quepu.tiles import PLAIN, TILES, Tile


def score(hand: str | Hand, book: Rulebook, keywords: HandKeywords) -> Score:
    """Score a hand as `quepu.score` does."""
    return score_hand(hand_of("score", hand, book, keywords), book)


def hand_of(function: str, hand: str | Hand, book: Rulebook, keywords: HandKeywords, *, waiting: bool = False) -> Hand:
    """Return a hand given as text with its keywords applied; a `Hand` is returned as it is.

    Errors name `function`.

    Raises:
        UnknownKeyword: the keyword is unknown.
        NotationError, HandError, UnknownName: as `situate`.
    """
    if keywords:
        _refuse_unknown(function, keywords, HandKeywords)
    if isinstance(hand, Hand):
        if keywords:
            refuse_beside_hand(keywords)
        refuse_other_tiles(hand, book)
        refuse_impossible(hand, book)
        return hand
    if not keywords:
        found = parse(hand)
        refuse_other_tiles(found, book)
        return found
    surrounding: dict[str, Any] = {**HAND_DEFAULTS, **keywords}
    for wind in ("seat", "round"):
        surrounding[wind] = surrounding[wind] or "E"
    return situate(parse(hand), book, **surrounding, waiting=waiting)


def shanten(hand: str | Hand, book: Rulebook, keywords: HandKeywords) -> int:
    """Return the steps of a hand from ready, as `quepu.shanten` does."""
    if keywords or type(hand) is not Hand or hand.luck or book.tiles is not PLAIN:
        hand = hand_of("shanten", hand, book, keywords, waiting=True)
    return hand_missing(hand, book.shapes) - 1


def useful(hand: str | Hand, book: Rulebook, keywords: HandKeywords) -> tuple[Tile, ...]:
    """Return the tiles that bring a hand nearer, as `quepu.useful` does."""
    if keywords or type(hand) is not Hand or hand.luck or book.tiles is not PLAIN:
        hand = hand_of("useful", hand, book, keywords, waiting=True)
    return tuple([TILES[kind] for kind in useful_kinds(hand, book.shapes)])


def waiting_hand(
    function: str, hand: str | Hand, book: Rulebook, keywords: WaitKeywords
) -> tuple[Hand, Rulebook, tuple[int, ...]]:
    """Return a waiting hand with its keywords applied, its rulebook, and the kinds in view outside it.

    Raises:
        UnknownKeyword, NotationError, HandError, UnknownName: as `hand_of`.
    """
    from quepu.scoring.waits import mark_winning

    _refuse_unknown(function, keywords, WaitKeywords)
    surrounding = {name: value for name, value in keywords.items() if name != "seen"}
    found = hand_of(function, hand, book, cast("HandKeywords", surrounding), waiting=True)
    return mark_winning(found), book, _kinds(keywords.get("seen", ()))


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
