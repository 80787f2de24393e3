"""Who chose English reads English: beside the book's own names stand the English ones, in data too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import quepu
from quepu.cli import run
from quepu.errors import HandError
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rulebooks import book_ids

HAN = re.compile(r"[\u3400-\u9fff]")
SCORED = "11223sCC(NNNN)(123s)+3s"


@pytest.fixture
def english() -> Iterator[None]:
    quepu.language("en")
    yield
    quepu.errors._chosen.clear()


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(data, dict):
        yield data
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(one)


LINES = [
    ("score", SCORED, "--seat", "N"),
    ("score", "2233445566778p+8p", "-x", "-r", "guobiao"),
    ("score", "11122233m11199p+9p", "-x", "-r", "yuque"),
    ("waits", "123m456p789sCCEE"),
    ("waits", "123m456p789sCCEEE"),
    ("fans", "清一色", "-r", "guobiao"),
    ("books", "canton"),
    ("diff", "lingque-26", "lingque-29", SCORED),
    ("diff", "guobiao", "guobiao-mil-2025"),
    ("simulate", "-n", "2", "-b", "plain,plain,plain,plain"),
]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_data_in_english_have_the_english_name_beside_each(line: tuple[str, ...], capsys: Any) -> None:
    """Fans and categories in Chinese have English beside them; in Chinese the keys are those that always were."""
    assert run(["--lang", "en", *line, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert run(["--lang", "zh", *line, "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    seen = 0
    for one, other in zip(objects(shown), objects(before), strict=False):
        assert set(other) - set(one) == set()
        for key, beside in (("fans", "english"), ("category", "category_english"), ("by", "by_english")):
            value = one.get(key)
            if isinstance(value, str | list) and value and HAN.search("".join(filter(str.__instancecheck__, value))):
                assert not HAN.search(str(one[beside])), one
                assert len(one[beside]) == len(value) or isinstance(value, str)
                seen += 1
        if "name" in one and "tile" not in one and "discard" not in one:
            assert not HAN.search(one["english"]), one
            seen += 1
    assert seen or line[0] in ("books", "simulate")


def test_what_holds_at_hands_in_data_is_the_same_in_either_language(capsys: Any) -> None:
    """A program that knows fans by their names in the book is not disturbed by the language."""
    found = {}
    for lang in ("zh", "en"):
        assert run(["--lang", lang, "score", SCORED, "--seat", "N", "--json"]) == 0
        found[lang] = json.loads(capsys.readouterr().out)
    assert [fan["name"] for fan in found["en"]["fans"]] == [fan["name"] for fan in found["zh"]["fans"]]
    assert found["zh"]["fans"][0] == {"name": "杠", "count": 1, "value": {"fu": 4, "fan": 1}}
    assert found["en"]["fans"][0] == {"name": "杠", "english": "one kong", "count": 1, "value": {"fu": 4, "fan": 1}}


@pytest.mark.parametrize("rules", book_ids())
def test_every_line_of_a_score_has_its_english_name(rules: str) -> None:
    book = quepu.book(rules)
    for fan in book.fans:
        if fan.example is None:
            continue
        lines = quepu.score(
            fan.example.hand, book, seat=fan.example.seat, round=fan.example.round, self_draw=fan.example.self_draw,
            circumstances=fan.example.circumstances, flowers=fan.example.flowers,
        ).fans  # fmt: skip
        assert all(line.english and not HAN.search(line.text.en) for line in lines), fan.name
        assert all(line.text.zh == str(line) for line in lines)


def test_seats_are_headed_by_winds_of_the_language(capsys: Any) -> None:
    heads = {}
    for lang in ("zh", "en"):
        assert run(["--lang", lang, "seating", "9"]) == 0
        heads[lang] = capsys.readouterr().out
    assert re.search(r"table +E +S +W +N", heads["en"]) and not HAN.search(heads["en"])
    assert re.search(r"桌 +东 +南 +西 +北", heads["zh"])


@pytest.mark.usefixtures("english")
def test_the_representation_of_an_error_is_in_the_language() -> None:
    wrong = HandError("缺少“hand”。", "'hand' is missing.")
    assert repr(wrong) == "HandError(\"'hand' is missing.\")"
    quepu.language("zh")
    assert repr(wrong) == "HandError('缺少“hand”。')"


@pytest.mark.parametrize(
    "line", [("waits", "123m456p789sCCEE"), ("fans", "缺一门", "-r", "guobiao"), ("score", SCORED, "-x")], ids=" ".join
)
def test_lists_of_fans_are_in_english(line: tuple[str, ...], capsys: Any) -> None:
    """Apart from the heading of a fan, which has both, and the book's own sentence."""
    assert run(["--lang", "en", *line]) == 0
    for printed in capsys.readouterr().out.splitlines():
        assert not HAN.search(printed) or re.match(r"\s*(\S+ )?[\u3400-\u9fff]", printed) or "book" in printed, printed


def test_rows_of_a_sheet_have_fans_in_english_too() -> None:
    cells = (
        SheetColumn("fan", quepu.Text("番种", "fan"), "fan"),
        SheetColumn("fans", quepu.Text("番种", "fans"), "fans"),
    )
    title = quepu.Text("表", "sheet")
    words = {"清一色": quepu.Text("清一色", "Full Flush"), "碰碰和": quepu.Text("碰碰和", "All Pungs")}
    sheet = Sheet("sheet", title, title, cells, [("清一色", "碰碰和、清一色×2"), (None, None)], words=words)
    assert sheet.to_json()["rows"] == [{"fan": "清一色", "fans": "碰碰和、清一色×2"}, {"fan": None, "fans": None}]
    first, empty = sheet.to_json("en")["rows"]
    assert first == {
        "fan": "清一色", "fan_english": "Full Flush",
        "fans": "碰碰和、清一色×2", "fans_english": "All Pungs, Full Flush ×2",
    }  # fmt: skip
    assert empty == {"fan": None, "fans": None}
