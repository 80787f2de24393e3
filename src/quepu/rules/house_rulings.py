"""[[rulings]] in a file of house rules: how the house reads a sentence, with hands and the points they must have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from quepu.errors import Error
from quepu.hands.notation import parse
from quepu.rules.house_words import Refuses, is_title, line_of, names, natural, text_of
from quepu.rules.parts import Ruling
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers

_RULINGS_MOST: Final = 30
_HANDS_MOST: Final = 20
_LONGEST: Final = 400
_LONGEST_ID: Final = 40
_WINDS: Final = ("E", "S", "W", "N")
_KEYS: Final = ("id", "question", "sentence", "answer", "hands")
_MEASURES: Final = ("points", "total")
_HAND: Final = ("hand", "seat", "round", "self_draw", "circumstances", "flowers", *_MEASURES)


def with_rulings(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with the rulings of a house, which take the place of the book's own of the same id."""
    given = data.get("rulings", [])
    if not given:
        return made
    if len(given) > _RULINGS_MOST:
        file.wrong(f"裁定最多 {_RULINGS_MOST} 条。", f"there may be {_RULINGS_MOST} rulings at most.", "rulings")
    own = [_ruling(file, made, one) for one in given]
    ids = [one.id for one in own]
    twice = next((id for id in ids if ids.count(id) > 1), None)
    if twice is not None:
        file.wrong(f"裁定“{twice}”写了两次。", f"the ruling {twice!r} is written twice.", "rulings", twice)
    return replace(made, rulings=(*own, *(one for one in made.rulings if one.id not in ids)))


def _ruling(file: Refuses, made: Rulebook, given: Mapping[str, Any]) -> Ruling:
    id = given.get("id")
    if not line_of(id, _LONGEST_ID):
        file.wrong("每条裁定要有 id。", "every ruling needs an id.", "rulings")
    for key in given:
        if key not in _KEYS:
            listed = " ".join(_KEYS)
            file.wrong(
                f"裁定没有“{key}”，可用：{listed}。", f"a ruling has no {key!r}; there are: {listed}.", "rulings", key
            )
    for key in ("question", "answer"):
        if not is_title(given.get(key)):
            file.wrong(
                f"裁定“{id}”的 {key} 应是一段文字，或 {{ zh = …, en = … }}。",
                f"{key} of the ruling {id!r} must be text, or {{ zh = …, en = … }}.",
                "rulings",
                str(id),
            )
    sentence, hands = given.get("sentence", ""), given.get("hands", [])
    if not isinstance(sentence, str) or len(sentence) > _LONGEST or not isinstance(hands, list):
        file.wrong(
            f"裁定“{id}”的 sentence 应是文字，hands 应是牌例的列表。",
            f"sentence of the ruling {id!r} must be text, and hands a list of hands.",
            "rulings",
            str(id),
        )
    if len(hands) > _HANDS_MOST:
        file.wrong(
            f"裁定“{id}”的牌例最多 {_HANDS_MOST} 手。", f"the ruling {id!r} may have {_HANDS_MOST} hands.", "rulings"
        )
    return Ruling(
        str(id),
        text_of(given["question"]),
        text_of(given["answer"]),
        sentence,
        hands=tuple(_hand(file, made, str(id), one) for one in hands),
    )


def _hand(file: Refuses, made: Rulebook, id: str, given: object) -> tuple[Example, int, str]:
    """Return a hand of a ruling, what it must be worth, and the measure: points towards the minimum, or the total."""
    keys = ("rulings", id)
    if not isinstance(given, dict) or {*given} - {*_HAND} or not isinstance(given.get("hand"), str):
        listed = ", ".join(_HAND)
        file.wrong(f"裁定“{id}”的牌例应写：{listed}。", f"a hand of the ruling {id!r} has: {listed}.", *keys)
    measured = [measure for measure in _MEASURES if measure in given]
    if len(measured) != 1 or not natural(given[measured[0]]):
        file.wrong(
            f"裁定“{id}”的牌例应写 points（计入起和的点数）或 total（全部点数）之一，是自然数。",
            f"a hand of the ruling {id!r} needs either points (towards the minimum) or total, a natural number.",
            *keys,
        )
    winds = given.get("seat", "E"), given.get("round", "E")
    luck, flowers = given.get("circumstances", []), given.get("flowers", [])
    drawn = given.get("self_draw", False)
    named = names(luck) and names(flowers)
    if any(wind not in _WINDS for wind in winds) or not named or not isinstance(drawn, bool):
        file.wrong(
            f"裁定“{id}”的牌例：seat、round 是 E、S、W、N 之一，self_draw 是 true 或 false，"
            "circumstances、flowers 是名称的列表。",
            f"a hand of the ruling {id!r}: seat and round are one of E, S, W, N, self_draw is true or false, "
            "circumstances and flowers are lists of names.",
            *keys,
        )
    if unknown := [name for name in luck if name not in made.circumstances]:
        file.wrong(f"没有“{unknown[0]}”这种情形。", f"there is no circumstance {unknown[0]!r}.", *keys)
    try:
        parse(given["hand"])
        flower_numbers(flowers)
    except Error as error:
        file.wrong(f"裁定“{id}”的牌例：{error.text.zh}", f"a hand of the ruling {id!r}: {error.text.en}", *keys)
    return (
        Example(given["hand"], winds[0], winds[1], drawn, tuple(luck), tuple(flowers)),
        given[measured[0]],
        measured[0],
    )
