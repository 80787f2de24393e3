"""`quepu rules club`: questions about how a club plays make a house-rules file that reads back, and a card."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from quepu.cli.club import ask_club, house_file
from quepu.cli.texts import Chosen
from quepu.errors import HandError
from quepu.rulebooks import books, readings
from quepu.rulebooks.house_rules import load, read
from quepu.rules.rulebook import Rulebook
from quepu.scoring.booklet import club_options

EVERY = [pytest.param(one, id=one.id) for one in (*books(), *readings()) if one.options]


@pytest.fixture(autouse=True)
def _chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask in Chinese, whatever language a test before spoke."""
    monkeypatch.setattr(Chosen, "lang", "zh")


def ask(book: Rulebook, answers: list[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Rulebook:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    assert ask_club(book) == 0
    return load(max(folder.glob("club*.toml"), key=lambda path: len(path.name)))


@pytest.mark.parametrize("book", EVERY)
def test_defaults_leave_the_book_as_it_is(book: Rulebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = ask(book, [], monkeypatch, tmp_path)
    assert {option.key: made.choice(option) for option in made.options} == {
        option.key: book.choice(option) for option in book.options
    }


@pytest.mark.parametrize("book", EVERY)
def test_every_choice_can_be_taken_and_reads_back(
    book: Rulebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = club_options(book)
    last = [option.choices[-1] for option in asked]
    made = ask(book, ["雀会", *(str(len(option.choices)) for option in asked)], monkeypatch, tmp_path)
    assert [made.choice(option) for option in asked] == last
    assert made.title.zh == "雀会"
    card = (tmp_path / "club.html").read_text("utf-8")
    assert all(option.in_words(choice).zh in card for option, choice in zip(asked, last, strict=True))


def test_a_wrong_answer_is_asked_again_and_numbers_between_are_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = next(one for one in books() if one.id == "canton")
    made = ask(book, ["", "99", "x", "=1001", "=4"], monkeypatch, tmp_path)
    assert made.minimum == 4
    assert capsys.readouterr().err.count("请写 1 到") == 3
    again = ask(book, [""], monkeypatch, tmp_path)  # the file that is there stays
    assert again.minimum == 1
    assert load(tmp_path / "club.toml").minimum == 4


def test_a_table_of_ones_own_is_taken_and_a_wrong_one_asked_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = next(one for one in books() if one.id == "canton")
    keys = [option.key for option in club_options(book)]
    own = {"payment": ["=6-4", "=nonsense", "=[]", "=4-6-8"], "discard": ["=[1, 2]", "=[1, 3, 0]"], "stake": ["=1/5"]}
    answers = ["", *(answer for key in keys for answer in own.get(key, [""]))]
    made = ask(book, answers, monkeypatch, tmp_path)
    chosen = {option.key: made.choice(option) for option in made.options}
    assert (chosen["payment"], chosen["discard"], chosen["stake"]) == ("4-6-8", [1, 3, 0], "1/5")
    assert capsys.readouterr().err.count("错误") == 4
    assert "4-6-8" in (tmp_path / "club.html").read_text("utf-8")


def test_a_title_may_have_quotes() -> None:
    book = books()[0]
    assert read(house_file(book, 'a "b" \\ c', {})).title.zh == 'a "b" \\ c'


@pytest.mark.parametrize("book", EVERY)
def test_only_questions_with_several_answers_are_asked(book: Rulebook) -> None:
    assert all(len(option.choices) > 1 or option.between is not None for option in club_options(book))


def test_a_wrong_answer_is_told_every_answer_that_would_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = next(one for one in books() if one.id == "canton")
    ask(book, ["", "1001"], monkeypatch, tmp_path)
    told = capsys.readouterr()
    assert "请写 1 到 6，或在 = 后写 0 到 1000 的数。" in told.err
    assert "如 =1" in told.out


def test_who_leaves_the_questions_at_a_terminal_writes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = iter(["雀会"])

    def type_line(_prompt: str) -> str:
        for answer in answers:
            return answer
        raise EOFError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", type_line)
    with pytest.raises(HandError, match="没有答完"):
        ask_club(next(one for one in books() if one.id == "canton"))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("liable", [False, True])
def test_a_question_without_an_effect_is_not_asked(
    several: bool, liable: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who is paid first and who deals next, if several may win; a third player's discard, if there is 包."""
    book = next(one for one in books() if one.id == "canton")
    keys = [option.key for option in club_options(book)]
    wanted = {"winners": "2" if several else "", "bao_twelve": "2" if liable else ""}
    skipped = (() if several else ("winners_order", "winners_dealer")) + (() if liable else ("bao_discard",))
    ask(book, ["", *(wanted.get(key, "") for key in keys if key not in skipped)], monkeypatch, tmp_path)
    said = capsys.readouterr().out
    for key in keys:
        text = next(option.text.zh for option in book.options if option.key == key)
        assert (text in said) == (key not in skipped), key
