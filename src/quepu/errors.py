"""What quepu says when something given to it is wrong: one sentence, in Chinese and in English, and a place."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """A sentence for the user in both languages."""

    zh: str
    en: str

    def say(self, lang: str = "zh") -> str:
        """The sentence in `lang` ("zh" or "en")."""
        return self.en if lang == "en" else self.zh


class Error(Exception):
    """Base of everything quepu raises on bad input.

    `text` is the sentence in both languages; `at` is the position (0-based) in the text it speaks about, or None.
    """

    def __init__(self, zh: str, en: str, at: int | None = None) -> None:
        super().__init__(zh)
        self.text = Text(zh, en)
        self.at = at

    def say(self, lang: str = "zh") -> str:
        """The sentence in `lang` ("zh" or "en")."""
        return self.text.say(lang)


class NotationError(Error):
    """The text of a hand cannot be read, or what it says cannot be a hand."""


class HandError(Error):
    """The tiles, melds or circumstances contradict each other."""


class NotAWin(Error):
    """The tiles do not make a winning shape under this rulebook."""


class UnknownName(Error):
    """No rulebook, fan, circumstance, flower or option has this name."""


class OverlayError(Error):
    """A house-rule file says something that cannot be applied."""
