"""Rules of play, as a rulebook states them: tiles, kongs, claims, circumstances, payments, seats, faults.

A family answers in `rulebooks/<family>/play_rules.py`, named by `Rulebook.play`
("quepu.rulebooks.lingque.play_rules"). That module defines one function, from the book (an edition or a
house rule of the family) to its `PlayRules`:

    def rules(book: Rulebook) -> PlayRules:
        return PlayRules(
            table=TableRules(kong_after_claim=True, last_discard=frozenset({"win", "chow", "pung", "kong"})),
            match=MatchRules(dealer_repeats="win", moves=(…)),
            settle=settle,
            faults=(Fault("错和", Text("…", "…"), 30, to="others", barred=True),),
        )

and a `settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]`. Everything that a family lets a house choose is
read from `book.settings`, so an overlay changes it and the fingerprint of the book shows it. The table, the match, the
server and the bots use these values and never ask which book they have.

Seats are the winds of the hand: 0 East (always the dealer), 1 South, 2 West, 3 North. The one before in turn order
(上家) of seat s is (s - 1) % 4.
"""

from __future__ import annotations

import importlib
import warnings
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from quepu.errors import Text, UnknownName
from quepu.hands.hand import Hand, Meld
from quepu.rules.faults import Fault as Fault  # noqa: PLC0414  # rulebook packages import it from here
from quepu.rules.faults import change_faults
from quepu.rules.rulebook import Rulebook
from quepu.tiles import PLAIN, TileSet

if TYPE_CHECKING:
    from quepu.scoring.score import Score

SEATS = 4
POOL = 4
"""The common pool of a book whose hands do not sum to zero; used in place of a seat in a payment."""


@dataclass(frozen=True)
class TableRules:
    """Rules by which a hand is played.

    The defaults are those of the plainest game: no flowers, no dead wall, a kong only with a drawn tile, the last
    discard can only be won.
    """

    tiles: TileSet = PLAIN
    """The tiles in the wall; a table may be played with flowers or without them, whatever its book says."""
    flowers_replaced: bool = True
    """Whether a flower is set aside and replaced at once; False: its drawer may also discard it."""
    flowers_held: bool = False
    """Whether a drawn flower may also be kept in the hand, to be set aside or discarded on a later turn. Only where
    `flowers_replaced` is False; dealt flowers are replaced in any case.
    """
    dead_wall: int = 0
    """Tiles at the tail that are never drawn: the hand ends without a winner when only these are left."""
    dead_wall_feeds: bool = False
    """Whether replacements come out of the dead wall (which then shrinks) instead of shortening the live wall."""
    kong_after_claim: bool = False
    """Whether a kong (added or concealed) may be made right after a chow or pung, not only with a drawn tile."""
    claims: frozenset[str] = frozenset({"chow", "pung", "kong"})
    """Claims allowed on a discard, besides a win."""
    last_discard: frozenset[str] = frozenset({"win"})
    """Claims allowed on a discard from an empty wall: among "win", "chow", "pung", "kong"."""
    kong_without_replacement: bool = False
    """Whether a kong can be made on an empty wall: it ends the hand without a winner, unless it is robbed."""
    concealed_kong_robbed_by: int = 0
    """Forms (bits of quepu.hands.planes, such as ORPHANS) of a win that can rob a concealed kong."""
    earthly: Literal["first discard", "first draw"] = "first discard"
    """Luck.EARTHLY: a non-dealer's win on the dealer's very first discard (without an earlier kong), or with the dealt
    hand and the first tile drawn by a non-dealer without a claim.
    """
    heavenly_after_kong: bool = False
    """Whether Luck.HEAVENLY survives the dealer's concealed kongs before the first discard."""
    declares_ready: bool = False
    """Whether a seat can declare itself ready on the dealt hand or with its first discard."""
    flower_wins: bool = False
    """Whether seven or eight flowers win (Luck.SEVEN_FLOWERS, EIGHT_FLOWERS, ROBBED_FLOWER)."""
    concealed_kongs_hidden: bool = False
    """Whether the tiles of a concealed kong lie face down for the others until the hand is over (暗杠扣放)."""
    most_winners: int = 1
    """How many seats may win the same discard or robbed kong (一炮多响): the nearest in turn order."""
    barred_claims: bool = False
    """Whether a seat that may no longer win (停和) may still claim discards and make kongs."""
    outer_discards: bool = False
    """Whether an exhausted hand is won by a concealed hand whose discards were all 1, 9 or honours, none of them
    claimed.
    """

    @property
    def flowers(self) -> bool:
        """Whether there are flowers among the tiles."""
        return bool(self.tiles.flowers)


@dataclass(frozen=True)
class MatchRules:
    """Rules by which hands follow each other. A round (圈) is four dealerships."""

    rounds: int = 4
    """Rounds in a match unless the table says otherwise."""
    dealer_repeats: Literal["never", "win", "win or draw"] = "never"
    """When the dealer stays (连庄)."""
    shared_win: Literal["any", "first", "never"] = "any"
    """With several winners, the dealer who stays after a win: if among them, if the nearest, or never."""
    moves: tuple[tuple[int, int, int, int], ...] = ()
    """Seat changes: after round n, the player who began it at wind w begins the next at moves[(n - 1) % len(moves)][w].
    Empty: no changes.
    """
    another_round: Callable[[int, Sequence[int]], bool] | None = None
    """After the last round n (and every extra one): whether to play one more, by n and the players' totals. Used only
    in a ranked match.
    """
    reduced: tuple[float, float] | None = None
    """α and T0 of the reduced score (约化分数), if the book has one."""
    start: int = 0
    """The points each player begins with."""
    standard: tuple[int, ...] = ()
    """Standard points (标准分) of the first, second … place of a match, shared by equal totals; empty: none."""


class SeatWin(NamedTuple):
    """The win of one seat.

    At a physical table, `score` may be None and only the points are known.
    """

    seat: int
    points: int = 0
    """The value of the win (`Score.total`)."""
    supplied: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Tiles supplied to the winner by each seat: one for every chow, pung and exposed kong claimed from it, and the
    winning tile; an added kong's fourth tile and concealed kongs do not count.
    """
    luck: int = 0
    """Luck bits of the win."""
    score: Score | None = None
    liable: int | None = None
    """The seat that pays for the whole hand (包), by `PlayRules.liable` or as a physical table agreed."""


class WinFacts(NamedTuple):
    """Facts of a win on which liability for it (包) depends."""

    seat: int
    melds: tuple[tuple[Meld, int | None], ...]
    """The sets laid down, in the order in which they were made, and who gave the tile (None: a concealed kong)."""
    discarder: int | None = None
    left: int | None = None
    """Tiles left in the wall when the winning tile was discarded; None: not a discard, or unknown."""
    seen: int = 0
    """Copies of the winning tile that all could see before it was discarded."""
    hand: Hand | None = None
    """The winning hand; None: unknown."""


class Ending(NamedTuple):
    """The ending of a hand: everything that a settlement is computed from."""

    winners: tuple[SeatWin, ...] = ()
    """The wins in turn order from the discarder; empty: no winner. Several only if `TableRules.most_winners` allows it.
    """
    self_draw: bool = False
    discarder: int | None = None
    """The seat that discarded the winning tile, or whose kong (or flower) was robbed."""
    robbed: bool = False
    kong_feeder: int | None = None
    """The seat that discarded the tile of an exposed kong among the kongs made in a row just before a self-draw."""
    ready: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """The value of each other ready hand that is shown; None: not ready. Only if `PlayRules.ready_value` is given."""

    @property
    def first(self) -> SeatWin | None:
        """The win nearest after the discarder; None: no winner."""
        return self.winners[0] if self.winners else None

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the winners."""
        return tuple(win.seat for win in self.winners)

    def win_of(self, seat: int) -> SeatWin | None:
        """Return the win of a seat, if it won."""
        return next((win for win in self.winners if win.seat == seat), None)

    @property
    def winner(self) -> int | None:
        """The seat of `first` (deprecated, as the next four: packages written for contract 1.0 use them)."""
        win = self._former("winner", "seat")
        return None if win is None else win.seat

    @property
    def points(self) -> int:
        """The points of `first` (deprecated)."""
        win = self._former("points", "points")
        return 0 if win is None else win.points

    @property
    def supplied(self) -> tuple[int, int, int, int]:
        """The tiles supplied to `first` (deprecated)."""
        win = self._former("supplied", "supplied")
        return (0, 0, 0, 0) if win is None else win.supplied

    @property
    def luck(self) -> int:
        """The luck bits of `first` (deprecated)."""
        win = self._former("luck", "luck")
        return 0 if win is None else win.luck

    @property
    def score(self) -> Score | None:
        """The score of `first` (deprecated)."""
        win = self._former("score", "score")
        return None if win is None else win.score

    def _former(self, name: str, field: str) -> SeatWin | None:
        """Return `first`, whose field had this name in version 1.0 of the contract."""
        text = f"Ending.{name} is deprecated since version 1.1 of the contract: use Ending.first.{field}, or winners"
        warnings.warn(text, DeprecationWarning, stacklevel=3)
        return self.first


def too_many_winners(winners: int, most: int) -> Text:
    """Refuse more winners on one tile than the rules allow."""
    zh, en = "至多两家和", "at most two players win"
    if most == 1:
        zh, en = "只有一家能和", "only one player wins"
    return Text(
        f"按这本规则，同一张牌{zh}，不是 {winners} 家。", f"by these rules {en} on the same tile, not {winners}."
    )


class Payment(NamedTuple):
    """One flow of points with its reason. `payer` and `payee` are seats or POOL; `points` is above zero."""

    payer: int
    payee: int
    points: int
    why: Text


TABLE_SWITCHES = ("flowers", "concealed_kongs_hidden", "kong_after_claim")
"""Fields of `TableRules` that a house can switch, in any book (setting `table`: field and value)."""
FACE_DOWN = Text("暗杠扣放，本盘结束才亮出。", "a concealed kong lies face down until the hand is over")

Settle = Callable[[Ending, Rulebook], tuple[Payment, ...]]


class ReadyHand(NamedTuple):
    """A ready hand that did not win, as it is counted: a wait, its score there, whether a copy may still come."""

    tile: int
    score: Score
    live: bool

    @property
    def points(self) -> int:
        """The hand's points, of which the settlement pays the book's share."""
        return self.score.points


ReadyValue = Callable[[Hand, Rulebook, Sequence[int]], "ReadyHand | None"]
"""Maps thirteen tiles, the book, and the copies of each of the 34 kinds visible to the holder (the own hand and melds
included) to the value of being ready; None for a hand that is not ready.
"""


class QuickTable(NamedTuple):
    """Payments to look up at the table: a head for each column, rows of numbers, and captions."""

    heads: tuple[Text, ...]
    rows: tuple[tuple[int, ...], ...]
    note: Text | None = None


class Words(NamedTuple):
    """A book's own words for play and its endings.

    One hand, a hand without a winner, the whole match; the act of a winner, and of the discarder of the winning tile.
    """

    hand: Text = Text("局", "hand")
    drawn: Text = Text("流局", "no winner")
    match: Text = Text("场", "match")
    won: Text = Text("和", "wins")
    discarded: Text = Text("放铳", "dealt in")


USUAL_WORDS = Words()


@dataclass(frozen=True)
class PlayRules:
    """Everything a table and a match need from a rulebook."""

    table: TableRules
    match: MatchRules
    settle: Settle
    faults: tuple[Fault, ...] = ()
    ready_value: ReadyValue | None = None
    """Given if every ready hand is paid at the end, whoever wins."""
    announced: Callable[[int], int] | None = None
    """Maps a number of fan to points, in a book whose players announce fan and pay points; None: points are announced.
    """
    defence: bool = False
    """Whether defence pays: used by bots, and measured in their matches."""
    pay_power: float = 1.0
    """The power of its points by which a hand is weighed: above 1, large ones count for more; measured likewise."""
    danger_price: float = 0.0
    """If defence pays: the cost of a certain deal-in, in values of the hand; 0: the points that the book takes for it.
    Above 0 if `pay_power` is not 1, since a power of points is not points.
    """
    claim_share: float = 1.0
    """The share of its value that a hand keeps after a claim that brings it no nearer; measured likewise."""
    pace: float | None = None
    """The useful tiles per turn, by which near and far hands are compared; None: the usual number."""
    meld_turns: float = 0.0
    """The turns that each meld of another seat takes from those left, since that seat is ready sooner; measured
    likewise.
    """
    zero_sum: bool = True
    """Whether what seats pay and get in a hand sums to zero (no pool)."""
    counters: tuple[tuple[int, Text, int], ...] = ()
    """Counting sticks that the book proposes: value, colour, how many each player begins with; empty: none."""
    liable: Callable[[WinFacts], int | None] | None = None
    """Finds the seat that pays for a whole hand (包); None: no such rule."""
    quick_table: Callable[[int | None], QuickTable] | None = None
    """The table of payments that the book prints for its players, up to a number of fan (None: as far as the book)."""
    point_value: Fraction | None = None
    """The money that a point is worth, if the table has agreed on it (points are whole numbers, money need not be)."""
    club: tuple[str, ...] = ()
    """The options that a club should settle, in the order in which it is asked; empty: all of the book's."""
    notes: tuple[Text, ...] = field(default=())
    """Table rulings that a player should know, one sentence each."""
    words: Words = USUAL_WORDS
    """The book's own words if they differ from the usual ones."""
    ema_rules: str = ""
    """The rules under which the European association (EMA) files results of this book; empty: it takes none."""


_MOST_FAN: Final = 1 << 16


def fan_of(announced: Callable[[int], int], points: int) -> int | None:
    """Return the fan worth exactly this many points, or None. `announced` never falls as the fan grows."""
    fan = least_fan(announced, points)
    return fan if fan is not None and announced(fan) == points else None


def least_fan(announced: Callable[[int], int], points: int) -> int | None:
    """Return the smallest number of fan worth at least this many points, or None if points have a limit below them."""
    most = 1
    while announced(most) < points:
        if most >= _MOST_FAN:
            return None
        most *= 2
    return bisect_left(range(most + 1), points, key=announced)


_MADE: OrderedDict[tuple[str, str], PlayRules] = OrderedDict()
_MOST_MADE = 256


def play_rules(book: Rulebook) -> PlayRules:
    """Return the table rules of a book from its family's module, cached by fingerprint.

    Raises:
        UnknownName: the book does not name a module of table rules.
    """
    key = (book.play, book.fingerprint)
    if key not in _MADE:
        if not book.play:
            raise UnknownName(f"{book.title.zh}没有行牌规则。", f"{book.title.en} has no table rules.")
        made = importlib.import_module(book.play).rules(book)
        assert isinstance(made, PlayRules), f"{book.play}.rules must return PlayRules"  # noqa: S101  # a mistake in a family
        if book.settings.get("faults"):
            made = replace(made, faults=change_faults(made.faults, book.settings["faults"]))
        switches = dict(book.settings.get("table", ()))
        flowers = switches.pop("flowers", made.table.flowers)
        table = replace(made.table, tiles=made.table.tiles.with_flowers(flowers), **switches)
        notes = (*made.notes, FACE_DOWN) if table.concealed_kongs_hidden else made.notes
        match = replace(made.match, **dict(book.settings.get("match", ())))
        _MADE[key] = made = replace(made, table=table, match=match, notes=notes)
        while len(_MADE) > _MOST_MADE:  # a server is asked for house rules without end
            _MADE.popitem(last=False)
    return _MADE[key]
