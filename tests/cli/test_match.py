"""An evening kept in the terminal: sixteen hands with 包牌, a penalty, an undo, a drawn hand; and what goes wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from quepu.cli import main


def run(monkeypatch: pytest.MonkeyPatch, typed: str, *args: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setattr("sys.argv", ["quepu", *args])
    try:
        return int(main() or 0)
    except SystemExit as left:
        return int(left.code or 0)


def kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, object]:
    capsys.readouterr()
    assert run(monkeypatch, "", "match", str(path), "--json") == 0
    told: dict[str, object] = json.loads(capsys.readouterr().out)
    return told


EVENING = """
和 甲 乙 30
自摸 丙 30 供 乙4
流局
罚 丁 错和
和 丁 甲 11223sCC(NNNN)(123s)+3s
撤
和 丁 甲 12
和 乙 丙 48
自摸 乙 10
自摸 甲 24
和 丙 丁 16
和 丁 丙 20
流局
和 甲 乙 10
和 乙 甲 64
自摸 丁 30 供 甲4
和 丙 乙 100
自摸 丙 18
和 甲 丙 22
"""


def test_an_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evening.json"
    assert run(monkeypatch, EVENING, "match", str(path), "--rules", "lingque-26") == 0
    out = capsys.readouterr().out
    assert "半包牌（提供 4 枚）" in out
    assert "约化分数" in out
    told = kept(monkeypatch, capsys, path)
    rows = told["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 17  # sixteen hands and a penalty
    assert told["over"] is True
    assert sum(rows[-1]["totals"]) == 0
    assert rows[1]["gains"] == [-22, -91, 135, -22]  # 灵雀's own figures for 半包牌


def test_the_deal_is_repeated_where_the_book_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rules, place in (("lingque-29", "E1+1"), ("lingque-26", "E2")):
        path = tmp_path / f"{rules}.json"
        run(monkeypatch, "和 甲 乙 30\n", "match", str(path), "--rules", rules)
        assert kept(monkeypatch, capsys, path)["place"] == place


def test_corrections_fold_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.json"
    lines = "和 甲 乙 30\n罚 丁 错和\n改 1 和 甲 丙 40\n免 2\n"
    assert run(monkeypatch, lines, "match", str(path)) == 0
    told = kept(monkeypatch, capsys, path)
    rows = told["rows"]
    assert isinstance(rows, list)
    assert rows[-1]["totals"] == [160, -40, -80, -40]
    assert run(monkeypatch, "删 1\n", "match", str(path)) == 0
    again = kept(monkeypatch, capsys, path)["rows"]
    assert isinstance(again, list)
    assert again[-1]["totals"] == [0, 0, 0, 0]


def test_four_hands_and_the_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "yq.json"
    assert run(monkeypatch, "和 甲 乙 324 听 丙=49\n", "match", str(path), "--rules", "yuque-54") == 0
    assert "公池" in capsys.readouterr().out
    rows = kept(monkeypatch, capsys, path)["rows"]
    assert isinstance(rows, list)
    assert rows[0]["gains"] == [324, -162, 24, 0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("和 甲 戊 30", "没有“戊”这位玩家"),
        ("和 甲 甲 30", "放铳的应是另外三家之一"),
        ("和 甲 乙 7", "不够起和"),
        ("和 甲 乙", "写法"),
        ("自摸 甲 123m", "应有 13 张手牌"),
        ("和 甲 乙 30 供 丙9", "有误"),
        ("罚 甲 打人", "没有“打人”这条罚例"),
        ("foo", "没看懂"),
        ("改 3 流局", "要给出第几条记录"),
        ("撤", "没有可以撤销的"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    path = tmp_path / "m.json"
    assert run(monkeypatch, line + "\n", "match", str(path)) == 2
    assert said in capsys.readouterr().err
    assert kept(monkeypatch, capsys, path)["rows"] == []


def test_a_file_that_is_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    for text in ("", "{}", '{"quepu": "table", "spec": {"names": ["a"]}, "records": []}'):
        path.write_text(text, encoding="utf-8")
        assert run(monkeypatch, "", "match", str(path)) == 2
        assert "不是记分文件" in capsys.readouterr().err
        assert path.read_text(encoding="utf-8") == text
    assert run(monkeypatch, "", "match", str(tmp_path / "new.json"), "--names", "a,b") == 2
