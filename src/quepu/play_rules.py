"""What a rulebook says about a table: tiles, kongs, claims, circumstances, payments, seats, faults.

A family answers in `rulebooks/<family>/play.py`, named by `Rulebook.play` ("quepu.rulebooks.lingque.play"). That
module defines one function, from the book (an edition or a house rule of the family) to its `PlayRules`:

    def rules(book: Rulebook) -> PlayRules:
        return PlayRules(
            table=TableRules(kong_after_claim=True, last_discard=frozenset({"win", "chow", "pung", "kong"})),
            match=MatchRules(dealer_repeats="win", moves=(…)),
            settle=settle,
            faults=(Fault("错和", Text("…", "…"), 30, to="others", barred=True),),
        )

and a `settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]`. Whatever a family lets a house choose is read
from `book.settings`, so an overlay changes it and the fingerprint of the book tells. The table, the match, the server
and the bots ask these values and never which book they have.

Seats are the winds of the hand: 0 East (always the dealer), 1 South, 2 West, 3 North. The one before in turn order
(上家) of seat s is (s - 1) % 4.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from quepu.errors import Text, UnknownName
from quepu.hand import Hand
from quepu.rulebook import Rulebook

if TYPE_CHECKING:
    from quepu.scoring import Score

SEATS = 4
POOL = 4
"""The common pool of a book whose hands do not sum to zero; stands where a seat stands in a payment."""


@dataclass(frozen=True)
class TableRules:
    """How a hand is played.

    The defaults are those of the plainest game: no flowers, no dead wall, a kong only with a drawn tile, the last
    discard only to be won.
    """

    flowers: bool = False
    """Whether the eight flowers are in the wall unless the table says otherwise (`flowers=` of a table)."""
    flowers_kept_out: bool = True
    """Whether a flower is set aside and replaced at once; False: its drawer may also discard it."""
    dead_wall: int = 0
    """Tiles at the tail that are never drawn: the hand is drawn when so many are left."""
    dead_wall_feeds: bool = False
    """Whether replacements come out of the dead wall (which then shrinks) instead of shortening the live wall."""
    kong_after_claim: bool = False
    """Whether a kong (added or concealed) may be made right after a chow or pung, not only with a drawn tile."""
    last_discard: frozenset[str] = frozenset({"win"})
    """What a discard made on an empty wall may be claimed for: among "win", "chow", "pung", "kong"."""
    kong_without_replacement: bool = False
    """Whether a kong may be made on an empty wall: it ends the hand, drawn, unless it is robbed."""
    concealed_kong_robbed_by: int = 0
    """Forms (bits of quepu.planes, as ORPHANS) of a win that may rob a concealed kong."""
    earthly: Literal["first discard", "first draw"] = "first discard"
    """Luck.EARTHLY: a non-dealer's win off the dealer's very first discard (no kong made before), or with the dealt
    hand and the first tile a non-dealer draws himself, having claimed nothing."""
    heavenly_after_kong: bool = False
    """Whether Luck.HEAVENLY survives concealed kongs of the dealer before his first discard."""
    declares_ready: bool = False
    """Whether a seat may declare itself ready on the dealt hand or with its first discard."""
    flower_wins: bool = False
    """Whether seven or eight flowers win (Luck.SEVEN_FLOWERS, EIGHT_FLOWERS, ROBBED_FLOWER)."""
    outer_discards: bool = False
    """Whether a drawn hand is won by a closed hand whose discards were all 1, 9 or honours, none of them claimed."""


@dataclass(frozen=True)
class MatchRules:
    """How hands follow each other. A round (圈) is four dealerships."""

    rounds: int = 4
    """Rounds in a match unless the table says otherwise."""
    dealer_repeats: Literal["never", "win", "win or draw"] = "never"
    """When the dealer stays (连庄)."""
    moves: tuple[tuple[int, int, int, int], ...] = ()
    """Seat changes: after round n, whoever began it at wind w begins the next at moves[(n - 1) % len(moves)][w].
    Empty: nobody moves."""
    another_round: Callable[[int, Sequence[int]], bool] | None = None
    """After the last round n (and every extra one): from n and the players' totals, whether to play one more. Asked
    only in a match that is about rank."""
    reduced: tuple[float, float] | None = None
    """α and T0 of the reduced score (约化分数), where the book has one."""
    start: int = 0
    """What each player begins with."""


class Ending(NamedTuple):
    """How a hand ended: all that a settlement is worked out from.

    At a table that people keep themselves `score` may be None and the points are told.
    """

    winner: int | None = None
    """None: a drawn hand."""
    points: int = 0
    """What the win is worth (`Score.total`)."""
    self_draw: bool = False
    discarder: int | None = None
    """Who discarded the winning tile, or whose kong (or flower) was robbed."""
    robbed: bool = False
    supplied: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Tiles each seat gave the winner: one for every chow, pung and exposed kong claimed from it, and the winning
    tile; an added kong's own tile and concealed kongs count nothing."""
    kong_feeder: int | None = None
    """Who discarded the tile of an exposed kong among the kongs made in a row just before a self-draw."""
    ready: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """What each hand that is ready, shown, and not the winner's is worth; None: not ready. Only where
    `PlayRules.ready_value` is given."""
    luck: int = 0
    """Luck bits of the win."""
    score: Score | None = None


class Payment(NamedTuple):
    """One flow of points with its reason. `payer` and `payee` are seats or POOL; `points` is above zero."""

    payer: int
    payee: int
    points: int
    why: Text


class Fault(NamedTuple):
    """Something done wrong at the table, what it costs and what follows.

    `points` go to the pool ("pool"), or from the offender to each of the others ("others": `points` to each).
    `barred`: no win and no claim for the rest of this hand (停和陪打). `remedies` name what may make it good, each in
    words; where one is carried out, the bar is not applied.
    """

    key: str
    text: Text
    points: int
    to: Literal["pool", "others"] = "pool"
    barred: bool = False
    remedies: tuple[Text, ...] = ()


Settle = Callable[[Ending, Rulebook], tuple[Payment, ...]]

ReadyValue = Callable[[Hand, Rulebook, Sequence[int]], "int | None"]
"""From thirteen tiles, the book, and how many copies of each of the 34 kinds the holder can see (his own hand and
melds included): what being ready is worth, None for a hand that is not ready."""


class QuickTable(NamedTuple):
    """Payments to be looked up at the table: a head for each column, rows of numbers, and what to say beside them."""

    heads: tuple[Text, ...]
    rows: tuple[tuple[int, ...], ...]
    note: Text | None = None


@dataclass(frozen=True)
class PlayRules:
    """Everything a table and a match ask a rulebook."""

    table: TableRules
    match: MatchRules
    settle: Settle
    faults: tuple[Fault, ...] = ()
    ready_value: ReadyValue | None = None
    """Given where every ready hand is paid at the end, whoever wins."""
    defence: bool = False
    """Whether it pays to hold back tiles that others may win on: asked by bots, and measured by their matches."""
    zero_sum: bool = True
    """Whether what seats pay and get in a hand sums to zero (no pool)."""
    counters: tuple[tuple[int, Text, int], ...] = ()
    """Counting sticks the book proposes: value, colour, how many each player begins with; empty: none."""
    quick_table: Callable[[int | None], QuickTable] | None = None
    """The table of payments that the book prints for its players, up to so many fan (None: as far as the book)."""
    notes: tuple[Text, ...] = field(default=())
    """Readings of the table rules a player should know, one sentence each."""


_MADE: dict[tuple[str, str], PlayRules] = {}


def play_rules(book: Rulebook) -> PlayRules:
    """The table rules of a book, from its family's module; worked out once for each fingerprint.

    Raises:
        UnknownName: the book names no module of table rules.
    """
    key = (book.play, book.fingerprint)
    if key not in _MADE:
        if not book.play:
            raise UnknownName(f"{book.title.zh}没有行牌规则。", f"{book.title.en} has no table rules.")
        made = importlib.import_module(book.play).rules(book)
        assert isinstance(made, PlayRules), f"{book.play}.rules must return PlayRules"  # noqa: S101  # a mistake in a family
        _MADE[key] = made
    return _MADE[key]
