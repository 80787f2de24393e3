"""Practice over HTTP: a question, an answer with its explanation, and a history that selects the next one."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from quepu import rulebooks
from quepu.rulebooks.house_rules import book_of
from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.rendering import bilingual, guide_answer, hand_shape
from quepu.server.http.responses import Lang, Plain, Whose, from_state, refusals
from quepu.server.practice.course import course
from quepu.server.practice.judging import ONCE, judge_reply, new_question, stored_as
from quepu.server.practice.lessons import find_counted_hand, lessons_of
from quepu.server.practice.messages import (
    CourseAnswer,
    LessonsAnswer,
    LessonsRequest,
    PracticeHistory,
    PracticeQuestion,
    PracticeReply,
    PracticeRequest,
    PracticeVerdict,
)
from quepu.server.practice.questions import KINDS
from quepu.server.practice.screens import Screen
from quepu.server.store.values import Answered, AnswerStore, due, weakness
from quepu.server.work.pool import Pool, Work

routes = APIRouter(prefix="/api/practice", tags=["practice"], responses=refusals(400, 422))


Store = Annotated[AnswerStore, from_state("practice")]
_AHEAD = 86_400.0
"""Seconds by which a page's clock may be fast: its time is kept, so that an answer sent twice is recognised."""


@routes.post("/question", response_model=PracticeQuestion)
async def ask_question(body: PracticeRequest, store: Store, work: Work, asker: Asker) -> Plain:
    """Return a question; with `who`, one that suits that person's weaknesses."""
    weak: dict[str, float] = {}
    if body.who and body.seed is None:
        answers = await store.history(body.who, await _key(body.rules, body.house, work, asker))
        now = time.time()
        weak = weakness(answers)
        weak |= {fan: weak[fan] + 1 for fan, one in due(answers).items() if one.at <= now}
    return Plain(await work.run(asker, new_question, body, weak))


async def _key(rules: str, house: str, work: Pool, asker: str) -> str:
    """Return the key under which answers about a book are stored. House rules are read in another process."""
    return await work.run(asker, _key_of_house, house) if house.strip() else rulebooks.book(rules).id


def _key_of_house(house: str) -> str:
    return stored_as(book_of("", house), house)


@routes.post("/answer", response_model=PracticeVerdict, dependencies=[Depends(stores)])
async def answer(given: PracticeReply, lang: Lang, store: Store, work: Work, asker: Asker) -> Plain:
    """Judge an answer and explain it; store it in the history of `who`. Read lessons are stored once."""
    verdict, fans, key = await work.run(asker, judge_reply, given, lang)
    if given.who:
        at = given.at or 0.0
        if at > time.time() + _AHEAD:
            at = 0.0
        entry = Answered(key, given.kind, given.level, given.seed, verdict["right"], given.seconds, fans, at)
        if given.kind not in ONCE or given.kind not in await store.list_passed(given.who, key):
            await store.add(given.who, entry)
    return Plain(verdict)


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
    made, key = await work.run(asker, _lessons, body, lang)
    passed = await store.list_passed(body.who, key) if body.who else set()
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
    return made, stored_as(book, body.house)


@routes.post("/course", response_model=CourseAnswer)
async def interactive_lessons(body: LessonsRequest, store: Store, work: Work, asker: Asker) -> Plain:
    """The course of a book: short screens with judged options, and which of its lessons `who` has gone through."""
    made, key = await work.run(asker, _course, body)
    passed = await store.list_passed(body.who, key) if body.who else set()
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
    return {"rules": book.id, "lessons": shown}, stored_as(book, body.house)


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
