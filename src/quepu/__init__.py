"""quepu 雀谱: score, explain, play and measure Chinese mahjong rulebooks.

    >>> import quepu
    >>> score = quepu.score("11223sCC(NNNN)(123s)+3s", rules="lingque-29", seat="N", self_draw=True)
    >>> score.points
    280
    >>> [(wait.left, wait.by_discard.points) for wait in quepu.waits("123m456p789sCCEE", "guobiao").waits]
    [(2, 20), (2, 18)]

    score(hand, rules)        what a complete hand is worth, and why: a `quepu.scoring.Score`
    waits(hand, rules)        what 13 tiles wait for, what to discard of 14: `quepu.waiting.Outlook`, or `Choice`s
    score_many(hands, rules)  arrays in, arrays out: `quepu.batch.Scores`
    book(name), books()       a rulebook and its fans: a `quepu.rulebook.Rulebook`; `having(…)` makes a house rule of it
    load_rules(path)          a rulebook that a house-rule file makes of another
    parse(text), write(hand)  text to `quepu.hand.Hand` and back

Rules are given by id, alias or value; a hand as text (`quepu.notation`: concealed tiles, melds in brackets, `+` and the
winning tile) or as a `Hand`. Tiles are kinds 0-33: 0-8 characters (m), 9-17 dots (p), 18-26 bamboo (s), 27-30 the winds
E S W N, 31-33 the dragons C F P. Whatever is wrong with what was given is a `quepu.Error`: a sentence in two languages,
with the place in the text where there is one.

Further in: `quepu.table` and `quepu.match` play and keep score, `quepu.bots` and `quepu.arena` play by themselves,
`quepu.review` values what was played, `quepu.rl` is an environment for learning, `quepu.lab` measures a rulebook over
every hand there is, `quepu.exchange` speaks JSON.
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
    """The hand that a text writes: 13 tiles, 14 with `+` before the winning one, or 14 without (about to discard).

        >>> parse("11223sCC(NNNN)(123s)+3s").melds
        (Meld(kind=<MeldKind.KONG: 2>, tile=30), Meld(kind=<MeldKind.CHOW: 0>, tile=18))

    `(…)` is an exposed chow, pung or kong, `[…]` a concealed kong. Chinese names, 1-7z, Unicode tiles and full-width
    characters are read too. Seat, round, circumstances and flowers are no part of the text.

    Raises:
        NotationError: with one sentence and the position of what is wrong.
    """
    from quepu.notation import parse as read

    return read(text)


def write(hand: Hand) -> str:
    """The canonical text of a hand, which `parse` reads back: `11223sCC(NNNN)(123s)+3s`."""
    from quepu.notation import write as text_of

    return text_of(hand)


def book(name: str | Rulebook = "lingque-29") -> Rulebook:
    """The rulebook of this id or alias; a rulebook is handed back as it is. The file of a house rule: `load_rules`.

        >>> book("国标").fan("三色三同顺").value
        8

    Raises:
        UnknownName: there is none.
    """
    from quepu.rulebooks import book as find

    return find(name)


def books() -> tuple[Rulebook, ...]:
    """Every rulebook that comes with quepu, in a fixed order."""
    from quepu.rulebooks import books as every

    return every()


def load_rules(path: str) -> Rulebook:
    """The rulebook that a house-rule file (TOML, as the README shows) makes of another.

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
    """What a complete hand is worth, and why.

    A `Hand` is scored as it is, with its own seat, circumstances and flowers (`quepu.hand.check_tiles` refuses one that
    cannot be); the keywords speak about a hand given as text.

    Args:
        hand: 13 tiles and the winning one: `123m456p789sCCEE+E`.
        rules: id or alias of a rulebook, or a `Rulebook`.
        seat: own wind, E S W N or 东南西北.
        round: round wind.
        self_draw: whether the winning tile was drawn.
        circumstances: a list of the book's own names (天和 岭上开花 海底捞月 …; `book(rules).circumstances` has them).
        flowers: names of flowers (春夏秋冬梅兰竹菊), or how many.

    Returns:
        The best reading's score: `points` (towards the minimum), `total` (with flowers and what else comes on top),
        `can_win`, `fans` that count, `parts` (副 and 翻, or 番), `explain(lang)` as text, `to_json(explain=…)`.
        Points are whole numbers in the book's `unit`.

    Raises:
        NotationError: the text is no hand.
        HandError: tiles or circumstances contradict each other.
        NotAWin: no winning shape under this book.
        UnknownName: no such book, wind, circumstance or flower.
    """
    from quepu.hand import Hand
    from quepu.scoring import score_hand

    found = book(rules)
    if not isinstance(hand, Hand):
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
    """Many hands at once, as arrays; on every one of them equal to `score`.

        >>> scores = score_many(["123m456p789sCCEE+E", "12x"], "guobiao")
        >>> scores.points.tolist(), scores.valid.tolist()
        ([20, 0], [True, False])

    Args:
        hands: a list of texts (won by a discard, East in the East round) or of `Hand`s, or an integer array [N, 34] of
            the copies of each kind among the concealed tiles, the winning tile included.
        rules: id or alias of a rulebook, or a `Rulebook`.
        given: `melds`, `winning`, `seat`, `round`, `luck`, `flowers` beside an array; `fans`, `reading` (what to
            answer), `jobs`, `chunk`, `fast` (how): see `quepu.batch.score_many`.

    Returns:
        Arrays, entry i about hand i: `valid` bool, `points` and `total` int32, `can_win` bool, `fans` uint8 [N, fans of
        the book], `fan(name)`; and `errors` by hand number.

    Raises:
        HandError: one hand instead of many, arrays of the wrong shape or type, or numpy is not installed.
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
        seat: own wind, E S W N or 东南西北.
        round: round wind.
        circumstances: those that say something about the hand and not about one win (a declared ready hand).
        flowers: names of flowers (春夏秋冬梅兰竹菊), or how many.
        seen: tiles that lie open elsewhere, as text or kinds (0-33, with repetition); they are not left to be drawn.

    Returns:
        Of 13 tiles an `Outlook`: `waits`, each with `tile` (a kind), copies `left`, the scores `by_discard` and
        `by_self_draw` and the `reason` why it cannot win; of a hand that is not ready `missing` and the `useful` kinds.
        Of 14 tiles a list of `Choice`s, best first: the kind to `discard` and the `outlook` it leads to.

    Raises:
        NotationError: a text is no hand, or no tiles.
        HandError: tiles or circumstances contradict each other; more than four copies of a kind with those seen.
        UnknownName: no such book, wind, circumstance or flower.
    """
    from quepu.hand import Hand
    from quepu.waiting import choices, marked, outlook

    found = book(rules)
    if not isinstance(hand, Hand):
        from quepu.circumstances import situate

        hand = situate(parse(hand), found, seat=seat, round=round, circumstances=circumstances, flowers=flowers)
    if isinstance(seen, str):
        from quepu.notation import tiles

        seen = tiles(seen)
    seen = tuple(seen)
    if not all(0 <= kind < 34 for kind in seen):
        raise HandError("seen 里的牌应是 0 到 33 的编号。", "seen must be kinds from 0 to 33.")
    hand = marked(hand)
    if hand.winning is not None:
        return choices(hand, found, seen)
    return outlook(hand, found, seen)
