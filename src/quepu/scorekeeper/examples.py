"""Examples of input lines for a hand, with hands and circumstances of the book in use."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import quepu
from quepu.errors import Error, Text
from quepu.hands.hand import Luck
from quepu.match.terms import find_needed_facts
from quepu.rules.circumstances import typed_name
from quepu.rules.measured_figures import usual
from quepu.rules.play_rules import fan_of, play_rules
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook


class Written(NamedTuple):
    """Examples of one book: a value, a hand won on a discard, one self-drawn, and the possible additions.

    `parts` are the facts that the book's settlement or scoring needs, `circumstances` names of the book.
    """

    amount: Text
    hand: str
    drawn: Text
    parts: tuple[str, ...]
    circumstances: tuple[Text, ...]


@lru_cache(maxsize=16)
def write_examples(book: Rulebook) -> Written:
    """Return the examples of a book."""
    rules = play_rules(book)
    points = (*usual(book), max(book.minimum, 10))[0]
    amount = Text(str(points), str(points))
    if rules.announced is not None:
        fan = fan_of(rules.announced, points) or 9
        amount = Text(f"{fan}番", f"{fan}fan")
    found = find_needed_facts(book)
    parts = [key for key in ("supplied", "ready") if found[key]]
    if found["kong_feeder"]:
        parts.append("feeder")
    if found["winners"] > 1:
        parts.append("several")
    if found["liable"]:
        parts += ["liable", "givers"]
    if book.counts_flowers or rules.table.flowers:
        parts.append("flowers")
    if found["robbed"]:
        parts.append("robbed")
    discard = _example(book, lambda example: not example.self_draw and not example.circumstances)
    drawn = _example(book, lambda example: example.self_draw and bool(example.circumstances))
    names = [name for name, bits in book.circumstances.items() if bits & ~Luck.SELF_DRAW][:4]
    hand = discard.hand if discard else "…"
    luck = [typed_name(name, book) for name in drawn.circumstances] if drawn else []
    with_luck = (" ".join([drawn.hand if drawn else "…", *(one.say(lang) for one in luck)]) for lang in ("zh", "en"))
    return Written(amount, hand, Text(*with_luck), tuple(parts), tuple(typed_name(name, book) for name in names))


def _example(book: Rulebook, wanted: object) -> Example | None:
    """Return an example of the book that East can win with as it stands: the shortest that has room for a meld."""
    assert callable(wanted)  # noqa: S101
    found = []
    for fan in book.fans:
        example = fan.example
        if example is None or example.seat != "E" or example.flowers or not wanted(example):
            continue
        try:
            score = quepu.score(
                example.hand, book, self_draw=example.self_draw, circumstances=list(example.circumstances)
            )
        except Error:
            continue
        if score.can_win:
            found.append(example)
    return min(found, key=lambda one: ("(" not in one.hand, len(one.hand)), default=None)
