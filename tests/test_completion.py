"""Fourteen tiles of which none is marked: a win with every tile that may have completed it, or what is missing."""

import json
import random

import pytest

import quepu
from quepu.cli import run
from quepu.errors import NotAWin
from quepu.hands.notation import tiles, write
from quepu.rulebooks import book_ids
from quepu.scoring.samples import wins as random_wins
from quepu.tiles import KINDS

WIN, NO_WIN = "123m456p789sCCEEE", "123m456p789sCPEEN"


@pytest.mark.parametrize("name", book_ids())
def test_every_tile_of_a_win_scores_as_if_it_were_marked(name):
    book = quepu.book(name)
    for hand in random_wins(book, 12, seed=5):
        plain = hand._replace(luck=0, flowers=())
        whole = plain._replace(concealed=tuple(sorted((*plain.concealed, plain.winning))), winning=None)
        found = quepu.completion(whole, book)
        assert {wait.tile for wait in found.tiles} == set(whole.concealed)
        assert (found.missing, found.spare) == (0, ())
        for wait in found.tiles:
            rest = list(whole.concealed)
            rest.remove(wait.tile)
            marked = plain._replace(concealed=tuple(rest), winning=int(wait.tile))
            assert wait.by_discard.total == quepu.score(marked, book).total, write(marked)


@pytest.mark.parametrize("name", book_ids())
def test_of_other_tiles_it_says_how_many_are_missing_and_which_can_go(name):
    book = quepu.book(name)
    rng = random.Random(7)
    deck = [kind for kind in range(KINDS) for _ in range(4)]
    for _ in range(15):
        hand = quepu.parse("123m456p789s11pCCE")._replace(concealed=tuple(sorted(rng.sample(deck, 14))))
        found = quepu.completion(hand, book)
        best = quepu.discards(hand, book)
        nearest = [choice.discard for choice in best if choice.outlook.missing == best[0].outlook.missing]
        if found.tiles:
            continue
        assert found.missing == quepu.shanten(hand, book) + 1 == best[0].outlook.missing
        assert sorted(found.spare) == sorted(nearest)


def test_what_it_says():
    assert quepu.completion(WIN, "guobiao").headline().zh == "可和。和张是哪张？"
    far = quepu.completion(NO_WIN, "guobiao").headline()
    assert "不成和牌形" in far.zh
    assert "差 1 步听牌，多余 北、中、白。" in far.zh
    assert "1 from ready; to spare: N, C, P." in far.en
    assert "打一张就听牌，多余 北。" in quepu.completion("123m456p789sCCEEN", "guobiao").headline().zh
    assert "四张相同的牌不算两对" in quepu.completion("1111m2233p4455s66s", "lingque-29").headline().zh
    assert "不够起和" in quepu.completion("12388m567p(567p)(345s)", "guobiao-mcr").headline().zh
    for wrong in ("123m456p789sCCEE", "123m456p789sCCEE+E"):
        with pytest.raises(quepu.HandError, match="14 张牌"):
            quepu.completion(wrong)


def test_the_command_answers_a_beginners_first_question(capsys):
    assert run(["score", WIN, "-r", "guobiao"]) == 0
    out = capsys.readouterr().out
    assert "可和。和张是哪张？" in out
    assert out.count("花龙") == len(set(tiles(WIN)))
    assert run(["score", NO_WIN, "-r", "guobiao"]) == 2
    assert "差 1 步听牌，多余 北、中、白" in capsys.readouterr().err
    assert run(["--lang", "en", "score", WIN, "-r", "guobiao", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["complete"], answer["sentence"]) == (True, "This is a win. Which tile completed it?")
    assert [one["tile"] for one in answer["tiles"]] == ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "C"]


def test_a_marked_hand_is_scored_as_ever():
    with pytest.raises(NotAWin):
        quepu.score(WIN, "guobiao")
