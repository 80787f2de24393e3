"""Questions about claims, kongs and wins with a typed hand: the options are those of a table, and each is compared."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import quepu
from quepu.errors import HandError
from quepu.fast.compiled.code_cache import installed
from quepu.hands.hand import Meld
from quepu.hands.notation import parse_part
from quepu.review.answers import answer
from quepu.review.asking import Scene, compare
from quepu.review.playouts import Played, play_out
from quepu.review.questions import choices_of, pair_of, read_choice, read_offered, words_of
from quepu.review.typed_hands import Around, AskError, Offered, typed_view
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.scoring.waits import mark_winning
from quepu.table import Action, ActionKind, Table, View, make_wall
from quepu.table.events import Discarded
from quepu.tiles import EAST, NAMES, PLAIN

HAND = "123m4466p789sCCE"
MADE = {ActionKind.CHOW, ActionKind.PUNG, ActionKind.CONCEALED, ActionKind.ADDED}


def offered(tile: str, hand: str = HAND, giver: str = "W", rules: str = "lingque-29") -> Scene:
    return Scene.of_hand(quepu.parse(hand), book(rules), around=Around(read_offered(tile, giver, 0)))


def moments(rules: str, hands: int) -> Iterator[tuple[Table, int, View]]:
    """Every choice of a seat past its first discard, in hands of bots that claim whatever they can."""
    for number in range(hands):
        table = Table(book(rules), make_wall(21, number, PLAIN))
        met = 0
        while table.to_act:
            seat = table.to_act[0]
            options = table.options(seat)
            if len(options) > 1 and any(isinstance(one, Discarded) and one.seat == seat for one in table.events):
                yield table, seat, table.view(seat)
            met += 1
            wins = [one for one in options if one.do is ActionKind.WIN]
            rest = [one for one in options if one not in wins] or wins
            table.step(seat, rest[(met * 7 + number) % len(rest)])


def keys(options: Any) -> set[tuple[Any, ...]]:
    """What an option does; a win may hang on a circumstance that a typed hand does not have."""
    return {(one.do, one.tile, one.low) for one in options if one.do is not ActionKind.WIN}


@pytest.mark.parametrize("rules", ["lingque-29", "yuque-54", "guobiao-mcr", "canton"])
def test_a_typed_hand_has_the_options_of_the_same_hand_at_a_table(rules: str) -> None:
    of, claims, kongs = book(rules), 0, 0
    for table, seat, view in moments(rules, 12):
        board = view.board
        hand = view.as_hand()._replace(winning=view.drawn)
        if view.drawn is None and board.offer is None:
            hand = mark_winning(hand)  # after a claim
        river = board.rivers[board.offerer or 0]
        robbed = board.offer is not None and river[-1:] != (board.offer,)
        hidden = any(shown.hidden for melds in board.melds for shown in melds)
        offer = None if board.offer is None or board.offerer is None else Offered(board.offer, board.offerer)
        others = [board.melds[(seat + further) & 3] for further in (1, 2, 3)]
        around = Around(offer, [tuple(one.meld for one in melds if not one.hidden) for melds in others])
        seen = [kind for river in board.rivers for kind in river]
        if offer is not None and not robbed:
            seen.remove(offer.tile)
        found, options = typed_view(hand, of, seen, board.left, around)
        assert found.board.left == board.left
        table_options = table.options(seat)
        if view.drawn is None and offer is None and not play_rules(of).table.kong_after_claim:
            options = tuple(one for one in options if one.do is ActionKind.DISCARD)  # it looks like a tile drawn
        assert keys(options) == keys(table_options), (rules, view, options, table_options)
        assert {one.do for one in options} - {one.do for one in table_options} == set()
        if not hidden:
            assert list(found.unseen()) == list(view.unseen())
        claims += offer is not None
        kongs += any(one.do in (ActionKind.CONCEALED, ActionKind.ADDED) for one in options)
    assert claims > 60
    assert kongs > 3


def kongs_to_rob(rules: str, hands: range) -> Iterator[tuple[Table, int]]:
    """Yield seats that may rob a kong, in hands that make kongs whenever they can and win on nothing else."""
    for number in hands:
        table, rng = Table(book(rules), make_wall(21, number, PLAIN)), random.Random(number)
        while table.to_act:
            seat, board = table.to_act[0], table.board
            options = table.options(seat)
            if board.offerer is not None and board.rivers[board.offerer][-1:] != (board.offer,):
                yield table, seat
            rest = [one for one in options if one.do is not ActionKind.WIN]
            made = [one for one in rest if one.do in MADE]
            table.step(seat, rng.choice(made if made and rng.random() < 0.7 else rest))


@pytest.mark.parametrize(("rules", "hands"), [("guobiao-mcr", range(372, 375)), ("canton", range(372, 375))])
def test_a_kong_that_may_be_robbed_is_asked_about(rules: str, hands: range) -> None:
    met = 0
    for table, seat in kongs_to_rob(rules, hands):
        met += 1
        view, board = table.view(seat), table.board
        assert board.offer is not None and board.offerer is not None
        melds = [tuple(one.meld for one in board.melds[(seat + further) & 3]) for further in (1, 2, 3)]
        around = Around(Offered(board.offer, board.offerer), melds)
        seen = [kind for river in board.rivers for kind in river]
        scene = Scene.of_hand(view.as_hand(), book(rules), seen, board.left, around=around)
        assert list(scene.view.unseen()) == list(view.unseen())
        assert [(one.do, one.score) for one in scene.options] == [(one.do, one.score) for one in table.options(seat)]
        pair = pair_of(scene, "pass", "", None)
        same = Scene.of_table(table, seat)
        assert compare(scene, *pair).estimate == compare(same, *pair_of(same, "pass", "", None)).estimate
        for one in (scene, same):
            with pytest.raises(HandError, match="不能从抢杠处接着打"):
                play_out(one, *pair, Played(), 16)
    assert met


def test_a_kong_that_the_hand_cannot_rob_says_so() -> None:
    around = Around(Offered(NAMES.index("9m"), 2), ((), parse_part("(9999m)").melds, ()))
    with pytest.raises(AskError, match="这手牌不能抢杠和九万，只能过"):
        Scene.of_hand(quepu.parse(HAND), book("lingque-29"), around=around)


def test_every_claim_is_listed_in_words_that_name_it_again() -> None:
    here = offered("4p", "123m44456p78sCCE", "N")
    listed = choices_of(here)
    assert [one["words"] for one in listed] == ["kong 4p", "pung 4p", "chow 4p", "pass"]
    assert [one["text"]["zh"] for one in listed] == ["杠四筒", "碰四筒", "吃四五六筒", "过"]
    for one in listed:
        assert words_of(read_choice(here, one["words"]).action) == one["words"]


def test_chows_come_from_the_seat_before_only() -> None:
    assert {one["do"] for one in choices_of(offered("5p", giver="N"))} == {"chow", "pass"}
    assert read_offered("5p", "", 0) == Offered(NAMES.index("5p"), 3)
    with pytest.raises(AskError, match="只能过"):
        offered("5p")


@pytest.mark.parametrize(
    ("tile", "giver", "hand", "words"),
    [
        ("9m", "W", HAND, "九万现在不能吃、碰、杠，也不能和，只能过"),
        ("4p", "E", HAND, "东家是自己"),
        ("4p", "W", HAND + "2m", "请给 13 张牌"),
        ("4p6p", "W", HAND, "请写一张"),
        ("", "W", HAND, "请写一张"),
        ("", "", HAND, "给 13 张和那张牌"),
        ("C", "W", "123m4466p789sCCC", ""),
    ],
)
def test_a_claim_that_is_not_open_says_so(tile: str, giver: str, hand: str, words: str) -> None:
    if not words:
        assert [one["words"] for one in choices_of(offered(tile, hand, giver))] == ["kong C", "pung C", "pass"]
        return
    with pytest.raises(AskError, match=words):
        offered(tile, hand, giver)


def test_a_claim_asked_about_that_is_not_open_lists_what_is() -> None:
    here = offered("4p")
    with pytest.raises(AskError, match="现在不能“杠”，可以：过、碰四筒打"):
        read_choice(here, "kong")


@pytest.mark.parametrize(
    ("scene", "asked", "zh"),
    [
        (offered("4p"), "pung", "碰四筒打"),
        (offered("C", "123m44466p78sCCC"), "kong", "杠中"),
        (offered("E", "123m456p789sCCEE"), "pass", "过"),
        (Scene.of_hand(mark_winning(quepu.parse("123m4444p789sCCE5s")), book("lingque-29")), "kong", "暗杠四筒"),
        (Scene.of_hand(mark_winning(quepu.parse("123m45p789sE5s(CCC)C")), book("lingque-29")), "kong", "加杠中"),
        (Scene.of_hand(mark_winning(quepu.parse("123m456p789sCCEEE")), book("lingque-29")), "5p", "打五筒"),
    ],
)
def test_claims_kongs_and_wins_are_compared_as_discards_are(scene: Scene, asked: str, zh: str) -> None:
    pair = pair_of(scene, asked, "", None)
    found = answer(scene, compare(scene, *pair), None)
    names = [found[line]["choice"]["text"]["zh"] for line in ("first", "other")]
    assert any(name.startswith(zh) for name in names)
    for line in ("first", "other"):
        if found[line]["choice"]["do"] != "win":
            assert found[line]["aims"] and found[line]["by_turn"]
            assert found[line]["choice"]["useful"] == [] or found[line]["nearer"]
    assert found["headline"]["zh"].startswith("按估值")


def test_a_kong_leaves_the_hand_with_its_meld() -> None:
    scene = Scene.of_hand(mark_winning(quepu.parse("123m4444p789sCCE5s")), book("lingque-29"))
    line = compare(scene, *pair_of(scene, "kong", "E", None)).other
    assert line.choice.action == Action(ActionKind.CONCEALED, NAMES.index("4p"))
    for aim in line.side.aims:
        assert any(isinstance(meld, Meld) and meld.tile == NAMES.index("4p") for meld in aim.score.hand.melds)


@pytest.mark.long
@pytest.mark.skipif(not installed(), reason="playouts need numba")
@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr"])
def test_claims_and_wins_are_played_out(rules: str) -> None:
    scene = offered("C", "123m44466p78sCCC", rules=rules)
    for words in ("kong C", "pung C"):
        pair = pair_of(scene, words, "pass", None)
        played = play_out(scene, *pair, Played(), 32)
        assert played.worlds == 32
        assert 0 < sum(played.won) < 64
    win = offered("E", "123m456p789sCCEE", rules=rules)
    if any(one.do is ActionKind.WIN for one in win.options):
        played = play_out(win, *pair_of(win, "win", "pass", None), Played(), 32)
        assert played.won[1 if pair_of(win, "win", "pass", None)[0].do is ActionKind.PASS else 0] == 32


def test_the_seat_that_is_asked_keeps_its_wind() -> None:
    hand = quepu.parse(HAND)._replace(seat=EAST + 2)
    found, _ = typed_view(hand, book("lingque-29"), around=Around(Offered(NAMES.index("4p"), 1)))
    assert (found.seat, found.board.offerer, found.board.offer) == (2, 1, NAMES.index("4p"))
