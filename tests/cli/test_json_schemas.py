"""Every command with --json has a schema in docs/reference/json, and what it prints is valid by it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.run import Result
from tests.cli.test_arguments import commands
from tests.golden.test_logs import LOGS

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "json"
HAND, WAITING, WHOLE = "11223sCC(NNNN)(123s)+3s", "123m456p789sCCEE", "123m456p789sCCEEE"
RANDOM = "random,random,random,random"


def schema(words: str) -> Draft202012Validator:
    """The schema of a command; those of `lab` print tables of one form."""
    name = "lab" if words.startswith("lab ") else words.replace(" ", "-")
    return Draft202012Validator(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def check(words: str, document: Any) -> None:
    schema(words).validate(document)


def words_with_json() -> set[str]:
    """The commands that take --json, without the program's name."""
    return {
        words.removeprefix("quepu ")
        for words, command in commands().items()
        if any("--json" in param.opts for param in command.params)
    }


LINES: list[list[str]] = [
    ["benchmark", "--tasks", "read", "--cases", "3", "-c", "sum", "-c", "exec:false"],
    ["benchmark", "-c", "random", "--tasks", "discard", "--walls", "2", "-r", "canton"],
    ["books"], ["books", "canton"], ["cache"], ["conformance", "lingque-26"],
    ["match", "score.json", "--names", "a,b,c,d"],
    ["data", "-r", "canton", "-b", RANDOM, "-n", "1", "-o", "a.npz"], ["data", "--log", "log.jsonl", "-o", "b.npz"],
    ["data", "--log", "log.jsonl", "--rows", "decisions", "-o", "b.csv"],
    ["ask", WHOLE, "-p", "0"], ["ask", WHOLE, "-p", "8"],
    ["gauntlet", "-r", "canton", "-b", "random", "-n", "1"], ["duplicate", "score", "results.csv"],
    ["diff", "lingque-26", "lingque-29"], ["diff", "guobiao", "canton"],
    ["diff", "yuque", "guobiao", "123m456p789sCCEE+E"],
    ["diff", "lingque-26", "lingque-29", HAND, "--seat", "N"],
    ["fans", "-r", "canton"], ["fans", "-r", "yuque"], ["fans", "三杠", "-r", "guobiao"],
    ["fans", "杠", "-r", "lingque"],
    ["points-table"], ["points-table", "yuque"], ["rules", "canton"], ["rules", "guobiao", "--list"],
    ["rulings", "canton"], ["rulings", "lingque", "LQ14"], ["rulings", "yuque", "--open"],
    ["seating", "12", "--rounds", "4"], ["seating", "9", "--rounds", "2", "--odd", "rest"],
    ["simulate", "-r", "guobiao", "-b", RANDOM, "-n", "2"],
    ["simulate", "-r", "canton", "-b", "random,random,closed,closed", "-n", "1", "--all-seatings"],
    ["stats", "."], ["stats", "log.jsonl"], ["verify", "log.jsonl"],
    ["lab", "find", "lingque-29", "--with", "清一色", "--near", "19m"],
    ["lab", "calibrate", "guobiao-mcr", "-t", "people"],
    ["lab", "suggest", "guobiao-mcr", "--law", "rare", "--fan", "大四喜", "--to", "10"],
    ["lab", "duel", "guobiao", "guobiao-mcr", "-b", RANDOM, "-n", "2"],
    ["lab", "seats", "canton", "-b", "random", "-n", "1"],
    *(
        line
        for book in ("lingque-26", "lingque-29", "yuque-54", "guobiao", "guobiao-mcr", "canton")
        for line in (
            ["score", HAND, "-r", book, "--seat", "N"], ["score", HAND, "-r", book, "--self-draw", "-x"],
            ["score", WHOLE, "-r", book], ["score", "123m456p789sCCEEN", "-r", book],
            ["waits", WAITING, "-r", book], ["waits", WHOLE, "-r", book], ["waits", "19m19p19sESWNCFP", "-r", book],
            ["waits", "123m456p11s(CCC)EE", "-r", book], ["waits", "2m5m8m1p4p7p3s6s9sESWN", "-r", book],
        )
    ),
]  # fmt: skip
TWINS = [
    *(line for line in LINES if "-r" in line and {"lingque-26", "guobiao-mcr"} & {*line}),  # a family's other book
    ["ask", WHOLE, "-p", "0"],  # a part of what is printed with `-p 8`
]
ELSEWHERE = {
    "explore",  # tests/test_explorer.py: it asks a store
    "review",  # tests/review: half a minute for a hand
    "admin accounts", "admin audit", "admin find", "admin rooms",  # tests/server/test_admin.py
    *(f"lab {name}" for name in (
        "check", "compare", "implications", "overlap", "points", "rarity", "redundant", "residues"
    )),  # of the form of the other tables: they share one writer, and every state of a book takes seconds
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log, the current one."""
    (tmp_path / "log.jsonl").write_bytes(gzip.decompress(LOGS[0].read_bytes()))
    results = [f"1,{table},{seat},{seat}{table},0" for table in (1, 2) for seat in "ESWN"]
    (tmp_path / "results.csv").write_text("\n".join(["hand,table,seat,name,points", *results]), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_has_a_schema_and_an_output() -> None:
    shown = {" ".join(line[:2]) if line[0] == "lab" else line[0] for line in LINES}
    assert words_with_json() == shown | ELSEWHERE
    names = {"lab" if words.startswith("lab ") else words.replace(" ", "-") for words in words_with_json()}
    assert {path.stem for path in FOLDER.glob("*.json")} == names | {"error"}
    for path in FOLDER.glob("*.json"):
        Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        pytest.param(line, lang, id=" ".join((*line, lang)), marks=[pytest.mark.long] * ((i + j) % 2 or line in TWINS))
        for i, line in enumerate(LINES)
        for j, lang in enumerate(("zh", "en"))
    ],
)
def test_what_is_printed_is_valid(quepu: Any, folder: Path, line: list[str], lang: str) -> None:
    done: Result = quepu("--lang", lang, *line, "--json")
    assert done.code in (0, 1), done.out
    found = schema(" ".join(line[:2]) if line[0] == "lab" else line[0])
    found.validate(done.json)
    if isinstance(done.json, dict):  # the schema is not empty: an unknown key is refused, and half of the document
        keys = list(done.json)
        assert not found.is_valid({**done.json, "more": 1})
        assert len(keys) == 1 or not found.is_valid({keys[0]: done.json[keys[0]]})


@pytest.mark.parametrize("line", [["score", "123m"], ["fans", "x"], ["verify", "missing"], ["lab", "rarity", "x"]])
def test_a_refusal_is_valid(quepu: Any, folder: Path, line: list[str]) -> None:
    done: Result = quepu(*line, "--json")
    assert done.code == 2
    check("error", done.json)
