"""Texts and Hands read at once are those that are read one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from quepu.batch import from_hands, score_many
from quepu.errors import Error
from quepu.fast.arrays.hand_input import read_hands, read_texts
from quepu.fast.arrays.hand_lists import misfits
from quepu.hands.hand import Hand, Meld, MeldKind, check_tiles
from quepu.hands.notation import parse, write
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from tests.test_books import EVERY


@pytest.mark.parametrize("rules", EVERY)
def test_what_is_written_is_read(rules: Rulebook) -> None:
    texts = [write(hand) for hand in wins(rules, 500, 5)]
    texts = [text for text in texts if "+" in text]
    read, plain = read_texts(texts), from_hands([parse(text) for text in texts])
    assert not read.unread.any()
    assert np.array_equal(read.counts, plain.counts)
    assert np.array_equal(read.winning, plain.winning)
    melds = np.full((len(texts), 4, 2), -1) if plain.meld_array is None else plain.meld_array
    assert np.array_equal(read.melds, melds)


def damaged(text: str, rng: random.Random) -> str:
    """A character more, less, or another; some writings that are read one by one."""
    at = rng.randrange(len(text) + 1)
    more = rng.choice("123456789mpsESWNCFP()[]+z x万東\n")
    return rng.choice((text[:at] + more + text[at:], text[:at] + more + text[at + 1 :], text[:at] + text[at + 1 :]))


@pytest.mark.parametrize("n", [900, pytest.param(3000, marks=pytest.mark.long)])
def test_whatever_else_is_written_is_read_as_alone(n: int) -> None:
    rng = random.Random(6)
    texts = [damaged(write(hand), rng) for hand in wins(book("guobiao-mcr"), n, 6)]
    texts += ["", "+", "()+1m", "(123m", "123m)+1m", "((123m))+1m", "[123m]+1m", "m1+p", "5z+5z", "１２３m+1m"]
    read, errors = read_texts(texts), {}
    for i, text in enumerate(texts):
        try:
            hand = parse(text)
        except Error as error:
            errors[i] = error
            assert read.unread[i], text
            continue
        if not read.unread[i]:
            check_tiles(hand.concealed, hand.melds, hand.winning)
            (counts,) = from_hands([hand]).counts
            assert (read.counts[i].tolist(), int(read.winning[i])) == (counts.tolist(), hand.winning), text
            melds = [list(meld) for meld in hand.melds]
            assert [meld for meld in read.melds[i].tolist() if meld[0] >= 0] == melds, text
    scores = score_many(texts, "guobiao-mcr")
    for i, error in errors.items():
        assert str(scores.errors[i]) == str(error)
    assert sum(read.unread) > n // 3
    assert sum(~read.unread) > n // 60


def test_hands_that_cannot_be_are_found() -> None:
    fine = parse("123m456p789sCCEE+E")
    odd = [
        fine._replace(concealed=fine.concealed[:-1]),
        fine._replace(concealed=(0,) * 5 + fine.concealed[5:]),
        fine._replace(concealed=(34, *fine.concealed[1:])),
        fine._replace(winning=-2),
        fine._replace(melds=(Meld(MeldKind.KONG, 31),), concealed=fine.concealed[3:]),
        fine._replace(melds=(Meld(MeldKind.PUNG, 3),) * 5),
        Hand(()),
    ]
    assert misfits([fine] * 3)[1] == []
    for hand in odd:
        assert 1 in misfits([fine, hand])[1]
    (text,) = (str(error) for error in read_hands([fine, odd[0]], book("guobiao")).errors.values())
    assert "12" in text or "13" in text


def test_mixed_and_none() -> None:
    text = "123m456p789sCCEE+E"
    one = score_many([text, parse(text)], "guobiao-mcr")
    assert one.points[0] == one.points[1] > 0
    assert len(score_many([], "guobiao-mcr")) == 0
