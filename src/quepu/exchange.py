"""One JSON object in, one out: the shape that `quepu score --jsonl`, the REST API and the WebSocket share.

{"rules": "lingque-29", "hand": "11223sCC(NNNN)(123s)+3s", "seat": "N", "round": "E", "self_draw": true,
 "circumstances": ["岭上开花"], "flowers": ["春"]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from quepu.circumstances import situate
from quepu.errors import Error, HandError
from quepu.notation import parse
from quepu.rulebook import Rulebook
from quepu.rulebooks import book as find
from quepu.scoring import Score, score_hand

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False).encode
KEYS: Final = ("rules", "hand", "seat", "round", "self_draw", "circumstances", "flowers")


def score_object(
    data: object, rules: str | Rulebook = "lingque-29", *, explain: bool = False, lang: str = "zh"
) -> dict[str, Any]:
    """The answer to one request; whatever is wrong with it is an answer too, never an exception.

    `rules` is the book of a request that names none.
    """
    try:
        answer: dict[str, Any] = _scored(data, rules).to_json(explain=explain, lang=lang)
    except Error as error:
        return refusal(error, lang)
    return answer


def refusal(error: Error, lang: str = "zh") -> dict[str, Any]:
    """What is said instead of a score: the sentence, and the position in the hand's text if it is about that."""
    return {"valid": False, "error": error.say(lang), "at": error.at}


def _scored(data: object, rules: str | Rulebook) -> Score:
    if not isinstance(data, dict):
        raise HandError("每一条应是一个 JSON 对象。", "each item must be a JSON object.")
    for key in data:
        if key not in KEYS:
            raise HandError(
                f"不认识“{key}”，可用：{' '.join(KEYS)}。", f"unknown key {key!r}; there are: {' '.join(KEYS)}."
            )
    if "hand" not in data:
        raise HandError("缺少“hand”。", "'hand' is missing.")
    given = dict(data)
    hand, book = given.pop("hand"), given.pop("rules", rules)
    if not isinstance(hand, str):
        raise HandError("“hand”应是一段文字。", "'hand' must be text.")
    if not isinstance(book, (str, Rulebook)):
        raise HandError("“rules”应是规则的名称。", "'rules' must be the name of a rulebook.")
    found = find(book)
    return score_hand(situate(parse(hand), found, **given), found)


def score_lines(
    lines: Iterable[str], rules: str | Rulebook = "lingque-29", *, explain: bool = False, lang: str = "zh"
) -> Iterator[str]:
    """Lines of JSON to lines of JSON, one at a time. Blank lines are skipped; a line may also be a bare hand."""
    for line in lines:
        text = line.strip()
        if not text:
            continue
        yield _ENCODE(_line(text, rules, explain, lang))


def _line(text: str, rules: str | Rulebook, explain: bool, lang: str) -> dict[str, Any]:
    if text[0] not in '{"':  # a bracket starts a meld
        return score_object({"hand": text}, rules, explain=explain, lang=lang)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else None
        wrong = HandError("这一行不是正确的 JSON。", "this line is not valid JSON.", at)
        return refusal(wrong, lang)
    return score_object(data, rules, explain=explain, lang=lang)
