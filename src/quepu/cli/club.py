"""`quepu rules club BOOK`: a few questions about how a club plays; writes a house-rules file and a card to print."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from quepu.cli.files import write
from quepu.cli.inputs import natural
from quepu.cli.screen import complain, show
from quepu.cli.texts import Chosen, pick, say, spoken
from quepu.errors import HandError, OverlayError
from quepu.rulebooks.house_rules import read
from quepu.rules.rulebook import Option, Rulebook
from quepu.scoring.booklet import club_card, club_options


def ask_club(book: Rulebook) -> int:
    """Ask every question, and write `club.toml` and `club.html` (or the next free names)."""
    options = club_options(book)
    show(say("club.begin", book=spoken(book.title), n=len(options)))
    usual = pick("社团规则", "Our club")
    name = _line(say("club.name", name=usual)) or usual
    chosen: dict[str, Any] = {}
    for at, option in enumerate(options, 1):
        if not option.matters(chosen):
            continue
        choice = _choice(book, option, at, len(options))
        if choice != book.choice(option):
            chosen[option.key] = choice
    text = house_file(book, name, chosen)
    made = read(text)  # refuses what could not be read back
    file = next(path for path in _names() if not path.exists())
    card = file.with_suffix(".html")
    write(text, str(file))
    write(club_card(made, Chosen.lang), str(card))
    show(say("club.made", file=file, card=card))
    return 0


def house_file(book: Rulebook, title: str, chosen: dict[str, Any]) -> str:
    """Return a house-rules file with these choices."""
    lines = [f"base = {_value(book.id)}", f"title = {_value(title)}", "", "[options]"]
    return "\n".join([*lines, *(f"{_value(key)} = {_value(choice)}" for key, choice in chosen.items())]) + "\n"


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _names() -> list[Path]:
    return [Path("club.toml"), *(Path(f"club-{n}.toml") for n in range(2, 1000))]


def _choice(book: Rulebook, option: Option, at: int, n: int) -> Any:
    """Ask one question until the answer can be chosen; an empty line keeps what the book has."""
    show(say("club.ask", at=at, n=n, text=spoken(option.text)))
    default = book.choice(option)
    for number, choice in enumerate(option.choices, 1):
        show(f"   {number}) {spoken(option.in_words(choice))}{' *' if choice == default else ''}")
    if option.between is not None:
        show(say("club.between", low=option.between[0], high=option.between[1], example=default))
    elif option.free is not None:
        show(say("club.free"))
    while True:
        answer = _line(say("club.answer"))
        if not answer:
            return default
        given = natural(answer.removeprefix("="))
        if given is not None and answer.startswith("=") and option.between is not None and option.takes(given):
            return given
        if answer.startswith("=") and option.free is not None:
            try:
                own = _own(answer.removeprefix("="))
                option.free(own)
            except OverlayError as error:
                complain(error)
                continue
            return own
        if given is not None and not answer.startswith("=") and 1 <= given <= len(option.choices):
            return option.choices[given - 1]
        complain(_expected(option))


def _own(text: str) -> Any:
    """Read a value of one's own: a list of numbers such as [1, 3, 0], else the words as they stand."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, list) else text.strip()


def _expected(option: Option) -> HandError:
    """Say which answers a question takes: the number of a choice, or = and a value."""
    n = len(option.choices)
    if option.between is None:
        return HandError(f"请写 1 到 {n}。", f"enter 1 to {n}.")
    low, high = option.between
    return HandError(
        f"请写 1 到 {n}，或在 = 后写 {low} 到 {high} 的数。",
        f"enter 1 to {n}, or = and a number from {low} to {high}.",
    )


def _line(prompt: str) -> str:
    """Read one answer; the end of a file is an empty one.

    Raises HandError if the terminal's input ends: the questions are left.
    """
    if sys.stdin.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            raise HandError(
                "没有答完，什么也没有写下。", "cancelled before the last answer: nothing was written."
            ) from None
    return sys.stdin.readline().strip()
