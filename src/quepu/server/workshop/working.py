"""What other processes do for the workshop: read drafts, and work out what they do.

The server itself imports this module for the names of its functions; what they need is imported where they run.
"""

from __future__ import annotations

import tomllib
from typing import Any

from quepu import rulebooks
from quepu.errors import UnknownName
from quepu.hands.notation import parse_part
from quepu.rulebooks import house_rules, registered
from quepu.rules.digest import expression
from quepu.rules.formula import parse_formula
from quepu.rules.formula_words import words
from quepu.rules.rulebook import Rulebook
from quepu.server.http.rendering import hand_shape


def draft_book(house: str) -> Rulebook:
    """The book that a draft makes."""
    return house_rules.book_of("", house)


def draft(house: str) -> dict[str, Any]:
    """A rules file taken apart, after it was read without a fault."""
    book = draft_book(house)
    return {"base": registered(book).id, "digest": book.fingerprint, "data": tomllib.loads(house)}


def formula(house: str, when: str) -> dict[str, str]:
    """The digest of a formula about a draft's book."""
    return {"digest": expression(parse_formula(when, draft_book(house)))}


def effects_of(house: str, state: str) -> dict[str, Any]:
    """What a draft does to the hands of a state.

    Raises:
        UnknownName: there is no such state.
        OverlayError: the draft cannot be read.
    """
    from quepu.enumeration.universe import STATES
    from quepu.lab.effects import effects

    if state not in STATES:
        raise UnknownName(f"没有状态“{state}”。", f"no state {state!r}.")
    book = draft_book(house)
    found = effects(registered(book), book, STATES[state])
    for one in found["hands"]:
        one["hand"] = _shape(one["hand"])
    for one in found["added"]:
        one |= {key: [_shape(text) for text in one[key]] for key in ("matches", "near")}
    return found


def _shape(text: str) -> dict[str, Any]:
    return hand_shape(parse_part(text)).model_dump()


def words_of(rules: str) -> dict[str, Any]:
    """The words that a formula about a book may be made of, and the states that a draft may be measured by."""
    from quepu.enumeration.universe import STATES

    book = rulebooks.book(rules)
    return {
        "words": [
            {"zh": word.zh, "en": word.en, "gives": word.gives.name.lower(), "takes": len(word.takes),
             "help": word.help._asdict()}
            for word in {word.zh: word for word in words().values()}.values()
        ],
        "fans": [fan.name for fan in book.fans],
        "circumstances": list(book.circumstances),
        "states": [{"key": state.key, "text": state.text._asdict()} for state in STATES.values()],
    }  # fmt: skip
