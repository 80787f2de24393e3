"""Practice over HTTP: a question, an answer with its explanation, and a history that selects the next one."""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar, get_args

from fastapi import APIRouter, Depends, Request

from quepu import rulebooks
from quepu.errors import HandError
from quepu.hands.hand import Luck
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.rendering import bilingual, guide_answer, hand_shape
from quepu.server.http.responses import Lang, Plain, Whose
from quepu.server.payments import settle_win
from quepu.server.practice.course import course
from quepu.server.practice.lessons import READINGS, find_counted_hand, lessons_of
from quepu.server.practice.messages import (
    CourseAnswer,
    CourseStep,
    LessonsAnswer,
    LessonsRequest,
    PracticeHistory,
    PracticeQuestion,
    PracticeReply,
    PracticeRequest,
    PracticeVerdict,
)
from quepu.server.practice.questions import (
    KINDS,
    Question,
    choose_seed,
    kinds_of,
    question,
    ready_discards,
    winning_tiles,
)
from quepu.server.practice.reasons import no_discards, no_fans, no_waits
from quepu.server.practice.screens import Screen
from quepu.server.store.values import Answered, AnswerStore, due, weakness
from quepu.server.work.pool import Pool, Work
from quepu.tiles import EAST, FLOWERS, NAMES, WINDS

routes = APIRouter(
    prefix="/api/practice", tags=["practice"], responses={400: {"model": Refused}, 422: {"model": Refused}}
)


def _store(request: Request) -> AnswerStore:
    store: AnswerStore = request.app.state.practice
    return store


_T = TypeVar("_T")
Store = Annotated[AnswerStore, Depends(_store)]
_ONCE = (*READINGS, *get_args(CourseStep))
"""What is noted once: lessons that were read or gone through."""


@routes.post("/question", response_model=PracticeQuestion)
async def new_question(body: PracticeRequest, store: Store, work: Work, asker: Asker) -> Plain:
    """Return a question; with `who`, one that suits that person's weaknesses."""
    weak: dict[str, float] = {}
    if body.who and body.seed is None:
        answers = await store.history(body.who, await _key(body.rules, body.house, work, asker))
        now = time.time()
        weak = weakness(answers)
        weak |= {fan: weak[fan] + 1 for fan, one in due(answers).items() if one.at <= now}
    return Plain(await work.run(asker, _new_question, body, weak))


async def _key(rules: str, house: str, work: Pool, asker: str) -> str:
    """Return the key under which answers about a book are stored. House rules are read in another process."""
    return await work.run(asker, _key_of_house, house) if house.strip() else rulebooks.book(rules).id


def _key_of_house(house: str) -> str:
    return _stored_as(book_of("", house), house)


def _stored_as(book: Rulebook, house: str) -> str:
    """Return a book's id; for house rules, their base and scoring content, so that drafts are kept apart."""
    if not house.strip():
        return book.id
    base = rulebooks.find_registered(book)
    return base.id if base.fingerprint == book.fingerprint else f"{base.id}+{book.fingerprint}"


def _new_question(body: PracticeRequest, weak: dict[str, float]) -> dict[str, Any]:
    book, seed = book_of(body.rules, body.house), body.seed
    if seed is None:
        rng = random.Random(secrets.randbits(64))  # need not be secret
        seed = rng.randrange(1 << 30) if body.about else choose_seed(book, body.kind, body.level, weak, rng)
    shown = _show_question(question(book, body.kind, body.level, seed, body.about), book, body, seed)
    rules = rulebooks.find_registered(book).id if body.house.strip() else book.id
    return shown | {"history": _stored_as(book, body.house), "rules": rules}


@routes.post("/answer", response_model=PracticeVerdict, dependencies=[Depends(stores)])
async def answer(given: PracticeReply, lang: Lang, store: Store, work: Work, asker: Asker) -> Plain:
    """Judge an answer and explain it; store it in the history of `who`. Read lessons are stored once."""
    verdict, fans, stored_as = await work.run(asker, _judge_reply, given, lang)
    if given.who:
        at = min(given.at or 0.0, time.time())
        entry = Answered(stored_as, given.kind, given.level, given.seed, verdict["right"], given.seconds, fans, at)
        again = (
            given.kind in await store.list_passed(given.who, stored_as)
            if given.kind in _ONCE
            else at
            and any(
                (one.at, one.seed, one.kind) == (at, entry.seed, entry.kind)
                for one in await store.history(given.who, stored_as)
            )
        )
        if not again:
            await store.add(given.who, entry)
    return Plain(verdict)


def _judge_reply(given: PracticeReply, lang: str) -> Any:
    book = book_of(given.rules, given.house)
    if given.kind in _ONCE:
        return (
            dict.fromkeys(PracticeVerdict.model_fields) | {"right": True, "why_not": {}},
            {},
            _stored_as(book, given.house),
        )
    verdict, fans = _judge(question(book, given.kind, given.level, given.seed, given.about), given, book, lang)
    return verdict, fans, _stored_as(book, given.house)


@routes.get("/history", response_model=PracticeHistory)
async def history(rules: str, who: Whose, store: Store) -> Plain:
    """Return a person's practice history under a rulebook; for house rules, `rules` is their `history`."""
    base, _, drafted = rules.partition("+")
    book = rulebooks.book(base)
    found = await store.history(who, f"{book.id}+{drafted}" if drafted else book.id)
    answers = [one for one in found if one.kind in KINDS]
    met: Counter[str] = Counter()
    recognised: Counter[str] = Counter()
    days: dict[str, list[int]] = {}
    for one in answers:
        met.update(list(one.fans))
        recognised.update(fan for fan, right in one.fans.items() if right)
        day = days.setdefault(datetime.fromtimestamp(one.at, UTC).date().isoformat(), [0, 0])
        day[0] += 1
        day[1] += one.right
    weak, again = weakness(answers), due(answers)
    english = {fan.name: fan.english for fan in book.fans} | dict.fromkeys(met.keys() - book.index.keys(), "")
    order = {name: at for at, name in enumerate(english)}
    names = sorted(order, key=lambda name: (again[name].at if name in again else float("inf"), order[name]))
    streak = next((i for i, one in enumerate(answers) if not one.right), len(answers))
    return Plain({
        "now": time.time(),
        "answered": len(answers),
        "right": sum(one.right for one in answers),
        "streak": streak,
        "fans": [
            {
                "name": name,
                "english": english[name],
                "met": met[name],
                "recognised": recognised[name],
                "weakness": round(weak.get(name, 0.0), 3),
                "step": again[name].step if name in again else 0,
                "due": again[name].at if name in again else None,
            }
            for name in names
        ],
        "days": [{"day": day, "answered": n, "right": right} for day, (n, right) in sorted(days.items())],
    })  # fmt: skip


@routes.post("/lessons", response_model=LessonsAnswer)
async def lessons(body: LessonsRequest, lang: Lang, store: Store, work: Work, asker: Asker) -> Plain:
    """Return the lessons of a book, based on its own rules and examples, and which ones `who` has passed."""
    made, stored_as = await work.run(asker, _lessons, body, lang)
    passed = await store.list_passed(body.who, stored_as) if body.who else set()
    for lesson, passed_by in made["lessons"]:
        lesson["passed"] = passed_by in passed
    return Plain(made | {"lessons": [lesson for lesson, _ in made["lessons"]]})


def _lessons(body: LessonsRequest, lang: str) -> tuple[dict[str, Any], str]:
    """Return the answer, each lesson with its condition for passing, and the key for stored answers."""
    book = book_of(body.rules, body.house)
    sections = {section.key: section.model_dump() for section in guide_answer(book).sections}
    shown = [
        {
            "key": lesson.key,
            "title": bilingual(lesson.title).model_dump(),
            "lead": bilingual(lesson.lead).model_dump(),
            "sections": [sections[key] for key in lesson.sections if key in sections],
            "kind": lesson.kind or None,
        }
        for lesson in lessons_of(book)
    ]
    passed_by = [lesson.passed_by for lesson in lessons_of(book)]
    counted = find_counted_hand(book)
    hand = None
    if counted is not None:
        example, score = counted
        hand = {
            "hand": hand_shape(score.hand).model_dump(),
            "seat": example.seat,
            "round": example.round,
            "self_draw": example.self_draw,
            "circumstances": list(example.circumstances),
            "flowers": list(example.flowers),
            "score": score.to_json(explain=True, lang=lang),
        }
    made = {"rules": book.id, "lessons": list(zip(shown, passed_by, strict=True)), "counted": hand}
    return made, _stored_as(book, body.house)


@routes.post("/course", response_model=CourseAnswer)
async def interactive_lessons(body: LessonsRequest, store: Store, work: Work, asker: Asker) -> Plain:
    """The course of a book: short screens with judged options, and which of its lessons `who` has gone through."""
    made, stored_as = await work.run(asker, _course, body)
    passed = await store.list_passed(body.who, stored_as) if body.who else set()
    for lesson in made["lessons"]:
        lesson["passed"] = f"course-{lesson['key']}" in passed
    return Plain(made)


def _course(body: LessonsRequest) -> tuple[dict[str, Any], str]:
    """The answer, and the key that answers about the book are stored under."""
    book = book_of(body.rules, body.house)
    shown = [
        {
            "key": lesson.key,
            "title": lesson.title._asdict(),
            "screens": [_course_screen(screen) for screen in lesson.screens],
        }
        for lesson in course(book)
    ]
    return {"rules": book.id, "lessons": shown}, _stored_as(book, body.house)


def _course_screen(screen: Screen) -> dict[str, Any]:
    return {
        "key": screen.key,
        "kind": screen.kind,
        "text": screen.text._asdict(),
        "ask": screen.ask._asdict(),
        "hand": screen.hand and hand_shape(screen.hand).model_dump(),
        "tiles": list(screen.tiles),
        "discard": screen.discard and {"tile": screen.discard[0], "side": screen.discard[1]},
        "all_of": screen.all_of,
        "options": [
            {
                "right": one.right,
                "why": one.why._asdict(),
                "label": one.label and one.label._asdict(),
                "tiles": list(one.tiles),
                "hand": one.hand and hand_shape(one.hand).model_dump(),
                "groups": [list(group) for group in one.groups],
            }
            for one in screen.options
        ],
    }


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
