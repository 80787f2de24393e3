"""Work on logs in other processes: check them, and compute pages, frames and reviews.

Processes receive texts and return plain data, never the server's own objects.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Text
from quepu.folding import fold
from quepu.match.frames import hand_frames
from quepu.match.imports import read_any
from quepu.match.log import LogError, PlayedHand, Replay
from quepu.match.reader import MALFORMED, read_log
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.server.http.messages import ReplayStart
from quepu.server.http.rendering import book_words
from quepu.server.names import storable
from quepu.server.replays.serialize import Json, film_shape, hand_heads
from quepu.server.rooms.seat_taking import name_text
from quepu.server.work.building import BookSource, book_from, house_book
from quepu.server.work.process import end_with_parent
from quepu.table import ActionKind, Table, make_wall

if TYPE_CHECKING:
    from quepu.review.rated_decisions import Decision

A_TURN = 1.0
"""CPU seconds after which the next review takes its turn."""
_REMEMBERED = 3
_MOST_BEGUN = 40
_read: OrderedDict[tuple[str, int, str], Replay] = OrderedDict()
_begun: OrderedDict[tuple[str, int, int], tuple[PlayedHand, Iterator[Decision], list[Decision]]] = OrderedDict()
"""Hands under review, by replay and number; evicted ones, or those of a dead process, are begun again."""


class Source(NamedTuple):
    """A log from the store. `rules` and `house` name a room's book; an imported log names its own."""

    id: str
    rules: str
    house: str
    lines: tuple[str, ...]


class Task(NamedTuple):
    """A hand (numbered from 1) to review; 0: none yet."""

    source: Source
    number: int


def lower_priority() -> None:
    """Lower this process's priority, and end it with the server."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(10)


def load_replay(source: Source) -> Replay:
    """Return the replay of a log, from an LRU cache.

    Raises:
        LogError: it was damaged.
    """
    key = source.id, len(source.lines), source.lines[-1] if source.lines else ""  # its hash stands for all of them
    if key not in _read:
        _read[key] = read_log(source.lines, house_book(source.rules, source.house), unfinished=not source.rules)
        while len(_read) > _REMEMBERED:
            _read.popitem(last=False)
    _read.move_to_end(key)
    return _read[key]


def book_source(source: Source) -> BookSource:
    """Return how to build a log's book."""
    return BookSource(source.rules, source.house, source.lines[0])


def counts(replay: Replay) -> list[int]:
    """Count the frames of each hand: one for the deal, one for each event after it."""
    return [max(0, sum(step.event is not None for step in hand.steps) - 4) for hand in replay.hands]


def summarize_log(source: Source, kind: str, title: str) -> tuple[Json, str, str]:
    """Summarise a log for the list without replaying it; return also its search words and its book's id.

    Raises:
        ValueError, KeyError, IndexError: it is not a log.
    """
    book = book_from(book_source(source))
    shown = _glance(source.lines, book, kind, title)
    return shown, _words(shown, book), _newest(book)


def check_log(text: str, title: str, house: str, most: int) -> Json:
    """Replay an imported log completely, and return everything to be stored of it.

    Raises:
        Error: it is not a log, or contradicts itself.
    """
    if text.count("\n") > most:
        raise LogError(most + 1, f"牌谱太长，最多 {most} 行。", f"the log is too long: at most {most} lines.")
    try:
        imported = read_any(text, book_of("", house) if house.strip() else None)
    except MALFORMED as wrong:
        raise LogError(1, "这份记录的内容不对。", "this record has invalid contents.") from wrong
    book = imported.replay.book
    shown = _glance(imported.lines, book, imported.source, title)
    return {
        "source": imported.source,
        "lines": imported.lines,
        "lost": [list(text) for text in imported.lost],
        "shown": shown,
        "words": _words(shown, book),
        "book": _newest(book),
    }


def page(source: Source) -> Json:
    """Return a match with its hands, and (under `reviewable`) the numbers of hands with any play."""
    replay = load_replay(source)
    match, header = replay.match, replay.header
    return {
        "rules": match.book.id,
        "book": match.book.title._asdict(),
        "players": list(match.names),
        "totals": list(match.totals),
        "hands": len(replay.hands),
        "whole": replay.finished,
        "words": book_words(match.rules.words).model_dump(),
        "fingerprint": match.book.fingerprint,
        "quepu": str(header.get("quepu", "")),
        "seed": None if header.get("seed") is None else str(header["seed"]),
        "bots": [str(name) for name in header.get("bots", ())],
        "lines": replay.lines,
        "start": _start(header),
        "hand_list": hand_heads(replay, counts(replay)),
        "standings": [standing._asdict() for standing in match.standings()],
        "notes": [text._asdict() for text in _notes(replay)],
        "remarks": [text._asdict() for text in replay.remarks],
        "reviewable": [hand.number for hand in replay.hands if len(hand.steps) > 5 and hand.problem is None],
    }


def _notes(replay: Replay) -> Iterator[Text]:
    """Yield how the match differs from one played without help."""
    options = replay.header.get("options")
    if isinstance(options, dict) and options.get("coached") is True:  # an imported log may have anything there
        yield Text("教练局：打的时候有指点。", "A coach advised a player during this match.")
    for one in replay.joined:
        bot, person = name_text(one.bot), name_text(one.name)
        zh, en = f"第 {one.hand} 局起由{person.zh}接替{bot.zh}。", f"From hand {one.hand} on: {person.en} for {bot.en}."
        yield Text(zh, en)
    if replay.undone:
        yield Text(f"悔牌 {replay.undone} 次。", f"Moves taken back: {replay.undone}.")


def _start(header: Mapping[str, Any]) -> Json | None:
    """Return the replay position that a match continues from, if valid; an imported log may have anything there."""
    options = header.get("options")
    try:
        return ReplayStart.model_validate(options["start"]).model_dump() if isinstance(options, dict) else None
    except (KeyError, ValueError):
        return None


def pictures(source: Source, number: int) -> bytes | None:
    """Return every frame of a hand (numbered from 1) as JSON; None if the hand does not exist."""
    replay = load_replay(source)
    if not 1 <= number <= len(replay.hands):
        return None
    first = hand_heads(replay, counts(replay))[number - 1]["first"]
    shape = film_shape(replay, number - 1, hand_frames(replay.hands[number - 1], replay.book), first)
    return json.dumps(shape, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8", "backslashreplace")


def tables_there(task: Task) -> bool:
    """Return whether all tables for a review exist, so that none has to be built."""
    from quepu.bots.payable_bot import payable

    return payable(load_replay(task.source).book).ready()


def preload(rules: str) -> bool:
    """Load the tables and the code that a review under a book needs; return whether the tables exist."""
    from quepu.bots.payable_bot import payable
    from quepu.review.rated_decisions import rate_decision

    book = book_of(rules, "")
    if not payable(book).ready():
        return False
    tiles = play_rules(book).table.tiles
    table = Table(book, make_wall(0, 1, tiles))
    while table.to_act and not any(one.do is ActionKind.DISCARD for one in table.options(table.to_act[0])):
        table.step(table.to_act[0], table.options(table.to_act[0])[0])  # flowers first
    options = table.options(table.to_act[0])
    rate_decision(table, table.to_act[0], options, options[-1], 0)
    return True


def review(task: Task, seconds: float = A_TURN) -> dict[str, Any] | None:
    """Return the review of the task's hand; None after `seconds` CPU seconds: call again to continue."""
    from quepu.review.encoded import encode_review
    from quepu.review.rated_decisions import each_decision

    until = time.process_time() + seconds
    key = task.source.id, len(task.source.lines), task.number
    if key not in _begun:
        replay = load_replay(task.source)
        hand = replay.hands[task.number - 1]
        _begun[key] = hand, each_decision(hand, replay.book), []
        while len(_begun) > _MOST_BEGUN:
            _begun.popitem(last=False)
    hand, rest, made = _begun[key]
    for decision in rest:
        made.append(decision)
        if time.process_time() > until:
            return None
    del _begun[key]
    return encode_review(hand, made)


def _glance(lines: tuple[str, ...] | list[str], book: Rulebook, kind: str, title: str) -> Json:
    header = json.loads(lines[0])
    results = [json.loads(line) for line in lines if line.startswith('{"result":')]
    joined = [json.loads(line) for line in lines if line.startswith('{"joined":')]
    players = [storable(str(name)) for name in header["players"]]
    for one in joined:
        players[one["joined"]] = storable(str(one["name"]))
    return {
        "kind": kind,
        "title": title,
        "book": book.title._asdict(),
        "players": players,
        **({"joined": [storable(str(one["name"])) for one in joined]} if joined else {}),
        "totals": results[-1]["totals"] if results else [0, 0, 0, 0],
        "hands": sum(line.startswith('{"hand":') for line in lines),
        "whole": lines[-1].startswith('{"end":'),
    }


def _newest(book: Rulebook) -> str:
    """Return the id that a list is searched by: the book's id without a revision."""
    return storable(book.id.partition("@")[0])  # for an unknown book, it is any text in the log


def _words(shown: Json, book: Rulebook) -> str:
    """Return the text that a replay is searched by: its words in lower case, and folded if that differs."""
    words = [shown["title"], *shown["players"], book.id, *book.title, *book.aliases]
    plain = " ".join(words).lower()
    return storable(plain if fold(plain) == plain else f"{plain} {fold(plain)}")[:1000]
