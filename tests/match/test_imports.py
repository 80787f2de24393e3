"""Texts of all programs (`quepu.match.imports`): which one wrote them, one match or several, whole or broken off."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quepu.errors import Error
from quepu.match.foreign import log_of
from quepu.match.foreign_hand import ForeignMatch
from quepu.match.imports import ImportedLog, foreign_source, read_any, read_many
from quepu.match.log import LogError
from quepu.match.mjai_export import to_mjai
from tests.match.test_botzone_limits import BEGUN, HANDS, say
from tests.match.test_foreign_log import WON
from tests.match.test_mjai_lines import played, won

LINES = ["Match 5e", "Wind 0", *(f"Player {seat} Deal {hand}" for seat, hand in enumerate(HANDS))]
BOTZONE = {"logs": [*BEGUN, say("3 0 PLAY F1")]}
STREAM = to_mjai(played(won()))
OWN = log_of(ForeignMatch("x", "guobiao-mcr", ("a", "b", "c", "d"), [WON]))[0]


def dumped(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def test_who_wrote_a_text() -> None:
    for text, source in (
        ("\n".join(LINES), "botzone"),
        ("\n".join(LINES[1:]), "botzone"),
        (dumped(BOTZONE), "botzone"),
        (json.dumps(BOTZONE, indent=1), "botzone"),
        (dumped(BOTZONE["logs"]), "botzone"),
        (json.dumps(BOTZONE["logs"], indent=1), "botzone"),
        ("\n".join(STREAM), "mjai"),
        ("\n".join(OWN), None),
        ("", None), ("\n", None), ("5", None), ("null", None), ('"x"', None), ("nonsense", None), ("{}", None),
        ("[]", None),
        ('{"h": 1, "logs": []}', None),
    ):  # fmt: skip
        assert foreign_source(text) == source
        for framed in (f"\ufeff{text}", f"\n \n{text}\r\n\n"):
            assert foreign_source(framed) == source
        if source is not None:
            assert read_any(text).source == source
            (one,) = read_many(f"\ufeff\n{text}\n\n")
            assert isinstance(one, ImportedLog) and one.source == source
    assert read_any("\n".join(OWN)).source == "log"


def test_a_text_that_is_not_a_record_is_refused_where_it_is_wrong() -> None:
    for text, zh in (
        ("", "第 1 行：牌谱是空的。"),
        ("5", "第 1 行："),
        ("null", "第 1 行："),
        ("[]\n[]", "既不是雀谱的牌谱"),
        ("[1,\n2", "第 1 行："),
        ('{"h": 1}', "第 1 行："),
        ('{"rules": "guobiao"}', "第 1 行："),
        ('{"h": 1}\n{"h": 2}', "第 1 行："),
        ('{"a": 1}\n{"b": 2}', "第 2 行：一次导入一局"),
        ('{"a": 1}\nnonsense', "第 2 行：一次导入一局"),
        ("{}", "既不是雀谱的牌谱"),
        ("{\n}", "既不是雀谱的牌谱"),
        ("[]", "既不是雀谱的牌谱"),
        ("[\n]", "既不是雀谱的牌谱"),
        (OWN[0], "第 2 行：牌谱里一局都没有。"),
    ):
        for read in (read_any, lambda text: list(read_many(text))):
            with pytest.raises(Error) as refused:
                read(text)
            assert refused.value.text.zh.startswith(zh), text
            assert isinstance(refused.value, LogError) is zh.startswith("第")


def test_a_match_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    for text in (dumped(BOTZONE), "\n".join(LINES), "\n".join(STREAM[:4])):
        found = read_any(text)
        assert len(found.replay.hands) == 1 and not found.replay.finished
        assert "记录没有打完。" in [one.zh for one in found.lost]
    for lines in range(2, len(OWN)):
        found = read_any("\n".join(OWN[:lines]))
        assert (found.source, found.lines, found.replay.finished) == ("log", OWN[:lines], False)
        assert [one.zh for one in found.lost] == [f"第 {lines + 1} 行：牌谱在这里中断，只保留前面的。"]
    whole = read_any("\n".join(OWN))
    assert (whole.lines, whole.lost, whole.replay.finished) == (OWN, (), True)


def test_matches_of_a_data_set_are_read_one_by_one() -> None:
    huang = [*LINES, "Huang"]
    for count in (1, 2, 3):
        found = list(read_many("\n".join(huang * count)))
        assert [one.source for one in found if isinstance(one, ImportedLog)] == ["botzone"] * count
    broken = [*huang, *huang[:-2], *huang]
    first, wrong, last = read_many("\n".join(broken))
    assert isinstance(first, ImportedLog) and isinstance(last, ImportedLog)
    assert isinstance(wrong, tuple) and wrong[0] == len(huang) + 1 and "没有圈风或四家的配牌" in wrong[1].text.zh
    with pytest.raises(Error, match="没有圈风或四家的配牌"):
        list(read_many("\n".join(huang[:-2])))


@pytest.mark.parametrize(
    "text",
    [
        '<mjloggm ver="2.3"><SHUFFLE seed="x"/></mjloggm>',
        '{"name":["A","B","C","D"],"log":[[[0,0,0],[25000]]]}',
        "E1 +8",
    ],
    ids=["mjlog", "tenhou", "notes"],
)
def test_logs_of_other_games_are_told_which_formats_are_read(text: str) -> None:
    with pytest.raises(Error, match="也不是 Botzone") as caught:
        read_any(text)
    assert "nor a record of Botzone" in caught.value.say("en")
