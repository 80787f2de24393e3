"""Books held against each other: what a file of house rules makes, and the edition that it should be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quepu import score
from quepu.conformance.agreement import cases
from quepu.errors import Error
from quepu.fast.universe.standard_hands import MORE_STATES, STATES
from quepu.lab.pairing import pair_up
from quepu.rules.diff import difference
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

EVERY_STATE = sorted(STATES | MORE_STATES)


def differing_rows(made: Rulebook, edition: Rulebook) -> list[tuple[str, str]]:
    """Names of fans that the books have in another order, and fields in which a fan of both is another."""
    names = [[fan.name for fan in book.fans] for book in (made, edition)]
    found = [("order", name) for name, other in zip(*names, strict=False) if name != other]
    if len(names[0]) != len(names[1]) or found:
        return [*found, ("number", f"{len(names[0])} {len(names[1])}")]
    for i, (one, other) in enumerate(zip(made.fans, edition.fans, strict=True)):
        for field in ("value", "category", "most", "of", "english", "definition", "joins", "extra"):
            found += [(field, one.name)] * (getattr(one, field) != getattr(other, field))
        found += [("drops", one.name)] * (made.drops[i] != edition.drops[i])
        found += [("conflicts", one.name)] * (made.conflicts[i] != edition.conflicts[i])
    return found


def more_than_text(made: Rulebook, edition: Rulebook) -> list[str]:
    """List what `diff` says of two books beside their texts."""
    found = difference(made, edition)
    said = [f"option {key}" for key in found.options] + [f"play {one.what}" for one in found.play]
    said += [f"figure {one.what}" for one in found.figures]
    said += [f"added {fan.name}" for fan in found.added] + [f"removed {fan.name}" for fan in found.removed]
    for change in found.changed:
        said += [change.new.name] * (
            change.renamed or change.revalued or change.reread or change.moved or change.related
        )
    return said


def differing_hands(made: Rulebook, edition: Rulebook, n: int, seed: int = 1) -> Iterator[str]:
    """Hands that the books score otherwise, among the edition's conformance cases and so many random wins."""
    for case in cases(edition.id):
        request: dict[str, Any] = {key: value for key, value in case.request.items() if key != "rules"}
        if case.kind == "payment":
            continue
        answers = []
        for book in (made, edition):
            try:
                answers.append(_told(score(**request, rules=book)))
            except Error as error:
                answers.append(str(error.text))
        if answers[0] != answers[1]:
            yield case.id
    for hand in wins(edition, n, seed):
        if _told(score_hand(hand, made)) != _told(score_hand(hand, edition)):
            yield str(hand)


def _told(found: Any) -> Any:
    return found.points, found.total, found.can_win, sorted((fan.name, fan.count) for fan in found.fans)


def differing_states(made: Rulebook, edition: Rulebook, states: list[str]) -> list[tuple[str, str]]:
    """States of all winning hands in which some hand comes to other points, or counts a fan otherwise."""
    found = []
    for key in states:
        pairs = pair_up(made, edition, (STATES | MORE_STATES)[key])
        assert int(pairs.hands.sum()) > 9_000_000
        if not np.array_equal(pairs.points(0), pairs.points(1)):
            found.append((key, "points"))
        names = [fan.name for fan in edition.fans]
        found += [(key, name) for name in names if not np.array_equal(pairs.counts(0, name), pairs.counts(1, name))]
    return found
