"""Every door to a score, as functions that a fresh process can run: what each says of the same hands, as text."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import numpy as np

from quepu.batch import from_hands, score_many
from quepu.errors import Error
from quepu.fast.arrays.readings import read
from quepu.fast.universe.classes import Classes
from quepu.hands.hand import Hand
from quepu.json_lines.answers import parse_request, refusal, request_of, score_lines
from quepu.json_lines.batch import answers
from quepu.rulebooks import book as find
from quepu.rules.arithmetic import Tally
from quepu.rules.circumstances import situate
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, score_hand

Door = Callable[[Rulebook, Sequence[Hand]], list[str]]


def mixed(book: Rulebook, n: int, seed: int) -> list[Hand]:
    """Legal wins of mixed rarity, every third with circumstances at random that do not contradict the rest."""
    rng = random.Random(seed)
    names = list(book.circumstances)
    flowers = bool(book.flower_value) or "flowers" in book.reads
    hands = []
    for i, hand in enumerate(wins(book, n, seed)):
        made = hand if flowers else hand._replace(flowers=())
        for name in rng.sample(names, min(2, len(names))) if i % 3 == 0 else ():
            request = request_of(made, book)
            request["circumstances"] = [*request["circumstances"], name]
            try:
                made = parse_request(request, book)[0]
            except Error:
                continue
        hands.append(made)
    return hands


def counted(score: Score | Tally, book: Rulebook) -> str:
    """Points, extras, and how often each fan counts."""
    tally = score.tally if isinstance(score, Score) else score
    times = [0] * len(book.fans)
    for c in tally.counted:
        times[c.row] += c.times
    return f"{tally.points} {tally.bonus} {times}"


def explained(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """A call for each hand, with everything that an explanation says."""
    return [json.dumps(score_hand(hand, book).to_json(explain=True), ensure_ascii=False) for hand in hands]


def single(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """A call for each hand."""
    return [counted(score_hand(hand, book), book) for hand in hands]


def lines_alone(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """JSON lines, each answered by itself."""
    return list(score_lines(_lines(book, hands), book))


def lines_together(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """JSON lines, many answered at a time."""
    return answers(_lines(book, hands), book)


def plain(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """Calls that are written as a JSON line is answered: the answer in full."""
    found = []
    for hand in hands:
        try:
            fresh = situate(hand._replace(luck=0, flowers=()), book, **_beside(request_of(hand, book)))
            found.append(json.dumps(score_hand(fresh, book).to_json(), ensure_ascii=False))
        except Error as error:
            found.append(json.dumps(refusal(error), ensure_ascii=False))
    return found


def arrays(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """`score_many` on numpy."""
    return _many(book, hands, fast=False)


def compiled(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """`score_many` compiled by numba."""
    return _many(book, hands, fast=True)


def classes(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    """The classes that the lab counts with: each hand's highest-scoring reading by the tally of its class."""
    found = read(from_hands(list(hands)), book.shapes, book.reads)
    made = Classes(book)
    numbers = made.classify(found.h, len(found.of))
    best: dict[int, tuple[tuple[int, int, int], Tally]] = {}
    for of, number, rank in zip(found.of.tolist(), numbers.tolist(), found.rank.tolist(), strict=True):
        tally = made.tallies[number]
        key = (tally.points + tally.bonus, tally.points, -rank)
        if of not in best or key > best[of][0]:
            best[of] = (key, tally)
    return [counted(best[i][1], book) for i in range(len(hands))]


def _many(book: Rulebook, hands: Sequence[Hand], fast: bool) -> list[str]:
    scores = score_many(list(hands), book, reading=False, fast=fast)
    assert scores.fans is not None
    beside = [book.flower_value * hand.flower_count for hand in hands]
    bonus = scores.total - scores.points - np.array(beside)
    return [
        f"{points} {more} {times}"
        for points, more, times in zip(scores.points.tolist(), bonus.tolist(), scores.fans.tolist(), strict=True)
    ]


def _lines(book: Rulebook, hands: Sequence[Hand]) -> list[str]:
    return [json.dumps(request_of(hand, book), ensure_ascii=False) for hand in hands]


def _beside(request: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in request.items() if name != "hand"}


COUNTING: tuple[Door, ...] = (single, arrays, classes)
ANSWERING: tuple[Door, ...] = (plain, lines_alone, lines_together)


def order(n: int, seed: int) -> list[int]:
    """The numbers below n in an order of their own: as they are, backwards, or shuffled."""
    numbers = list(range(n))
    if seed == 1:
        numbers.reverse()
    elif seed > 1:
        random.Random(seed).shuffle(numbers)
    return numbers


def through(doors: Sequence[Door], book: Rulebook, hands: Sequence[Hand], seed: int) -> list[list[str]]:
    """What each door says of the hands, asked in one order and given back in theirs."""
    numbers = order(len(hands), seed)
    answers = []
    for door in doors:
        answered = door(book, [hands[i] for i in numbers])
        answers.append([answer for _, answer in sorted(zip(numbers, answered, strict=True))])
    return answers


def in_a_fresh_process(name: str, n: int, seed: int, turn: int, doors: Sequence[Door]) -> list[list[str]]:
    """The same where nothing was scored before: to be run by a process that was not forked."""
    book = find(name)
    return through(doors, book, mixed(book, n, seed), turn)
