"""Lines of the data sets of botzone.org.cn: every word, both sides of each limit, and what is read of each field."""

from __future__ import annotations

import pytest

from quepu.errors import Error
from quepu.match.botzone_text import is_text, read_text, split_matches
from quepu.match.foreign_hand import ForeignMatch
from quepu.match.imports import ImportedLog, read_many
from tests.match.test_botzone_limits import HANDS, KINDS

LINES = ["Match 5e", "Wind 2", *(f"Player {seat} Deal {hand}" for seat, hand in enumerate(HANDS))]


def read_lines(*lines: str) -> ForeignMatch:
    return read_text([*LINES, *lines])


def test_each_word_of_the_lines_is_a_move() -> None:
    (hand,) = read_lines().hands
    assert (hand.round, [list(tiles) for tiles in hand.dealt], hand.flowers) == (2, KINDS, ((),) * 4)
    assert (hand.moves, hand.scores, hand.fan, hand.fans, hand.ignored) == ([], None, None, "", 0)
    for words, read in (
        ("Player 3 Draw W2", ("draw", 3, 1, 7)),
        ("Player 3 Play W2", ("play", 3, 1, 7)),
        ("Player 3 Chi W2", ("chow", 3, 1, 7)),
        ("Player 3 Peng W2", ("pung", 3, None, 7)),
        ("Player 3 Gang W2", ("kong", 3, None, 7)),
        ("Player 3 AnGang W2", ("kong", 3, 1, 7)),
        ("Player 3 BuGang W2", ("added", 3, 1, 7)),
        ("Player 3 Hu W2", ("win", 3, None, 7)),
        ("Huang", ("drawn", None, None, 7)),
    ):
        assert read_lines(words).hands[0].moves == [read]
    flowered = LINES[2].replace("W1", "H8 W1").replace("W9", "H1 W9")
    (hand,) = read_text([*LINES[:2], flowered, *LINES[3:]]).hands
    assert hand.flowers == ((41, 34), (), (), ()) and list(hand.dealt[0]) == KINDS[0]


def test_the_tile_of_a_win_is_compared_with_the_winners_own_draw() -> None:
    def wrong(*lines: str) -> bool:
        return any("自摸的和牌" in text.zh for text in read_lines(*lines, "Player 1 Hu W2").remarks)

    assert wrong("Player 1 Draw W3") and not wrong("Player 1 Draw W2")
    assert not wrong() and not wrong("Player 0 Draw W3") and not wrong("Player 1 Draw W3", "Player 1 Play W3")
    assert not any("自摸" in text.zh for text in read_lines("Player 1 Draw W3", "Player 1 Play W2").remarks)


def test_the_end_of_the_lines() -> None:
    (hand,) = read_lines(
        "Player 0 Play W1 Ignore Player 1 Chi W2 Ignore Player 2 Peng W1", "Player 0 Play W1 Ignore Player 1 Peng W1",
        "Fan 9999 混一色*1+箭刻*2 圈风刻", "Score -5 999999 0 -999999",
    ).hands  # fmt: skip
    assert (hand.ignored, hand.fan, hand.fans) == (3, 9999, "混一色 箭刻×2 圈风刻")
    assert hand.scores == [-5, 999999, 0, -999999] and hand.fault == "" and hand.rest == []
    assert (read_lines("Fan 0").hands[0].fan, read_lines("Fan 0").hands[0].fans) == (0, "")
    for line in (
        "Fan", "Huang 1", "Score 1 2 3", "Score 1 2 3 4 5", "Score 1 2 3 1000000", "Score + 1 2 3", "Wind", "Wind 1 2",
        "Player 1 Draw", "Player 1 Dance W1", "Player", "x" * 41, "Peng 1",
    ):  # fmt: skip
        with pytest.raises(Error) as refused:
            read_lines(line)
        assert refused.value.text == (f"第 7 条：不认识“{line[:40]}”。", f"entry 7: {line[:40]!r} is not known.")
    for line, sentence in (
        ("Fan 10000", "0 到 9999"), ("Wind 4", "0 到 3"), ("Player 4 Draw W1", "0 到 3"), ("Player 4 Deal", "0 到 3"),
        ("Player 1 Draw W0", "没有“W0”"), ("Player 1 Deal X1", "不认识的牌"),
    ):  # fmt: skip
        with pytest.raises(Error, match=f"第 7 条：.*{sentence}"):
            read_lines(line)


def test_one_whole_match_is_read() -> None:
    assert (
        is_text(["Match 1"]) and is_text(["Wind 1", "x"]) and not is_text(["x", "Match 1"]) and not is_text(["Match"])
    )
    for missing in range(1, 6):
        with pytest.raises(Error) as refused:
            read_text([*LINES[:missing], *LINES[missing + 1 :]])
        assert refused.value.text.zh == "没有圈风或四家的配牌。"
    for line in (LINES[3][:-3], f"{LINES[3]} W1"):
        with pytest.raises(Error, match="没有圈风或四家的配牌"):
            read_text([*LINES[:3], line, *LINES[4:]])
    assert read_text(LINES[1:]).hands == read_text(LINES).hands
    with pytest.raises(Error) as refused:
        read_text([*LINES, "Huang", *LINES, *LINES])
    assert refused.value.text == (
        "第 8 条：一次导入一局：这里有 3 局。",
        "entry 8: import one match at a time: there are 3.",
    )


def test_matches_of_a_data_set_begin_with_their_match_line() -> None:
    """The first one may lack it, as `read_text` reads it."""
    for first in (LINES, LINES[1:]):
        both = [*first, "Huang", *LINES]
        assert list(split_matches(both)) == [(1, [*first, "Huang"]), (len(first) + 2, LINES)]
        assert list(split_matches(first)) == [(1, first)]
        (one,) = read_many("\n".join([*first, "Huang"]))
        assert isinstance(one, ImportedLog) and one.source == "botzone"
