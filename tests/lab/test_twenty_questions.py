"""Twenty questions: hands that tell readings apart are found, and the answers become a ruling that is a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import quepu
from quepu.errors import NotAWin, Text
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.lab.draft_check import check
from quepu.lab.twenty_questions import Session, find_questions, known_hands, option_readings, ruling_toml
from quepu.rulebooks import books, find_registered, house_rules
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook, Ruling
from quepu.scoring.describe import every_ruling, score_example
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


def test_any_number_is_read_as_another_number_and_one_that_can_be_agreed_on() -> None:
    book = quepu.book("yuque-54")
    first, other = option_readings(book, ruling_of("yuque-54", "yuque-31").option)
    assert (first.choice, other.choice) == (0, 1)
    assert first.label == Text("0 分", "0 points")
    assert other.label.zh == "另定一个数，如 1（0 到 100000 都可以）"
    assert other.label.en == "another number, such as 1 (anything from 0 to 100,000)"
    assert option_readings(book.having(options={"unready_quarter": 100_000}), "unready_quarter")[1].choice == 0


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


def test_every_open_ruling_is_chosen_by_an_option_of_its_book() -> None:
    for book, ruling in every_ruling(books()):
        family = [one for one in books() if one.family == book.family]
        keys = {option.key for one in family for option in one.options}
        assert ruling.option in keys | {""}, ruling.id
        assert ruling.option or not ruling.open, ruling.id


OPEN = [
    pytest.param(book, ruling, id=f"{book.id}-{ruling.id}")
    for book, ruling in every_ruling(books())
    if ruling.open and any(option.key == ruling.option for option in book.options)
]


@pytest.mark.parametrize(("book", "ruling"), [one for one in OPEN if one.values[1].alike is None])
def test_known_hands_tell_every_two_readings_of_an_open_ruling_apart(book: Rulebook, ruling: Ruling) -> None:
    readings = option_readings(book, ruling.option)
    questions = find_questions(readings, known_hands(book, ruling.id), keys=()) or find_questions(
        readings, known_hands(book), keys=()
    )
    for one, two in combinations(range(len(readings)), 2):
        asked = next((q for q in questions if q.points[one] != q.points[two]), None)
        assert asked is not None, (readings[one].choice, readings[two].choice)
        session = Session(readings, [asked])
        session.answer(asked, asked.points[one])
        made = house_rules.read(ruling_toml(book, session, ruling=ruling))
        ((example, points, measure),) = made.rulings[0].hands  # a file says all of the hand
        assert points == asked.points[one]
        for at in (one, two):
            try:
                worth = getattr(score_example(example, readings[at].book), measure)
            except NotAWin:
                worth = 0
            assert worth == asked.points[at]


class Watched(dict[str, Any]):
    """Settings of a book that note what is read of them."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        super().__init__(settings)
        self.seen: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add(key)
        return super().get(key, default)


def scoring(book: Rulebook) -> list[object]:
    """Return everything of a book that a score is made of, but for its settings; rows that add nothing are left out."""
    rows = [fan for fan in book.fans if fan.value or fan.drops or fan.conflicts or fan.implied]
    parts = [(fan.name, fan.value, fan.when, fan.drops, fan.conflicts, fan.implied, fan.most, fan.on) for fan in rows]
    return [parts, book.arithmetic, book.shapes, book.minimum, book.flower_value, book.tiles, book.circumstances]


@cache
def settings_read(name: str) -> frozenset[str]:
    """Return the settings that scoring reads of a book, over all its known hands."""
    book, hands = quepu.book(name), known_hands(quepu.book(name))
    assert len(hands) > 50
    watched = Watched(book.settings)
    for hand in hands:
        try:
            score_hand(hand, replace(book, settings=watched)).explain()
        except quepu.Error:
            continue
    return frozenset(watched.seen)


@pytest.mark.parametrize(("book", "ruling"), [one for one in OPEN if one.values[1].alike and one.values[1].id != "N37"])
def test_readings_that_no_hand_tells_apart_change_nothing_that_scoring_reads(book: Rulebook, ruling: Ruling) -> None:
    readings = option_readings(book, ruling.option)
    for reading in readings[1:]:
        assert scoring(reading.book) == scoring(book)
        changed = {*reading.book.settings.items()} ^ {*book.settings.items()}
        assert not {key for key, _ in changed} & settings_read(book.id)
        assert find_questions([readings[0], reading], known_hands(book), keys=()) == []
        assert reading.book.fingerprint != book.fingerprint  # a table is played by it


def test_a_reading_is_chosen_where_no_hand_can_ask() -> None:
    book, ruling = quepu.book("yuque-54"), ruling_of("yuque-54", "yuque-36")
    session = Session(option_readings(book, ruling.option), [])
    session.choose(1)
    text = ruling_toml(book, session, ruling=ruling)
    made = house_rules.read(text)
    assert play_rules(made).match.dealer_repeats == "win"
    assert made.rulings[0].answer.en == "after a win"
    assert made.having(options={"dealer_repeats": "never"}).fingerprint == book.fingerprint
    assert "hands" not in text


def test_a_first_win_without_a_declaration_cannot_be_written_down() -> None:
    first = Luck.EARTHLY | Luck.HUMANLY
    named = [bits for bits in quepu.book("canton").circumstances.values() if bits & first]
    assert len(named) == 2
    assert all(bits & Luck.READY_AT_DEAL for bits in named)
    assert ruling_of("canton", "N37").alike


@pytest.mark.parametrize("choice", [30, 88])
def test_four_kongs_have_the_value_that_is_chosen(choice: int) -> None:
    book = quepu.book("canton")
    hand = parse("F(2222p)(3333s)(5555m)[EEEE]+F")._replace(seat=28)
    other = book.having(options={"十八罗汉": choice})
    assert score_hand(hand, other).points == score_hand(hand, book).points - 40 + choice
    assert other.having(options={"十八罗汉": 40}).fingerprint == book.fingerprint


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
