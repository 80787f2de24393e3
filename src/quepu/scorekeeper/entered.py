"""A hand as it was entered: how it ended, what is wrong with it and what is still to be answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Text
from quepu.rules.play_rules import SEATS, Ending, ReadyHand


class EntryQuestion(NamedTuple):
    """A question to be answered before anybody can pay: the givers of the pungs and kongs, or who fed a kong."""

    about: str  # "givers" or "feeder"
    melds: tuple[int, ...] = ()
    tiles: tuple[str, ...] = ()


class RecordProblem(NamedTuple):
    """The problem for which a record would be refused if it were new; with a question where an answer would mend it."""

    text: Text
    question: EntryQuestion | None = None


class Entered(NamedTuple):
    """A hand's end in seats, how its points came about, the ready hands, and what is to be said about the record."""

    ending: Ending = Ending()
    how: Text | None = None
    ready: Sequence[ReadyHand | None] = (None,) * SEATS
    remarks: tuple[Text, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
