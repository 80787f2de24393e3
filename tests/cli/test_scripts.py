"""What is typed at the terminal, in the script of Taiwan and of Hong Kong: every command answers as in the other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.typed import run
from tests.test_scripts import DIRECTIONS, forms

EVENING = """
和 甲 乙 11223sCC(NNNN)(123s)+3s
自摸 丙 30点 供 乙4
和 乙 甲 (NNNN)11223sCC(123s)+3s 花春兰 供 丙
流局
罚 乙 错和 给 甲 20分
罚 丙 错和 已弥补
撤
改 1 和 甲 乙 30
插 1 流局
免 6
结算
罚例
表
"""


def other(text: str, direction: int) -> str:
    """The text with each word in another script, by the table of forms."""
    every = {name: (row[direction] if len(row) > direction else row[-1]) for name, row in table().items()}
    pattern = "|".join(map(re.escape, sorted(every, key=len, reverse=True)))
    return re.sub(pattern, lambda word: every[word[0]], text)


def table() -> dict[str, list[str]]:
    lines = (Path(__file__).parent.parent / "scripts.tsv").read_text(encoding="utf-8").splitlines()
    return {row[0]: row for row in (line.split("\t") for line in lines)}


@pytest.mark.parametrize("direction", [1, 2, 3], ids=DIRECTIONS)
def test_a_scorekeeper_reads_both_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], direction: int
) -> None:
    printed = []
    typed = other(EVENING, direction)
    assert typed != EVENING
    for number, lines in enumerate((EVENING, typed)):
        path = tmp_path / str(number) / "evening.json"
        path.parent.mkdir()
        assert run(monkeypatch, lines, "match", str(path)) == 0
        printed.append(capsys.readouterr().out.replace(str(path), ""))
    assert printed[0] == printed[1]
    assert "半包牌" in printed[0]


@pytest.mark.parametrize("direction", [1, 2, 3], ids=DIRECTIONS)
def test_players_are_known_by_either_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], direction: int
) -> None:
    path = tmp_path / "named.json"
    assert run(monkeypatch, "和 張 龍 30\n", "match", str(path), "--names", "张,龙,丙,丁") == 0
    assert "张 和 30 点，龙 放铳" in capsys.readouterr().out


def test_of_two_players_alike_neither_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "named.json"
    assert run(monkeypatch, "和 張 丙 30\n", "match", str(path), "--names", "张,張,丙,丁") == 0
    assert "張 和 30 点" in capsys.readouterr().out  # as it stands


def test_commands_of_one_line(quepu: Any) -> None:
    assert "岭上开花" in quepu("fans", "嶺上開花").out
    assert quepu("fans", "槓上開花").code == 0  # the name that it has in other books
    assert "断幺" in quepu("fans", "斷么", "-r", "國標").out
    assert quepu("fans", "-c", "鳴牌").out == quepu("fans", "-c", "鸣牌").out
    assert quepu("rules", "廣東", "付錢").code == quepu("rules", "广东", "付钱").code
    assert quepu("rules", "靈雀", "鏡數").out == quepu("rules", "灵雀", "镜数").out
    score = ("score", "11223sCC(NNNN)(123s)+3s", "-s", "N", "-z", "-f")
    assert quepu(*score, "春蘭", "-w", "嶺上開花").out == quepu(*score, "春兰", "-w", "岭上开花").out
    simulated = ("simulate", "-n", "1", "--json", "--bots")
    assert quepu(*simulated, "新手,随机,新手,随机").out == quepu(*simulated, "新手,隨機,plain,random").out


def test_words_of_the_shell_and_of_a_hand_event_by_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "規則 國標\n圈風 南\n門風 西\n重置\n退出\n", "shell") == 0
    typed = capsys.readouterr()
    assert not typed.err
    assert run(monkeypatch, "规则 国标\n圈风 南\n门风 西\n重置\n退出\n", "shell") == 0
    assert capsys.readouterr().out == typed.out
    path = tmp_path / "told.json"
    lines = "局\n東 打 5m 摸切\n南 打 1z\n撤\n棄\n"
    assert run(monkeypatch, lines, "match", str(path)) == 0
    assert not capsys.readouterr().err


def test_the_board_of_words_is_complete() -> None:
    """Words that this file types are in the table."""
    for word in re.findall(r"[\u4e00-\u9fff]{2,}", EVENING):
        assert word in forms() or word in ("花春兰",), word
