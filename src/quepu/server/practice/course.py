"""The lessons of a book with their answers: data of the book in, screens with judged options out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.hands.notation import parse, tiles
from quepu.rules.guide import facts
from quepu.rules.lessons import ScreenData, lessons
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.waits import outlook
from quepu.server.practice.scored_screens import calling, counting, of_fan, paying, total, winning, words_of
from quepu.server.practice.screens import (
    CLAIMS,
    Made,
    Screen,
    claim_options,
    flower_options,
    group_options,
    kong_options,
    sort_options,
    wait_options,
)
from quepu.table.actions import ActionKind
from quepu.tiles import NAMES


class CourseLesson(NamedTuple):
    """A lesson with its screens."""

    key: str
    title: Text
    screens: tuple[Screen, ...]


@lru_cache(maxsize=32)
def course(book: Rulebook) -> tuple[CourseLesson, ...]:
    """Return the lessons of a book; a screen that the book has nothing for is left out."""
    made = []
    for lesson in lessons(book):
        screens = [found for one in lesson.screens if (found := _screen(one, book)) is not None]
        if screens:
            made.append(CourseLesson(lesson.key, lesson.title, tuple(screens)))
    return tuple(made)


def _screen(data: ScreenData, book: Rulebook) -> Screen | None:
    if not _kinds(data) <= {*book.tiles.kinds}:
        return None
    made = _MAKERS[data["kind"]](data, book)
    if made is None:
        return None
    values = {**_facts(book), **made.facts}
    text, ask = (_fill(data.get(key) or getattr(made, key), values) for key in ("text", "ask"))
    return Screen(data["key"], data["kind"], text, ask, made.options, made.all_of, made.hand, made.tiles, made.discard)


def _kinds(data: ScreenData) -> set[int]:
    """Return the kinds of tile that a screen of the file shows."""
    named = [data[key] for key in ("hand", "offer", "part", "tile") if key in data]
    hands = [parse(text) for text in data.get("hands", ())]
    found = {kind for text in named for kind in tiles(re.sub(r"[()\[\]+]", "", text))}
    return found | {kind for hand in hands for kind, held in enumerate(hand.counts()) if held}


def _facts(book: Rulebook) -> dict[str, Any]:
    return facts(book) | words_of(book)._asdict() | {"title": book.title}


def _fill(text: Mapping[str, str] | Text, values: Mapping[str, Any]) -> Text:
    zh, en = text if isinstance(text, Text) else (text["zh"], text["en"])

    def put(sentence: str, lang: str) -> str:
        def one(found: re.Match[str]) -> str:
            value = values[found[1]]
            return value.say(lang) if isinstance(value, Text) else str(value)

        return re.sub(r"\{([^{}]+)\}", one, sentence)

    return Text(put(zh, "zh"), put(en, "en"))


# ---- the kinds


def _sort(data: ScreenData, _book: Rulebook) -> Made:
    return Made(sort_options(data["offer"], data["of"]), all_of=True)


def _group(data: ScreenData, _book: Rulebook) -> Made:
    part = tuple(NAMES[kind] for kind in tiles(data["part"]))
    return Made(group_options(data["part"], data["offer"]), tiles=part)


def _waits(data: ScreenData, book: Rulebook) -> Made:
    hand, offer = parse(data["hand"]), tiles(data["offer"])
    found = {int(wait.tile): wait.by_discard or wait.by_self_draw for wait in outlook(hand, book).waits}
    scores = {tile: score for tile, score in found.items() if score is not None}
    return Made(wait_options(offer, scores), all_of=not data.get("any"), hand=hand)


def _claim(data: ScreenData, book: Rulebook) -> Made | None:
    if not book.play:
        return None
    by_side = {side: claim_options(book, data["hand"], data["tile"], side) for side in ("left", data["from"])}
    options = by_side[data["from"]]
    if "needs" in data and not any(
        one.right for one in by_side["left"] if one.label == CLAIMS[ActionKind(data["needs"])]
    ):
        return None
    return Made(options, hand=parse(data["hand"]), discard=(data["tile"], data["from"]))


def _kong(data: ScreenData, book: Rulebook) -> Made | None:
    hand = parse(data["hand"])
    return Made(kong_options(book, hand), hand=hand) if book.play else None


def _flower(data: ScreenData, book: Rulebook) -> Made | None:
    if not book.play or not play_rules(book).table.flowers:
        return None
    return Made(flower_options(book, data["hand"], data["drawn"]))


_MAKERS: Mapping[str, Callable[[ScreenData, Rulebook], Made | None]] = {
    "sort": _sort,
    "group": _group,
    "waits": _waits,
    "claim": _claim,
    "kong": _kong,
    "flower": _flower,
    "win": winning,
    "fan": of_fan,
    "count": counting,
    "total": total,
    "pays": paying,
    "call": calling,
}
