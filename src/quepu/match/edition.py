"""Find the rules a log was played by: the revision named in its header, or the closest one that still exists.

A log can be read without its book: it contains the events and the payments. The book provides names, replays hands for
comparison, and resumes a match that broke off.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.hands.planes import Planes
from quepu.rulebooks import book as find_book
from quepu.rules.arithmetic import Hits, Tally
from quepu.rules.play_rules import MatchRules, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook
from quepu.tiles import FLOWERED

FIRST_FORMAT = 1
"""Logs of this format do not name a revision: all were played under the first one."""
_LONGEST = 60


class Edition(NamedTuple):
    """A book for a log. `same`: it is exactly the one the log was played by. `note` lists the differences.

    `known`: hands can be replayed with it; otherwise the book only provides names.
    """

    book: Rulebook
    same: bool
    note: Text | None = None
    playable: bool = True


def edition_of(header: Mapping[str, Any], given: Rulebook | None = None) -> Edition:
    """Find the book of a log by its header; `given` is a book named by the caller instead, or house rules.

    A log is not refused because its book, or an option of it, no longer exists.
    """
    named = str(header.get("rules", ""))
    book = given
    try:
        if book is None:
            book = find_book(named)
            if header.get("chosen"):
                book = book.having(options=header["chosen"])
    except (Error, TypeError, AttributeError) as error:
        why = error.text if isinstance(error, Error) else Text("选项有误。", "its options are wrong.")
        note = Text(f"只看记录：{why.zh}", f"events only: {why.en}")
        return Edition(_unknown(named, header) if book is None else book, False, note, playable=False)
    if "@" in book.id:
        return _compare(book, header)
    first = header.get("log") == FIRST_FORMAT
    revision = header.get("revision", 1 if first else book.revision)
    try:
        return _compare(book.at(int(revision)), header)
    except (Error, ValueError, TypeError):
        zh = f"牌谱出自规则 {named} 的修订 {revision}，这里只到修订 {book.revision}。"
        en = f"the log is of revision {revision} of {named}; here it goes up to {book.revision}."
        return Edition(book, False, Text(zh, en))


def _compare(book: Rulebook, header: Mapping[str, Any]) -> Edition:
    if header.get("log") == FIRST_FORMAT or header.get("fingerprint") == book.fingerprint:
        return Edition(book, header.get("log") != FIRST_FORMAT)
    zh = f"规则 {book.id} 与当时的不尽相同（指纹当时 {header.get('fingerprint')}，现在 {book.fingerprint}）。"
    en = (
        f"{book.id} is not quite what it was (its fingerprint was {header.get('fingerprint')}, now {book.fingerprint})."
    )
    return Edition(book, False, Text(zh, en))


class _Nothing:
    """The arithmetic of an unknown book: nothing scores."""

    reads: tuple[str, ...] = ()

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hashable:  # the signature of every arithmetic
        """Return the same situation for every hand."""
        return None

    def combine(self, book: Rulebook, situation: Any) -> Tally:
        """Return an empty tally."""
        return Tally(0, {}, (), (), Text("规则不详", "the rules are not known"))


def _unknown(name: str, header: Mapping[str, Any]) -> Rulebook:
    """Return a book that has only the name given in a log."""
    name, given = name[:_LONGEST] or "?", header.get("title")
    title = Text(name, name)
    if isinstance(given, list) and len(given) == 2 and all(isinstance(text, str) for text in given):
        title = Text(given[0][:_LONGEST], given[1][:_LONGEST])
    return Rulebook(
        id=name,
        title=title,
        fans=(),
        arithmetic=_Nothing(),
        shapes=("standard",),
        minimum=0,
        unit=Text("点", "points"),
        circumstances={},
        play=__name__,
    )


def rules(_: Rulebook) -> PlayRules:
    """Return table rules for an unknown book: whatever was played is accepted."""
    return PlayRules(table=TableRules(tiles=FLOWERED), match=MatchRules(), settle=lambda *_: (), zero_sum=False)


__all__ = ["Edition", "edition_of", "rules"]
