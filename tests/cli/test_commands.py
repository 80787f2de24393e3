"""The commands as a stranger types them: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cli.run import HAND, outside

WRITINGS = [
    HAND,
    "1 1 2 2 3 s C C (NNNN) (123s) + 3 s",
    "cc11223s(321s)(nnnn)+3s",
    "55z11223s(4444z)(123s)+3s",
    "一索一索二索二索三索中中(北北北北)(一索二索三索)+三索",
    "一一二二三条红中红中（北风北风北风北风）（123条）＋三条",
    "１１２２３ｓＣＣ（ＮＮＮＮ）（１２３ｓ）＋３ｓ",
    "🀐🀐🀑🀑🀒🀄🀄(🀃🀃🀃🀃)(🀐🀑🀒)+🀒",
    "11223S CC (123)s (NNNN) + 3S",
    "(NNNN)(123s)11223sCC+3s",
]


# ---- score


@pytest.mark.parametrize("text", WRITINGS)
def test_a_hand_scores_the_same_in_every_writing(quepu: Any, text: str) -> None:
    result = quepu("score", text, "--seat", "N", "--json")
    assert result.code == 0
    assert result.json["points"] == 270
    assert result.json["parts"] == {"fu": 54, "fan": 5}


def test_a_hand_may_come_in_several_words(quepu: Any) -> None:
    assert quepu("score", "11223s", "CC", "(NNNN)", "(123s)", "+3s", "-s", "N", "--json").json["points"] == 270
    assert "听 2 种 4 张" in quepu("waits", "123m", "456p", "789s", "CCEE").out


def test_a_score_is_printed_with_its_arithmetic(quepu: Any) -> None:
    result = quepu("score", HAND, "-s", "北", "-z", "-w", "岭上开花", "-f", "春")
    assert result.code == 0
    assert result.err == ""
    for text in (
        "门风北",
        "自摸",
        "岭上开花",
        "花牌 春",
        "三同顺",
        "复合跳翻",
        "62 副 5 翻 310 点",
        "合计 312 点",
        "不计：自摸",
    ):
        assert text in result.out, text
    assert "和自家开杠后" not in result.out


def test_explain_adds_sentences_and_reasons(quepu: Any) -> None:
    result = quepu("score", HAND, "-s", "N", "-z", "-w", "岭上开花", "--explain")
    assert "和牌中恰有三副同色同数的顺子" in result.out
    assert "岭上开花不计自摸" in result.out


def test_a_hand_below_the_minimum_is_an_answer(quepu: Any) -> None:
    result = quepu("score", "234m678p(345s)(EEE)9s+9s", "-s", "S")
    assert result.code == 0
    assert "不够起和：起和 10 点" in result.out


def test_json_is_the_only_thing_on_standard_output(quepu: Any) -> None:
    result = quepu("score", HAND, "--json", "--explain", "--lang", "en")
    assert result.json["valid"] is True
    assert {"counted", "suppressed", "others", "steps"} <= set(result.json)
    assert "how" in result.json
    assert result.err == ""


def test_categories_are_named_in_the_language_that_is_chosen(quepu: Any) -> None:
    assert "equal chows" in quepu("score", HAND, "--lang", "en").out
    assert "equal chows" in quepu("fans", "三同顺", "--lang", "en").out
    assert quepu("fans", "-c", "equal chows", "--lang", "en").out == quepu("fans", "-c", "部分一致", "--lang", "en").out
    assert "there are: luck, special" in quepu("fans", "-c", "nothing", "--lang", "en").err


def test_the_package_can_be_run() -> None:
    done = subprocess.run([sys.executable, "-m", "quepu", "--version"], capture_output=True, check=True, timeout=300)
    assert done.stdout.startswith(b"quepu ")


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_help_names_every_level_of_the_bots(quepu: Any, command: str) -> None:
    from quepu.bots import LEVELS

    assert " ".join(LEVELS) in " ".join(quepu(command, "--help", "--lang", "en").out.split())


@pytest.mark.parametrize(("command", "walls"), [("simulate", True), ("data", False), ("lab seats", False)])
def test_help_speaks_of_walls_where_they_are_played_again(command: str, walls: bool) -> None:
    shown = outside(*command.split(), "--help", "--lang", "en").out  # a process has one language
    assert ("of walls, with --all-seatings" in " ".join(shown.split())) == walls


# ---- lines of JSON


def request(**more: object) -> str:
    return json.dumps({"hand": HAND, **more}, ensure_ascii=False)


def test_lines_in_lines_out(tmp_path: Path) -> None:
    right = [
        request(seat="N", self_draw=True, circumstances=["岭上开花"], flowers=["春"]),
        HAND,
        request(rules="guobiao", flowers=2),
    ]
    wrong = {
        "": "这一行是空的",
        request(hand="11223sCC(NNNN)(123s)+3x"): "不认识“x”",
        "  ": "这一行是空的",
        request(hand=5): "“hand”应是一段文字",
        '{"hnd": "x"}': "不认识“hnd”",
        "{}": "缺少“hand”",
        "{not json": "不是正确的 JSON",
        "[1, 2]": "数字 1 后没有花色",
        '"x"': "应是一个 JSON 对象",
        request(rules=["guobiao"]): "“rules”应是规则的名称",
        request(self_draw="yes"): "true 或 false",
        request(circumstances="岭上开花"): "名称的列表",
        request(circumstances=[None]): "没有“None”",
        request(seat=1): "没有“1”这个风位",
        request(flowers=[["春"]]): "这张花牌",
        "\ufffd": "不认识",
        "[" * 100_000: "括号里不能再有括号",
        '{"hand":' * 100_000: "不是正确的 JSON",
    }
    text = "\n".join([*right, *wrong])
    path = tmp_path / "hands.jsonl"
    path.write_text(text, encoding="utf-8")
    by_file = outside("score", "--jsonl", str(path))
    by_pipe = outside("score", "--jsonl", "-", stdin=text)
    assert by_file.code == by_pipe.code == 0
    assert by_file.out == by_pipe.out
    numbers = [i + 1 for i in range(len(right), len(right) + len(wrong))]
    listed = ", ".join(map(str, numbers[:10])) + (" …" if len(numbers) > 10 else "")
    assert f"{len(wrong)} 行无法计算（原因见答案）：第 {listed} 行。" in by_file.err
    answers = [json.loads(line) for line in by_file.out.splitlines()]
    assert [a["valid"] for a in answers] == [True] * len(right) + [False] * len(wrong)
    assert (answers[0]["points"], answers[0]["total"]) == (310, 312)
    assert answers[2]["total"] == answers[2]["points"] + 2
    assert answers[4]["at"] == 22
    for answer, sentence in zip(answers[len(right) :], wrong.values(), strict=True):
        assert sentence in answer["error"]


@pytest.mark.slow
def test_a_hundred_thousand_lines_need_no_more_memory_than_ten_thousand(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    peaks = []
    for n in (10_000, 100_000):  # both are scored many at a time
        path.write_text((HAND + "\n") * n, encoding="utf-8")
        code = (
            "import resource, sys; from quepu.cli import run; run(['score', '--jsonl', sys.argv[1]]);"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True)
        assert done.stdout.count(b"\n") == n
        peaks.append(int(done.stderr))
    assert peaks[1] < peaks[0] * 1.1


# ---- waits


def test_waits_of_thirteen_tiles(quepu: Any) -> None:
    result = quepu("waits", "123m456p789sCCEE")
    assert result.code == 0
    assert "听 2 种 4 张" in result.out
    answer = quepu("waits", "123m456p789sCCEE", "--json", "--seen", "EE").json
    assert [(wait["tile"], wait["left"]) for wait in answer["waits"]] == [("E", 0), ("C", 2)]
    assert "四张都已见到" in answer["waits"][0]["reason"]


def test_waits_of_fourteen_tiles_and_of_a_hand_that_is_not_ready(quepu: Any) -> None:
    for hand in ("2345678m234p559s+1m", "2345678m234p559s1m"):
        result = quepu("waits", hand)
        assert result.code == 0
        assert "打" in result.out and "听牌" in result.out
        choices = quepu("waits", hand, "--json").json["choices"]
        assert choices[0]["discard"] == "9s"
        assert [wait["tile"] for wait in choices[0]["waits"]] == ["3m", "6m", "9m"]
    result = quepu("waits", "147m2358p36sEESW")
    assert "步听牌" in result.out
    assert "种打法更远" in quepu("waits", "2345678m234p559s1m").out
    assert "种打法更远" not in quepu("waits", "2345678m234p559s1m", "--all").out


# ---- fans, books, diff


def test_fans(quepu: Any) -> None:
    table = quepu("fans")
    assert table.code == 0
    assert table.out.count("\n") > 70
    one = quepu("fans", "三连刻")
    assert "24 副 3 翻" in one.out and "牌例" in one.out and "差一点（不成立）" in one.out
    assert quepu("fans", "Three Pungs In A Row", "--json").json["name"] == "三连刻"
    answer = quepu("fans", "--json").json
    assert (answer["id"], len(answer["fans"])) == ("lingque-29", 74)
    assert {fan["category"] for fan in quepu("fans", "-c", "花色", "--json").json["fans"]} == {"花色"}


def test_books(quepu: Any) -> None:
    answer = quepu("books", "--json").json
    assert {"lingque-29", "lingque-26", "yuque-54", "guobiao", "canton"} <= {book["id"] for book in answer}
    assert "lingque-29" in quepu("books").out
    one = quepu("books", "广东")
    assert "钟鼓齐鸣" in one.out and "妙手回春=海底捞月" in one.out and "minimum" in one.out
    assert len(quepu("books", "canton", "--json").json["options"]) > 10
    assert quepu("books", "x").code == 2
    assert quepu("books", "x", "--json").json["valid"] is False


def test_diff(quepu: Any) -> None:
    answer = quepu("diff", "lingque-26", "lingque-29", "--json").json
    assert [fan["name"] for fan in answer["added"]] == ["五门齐"]
    assert {fan["name"] for fan in answer["removed"]} == {"大七星", "连七对", "镜龙会"}
    values = {change["name"]: change["value"] for change in answer["changed"] if change["value"]}
    assert values["四同顺"] == [{"fu": 128, "fan": 6}, {"fu": 96, "fan": 6}]
    result = quepu("diff", "lingque-26", "lingque-29")
    assert "新增 1" in result.out and "128 副 6 翻 → 96 副 6 翻" in result.out
    assert "完全相同" in quepu("diff", "lingque-29", "lingque-29").out


def test_diff_of_one_hand(quepu: Any) -> None:
    result = quepu("diff", "lingque-29", "guobiao", HAND, "-s", "N")
    assert "三同顺" in result.out and "一色三同顺" in result.out
    answer = quepu("diff", "lingque-29", "guobiao", "147m258p369sESWN+F", "--json").json
    assert [score["valid"] for score in answer["hand"]] == [True, True]
    answer = quepu("diff", "lingque-29", "guobiao", "123m456m789m12pEE+E", "--json").json
    assert [score["valid"] for score in answer["hand"]] == [False, False]
    assert "不能和" in quepu("diff", "lingque-29", "guobiao", "123m456m789m12pEE+E").out


@pytest.mark.parametrize(
    ("more", "zh", "en"),
    [
        (["-w", "海底捞月"], "灵雀（第二十九版）：“海底捞月”只在自摸时成立", "Lingque, 29th edition: '"),
        (["-w", "海底捞月", "-z"], "国标麻将：“海底捞月”是和别家的牌", "MCR (original text): "),
        (["-w", "没有的"], "错误：国标麻将没有“没有的”这种和牌情形", "error: MCR"),
        (["-s", "X"], "错误：没有“X”这个风位", "error: no wind"),
        (["-f", "9"], "错误：花牌有 0 到 8 张", "error: "),
    ],
)
def test_diff_says_which_book_refuses_a_hand(quepu: Any, more: list[str], zh: str, en: str) -> None:
    args = ["diff", "guobiao", "lingque", "123m456p789sCCEE+E", *more]
    result = quepu(*args)
    assert (result.code, zh in result.err) == (2, True), result.err
    assert en in quepu(*args, "--lang", "en").err


# ---- house rules


def test_house_rules_from_a_file(quepu: Any, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'base = "lingque-29"\ntitle = "本社"\nminimum = 500\n[values]\n"三同顺" = { fu = 40 }', encoding="utf-8"
    )
    result = quepu("score", HAND, "-s", "N", "--rules", str(path))
    assert "本社" in result.out and "不够起和：起和 500 点" in result.out
    assert quepu("score", HAND, "-s", "N", "-r", str(path), "--json").json["parts"]["fu"] == 62
    changed = quepu("diff", "lingque-29", str(path), "--json").json
    assert changed["minimum"] == [10, 500]
    assert [change["name"] for change in changed["changed"]] == ["三同顺"]


# ---- the program itself


HELPED = [[], ["score"], ["waits"], ["fans"], ["books"], ["diff"], ["shell"], ["completion"]]


def test_help_has_both_languages() -> None:
    """One process for each language, which shows the help of every command."""
    for flag, lang, begins, says in (
        ("--help", "zh", "用法：quepu", "显示帮助"),
        ("-h", "en", "Usage: quepu", "Show this help."),
    ):
        lines = [[*command, flag] for command in HELPED]
        code = f"from quepu.cli import run\nfor line in {lines!r}:\n    print(f'code {{run(line)}}')"
        env = {**os.environ, "COLUMNS": "110", "QUEPU_LANG": lang}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=300, env=env)
        *shown, rest = done.stdout.decode().split("code 0\n")
        assert (len(shown), rest) == (len(HELPED), ""), done.stdout.decode()
        for command, text in zip(HELPED, shown, strict=True):
            assert text.startswith(" ".join([begins, *command])) and says in text, command


def test_version_and_completion() -> None:
    assert outside("--version").out.startswith("quepu ")
    assert "_QUEPU_COMPLETE" in outside("completion", "bash").out
    env = {"_QUEPU_COMPLETE": "bash_complete", "COMP_WORDS": "quepu score --rules y", "COMP_CWORD": "3"}
    assert "yuque-54" in outside(**env).out
    env = {"_QUEPU_COMPLETE": "bash_complete", "COMP_WORDS": "quepu ", "COMP_CWORD": "1"}
    assert "score" in outside(**env).out


def test_help_imports_no_rulebook_and_nothing_heavy() -> None:
    code = (
        "import sys; from quepu.cli import run; run(['--help']);"
        "heavy = ('numpy', 'pydantic', 'quepu.rulebooks.'); sys.exit(any(m.startswith(heavy) for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(("tiles", "seen"), [("cells", "北"), ("unicode", "🀃"), ("ascii", "N")])
def test_tiles_can_be_drawn_in_three_ways(quepu: Any, tiles: str, seen: str) -> None:
    assert seen in quepu("score", HAND, "--tiles", tiles).out.split("\n")[1]


def test_colour_only_where_it_is_wanted() -> None:
    coloured = outside("score", HAND, FORCE_COLOR="1", TERM="xterm-256color")
    plain = outside("score", HAND, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[" in coloured.out
    assert "48;5" not in plain.out and "38;5" not in plain.out
    assert "\x1b[" not in outside("score", HAND).out


@pytest.mark.parametrize("tone", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "unknown"}])
def test_the_winning_tile_stands_out_in_its_group_without_colours_too(tone: dict[str, str]) -> None:
    made = outside("score", HAND, **({"FORCE_COLOR": "1", "TERM": "xterm"} | tone if tone else {}))
    assert "+3s" in re.sub(r"\x1b\[[\d;]*m", "", made.out).splitlines()[2]


def test_a_category_excluded_is_named_as_one(quepu: Any) -> None:
    assert "其他一切番种（但可计偶然类的番种）" in quepu("fans", "九莲宝灯").out.replace(" ", "")


def test_nothing_in_a_table_is_cut_off_where_the_window_is_narrow(quepu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    printed = quepu("diff", "lingque-26", "lingque-29", "111122223333m4m+4m").out
    for word in ("四同顺", "灵雀（第二十九版）", "162 副 8 翻 1296 点"):
        assert word in printed
    canton = quepu("books").out.partition("canton (")[2]
    assert re.search(r"149[\s\S]* (\d+)/\1\s", canton), "all of its cases pass, and the count is not cut off"
    assert "和牌得" in quepu("points-table", "yuque-54", "--most", "5").out
    printed = quepu("fans", "三连刻").out
    assert "…" not in printed
    monkeypatch.setenv("COLUMNS", "60")
    assert max(cell_len(line) for line in quepu("fans").out.splitlines()) <= 60  # what can be fitted in is


@pytest.mark.parametrize(
    ("lang", "usage"), [("zh", "用法：quepu [选项] 命令 [参数]..."), ("en", "Usage: quepu [OPTIONS] COMMAND [ARGS]...")]
)
def test_help_speaks_the_language(quepu: Any, lang: str, usage: str) -> None:
    assert quepu("--lang", lang, "--help").out.startswith(usage)
    assert "[0–256]" in quepu("--lang", lang, "score", "--help").out
