"""The loop from tiles to the best reading scores as the books' rows do: run as Python line by line, and compiled."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import quepu
from quepu.batch import Engine, Wins, from_hands, score_many
from quepu.errors import HandError, NotAWin, Text
from quepu.fast import plan as plan_module
from quepu.fast import score_many as scores_module
from quepu.fast.arrays import hand_input
from quepu.fast.arrays.hand_input import read_texts
from quepu.fast.compiled import scorer as scorer_module
from quepu.fast.compiled.scorer import CompiledScorer
from quepu.fast.plan import Backend, choose_backend, compile_book, plan_of
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.notation import write
from quepu.rulebooks import book
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from quepu.scoring.signatures import COMPILED
from quepu.tiles import BIT, KINDS
from tests.books import long_but
from tests.fast.arrays.test_hand_input import damaged
from tests.fast.arrays.test_readings import SHAPES, hands, lucky, near
from tests.interpreted import interpret
from tests.test_books import ALL_BOOKS, BOOKS


@pytest.fixture
def line_by_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    interpret(monkeypatch)
    monkeypatch.setattr(plan_module, "_AT_ONCE", 8)
    for name in ("reading_code", "weighing_code"):
        monkeypatch.setattr(scorer_module, name, cache(getattr(scorer_module, name).__wrapped__))  # of one test
    monkeypatch.setattr(plan_module, "plan_of", cache(plan_of.__wrapped__))


def the_same(rules: Rulebook, wins: Wins) -> None:
    """Compiled and plain agree on validity, points, bonus, every fan and the best reading."""
    quick, plain = Engine(rules, Backend.COMPILED), plan_module._score_one_by_one(rules, wins, fans=True)
    assert plan_module.plan_of(rules).scorer is not None
    for _ in range(2):  # the second time no figure is new
        points = quick.score(wins, fans=False, planes=False)
        settled = quick.score(wins)
        for name in ("valid", "points", "bonus"):
            assert np.array_equal(getattr(points, name), getattr(plain, name)), name
            assert np.array_equal(getattr(settled, name), getattr(plain, name)), name
        assert np.array_equal(settled.counts, plain.counts)
        own, others = settled.planes(), plain.planes()
        for name, plane in own.items():
            if name in rules.reads or name == "form":  # the single scorer computes no other
                assert np.array_equal(plane, others[name]), name


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.filterwarnings("ignore:overflow")  # a hash wraps
@pytest.mark.parametrize("rules", long_but(ALL_BOOKS, "lingque-29", "guobiao-mcr"))
def test_every_book_as_its_rows_say(rules: Rulebook) -> None:
    the_same(rules, from_hands(list(wins(rules, 60, 81))))
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    unnamed = Hand((0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8), (), None)
    outside = lost._replace(luck=int(Luck.EIGHT_FLOWERS))
    five = Hand((0, 0, 0, 3, 3, 3, 9, 9, 9, 33), (Meld(MeldKind.KONG, 33),), 33)
    long = Hand((9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 14), (), 12)
    the_same(rules, from_hands([lost, lost._replace(winning=None), unnamed, outside, five, long, *near(25, 3)]))
    assert not len(Engine(rules, Backend.COMPILED).score(from_hands([])).points)


def the_same_one_by_one(rules: Rulebook, hands: list[Hand]) -> None:
    """Points and whole tallies of single hands by the compiled scorer are those of the plain one."""
    scorer = plan_module.plan_of(rules).scorer
    assert scorer is not None
    for hand in hands:
        try:
            plain = score_hand(hand, rules)
        except NotAWin:
            assert scorer.score_one(hand) is None
        else:
            known = scorer.score_one(hand)
            assert known is not None
            assert known[:2] == (plain.points, plain.tally.bonus), hand
            counted = scorer.counted(known)
            tally = scorer.tally(known)
            assert (counted is None) == (rules.family != "guobiao") == (tally is not None)
            assert tally in (None, plain.tally), hand
            assert counted in (None, list(plain.tally.counted)), hand


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("rules", long_but(ALL_BOOKS, "lingque-29", "guobiao-mcr"))
def test_single_hands(rules: Rulebook) -> None:
    some = list(wins(rules, 60, 91))
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    the_same_one_by_one(rules, [*some, lost])
    scorer = plan_module.plan_of(rules).scorer
    assert scorer is not None
    odd = (
        some[0]._replace(winning=None), some[0]._replace(seat=99), some[0]._replace(winning=34),
        Hand((0,) * 4 + (9, 9, 9, 10, 10, 10, 11, 11, 11), (), 0), Hand((0, 1, 2), (), 33),
        Hand((0, 0, 0, 1, 2, 3, 4, 5, 6, 8), (Meld(MeldKind.CHOW, 7),), 8), Hand((200, *lost.concealed[1:]), (), 31),
    )  # fmt: skip
    assert [scorer.score_one(hand) for hand in odd] == [None] * len(odd)


@pytest.mark.usefixtures("line_by_line")
def test_texts_by_the_loop_are_those_on_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    code = scorer_module.reading_code()
    monkeypatch.setattr(hand_input, "reading_code", lambda: code)
    rng = random.Random(6)
    texts = [write(hand) for hand in wins(book("guobiao-mcr"), 40, 6)]
    texts += [damaged(text, rng) for text in texts * 3]
    texts += [
        "",
        "+",
        "()+1m",
        "(123m",
        "123m)+1m",
        "[123m]+1m",
        "m1+p",
        "1" * 40 + "m+1m",
        "123m" + "(456m)" * 5 + "+1m",
    ]
    assert not code.loaded
    on_arrays = read_texts(texts)
    code.load()
    for one, other in zip(read_texts(texts), on_arrays, strict=True):
        assert np.array_equal(one, other)
    assert 20 < np.count_nonzero(on_arrays.unread) < len(texts) - 20


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("rules", long_but(ALL_BOOKS, "canton"))
def test_shapes_of_every_book_with_circumstances(rules: Rulebook) -> None:
    """Every shape of any book, nearby hands, and all circumstances: most do not win in this book."""
    the_same(rules, from_hands(lucky(hands(25, SHAPES, 2) + near(25, 3), 4)))


@pytest.mark.long
@pytest.mark.usefixtures("line_by_line")
def test_more_readings_than_a_block_has_room_for() -> None:
    long = Hand((9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 14), (), 12)
    the_same(book("guobiao-mcr"), from_hands([long] * 140))


def test_rows_that_branch_cannot_be_compiled() -> None:
    odd = Fan("怪", 1, "", "", lambda h: bool(np.any(h.c1)), "Odd")
    rules = replace(book("lingque-26"), fans=(*book("lingque-26").fans, odd))  # `having` refuses it
    assert CompiledScorer.of(rules, plan_of(rules).weighing) is None
    assert not compile_book(rules)
    assert choose_backend(rules, 10**9, installed=True) is plan_of(rules).without_numba


def test_the_backend_follows_from_book_number_and_numba(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))  # nothing is compiled here
    for name, otherwise in (("guobiao-mcr", Backend.ARRAYS), ("yuque-54", Backend.PLAIN)):
        rules = book(name).having(minimum=7)
        *_, compile_ = plan_module._REPAID[otherwise]
        assert choose_backend(rules, compile_, installed=False) is otherwise
        assert choose_backend(rules, compile_ - 1, installed=True) is otherwise
        assert choose_backend(rules, compile_, installed=True) is Backend.COMPILED
        monkeypatch.setattr(CompiledScorer, "compiled", lambda *_: True)
        load = plan_module._REPAID[otherwise][0]
        assert choose_backend(rules, load - 1, installed=True) is otherwise
        assert choose_backend(rules, load, installed=True) is Backend.COMPILED
        monkeypatch.undo()
        monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))


@pytest.fixture
def compiled(compiled_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("QUEPU_CACHE", str(compiled_folder))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("rules", BOOKS)
def test_compiled_in_every_book(rules: Rulebook) -> None:
    assert compile_book(rules)
    for seed in range(4):
        the_same(rules, from_hands(list(wins(rules, 25_000, 840 + seed))))
    rules.notes.pop(COMPILED)  # by which the plain one is not plain
    the_same_one_by_one(rules, list(wins(rules, 20_000, 840)))
    the_same(rules, from_hands(lucky(hands(400, (*SHAPES, "any_pairs")) + near(300, 3), 4)))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_every_standard_hand_there_is_from_its_tiles() -> None:
    """Read, scored and its best reading taken, from counts of tiles and a winning tile at random."""
    rules = book("guobiao-mcr")
    universe = Universe(STATES["closed-draw"])
    assert compile_book(rules, fans=False)
    plain, quick = Engine(rules, Backend.ARRAYS), Engine(rules, Backend.COMPILED)
    places = np.array([BIT[kind].bit_length() - 1 for kind in range(KINDS)])
    rng = np.random.default_rng(5)
    seen = 0
    for kind, index in universe.pairs():
        for at in range(0, len(index), 1 << 16):
            h = universe.block(kind, index[at : at + (1 << 16)])
            counts = sum(((plane[:, None] >> places & 1).astype(np.uint8) for plane in (h.t1, h.t2, h.t3, h.t4)), 0)
            winning = ((counts > 0) * rng.integers(1, 256, counts.shape, np.uint8)).argmax(axis=1)
            luck = rng.choice(np.array([0, int(Luck.SELF_DRAW)]), len(counts))
            some = Wins(counts, None, winning, luck=luck)
            seen += some.n
            a, b = plain.score(some, fans=False), quick.score(some.part(0, some.n), fans=False)
            assert a.valid.all()
            for one, other in ((a.valid, b.valid), (a.points, b.points), (a.bonus, b.bonus)):
                assert np.array_equal(one, other)
            for name, plane in a.planes().items():
                assert np.array_equal(plane, b.planes()[name]), name
    assert seen == 11_580_567


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_score_many_takes_it_where_it_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("guobiao-mcr").having(minimum=3)  # a plan of its own
    found = from_hands(list(wins(rules, 1500, 82)))
    columns = {
        "melds": found.meld_array, "winning": found.winning, "seat": found.seat_kind, "round": found.round_kind,
        "luck": found.given_luck, "flowers": found.flowers,
    }  # fmt: skip
    counts = found.counts.copy()
    plain = score_many(counts, rules, fast=False, **columns)
    assert not plan_of(rules).loaded(fans=True)
    steps: list[tuple[Text, int, int]] = []
    monkeypatch.setattr(scores_module, "tell_terminal", lambda *step: steps.append(step))
    quick = score_many(counts, rules, fast=True, **columns)
    assert quick == plain
    assert quick.errors == {}
    assert [(done, of) for _, done, of in steps] == [(at, len(steps)) for at in range(len(steps))]  # none where cached
    assert plan_of(rules).loaded(fans=True)
    assert choose_backend(rules, 1, installed=True) is Backend.COMPILED
    points = score_many(counts, rules, fans=False, reading=False, fast=True, **columns)
    assert np.array_equal(points.points, plain.points)
    shared = score_many(counts, rules, jobs=2, chunk=50, **columns)
    assert shared == plain
    counts[3] = 5
    columns["winning"] = np.where(np.arange(len(counts)) == 7, (counts[7] == 0).argmax(), found.winning)
    spoiled = score_many(counts, rules, fans=False, reading=False, fast=True, **columns)
    assert sorted(spoiled.errors) == [3, 7]
    assert np.array_equal(np.flatnonzero(spoiled.points != plain.points), [3, 7])


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.filterwarnings("ignore:overflow")
def test_scores_of_compiled_code_are_whole_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("guobiao-mcr").having(minimum=9)
    hands = list(wins(rules, 12, 5))
    plain = [score_hand(hand, rules) for hand in hands]
    rules.notes[COMPILED] = plan_module.plan_of(rules).scorer
    for hand, one in zip(hands, plain, strict=True):
        quick, again = (score_hand(hand, rules) for _ in range(2))
        assert (quick.points, quick.total, quick.can_win, quick.fans) == (one.points, one.total, one.can_win, one.fans)
        assert again.to_json(explain=True) == one.to_json(explain=True)
        assert (again.best.text(), len(again.readings), again.tallies) == (
            one.best.text(),
            len(one.readings),
            one.tallies,
        )
        assert not hasattr(quick, "places_of")


def test_compiled_code_is_loaded_after_many_hands_if_it_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    rules = book("guobiao-mcr").having(minimum=10)
    loaded: list[Rulebook] = []
    monkeypatch.setattr(quepu, "_LOADED_AFTER", 3)
    monkeypatch.setattr(plan_module, "compile_book", loaded.append)
    for cached in (False, True):
        monkeypatch.setattr(CompiledScorer, "compiled", lambda *_, cached=cached, **__: cached)
        rules.notes.pop("hands scored", None)
        for _ in range(5):
            quepu.score("123m456p789sCCEE+E", rules)
        assert loaded == [rules] * cached


def test_without_numba_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores_module, "installed", lambda: False)
    with pytest.raises(HandError, match="quepu\\[fast\\]"):
        score_many([], "lingque-26", fast=True)
