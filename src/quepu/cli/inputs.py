"""Turn typed input into hands and rulebooks; errors remember the text they refer to."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict

from quepu.errors import Error, HandError
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from pydantic import ValidationError


@contextmanager
def error_source(source: str) -> Iterator[None]:
    """Attach this text to errors raised inside, so that they can point into it."""
    try:
        yield
    except Error as error:
        if error.at is not None:
            error.source = source
        raise


def rulebook(name: str, *, recorded: bool = False) -> Rulebook:
    """Return a rulebook by id, alias or the path of a .toml file; `recorded`: the one that a log was played by."""
    from quepu.rulebooks import find_book

    return find_book(name, recorded=recorded)


_LISTED = re.compile(r"""((?:"[^"]*"|'[^']*'|[^,，])*)[,，]""")
"""An entry of a list and the comma after it; quotes protect commas."""


def bots_of(text: str) -> tuple[str, ...]:
    """Split levels of bots, by key or name, at commas; commas in a command need quotes: exec:python bot.py "1,2"."""
    from quepu.bots.protocol import level_key

    return tuple(level_key(found.strip()) for found in _LISTED.findall(f"{text},"))


def bad_name(wrong: ValidationError, zh: str = "名字", en: str = "the name") -> HandError:
    """Say why a name is not allowed: it is empty, too long, or has characters that no page can show."""
    first = wrong.errors()[0]
    if first["type"] == "string_too_short":
        return HandError(f"{zh}不能是空的。", f"{en} cannot be empty.")
    if first["type"] == "string_too_long":
        most = first["ctx"]["max_length"]
        return HandError(f"{zh}最多 {most} 字。", f"{en} can have at most {most} characters.")
    return HandError(f"{zh}里有无法保存的字符。", f"{en} has characters that cannot be stored.")


def hand_of(text: str) -> Hand:
    """Return the hand in a text."""
    from quepu.hands.notation import parse

    with error_source(text):
        return parse(text)


def natural(text: str) -> int | None:
    """Return a natural number written in ASCII digits, if it has a sane length; None otherwise."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


class HandOptions(TypedDict):
    """The options for the circumstances of a hand: winds, self-draw, `--with` and flowers."""

    seat: str
    round: str
    self_draw: bool
    with_: tuple[str, ...]
    flowers: str


def settings_of(options: HandOptions) -> dict[str, Any]:
    """Return these options as the keywords of `quepu.score`."""
    return {
        "seat": options["seat"],
        "round": options["round"],
        "self_draw": options["self_draw"],
        "circumstances": names_of(options["with_"]),
        "flowers": options["flowers"],
    }


def names_of(given: Iterable[str]) -> list[str]:
    """Split names given one by one, or several in one word: 岭上开花,海底捞月; English names at commas."""
    found: list[str] = []
    for word in given:
        for part in re.split("[，、,;；]", word):
            found += [part.strip()] if any(c.isascii() and c.isalpha() for c in part) else part.split()
    return found


def apply_situation(hand: Hand, book: Rulebook, settings: dict[str, Any]) -> Hand:
    """Return the hand with seat, round, circumstances and flowers as they were typed.

    Raises:
        HandError: they are impossible, or a round wind was typed for a book without one.
    """
    from quepu.rules.circumstances import situate

    refuse_round(settings["round"], book)
    return situate(hand, book, **settings)


def refuse_round(typed: str, *books: Rulebook) -> None:
    """Refuse a typed round wind (other than East, the default) if none of the books has one.

    Raises:
        HandError: it has no meaning in these books.
    """
    from quepu.rules.winds_and_flowers import wind
    from quepu.tiles import EAST

    if wind(typed) != EAST and not any(book.round_wind for book in books):
        titles = [book.title for book in books]
        raise HandError(
            f"{'和'.join(title.zh for title in titles)}没有圈风，请去掉 --round。",
            f"{' and '.join(title.en for title in titles)} has no round wind: leave out --round.",
        )


def each_hand(text: str, action: Callable[[str], int], *, json: bool) -> int:
    """Run an action on the hand of a text, or with `-` on every line of standard input; return the exit code.

    Empty lines and comments after `#` are skipped. An error in one of several lines is printed before the next line is
    processed.

    Raises:
        Error: the only hand is invalid, or one JSON document is requested for several lines.
    """
    if text.strip() != "-":
        return action(text)
    hands = [hand for line in sys.stdin if (hand := line.partition("#")[0].strip())]
    if len(hands) < 2:
        return action("".join(hands))
    if json:
        raise HandError(
            "标准输入有多手牌，--json 只回答一手；请改用 --jsonl。",
            "standard input has several hands, and --json answers only one: use --jsonl.",
        )
    from quepu.cli.screen import complain, show

    worst = 0
    for number, hand in enumerate(hands):
        if number:
            show("")
        try:
            worst = max(worst, action(hand))
        except Error as error:
            sys.stdout.flush()
            complain(error, source=hand if error.source is None else error.source)
            worst = 2
    return worst
