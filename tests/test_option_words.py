"""The choices of house options in words: what stands in a file of house rules never reaches a reader."""

import re

import pytest

import quepu

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
