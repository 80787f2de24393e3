"""The form `options` for nets: a row of numbers for each option, float32 [n, 42]; a net rates one row at a time.

A row holds the option's kind, the hand it leaves (its nearest payable hands, by the tables that `gain` reads:
no playouts), and the state of the table. Rows mean the same in every book, and a hand's worth is in ordinary wins, so
that a net can be tried on a book that it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lgamma, log, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.bots.chances import count_most_melds
from quepu.bots.danger import risks
from quepu.bots.payable_bot import GainBot, Sight
from quepu.bots.simple import after_claim
from quepu.fast.nearest.payable import Look
from quepu.fast.nearest.preferences import Preferences
from quepu.fast.nearest.receipts import DRAWN_SHARE, FAR, receipt
from quepu.hands.hand import Meld, MeldKind
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.tiles import KINDS

Rows = NDArray[np.float32]
NONE = KINDS
"""The column of a look for discarding nothing."""
COLUMNS = (
    "discard", "chow", "pung", "kong", "concealed kong", "added kong", "pass", "win", "ready",
    "missing", "missing above least", "lacks one", "lacks two", "lacks three", "out of reach",
    "value to best", "is best", "value to passing",
    "step", "worth", "next step", "next worth", "useful copies",
    "risk", "log risk", "shown copies", "held copies", "honour", "terminal", "second", "drawn",
    "left", "own melds", "closed", "most melds", "others ready", "own ready", "least missing", "best value",
    "on turn", "discards", "options",
)  # fmt: skip
"""The numbers of a row. Missing tiles, values and steps are those of the hand that the option leaves; a claim leaves
the hand with its best discard. Logarithms are natural."""
WIDTH = len(COLUMNS)
_KINDS_OF = {
    ActionKind.DISCARD: 0, ActionKind.CHOW: 1, ActionKind.PUNG: 2, ActionKind.KONG: 3, ActionKind.CONCEALED: 4,
    ActionKind.ADDED: 5, ActionKind.PASS: 6, ActionKind.WIN: 7, ActionKind.READY: 8,
}  # fmt: skip
_PASS, _READY = 6, 8
_LEAST = -6.0
"""The least logarithm of a share of the best value."""


class Outlook(NamedTuple):
    """The hand that an option leaves."""

    missing: int
    """Tiles missing to the nearest payable hand that can still be drawn."""
    value: float
    ways: tuple[float, float]
    """Ways to draw the tiles missing to the nearest hands, and to those one tile farther."""
    gains: tuple[float, float]
    """The same, times the gains of these hands."""
    useful: int
    """Unseen copies of the tiles that bring the hand nearer."""
    discard: int | None = None


class OptionForm:
    """Writes the rows of one book.

    >>> from quepu.rulebooks import book
    >>> from quepu.table import Table, make_wall
    >>> table = Table(book("guobiao-mcr"), make_wall(7))
    >>> form = OptionForm(table.book)
    >>> options = distinct(table.options(0))
    >>> form.observe(table.view(0), options).shape
    (12, 42)
    """

    def __init__(self, book: Rulebook) -> None:
        self._looks = _Looks()
        self._looks.begin(book)
        self._power = self._looks.power
        points = self._looks.ordinary_points
        ordinary = (1 - DRAWN_SHARE) * receipt(book, points, False) + DRAWN_SHARE * receipt(book, points, True)
        self._ordinary = log(max(ordinary, 1.0))

    def observe(self, view: View, options: Sequence[Action]) -> Rows:
        """Return a row for each option, in their order."""
        sight = Sight.of(view)
        outlooks = self._outlooks(sight, options)
        there = [one for one in outlooks if one is not None]
        values = [one.value for one in there] or [0.0]
        last = outlooks[-1]
        best = max(values)
        passing = last.value if last is not None and options[-1].do is ActionKind.PASS else best
        nearest = min((one.missing for one in there), default=0)
        table = self._columns_of_table(view, nearest, best, len(options))
        unseen = sight.unseen.tolist()
        risk = risks(view, unseen, {one.discard for one in there if one.discard is not None})
        shown, held, whole = view.board.visible(), view.tiles, sum(unseen)
        made = np.zeros((len(options), WIDTH), np.float32)
        for row, option, outlook in zip(made, options, outlooks, strict=True):
            row[_KINDS_OF.get(option.do, _PASS)] = 1
            if option.ready:
                row[_READY] = 1
            row[31:] = table
            if outlook is None:
                continue
            missing, value = outlook.missing, outlook.value
            near, far = (self._step(missing + n, outlook.ways[n], outlook.gains[n], whole) for n in (0, 1))
            row[9:23] = (
                min(missing, 8) / 6, min(missing - nearest, 3), missing <= 1, missing == 2, missing == 3, value <= 0,
                _share(value, best) / 3, value >= best > 0, (_share(value, passing) - _share(passing, value)) / 3,
                *near, *far, outlook.useful / 20,
            )  # fmt: skip
            kind = outlook.discard
            if kind is not None:
                rank = kind % 9 if kind < 27 else -1
                row[23:31] = (
                    10 * risk[kind], log(risk[kind] + 1e-4) / 4, shown[kind] / 4, held.count(kind) / 4,
                    kind >= 27, rank in (0, 8), rank in (1, 7), option.drawn,
                )  # fmt: skip
        return made

    # ---- hands

    def _outlooks(self, sight: Sight, options: Sequence[Action]) -> list[Outlook | None]:
        """Return the outlook of the hand that each option leaves; None for a win."""
        view = sight.view
        tiles = [kind for kind in view.tiles if kind < KINDS]
        now: _Leaves | None = None
        found: list[Outlook | None] = []
        for option in options:
            do, melds = option.do, view.melds
            rest = after_claim(view.hand, option) if view.drawn is None and do is not ActionKind.PASS else None
            if do is ActionKind.WIN:
                found.append(None)
            elif rest is not None:
                leaves = _Leaves(self._looks.look(sight, rest, (*melds, option.meld)), sight)
                found.append(leaves.after(NONE) if do is ActionKind.KONG else leaves.best(sorted(set(rest))))
            elif do is ActionKind.CONCEALED:
                rest = [kind for kind in tiles if kind != option.tile]
                made = Meld(MeldKind.CONCEALED_KONG, option.tile_kind)
                found.append(_Leaves(self._looks.look(sight, rest, (*melds, made)), sight).after(NONE))
            elif do is ActionKind.ADDED:
                rest = tiles[:]
                rest.remove(option.tile_kind)
                found.append(_Leaves(self._looks.look(sight, rest, melds), sight).after(NONE))
            else:
                now = now or _Leaves(self._looks.look(sight, tiles, melds), sight)
                plain = do is ActionKind.DISCARD and option.tile_kind < KINDS
                found.append(now.after(option.tile_kind if plain else NONE))
        return found

    def _step(self, missing: int, ways: float, gains: float, unseen: int) -> tuple[float, float]:
        """Return the useful tiles for each missing one, as a logarithm, and the mean worth of the hands ahead."""
        if ways <= 0:
            return 0.0, 0.0
        n = max(missing, 1)
        step = (log(ways) + lgamma(n + 1)) / n - log(max(unseen, 1)) + 4
        worth = log(gains / ways) / self._power - self._ordinary if gains > 0 else -2.0
        return step / 2, max(worth, -3.0)

    def _columns_of_table(self, view: View, nearest: int, best: float, options: int) -> tuple[float, ...]:
        """Return the columns that all rows share."""
        board = view.board
        melds = board.melds[view.seat]
        others = [(view.seat + i) & 3 for i in (1, 2, 3)]
        value = max((log(best) if best > 0 else -30.0) / self._power - self._ordinary, -12.0)
        return (
            board.left / 80, len(melds) / 4, not any(one.meld.exposed for one in melds),
            count_most_melds(board, view.seat) / 4, sum(bool(board.declared[seat]) for seat in others) / 3,
            bool(board.declared[view.seat]), min(nearest, 8) / 6, value / 4, view.drawn is not None,
            log1p(sum(len(board.rivers[seat]) for seat in others)) / 4, options / 14,
        )  # fmt: skip


class _Leaves:
    """A look, in plain numbers."""

    def __init__(self, look: Look, sight: Sight) -> None:
        self._look, self._unseen = look, sight.unseen
        self._values = [*look.values.tolist(), look.total]
        self._copies = look.copies(sight.unseen).tolist()
        self._levels = look.by_discard.tolist()

    def after(self, kind: int) -> Outlook:
        """Return the outlook after a discard (NONE: without one)."""
        levels = [(ways[kind], gains[kind]) for ways, gains in self._levels]
        at = next((n for n in range(len(levels)) if levels[n][0] > 0), len(levels))
        near, far = (*levels[at : at + 2], (0.0, 0.0), (0.0, 0.0))[:2]
        useful = self._copies[kind] if kind < NONE else (self._look.helps >> np.arange(KINDS) & 1) @ self._unseen
        return Outlook(
            min(self._look.missing + at, FAR), self._values[kind], (near[0], far[0]), (near[1], far[1]), int(useful),
            kind if kind < NONE else None,
        )  # fmt: skip

    def best(self, kinds: Sequence[int]) -> Outlook:
        """Return the outlook after the best of these discards."""
        return self.after(max(kinds, key=self._values.__getitem__))


class _Looks(GainBot):
    """Looks as a level has them: hands are liked by the book's power of their pay."""

    power = 1.0

    def begin(self, book: Rulebook, seat: int = 0) -> None:
        """Load the table of the book."""
        super().begin(book, seat)
        rules = play_rules(book) if book.play else None
        self.power = rules.pay_power if rules else 1.0
        self.pace = (rules.pace if rules else None) or GainBot.pace
        self.preferences = Preferences(power=self.power) if self.power != 1 else None

    @property
    def ordinary_points(self) -> int:
        """Points of an ordinary win."""
        return self._payable.ordinary_points


@lru_cache(4)
def form_of(book: Rulebook) -> OptionForm:
    """Return the form of a book, which several bots share."""
    return OptionForm(book)


def distinct(options: Sequence[Action]) -> list[Action]:
    """Return the options with one discard of each kind: the tile drawn, if it is one of them."""
    found: dict[tuple[ActionKind, int | None, int | None, bool], Action] = {}
    for option in options:
        key = option.do, option.tile, option.low, option.ready
        if key not in found or option.drawn:
            found[key] = option
    return list(found.values())


def _share(value: float, best: float) -> float:
    """Return the logarithm of a share of the best value."""
    return max(log(value / best), _LEAST) if 0 < value < best else 0.0 if value > 0 or best <= 0 else _LEAST
