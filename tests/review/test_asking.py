"""Questions about a choice: exact parts against brute force, paired playouts, refusals, both languages."""

from __future__ import annotations

import re
from itertools import permutations
from math import isclose
from typing import Any

import numpy as np
import pytest

import quepu
from quepu.errors import Error
from quepu.fast.compiled.code_cache import installed
from quepu.review import playouts
from quepu.review.answers import answer
from quepu.review.asking import Scene, compare, drawn_wins, drawn_within
from quepu.review.playouts import Played, play_out, played_of
from quepu.review.questions import assume, pair_of, read_choice
from quepu.review.typed_hands import AskError
from quepu.rulebooks import book
from quepu.scoring.waits import mark_winning
from quepu.table.actions import Action, ActionKind
from quepu.tiles import KINDS, NAMES

HAND = "123m456p789sCCE5s2m"


def scene(hand: str = HAND, rules: str = "lingque-29", **more: Any) -> Scene:
    return Scene.of_hand(mark_winning(quepu.parse(hand)), book(rules), **more)


def one(text: str) -> int:
    return NAMES.index(text)


class _Few:
    """An eye that leaves only a few tiles to come."""

    def __init__(self, real: Scene, left: dict[str, int]) -> None:
        self.unseen = np.zeros(KINDS, np.int64)
        for name, n in left.items():
            self.unseen[one(name)] = n
        self.real = real.eye

    def look(self, tiles: Any, melds: Any, extra: int) -> Any:
        keep, self.real.unseen = self.real.unseen, self.unseen
        try:
            return self.real.look(tiles, melds, extra)
        finally:
            self.real.unseen = keep


def brute(eye: _Few, tiles: list[int], useful: list[int], turns: int) -> list[float]:
    """Draw every order of the few tiles, and play as `drawn_wins` says."""
    pool = [kind for kind in range(KINDS) for _ in range(int(eye.unseen[kind]))]
    wins, all_orders = [0] * turns, 0
    waits: dict[int, set[int]] = {}
    for kind in useful:
        look = eye.look([*tiles, kind], (), 0)
        out = max(sorted({*tiles, kind}), key=lambda at: float(look.values[at]))
        waits[kind] = {at for at in range(KINDS) if int(look.useful[out]) >> at & 1}
    for order in permutations(range(len(pool)), min(turns, len(pool))):
        all_orders += 1
        held = None
        for turn, at in enumerate(order):
            if held is None:
                held = pool[at] if pool[at] in waits else None
            elif pool[at] in waits[held]:
                for later in range(turn, turns):
                    wins[later] += 1
                break
    return [n / all_orders for n in wins]


@pytest.mark.parametrize(
    "left",
    [
        {"3s": 1, "4s": 1, "6s": 2, "9p": 2},
        {"C": 1, "5s": 2, "4s": 2, "3s": 1},
        {"3m": 1, "4m": 1, "4s": 1, "6s": 1, "C": 1, "W": 2},
    ],
)
def test_exact_wins_by_own_draws_are_those_of_every_order(left: dict[str, int]) -> None:
    real = scene()
    few = _Few(real, left)
    tiles = list(real.view.tiles)
    tiles.remove(one("E"))
    look = few.look([*tiles], (), 0)
    useful = [kind for kind in range(KINDS) if look.helps >> kind & 1 and few.unseen[kind]]
    assert useful
    found = drawn_wins(few, tiles, (), useful, 4)  # type: ignore[arg-type]  # all that is used of an eye
    assert found[-1] > 0
    for ours, theirs in zip(found, brute(few, tiles, useful, 4), strict=True):
        assert isclose(ours, theirs, abs_tol=1e-12)


def test_the_chance_to_draw_a_tile_is_that_of_every_order() -> None:
    pool = [1, 1, 0, 0, 0, 0]
    for draws in range(1, 5):
        orders = list(permutations(pool, draws))
        assert isclose(drawn_within(2, 6, draws), sum(any(order) for order in orders) / len(orders))


def test_six_pairs_wait_for_the_single_tile_that_is_kept() -> None:
    pairs = scene("2244m66p8899sCCE5p")
    kept = {text: read_choice(pairs, text) for text in ("E", "5p")}
    assert (kept["E"].useful, kept["E"].left) == ((one("5p"),), 3)
    assert (kept["5p"].useful, kept["5p"].left) == ((one("E"),), 3)
    line = compare(pairs, kept["E"].action, kept["5p"].action).first
    assert line.nearer[0] == line.drawn[0] == pytest.approx(3 / 122)


@pytest.mark.parametrize(
    ("hand", "rules", "aim", "none"),
    [("222m333p444s6s8sCCE", "guobiao-mcr", "碰碰和", False), ("123m456m789mCCE5p2s", "guobiao-mcr", "清一色", True)],
)
def test_an_answer_with_an_aim_lists_only_hands_that_have_it(hand: str, rules: str, aim: str, none: bool) -> None:
    here = scene(hand, rules, aim=aim)
    found = answer(here, compare(here, *pair_of(here, "", "", None)), None)
    for line in ("first", "other"):
        assert all(aim in one["fans"]["zh"] for one in found[line]["aims"])
        assert bool(found[line]["aims"]) is not none
    assert f"“{aim}”" in found["sentences"][0]["zh"]


def test_swapping_the_lines_turns_everything_round() -> None:
    here = scene()
    a, b = (read_choice(here, text).action for text in ("E", "2m"))
    there, back = compare(here, a, b), compare(here, b, a)
    assert (there.gained, there.lost) == (back.lost, back.gained)
    assert there.gained and there.lost
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.estimate != 0


def test_both_languages_name_tiles_and_every_number_has_a_unit() -> None:
    here = scene()
    found = answer(here, compare(here, *pair_of(here, "2m", "", None)), None)
    said = [found["headline"], *found["sentences"]]
    assert len(said) > 5
    for text in said:
        assert text["zh"].endswith("。") and text["en"].endswith(".")
        assert not re.search(r"[\u4e00-\u9fff]", text["en"])
        for number in re.finditer(r"\d+(\.\d+)?", text["zh"]):
            after = text["zh"][number.end() :].lstrip()
            assert re.match(r"[%张分局点番巡次种到]|\s*(fan|points)", after), (number.group(), text["zh"])
    whole = "".join(text["zh"] for text in said)
    assert "打东" in whole and "打二万" in whole and "番牌 中" in whole


@pytest.mark.parametrize(
    ("words", "zh", "en"),
    [
        ("9p", "手里没有九筒，可以：打", "9p is not in this hand; options: discard"),
        ("pung 5p", "现在不能“碰五筒”，可以：打", "“pung 5p” is not possible now; options: discard"),
        ("E", "", ""),
    ],
)
def test_a_question_that_is_not_allowed_says_what_is_possible(words: str, zh: str, en: str) -> None:
    here = scene()
    if not zh:
        assert read_choice(here, words).action == Action(ActionKind.DISCARD, one(words))
        return
    with pytest.raises(AskError) as refused:
        read_choice(here, words)
    assert zh in refused.value.text.zh
    assert en in refused.value.text.en


@pytest.mark.parametrize(("ready", "gone"), [(["X"], ""), ([], "5x")])
def test_an_assumption_that_means_nothing_is_refused(ready: list[str], gone: str) -> None:
    with pytest.raises(Error):
        assume(ready, gone)


def test_the_own_seat_cannot_be_assumed_to_be_ready() -> None:
    with pytest.raises(AskError, match="别家"):
        scene(assumed=assume(["E"]))


def test_tiles_that_are_gone_are_useful_no_more() -> None:
    without = scene(assumed=assume(gone="1m"))
    usual = scene()
    for here, expected in ((usual, True), (without, False)):
        assert (one("1m") in here.find(Action(ActionKind.DISCARD, one("E"))).useful) is expected


def test_the_best_choice_asked_about_is_compared_with_the_next_best() -> None:
    here = scene()
    first, other = pair_of(here, "E", "", None)
    assert first == here.rated.choices[0].action == Action(ActionKind.DISCARD, one("E"))
    assert other == here.rated.choices[1].action
    with pytest.raises(AskError, match="两边都是"):
        compare(here, first, first)


def test_sums_that_are_none_are_refused() -> None:
    good = Played(2, (3, 1), (1, 0), (0, 0), 4).to_json()
    assert played_of(good) == Played(2, (3, 1), (1, 0), (0, 0), 4)
    for wrong in (
        good | {"net": [1]},
        good | {"worlds": -1},
        good | {"won_by": [[0], [0]]},
        {},
        good | {"squares": "x"},
    ):
        with pytest.raises(AskError):
            played_of(wrong)


def test_below_the_noise_two_lines_are_about_equal() -> None:
    even = Played(100, (110, 100), (9, 9), (0, 0), 9_000)
    sure = Played(100, (1100, 100), (9, 9), (0, 0), 12_000)
    verdicts = [one.verdict for one in (even, sure, sure.swapped)]
    assert [one.better if one else None for one in verdicts] == [0, 1, -1]
    assert Played(playouts.FEWEST - 1, (900, 0), squares=9000).verdict is None
    here = scene()
    made = compare(here, *pair_of(here, "2m", "", None))
    assert answer(here, made, even)["headline"]["zh"].startswith("差不多")
    assert answer(here, made, even)["headline"]["en"].startswith("About equal")
    assert "更好" in answer(here, made, sure)["headline"]["zh"]


def test_without_numba_playouts_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quepu.fast.compiled.code_cache.installed", lambda: False)
    lacking = playouts.playable()
    assert lacking is not None and "numba" in lacking.en
    here = scene()
    found = answer(here, compare(here, *pair_of(here, "2m", "", None)), None, lacking)
    assert "numba" in found["sentences"][-1]["zh"] and found["first"]["nearer"]


needs_numba = pytest.mark.skipif(not installed(), reason="numba is not installed")


@needs_numba
def test_worlds_are_paired_continued_and_alike_for_both_lines() -> None:
    here = scene(left=40)
    a, b = (read_choice(here, text).action for text in ("E", "2m"))
    at_once = play_out(here, a, b, Played(), 96)
    first = play_out(here, a, b, Played(), 32)
    assert play_out(here, a, b, first, 96) == at_once  # the same seeds go on
    assert play_out(here, b, a, Played(), 96) == at_once.swapped
    assert at_once.worlds == 96
    assert [sum(row) for row in at_once.won_by] == list(at_once.won)
    assert any(at_once.won)
    early, late = play_out(here, a, b, Played(), 64).verdict, play_out(here, a, b, at_once, 192).verdict
    assert early is not None and late is not None
    assert late.half < early.half
    assert play_out(here, a, b, Played(), 10_000, seconds=0).worlds < 10_000  # stops at its budget


@needs_numba
def test_hidden_tiles_are_dealt_as_assumed() -> None:
    here = scene(left=40, assumed=assume(["S"], "5p"))
    orders, moment = here.orders(0, 6), here.moment[0]
    assert (np.sort(orders, axis=1) == np.sort(orders[0])).all()
    for order in orders.tolist():
        south = sorted(order[place] for place in moment.held[1])
        hand = quepu.Hand(tuple(south), (), None, 28, 27)
        assert quepu.waits(hand, here.book).waits
        hidden = [order[place] for seat in (2, 3) for place in moment.held[seat]]
        assert hidden.count(one("5p")) == 3  # the fourth is in the own hand
        others = {tuple(sorted(order[place] for place in moment.held[seat])) for seat in (2, 3)}
        assert len(others) == 2
        assert [order[place] for place in moment.held[0]] == [*here.view.hand, here.view.drawn]


def test_a_hand_without_a_history_says_nothing_of_dangers_and_knows_how_long_a_wall_is() -> None:
    here = scene(seen=tuple(range(20)), left=70)
    assert here.view.board.left == 136 - 14 - 20 - 39  # some of what is seen was melded
    assert all(here.find(choice.action).danger == 0 for choice in here.rated.choices)
    with pytest.raises(AskError, match="最多还有"):
        scene(seen=tuple(range(20)), left=120)
