"""The tools for assistants: each takes validated arguments and returns the API's answer with its sources.

They run in another process (`service`). Nothing in a text is executed: rulebooks are found by name, house rules are
parsed, and logs are read only below the folder that the user named.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, Final

from quepu import rulebooks
from quepu.errors import Error, HandError, NotationError, UnknownName, join_list, many, near_names
from quepu.logs import files, read_text
from quepu.match.imports import read_any
from quepu.match.log import Replay
from quepu.rulebooks.house_rules import book_of
from quepu.rules.guide import find_section
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.lookup import find_fans, find_rulings, in_category
from quepu.server.assistants.messages import (
    BookList,
    BookName,
    BooksArguments,
    DiffArguments,
    FanList,
    FansArguments,
    LogBrief,
    LogList,
    PuzzleArguments,
    ReviewArguments,
    RulesArguments,
    RulingList,
    RulingsArguments,
    ScoreArguments,
    SolveArguments,
    Source,
    UnreadLog,
    WaitsArguments,
    WhatIfArguments,
    WhatIfPlayedArguments,
)
from quepu.server.books.differences import difference_answer
from quepu.server.hands.api import find_waits, score_request
from quepu.server.hands.messages import Named, ScoreRequest, WaitsRequest
from quepu.server.http.rendering import bilingual, book_page, book_with_options, guide_answer, ruling_shape
from quepu.server.practice.judging import judge_reply, new_question
from quepu.server.practice.messages import PracticeReply, PracticeRequest
from quepu.server.replays import review_worker
from quepu.server.replays.asking_api import answer as answer_question
from quepu.server.work.building import BookSource, build

Json = dict[str, Any]
A_SLICE: Final = 1.0
"""CPU seconds of a slice of long work."""
MOST_LOGS: Final = 50
"""Logs that are listed at once; each is read."""
_BAD = ("slip", "mistake", "blunder")
_QUEPU = {"lang"}
"""Arguments that the API's requests do not have."""


def _sourced(answer: Json, sources: Iterable[Source]) -> Json:
    return {"answer": answer, "sources": [one.model_dump() for one in sources]}


def _source(book: Rulebook, lang: str, **place: str) -> Source:
    return Source(rules=book.id, title=book.title.say(lang), fingerprint=book.fingerprint, **place)


def _cite(book: Rulebook, names: Iterable[str], lang: str) -> list[Source]:
    """Cite the book, the sentences of these fans, and the rulings that they rest on."""
    rows = [book.fans[book.index[name]] for name in dict.fromkeys(names) if name in book.index]
    found = [_source(book, lang)]
    found += [_source(book, lang, fan=row.name, sentence=row.in_words(lang)) for row in rows]
    return found + _cite_rulings(book, {id for row in rows for id in row.rulings}, lang)


def _cite_rulings(book: Rulebook, ids: Container[str | None], lang: str) -> list[Source]:
    return [_source(book, lang, ruling=one.id, sentence=one.answer.say(lang)) for one in book.rulings if one.id in ids]


def answer_books(given: BooksArguments, lang: str) -> Json:
    """Return the names of the rulebooks, and one in detail if it is named."""
    chosen = rulebooks.book(given.rules) if given.rules else None
    found = [*rulebooks.books(), *rulebooks.readings()]
    names = [
        BookName(
            id=book.id,
            title=bilingual(book.title),
            aliases=list(book.aliases),
            minimum=book.minimum,
            unit=bilingual(book.unit),
        )
        for book in found
    ]
    answer = BookList(books=names, book=None if chosen is None else book_with_options(chosen))
    return _sourced(answer.model_dump(), [_source(book, lang) for book in ([chosen] if chosen else found)])


def answer_score(given: ScoreArguments, lang: str) -> Json:
    """Return the score of a hand with its reasons."""
    book = book_of(given.rules, given.house)
    answer = score_request(ScoreRequest(**given.model_dump(exclude=_QUEPU)), lang, explain=True)
    if not answer["valid"]:
        raise NotationError(answer["error"], answer["error"], answer["at"])
    names = [fan["name"] for key in ("counted", "suppressed") for fan in answer[key]]
    return _sourced(answer, _cite(book, names, lang))


def answer_waits(given: WaitsArguments, lang: str) -> Json:
    """Return what thirteen tiles wait for."""
    answer = find_waits(WaitsRequest(**given.model_dump(exclude=_QUEPU)), lang)
    if answer["outlook"] is None:
        raise HandError(
            "这手牌有 14 张：问打哪张请用 discards。",
            "this hand has 14 tiles: use discards to compare its discards.",
        )
    return _with_fans(given, answer, [answer["outlook"]], lang)


def answer_discards(given: WaitsArguments, lang: str) -> Json:
    """Return the hand that each discard of fourteen tiles leaves."""
    answer = find_waits(WaitsRequest(**given.model_dump(exclude=_QUEPU)), lang)
    if answer["choices"] is None:
        raise HandError(
            "这手牌有 13 张，没有可打的牌：问听什么请用 waits。",
            "this hand has 13 tiles and nothing to discard: use waits to list its waits.",
        )
    return _with_fans(given, answer, answer["choices"], lang)


def _with_fans(given: WaitsArguments, answer: Json, outlooks: list[Json], lang: str) -> Json:
    """Cite the fans of every wait."""
    sides = [wait[side] for look in outlooks for wait in look["waits"] for side in ("discard", "self_draw")]
    names = (name.partition("×")[0] for side in sides for name in side["fans"])
    return _sourced(answer, _cite(book_of(given.rules, given.house), names, lang))


def answer_rules(given: RulesArguments, lang: str) -> Json:
    """Return the sections of a book, or one of them with its parts."""
    book = book_of(given.rules, given.house)
    answer = guide_answer(book).model_dump()
    if given.section:
        key = find_section(book, given.section).key
        answer["sections"] = [one for one in answer["sections"] if one["key"] == key]
    else:
        answer["sections"] = [one | {"parts": []} for one in answer["sections"]]
    rulings = {part["ruling"] for one in answer["sections"] for part in one["parts"]}
    return _sourced(answer, [_source(book, lang), *_cite_rulings(book, rulings, lang)])


def answer_fans(given: FansArguments, lang: str) -> Json:
    """Return fans by name or category, or the names of all."""
    book = book_of(given.rules, given.house)
    chosen: list[Fan] = []
    if given.name:
        chosen = find_fans(book, given.name)
    elif given.category:
        chosen = in_category(book, given.category)
    rows = {row.name: row for row in book_page(book).fans} if chosen else {}
    everything = [] if chosen else [Named(name=fan.name, english=fan.english) for fan in book.fans]
    answer = FanList(fans=[rows[fan.name] for fan in chosen], names=everything)
    return _sourced(answer.model_dump(), _cite(book, (fan.name for fan in chosen), lang))


def answer_rulings(given: RulingsArguments, lang: str) -> Json:
    """Return the rulings of a book, or one of them."""
    book = book_of(given.rules, given.house)
    chosen = find_rulings(book, given.id) if given.id else book.rulings
    answer = RulingList(rulings=[ruling_shape(one) for one in chosen])
    return _sourced(answer.model_dump(), [_source(book, lang), *_cite_rulings(book, {one.id for one in chosen}, lang)])


def answer_difference(given: DiffArguments, lang: str) -> Json:
    """Return what changes from one book to another."""
    old, new = rulebooks.book(given.old), book_of(given.new, given.house)
    return _sourced(difference_answer(old, new), [_source(old, lang), _source(new, lang)])


def answer_puzzle(given: PuzzleArguments, lang: str) -> Json:
    """Return a puzzle."""
    answer = new_question(PracticeRequest(**given.model_dump(exclude=_QUEPU)), {})
    return _sourced(answer, [_source(book_of(given.rules, given.house), lang)])


def answer_solution(given: SolveArguments, lang: str) -> Json:
    """Return the verdict on an answer to a puzzle."""
    verdict, fans, _ = judge_reply(PracticeReply(**given.model_dump(exclude=_QUEPU)), lang)
    return _sourced(verdict, _cite(book_of(given.rules, given.house), fans, lang))


def list_logs(folder: str, lang: str) -> Json:
    """Return the logs below a folder, at most `MOST_LOGS`, and the files that are not logs."""
    root = Path(folder)
    found = list(files(root))
    made = LogList(logs=[], unread=[], more=max(0, len(found) - MOST_LOGS))
    for path in found[:MOST_LOGS]:
        name = str(path.relative_to(root))
        try:
            replay = _load(folder, name)[1]
        except Error as wrong:
            made.unread.append(UnreadLog(log=name, why=wrong.say(lang)))
            continue
        brief = LogBrief(log=name, rules=replay.book.id, players=list(replay.match.names), hands=len(replay.hands))
        made.logs.append(brief)
    return _sourced(made.model_dump(), [])


def _load(folder: str, name: str) -> tuple[tuple[str, ...], Replay]:
    """Read a log below the folder.

    Raises:
        Error: no file below the folder has this name, or it is not a log.
    """
    root = Path(folder)
    names = {str(path.relative_to(root)): path for path in files(root)}
    if name not in names:
        near = join_list(near_names(name, dict(zip(names, names, strict=True)), most=3))
        raise UnknownName(
            f"没有牌谱“{name}”" + (f"，是不是 {near.zh}？" if near.zh else "；logs 列出有哪些。"),
            f"there is no log {name!r}" + (f"; did you mean {near.en}?" if near.en else "; logs lists what there is."),
        )
    imported = read_any(read_text(names[name]))
    return tuple(imported.lines), imported.replay


def review_slice(folder: str, given: ReviewArguments, lang: str) -> Json | None:
    """Review a hand for a second; return None until it is done.

    Raises:
        Error: the log or the hand does not exist, or today's rules play the hand otherwise.
    """
    lines, replay = _load(folder, given.log)
    if given.hand > len(replay.hands):
        raise UnknownName(
            f"“{given.log}”只有 {len(replay.hands)} 局。", f"{given.log!r} has only {many(len(replay.hands), 'hand')}."
        )
    hand = replay.hands[given.hand - 1]
    if hand.problem is not None:
        why = hand.problem.text
        raise HandError(f"这一局不能复盘：{why.zh}", f"this hand cannot be reviewed: {why.en}")
    source = review_worker.Source(str(Path(folder) / given.log), "", "", lines)
    made = review_worker.review(review_worker.Task(source, given.hand))
    if made is None:
        return None
    seats = [one for one in made["seats"] if given.seat in (None, one["seat"])]
    decisions = [
        one for one in made["decisions"] if given.seat in (None, one["seat"]) and (given.all or one["grade"] in _BAD)
    ]
    answer = {"number": made["hand"], "seats": seats, "decisions": decisions}
    return _sourced(answer, [_source(replay.book, lang)])


def compare_slice(folder: str, given: WhatIfArguments | WhatIfPlayedArguments, lang: str) -> Json | None:
    """Compare two actions; None if tables of the book had to be built for a second: call again to continue.

    Raises:
        Error: the log, the hand or an action does not exist.
    """
    asked = given.model_dump(exclude={"lang", "log"})
    source, at = None, BookSource("", "", "")
    if isinstance(given, WhatIfPlayedArguments):
        lines, replay = _load(folder, given.log)
        source, book = review_worker.Source(str(Path(folder) / given.log), "", "", lines), replay.book
        at = review_worker.book_source(source)
    else:
        book, at = book_of(given.rules, given.house), BookSource(given.rules, given.house)
    made = answer_question(asked, source)
    if made is None:
        build(at, A_SLICE)
        return None
    if made["compile"]:
        made = answer_question(asked, source, True)
        assert made is not None  # noqa: S101  # its tables were there
    return _sourced({key: value for key, value in made.items() if key != "compile"}, [_source(book, lang)])
