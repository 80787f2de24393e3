"""Files of the data set of human games: hands that our table played come back, and each limit has two sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu import logs
from quepu.errors import Error
from quepu.match.botzone_human import is_human, read_human
from quepu.match.imports import read_any
from tests.match.botzone_writer import human
from tests.match.test_botzone import WON
from tests.match.test_foreign import HANDS, same
from tests.table.walls import go

SEEN = {event.tag for table in HANDS for event in table.events}
WIN = human(go(WON.copy(), "E win"), 1, dealer=2)


@pytest.mark.parametrize("dealer", range(4))
def test_hands_come_back_as_they_were(dealer: int) -> None:
    assert {"flower", "replace", "chow", "pung", "kong", "exhausted"} <= SEEN
    for round, table in enumerate(HANDS):
        found = read_any("\n".join(human(table, round, dealer)))
        assert found.source == "botzone" and found.replay.header["rules"] == "guobiao-mcr"
        assert not [text for text in found.lost if "番（" in text.zh or "停在这里" in text.zh]
        same(found, [table])
        assert found.replay.hands[0].table(found.replay.book).board.round == round


def test_a_win_and_its_points() -> None:
    found = read_any("\n".join(WIN))
    assert found.replay.match.totals == (88 + 24, -8, -8 - 88, -8)
    assert not any("记录算" in text.zh for text in found.lost)
    for fans, sentence in (
        ("['十三幺-64', '花牌-8', '无番和-8']", "记录算 72 番（十三幺 花牌 无番和），这里算 88 番"),
        ("['十三幺-88', '花牌-2']", ""),
        ("['三同刻']", ""),  # a fan without its number
    ):
        lines = [WIN[0], f"南\t90\t{fans}\t\t点和", *WIN[2:]]
        lost = " ".join(text.zh for text in read_any("\n".join(lines)).lost)
        assert sentence in lost and ("记录算" in lost) == bool(sentence)


def test_a_false_win_ends_the_hand_without_points() -> None:
    found = read_any("\n".join([*WIN, "0\t摸牌\t['W1']\t"]))
    assert any("北家" not in text.zh and "东家错和" in text.zh for text in found.lost)
    assert not found.replay.finished and not found.replay.match.hands


def test_a_hand_that_breaks_off_has_no_result() -> None:
    found = read_any("\n".join(WIN[:-1]))
    assert any("没有打完" in text.zh for text in found.lost) and not found.replay.finished


def test_flowers_set_aside_at_the_start_are_only_counted() -> None:
    def counted(*counts: int) -> tuple[tuple[int, ...], ...]:
        hands = [f"{line.rpartition(chr(9))[0]}\t{count}" for line, count in zip(WIN[2:6], counts, strict=True)]
        return read_human([*WIN[:2], *hands, *WIN[6:]]).hands[0].flowers

    assert counted(0, 1, 2, 3) == ((34, 35), (36, 37, 38), (), (39,))  # the dealer, third in the file, is East
    assert sum(map(len, counted(2, 2, 2, 2))) == 8
    with pytest.raises(Error, match="超过八张"):
        counted(2, 2, 2, 3)
    drawn = [*WIN[:6], "2\t打牌\t['W9']\t", "3\t摸牌\t['H1']\t", "3\t补花\t['H1']\t"]
    assert [move[:3] for move in read_human(drawn).hands[0].moves[1:]] == [
        ("play", 0, 8), ("draw", 1, 34), ("flower", 1, 34),
    ]  # fmt: skip


def test_a_flower_of_the_dealer_is_the_tile_drawn() -> None:
    first = WIN[4]  # the dealer
    assert first.startswith("2\t") and first.count("'") == 28
    flowered = first.replace("'W1'", "'H3'")
    moves = read_human([*WIN[:4], flowered, *WIN[5:]]).hands[0].moves
    assert moves[0][:3] == ("draw", 0, 36)
    for wrong in (flowered.replace("'W9'", "'H4'"), None):  # a second one, or one of another player
        lines = [*WIN[:4], wrong, *WIN[5:]] if wrong else [*WIN[:3], WIN[3].replace("'W", "'H", 1), *WIN[4:]]
        with pytest.raises(Error, match="第 3 条：配牌里有没补的花"):
            read_human(lines)


@pytest.mark.parametrize(
    ("at", "line", "sentence"),
    [
        (3, "0\t['W1']\t0", "第 3 条：四家的配牌应是"),
        (3, "7\t['W1']\t0", "第 3 条：这里应是 0 到 3 的数，而不是“7”"),
        (6, "x", "第 6 条：这里应是 0 到 3 的数"),
        (4, "1\t['W1']\t9", "第 4 条：这里应是 0 到 8 的数，而不是“9”"),
        (4, "1\t['X1']\t0", "第 4 条：不认识的牌“X1”"),
        (7, "2\t跳舞\t['W1']\t", "第 7 条：不认识的动作“跳舞”"),
        (7, "2", "第 7 条：不认识的动作“”"),
        (7, "2\t打牌\t[]\t", "第 7 条：“打牌”缺少牌"),
        (7, "3\t吃\t['W1','W2']\t", "第 7 条：“吃”缺少牌"),
        (7, "2\t打牌\t['W0']\t", "第 7 条：没有“W0”这张牌"),
    ],
)
def test_a_wrong_line_is_named(at: int, line: str, sentence: str) -> None:
    with pytest.raises(Error) as refused:
        read_any("\n".join([*WIN[: at - 1], line, *WIN[at:]]))
    assert sentence in refused.value.text.zh and refused.value.text.en.startswith(f"entry {at}: ")


def test_only_such_files_are_taken_for_the_set() -> None:
    assert is_human(WIN)
    assert not is_human(WIN[:2]) and not is_human([WIN[0], f"中{WIN[1][1:]}", *WIN[2:]])
    assert not is_human([WIN[0], WIN[1][:1], *WIN[2:]]) and not is_human([*WIN[:2], "0\tW1\t0"])


def test_a_folder_of_files_gives_decisions(tmp_path: Path) -> None:
    for number, table in enumerate(HANDS):
        (tmp_path / f"{number}.txt").write_text("\n".join(human(table, 0, number)), "utf-8")
    (tmp_path / "9.txt").write_text("\n".join([*WIN[:3], "x"]), "utf-8")
    read = logs.hands(tmp_path)
    (won,) = (row for row in read if row["winners"])
    assert won["fans"] and len(won["fans"]) == len([fan for fan in won["fans"] if isinstance(fan, str)])
    assert len(list(read)) == len(HANDS)
    assert [(Path(path).name, wrong.zh[:6]) for path, wrong in read.unread] == [("9.txt", "第 4 条：")]
    assert len(list(logs.decisions(tmp_path))) > 40 * len(HANDS)
