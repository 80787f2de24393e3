"""The interactive scorer, line by line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import quepu
from quepu.cli.shell import Session
from quepu.cli.texts import Chosen
from tests.cli.run import HAND, outside


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    """Every test begins, and leaves the program, in Chinese."""
    Chosen.lang = "zh"
    yield
    Chosen.lang = "zh"


@pytest.fixture
def session() -> Session:
    return Session()


def shown_by(session: Session, capsys: pytest.CaptureFixture[str], *lines: str) -> tuple[str, str]:
    """What the last of these lines was answered, on standard output and on standard error."""
    for line in lines:
        capsys.readouterr()
        session.answer(line)
    printed = capsys.readouterr()
    return printed.out, printed.err


def test_settings_hold_for_the_hands_that_follow(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = shown_by(session, capsys, "门风 北", "z", "w 岭上开花", "花 春", HAND)
    assert err == ""
    assert "62 副 5 翻 310 点" in out and "合计 312 点" in out
    out, _ = shown_by(session, capsys, "reset", "s N", HAND)
    assert "54 副 5 翻 270 点" in out


def test_thirteen_tiles_show_what_they_wait_for(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert "听 2 种 4 张" in shown_by(session, capsys, "123m456p789sCCEE")[0]
    assert "听牌" in shown_by(session, capsys, "2345678m234p559s1m")[0]


def test_another_rulebook_forgets_circumstances_that_it_does_not_know(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = shown_by(session, capsys, "z", "w 岭上开花", "规则 国标")
    assert "国标" in out and "岭上开花" not in out
    assert session.circumstances == []
    assert session.self_draw


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("r nothing", "没有规则"),
        ("s X", "没有“X”"),
        ("w 海里", "是不是海底捞月"),
        ("h 龙", "没有“龙”这张花牌"),
        ("i 三色", "是不是三色同顺"),
        ("11223sCC(NNNN)(123s)+3x", "不认识“x”"),
        ("12", "数字 1 后没有花色"),
        ("hello", "不认识这个命令"),
        ("你好", "不认识“你”"),
        ("+", "后面没有和的牌"),
    ],
)
def test_mistakes_change_nothing(session: Session, capsys: pytest.CaptureFixture[str], line: str, answer: str) -> None:
    before = dict(vars(session))
    out, err = shown_by(session, capsys, line)
    assert out == ""
    assert answer in err
    assert vars(session) == before


def test_help_language_and_the_end(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert "和牌情形" in shown_by(session, capsys, "?")[0]
    assert "seat E" in shown_by(session, capsys, "en")[0]
    assert "circumstances" in shown_by(session, capsys, "?")[0]
    assert "门风" in shown_by(session, capsys, "zh")[0]
    assert "三连刻" in shown_by(session, capsys, "番 三连刻")[0]
    assert shown_by(session, capsys, "   ") == ("", "")
    assert not session.over
    shown_by(session, capsys, "q")
    assert session.over


def test_a_whole_session_over_a_pipe() -> None:
    result = outside(stdin=f"r guobiao\ns N\n{HAND}\nrubbish\n")
    assert result.code == 0
    assert "一色三同顺" in result.out
    assert "不认识这个命令" in result.err
    assert outside("shell", "-r", "nothing").code == 2


def test_only_what_the_book_knows_is_offered_and_taken(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    for book, offered in (("lingque-29", False), ("yuque-54", False), ("guobiao", True), ("canton", True)):
        out, _ = shown_by(session, capsys, f"r {book}", "?")
        assert ("圈风" in out) is offered
        assert " ".join(list(quepu.book(book).circumstances)[:2]) in out
        out, err = shown_by(session, capsys, "圈风 南")
        assert ("圈风南" in out) is offered and ("没有圈风" in err) is not offered
        session.answer("reset")
    out, _ = shown_by(session, capsys, "r yuque-54", "?")
    assert "春梅" not in out
