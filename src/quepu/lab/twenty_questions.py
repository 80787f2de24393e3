"""Twenty questions: the hands that tell readings of a sentence apart, and the ruling that follows from the answers.

A reading is a rulebook: two options, two formulas, a draft and its book. Hands are looked for among all hands of some
states, exactly, and among the hands that a ruling or the fans of the book already show. The smallest and most common
come first; what is asked next splits the readings that are left as evenly as it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from quepu.errors import Error, OverlayError, Text, UnknownName
from quepu.hands.hand import Hand, Luck
from quepu.hands.notation import parse, write
from quepu.json_lines.answers import parse_request, request_of
from quepu.lab.hand_text import reading_text, write_won
from quepu.lab.pairing import pair_up
from quepu.lab.states import state
from quepu.rules.row import Example
from quepu.rules.rulebook import Option, Rulebook, Ruling
from quepu.rules.rulings import recorded_hands
from quepu.scoring.describe import situate_example
from quepu.scoring.score import Score, score_hand

STATES: Final = ("closed-discard", "open-discard", "single-closed", "closed-draw", "kongs")
"""States whose hands are looked through, one after the other, until there is enough to ask."""
_EACH: Final = ("closed-each",)
MOST_ASKED: Final = 20
_TRIED: Final = 60
_KINDS: Final = 6
_CONFIRMED: Final = 3
"""Hands that are asked at least, where there are so many: one answer may be about one kind of hand alone."""


class Reading(NamedTuple):
    """A reading of a sentence: its name for people, and the book that has it; `choice` is that of an option."""

    label: Text
    book: Rulebook
    choice: Any = None


class Question(NamedTuple):
    """A hand on which readings differ: points and fans under each, and its tile sets among all hands (0: not known).

    `measure`: "points" towards the minimum, or "total" where the readings differ only in points that do not count
    towards it.
    """

    hand: Hand
    points: tuple[int, ...]
    fans: tuple[tuple[str, ...], ...]
    sets: int
    measure: str = "points"

    @property
    def text(self) -> str:
        """The hand in the notation."""
        return write(self.hand)

    def circumstances(self, book: Rulebook) -> list[str]:
        """Return the book's names of what happened when the hand was won."""
        return list(request_of(self.hand, book)["circumstances"])


def option_readings(book: Rulebook, key: str) -> list[Reading]:
    """Return the readings that an option of a book chooses among, today's first.

    Raises:
        UnknownName: the book has no such option.
    """
    option = next((one for one in book.options if one.key == key), None)
    if option is None:
        raise UnknownName(f"{book.title.zh}没有选项“{key}”。", f"{book.title.en} has no option {key!r}.")
    now = book.choice(option)
    others = [choice for choice in option.choices if choice != now or isinstance(choice, bool) != isinstance(now, bool)]
    if option.between and not others:  # any number: the next one stands for all, and the author writes another
        others = [now + 1 if now < option.between[1] else now - 1]
    if not others:
        raise OverlayError(f"选项“{key}”只有一种取值。", f"option {key!r} has only one choice.")
    return [
        Reading(_label(option, choice), book if choice is now else book.having(options={key: choice}), choice)
        for choice in (now, *others)
    ]


def _label(option: Option, choice: Any) -> Text:
    """Return a choice in words that need no question beside them."""
    words = option.in_words(choice)
    if option.between and choice not in option.choices:
        least, most = option.between
        return Text(
            f"另定一个数，如 {choice}（{least} 到 {most} 都可以）",
            f"another number, such as {choice} (anything from {least} to {most:,})",
        )
    if option.words:
        return words
    return Text(f"{option.text.zh}：{words.zh}", f"{option.text.en}: {words.en}")


def find_questions(
    readings: Sequence[Reading], known: Iterable[Hand] = (), most: int = MOST_ASKED, keys: Sequence[str] = STATES
) -> list[Question]:
    """Find hands on which readings differ, the smallest and most common of each kind of difference first.

    `known`: hands that a ruling or a fan shows, for what no state has (circumstances, special shapes).
    """
    found: dict[tuple[Any, ...], list[Question]] = {}
    for hand in known:
        _add(found, readings, hand, 0)
    for key in keys:
        for other in readings[1:]:
            for hand, sets in _differing(readings[0].book, other.book, key):
                _add(found, readings, hand, sets)
        if _is_enough([one for listed in found.values() for one in listed], len(readings), most):
            break
    if not found and keys == STATES:  # it may hang on the last tile alone
        return find_questions(readings, (), most, _EACH)
    kinds = [sorted(one, key=_rank) for one in found.values()]
    kinds.sort(key=lambda one: _rank(one[0]))
    listed = [one[at] for at in range(_KINDS) for one in kinds if at < len(one)]  # each kind once, then again
    return listed[:most]


def _is_enough(found: Sequence[Question], readings: int, most: int) -> bool:
    """Return whether to leave out further states: enough hands, or enough that tell every two readings apart."""
    return len(found) >= most or all(
        sum(question.points[a] != question.points[b] for question in found) >= _KINDS
        for a, b in combinations(range(readings), 2)
    )


def _rank(one: Question) -> tuple[int, int, str]:
    return (max(one.points), -one.sets, one.text)


def _differing(old: Rulebook, new: Rulebook, key: str) -> Iterator[tuple[Hand, int]]:
    """Yield hands of a state whose points or fans differ: the smallest first, and of those the most common."""
    if old.shapes != new.shapes:
        return
    pairs = pair_up(old, new, state(key))
    points = np.maximum(pairs.points(0), pairs.points(1))
    at = np.flatnonzero(pairs.points(0) != pairs.points(1))
    for n in at[np.lexsort((-pairs.sets[at], points[at]))][:_TRIED].tolist():
        hand = _read(write_won(reading_text(pairs.examples[n])), state(key).luck)
        if hand is not None:
            yield hand, int(pairs.sets[n])


def _read(text: str, luck: int) -> Hand | None:
    try:
        hand = parse(text)
    except Error:
        return None
    return hand._replace(luck=hand.luck | luck & int(Luck.SELF_DRAW))


def _add(found: dict[tuple[Any, ...], list[Question]], readings: Sequence[Reading], hand: Hand, sets: int) -> None:
    """Add a hand if single scores confirm that the readings differ on it."""
    scores = [_score(hand, reading.book) for reading in readings]
    for measure in ("points", "total"):
        points: tuple[int, ...] = tuple(0 if one is None else getattr(one, measure) for one in scores)
        if len({*points}) > 1:
            break
    else:
        return
    fans = tuple(() if one is None else tuple(sorted(str(fan) for fan in one.fans)) for one in scores)
    kind = tuple((*sorted({*fans[0]} - {*more}), "/", *sorted({*more} - {*fans[0]})) for more in fans[1:])
    listed = found.setdefault(kind, [])
    if len(listed) < _KINDS and all(one.hand != hand for one in listed):
        listed.append(Question(hand, points, fans, sets, measure))


def _score(hand: Hand, book: Rulebook) -> Score | None:
    try:
        return score_hand(hand, book)
    except Error:
        return None  # no win under this reading


def known_hands(book: Rulebook, ruling: str = "") -> list[Hand]:
    """Return the hands that the fans of a book show, or those of one ruling: its own, in its tests, in its fans."""
    examples = [
        example
        for fan in book.fans
        for example in (fan.example, fan.near_miss)
        if example is not None and (not ruling or ruling in fan.rulings)
    ]
    asked = [example for one in book.rulings if one.id == ruling for example in one.asks]
    hands = [_read_example(example, book) for example in (*asked, *examples)]
    tested = [_read_request(request, book) for id, request in recorded_hands(book) if id == ruling]
    return [hand for hand in (*hands[: len(asked)], *tested, *hands[len(asked) :]) if hand is not None]


def _read_example(example: Example, book: Rulebook) -> Hand | None:
    try:
        return situate_example(example, book)
    except Error:
        return None


def _read_request(request: dict[str, Any], book: Rulebook) -> Hand | None:
    """Return the hand of a request; None if a ruling in a file cannot say it."""
    if isinstance(request["flowers"], int):
        return None
    try:
        return parse_request({**request, "rules": book}, book)[0]
    except Error:
        return None


# ---- asking


class Session:
    """The readings that are left while questions are answered."""

    def __init__(self, readings: Sequence[Reading], questions: Sequence[Question]) -> None:
        self.readings, self.questions = readings, list(questions)
        self.left = list(range(len(readings)))
        self.answers: list[tuple[Question, int]] = []

    def next(self) -> Question | None:
        """Return the question that splits the readings left most evenly, then some that confirm it; None: enough."""
        asked = [question for question, _ in self.answers]
        if len(self.left) == 1 and len(asked) < _CONFIRMED:  # other kinds of hands, where the author may differ
            return next((one for one in self.questions if one not in asked), None)
        best: tuple[int, Question] | None = None
        for one in self.questions:
            values = [one.points[at] for at in self.left]
            worst = max(values.count(value) for value in values) if values else 0
            if one not in asked and worst < len(self.left) and (best is None or worst < best[0]):
                best = worst, one
        return best[1] if best else None

    def answer(self, question: Question, points: int) -> None:
        """Take an answer; readings that give other points are out."""
        self.answers.append((question, points))
        self.left = [at for at in self.left if question.points[at] == points]

    def choose(self, at: int) -> None:
        """Take a reading without asking, where no hand tells the readings apart."""
        self.left = [at]

    @property
    def settled(self) -> Reading | None:
        """The reading that agrees with every answer, if it is the only one."""
        return self.readings[self.left[0]] if len(self.left) == 1 else None


# ---- the ruling


def ruling_toml(
    book: Rulebook, session: Session, *, ruling: Ruling | None = None, question: str = "", id: str = "own-1"
) -> str:
    """Write what was settled as house rules: the option that was chosen, and the ruling with its hands as tests."""
    settled = session.settled
    lines = [f"base = {_quote(book.id)}"]
    if settled is not None and settled.choice is not None and ruling is not None:
        option = next(one for one in book.options if one.key == ruling.option)
        if settled.choice != option.choices[0]:
            key = ruling.option if ruling.option.isascii() else _quote(ruling.option)
            lines += ["", "[options]", f"{key} = {write_toml(settled.choice)}"]
    asked = ruling.question if ruling else Text(question or "两种读法", question or "two readings")
    answer = settled.label if settled else Text("各种读法都不合：见牌例。", "No reading fits: see the hands.")
    lines += [
        "",
        "[[rulings]]",
        f"id = {_quote(ruling.id if ruling else id)}",
        f"question = {{ zh = {_quote(asked.zh)}, en = {_quote(asked.en)} }}",
        f"sentence = {_quote(ruling.sentence if ruling else '')}",
        f"answer = {{ zh = {_quote(answer.zh)}, en = {_quote(answer.en)} }}",
    ]
    for one, points in session.answers:
        keys = hand_keys(one, book) | {one.measure: points}
        lines += ["", "[[rulings.hands]]", *(f"{key} = {write_toml(value)}" for key, value in keys.items())]
    return "\n".join(lines) + "\n"


def hand_keys(one: Question, book: Rulebook) -> dict[str, Any]:
    """Return a hand as a ruling in a file has it; what is usual is left out."""
    usual: tuple[object, ...] = ("E", False, [], 0)
    return {key: value for key, value in request_of(one.hand, book).items() if value not in usual}


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def write_toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(write_toml, value))}]"
    return _quote(value) if isinstance(value, str) else str(value)
