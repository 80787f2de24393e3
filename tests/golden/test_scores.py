"""What a revision of a book scored once, it scores for ever: `book@revision` against scores written down then."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.hands.planes import count
from quepu.rulebooks import book_ids
from quepu.rules.circumstances import situate
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

Json = dict[str, Any]
FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/scores.jsonl.gz"))


def scored(request: Json, rules: str) -> Json | None:
    """Points, total and fans of a hand; None if it does not win."""
    try:
        score = quepu.score(**request, rules=rules)
    except quepu.Error:
        return None
    return {
        "points": score.points,
        "total": score.total,
        "fans": sorted([fan.name, fan.count] for fan in score.fans),
    }


def revisions(folder: Path) -> dict[str, int]:
    """The revision of each book when the folder was made."""
    found: dict[str, int] = json.loads((folder / "revisions.json").read_text())
    return found


def cannot_be(request: dict[str, Any], name: str) -> bool:
    """Whether circumstances are refused today as contradicting each other or the hand; no game ever ended so."""
    try:
        situate(quepu.parse(request["hand"]), quepu.book(name), **{k: v for k, v in request.items() if k != "hand"})
    except quepu.HandError:
        return True
    return False


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_revision_scores_as_it_did(folder: Path) -> None:
    """A difference here is a correction of scores without its `Correction` (see CONTRIBUTING)."""
    at = revisions(folder)
    wrong = defaultdict(list)
    for line in gzip.decompress((folder / "scores.jsonl.gz").read_bytes()).decode().splitlines():
        request = json.loads(line)
        rules, then = request.pop("rules"), request.pop("score")
        name = f"{rules}@{at[rules]}"
        if (now := scored(request, name)) != then and not (now is None and cannot_be(request, name)):
            wrong[name].append((request["hand"], then, now))
    assert not wrong, {name: (len(hands), hands[:3]) for name, hands in wrong.items()}


def fingerprint_with_a_new_fan(book: Rulebook) -> str:
    """The fingerprint of a book with one more fan: some corrections are about such fans alone."""
    first = book.fans[0]
    new = Fan("新番", first.value, first.category, "顺子各计。", lambda h: count(h.c1), "Chows")
    return book.having(add=[new]).fingerprint


@pytest.mark.parametrize("name", book_ids())
def test_revisions_are_numbered_and_named(name: str) -> None:
    newest = quepu.book(name)
    assert quepu.book(f"{name}@{newest.revision}") is newest
    seen = {fingerprint_with_a_new_fan(newest)}
    for number in range(1, newest.revision):
        earlier = quepu.book(f"{name}@{number}")
        assert earlier is quepu.book(f"{name}@{number}")
        assert (earlier.id, earlier.revision) == (f"{name}@{number}", number)
        assert fingerprint_with_a_new_fan(earlier) not in seen, "a correction of scores changes the fingerprint"
        seen.add(fingerprint_with_a_new_fan(earlier))
    for no in (0, newest.revision + 1, "x", ""):
        if no != "":
            with pytest.raises(quepu.Error):
                quepu.book(f"{name}@{no}")
