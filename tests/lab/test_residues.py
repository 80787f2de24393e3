"""Residues proposed from conditions alone, against the matrix that the seed's reasoning gave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quepu.cli import run
from quepu.errors import OverlayError
from quepu.lab import residues
from quepu.lab.group_changes import AskedFan, most_changes
from quepu.lab.residues import propose, residue_toml
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.residues import entries, residue
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.tiles import TileSet

STATED = {("数同", "清一色")}
"""The table of fans states this one, whatever hands need."""
UNFOUND = [("大四喜", "幺九四刻"), ("小四喜", "幺九三刻"), ("三风刻", "幺九三刻"), ("大三元", "幺九三刻")]
"""Pairs of which nothing is left, as the later fan is the earlier one's own pungs: no proposal is made."""
VARIANT = {"番牌": "番牌:中", "清一色": "清一色:索", "混一色": "混一色:索"}
QUICK = [("三步高", "清一色"), ("二般高", "二相逢"), ("双龙会", "镜同"), ("一般高", "数同"), ("双同刻", "幺九四刻")]
IN_FULL = [("三色贯通", "混一色"), ("三步高", "三色同顺"), ("三色连刻", "混带幺")]
KEPT = {"清一色", "混一色", "一般高", "一气贯通"}
"""Rows whose residues with a new fan quick tests look at; the others are left out of their file."""
LEFT_OUT = [fan.name for fan in YUQUE_54.fans if fan.name.partition(":")[0] not in KEPT]
FEW_ROWS = f'base = "yuque-54"\nwithout = {json.dumps(LEFT_OUT, ensure_ascii=False)}\n'
ROWS = [pytest.param(FEW_ROWS, id="few"), pytest.param('base = "yuque-54"\n', id="every", marks=pytest.mark.long)]
STEP = '[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\nclass = "连顺、连刻"\n'


def proposed(a: str, b: str) -> int | None:
    fans = [YUQUE_54.fan(VARIANT.get(name, name)) for name in (a, b)]
    groups = fans[1].own(YuqueExtra).groups
    found = most_changes(AskedFan(fans[0]), AskedFan(fans[1]), groups)
    return None if found is None else found[0]


@pytest.mark.parametrize(("a", "b"), [*QUICK, *IN_FULL])
def test_some_entries_follow_from_the_conditions(a: str, b: str) -> None:
    assert proposed(a, b) == residue(a, b)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b"), [pair for pair in entries() if pair not in {*STATED, *UNFOUND} and pair[1] != "门前清"]
)
def test_every_entry_follows_from_the_conditions(a: str, b: str) -> None:
    assert proposed(a, b) == residue(a, b)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), UNFOUND)
def test_no_proposal_is_made_for_four_pairs_that_leave_nothing(a: str, b: str) -> None:
    assert (proposed(a, b), residue(a, b)) == (None, 0)


@pytest.fixture(scope="module")
def _searched_once() -> Iterator[None]:
    """What conditions ask for does not depend on the residues in a file: it is searched once for all files here."""
    found: dict[tuple[str, str, int], Any] = {}

    def known(a: AskedFan, b: AskedFan, most: int) -> Any:
        key = a.fan.name, b.fan.name, most
        if key not in found:
            found[key] = most_changes(a, b, most)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(residues, "most_changes", known)
        yield


@pytest.mark.usefixtures("_searched_once")
@pytest.mark.parametrize("rows", ROWS)
def test_a_new_fan_is_proposed_its_residues_with_hands_that_show_them(rows: str) -> None:
    found = {(one.a, one.b): one for one in propose(read(rows + STEP), ["二步高"])}
    left = {pair: one.left for pair, one in found.items()}
    # 二步高 ties two chows of one suit, as 一般高 does
    assert left["二步高", "清一色"] == left["二步高", "混一色"] == residue("一般高", "清一色") == 4
    assert left["二步高", "一般高"] == 1
    assert left["一气贯通", "二步高"] == 1
    one = found["二步高", "混一色"]
    assert (one.groups, one.now) == (5, 5)
    assert one.before
    assert one.after
    assert one.before in one.why.zh


@pytest.mark.usefixtures("_searched_once")
@pytest.mark.parametrize("rows", ROWS)
def test_what_is_accepted_is_written_as_tables_of_the_file(rows: str) -> None:
    text = rows + STEP
    found = propose(read(text), ["二步高"])
    accepted = read(f"{text}\n{residue_toml(found)}")
    again = propose(accepted, ["二步高"])
    assert [one.left for one in again] == [one.now for one in again]
    assert residue_toml(again) == ""
    assert accepted.reasons["二步高", "混一色"].zh.startswith("最多改 4 次，如")
    overruled = read(f'{text}\n[residues."二步高"]\n"混一色" = 2')
    mine = next(one for one in propose(overruled, ["二步高"]) if (one.a, one.b) == ("二步高", "混一色"))
    assert (mine.left, mine.now) == (4, 2)


def test_only_books_that_add_by_residues_have_proposals() -> None:
    with pytest.raises(OverlayError, match="不按剩余数叠加"):
        propose(book("guobiao"), ["三色三同顺"])
    with pytest.raises(OverlayError, match="34 种牌"):
        propose(replace(YUQUE_54, tiles=TileSet(kinds=tuple(range(27)))), ["三步高"])


@pytest.mark.usefixtures("_searched_once")
def test_the_command_takes_a_file_and_shows_the_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "next.toml"
    file.write_text(FEW_ROWS + STEP, encoding="utf-8")
    assert run(["lab", "residues", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = told["tables"][0]["rows"] if "tables" in told else told["rows"]
    assert any(row["fan"] == "二步高" and row["later"] == "混一色" and row["proposed"] == "4/5" for row in rows)
    assert run(["lab", "residues", "yuque-54"]) == 2
