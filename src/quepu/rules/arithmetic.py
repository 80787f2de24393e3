"""The arithmetic of a book: its input, its answer, and the optional services it may offer.

Every arithmetic is an `Arithmetic`. The other protocols are optional: callers check with `isinstance` and do without
them.

| protocol              | offers                                 | used by                                        |
| --------------------- | -------------------------------------- | ---------------------------------------------- |
| `Listing`             | lines of rows that are counted already | `fast.compiled.scorer`: fans of one hand       |
| `Explains`            | the tally with notes and steps         | explanations                                   |
| `Prints`              | a value as the book writes it          | lists of fans                                  |
| `Figured`             | figures besides those of the rows      | the fingerprint                                |
| `PartSummed`          | parts of values that are not added up  | explanations                                   |
| `Adopting`            | settings for fans that a house adds    | `Rulebook.having`                              |
| `Classified`          | facts besides the hits that decide     | `fast.universe.classes`: arrays, exact counts  |
| `AdditiveArithmetic`  | sums that need no search               | `fast.weighing.additive`: arrays, the fast way |
| `Relating`            | rows that are settled together         | the same, for books with rows that relate sets |
| `ProductArithmetic`   | figures of a sum times a factor        | `fast.weighing.product`: arrays                |
| `ResidueArithmetic`   | figures of rows added by residues      | `fast.weighing.residue`: arrays, by numba      |
| `Leaving`             | residues that a house may set          | files of house rules                           |
| `Implying`            | the sentence about implied fans        | checks of a draft                              |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from quepu.errors import Text
from quepu.hands.planes import Condition, Planes
from quepu.rules.row import Fan

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook

Hits = tuple[tuple[int, int], ...]
"""The rows that hold in a reading: (index of the row, times it holds or the plane of its places), nonzero only."""


Place = tuple[tuple[int, int], ...]
"""A group that a fan was counted on: its kind (`quepu.hands.win.CHOW` …) and its lowest tile."""


class Counted(NamedTuple):
    """A fan that counts: which row, how often, its value here, and a remark if the book needs one.

    For an explanation only: `places` are the groups of each time it counts, if not everything that holds counts;
    `called` is its name in this hand, if a row stands for several.
    """

    row: int
    times: int
    value: Mapping[str, int]
    note: Text | None = None
    places: tuple[Place, ...] | None = None
    called: Text | None = None


class Dropped(NamedTuple):
    """A fan that held but does not count, and why (the row that excludes it, or None, and the sentence)."""

    row: int
    by: int | None
    why: Text


class Tally(NamedTuple):
    """The value of one reading under the book's arithmetic.

    `points` count towards the minimum; `bonus` comes on top (fans outside the minimum). `parts` are the book's own sums
    (fu and fan, or fan). `steps` explain the arithmetic in words.
    """

    points: int
    parts: Mapping[str, int]
    counted: tuple[Counted, ...]
    dropped: tuple[Dropped, ...]
    how: Text
    steps: tuple[Text, ...] = ()
    bonus: int = 0

    def __repr__(self) -> str:
        bonus = f", bonus={self.bonus}" if self.bonus else ""
        return f"Tally({self.points}{bonus}: {self.how}; {len(self.counted)} counted, {len(self.dropped)} dropped)"


NO_LIMIT = 255
"""`Pays.most` of a row that counts as often as it holds."""


class Pays(NamedTuple):
    """The value of a row: it counts as often as it holds, up to `most` times, each time for `value`.

    Or, if `more` is given, it counts once: `value` for the first time it holds and `more` for each further one.
    """

    value: int
    most: int = NO_LIMIT
    more: int | None = None


class Arithmetic(Protocol):
    """The arithmetic of a book: combines the fans that hold into points.

    `combine` only gets the situation, and its tally is cached by the situation: the situation is everything that
    decides a tally.
    """

    reads: tuple[str, ...]
    """Planes that `situation` reads besides the hits."""

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hashable:
        """Return everything about a reading that its tally depends on."""

    def combine(self, book: Rulebook, situation: Any) -> Tally:
        """Return the best legal counting of every reading in this situation."""


# ---- optional services


@runtime_checkable
class Listing(Protocol):
    """An arithmetic whose lines follow from how often each row counts."""

    def list_counted(self, book: Rulebook, counts: Iterable[tuple[int, int]]) -> list[Counted]:
        """Return the lines of a tally in its order, by the rows that count (in the book's order) and how often."""


@runtime_checkable
class Explains(Protocol):
    """An arithmetic that can explain one reading beyond its tally."""

    def explain_tally(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """Return the tally of `combine`, with notes, reasons and steps that name this reading's own groups."""


@runtime_checkable
class Prints(Protocol):
    """An arithmetic whose book writes values in a form other than numbers."""

    def print_value(self, fan: Fan) -> str:
        """Return a row's value as the book prints it: 15-2(12-2)."""


@runtime_checkable
class Figured(Protocol):
    """An arithmetic with figures of its own, which are part of the fingerprint."""

    @property
    def figures(self) -> object:
        """Return the figures as plain data."""


@runtime_checkable
class PartSummed(Protocol):
    """An arithmetic that does not add up every part of its values (副, but not 翻)."""

    not_summed: tuple[str, ...]


@runtime_checkable
class Adopting(Protocol):
    """An arithmetic with settings for books to which a house adds fans."""

    new_fans: Mapping[str, object]


class Deciding(NamedTuple):
    """Facts besides the hits that decide points and fans."""

    conditions: tuple[Condition, ...] = ()
    by_groups: bool = False  # whether it also matters which groups each row is made of


@runtime_checkable
class Classified(Protocol):
    """An arithmetic for which some readings are equivalent although the planes it `reads` differ.

    For a row that counts each of its places, then only their number matters.
    """

    decides: Deciding


class AdditiveFigures(NamedTuple):
    """Figures of a book that adds up: a row counts as often as it holds, unless a row that holds excludes it.

    Masks are over row numbers.
    """

    excluded: tuple[int, ...]  # for each row, the rows it excludes
    pays: tuple[Pays, ...]  # for each row, its value by how often it holds
    beside: frozenset[int] = frozenset()  # rows whose value is bonus
    when_nothing: int | None = None  # the row that counts if the points are zero
    freed: Mapping[int, int] = {}  # for an excluded row: those of its exclusions that count again
    only_with: Mapping[tuple[int, int], int] = {}  # (row, excluded row) → the third row beside which it is excluded
    by_places: bool = False  # whether an EACH row loses only the places that the other covers


@runtime_checkable
class AdditiveArithmetic(Protocol):
    """An arithmetic that only adds up."""

    def additive_figures(self, book: Rulebook) -> AdditiveFigures:
        """Return the figures by which this book adds up."""


@runtime_checkable
class Relating(Protocol):
    """An arithmetic that settles the rows relating sets to each other (`Fan.joins`) together."""

    def joined(self, book: Rulebook, live: Hits, h: Planes) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the points of relating rows that hold and are not dropped, and how often each row counts."""


MOST_TIMES = 7
"""How often a row holds at most in an arithmetic given by figures."""


class RowFigures(NamedTuple):
    """Figures of a row: its addition to the sum, its figure for the factor, whether it merges, and how often it counts.

    Merging rows together have the figure of their number, if that is more than their own.
    """

    adds: int
    figure: int
    merges: bool
    times: int


class ProductFigures(NamedTuple):
    """Figures of a book that multiplies: a sum, times a factor of the highest figures of two categories.

    A counted row excludes others; among conflicting rows, the choice with the most points counts.
    """

    rows: tuple[tuple[RowFigures, ...], ...]  # for each row, by how often it holds: none to MOST_TIMES
    classes: tuple[int, ...]  # the class of each row
    excluded: tuple[int, ...]
    conflicts: tuple[int, ...]
    condition: Condition  # the condition, besides the figures, on which the factor depends
    factor: Callable[[bool, int, int], int]  # from that, the highest figure and the next class's


@runtime_checkable
class ProductArithmetic(Protocol):
    """An arithmetic that multiplies."""

    def product_figures(self, book: Rulebook) -> ProductFigures:
        """Return the figures by which this book multiplies."""


LOWEST, HIGHEST, AS_WRITTEN = "lowest", "highest", "book"
"""Orders in which rows of one priority are added: by what they add in all, or the book's own."""


class ResidueFigures(NamedTuple):
    """Figures of a book that adds rows by priority, each with the groups that earlier rows leave it.

    Within one priority, the order that adds least is taken; over everything else (which rows, on which groups, fan
    pungs or not), the choice that adds most. Among equal totals: the one with fan pungs, the fewest rows that add
    nothing, then (if `fewest`) the fewest rows, then rows of larger values.
    """

    points: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # of a row, with fan pungs or without, by groups kept
    remaining: tuple[tuple[int, ...], ...]  # after a row, of each other one
    groups: tuple[int, ...]
    apart: tuple[int, ...]  # the rows that may not count beside a row, as masks
    priority: tuple[int, ...]
    serves: tuple[bool, ...]  # whether the pungs of a row are fan pungs
    values: tuple[int, ...]
    fan_pung: int | None  # the row of fan pungs
    fan_pung_value: int
    fewest: bool
    paid: Callable[[int], int]  # the points of a total
    order: str = LOWEST  # the order inside one priority: that which adds least, or most, or the book's own


@runtime_checkable
class ResidueArithmetic(Protocol):
    """An arithmetic that adds rows by residues."""

    def residue_figures(self, book: Rulebook) -> ResidueFigures:
        """Return the figures by which this book adds with residues."""


@runtime_checkable
class Leaving(Protocol):
    """An arithmetic whose rows leave others a part of their groups, as its matrix and a house's residues say.

    A house's are the setting `residues`: (row before, row after, groups left), -1 for all of them.
    """

    def residue_names(self, book: Rulebook) -> Mapping[str, int]:
        """Return the names by which residues of this book go, and how many groups each has."""


@runtime_checkable
class Implying(Protocol):
    """An arithmetic whose book says in general that a fan is not counted beside one that always brings it."""

    def general_rule(self, book: Rulebook, strong: Fan, weak: Fan) -> Text | None:
        """Return the book's sentence if it leaves out `weak`, which `strong` always brings; None if both count."""
