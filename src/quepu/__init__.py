"""quepu 雀谱: score, explain, play and measure Chinese mahjong rulebooks.

    score(hand, rules)        the score of a complete hand, explained: a `quepu.scoring.score.Score`
    waits(hand, rules)        the waits of 13 tiles: a `quepu.scoring.waits.Outlook`
    discards(hand, rules)     each discard of 14 tiles with its waits: `quepu.scoring.waits.Choice`s, best first
    completion(hand, rules)   whether 14 tiles are a win, with which tile: `quepu.scoring.completion.Completed`
    shanten(hand, rules)      the number of steps from ready
    useful(hand, rules)       the tiles that bring it nearer; of a ready hand its waits, without scores
    score_many(hands, rules)  arrays in, arrays out: `quepu.batch.Scores`
    shanten_many, useful_many, waits_many, discards_many      the same for the others: `quepu.fast.nearest.many`
    book(name), books()       a rulebook and its fans: a `rules.rulebook.Rulebook`; `having(…)` makes a house rule of it
    load_rules(path)          the rulebook of a house-rule file
    parse(text), write(hand)  text to `Hand` and back; `parse_tiles(text)` gives `Tile`s
    language("en")            the language of errors, explanations and notebooks; else QUEPU_LANG, else the locale

Classes: Hand Meld Tile Score FanLine Outlook Wait Choice Completed Scores Rulebook Fan Table View Action Event Match
Text.
Values print what they are, are equal by value and can be pickled; a notebook shows scores, waits, hands and rulebooks
with pictures of tiles.

Rules are given by id, alias or value; a hand as text (`hands.notation`: concealed tiles, melds in brackets, `+` and the
winning tile) or as a `Hand`. Tiles are kinds 0-33: 0-8 characters (m), 9-17 dots (p), 18-26 bamboo (s), 27-30 the winds
E S W N, 31-33 the dragons C F P. Any invalid input raises a `quepu.Error`: a sentence in two languages, with the
position in the text, if any.

Further modules: `quepu.table` and `quepu.match` play and keep score, `quepu.bots` and `quepu.arena` are and run bots,
`quepu.review` reviews played hands, `quepu.rl` is a reinforcement learning environment, `quepu.lab` measures a rulebook
over every possible hand, `quepu.logs` reads logs as tables, `quepu.json_lines.answers` answers JSON.
"""

from __future__ import annotations

from functools import cache as _cache
from importlib import import_module as _import
from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING as _TYPING
from typing import Any as _Any

from quepu.errors import (
    Error,
    HandError,
    NotationError,
    NotAWin,
    OverlayError,
    Text,
    UnknownName,
    language,
)
from quepu.scoring.signatures import COMPILED as _COMPILED
from quepu.scoring.signatures import DEFAULT_RULES as _DEFAULT
from quepu.scoring.signatures import HandKeywords, ManyKeywords, WaitKeywords
from quepu.scoring.signatures import showing as _showing
from quepu.version import __version__ as __version__

if _TYPING:
    from collections.abc import Iterable
    from typing import Unpack

    from numpy.typing import NDArray

    from quepu.batch import Scores, discards_many, shanten_many, useful_many, waits_many
    from quepu.hands.hand import Hand, Luck, Meld, MeldKind
    from quepu.match import Match
    from quepu.rules.row import Fan
    from quepu.rules.rulebook import Rulebook
    from quepu.scoring.completion import Completed
    from quepu.scoring.score import FanLine, Score
    from quepu.scoring.waits import Choice, Outlook, Wait
    from quepu.table import Action, Event, Table, View
    from quepu.tiles import Tile

__all__ = [
    "Action", "Choice", "Completed", "Error", "Event", "Fan", "FanLine", "Hand", "HandError", "Luck", "Match",
    "Meld", "MeldKind", "NotAWin", "NotationError", "Outlook", "OverlayError", "Rulebook", "Score", "Scores",
    "Table", "Text", "Tile", "UnknownName", "View", "Wait", "book", "books", "completion", "discards", "discards_many",
    "language", "load_rules", "parse", "parse_tiles", "score", "score_many", "shanten", "shanten_many", "useful",
    "useful_many", "waits", "waits_many", "write",
]  # fmt: skip

_MODULES = {
    "quepu.batch": "Scores discards_many shanten_many useful_many waits_many",
    "quepu.hands.hand": "Hand Luck Meld MeldKind",
    "quepu.match": "Match",
    "quepu.rules.rulebook": "Fan Rulebook",
    "quepu.scoring.completion": "Completed",
    "quepu.scoring.score": "FanLine Score",
    "quepu.scoring.waits": "Choice Outlook Wait",
    "quepu.table": "Action Event Table View",
    "quepu.tiles": "Tile",
}
_CLASSES = {name: module for module, names in _MODULES.items() for name in names.split()}
"""The module of each class and function of many hands, imported on first use, as functions import their modules."""


@_cache
def _function(module: str, name: str) -> _Any:
    """Return a function of a module imported on first use; an import statement would be a tenth of a score's time."""
    return getattr(_import(module), name)


_LOADED_AFTER = 4000
"""Hands scored one by one, which take as long as to load the compiled code of a book."""


def _count_hand(book: Rulebook) -> None:
    """Load the compiled code of a book, if there is any in the cache, when many of its hands have been scored."""
    number = book.notes["hands scored"] = book.notes.get("hands scored", 0) + 1
    if number == _LOADED_AFTER and _find_spec("llvmlite") and _find_spec("numpy"):
        _function("quepu.fast.plan", "load_compiled")(book)


def __getattr__(name: str) -> _Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'quepu' has no attribute {name!r}")
    found = globals()[name] = getattr(_import(_CLASSES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", "__doc__"})


def parse(text: str, honours: str = "chinese") -> Hand:
    """Parse a hand: 13 tiles, 14 with `+` before the winning one, or 14 without (about to discard).

        >>> parse("11223sCC(NNNN)(123s)+3s").melds
        (Meld('(NNNN)'), Meld('(123s)'))

    `(…)` is an exposed chow, pung or kong, `[…]` a concealed kong. Chinese names, 1-7z, Unicode tiles and full-width
    characters are accepted, too. Seat, round, circumstances and flowers are not part of the text.

    Honours by number are E S W N C F P: 5z is 中 and 7z is 白. Riichi programs number the dragons the other way round;
    with `honours="riichi"` 5z is read as 白 and 7z as 中.

    Raises:
        NotationError: the text is not a hand; it has one sentence and the position of the mistake.
    """
    from quepu.hands.notation import parse as read

    return read(text, honours)


def parse_tiles(text: str, honours: str = "chinese") -> tuple[Tile, ...]:
    """Parse tiles in the order written: `parse_tiles("123mEE")`, without melds and `+`. `honours` as for `parse`.

        >>> [str(tile) for tile in parse_tiles("123mEE")]
        ['1m', '2m', '3m', 'E', 'E']

    Raises:
        NotationError: something in it is not a tile.
    """
    from quepu.hands.notation import tiles
    from quepu.tiles import TILES

    return tuple(TILES[kind] for kind in tiles(text, honours))


def write(hand: Hand) -> str:
    """Return the canonical text of a hand, which `parse` reads back: `11223sCC(NNNN)(123s)+3s`.

    Examples:
        >>> write(parse("１２３万456p789sCC东东+东"))
        '123m456p789sEECC+E'
    """
    from quepu.hands.notation import write as text_of

    return text_of(hand)


def book(name: str | Rulebook = _DEFAULT) -> Rulebook:
    """Return the rulebook of an id or alias, or of a house-rule file (`club.toml`); a rulebook is returned as it is.

        >>> book("国标").fan("mixed triple chow").value
        8

    Raises:
        UnknownName: the name is unknown.
        OverlayError: the file cannot be read or applied.
    """
    found: Rulebook = _function("quepu.rulebooks", "find_book")(name)
    return found


def books() -> tuple[Rulebook, ...]:
    """Return every rulebook that comes with quepu, in a fixed order.

    Examples:
        >>> [one.id for one in books()][:3]
        ['lingque-29', 'lingque-26', 'yuque-54']
    """
    from quepu.rulebooks import books as every

    return every()


def load_rules(path: str) -> Rulebook:
    """Load a house-rule file (TOML, see the README) and return the resulting rulebook.

        >>> load_rules("club.toml")  # doctest: +SKIP
        MCR (original text) (house rules)

    Raises:
        OverlayError: the file cannot be read or applied.
    """
    from quepu.rulebooks.house_rules import load

    return load(path)


@_showing(HandKeywords)
def score(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[HandKeywords]) -> Score:
    """Score a complete hand and explain the score.

        >>> [line.name for line in score("123m456p789sCCEE+E", "guobiao", seat="S", self_draw=True).fans]
        ['花龙', '五门齐', '不求人', '圈风刻']

    A `Hand` has its own seat, circumstances (refused if impossible) and flowers; `hands.hand.check_tiles` checks its
    tiles. The keywords are for a hand given as text, and refused with a `Hand`.

    Args:
        hand: 13 tiles and the winning one: `123m456p789sCCEE+E`.
        rules: id or alias of a rulebook, the path of a house-rule file (`club.toml`), or a `Rulebook`.
        seat: own wind, E S W N or 东南西北; East if not given.
        round: round wind; East if not given.
        self_draw: whether the winning tile was drawn.
        circumstances: a list of the book's own names (天和 岭上开花 …; `book(rules).circumstances` has
            them) or their English labels.
        flowers: names of flowers (春夏秋冬梅兰竹菊), or how many.

    Returns:
        The best reading's score: `points` (towards the minimum), `total` (with flowers and other extras),
        `can_win`, `fans` that count, `parts` (副 and 翻, or 番), `explain(lang)` as text, `to_json(explain=…)`.
        Points are whole numbers in the book's `unit`.

    Raises:
        NotationError: the text is not a hand.
        HandError: tiles or circumstances contradict each other.
        NotAWin: no winning shape under this book.
        UnknownName: no such book, wind, circumstance or flower.
    """
    found = book(rules)
    if _COMPILED not in found.notes:
        _count_hand(found)
    scored: Score = _function("quepu.scoring.keywords", "score")(hand, found, keywords)
    return scored


@_showing(ManyKeywords)
def score_many(
    hands: Iterable[str] | Iterable[Hand] | NDArray[_Any],
    rules: str | Rulebook | Iterable[str] | Iterable[Rulebook] = _DEFAULT,
    **keywords: Unpack[ManyKeywords],
) -> Scores:
    """Score many hands at once, as arrays; each result equals that of `score`.

        >>> scores = score_many(["123m456p789sCCEE+E", "12x"], "guobiao", seat=["S", "W"])
        >>> scores.points.tolist(), scores.valid.tolist()
        ([18, 0], [True, False])

    Any column of a frame will do: lists, arrays, pandas and polars series, Arrow arrays. One value is for all hands.

    Args:
        hands: texts or `Hand`s, or an integer array [N, 34] of the copies of each kind among the concealed tiles, the
            winning tile included.
        rules: as for `score`; or a column with the rulebook of each hand.
        keywords: seat, round, self_draw, circumstances, flowers as for `score`, for all hands or as columns; melds,
            winning, luck beside an array; fans, reading, jobs, chunk, fast, errors about the work. Each is described in
            `quepu.scoring.signatures.ManyKeywords`. A missing entry (None, NaN) is an error of its row; in
            circumstances and flowers it means none.

    Returns:
        Arrays, entry i about hand i: `valid` bool, `points` and `total` int32, `can_win` bool, `fans` uint8 [N, fans],
        `fan(name)`; and `errors` by hand number: an impossible hand is not valid and has its error there. As a table:
        `to_dict()`, `to_pandas()`, `to_polars()`, `to_arrow()`.

    Raises:
        HandError: one hand instead of many, arrays of the wrong shape or type, a column of the wrong length; with
            `errors="raise"` any row that is not valid.
        MissingExtra: numpy is not installed.
        UnknownName: no such book, wind, circumstance, flower or keyword.
    """
    scores: Scores = _function("quepu.batch", "score_many")(hands, rules, **keywords)
    return scores


@_showing(WaitKeywords)
def waits(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[WaitKeywords]) -> Outlook:
    """Return the waits of 13 tiles, with points for each; if they are not ready, the useful tiles.

        >>> [(wait.left, wait.by_discard.points) for wait in waits("123m456p789sCCEE", "guobiao").waits]
        [(2, 20), (2, 18)]

    Args:
        hand: 13 tiles, melds included as three each.
        rules: id or alias of a rulebook, the path of a house-rule file (`club.toml`), or a `Rulebook`.
        keywords: seat, round, flowers as `score`; circumstances that will hold for the win (one of self-drawn wins,
            岭上开花, means only such wins); `self_draw` if only self-drawn wins are meant. `seen` are tiles in view
            outside the hand, as text or kinds (0-33, with repetition), which cannot be drawn any more.

    Returns:
        `waits`, each with `tile` (a kind), copies `left`, the scores `by_discard` and `by_self_draw` (None if the
            circumstances allow no such win) and the `reason` why it cannot win; for a hand that is not ready `missing`
            and the `useful` kinds; `dead` are kinds that would complete the hand if it did not hold all four copies
            itself.

    Raises:
        NotationError: a text is not a hand, or not tiles.
        HandError: 14 tiles; tiles or circumstances contradict each other; more than four copies of a kind are in view.
        UnknownName: no such book, wind, circumstance or flower.
    """
    from quepu.scoring.keywords import waiting_hand
    from quepu.scoring.waits import outlook

    return outlook(*waiting_hand("waits", hand, book(rules), keywords))


@_showing(WaitKeywords)
def discards(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[WaitKeywords]) -> list[Choice]:
    """Return each discard out of 14 tiles with the resulting waits, best first.

        >>> [str(choice.discard) for choice in discards("123m456p789sCCEEF", "guobiao")][:2]
        ['F', '1m']

    Args:
        hand: 14 tiles, melds included as three each; a `+` before the last is allowed and ignored.
        rules: as for `waits`.
        keywords: as for `waits`.

    Returns:
        `Choice`s: the kind to `discard`, and the `outlook` on the 13 tiles that are left.

    Raises:
        NotationError, UnknownName: as `waits`.
        HandError: 13 tiles; contradictions as for `waits`.
    """
    from quepu.scoring.keywords import waiting_hand
    from quepu.scoring.waits import choices

    return choices(*waiting_hand("discards", hand, book(rules), keywords))


@_showing(HandKeywords)
def completion(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[HandKeywords]) -> Completed:
    """Say whether 14 tiles, none of them marked as the last, are a win.

        >>> completion("123m456p789sCCEEE", "guobiao").headline().zh
        '可和。和张是哪张？'

    Args:
        hand: 14 tiles without `+`, melds included as three each.
        rules: as for `score`.
        keywords: as for `waits`, without `seen`.

    Returns:
        `tiles`: each kind that may have completed them, with its scores as a wait; for tiles that are not a win, how
            many are `missing` and which kinds are `spare`. `headline()` says it in a sentence.

    Raises:
        NotationError, UnknownName: as `waits`.
        HandError: another number of tiles, or one is marked; contradictions as for `waits`.
    """
    from quepu.scoring.completion import completion as completed
    from quepu.scoring.keywords import hand_of

    found = book(rules)
    return completed(hand_of("completion", hand, found, keywords, waiting=True), found)


@_showing(HandKeywords)
def shanten(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[HandKeywords]) -> int:
    """Return the steps of a hand from ready: 0 ready, -1 complete; to the nearest shape, whatever the minimum.

        >>> shanten("123m456p789sCCEE", "guobiao"), shanten("123m456p789sCCEF", "guobiao")
        (0, 1)

    Args:
        hand: 13 tiles or 14, melds included as three each.
        rules: as for `score`.
        keywords: as for `waits`, without `seen` (a few shapes depend on circumstances and flowers).

    Raises:
        NotationError, HandError, UnknownName: as `waits`.
    """
    found = rules if hasattr(rules, "shapes") else book(rules)  # a call would be a tenth of the time
    steps: int = _function("quepu.scoring.keywords", "shanten")(hand, found, keywords)
    return steps


@_showing(HandKeywords)
def useful(hand: str | Hand, rules: str | Rulebook = _DEFAULT, **keywords: Unpack[HandKeywords]) -> tuple[Tile, ...]:
    """Return the tiles that bring a hand one step nearer; of a ready hand its waits, without their scores.

        >>> [str(tile) for tile in useful("123m456p789sCCEE", "guobiao")]
        ['E', 'C']

    Args, Raises: as `shanten`. A tile of which the hand holds all four copies is not among them.
    """
    found = rules if hasattr(rules, "shapes") else book(rules)
    kinds: tuple[Tile, ...] = _function("quepu.scoring.keywords", "useful")(hand, found, keywords)
    return kinds
