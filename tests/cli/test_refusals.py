"""What the command line refuses: one sentence, a caret where there is a place, exit code 2 and no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import HAND, outside

WRONG: list[tuple[list[str], str, int | None]] = [
    ([""], "请写一手牌", None),
    (["11223sCC(NNNN)(123s)+3x"], "不认识“x”", 22),
    (["11223sCC(NNNN)(123s)+3"], "数字 3 后没有花色", 21),
    (["11223sCC(NNNN)(123s)"], "没写和张", None),
    (["11111sCC(NNNN)(123s)+3s"], "一索有 6 张", 4),
    (["1122sCC(NNNN)(123s)+3s"], "连和的牌应有 8 张手牌，实有 7 张", 22),
    (["11223sCC(NNNN)(135s)+3s"], "(135s) 不是顺子、刻子或杠", 14),
    (["11223sCC(ESW)(123s)+3s"], "字牌不能组成顺子", 8),
    (["11223sCC[NNN](123s)+3s"], "应有 4 张，实有 3 张", 8),
    (["11223sCC(NNNN(123s)+3s"], "括号里不能再有括号", 13),
    (["11223sCC(NNNN)(123s)+"], "+ 后面没有和的牌", 20),
    (["11229sCC(NNNN)(123s)+3s"], "不成和牌形", None),
    (["1111m2233p4455s6s+6s"], "不成和牌形：七对要七个互不相同的对子", None),
    (["1111m2233p4455s6s+7s"], "不成和牌形。", None),
    (["1111m2233p4455s6s+6s", "--rules", "yuque"], "不成和牌形。", None),
    ([HAND, "--seat", "X"], "没有“X”这个风位", None),
    ([HAND, "--rules", "nothing"], "没有规则“nothing”", None),
    ([HAND, "--rules", "nothing.toml"], "读不了规则文件", None),
    ([HAND, "--with", "岭上花"], "是不是岭上开花", None),
    ([HAND, "--with", "岭上开花"], "“岭上开花”只在自摸时成立", None),
    ([HAND, "--with", "抢杠", "-z"], "不能同时是自摸", None),
    ([HAND, "--with", "天和", "-z"], "不能有副露或杠", None),
    (["123m456p789sEEEN+N", "--with", "天和", "-z", "-s", "S"], "只属于庄家", None),
    ([HAND, "--with", "海底捞月"], "只在自摸时成立", None),
    ([HAND, "--flowers", "9"], "花牌有 0 到 8 张", None),
    ([HAND, "--flowers", "春春"], "写了两次", None),
]


@pytest.mark.parametrize(("args", "zh", "at"), WRONG)
def test_wrong_input_gets_a_sentence_and_exit_code_2(quepu: Any, args: list[str], zh: str, at: int | None) -> None:
    result = quepu("score", *args)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("错误：")
    assert zh in result.err
    if at is not None:
        caret = result.err.rstrip("\n").split("\n")[-1]
        assert caret == " " * (2 + at) + "^"
    as_json = quepu("score", *args, "--json")
    assert as_json.code == 2
    assert as_json.json == {"valid": False, "error": as_json.json["error"], "at": at}
    assert zh in as_json.json["error"]
    english = quepu("score", *args, "--lang", "en")
    assert english.code == 2
    assert english.err.startswith("error: ")


def test_a_hand_that_is_no_win_is_described(quepu: Any) -> None:
    assert "去掉和张，它听：3s" in quepu("score", "11223sCC(NNNN)(123s)+4s").err
    assert "差 2 步听牌" in quepu("score", "147m2358p36sEESW+E").err
    assert "打一张就听牌" in quepu("score", "123m456m789m123pES").err


def test_the_caret_stands_under_wide_characters(quepu: Any) -> None:
    result = quepu("score", "一万二筒错")
    assert result.err.rstrip("\n").split("\n")[-1] == " " * (2 + 8) + "^"


@pytest.mark.parametrize(
    ("args", "zh"),
    [
        (["scroe"], "没有命令“scroe”，是不是 score"),
        (["xyz"], "没有命令“xyz”。"),
        (["score", HAND, "--jsom"], "没有选项 --jsom，是不是 --json"),
        (["roster", "r.json", "seat", "-fW0.json", "何", "周"], "没有选项 -f。如果“-fW0.json”是名字，前面先写 --。"),
        (["roster", "r.json", "rename", "b", ""], "名字不能是空的"),
        (["roster", "r.json", "add", ""], "名字不能是空的"),
        (["roster", "r.json", "rename", "b", "x" * 41], "名字最多 40 字"),
        (["roster", "r.json", "rename", "b", "x\n"], "名字里有无法保存的字符"),
        (["roster", "r.json", "add", "b", "x" * 41], "备注最多 40 字"),
        (["roster", "r.json", "undo", "!"], "没有这条改动"),
        (["roster", "r.json", "seat", "", "何", "周"], "请写明是哪一桌的文件"),
        (["lab", "rarity", "canton", "--csv", "-", "--markdown", "-"], "标准输出只能放一样"),
        (["books", "canton", "more"], "多余的参数：more"),
        (["score", HAND, "more"], "“m”前没有数字"),
        (["score", "--rules"], "--rules 后面要有一个值"),
        (["diff", "lingque-29"], "缺少 NEW"),
        (["completion", "tcsh"], "shell 只能是 bash / zsh / fish / powershell"),
        (["score", HAND, "--lang", "fr"], "--lang 只能是"),
        (["score", HAND, "--tiles", "x"], "--tiles 只能是"),
        (["score", "--jsonl", "-z"], "每行自带"),
        (["score", "--jsonl", "/nowhere/x.jsonl"], "读不了 /nowhere/x.jsonl"),
        (["fans", "三色"], "是不是三色同顺、三色连刻、三色步高、三色连环、三色贯通"),
        (["fans", "没有的"], "没有“没有的”这个番种"),
        (["fans", "--category", "没有的"], "没有“没有的”这一类，现有：偶然"),
        (["books", "没有的"], "没有规则“没有的”"),
        (["waits", ""], "请写 13 张手牌"),
        (["waits", "123m"], "应有 13 张手牌"),
        (["waits", "123m456p789sEEEN", "--seen", "NNNN"], "张北"),
        ([HAND, "--tiles"], "--tiles 只能是"),
        (["lab", "raritee"], "没有命令“raritee”，是不是 rarity"),
        (["lab", "rarity", "nothing"], "没有规则“nothing”"),
        (["lab", "rarity", "lingque-29", "--csv", "/nowhere/x.csv"], "没有目录 /nowhere"),
        (["lab", "report", "lingque-29", "-o", "x.pdf"], "x.pdf：文件名应以 .html 结尾"),
        (["lab", "rarity", "lingque-29", "--csv", "/"], "写不了 /：这是一个目录"),
        (["score", "--jsonl", "--jobs", "9" * 5000], "--jobs 应是 0 到 256 的整数"),
        (["points-table", "yuque-54", "--most", "9" * 5000], "--most 应是 0 到 1000 的整数"),
        (["simulate", "-n", "0"], "--hands 应是不小于 1 的整数"),
        (["simulate", "-n", "2", "--jobs", "-3"], "--jobs 应是 0 到 256 的整数"),
        (["simulate", "-n", "2", "--csv", "/nowhere/x.csv"], "没有目录 /nowhere"),
        (["simulate", "-n", "2", "-b", "exec:,plain,plain,plain"], "没有写机器人的命令"),
        (["simulate", "-n", "2", "-b", 'exec:"x,plain,plain,plain'], "引号不成对"),
        (["serve", "--port", "x"], "--port 应是 0 到 65535 的整数"),
        (["play", "--rounds", "x"], "--rounds 应是 1 到 16 的整数"),
        (["play", "--log", "/nowhere/x/y.jsonl"], "写不了 /nowhere/x/y.jsonl：没有这个文件或目录"),
        (["verify", "/nowhere"], "读不了 /nowhere：没有这个文件或目录"),
        (["review", "/"], "读不了 /：这是一个目录"),
        (["match", "x.json", "--rounds", "-2"], "--rounds 应是 0 到 16 的整数"),
        (["match", "/nowhere/x.json", "--names", "x" * 41 + ",b,c,d"], "名字最多 40 字"),
    ],
)
def test_wrong_commands_get_a_sentence_and_exit_code_2(quepu: Any, args: list[str], zh: str) -> None:
    result = quepu(*args)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("错误：")
    assert zh in result.err
    assert "internal" not in result.err
    as_json = quepu(*args, "--json")
    assert as_json.code == 2
    assert as_json.json["valid"] is False
    assert as_json.json["error"] in as_json.err


def test_refusals_are_documents_where_json_is_wanted(quepu: Any) -> None:
    result = quepu("score", "--jsonl", "--json")
    assert result.code == 2
    assert "不与 --json 同用" in result.json["error"]
    assert "there is no folder /nowhere" in quepu("lab", "points", "canton", "--csv", "/nowhere/x", "--lang", "en").err


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "-n", "2", "--csv", "-"],
        ["seating", "9", "--csv", "-"],
        ["stats", ".", "--csv", "-"],
        ["lab", "rarity", "lingque-29", "--csv", "-"],
        ["lab", "points", "lingque-29", "--markdown", "-"],
        ["lab", "compare", "lingque-26", "lingque-29", "--csv", "-"],
        ["lab", "duel", "lingque-26", "lingque-29", "-n", "2", "--csv", "-"],
    ],
)
def test_a_table_and_a_document_do_not_share_standard_output(quepu: Any, words: list[str]) -> None:
    result = quepu(*words, "--json")
    assert result.code == 2
    assert "标准输出" in result.json["error"]


def test_a_table_in_a_file_leaves_the_document(quepu: Any, tmp_path: Path) -> None:
    result = quepu("seating", "9", "--csv", str(tmp_path / "x.csv"), "--json")
    assert len(result.json["rounds"]) == 4
    assert (tmp_path / "x.csv").read_text().startswith("round,table")
    log = Path(__file__).parents[1] / "golden" / "0.1.0-6de8d95"
    result = quepu("stats", str(log), "--csv", str(tmp_path / "y.csv"), "--json")
    assert len(result.json["players"]) + 1 == len((tmp_path / "y.csv").read_text().splitlines())


def test_a_house_rule_that_is_no_text_is_an_error_of_the_scorekeeper(quepu: Any, tmp_path: Path) -> None:
    (tmp_path / "bin.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "bad.toml").write_text('base = "lingque-29"\nminimun = 3', encoding="utf-8")
    assert "不是 UTF-8 文本" in quepu("match", str(tmp_path / "m.json"), "--rules", str(tmp_path / "bin.toml")).err
    printed = quepu("match", str(tmp_path / "m.json"), "--rules", str(tmp_path / "bad.toml")).err
    assert "bad.toml 第 2 行" in printed
    assert not (tmp_path / "m.json").exists()
    assert "写不了 /nowhere/x.json：没有这个文件或目录" in quepu("match", "/nowhere/x.json").err


def test_bytes_that_are_no_text_are_an_answer() -> None:
    result = outside("score", "--jsonl", stdin=b"\xff\xfe\x00\n" + HAND.encode() + b"\n")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [a["valid"] for a in answers] == [False, True]


def test_a_reader_that_stops_reading_is_no_error() -> None:
    hands = f"printf '%s\\n' {' '.join([repr(HAND)] * 50)}"
    scored = f"{sys.executable} -c 'from quepu.cli import main; main()' score --jsonl"
    done = subprocess.run(
        ["sh", "-c", f"{hands} | {scored} | head -n 1"], capture_output=True, check=False, timeout=300
    )
    assert done.stdout.count(b"\n") == 1
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (RuntimeError("x"), "程序内部出错（RuntimeError: x）"),
        (MemoryError("Unable to allocate"), "错误：内存不足。"),
        (ModuleNotFoundError("x", name="numpy"), "错误：这里需要 numpy：pip install 'quepu[batch]'。"),
        (FileNotFoundError(2, "No such file or directory", "x.db"), "错误：用不了 x.db：没有这个文件或目录。"),
    ],
)
def test_what_fails_within_is_reported_without_a_traceback(
    quepu: Any, monkeypatch: pytest.MonkeyPatch, fault: Exception, sentence: str
) -> None:
    def broken(args: list[str]) -> int:
        raise fault

    monkeypatch.setattr("quepu.cli._dispatch", broken)
    result = quepu("score", HAND)
    assert result.code == 1
    assert result.err.startswith(sentence)
    assert quepu("score", HAND, "--json").json["error"] in result.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is needed")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("args", [["fans"], ["fans", "--json"], ["books", "canton"], ["fans", "nothing", "--json"]])
def test_a_full_disk_is_a_sentence(args: list[str], unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from quepu.cli import main; main()", *args],
            stdout=full, stderr=subprocess.PIPE, check=False, timeout=300,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.decode() == "错误：输出中断：磁盘满了。\n"
