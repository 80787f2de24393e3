"""Make the fan of docs/guide/first-fan.md and the book of docs/guide/first-book.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from quepu import rulebooks
from quepu.hands import planes
from quepu.rulebooks import book
from quepu.rulebooks.lingque.v29 import suit_and_rank_fans
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

DOCS = Path(__file__).parent.parent / "docs" / "guide"
_CODE = re.compile(r"^```python\n# src/quepu/(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _code(guide: str) -> str:
    found = _CODE.search((DOCS / guide).read_text(encoding="utf-8"))
    assert found, guide
    return found[2]


def first_fan() -> Fan:
    """The row of docs/guide/first-fan.md, as it is read in the file that it is written into."""
    (row,) = eval(f"({_code('first-fan.md')})", {**vars(planes), **vars(suit_and_rank_fans)})
    assert isinstance(row, Fan)
    return row


def with_first_fan() -> Rulebook:
    """灵雀 with the row of docs/guide/first-fan.md after the last of its table, if it is not there already."""
    before = book("lingque-29")
    if first_fan().name in before.index:
        return before
    at = before.fans.index(suit_and_rank_fans.ROWS[-1]) + 1
    rows = (*before.fans[:at], first_fan(), *before.fans[at:])
    return replace(before.having(add=[first_fan()]), fans=rows)


def first_book() -> Rulebook:
    """The book of docs/guide/first-book.md."""
    module = ModuleType("first_book")
    exec(_code("first-book.md"), vars(module))
    (made,) = module.BOOKS
    assert isinstance(made, Rulebook)
    return made


FIRST_BOOK = first_book()


@contextmanager
def followed() -> Iterator[None]:
    """The registry as it is once both guides have been followed."""
    made: dict[str, Any] = {made.id: made for made in (with_first_fan(), FIRST_BOOK)}
    modules = {FIRST_BOOK.id: "first_book"}
    with patch.dict(rulebooks._BOOKS, made), patch.dict(rulebooks._MODULES, modules):
        yield
