"""Every text of the command line in both languages, in one table by key, and the chosen language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from quepu import errors
from quepu.cli.texts.commands import COMMANDS
from quepu.cli.texts.games import TABLES
from quepu.cli.texts.measuring import MEASURING
from quepu.cli.texts.operating import OPERATING
from quepu.cli.texts.scored_hands import HANDS
from quepu.cli.texts.stats import STATS
from quepu.cli.texts.usage import USAGE
from quepu.errors import Text, join_list

if TYPE_CHECKING:
    from quepu.rules.play_rules import Words


_MANY: Final = re.compile(r"(?P<one>\{(?P<name>\w+)\} [a-z]{3,}?)(?:s|(?<=ch)es)\b")
"""The placeholder of a number followed by a plural noun."""


class Chosen:
    """The language and tile drawing chosen for this run."""

    lang: str = "zh"
    tiles: str = "cells"


def language(given: str | None = None) -> str:
    """Return the language of texts: as given, else QUEPU_LANG, else the locale's (`quepu.errors.language`)."""
    return "en" if given and given.lower().startswith("en") else "zh" if given else errors.language()


def say(key: str, **values: Any) -> str:
    """Return the text of this key in the chosen language with values filled in; English has one tile, two tiles."""
    text = TEXTS[key].say(Chosen.lang)
    ones = [name for name, value in values.items() if isinstance(value, int) and value == 1]
    if ones and Chosen.lang == "en":
        text = _MANY.sub(lambda found: found[0] if found["name"] not in ones else found["one"], text)
    return text.format(**values)


def in_words_of(words: Words) -> dict[str, str]:
    """Return a book's own words as values of `say`, for the Chinese texts (the English ones do not need them)."""
    return {
        "word": words.hand.zh,
        "nobody": words.drawn.zh,
        "match": words.match.zh,
        "won": words.won.zh,
        "discarded": words.discarded.zh,
    }


def spoken(text: Text) -> str:
    """Return a text of another module in the chosen language."""
    return text.say(Chosen.lang)


def join_words(words: Iterable[Text | str]) -> str:
    """Join words as a list in the chosen language."""
    return spoken(join_list(words))


def join_items(items: Iterable[str]) -> str:
    """Join items of one line: with an ideographic space in Chinese, with two spaces in English."""
    return pick("\u3000", "  ").join(items)


def pick(zh: str, en: str) -> str:
    """Pick one of two spellings of data."""
    return en if Chosen.lang == "en" else zh


PARTS: Final = (USAGE, COMMANDS, HANDS, TABLES, MEASURING, OPERATING, STATS)
TEXTS: Final[dict[str, Text]] = {key: text for part in PARTS for key, text in part.items()}
"""The texts by key; each key is in one part only."""
