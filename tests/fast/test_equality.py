"""Compiled answers of every kind against the plain functions of one hand, on as many hands at random as wanted.

The slow test takes QUEPU_EQUAL_HANDS of them for each book and question. `python -m tests.fast.test_equality --hands
1000000 --notes FILE` goes on where a former run with these notes stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from quepu.batch import Engine, from_hands
from quepu.fast.nearest.distance_code import distance_tables, look, loops
from quepu.fast.nearest.many import discards_many, shanten_many, useful_many, waits_many
from quepu.fast.plan import Backend, compile_book, plan_of
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import Planes
from quepu.rulebooks import book as book_of
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes import SHAPES
from quepu.shapes.distance import missing, tiles_of, useful_plane
from quepu.shapes.readings import readings, wait_planes
from quepu.tiles import KINDS, kinds_of

BOOKS = "lingque-29", "lingque-26", "yuque-54", "guobiao-mcr", "canton"
BLOCK, TURN = 2_000, 5
CIRCUMSTANCES = 0, 0, 0, int(Luck.FIRST_ROUND), int(Luck.EIGHT_FLOWERS)


def some_hands(book: Rulebook, n: int, seed: int, tiles: int = 13) -> Iterator[Hand]:
    """Deals, wins of every shape with some tiles exchanged, melds of every kind, and hands with four of a kind."""
    rng = random.Random(seed)
    shapes = [SHAPES[name] for name in book.shapes]
    while n:
        parts = rng.choice(shapes).sample(rng)
        if rng.random() < 0.3:
            parts = [(kind,) for kind in rng.sample([kind for kind in range(KINDS) for _ in range(4)], 14)]
        if rng.random() < 0.2:
            parts[:2] = [(rng.randrange(KINDS),) * 4, (rng.randrange(KINDS),)]
        melds: list[Meld] = []
        for part in list(parts):
            if len(part) == 3 and rng.random() < 0.5 and len(melds) < 4:
                parts.remove(part)
                kind = MeldKind.CHOW if part[0] < part[1] else rng.choice(list(MeldKind)[1:])
                melds.append(Meld(kind, part[0]))
        concealed = [kind for part in parts for kind in part]
        for _ in range(rng.choice((0, 1, 2, 3, 8))):
            concealed[rng.randrange(len(concealed))] = rng.randrange(KINDS)
        rng.shuffle(concealed)
        concealed = sorted(concealed[: tiles - 3 * len(melds)])
        luck = rng.choice(CIRCUMSTANCES) if not melds else 0
        hand = Hand(tuple(concealed), tuple(melds), luck=luck)
        if max(hand.counts()) <= 4 and len(concealed) == tiles - 3 * len(melds):
            n -= 1
            yield hand


def complete_hands(book: Rulebook, n: int, seed: int) -> Iterator[Hand]:
    """Wins in every state, wins with another tile or none named, and hands with fours and dead waits that are ready.

    Circumstances are those of the book, whether they go together or not.
    """
    rng = random.Random(seed)
    bits = [*sorted(set(book.circumstances.values())), int(Luck.FIRST_ROUND), int(Luck.SEVEN_FLOWERS)]

    def with_luck(hand: Hand) -> Hand:
        for some in rng.sample(bits, rng.choice((0, 0, 1, 2))):
            hand = hand._replace(luck=hand.luck | some)
        return hand

    given, ready = wins(book, n, seed), some_hands(book, 1 << 60, seed)
    while n:
        style = rng.random()
        if style < 0.75:
            hand = next(given)
            if style < 0.15:
                tiles = [*hand.concealed, *(() if hand.winning is None else (hand.winning,))]
                tiles[rng.randrange(len(tiles))] = rng.randrange(KINDS)
                rng.shuffle(tiles)
                hand = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
            hands = [with_luck(hand)]
            if hand.winning is not None and hand.concealed:  # the same tiles, another of them the last
                last = rng.choice(hand.concealed)
                tiles = sorted([*hand.concealed, hand.winning])
                tiles.remove(last)
                hands.append(with_luck(hand._replace(concealed=tuple(tiles), winning=last)))
        else:
            waiting = next(ready)
            seats = {"seat": rng.randrange(27, 31), "round": rng.randrange(27, 31)}
            found = kinds_of(wait_planes(waiting, book.shapes)[0])
            drawn = waiting.luck | rng.choice((0, int(Luck.SELF_DRAW)))
            hands = [with_luck(waiting._replace(winning=kind, luck=drawn, **seats)) for kind in found[:4]]
        for hand in hands:
            if n and max(hand.counts()) <= 4:
                n -= 1
                yield hand


def check_scores(book: Rulebook, n: int, seed: int) -> None:
    """Validity, points, bonus, every fan and the best reading of many hands and of each alone."""
    hands = list(complete_hands(book, n, seed))
    many = from_hands(hands)
    quick = Engine(book, Backend.COMPILED)
    points, whole = quick.score(many, fans=False, planes=False), quick.score(many)
    planes, scorer = whole.planes(), plan_of(book).scorer
    assert scorer is not None
    names = [name for name in planes if name in book.reads or name == "form"]  # the single scorer computes no other
    places = [Planes._fields.index(name) for name in names]
    columns = np.stack([np.broadcast_to(planes[name], len(hands)) for name in names], axis=1).tolist()
    for i, hand in enumerate(hands):
        best = None
        for reading in readings(hand, book.shapes, book.reads):
            tally = book.tally(reading.h)
            value = tally.points + tally.bonus, tally.points
            if best is None or value > best[0]:
                best = value, tally, reading.h
        alone = scorer.score_one(hand)
        if best is None:
            assert not (whole.valid[i] or points.valid[i] or alone), hand
            continue
        _, tally, h = best
        wanted = True, tally.points, tally.bonus
        for settled in (points, whole):
            assert (settled.valid[i], settled.points[i], settled.bonus[i]) == wanted, hand
        counted = np.zeros(len(book.fans), int)
        for line in tally.counted:
            counted[line.row] += line.times
        assert whole.counts[i].tolist() == counted.tolist(), hand
        assert columns[i] == [h[place] for place in places], hand
        if alone is not None:
            assert alone[:2] == wanted[1:], hand
            assert scorer.tally(alone) in (None, tally), hand
            assert scorer.counted(alone) in (None, list(tally.counted)), hand
        else:
            assert hand.winning is None, hand  # which is not for the loops


def check_distances(book: Rulebook, n: int, seed: int) -> None:
    """Steps from ready, useful tiles, waits and dead waits of many hands and of each alone; some discards."""
    thirteen, fourteen = n * 4 // 5, n - n * 4 // 5
    hands = [*some_hands(book, thirteen, seed), *some_hands(book, fourteen, seed + 1, 14)]
    bare = [hand._replace(luck=0) for hand in hands]
    alone = distance_tables(book.shapes) is not None
    lacks = shanten_many(bare, book, fast=True).shanten
    found = useful_many(bare, book, fast=True)
    waits = waits_many(bare[:thirteen], book, fast=True)
    discards = discards_many(bare[-(fourteen // 20) :], book, fast=True)
    for i, hand in enumerate(bare):
        tiles = tiles_of(hand.concealed, hand.melds)
        now = missing(tiles, book.shapes)
        plane = useful_plane(tiles, book.shapes, now)
        assert lacks[i] == found.shanten[i] == now - 1, hand
        assert found.planes[i] == plane, hand
        assert found.left[i].tolist() == [4 - held for held in hand.counts()]
        if alone:
            assert look(hand, book.shapes, False) == now, hand
            assert look(hand, book.shapes, True) == now | plane << 4, hand
            luck = hands[i].luck
            if luck:
                tiles = tiles_of(hand.concealed, hand.melds, luck)
                assert look(hands[i], book.shapes, False) == missing(tiles, book.shapes), hands[i]
        if i < thirteen:
            live, _, dead = wait_planes(hand, book.shapes)
            assert waits.dead_planes[i] == dead, hand
            assert bool(waits.ready[i]) == (now == 1), hand
            if now == 1:
                assert waits.planes[i] == live, hand
    for i, hand in enumerate(bare[-len(discards.shanten) :]):
        for kind in range(KINDS):
            if kind in hand.concealed:
                rest = tiles_of(hand.concealed, hand.melds).without_tile(kind)
                now = missing(rest, book.shapes)
                assert discards.shanten[i, kind] == now - 1, (hand, kind)
                assert discards.planes[i, kind] == useful_plane(rest, book.shapes, now), (hand, kind)


QUESTIONS: dict[str, Callable[[Rulebook, int, int], None]] = {"scores": check_scores, "distances": check_distances}


def compile_all(book: Rulebook) -> None:
    """Have the compiled code of both questions ready."""
    assert compile_book(book)
    loops()


@pytest.fixture
def compiled(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("rules", BOOKS)
def test_compiled_answers_are_those_of_one_hand(rules: str, question: str) -> None:
    book = book_of(rules)
    compile_all(book)
    for seed in range(0, int(os.environ.get("QUEPU_EQUAL_HANDS", "100000")), BLOCK):
        QUESTIONS[question](book, BLOCK, seed)


def main() -> None:
    """Check blocks of hands of each book and question in turn, each with its own seed, and note how many are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--notes", type=Path, required=True)
    parser.add_argument("--books", default=",".join(BOOKS))
    given = parser.parse_args()
    done: dict[str, int] = json.loads(given.notes.read_text("utf-8")) if given.notes.exists() else {}
    names = [(rules, question) for question in QUESTIONS for rules in given.books.split(",")]
    while wanted := [name for name in names if done.get(" ".join(name), 0) < given.hands]:
        rules, question = min(wanted, key=lambda name: done.get(" ".join(name), 0))
        book, key = book_of(rules), f"{rules} {question}"
        compile_all(book)
        for _ in range(TURN):
            number = done.get(key, 0)
            try:
                QUESTIONS[question](book, BLOCK, 1_000_000 + 2 * number)
            except AssertionError:
                print(f"{key}, seed {1_000_000 + 2 * number}:", flush=True)
                traceback.print_exc()
                done[f"{key}, blocks that differ"] = done.get(f"{key}, blocks that differ", 0) + 1
            done[key] = number + BLOCK
            given.notes.write_text(json.dumps(done, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
