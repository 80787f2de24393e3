"""The choices of house options in words: what stands in a file of house rules never reaches a reader."""

import re

import pytest

import quepu
from quepu.match.terms import terms
from quepu.rules.play_rules import play_rules

BOOKS = [book if isinstance(book, str) else book.id for book in quepu.books()]


@pytest.mark.parametrize("rules", BOOKS)
def test_choices_are_read_in_both_languages(rules):
    for option in quepu.book(rules).options:
        assert not option.words or len(option.words) == len(option.choices)
        for choice in option.choices:
            zh, en = option.in_words(choice)
            if isinstance(choice, str):
                assert re.search("[\u4e00-\u9fff]", zh), (option.key, choice)
                assert not re.search("[_\u4e00-\u9fff]", en), (option.key, choice)
        assert not re.search("[a-z]+_[a-z]+", option.text.zh + option.text.en), option.key


@pytest.mark.parametrize("rules", BOOKS)
def test_options_are_read_without_numbers_of_rulings(rules):
    """A card at a table opens no rulings; `quepu books`, which does, adds the number to the text."""
    book = quepu.book(rules)
    numbers = "|".join(re.escape(ruling.id) for ruling in book.rulings)
    for option in book.options:
        for zh, en in (option.text, *option.words):
            assert not re.search(rf"裁定 ?\d|rulings? \d|(?<![\w-])({numbers})(?![\w-])", zh + " " + en), option.key


@pytest.mark.parametrize("rules", BOOKS)
def test_what_is_agreed_at_a_table_is_all_english_for_who_reads_english(rules):
    book = quepu.book(rules)
    faults = play_rules(book).faults
    texts = [part for term in terms(book) for part in (term.label, term.value)]
    texts += [part for fault in faults for part in (fault.name, fault.text, *fault.remedies)]
    assert not [part.en for part in texts if re.search("[\u4e00-\u9fff]", part.en)]
    assert len({fault.name.en for fault in faults}) == len(faults)
    assert ": ;" not in next(term.value.en for term in terms(book) if term.key == "faults")
