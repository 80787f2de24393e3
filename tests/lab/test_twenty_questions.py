"""Twenty questions: hands that tell readings apart are found, and the answers become a ruling that is a test."""

from __future__ import annotations

import pytest

import quepu
from quepu.lab.draft_check import check
from quepu.lab.twenty_questions import Session, find_questions, known_hands, option_readings, ruling_toml
from quepu.rulebooks import books, find_registered, house_rules
from quepu.rules.rulebook import Ruling
from quepu.scoring.describe import every_ruling
from quepu.scoring.score import score_hand


def ruling_of(name: str, id: str) -> Ruling:
    return next(one for one in quepu.book(name).rulings if one.id == id)


@pytest.mark.parametrize(("name", "id"), [("lingque-29", "LQ1"), ("lingque-29", "LQ12"), ("guobiao", "G17")])
@pytest.mark.parametrize("choice", [0, 1])
def test_a_ruling_is_settled_either_way_and_its_hands_are_tests(name: str, id: str, choice: int) -> None:
    book, ruling = quepu.book(name), ruling_of(name, id)
    readings = option_readings(book, ruling.option)
    questions = find_questions(readings, known_hands(book, id), keys=("closed-discard",))
    assert questions
    for one in questions:  # single scores differ as told
        assert [score_hand(one.hand, reading.book).points for reading in readings] == list(one.points)
    session = Session(readings, questions)
    while (asked := session.next()) is not None:
        session.answer(asked, asked.points[choice])
    assert session.settled == readings[choice]
    text = ruling_toml(book, session, ruling=ruling)
    made = house_rules.read(text)
    own = next(one for one in made.rulings if one.id == id)
    assert 1 <= len(own.hands) <= 3
    assert made.fingerprint == readings[choice].book.fingerprint or not choice
    assert check(made, find_registered(made)) == []
    other = readings[1 - choice].choice
    changed = text.replace("[options]", "[table]\n[options]").partition("[[rulings]]")
    value = str(other).lower()
    broken = house_rules.read(f'base = "{name}"\n[options]\n{ruling.option} = {value}\n[[rulings]]{changed[2]}')
    assert {one.kind for one in check(broken, find_registered(broken))} == {"ruling"}


def test_smaller_and_more_common_hands_come_first() -> None:
    book = quepu.book("lingque-29")
    readings = option_readings(book, "meeting_beside_mirror")
    questions = find_questions(readings, keys=("closed-discard",))
    assert max(questions[0].points) <= max(questions[-1].points)
    assert questions[0].sets > 10**9
    assert len({one.text for one in questions}) == len(questions) <= 20


def test_an_answer_that_no_reading_gives_is_kept_as_a_test_that_fails() -> None:
    book, ruling = quepu.book("lingque-29"), ruling_of("lingque-29", "LQ1")
    session = Session(
        readings := option_readings(book, ruling.option), find_questions(readings, keys=("closed-discard",))
    )
    asked = session.next()
    assert asked is not None
    session.answer(asked, 999)
    assert session.settled is None
    assert session.next() is None
    made = house_rules.read(ruling_toml(book, session, ruling=ruling))
    (finding,) = check(made, book)
    assert "999" in finding.text.zh


def test_a_ruling_that_an_option_chooses_names_it() -> None:
    """Open questions whose answer changes a score; those about payments and the table have no hands."""
    chosen = {ruling.id for _, ruling in every_ruling(books()) if ruling.option}
    assert {"LQ1", "LQ12", "G6", "G7", "G14", "G16", "G17", "yuque-12", "A2", "A3", "A4", "A5", "A6", "A8"} <= chosen
    assert {"A10", "A11", "A12", "A14", "A17", "A24", "N3", "N4", "N8", "N9", "N13", "N14", "N18", "N33"} <= chosen
    assert {"N36", "N37", "N38", "N39", "N40", "N41"} <= chosen
    for book, ruling in every_ruling(books()):
        family = [one for one in books() if one.family == book.family]
        keys = {option.key for one in family for option in one.options}
        assert ruling.option in keys | {""}, ruling.id


_WHOLE_HAND = (
    '[[rulings]]\nid = "a"\nquestion = "?"\nanswer = "!"\nhands = [{ hand = "123m456m789m123p5s+5s", points = 3'
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[[rulings]]\nid = ""\n', 2),
        ('[[rulings]]\nid = "a"\n', 3),
        ('[[rulings]]\nid = "a"\nquestion = "?"\nanswer = "!"\nhands = [{ hand = "123m" }]\n', 3),
        ('[[rulings]]\nid = "a"\nquestion = "?"\nanswer = "!"\nhands = [{ hand = "x", points = 3 }]\n', 3),
        ('[[rulings]]\nid = "a"\nquestion = "?"\nanswer = "!"\nhands = [{ hand = "1m", points = 3, seat = "Q" }]\n', 3),
        (f'{_WHOLE_HAND}, seat = "ES" }}]\n', 3),
        (f'{_WHOLE_HAND}, round = "SW" }}]\n', 3),
        (f"{_WHOLE_HAND}, self_draw = 1 }}]\n", 3),
        ('[[rulings]]\nid = "a"\nquestion = "?"\nanswer = "!"\nnow = 1\n', 6),
        ('rulings = "a"\n', 2),
    ],
)  # fmt: skip
def test_a_ruling_that_cannot_be_read_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(quepu.Error, match=f"第 {line} 行"):
        house_rules.read('base = "lingque-29"\n' + text)
