"""Which packages with rulebooks are used, and why others are not."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest
from tests.tuidaohu import BOOK

from quepu.rules import packages
from quepu.rules.packages import CONTRACT, Packages, find_installed
from quepu.rules.row import Fan


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that returns what is used of modules with these names."""

    def of(taken: frozenset[str] = frozenset(), **modules: dict[str, Any]) -> Packages:
        points = []
        for name, contents in modules.items():
            module = ModuleType(f"package_{name}".replace("-", "_"))
            for key, value in contents.items():
                setattr(module, key, value)
            monkeypatch.setitem(sys.modules, module.__name__, module)
            points.append(EntryPoint(name.replace("_", "-"), module.__name__, packages.GROUP))
        monkeypatch.setattr(packages, "_points", lambda: points)
        return find_installed.__wrapped__(taken)

    return of


def package(name: str, contract: object = "1.0", **changes: Any) -> dict[str, Any]:
    return {"QUEPU_RULEBOOKS": contract, "BOOKS": (replace(BOOK, **{"id": name, "aliases": (), **changes}),)}


def why(found: Packages) -> str:
    (problem,) = found.problems
    assert problem.why.zh and problem.why.en and problem.name
    return problem.why.zh


def test_a_good_package_is_used(found: Any) -> None:
    made = found(harbour=package("harbour"))
    assert (made.modules, made.problems) == ({"harbour": "package_harbour"}, ())
    listed = package("harbour")
    assert found(harbour={**listed, "BOOKS": [5, replace(BOOK, id="other"), *listed["BOOKS"]]}).problems == ()


@pytest.mark.parametrize(
    ("contract", "good"),
    [("1.0", True), ("1.1", True), ("1.2", True), ("1.3", False), ("0.9", False), ("0.0", False), ("2.0", False),
     ("1.00", True), ("1.00000", False), ("1", False), ("", False), ("1.0.0", False), ("1.x", False),
     (1.0, True), (None, False)],
)  # fmt: skip
def test_the_contract_is_this_one_or_an_earlier_of_the_same_number(found: Any, contract: object, good: bool) -> None:
    assert CONTRACT == (1, 2)
    assert (found(harbour=package("harbour", contract)).problems == ()) is good


def test_an_earlier_second_number_is_used(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "CONTRACT", (1, 2))
    for contract, good in (("1.0", True), ("1.2", True), ("1.3", False), ("0.2", False), ("2.1", False)):
        assert (found(harbour=package("harbour", contract)).problems == ()) is good, contract
    assert why(found(harbour=package("harbour", "1.3"))) == "它依约定 1.3，这里是 1.2：要用更新的 quepu。"
    assert 'QUEPU_RULEBOOKS = "1.2"' in why(found(harbour=package("harbour", "one")))


@pytest.mark.parametrize(
    ("name", "good"), [("a" * 60, True), ("a" * 61, False), ("a", True), ("9-a", True), ("-a", False), ("Ab", False)]
)
def test_an_id_is_small_letters_digits_and_hyphens(found: Any, name: str, good: bool) -> None:
    made = found(**{name: package(name)})
    assert (made.problems == ()) is good
    assert good or "编号只能有小写字母" in why(made)


def test_what_is_taken_is_not_used(found: Any) -> None:
    taken = frozenset({"canton", "国标"})
    assert "已经有这个编号" in why(found(taken, canton=package("canton")))
    assert "别名“国标”已是别的规则的" in why(found(taken, harbour=package("harbour", aliases=("港口", "国标"))))
    assert found(taken, harbour=package("harbour", aliases=("港口",))).problems == ()
    two = found(harbour=package("harbour", aliases=("港口",)), haven=package("haven", aliases=("港口",)))
    assert [*two.modules] == ["harbour"] and two.problems[0].name == "haven"
    same = found(aa=package("aa", aliases=("bb",)), bb=package("bb"))
    assert [*same.modules] == ["aa"] and "已经有这个编号" in why(same)


def test_what_cannot_be_worked_out_is_not_used(found: Any) -> None:
    assert "BOOKS 里没有编号是 harbour" in why(found(harbour=package("haven")))
    assert "BOOKS 里没有编号是 harbour" in why(found(harbour={"QUEPU_RULEBOOKS": "1.0", "BOOKS": 5}))
    assert "BOOKS 里没有编号是 harbour" in why(found(harbour={"QUEPU_RULEBOOKS": "1.0"}))
    bad = Fan("坏", 1, "番", "坏。", lambda h: h.nothing, "bad")
    assert "各行不能计算（AttributeError" in why(found(harbour=package("harbour", fans=(*BOOK.fans, bad))))
    assert why(found(harbour=package("harbour", fans=()))) == "一个番种也没有。"
    assert found(harbour=package("harbour", fans=BOOK.fans[:1])).problems == ()
    always = Fan("总有", 1, "番", "总有。", lambda h: 1, "always")  # it reads nothing of the hand
    assert found(harbour=package("harbour", fans=(always,))).problems == ()


def test_one_bad_package_does_not_hide_another(found: Any) -> None:
    two = found(aa=package("aa", "9.9"), bb=package("bb"), cc=package("cc", fans=()), dd=package("dd"))
    assert [*two.modules] == ["bb", "dd"] and [one.name for one in two.problems] == ["aa", "cc"]
    assert [one.package for one in two.problems] == ["package_aa", "package_cc"]


def test_conditions_are_tried_on_an_empty_hand(found: Any) -> None:
    empty = Fan("空", 1, "番", "空。", lambda h: 1 // (1 - h.p * h.p), "empty")
    assert found(harbour=package("harbour", fans=(empty,))).problems == ()
    long = Fan("坏", 1, "番", "坏。", lambda h: [][h.p] if h.p else int("y" * 500), "bad")
    said = why(found(harbour=package("harbour", fans=(long,))))
    assert said.startswith("各行不能计算（ValueError: invalid literal") and len(said) == len("各行不能计算（）。") + 200


@pytest.mark.parametrize(("points", "some"), [([], False), ([EntryPoint("a", "b", packages.GROUP)], True)])
def test_whether_there_are_packages(points: list[EntryPoint], some: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_points", lambda: points)
    assert packages.has_packages.__wrapped__() is some


def test_a_long_error_is_cut(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> ModuleType:
        raise ImportError("x" * 500)

    monkeypatch.setattr(packages.importlib, "import_module", fail)
    said = why(found(harbour=package("harbour")))
    assert "package_harbour 不能导入（ImportError: xxx" in said and said.count("x") == 200 - len("ImportError: ")
