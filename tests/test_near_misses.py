"""Why a near miss does not count: what is shown beside it is so."""

from __future__ import annotations

import pytest

import quepu
from quepu.errors import NotAWin
from quepu.rulebooks import book_ids
from quepu.scoring.describe import score_example, why_not


@pytest.mark.parametrize("name", book_ids())
def test_a_reason_is_shown_for_near_misses_and_names_real_groups(name: str) -> None:
    book = quepu.book(name)
    reasons = {fan.name: why for fan in book.fans if (why := why_not(fan, book)) is not None}
    assert len(reasons) * 3 > len(book.fans)
    for fan in book.fans:
        if fan.near_miss is None or fan.name not in reasons:
            continue
        try:
            score = score_example(fan.near_miss, book)
        except NotAWin:
            continue
        assert fan.name not in {line.name for line in score.fans}
        if "拆作" in reasons[fan.name].zh:
            assert reasons[fan.name].zh.endswith(score.best.text())
            assert "的是 " in reasons[fan.name].zh


def test_reasons_of_every_kind() -> None:
    def reason(book: str, fan: str) -> str:
        found = why_not(quepu.book(book).fan(fan), quepu.book(book))
        assert found is not None
        return found.zh

    assert reason("lingque-29", "岭上开花") == "没有岭上开花"
    assert reason("lingque-26", "一般高") == "牌形成立，但三同顺不计一般高"
    assert reason("guobiao", "大四喜") == "牌例里组成它的是 EEE SSS WWW NNN；这手拆作 111m EEE SSS WWW NN"
    assert reason("lingque-29", "四暗刻").startswith("牌都有：牌例是")
    assert "圈风" not in reason("lingque-29", "四暗刻")
