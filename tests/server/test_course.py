"""The course of every book: ten lessons of short screens with tiles, whose answers are the scorer's and the table's."""

import re
from collections import Counter

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.hands.notation import write
from quepu.match.settle import add_up
from quepu.rules.guide import Paragraph, guide
from quepu.rules.lessons import describe_fan, lessons, welcome
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.server.app import create_app
from quepu.server.practice.course import course
from quepu.server.practice.scored_screens import common_fans
from quepu.tiles import FLOWERS, NAMES
from tests.server.serving import unlimited
from tests.tuidaohu import BOOK as PUSH_OVER

BOOKS = quepu.books()
OFFERED = [book for book in BOOKS if welcome(book)]
WORDS, CHARACTERS = 60, 100
KEYS = ["tiles", "groups", "claims", "waits", "fans", "counting", "minimum", "payment", "kongs", "manners"]
WHO = "abcdefgh-course"


def screens(book, *kinds):
    return [one for lesson in course(book) for one in lesson.screens if not kinds or one.kind in kinds]


def ids(book):
    return book.id


def named(option):
    (tile,) = option.tiles
    return tile


def data_of(book, screen):
    """What the file says of a screen."""
    place = next(lesson.key for lesson in course(book) if screen in lesson.screens)
    (lesson,) = [one for one in lessons(book) if one.key == place]
    return next(one for one in lesson.screens if one["key"] == screen.key)


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_a_book_has_ten_lessons_of_short_screens_with_tiles(book):
    assert [lesson.key for lesson in course(book)] == KEYS
    for screen in screens(book):
        drawn = [screen.hand, *(one.hand for one in screen.options)]
        assert screen.tiles or any(drawn) or any(one.tiles for one in screen.options), screen
        assert len((screen.text.en + " " + screen.ask.en).split()) <= WORDS, screen
        assert len(screen.text.zh + screen.ask.zh) <= CHARACTERS, screen
        assert "{" not in "".join((*screen.text, *screen.ask)), screen
        assert len({one.right for one in screen.options}) == 2, screen  # there is something to get wrong
        for option in screen.options:
            assert option.why.zh and option.why.en, screen
            assert not option.why.zh.startswith("对") and not option.why.en.startswith("Right"), "the page says so"
            assert len(option.why.en.split()) <= WORDS and len(option.why.zh) <= CHARACTERS, option


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_tiles_that_complete_a_hand_are_its_waits(book):
    for screen in screens(book, "waits"):
        waits = {NAMES[wait.tile] for wait in quepu.waits(write(screen.hand), book).waits}
        offered = {named(one) for one in screen.options}
        assert {named(one) for one in screen.options if one.right} == waits & offered
        if screen.all_of:
            assert waits <= offered  # all of them can be chosen
        for option in screen.options:
            if option.right:
                held = Counter(NAMES[kind] for kind in screen.hand.concealed) + Counter(option.tiles)
                assert Counter(tile for group in option.groups for tile in group) == held


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_groups_are_runs_of_a_suit_or_three_alike(book):
    for screen in screens(book, "group"):
        for option in screen.options:
            made = sorted(NAMES.index(tile) for tile in (*screen.tiles, *option.tiles))
            run = [kind - made[0] for kind in made] == [0, 1, 2] and made[0] // 9 == made[2] // 9 < 3
            assert option.right == (run or len({*made}) == 1)


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_claims_are_those_of_the_table(book):
    """Chow from the left only, a pung with two alike, a kong with three: as every one of these books has it."""
    claims = screens(book, "claim")
    assert {side for screen in claims if screen.discard for side in screen.discard[1:]} == {"left", "across", "right"}
    for screen in claims:
        tile, side = screen.discard
        held, kind = screen.hand.counts(), NAMES.index(tile)
        runs = [(kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)]
        can = {
            "吃": side == "left" and any(held[a] and held[b] and a // 9 == b // 9 == kind // 9 for a, b in runs),
            "碰": held[kind] >= 2,
            "杠": held[kind] == 3,
        }
        can["都不行"] = not any(can.values())
        assert {one.label.zh: one.right for one in screen.options} == can


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_a_fan_of_a_lesson_counts_in_the_right_hand_only(book):
    fans = common_fans(book)
    assert len(fans) == 5
    for fan, screen in zip(fans, screens(book, "fan"), strict=True):
        assert fan.name in screen.ask.zh
        for option in screen.options:
            hand = option.hand
            score = quepu.scoring.score.score_hand(hand, book)
            assert option.right == any(line.name == fan.name for line in score.fans)
            if option.right:  # the answer says what the groups below it count as
                assert f"{fan.name}，计 " in option.why.zh
                assert f" as {fan.english}: " in option.why.en


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_counted_fans_totals_and_minimum_are_the_scorers(book):
    (which,), (total,) = screens(book, "count"), screens(book, "total")
    score = quepu.scoring.score.score_hand(which.hand, book)
    assert {one.label.zh for one in which.options if one.right} == {line.name for line in score.fans}
    again = quepu.scoring.score.score_hand(total.hand, book)
    assert [int(one.label.zh) for one in total.options if one.right] == [again.total]
    for screen in screens(book, "win"):
        data = data_of(book, screen)
        around = {key: data[key] for key in ("seat", "round") if key in data}
        for text, option in zip(data["hands"], screen.options, strict=True):
            try:
                wins = quepu.score(text, book, **around).can_win
            except quepu.Error:
                wins = False
            assert option.right == wins


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_payments_are_the_settlement_of_the_book(book):
    for screen in screens(book, "pays"):
        data = data_of(book, screen)
        score = quepu.scoring.score.score_hand(screen.hand, book)
        drawn = data.get("self_draw", False)
        ending = Ending(
            (SeatWin(1, score.total, score=score),), self_draw=drawn, discarder=None if drawn else 2
        )  # no melds were given by anybody
        if "(" in write(screen.hand):
            continue  # who gave the melds matters there, and is not this test's
        gains = add_up(play_rules(book).settle(ending, book), zero_sum=False).seats
        asked = "ESWN".index(data.get("seat_asked", "S"))
        assert [int(one.label.zh) for one in screen.options if one.right] == [gains[asked]]


@pytest.mark.parametrize("book", BOOKS, ids=ids)
def test_four_alike_make_a_kong_and_flowers_are_set_aside(book):
    for screen in screens(book, "kong"):
        counts = screen.hand.counts()
        assert {named(one): one.right for one in screen.options} == {
            NAMES[kind]: held == 4 for kind, held in enumerate(counts) if held
        }
    flowers = screens(book, "flower")
    assert bool(flowers) == play_rules(book).table.flowers
    for screen in flowers:
        assert {named(one) for one in screen.options if one.right} == {named(one) for one in screen.options} & {
            *FLOWERS
        }


@pytest.mark.parametrize("book", OFFERED, ids=ids)
def test_what_newcomers_read_is_written_for_them(book):
    """Fans to find have words of their own, and no text of a screen is a sentence of the book."""
    (which,) = screens(book, "count")
    named = [fan.name for fan in common_fans(book)] + [one.label.zh for one in which.options]
    assert [name for name in named if describe_fan(book, name) is None] == []
    for option in which.options:  # nobody has to know a fan that was not explained before
        assert not option.right or describe_fan(book, option.label.zh).zh in option.why.zh
    written = {part.sentence for section in guide(book) for part in section.parts if isinstance(part, Paragraph)}
    sentences = {
        sentence for text in (*written, *(fan.sentence for fan in book.fans)) for sentence in re.split("[。；]", text)
    }
    for screen in screens(book):
        assert not {*re.split("[。；]", screen.text.zh)} & {one for one in sentences if len(one) > 8}, screen


def test_a_book_counts_in_one_unit_where_its_fans_add_up():
    for screen in screens(quepu.book("guobiao-mcr"), "fan", "count", "total", "win", "pays"):
        said = [screen.text.en, screen.ask.en, *(one.why.en for one in screen.options)]
        assert not re.search(r"\d fan\b", " ".join(said)), screen


def test_four_books_are_offered_and_one_of_them_to_beginners():
    offers = [welcome(book) for book in OFFERED]
    assert [book.id for book in OFFERED] == ["lingque-29", "yuque-54", "guobiao-mcr", "canton"]
    assert sorted(offer.order for offer in offers) == [1, 2, 3, 4]
    assert all(len(offer.text.en.split()) <= 25 and len(offer.text.zh) <= 40 for offer in offers)


def test_a_book_without_a_word_for_lessons_has_them_from_its_rows():
    """推倒胡 has no honours and no chows: what needs them is left out, and the rest is asked of its own table."""
    made = {lesson.key for lesson in course(PUSH_OVER)}
    assert {"tiles", "groups", "claims", "waits", "minimum", "kongs", "manners"} <= made
    assert not screens(PUSH_OVER, "fan")  # none of its rows has an example
    for screen in screens(PUSH_OVER):
        shown = [*screen.tiles, *(tile for one in screen.options for tile in one.tiles)]
        assert not {*shown} & {*"ESWNCFP"}
        for option in screen.options:
            assert option.label is None or option.label.zh != "吃" or not option.right


def test_a_lesson_that_was_gone_through_stays_so(tmp_path):
    with TestClient(create_app(unlimited(tmp_path))) as client:
        ask = {"rules": "guobiao-mcr", "who": WHO}
        before = client.post("/api/practice/course", json=ask).json()["lessons"]
        assert [lesson["passed"] for lesson in before] == [False] * 10
        done = {"rules": "guobiao-mcr", "kind": "course-waits", "level": 1, "seed": 0, "who": WHO}
        for _ in range(2):
            assert client.post("/api/practice/answer", json=done).json()["right"] is True
        after = client.post("/api/practice/course", json=ask).json()["lessons"]
        assert [lesson["key"] for lesson in after if lesson["passed"]] == ["waits"]
        other = client.post("/api/practice/course", json=ask | {"rules": "canton"}).json()["lessons"]
        assert not any(lesson["passed"] for lesson in other)  # each book has its own
        history = client.get("/api/practice/history", params={"rules": "guobiao-mcr"}, headers={"X-Who": WHO}).json()
        assert history["answered"] == 0  # a lesson is not an answer


def test_books_say_how_they_are_offered(tmp_path):
    with TestClient(create_app(unlimited(tmp_path))) as client:
        offers = {book["id"]: book["welcome"] for book in client.get("/api/books").json()}
    assert [name for name, offer in offers.items() if offer] == [book.id for book in OFFERED]
    assert offers["guobiao-mcr"]["order"] == 1 and offers["guobiao-mcr"]["tiles"] == ["1m", "1p", "1s", "E", "C"]
