"""What changed between two rulebooks, in the shapes that the client draws."""

from __future__ import annotations

from typing import Any

import quepu
from quepu.errors import Error, NotAWin
from quepu.match.terms import terms
from quepu.rules.diff import difference
from quepu.rules.edition_changes import edition_changes
from quepu.rules.row import Example, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import scored
from quepu.server.http.rendering import hand_shape, value_parts


def difference_answer(old: Rulebook, new: Rulebook) -> dict[str, Any]:
    """What changed from one book to another, as `DifferenceAnswer`; each fan with one hand scored under both."""
    books = old, new
    found = difference(*books)

    def row(fan: Fan, example: Example | None, **more: Any) -> dict[str, Any]:
        head: dict[str, Any] = {"name": fan.name, "english": fan.english, "value": value_parts(fan), **more}
        head |= {"hand": None, "old_total": None, "new_total": None}
        if example is not None:
            head["hand"] = hand_shape(quepu.parse(example.hand)).model_dump()
            head["old_total"], head["new_total"] = (_total(example, one) for one in books)
        return head

    changed = [
        row(
            change.new,
            change.new.example or change.old.example,
            renamed_from=change.old.name if change.renamed else None,
            values=[value_parts(change.old), value_parts(change.new)] if change.revalued else None,
            sentences=[change.old.sentence, change.new.sentence] if change.redefined else None,
            categories=[change.old.category, change.new.category] if change.moved else None,
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
        "terms": _terms(*books),
        "added": [row(fan, fan.example) for fan in found.added],
        "removed": [row(fan, fan.example) for fan in found.removed],
        "changed": changed,
        "rules": [
            {"title": one.title._asdict(), "old": [t._asdict() for t in one.old], "new": [t._asdict() for t in one.new]}
            for one in found.reworded
        ],
        "changes": {kind: [line._asdict() for line in lines] for kind, lines in edition_changes(*books).items()},
    }  # fmt: skip


def _terms(old: Rulebook, new: Rulebook) -> list[dict[str, Any]]:
    """Terms of the table that are not the same, in the new book's order."""
    before, after = ({term.key: term for term in terms(book)} for book in (old, new))
    head = []
    for key in (*after, *(key for key in before if key not in after)):
        pair = before.get(key), after.get(key)
        values = [term.value._asdict() if term else None for term in pair]
        if values[0] != values[1]:
            label = (pair[1] or before[key]).label
            head.append({"label": label._asdict(), "old": values[0], "new": values[1]})
    return head


def _total(example: Example, book: Rulebook) -> int | None:
    """Total of the hand under a book that may not know its circumstances; None where it is no win."""
    fitting = tuple(name for name in example.circumstances if name in book.circumstances or name in book.near)
    example = example._replace(circumstances=fitting)
    try:
        return scored(example, book).total
    except NotAWin:
        return None
    except Error:  # flowers in a book without them
        return scored(example._replace(flowers=()), book).total
