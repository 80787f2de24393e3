"""Messages about players over many matches, and the roster."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.schema import PlayerId, Schema, Short
from quepu.scorekeeper.records import Name
from quepu.scorekeeper.roster import Key, Note, RosterFile, UndoChange
from quepu.server.http.messages import Bilingual, Who


class RatingShape(Schema):
    """A rating: `mean` and `deviation` of the belief, `low` three deviations below the mean."""

    mean: float
    deviation: float
    low: float
    matches: int


class PlayerLine(Schema):
    """A player's matches of one rulebook (`book`); `name` is a distinct label. `places` counts first to fourth."""

    id: str
    name: str
    book: str
    matches: int
    hands: int
    wins: int
    self_draws: int
    deal_ins: int
    total: int
    mean_win: float | None
    mean_deal_in: float | None
    places: list[int]
    rating: RatingShape


class RateShape(Schema):
    """`cases` of `of`; the true share is between `low` and `high` with 95% confidence."""

    cases: int
    of: int
    share: float
    low: float
    high: float


class MeanShape(Schema):
    """A mean with its 95% interval."""

    of: int
    mean: float
    low: float
    high: float


class CollectedFan(Schema):
    """A fan that a player has won with; `exact` is its share among all possible wins (null: not computed)."""

    name: str
    count: int
    exact: float | None


class CollectedFans(Schema):
    """The fans of one book over wins with known tiles; `of` is how many the book has."""

    book: str
    title: Bilingual
    wins: int
    of: int
    fans: list[CollectedFan]


class OpponentShape(Schema):
    """An opponent: matches together, how many ended above and below, the difference of all totals."""

    id: str
    name: str
    matches: int
    above: int
    below: int
    difference: int


class BestHandShape(Schema):
    """A high-scoring win; `at` is its table."""

    book: str
    points: int
    tiles: str
    at: str
    when: float


class CurvePoint(Schema):
    """A table on a player's curve."""

    when: float
    total: int
    place: int
    at: str


class PlayedBook(Schema):
    """A rulebook that was played, the unit of its points, and in how many matches."""

    book: str
    title: Bilingual
    unit: Bilingual
    matches: int


class PlayerView(PlayerLine):
    """A player's page of one rulebook; `books` are all that the player played.

    `rates` are win, self_draw (of wins), deal_in, drawn, first, last.
    """

    books: list[PlayedBook]
    rates: dict[str, RateShape]
    mean: MeanShape | None
    drawn: int
    fans: list[CollectedFans]
    against: list[OpponentShape]
    best: list[BestHandShape]
    curve: list[CurvePoint]


class AddNew(Schema):
    """Add a new player, even if another has the same name."""

    do: Literal["add"] = "add"
    name: Name
    note: Note = ""


class Rename(Schema):
    """Rename a player, whose results stay."""

    do: Literal["rename"] = "rename"
    id: PlayerId
    name: Name
    note: Note = ""


class Merge(Schema):
    """Merge two entries of one person, who keeps the name of `into`."""

    do: Literal["merge"] = "merge"
    id: PlayerId
    into: PlayerId


class SeatAnother(Schema):
    """Set that `id` sat at a table instead of `player`; null: a namesake not in the roster yet."""

    do: Literal["seat"] = "seat"
    table: Short
    player: PlayerId
    id: PlayerId | None = None


class RosterChange(Schema):
    """A change to the roster of `who`, which had `seen` changes; repeating it with the same `key` has no effect."""

    who: Who
    seen: Annotated[int, Field(ge=0, le=1_000_000)]
    key: Key
    record: Annotated[AddNew | Rename | Merge | SeatAnother | UndoChange, Field(discriminator="do")]


class RosterPlayer(Schema):
    """A player of the roster: a distinct `label`, `names` used here, `tables` played at."""

    id: str
    name: str
    note: str
    label: str
    names: list[str]
    tables: int


class RosterLine(Schema):
    """A change made to the roster; an undone one no longer counts."""

    key: str
    at: float
    text: Bilingual
    undone: bool


class RosterView(Schema):
    """The players of a roster, and its changes, the newest first."""

    length: int
    players: list[RosterPlayer]
    changes: list[RosterLine]


class LogFile(Schema):
    """A possible log file, and its time in seconds since 1970."""

    name: Short
    when: float = 0.0
    text: str


class ReadLogs(Schema):
    """Files to read; `roster` says who is who in them."""

    files: list[LogFile] = Field(max_length=1000)
    roster: RosterFile | None = None


class LogSetShape(Schema):
    """Logs that were read, to be sent back and added up."""

    matches: list[Any]
    figures: dict[Short, dict[PlayerId, Any]]
    called: dict[PlayerId, str]
    unread: list[Any]
    lost: list[Any]


class AddUp(Schema):
    """Sets of logs to add up; with `id`, also one player's page of a rulebook, else of the one played most."""

    sets: list[LogSetShape] = Field(max_length=2000)
    roster: RosterFile | None = None
    id: PlayerId | None = None
    book: Short | None = None


class UnreadFile(Schema):
    """A file that is not a log, and why."""

    path: str
    why: Bilingual


class LostPart(Schema):
    """A part that could not be read, and in how many files of other programs."""

    text: Bilingual
    files: int


class StatsView(Schema):
    """Figures of a set of logs; `player` is the requested page."""

    matches: int
    hands: int
    books: list[PlayedBook]
    players: list[PlayerLine]
    player: PlayerView | None
    unread: list[UnreadFile]
    lost: list[LostPart]


PLAYERS: tuple[type[Schema], ...] = (PlayerLine, PlayerView, RosterChange, RosterView, ReadLogs, AddUp, StatsView)
"""The types of players that the client needs."""
