"""Explanations beside a counting: why a hand is symmetric, which rulings decide; the edition that a ruling is of."""

from __future__ import annotations

from typing import Any

from quepu.rulebooks import book


def test_rulings_stand_under_the_edition_that_they_concern(quepu: Any) -> None:
    shown = {one["id"]: one["rules"] for one in quepu("rulings", "lingque", "--json").json}
    assert {id for id, rules in shown.items() if rules == "lingque-26"} == {"LQ10", "LQ14", "LQ15", "LQ-E6"}
    shown = {one["id"]: one["rules"] for one in quepu("rulings", "lingque-26", "--json").json}
    assert shown["LQ1"] == "lingque-26"
    assert shown["LQ11"] == "lingque-29"
    assert "LQ14  灵雀（第二十六版）" in quepu("rulings", "lingque", "LQ14").out
    for rules in ("lingque-26", "lingque-29"):  # an edition's own rulings name it in the question, or a number of it
        for ruling in book(rules).rulings:
            assert ruling.edition or not ruling.question.zh.startswith(("v26 ", "v29 ")), ruling.id


def test_why_a_hand_is_mirrored(quepu: Any) -> None:
    """q, and the other taking-apart where the mirror is not the same one."""
    half = "2233445m345p(234p)+5m"
    assert "q = 3.5：镜像后拆作 345m 345m 345p 22m (234p)" in quepu("score", half, "-x").out
    assert "q = 3.5" in quepu("--lang", "en", "score", half, "-x").out
    assert "q = 4：镜像后拆作 123s 456s 777s 11s (345m)" in quepu("score", "1112345677s(345m)+7s", "-x").out
    assert "q = 5：各部分镜像后仍是这一拆解" in quepu("score", "12378m55s(333p)(777p)+9m", "-x").out
    assert "n = 5" in quepu("score", "1199m4466p33557s+7s", "-x").out
    kongs = quepu("score", "34m444p34567s[3333m]+5m", "-x").out
    assert "q =" not in kongs  # no mirror, nothing said


def test_rulings_are_named_beside_the_sentences_that_they_decide(quepu: Any) -> None:
    shown = quepu("score", "112233m112233p9p+9p", "-r", "lingque-26", "-x").out
    row = shown[shown.index("喜相逢 ×2") : shown.index("镜同  ")]
    assert "与镜同互斥" in row
    assert "裁定 LQ1、" in row
    assert "裁定" not in quepu("score", "112233m112233p9p+9p", "-r", "lingque-26").out


def test_a_round_wind_is_refused_where_the_book_has_none(quepu: Any) -> None:
    hand = "123m456m789m11p23s+4s"
    refused = quepu("score", hand, "-R", "S")
    assert refused.code == 2
    assert "灵雀（第二十九版）没有圈风" in refused.err
    assert "no round wind" in quepu("--lang", "en", "score", hand, "-r", "yuque", "-R", "南").err
    assert quepu("waits", "123m456m789m11p23s", "-R", "W").code == 2
    assert quepu("shell", "-R", "N").code == 2
    assert quepu("diff", "lingque", "yuque", hand, "-R", "S").code == 2
    assert quepu("score", hand, "-R", "E").code == 0  # as where nothing is written
    assert "圈风南" in quepu("score", hand, "-r", "guobiao", "-R", "S").out
    assert quepu("diff", "lingque", "guobiao", hand, "-R", "S").code == 0  # one of them has it
