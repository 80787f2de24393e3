"""People's wins: the table is whole, used where fans are the same, and compared with bots'."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quepu.cli import run
from quepu.fast.universe.valued import census
from quepu.lab.played import against_people, load_simulated, people, people_table, played_bits
from quepu.lab.states import state
from quepu.rulebooks import book

DOCUMENT = Path(__file__).parents[2] / "docs" / "guide" / "lab.md"


def test_the_table_names_fans_of_its_book() -> None:
    table = people_table()
    own = book(table["rules"])
    assert len(table["fans"]) == 77
    assert all(own.fan(name).name == name for name in table["fans"])
    assert all(0 <= n <= table["wins"] for n in table["fans"].values())
    assert table["fans"]["清一色"] == 253
    assert table["source"]
    assert table["source_en"]


def test_only_books_with_the_same_fans_are_held_against_people() -> None:
    assert people(book("guobiao-mcr"))
    assert people(book("yuque-54")) == []
    assert against_people(book("lingque-29")) is None
    assert against_people(book("guobiao-mcr").having(minimum=9)) is None  # nobody has played it yet


def test_bots_are_a_bit_away_from_people(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = against_people(book("guobiao-mcr"))
    assert sheet is not None
    assert 0.8 < sheet.facts["rms"] < 1.3
    rows = {row[0]: row for row in sheet.rows}
    assert rows["碰碰和"][3] < -1
    assert rows["无番和"][3] > 1
    assert run(["lab", "calibrate", "guobiao-mcr", "-t", "people", "--lang", "en"]) == 0
    assert "not to be taken for people's" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("lingque-29", "灵雀 v29"), ("lingque-26", "灵雀 v26"), ("yuque-54", "玉雀"), ("guobiao-mcr", "国标"),
        ("canton", "广东"),
    ],
)  # fmt: skip
def test_the_slopes_that_the_document_prints(name: str, titles: str) -> None:
    rules = book(name)
    found = played_bits(census(rules, state("open-discard")), load_simulated(rules)).facts["simulated"]
    printed = next(line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith(f"| {titles}"))
    numbers = [float(n) for n in re.findall(r"[\d.]+", printed.split("|", 2)[2])]
    assert numbers == [
        round(found["slope"], 2), round(found["slope_se"], 2), found["fans"], pytest.approx(found["sd"], abs=0.006)
    ]  # fmt: skip


def test_the_style_like_people_is_nearer_to_them_than_the_expert_is() -> None:
    rules = book("guobiao-mcr")
    expert, style = against_people(rules), against_people(rules, like_people=True)
    assert expert is not None
    assert style is not None
    assert style.facts["rms"] < 0.6 < expert.facts["rms"]
    assert style.facts["fans"] >= expert.facts["fans"]
    same = {row[0] for row in expert.rows}
    mine = [row[3] for row in style.rows if row[0] in same]
    assert sum(bits**2 for bits in mine) / len(mine) < 0.6**2
