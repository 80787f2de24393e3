"""What the lab has found out about the fans of a rulebook, carried by the package (see `quepu.lab.kept`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from quepu.rulebook import Rulebook


class Figure(NamedTuple):
    """A fan's share among the tile sets of all concealed wins by discard, and its cheapest hand in any state."""

    share: float | None
    least: int | None
    least_hand: str | None


@lru_cache(maxsize=1)
def _kept() -> Mapping[str, Any]:
    file = resources.files("quepu").joinpath("data/rarity.json")
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except FileNotFoundError:  # a source tree without the generated file
        return {}


def figures(book: Rulebook) -> Mapping[str, Figure]:
    """The figures of a book's fans by name; empty for a book (or house rule) that they were not worked out for."""
    kept = _kept().get(book.id)
    if kept is None or kept["fingerprint"] != book.fingerprint:
        return {}
    return {name: Figure(one["share"], one["least"], one["least_hand"]) for name, one in kept["fans"].items()}
