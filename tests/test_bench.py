"""The figures of the benchmarks: how they are compared and shown. Nothing is measured here."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch):
    before = list(sys.path)
    monkeypatch.syspath_prepend(str(BENCH))
    yield importlib.import_module("run")
    sys.modules.pop("run")
    sys.path[:] = before


STAMP = {"date": "2026-11-22", "commit": "abc", "load": 1.5, "cores": 2}


@pytest.mark.parametrize(
    ("value", "unit", "figure"),
    [
        (12.54e-6, "s", "12.5 µs"),
        (0.0031, "s", "3.10 ms"),
        (61.2, "s", "61.2 s"),
        (1200, "hands/s", "1,200 hands/s"),
        (52.34, "MiB", "52.3 MiB"),
    ],
)
def test_a_figure_is_printed_with_its_unit(run, value, unit, figure):
    assert run.Row("x", value, unit).figure == figure


def test_a_ratio_says_how_many_times_faster_quepu_is(run):
    works = {"peer: slow": lambda _: burn(400_000), "ours": lambda _: burn(400_000) * 100}
    peer, ours = run.compare(works, ["peer: slow"], "pieces/s", turns=1)
    assert (peer.what, peer.ratio, ours.peer) == ("peer: slow", None, "peer")
    assert ours.ratio == pytest.approx(ours.value / peer.value)


def burn(steps):
    """Do something, one piece."""
    return sum(1 for _ in range(steps)) // steps


def test_a_fifth_worse_is_a_drop(run):
    def lines(*rows):
        return run.entries("s", [run.Row(*row) for row in rows], STAMP)

    before = lines(("a", 10), ("b", 100, "x/s"), ("c", 9, "s", 4.0, "peer"), ("d", 1))
    same = lines(("a", 12), ("b", 81, "x/s"), ("c", 90, "s", 3.3, "peer"), ("e", 9))
    worse = lines(("a", 13), ("b", 79, "x/s"), ("c", 1, "s", 3.1, "peer"))
    assert run.drops(same, before) == []
    assert [line.split(":")[1].strip() for line in run.drops(worse, before)] == ["a", "b", "c"]


def test_the_page_has_the_last_run_of_each_section(run):
    old = run.entries("fresh", [run.Row("gone", 3), run.Row("kept", 3)], STAMP | {"commit": "old"})
    new = run.entries("fresh", [run.Row("kept", 1, "s", 2.0, "peer", "one | two")], STAMP)
    table = [line for line in run.page([*old, *new]).splitlines() if line.startswith("| ")]
    assert table == ["| what | figure | ratio | how |", "| kept | 1.00 s | 2 × peer | one \\| two |"]


def test_the_page_in_the_repository_is_of_its_history(run):
    lines = run.history()
    assert lines
    assert run.RESULTS.read_text(encoding="utf-8") == run.page(lines)


def test_every_section_is_a_function_of_its_script(run):
    for script, sections in run.SECTIONS.items():
        tree = ast.parse((BENCH / f"{script}.py").read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert {*sections, *run.ASKED.get(script, ())} <= functions


def test_an_unknown_section_is_named(run, capsys):
    assert run.main(["freshh"]) == 2
    assert "unknown: freshh; expected some of " in capsys.readouterr().err
