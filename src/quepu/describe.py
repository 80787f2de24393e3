"""A rulebook and its fans as plain data, for every surface that shows them: command line, web, documents."""

from __future__ import annotations

from typing import Any

from quepu.circumstances import situate
from quepu.diff import plain
from quepu.errors import Error
from quepu.notation import parse
from quepu.rulebook import ALL, EACH, Example, Fan, Rulebook
from quepu.scoring import Score, score_hand


def scored(example: Example, book: Rulebook) -> Score:
    """What an example is worth under a book now.

    Raises:
        Error: as `quepu.score`; a near miss may be no win at all.
    """
    hand = situate(
        parse(example.hand),
        book,
        seat=example.seat,
        round=example.round,
        self_draw=example.self_draw,
        circumstances=example.circumstances,
        flowers=example.flowers,
    )
    return score_hand(hand, book)


def examples_passing(book: Rulebook) -> tuple[int, int]:
    """How many rows' own examples count the fan they stand for, scored now, and how many rows have one."""
    passing = shown = 0
    for fan in book.fans:
        example = fan.example
        if example is None:
            continue
        shown += 1
        try:
            score = scored(example, book)
        except Error:
            continue
        passing += any(line.name == fan.name for line in score.fans)
    return passing, shown


def describe_book(book: Rulebook, lang: str = "zh", *, fans: bool = False) -> dict[str, Any]:
    """What a book is; with `fans` every row too."""
    told: dict[str, Any] = {
        "id": book.id,
        "title": book.title.say(lang),
        "aliases": list(book.aliases),
        "base": book.base or None,
        "fingerprint": book.fingerprint,
        "minimum": book.minimum,
        "unit": book.unit.say(lang),
        "flower_value": book.flower_value,
        "fan_count": len(book.fans),
        "categories": list(dict.fromkeys(fan.category for fan in book.fans)),
        "circumstances": list(book.circumstances),
        "options": [
            {
                "key": option.key,
                "text": option.text.say(lang),
                "choices": list(option.choices),
                "chosen": book.choice(option),
            }
            for option in book.options
        ],
    }
    if fans:
        told["fans"] = [describe_fan(book, fan, lang) for fan in book.fans]
    return told


def describe_fan(book: Rulebook, fan: Fan, lang: str = "zh") -> dict[str, Any]:
    """One row: value, sentence, relations both ways, examples, rulings."""
    row = book.index[fan.name]
    return {
        "name": fan.name,
        "english": fan.english,
        "value": plain(fan.value),
        "category": fan.category,
        "sentence": fan.sentence,
        "aliases": list(fan.aliases),
        "groups": "all" if fan.of == ALL else "each" if fan.of == EACH else fan.of,
        "most": fan.most,
        "drops": list(fan.drops),
        "dropped_by": [book.fans[i].name for i, mask in enumerate(book.drops) if mask >> row & 1],
        "conflicts": [f.name for i, f in enumerate(book.fans) if book.conflicts[row] >> i & 1],
        "example": _example(fan.example),
        "near_miss": _example(fan.near_miss),
        "rulings": [
            {
                "id": ruling.id,
                "question": ruling.question.say(lang),
                "answer": ruling.answer.say(lang),
                "sentence": ruling.sentence,
                "open": ruling.open,
            }
            for ruling in book.rulings
            if ruling.id in fan.rulings
        ],
    }


def _example(example: Example | None) -> dict[str, Any] | None:
    if example is None:
        return None
    return {
        "hand": example.hand,
        "seat": example.seat,
        "round": example.round,
        "self_draw": example.self_draw,
        "circumstances": list(example.circumstances),
        "flowers": list(example.flowers),
    }
