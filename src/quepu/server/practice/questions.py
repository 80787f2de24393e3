"""Practice questions: made from a seed, so that open questions need not be stored; each has one answer.

A question is a hand with something left out. The same seed always gives the same question; the server computes the
answer from the book when a reply arrives.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from quepu.errors import NotAWin, UnknownName
from quepu.hands.hand import Hand, Luck
from quepu.rules.measured_figures import figures
from quepu.rules.play_rules import SEATS
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example
from quepu.scoring.samples import deal, win
from quepu.scoring.score import Score, score_hand
from quepu.scoring.waits import Outlook, after_discards, outlook
from quepu.server.practice.aims import find_aims, is_clear
from quepu.shapes.readings import wait_planes
from quepu.tiles import EAST, NAMES, Tile

KINDS: Final = ("fans", "points", "payable", "waits", "discard", "aim", "pays")
LEVELS: Final = (1, 2, 3)
_FAN_RANGE = {1: (1, 3), 2: (2, 5), 3: (4, 99)}
_LEAST_SHARE = {1: 0.01, 2: 0.0005, 3: 0.0}
"""The least share of all wins for every fan of a question, by the lab's figures."""
_USUAL_GROUPS = 5
"""Four melds and a pair: beginners meet only this shape."""
_TRIES = 400
_MOST_TRIES = 20 * _TRIES
_COPIES = 4
_FEWEST_DISCARDS = 5
"""The fewest kinds in hand for a question about a discard, if such a hand is found."""
_OF_NO_WIN = frozenset({"waits", "discard", "aim"})
_OFFERED = 8
"""How many fans a question about fans offers, right ones included."""


FIRST_PUZZLE: Final = date(2026, 11, 1)
"""The first day with a puzzle, as in `web/src/pages/home/puzzle.ts`."""
_VARIED: Final = date(2026, 12, 1)
"""The first day whose puzzle need not ask for a discard: those before stay as they were answered."""
_PUZZLES: Final = ("discard", "points", "waits", "aim", "payable", "fans")
_LEVEL_OF_WEEKDAY: Final = (1, 1, 1, 2, 2, 2, 3)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer."""

    kind: str
    hand: Hand
    score: Score | None = None
    outlook: Outlook | None = None
    offered: tuple[str, ...] = ()
    discarder: int | None = None


def kinds_of(book: Rulebook) -> tuple[str, ...]:
    """Return the kinds of question that make sense: without a minimum, none about reaching it."""
    return tuple(kind for kind in KINDS if (kind != "payable" or book.minimum > 1) and (kind != "pays" or book.play))


def puzzle_of(book: Rulebook, day: date) -> tuple[str, int, int]:
    """Return kind, level and seed of a day's puzzle, the same for everyone; levels rise from Monday to Sunday."""
    seed = int(day.strftime("%Y%m%d"))
    if day < _VARIED:
        return "discard", 1, seed
    kinds = [kind for kind in _PUZZLES if kind in kinds_of(book)]
    return kinds[day.toordinal() % len(kinds)], _LEVEL_OF_WEEKDAY[day.weekday()], seed


@lru_cache(maxsize=256)
def question(book: Rulebook, kind: str, level: int, seed: int, about: str = "") -> Question:
    """Return the question of a seed; one about a fan (`about`) uses its example, or a near miss.

    Raises:
        UnknownName: no such kind under this book, or no such fan with an example.
    """
    if kind not in kinds_of(book):
        raise UnknownName(f"没有“{kind}”这种题。", f"there are no questions of kind {kind!r}.")
    rng = random.Random(f"{book.fingerprint} {kind} {level} {seed}")  # need not be secret
    return _about(rng, book, about) if about else _MAKERS[kind](rng, book, level)


def _about(rng: random.Random, book: Rulebook, name: str) -> Question:
    row = book.fans[book.index[name]] if name in book.index else None
    shown = None if row is None else row.near_miss if row.near_miss is not None and rng.random() < 0.3 else row.example
    try:
        score = None if shown is None else score_example(shown, book)
    except NotAWin:  # a near miss need not be a win
        score = None if row is None or row.example is None else score_example(row.example, book)
    if score is None:
        raise UnknownName(f"没有“{name}”的牌例。", f"there is no example of {name!r}.")
    return Question("fans", score.hand, score, offered=_offer_fans(rng, book, score, name))


def choose_seed(book: Rulebook, kind: str, level: int, weak: Mapping[str, float], rng: random.Random) -> int:
    """Choose a seed for the next question: out of a few, the one with the weakest fans."""
    seeds = [rng.randrange(1 << 30) for _ in range(6 if weak else 1)]
    if kind in _OF_NO_WIN or not weak or rng.random() < 0.35:
        return seeds[0]

    def pull(seed: int) -> float:
        score = question(book, kind, level, seed).score
        return sum(weak.get(fan.name, 0.0) for fan in score.fans) if score else 0.0

    return max(seeds, key=pull)


@lru_cache(maxsize=64)
def _rare(book: Rulebook, level: int) -> frozenset[str]:
    """Return the fans that are too rare for a level; none if the lab has no figures of a book."""
    least = _LEAST_SHARE[level]
    return frozenset(
        name for name, figure in figures(book).items() if figure.share is not None and figure.share < least
    )


def _clear(score: Score) -> bool:
    """Return whether the best reading is unique, or all best ones count the same fans."""
    best = (score.tally.points + score.tally.bonus, sorted(str(fan) for fan in score.fans))
    names = score.book.fans
    for _, tally in score.others:
        fans = sorted(f"{names[c.row].name}×{c.times}" if c.times > 1 else names[c.row].name for c in tally.counted)
        if tally.points + tally.bonus == best[0] and fans != best[1]:
            return False
    return True


def _find_scored(rng: random.Random, book: Rulebook, level: int, fits: Callable[[Score], bool]) -> Score:
    low, high = _FAN_RANGE[level]
    rare = _rare(book, level)
    last: Score | None = None
    for _ in range(_TRIES):
        hand = win(rng, book)
        if level == 1:  # beginners meet neither flowers nor circumstances of kongs
            flowers = hand.flowers if book.counts_flowers and rng.random() < 0.5 else ()
            hand = hand._replace(luck=hand.luck & int(Luck.SELF_DRAW), flowers=flowers)
        elif not book.counts_flowers:
            hand = hand._replace(flowers=())
        score = score_hand(hand, book)
        if not _clear(score) or not score.fans:
            continue
        common = (level > 1 or len(score.best.groups) == _USUAL_GROUPS) and not rare & {f.name for f in score.fans}
        if common or last is None:
            last = score
        if common and low <= len(score.fans) <= high and fits(score):
            return score
    assert last is not None, f"{book.id} makes no hands"  # noqa: S101  # a mistake in a family
    return last


def _fans(rng: random.Random, book: Rulebook, level: int) -> Question:
    score = _find_scored(rng, book, level, lambda s: True)
    return Question("fans", score.hand, score, offered=_offer_fans(rng, book, score))


def _offer_fans(rng: random.Random, book: Rulebook, score: Score, about: str = "") -> tuple[str, ...]:
    """Return the fans to choose from: those that count, and near ones."""
    right = [fan.name for fan in score.fans]
    dropped = [about] * (about not in ("", *right))
    dropped += [book.fans[d.row].name for d in score.tally.dropped]
    near = {f.category for f in book.fans if f.name in right}
    pool = list(dict.fromkeys([*dropped, *rng.sample([f.name for f in book.fans if f.category in near], k=min(
        _OFFERED, sum(f.category in near for f in book.fans))), *rng.sample([f.name for f in book.fans], k=min(
            2 * _OFFERED, len(book.fans)))]))  # fmt: skip
    wrong = [name for name in pool if name not in right][: max(3, _OFFERED - len(right))]
    order = {fan.name: i for i, fan in enumerate(book.fans)}
    return tuple(sorted([*right, *wrong], key=order.__getitem__))


def _points(rng: random.Random, book: Rulebook, level: int) -> Question:
    score = _find_scored(rng, book, level, lambda s: True)
    return Question("points", score.hand, score)


def _payable(rng: random.Random, book: Rulebook, level: int) -> Question:
    wanted = rng.random() < 0.5
    near = 4 * book.minimum
    score = _find_scored(rng, book, level, lambda s: s.can_win == wanted and s.points <= near)
    return Question("payable", score.hand, score)


def _waits(rng: random.Random, book: Rulebook, level: int) -> Question:
    """Return a ready hand; harder ones have more waits and fewer suits."""
    for _ in range(_TRIES):
        hand = win(rng, book) if level < 3 or rng.random() < 0.3 else deal(rng, 14, book.tiles)
        if level == 1 and len(score_hand(hand, book).best.groups) != _USUAL_GROUPS:
            continue
        held = [*hand.concealed, hand.winning if hand.winning is not None else hand.concealed[0]]
        held.remove(rng.choice(held))
        hand = hand._replace(concealed=tuple(sorted(held)), winning=None, luck=0, flowers=())
        if len(hand.concealed) != 13 - 3 * len(hand.melds):
            continue
        look = outlook(hand, book)
        if look.waits and (level == 1 or len(look.waits) >= level):
            return Question("waits", hand, outlook=look)
    while True:  # take back the win of any hand
        hand = win(rng, book)._replace(winning=None, luck=0, flowers=())
        look = outlook(hand, book)
        if look.waits:
            return Question("waits", hand, outlook=look)


def ready_discards(hand: Hand, book: Rulebook) -> dict[Tile, Outlook]:
    """Return the discards that leave these fourteen tiles ready, each with its outlook."""
    return {
        tile: outlook(after, book, (int(tile),))
        for tile, after in after_discards(hand).items()
        if wait_planes(after, book.shapes)[0]
    }


def winning_tiles(look: Outlook) -> int:
    """Count the tiles left with which the hand can win: their points reach the minimum."""
    return sum(wait.left for wait in look.waits if wait.can_win)


def _discard(rng: random.Random, book: Rulebook, level: int) -> Question:
    """Ask for the discard that leaves the most winning tiles; harder ones have more discards that stay ready."""
    plain: Question | None = None
    for _ in range(_TRIES):
        hand = _draw_one(rng, book, level)
        if hand is None:
            continue
        found = sorted((winning_tiles(look) for look in ready_discards(hand, book).values()), reverse=True)
        if not found or found[0] == 0 or found[1:2] == found[:1]:
            continue
        made = Question("discard", hand, offered=tuple(NAMES[kind] for kind in dict.fromkeys(hand.concealed)))
        if len(found) > level and len(made.offered) >= _FEWEST_DISCARDS:
            return made
        plain = plain or made
    assert plain is not None, f"{book.id} makes no ready hands"  # noqa: S101  # a mistake in a family
    return plain


def _draw_one(rng: random.Random, book: Rulebook, level: int) -> Hand | None:
    """Return a hand that is ready or one tile from it, with a tile drawn; None if beginners do not know its shape."""
    won = win(rng, book)
    if level == 1 and len(score_hand(won, book).best.groups) != _USUAL_GROUPS:
        return None
    held = [*won.concealed, *(tile for meld in won.melds for tile in meld.tiles)]
    drawn = rng.choice([kind for kind in book.tiles.kinds if held.count(kind) < _COPIES and kind != won.winning])
    return won._replace(concealed=tuple(sorted((*won.concealed, drawn))), winning=None, luck=0, flowers=())


def _aim(rng: random.Random, book: Rulebook, level: int) -> Question:
    """Ask which ready hand is worth most; harder ones have more aims, or one with more tiles and fewer points."""
    plain: Question | None = None
    for tried in range(_MOST_TRIES):
        if plain is not None and tried >= _TRIES:
            break
        hand = _draw_one(rng, book, level)
        aims = [] if hand is None else find_aims(ready_discards(hand, book))
        if hand is None or not is_clear(aims):
            continue
        offered = sorted(aim.key for aim in aims)
        made = Question("aim", hand, offered=tuple(offered))
        if len(aims) > level or (level > 1 and max(aim.tiles for aim in aims) > aims[0].tiles):
            return made
        plain = plain or made
    assert plain is not None, f"{book.id} has no aims"  # noqa: S101  # a mistake in a family
    return plain


def _pays(rng: random.Random, book: Rulebook, level: int) -> Question:
    score = _find_scored(rng, book, level, lambda s: s.can_win)
    while not score.can_win:
        score = _find_scored(rng, book, 2, lambda s: s.can_win)
    discarder = None if score.hand.self_draw else (score.hand.seat - EAST + rng.randrange(1, SEATS)) % SEATS
    return Question("pays", score.hand, score, discarder=discarder)


_MAKERS: dict[str, Callable[[random.Random, Rulebook, int], Question]] = {
    "fans": _fans,
    "points": _points,
    "payable": _payable,
    "waits": _waits,
    "discard": _discard,
    "aim": _aim,
    "pays": _pays,
}
