"""One JSON object in, one out: the shape that `quepu score --jsonl`, the REST API and the WebSocket share.

{"rules": "lingque-29", "hand": "11223sCC(NNNN)(123s)+3s", "seat": "N", "round": "E", "self_draw": true,
 "circumstances": ["岭上开花"], "flowers": ["春"]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from quepu.errors import Error, HandError
from quepu.hands.hand import Hand, Luck
from quepu.hands.notation import parse, write
from quepu.rulebooks import book as find
from quepu.rules.arithmetic import Tally
from quepu.rules.circumstances import situate
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.tiles import EAST, FLOWERS, WINDS

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False).encode
KEYS: Final = ("rules", "hand", "seat", "round", "self_draw", "circumstances", "flowers")


def score_object(
    data: object, rules: str | Rulebook = DEFAULT_RULES, *, explain: bool = False, lang: str = "zh"
) -> dict[str, Any]:
    """Return the response to one request; an error in the request is a response, too, never an exception.

    `rules` is the default book of a request.
    """
    try:
        hand, book = parse_request(data, rules)
        answer: dict[str, Any] = score_hand(hand, book).to_json(explain=explain, lang=lang)
    except Error as error:
        return refusal(error, lang)
    return answer


def refusal(error: Error, lang: str = "zh") -> dict[str, Any]:
    """Return the response for an error: its sentence, and the position in the hand's text if it has one."""
    return {"valid": False, "error": error.say(lang), "at": error.at}


def parse_request(data: object, rules: str | Rulebook) -> tuple[Hand, Rulebook]:
    """Return the hand of a request, with its circumstances, and the book.

    Raises:
        Error: the first mistake in the request.
    """
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
    return situate(parse(hand), found, **given), found


def request_of(hand: Hand, book: Rulebook) -> dict[str, Any]:
    """Return the request for this hand under a book; the sender adds `rules`."""
    luck = hand.luck & ~int(Luck.SELF_DRAW)
    bits = {name: bits & ~int(Luck.SELF_DRAW) for name, bits in book.circumstances.items()}
    return {
        "hand": write(hand),
        "seat": WINDS[hand.seat - EAST],
        "round": WINDS[hand.round - EAST],
        "self_draw": bool(hand.luck & Luck.SELF_DRAW),
        "circumstances": [name for name, own in bits.items() if own and own & luck == own],
        "flowers": hand.flowers if isinstance(hand.flowers, int) else [FLOWERS[number] for number in hand.flowers],
    }


def score_lines(
    lines: Iterable[str], rules: str | Rulebook = DEFAULT_RULES, *, explain: bool = False, lang: str = "zh"
) -> Iterator[str]:
    """Answer lines of JSON one at a time, blank ones included; a line may also be a bare hand."""
    for line in lines:
        try:
            hand, book = parse_request(read_line(line.strip()), rules)
            score = score_hand(hand, book)
            yield _ENCODE(score.to_json(explain=True, lang=lang)) if explain else encode_score(score, lang)
        except Error as error:
            yield encode_refusal(error, lang)


def read_line(text: str) -> object:
    """Return the content of a line: JSON, or a hand.

    Raises:
        HandError: it is neither.
    """
    if not text:
        raise HandError("这一行是空的。", "this line is blank.")
    if text[0] not in '{"':  # a bracket starts a meld
        return {"hand": text}
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else None
        raise HandError("这一行不是正确的 JSON。", "this line is not valid JSON.", at) from None
    return data


def encode_refusal(error: Error, lang: str) -> str:
    """Return an error as a line."""
    return _ENCODE(refusal(error, lang))


_MARK: Final = "\0"
_line_cache: dict[tuple[int, int, int, str], tuple[Tally, Rulebook, str, str]] = {}
_MOST_LINES: Final = 1 << 14


def encode_score(score: Score, lang: str) -> str:
    """Return a score as a line: `Score.to_json`, encoded.

    Everything but the reading is the same for the same tally, so that part is encoded once per tally and cached.
    """
    tally, book = score.tally, score.book
    key = (id(tally), id(book), score.hand.flower_count, lang)
    found = _line_cache.get(key)
    if found is None or found[0] is not tally or found[1] is not book:
        if len(_line_cache) >= _MOST_LINES:
            _line_cache.clear()
        before, after = _ENCODE(score.to_json(lang=lang) | {"reading": _MARK}).split(_ENCODE(_MARK))
        found = _line_cache[key] = (tally, book, before, after)
    return f"{found[2]}{_ENCODE(score.best.text())}{found[3]}"
