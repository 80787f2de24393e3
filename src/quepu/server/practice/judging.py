"""Make practice questions and judge their answers, as plain data."""

from __future__ import annotations

import random
import secrets
from typing import Any, TypeVar, get_args

from quepu import rulebooks
from quepu.errors import HandError
from quepu.hands.hand import Luck
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.http.rendering import bilingual, hand_shape
from quepu.server.payments import settle_win
from quepu.server.practice.aims import find_aims
from quepu.server.practice.lessons import READINGS
from quepu.server.practice.messages import CourseStep, PracticeReply, PracticeRequest, PracticeVerdict
from quepu.server.practice.questions import (
    Question,
    choose_seed,
    kinds_of,
    puzzle_of,
    question,
    ready_discards,
    winning_tiles,
)
from quepu.server.practice.reasons import no_discards, no_fans, no_waits
from quepu.tiles import EAST, FLOWERS, NAMES, WINDS

_T = TypeVar("_T")
ONCE = (*READINGS, *get_args(CourseStep))
"""What is noted once: lessons that were read or gone through."""


def new_question(body: PracticeRequest, weak: dict[str, float]) -> dict[str, Any]:
    """Return the question of a request, chosen by the weakness of each fan if no seed is given."""
    book, seed = book_of(body.rules, body.house), body.seed
    if body.day is not None:
        kind, level, seed = puzzle_of(book, body.day)
        body = body.model_copy(update={"kind": kind, "level": level, "about": ""})
    if seed is None:
        rng = random.Random(secrets.randbits(64))  # need not be secret
        seed = rng.randrange(1 << 30) if body.about else choose_seed(book, body.kind, body.level, weak, rng)
    shown = _show_question(question(book, body.kind, body.level, seed, body.about), book, body, seed)
    rules = rulebooks.find_registered(book).id if body.house.strip() else book.id
    return shown | {"history": stored_as(book, body.house), "rules": rules}


def stored_as(book: Rulebook, house: str) -> str:
    """Return a book's id; for house rules, their base and scoring content, so that drafts are kept apart."""
    if not house.strip():
        return book.id
    base = rulebooks.find_registered(book)
    return base.id if base.fingerprint == book.fingerprint else f"{base.id}+{book.fingerprint}"


def judge_reply(given: PracticeReply, lang: str) -> tuple[dict[str, Any], dict[str, bool], str]:
    """Return the verdict on an answer, the fans known and not known, and the key under which it is stored."""
    book = book_of(given.rules, given.house)
    if given.kind in ONCE:
        return (
            dict.fromkeys(PracticeVerdict.model_fields) | {"right": True, "why_not": {}},
            {},
            stored_as(book, given.house),
        )
    verdict, fans = _judge(question(book, given.kind, given.level, given.seed, given.about), given, book, lang)
    return verdict, fans, stored_as(book, given.house)


def _show_question(made: Question, book: Rulebook, body: PracticeRequest, seed: int) -> dict[str, Any]:
    hand = made.hand
    luck = int(hand.luck) & ~int(Luck.SELF_DRAW)
    flowers = [] if isinstance(hand.flowers, int) else [FLOWERS[i] for i in hand.flowers]
    return {
        "rules": book.id,
        "kind": made.kind,
        "kinds": list(kinds_of(book)),
        "level": body.level,
        "seed": seed,
        "about": body.about,
        "hand": hand_shape(hand).model_dump(),
        "seat": WINDS[hand.seat - EAST],
        "round": WINDS[hand.round - EAST],
        "self_draw": hand.self_draw,
        "circumstances": [n for n, bits in book.circumstances.items() if luck and bits & ~Luck.SELF_DRAW & luck],
        "flowers": flowers,
        "offered": list(made.offered),
        "discarder": None if made.discarder is None else WINDS[made.discarder],
        "unit": bilingual(book.unit).model_dump(),
        "minimum": book.minimum,
    }


def _judge(made: Question, given: PracticeReply, book: Rulebook, lang: str) -> tuple[dict[str, Any], dict[str, bool]]:
    """Return the verdict, and for each fan concerned whether it was known."""
    verdict: dict[str, Any] = dict.fromkeys(PracticeVerdict.model_fields) | {"why_not": {}}
    fans: dict[str, bool] = {}
    score, look = made.score, made.outlook
    if score is not None:
        verdict["score"] = score.to_json(explain=True, lang=lang)
    if made.kind == "waits" and look is not None:
        waits = [NAMES[wait.tile] for wait in look.waits]
        chosen = set(_require(given.waits))
        verdict |= {"outlook": look.to_json(lang), "waits": waits, "right": chosen == set(waits)}
        verdict["why_not"] = {tile: text.say(lang) for tile, text in no_waits(made, book, chosen - set(waits)).items()}
        return verdict, fans
    if made.kind == "discard":
        left = ready_discards(made.hand, book)
        best = max(left, key=lambda tile: winning_tiles(left[tile]))
        verdict |= {"outlook": left[best].to_json(lang), "discard": NAMES[best]}
        verdict["right"] = _require(given.discard) == NAMES[best]
        verdict["why_not"] = {tile: text.say(lang) for tile, text in no_discards(made, book, left, best).items()}
        return verdict, fans
    if made.kind == "aim":
        aims = find_aims(ready_discards(made.hand, book))
        verdict |= {"outlook": aims[0].look.to_json(lang), "aim": aims[0].key, "discard": NAMES[aims[0].tile]}
        verdict["right"] = _require(given.aim) == aims[0].key
        verdict["why_not"] = {aim.key: aim.text().say(lang) for aim in aims}
        return verdict, fans
    assert score is not None  # noqa: S101  # every other kind is about a win
    counted = [fan.name for fan in score.fans]
    if made.kind == "fans":
        chosen = set(_require(given.fans))
        right = chosen == set(counted)
        fans = {name: (name in chosen) == (name in counted) for name in (*counted, *(chosen - set(counted)))}
        verdict["fans"] = counted
        others = [name for name in made.offered if name not in counted]
        verdict["why_not"] = {name: text.say(lang) for name, text in no_fans(score, others).items()}
        names = {fan.name for fan in book.fans}
        fans = {name: ok for name, ok in fans.items() if name in names}
    elif made.kind == "points":
        right = _require(given.points) == score.total
        verdict["points"] = score.total
    elif made.kind == "payable":
        right = _require(given.payable) == score.can_win
        verdict["payable"] = score.can_win
    else:
        payments = settle_win(score, made.discarder)  # every meld from 上家: the question does not show givers
        gains = dict(zip(WINDS, payments["gains"], strict=True))
        given_pays = {str(wind): n for wind, n in _require(given.pays).items()}
        right = given_pays == gains
        verdict |= {"pays": gains, "payments": payments}
    verdict["right"] = right
    return verdict, fans or dict.fromkeys(counted, right)


def _require(value: _T | None) -> _T:
    if value is None:
        raise HandError("没有写答案。", "the answer is missing.")
    return value
