"""quepu 雀谱: score, explain, play and measure Chinese mahjong rulebooks.

    >>> import quepu
    >>> score = quepu.score("11223sCC(NNNN)(123s)+3s", rules="lingque-29", seat="N", self_draw=True)
    >>> score.points
    280

Everything here takes a rulebook by id, alias or value, and a hand as text or as a `Hand`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from quepu.errors import Error, HandError, NotationError, NotAWin, OverlayError, Text, UnknownName

if TYPE_CHECKING:
    from quepu.batch import Scores
    from quepu.hand import Hand
    from quepu.rulebook import Rulebook
    from quepu.scoring import Score
    from quepu.waiting import Choice, Outlook

__version__ = "0.1.0"
__all__ = [
    "Error",
    "HandError",
    "NotAWin",
    "NotationError",
    "OverlayError",
    "Text",
    "UnknownName",
    "book",
    "books",
    "load_rules",
    "parse",
    "score",
    "score_many",
    "waits",
    "write",
]

# The functions import what they need when called: `import quepu` must cost nothing.


def parse(text: str) -> Hand:
    """The hand that a text writes (see `quepu.notation`).

    Raises:
        NotationError: with one sentence and the position of what is wrong.
    """
    from quepu.notation import parse as read

    return read(text)


def write(hand: Hand) -> str:
    """The canonical text of a hand."""
    from quepu.notation import write as text_of

    return text_of(hand)


def book(name: str | Rulebook = "lingque-29") -> Rulebook:
    """The rulebook of this id or alias.

    Raises:
        UnknownName: there is none.
    """
    from quepu.rulebooks import book as find

    return find(name)


def books() -> tuple[Rulebook, ...]:
    """Every rulebook."""
    from quepu.rulebooks import books as every

    return every()


def load_rules(path: str) -> Rulebook:
    """The rulebook that a house-rule file (TOML) makes of another.

    Raises:
        OverlayError: the file cannot be read or says something that cannot be applied.
    """
    from quepu.overlay import load

    return load(path)


def score(
    hand: str | Hand,
    rules: str | Rulebook = "lingque-29",
    *,
    seat: str = "E",
    round: str = "E",
    self_draw: bool = False,
    circumstances: Iterable[str] = (),
    flowers: Iterable[str] | int = (),
) -> Score:
    """What a complete hand is worth.

    A `Hand` that carries its own circumstances is scored as it is; the keywords speak about a hand given as text.

    Args:
        hand: 13 tiles and the winning one: `123m456p789sCCEE+E`.
        rules: id or alias of a rulebook, or a `Rulebook`.
        seat: own wind, E S W N or 东南西北.
        round: round wind.
        self_draw: whether the winning tile was drawn.
        circumstances: the book's own names (天和 岭上开花 海底捞月 …).
        flowers: names of flowers or how many.

    Raises:
        NotationError: the text is no hand.
        HandError: tiles or circumstances contradict each other.
        NotAWin: no winning shape under this book.
        UnknownName: no such book, wind, circumstance or flower.
    """
    from quepu.scoring import score_hand

    found = book(rules)
    if isinstance(hand, str):
        from quepu.circumstances import situate

        hand = situate(
            parse(hand),
            found,
            seat=seat,
            round=round,
            self_draw=self_draw,
            circumstances=circumstances,
            flowers=flowers,
        )
    return score_hand(hand, found)


def score_many(hands: Any, rules: str | Rulebook = "lingque-29", **given: Any) -> Scores:
    """Many hands at once, as arrays (needs numpy: `pip install quepu[lab]`); see `quepu.batch.score_many`.

    Raises:
        HandError: arrays of the wrong shape or type, or numpy is not installed.
        UnknownName: no such book.
    """
    try:
        from quepu.batch import score_many as many
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise HandError(
            "批量计分需要 numpy：pip install 'quepu[lab]'。",
            "scoring many hands needs numpy: pip install 'quepu[lab]'.",
        ) from None
    return many(hands, rules, **given)


def waits(
    hand: str | Hand,
    rules: str | Rulebook = "lingque-29",
    *,
    seat: str = "E",
    round: str = "E",
    circumstances: Iterable[str] = (),
    flowers: Iterable[str] | int = (),
    seen: str | Iterable[int] = (),
) -> Outlook | list[Choice]:
    """What 13 tiles wait for, with points for each; or, of 14 tiles, what each discard would wait for.

    Args:
        hand: 13 or 14 tiles; a `+` before the last is allowed and means nothing here.
        rules: id or alias of a rulebook, or a `Rulebook`.
        seat: own wind.
        round: round wind.
        circumstances: those that say something about the hand and not about one win (a declared ready hand).
        flowers: names of flowers or how many.
        seen: tiles that lie open elsewhere, as text or kinds; they are not left to be drawn.

    Raises:
        Error: as `score`.
    """
    from quepu.waiting import choices, outlook

    found = book(rules)
    if isinstance(hand, str):
        from quepu.circumstances import situate

        hand = situate(parse(hand), found, seat=seat, round=round, circumstances=circumstances, flowers=flowers)
    if isinstance(seen, str):
        from quepu.notation import tiles

        seen = tiles(seen)
    if hand.winning is None and len(hand.concealed) % 3 == 2:  # fourteen, none of them marked
        hand = hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1])
    if hand.winning is not None:
        return choices(hand, found, tuple(seen))
    return outlook(hand, found, tuple(seen))
