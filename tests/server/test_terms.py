"""What a book says about its table, in words: read off its rules and asked of its settlement."""

import re

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.match.terms import terms
from quepu.rulebooks import books, readings
from quepu.rules.diff import difference
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.server.app import Settings, create_app
from quepu.server.books.differences import table_changes
from quepu.server.books.messages import DifferenceAnswer
from quepu.server.http.messages import Bilingual
from tests.books import PLAYED

HAN = re.compile("[一-鿿]")


@pytest.mark.parametrize("name", PLAYED)
def test_every_book_has_every_term_in_both_languages(name):
    found = {term.key: term for term in terms(quepu.book(name))}
    assert {"rounds", "dealer", "moves", "discard", "drawn", "faults", "flowers", "dead_wall", "last"} <= set(found)
    for term in found.values():
        for text in (*term.label, *term.value):
            assert text
            assert "None" not in text
        assert not any("一" <= letter <= "鿿" for letter in term.label.en)
    assert str(play_rules(quepu.book(name)).match.rounds) in found["rounds"].value.en


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("lingque-29", "dealer", "庄家和牌连庄"),
        ("lingque-26", "dealer", "不连庄"),
        ("lingque-29", "discard", "放铳者付和家 48，其余各家付和家 24"),  # 放铳 2p, 其余 p
        ("lingque-29", "drawn", "各家付和家 36"),  # 3p/2
        ("guobiao", "discard", "点炮者付和家 32，其余各家付和家 8"),  # 底分 8
        ("yuque-54", "drawn", "公池付和家 324，各家付公池 54"),  # 18 番: p, p/6
        ("yuque-54", "dead_wall", "留 14 张"),
        ("canton", "drawn", "庄家付和家 25，其余各家付和家 24"),  # 庄家加一番
        ("canton", "dealer", "庄家和牌或流局连庄"),
    ],
)
def test_terms_say_what_the_book_says(name, key, text):
    assert next(term.value.zh for term in terms(quepu.book(name)) if term.key == key) == text


def test_editions_differ_in_their_tables_too(tmp_path):
    client = TestClient(create_app(Settings(data=tmp_path)))
    found = DifferenceAnswer.model_validate(client.get("/api/diff?old=lingque-26&new=lingque-29").json())
    terms = {term.label.zh: (term.old, term.new) for term in found.terms}
    assert {"连庄", "换座", "约化分数"} == set(terms)
    assert terms["约化分数"][1] == Bilingual(zh="无", en="none")
    assert client.get("/api/diff?old=guobiao&new=guobiao").json()["terms"] == []
    assert client.get("/api/books/guobiao").json()["terms"][0]["key"] == "rounds"


EVERY = [*books(), *readings()]


@pytest.mark.parametrize("old", EVERY, ids=lambda one: one.id)
def test_the_page_names_everything_in_which_two_tables_differ_in_both_languages(old: Rulebook) -> None:
    for new in EVERY:
        found = difference(old, new)
        rows = table_changes(found)
        shown = {(row["label"]["zh"], row["old"]["zh"], row["new"]["zh"]) for row in rows if row["old"] and row["new"]}
        assert {(one.label.zh, one.old.zh, one.new.zh) for one in found.play} <= shown
        words = {option.key: option for option in new.options}
        for key, pair in found.options.items():
            assert (words[key].text.zh, *(words[key].in_words(choice).zh for choice in pair)) in shown
        for row in rows:
            assert row["old"] != row["new"]
            for text in (row["label"], row["old"], row["new"]):
                if text:
                    assert not HAN.search(text["en"]), text
                    assert "_" not in text["en"] + text["zh"], text
            assert HAN.search(row["label"]["zh"]), row


def test_the_page_shows_a_cap_that_only_one_of_two_books_has() -> None:
    rows = table_changes(difference(quepu.book("guobiao-mil-2025"), quepu.book("guobiao-jmsa")))
    assert [(row["label"]["zh"].partition("：")[0], row["old"]["zh"], row["new"]["zh"]) for row in rows] == [
        ("封顶", "0", "88"),
        ("日文名", "无", "每个番种都有"),
    ]
