"""Writes the hands that the tests of rulings score, so that the conformance files have them.

    python -m tests.ruling_hands; python -m quepu.conformance.generate

One file a family, `rulebooks/<family>/ruling_hands.jsonl`: the ruling, and the hand as `quepu score --jsonl` reads it.
A test that scores hands at random gives its first few.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.errors import Error
from quepu.hands.hand import Hand
from quepu.json_lines.answers import parse_request, request_of
from quepu.rulebooks import book_ids, books
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score

MOST = 6
"""Hands of one ruling in one book."""


class Recorder:
    """A plugin of pytest that notes every hand which a test scores under a registered book as it is."""

    def __init__(self) -> None:
        self.scored: dict[str, list[tuple[Rulebook, Hand]]] = defaultdict(list)
        self.failed = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        made, name = Score.__init__, item.nodeid.split("[")[0]

        def noted(score: Score, hand: Hand, book: Rulebook, *rest: Any) -> None:
            self.scored[name].append((book, hand))
            made(score, hand, book, *rest)

        Score.__init__ = noted  # type: ignore[method-assign]
        try:
            return (yield)
        finally:
            Score.__init__ = made  # type: ignore[method-assign]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed += report.failed


def whole(hand: Hand, book: Rulebook) -> dict[str, Any] | None:
    """The hand as a request; None where it is not the hand that the request makes."""
    if book.id not in book_ids() or book != quepu.book(book.id):
        return None
    request = {"rules": book.id, **request_of(hand, book)}
    try:
        again, _ = parse_request(request, book)
    except Error:
        return None
    return request if again == hand else None


def recorded() -> dict[str, list[dict[str, Any]]]:
    """By family the hands of its rulings, in the order of the rulings."""
    tests = sorted({test.split("[")[0] for book in books() for ruling in book.rulings for test in ruling.tests})
    recorder = Recorder()
    pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not slow", *tests], plugins=[recorder])
    assert not recorder.failed
    found: dict[str, list[dict[str, Any]]] = {}
    for book in books():
        listed = found.setdefault(book.family, [])
        for ruling in book.rulings:
            mine: list[dict[str, Any]] = []
            for test in ruling.tests:
                for scored, hand in recorder.scored[test.split("[")[0]]:
                    request = whole(hand, scored) if scored.id == book.id and len(mine) < MOST else None
                    if request is not None and request not in mine:
                        mine.append(request)
            listed += [{"ruling": ruling.id, "request": request} for request in mine]
    return found


def main() -> None:
    """Write the file of every family."""
    for family, entries in recorded().items():
        path = Path(quepu.__file__).parent / "rulebooks" / family / "ruling_hands.jsonl"
        path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in entries), "utf-8")


if __name__ == "__main__":
    main()
