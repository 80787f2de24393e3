"""An evening kept in the terminal: sixteen hands with 包牌, a penalty, an undo, a drawn hand; and what goes wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from quepu.cli import main
from tests.cli.typed import run


def stored_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, object]:
    capsys.readouterr()
    assert run(monkeypatch, "", "match", str(path), "--json") == 0
    printed: dict[str, object] = json.loads(capsys.readouterr().out)
    return printed


EVENING = """
和 甲 乙 30
自摸 丙 30 供 乙4
流局
罚 乙 错和
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
    table = stored_table(monkeypatch, capsys, path)
    rows = table["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 17  # sixteen hands and a penalty
    assert table["over"] is True
    assert sum(rows[-1]["totals"]) == 0
    assert rows[1]["gains"] == [-22, -91, 135, -22]  # 灵雀's own figures for 半包牌


def test_the_deal_is_repeated_where_the_book_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rules, place in (("lingque-29", "E1+1"), ("lingque-26", "E2")):
        path = tmp_path / f"{rules}.json"
        run(monkeypatch, "和 甲 乙 30\n", "match", str(path), "--rules", rules)
        assert stored_table(monkeypatch, capsys, path)["place"] == place


def test_corrections_fold_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.json"
    lines = "和 甲 乙 30\n罚 丁 错和\n改 1 和 甲 丙 40\n免 2\n"
    assert run(monkeypatch, lines, "match", str(path)) == 0
    table = stored_table(monkeypatch, capsys, path)
    rows = table["rows"]
    assert isinstance(rows, list)
    assert rows[-1]["totals"] == [160, -40, -80, -40]
    assert run(monkeypatch, "删 1\n", "match", str(path)) == 0
    again = stored_table(monkeypatch, capsys, path)["rows"]
    assert isinstance(again, list)
    assert again[-1]["totals"] == [0, 0, 0, 0]


def test_four_hands_and_the_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "yq.json"
    assert run(monkeypatch, "和 甲 乙 18 听 丙=7番\n", "match", str(path), "--rules", "yuque-54") == 0
    assert "公池" in capsys.readouterr().out
    rows = stored_table(monkeypatch, capsys, path)["rows"]
    assert isinstance(rows, list)
    assert rows[0]["gains"] == [324, -162, 24, 0]


EVENTS = """
局
5m
乙 吃 345m
南 打 東
丙 碰
9p
东 杠
东 2s
南 打 9s
撤
罚 丙 冲和
1s
桌
"""


def test_a_hand_is_entered_event_by_event_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "told.json"
    assert run(monkeypatch, EVENTS, "match", str(path), "--rules", "yuque-54") == 0  # left in the middle
    out = capsys.readouterr().out
    assert "轮到西家（丙），余 66 张" in out
    assert "西家停和陪打" in out
    assert len(json.loads(path.read_text(encoding="utf-8"))["unfinished"]) == 9
    assert run(monkeypatch, "自摸 234p567s11s23m+1m\nN discard 9s\n", "match", str(path)) == 2
    assert "停和陪打" in capsys.readouterr().err
    more = "免 1\nW 打 9m\n丁 打 6s\n东 打 9m\n南 打 ?\n西 打 9m\n"
    assert run(monkeypatch, more + "北 自摸 456m456p456s11p2s+2s\n", "match", str(path)) == 2
    assert "亮出 12 张，应是 13 张" in capsys.readouterr().err
    won = "北 自摸 456m456p456s11p22s+2s\n亮 北 456m456p456s11p33s\n亮 南 345p345s55s77s\n\n"
    assert run(monkeypatch, won, "match", str(path)) == 2  # the winner cannot show other tiles than he won with
    out = capsys.readouterr().out
    assert "丁 自摸" in out
    assert "岭上" not in out
    table = stored_table(monkeypatch, capsys, path)
    rows = table["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 2
    assert rows[1]["gains"][3] > 0
    assert rows[1]["gains"][1] > rows[1]["gains"][0]  # shown and ready; the others gave it up
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["unfinished"] == []
    assert saved["records"][1]["facts"][0] == "E discard 5m"
    assert run(monkeypatch, "撤\n", "match", str(path)) == 0
    assert len(json.loads(path.read_text(encoding="utf-8"))["records"]) == 1


def test_names_that_are_also_keys_and_winds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "abc.json"
    typed = "tell\n5m\nB chow 345m\nQ discard E\nboard\n"
    assert run(monkeypatch, typed, "match", str(path), "--names", "A,B,Q,U", "--lang", "en") == 2
    printed = capsys.readouterr()
    assert json.loads(path.read_text(encoding="utf-8"))["unfinished"] == ["E discard 5m", "S chow 345m"]
    assert "it is S's turn" in printed.err
    assert "E:A S:B W:Q N:U" in printed.out


def test_a_record_entered_wrongly_is_refused_with_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "told.json"
    assert run(monkeypatch, "流局\n", "match", str(path)) == 0
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["records"] = [{"kind": "hand", "facts": ["E discard 5m", "N discard 1m", "W chow 345m"]}]
    path.write_text(json.dumps(saved), encoding="utf-8")
    capsys.readouterr()
    assert run(monkeypatch, "", "match", str(path)) == 2
    wrong = capsys.readouterr().err
    assert "第 2 句" in wrong
    assert "第 3 句" in wrong


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("和 甲 戊 30", "没有“戊”这位玩家"),
        ("和 甲 甲 30", "放铳的应是另外三家之一"),
        ("和 甲 乙 7", "不够起和"),
        ("和 甲 乙", "写法"),
        ("自摸 甲 123m", "应有 13 张手牌"),
        ("和 甲 乙 30 供 丙9", "有误"),
        ("罚 甲 打人", "没有“打人”这条罚例"),
        ("foo", "没看懂"),
        ("自摸 甲 30 岭上开花", "只能与手牌同写"),
        ("改 3 流局", "请给出第几条记录"),
        ("撤", "没有可以撤销的记录"),
        ("和 甲 乙 ²", "第 1 个字符"),
        ("和 甲 乙 --5", "第 1 个字符"),
        ("和 ² 乙 30", "没有“²”这位玩家"),
        ("和 甲 乙 30 花²", "没看懂"),
        ("和 甲 乙 30 供 丙²", "没看懂"),
        ("罚 甲 " + "错" * 500, "有误"),
        ("自摸 甲 12 供 丙4 丙3", "丙供的张数写了两次"),
        ("draw 甲 12 supplied 丙4 supplied 33", "丙供的张数写了两次"),
        ("和 甲 乙 12 花2 花3", "花牌写了两次"),
        ("win 甲 乙 12 flowers 2 flowers 3", "花牌写了两次"),
        ("和 甲 乙 12 花春 花2", "花牌写了两次"),
        ("和 甲 乙 12 花2 花春", "花牌写了两次"),
        ("和 甲 乙 12 花春 花梅 花春", "春写了两次"),
        ("和 甲 乙 12 花 foo 花2", "没看懂“foo”"),
        ("自摸 甲 12 放杠 乙 丙", "放杠的人写了两次"),
        ("draw 甲 12 fed 乙 fed nobody", "放杠的人写了两次"),
        ("罚 甲 错和 10 20", "分数写了两次"),
        ("罚 甲 错和 10 给 乙 给 丙", "赔给谁写了两次"),
        ("fault 甲 错和 to 乙 to", "写法"),
        ("罚 甲 错和 十分", "没看懂“十分”"),
        ("铃 甲", "没看懂“铃 甲”"),
        ("改名 甲 " + "长" * 41, "名字最多 40 字"),
        ("换 甲 " + "长" * 41, "名字最多 40 字"),
        ("删 ²", "请给出第几条记录"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, sentence: str
) -> None:
    path = tmp_path / "m.json"
    assert run(monkeypatch, line + "\n", "match", str(path)) == 2
    assert sentence in capsys.readouterr().err
    assert stored_table(monkeypatch, capsys, path)["rows"] == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["-r", "yuque"], "规则是灵雀（第二十九版）"),
        (["-r", "lingque-29@1", "--names", "乙,甲,丙,丁"], "四家是甲、乙、丙、丁"),
        (["--names", "x,y,z,w"], "四家是甲、乙、丙、丁"),
        (["-n", "3"], "打 4 圈"),
        (["--ranked"], "没有 --ranked"),
        (["--alpha", "2"], "没有 α"),
        (["-r", "my.toml"], "规则是灵雀（第二十九版）"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_a_file_has_otherwise_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: list[str],
    sentence: str, more: list[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text('base = "lingque-29"\nminimum = 3', encoding="utf-8")
    assert run(monkeypatch, "", "match", "m.json") == 0
    before = Path("m.json").read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(monkeypatch, "流局\n", "match", "m.json", *given, *more) == 2
    why = capsys.readouterr().err
    assert sentence in why
    assert "另记一场请换文件" in why
    assert Path("m.json").read_text(encoding="utf-8") == before


def test_a_file_that_has_another_ratio_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "m.json")
    assert run(monkeypatch, "", "match", path, "-r", "lingque-26") == 0
    assert run(monkeypatch, "", "match", path, "--alpha", "2", "--t0", "100") == 2
    assert "α 是 1、T₀ 是 480，与" in capsys.readouterr().err


def test_a_file_is_gone_on_with_by_the_command_that_began_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text('base = "yuque-54"\nminimum = 3', encoding="utf-8")
    for number, begun in enumerate((
        ["-r", "yuque", "--names", "a,b,c,d", "-n", "2", "--ranked", "--alpha", "1.5"],
        ["-r", "yuque-54", "--names", "a，b，c，d"],
        ["-r", "my.toml"],
        ["-r", "lingque-29", "-n", "4", "--alpha", "1", "--t0", "480.0"],
        ["-r", "yuque-54@1"],
    )):  # fmt: skip
        for lines in ("流局\n", "换 1 新来的\n", "改名 2 改过的\n", ""):
            assert run(monkeypatch, lines, "match", f"{number}.json", *begun) == 0, capsys.readouterr().err
            assert run(monkeypatch, "", "match", f"{number}.json") == 0
            if "改名" in lines:  # the second of the names that were given
                begun[:] = [word.replace("b", "改过的") if "," in word or "，" in word else word for word in begun]


@pytest.mark.parametrize("twice", ["乙=7番 乙=8番", "乙=7番 听 2=49点", "乙=7番 丙=9番 乙=123m456p789sCCEE"])
def test_a_ready_hand_has_one_worth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], twice: str
) -> None:
    path = tmp_path / "m.json"
    assert run(monkeypatch, f"流局 听 {twice}\n", "match", str(path), "-r", "yuque-54") == 2
    assert "乙的听牌写了两次" in capsys.readouterr().err
    assert stored_table(monkeypatch, capsys, path)["rows"] == []


def test_a_fault_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.json"
    assert run(monkeypatch, "罚 甲 错和 给 乙 20分\n罚 丙 错和 弥补\n", "match", str(path)) == 0
    capsys.readouterr()
    one, two = json.loads(path.read_text(encoding="utf-8"))["records"]
    assert (one["points"], one["receiver"], one["remedied"]) == (20, 1, False)
    assert (two["points"], two["receiver"], two["remedied"]) == (None, None, True)


@pytest.mark.parametrize("rules", ["canton", "yuque-54"])
def test_flowers_are_in_what_is_announced_where_a_flower_is_no_number_of_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rules: str
) -> None:
    assert run(monkeypatch, "和 甲 乙 9 花2\n", "match", str(tmp_path / "m.json"), "--rules", rules) == 2
    assert "花牌只能与手牌同写" in capsys.readouterr().err


def test_a_hand_that_is_entered_is_shown_in_the_language_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "局\n东\n北 碰\n西 碰\n罚 甲 打人\n桌\n撤\n", "match", str(tmp_path / "m.json")) == 2
    printed = capsys.readouterr()
    assert "东家打东" in printed.out
    assert "撤销：北家碰" in printed.out
    assert "discard" not in printed.out and "pung" not in printed.out
    assert "西家碰：与前面录入的矛盾" in printed.err
    assert "错误：没有“打人”这条罚例" in printed.err


def test_who_is_barred_stays_so_when_a_hand_is_entered_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.json"
    assert run(monkeypatch, "罚 乙 错和\n局\n東\n南 碰\n", "match", str(path)) == 2
    assert "南家碰：这家停和陪打" in capsys.readouterr().err
    assert json.loads(path.read_text(encoding="utf-8"))["unfinished"] == ["S barred", "E discard E"]


def test_who_has_claimed_a_tile_cannot_win_by_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "局\n5m\n南 吃 345m\n南 自摸 11s789p23s678s+1s\n"
    assert run(monkeypatch, lines, "match", str(tmp_path / "m.json")) == 2
    assert "南家刚吃碰，没有摸牌" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_what_decides_who_pays_is_a_question_until_it_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "和 甲 乙 3s(111m)(222m)(EEE)(888p)+3s"
    typed = iter([line, "张三", "乙 乙", "乙 乙 乙 乙", line, "", "再来", "q"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.argv", ["quepu", "match", str(tmp_path / "m.json"), "--rules", "lingque-26"])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr()
    assert "没看懂“张三”" in printed.err
    assert "有 4 副碰杠，写了 2 个名字" in printed.err
    assert printed.out.count("1. 甲 和 42 点") == 1
    assert printed.err.endswith("m-2.json\n")  # the file that is open now
    assert next(typed, None) is None
    typed = iter([line])

    def end(_prompt: str) -> str:
        for one in typed:
            return one
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    monkeypatch.setattr("sys.argv", ["quepu", "match", str(tmp_path / "n.json")])
    with pytest.raises(SystemExit):
        main()
    assert "是谁打的" in capsys.readouterr().err


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


@pytest.mark.parametrize(("rules", "named"), [("lingque", False), ("yuque", False), ("guobiao", True)])
def test_a_round_wind_is_named_where_a_book_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rules: str, named: bool
) -> None:
    assert run(monkeypatch, "流局\n" * 4, "match", str(tmp_path / "t.json"), "--rules", rules) == 0
    out = capsys.readouterr().out
    assert "第 2 圈" in out
    assert ("南风圈" in out) == named
