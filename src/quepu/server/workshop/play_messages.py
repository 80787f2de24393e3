"""Messages about the table, matches and penalties of a book, as a draft writes them."""

from __future__ import annotations

from pydantic import Field

from quepu.server.http.messages import Bilingual, Schema


class PenaltyShape(Schema):
    """A fault: its points and those of further times, to whom (a receiver), and whether it bars from winning."""

    key: str
    name: Bilingual
    text: Bilingual
    points: int
    again: list[int]
    to: str
    barred: bool


class WordedChoice(Schema):
    """A value that may be written, in words."""

    value: str
    text: Bilingual


class MatchShape(Schema):
    """The order of hands; `reduced`: α and T₀, empty without a reduced score."""

    rounds: int
    dealer_repeats: str
    moves: list[list[int]]
    reduced: list[float] = Field(max_length=2)


class SwitchShape(Schema):
    """A switch of the table."""

    key: str
    text: Bilingual
    on: bool


class PlayShape(Schema):
    """The table, matches and penalties of a book, as a draft writes them, with the words for every choice."""

    match: MatchShape
    repeats: list[WordedChoice]
    table: list[SwitchShape]
    faults: list[PenaltyShape]
    receivers: list[WordedChoice]
