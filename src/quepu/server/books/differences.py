"""Differences between two rulebooks, in the shapes that the client draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import quepu
from quepu.errors import Error, Text
from quepu.hands.hand import MeldKind
from quepu.match.terms import terms
from quepu.rules.diff import Difference, FanChange, difference, edition_changes
from quepu.rules.row import Example, Fan
from quepu.rules.rulebook import Rulebook
from quepu.server.books.messages import ShownExample
from quepu.server.http.rendering import hand_shape, show_example


def difference_answer(old: Rulebook, new: Rulebook) -> dict[str, Any]:
    """Return the changes from one book to another, as `DifferenceAnswer`; each fan with one hand scored under both."""
    books = old, new
    found = difference(*books)

    def row(fan: Fan, example: Example | None, **more: Any) -> dict[str, Any]:
        head: dict[str, Any] = {"name": fan.name, "english": fan.english, "value": fan.parts, **more}
        made = (None, None) if example is None else tuple(_score_example(example, one) for one in books)
        head["hand"] = None if example is None else hand_shape(quepu.parse(example.hand)).model_dump()
        for when, one in zip(("old", "new"), made, strict=True):
            head |= {f"{when}_total": one and one.total, f"{when}_example": one and one.model_dump()}
        return head

    examples: list[Example] = [fan.example for book in books for fan in book.fans if fan.example is not None]

    def distinguishing(change: FanChange) -> Example | None:
        """Return an example that this change makes the books count differently, its own first; else its own."""
        own: list[Example] = [one for one in (change.new.example, change.old.example) if one is not None]
        names = {change.old.name, change.new.name}
        # if open hands score the same (a lower value, but another fan counts now), a closed one may differ
        also = [*examples, *map(_conceal, own)] if change.revalued else []
        candidates: list[Example] = [*own, *also]
        for example in candidates:
            old, new = (_score_example(example, book) for book in books)
            if (old and old.total) != (new and new.total) and any(names & set(one.fans) for one in (old, new) if one):
                return example
        return own[0] if own else None

    changed = [
        row(
            change.new,
            distinguishing(change),
            renamed_from=change.old.name if change.renamed else None,
            values=[change.old.parts, change.new.parts] if change.revalued else None,
            sentences=[change.old.sentence, change.new.sentence] if change.reworded else None,
            categories=[
                {"zh": fan.category, "en": book.class_name(fan.category, "en")}
                for fan, book in zip((change.old, change.new), books, strict=True)
            ]
            if change.moved
            else None,
            reread=change.reread,
            no_longer_drops=sorted(change.lost.drops),
            now_drops=sorted(change.gained.drops),
            no_longer_conflicts=sorted(change.lost.conflicts),
            now_conflicts=sorted(change.gained.conflicts),
        )
        for change in found.changed
    ]
    return {
        "old": found.old.id,
        "new": found.new.id,
        "minimum": [found.old.minimum, found.new.minimum],
        "terms": table_changes(found),
        "added": [row(fan, fan.example) for fan in found.added],
        "removed": [row(fan, fan.example) for fan in found.removed],
        "changed": changed,
        "rules": [
            {"title": one.title._asdict(), "old": [t._asdict() for t in one.old], "new": [t._asdict() for t in one.new]}
            for one in found.reworded
        ],
        "changes": {kind: [line._asdict() for line in lines] for kind, lines in edition_changes(*books).items()},
    }  # fmt: skip


_PAID = ("discard", "drawn", "supplied", "ready")
"""Terms about the price of a win; the others are rules of play under their own keys."""


def table_changes(found: Difference) -> list[dict[str, Any]]:
    """List all differences of two books but the fans: options, settings, rules of play, then the price of a win."""
    options = {option.key: option for option in found.new.options}
    rows: list[tuple[Text, Text | None, Text | None]] = [
        (options[key].text, options[key].in_words(old), options[key].in_words(new))
        for key, (old, new) in found.options.items()
    ]
    rows += [(change.label, change.old, change.new) for change in (*found.figures, *found.play)]
    before, after = ({term.key: term for term in terms(book)} for book in (found.old, found.new))
    for key in _PAID:
        old, new = before.get(key), after.get(key)
        if (old and old.value) != (new and new.value) and (shown := new or old):
            rows.append((shown.label, old and old.value, new and new.value))
    return [
        {"label": label._asdict(), "old": old and old._asdict(), "new": new and new._asdict()}
        for label, old, new in rows
    ]


def _conceal(example: Example) -> Example:
    """Return the same tiles without exposed chows or pungs."""
    hand = quepu.parse(example.hand)
    exposed = [meld for meld in hand.melds if meld.kind in (MeldKind.CHOW, MeldKind.PUNG)]
    concealed = tuple(sorted([*hand.concealed, *(tile for meld in exposed for tile in meld.tiles)]))
    melds = tuple(meld for meld in hand.melds if meld not in exposed)
    return example._replace(hand=quepu.write(hand._replace(concealed=concealed, melds=melds)))


@lru_cache(1000)
def _score_example(example: Example, book: Rulebook) -> ShownExample | None:
    """Score the hand under a book that may lack its circumstances; None if it is not a win."""
    fitting = tuple(name for name in example.circumstances if name in book.circumstances or name in book.near)
    example = example._replace(circumstances=fitting)
    try:
        return show_example(example, book)
    except Error:  # flowers in a book that has none
        return show_example(example._replace(flowers=()), book)
