"""Many hands played at once by compiled bots (the extra `fast`); the plain twin is `quepu.table.Table`.

    from quepu.fast.tables import FastTables, walls
    tables = FastTables("lingque-29", walls("lingque-29", 4096, seed=7), seeds)
    tables.play()
    tables.winners, tables.points, tables.events(0)

Every table goes on until a seat may win; then all those hands are scored together (`quepu.fast.plan`), and so on. A
hand is dealt from a wall in the order of drawing, and each seat's choices are those of a bot of `quepu.bots` with its
seed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.compiled.code_cache import installed
from quepu.fast.compiled.loop_code import address_of
from quepu.fast.plan import Engine, tell_terminal
from quepu.fast.tables import columns, mersenne
from quepu.fast.tables.aim_tables import aim_tables
from quepu.fast.tables.code import (
    book_entries,
    compile_tables,
    context_of,
    gain_code,
    missing,
    numbers_of,
    tables_code,
)
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.rulebooks import book as find_book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import events as happen
from quepu.table.events import Event
from quepu.table.wall import Wall, dealt_places
from quepu.tiles import EAST, KINDS, TileSet

Array = NDArray[Any]
LEVELS = ("random", "closed", "plain", "gain")
"""The bots of `quepu.bots` that play here."""
OUTSIDE = "outside"
NUMBERED = (*LEVELS, OUTSIDE)
"""Who can play a seat, in the order of the loop's numbers."""
_SEAT, _TILE, _LOW, _GIVER = 8, 16, 24, 32


def walls(rules: str | Rulebook, n: int, seed: int = 0, tiles: TileSet | None = None) -> Array:
    """Make n random walls, in the order of drawing: uint8 [n, tiles of the book's wall]."""
    tiles = tiles or play_rules(find_book(rules)).table.tiles
    order: Array = np.random.default_rng(seed).permuted(np.tile(np.array(tiles.tiles, np.uint8), (n, 1)), axis=1)
    return order


def seed_all(generators: Array, seeds: Array) -> None:
    """Set generators (uint32 [… , 625], all of an array or one row of it) by as many seeds, int64."""
    room = np.empty(mersenne.SEEDING_ROOM, np.uint32)
    function = tables_code().function("seed_all")
    function(address_of(generators), address_of(seeds), ctypes.c_void_p(seeds.size), address_of(room))


class FastTables:
    """N tables of one book.

    Args:
        rules: the book, or its name.
        order: the walls: uint8 [N, size] in the order of drawing (`Wall.order`), or N `Wall`s.
        seeds: int64 [N, 4], the seed of each seat's bot, of at most 64 bits and not below zero.
        round: the round wind, 0 East … 3 North.
        levels: the bots (`LEVELS`) of East, South, West, North, or one for all four, or four for each table.

    Raises:
        HandError: numba is not installed, unknown level, a wall is not one set of the book's tiles (with
            flowers or without), there are not four seeds for each, or the book has shapes that the loop does not know.
    """

    playing_levels: tuple[str, ...] = LEVELS
    """Names of those who can play a seat of these tables."""

    def __init__(
        self,
        rules: str | Rulebook,
        order: Array | Sequence[Wall],
        seeds: Array,
        round: int = 0,
        levels: str | Sequence[str] | Sequence[Sequence[str]] = "random",
    ) -> None:
        bots = np.array(levels)
        if not np.isin(bots, self.playing_levels).all() or bots.shape not in ((), (4,), (len(order), 4)):
            names = ", ".join(self.playing_levels)
            raise HandError(f"快速牌桌的四家各是其中之一：{names}。", f"each of the four seats is one of: {names}.")
        self.book = find_book(rules)
        self.rules = play_rules(self.book)
        lacking = missing(self.book)
        if not installed():
            raise HandError(
                "快速牌桌需要 numba：pip install 'quepu[fast]'。", "fast tables need numba: pip install 'quepu[fast]'."
            )
        if lacking is not None:
            raise HandError(
                f"快速牌桌不支持{self.book.title.zh}的{lacking.zh}，请用普通牌桌。",
                f"fast tables do not support {lacking.en}, which {self.book.title.en} has; use ordinary tables.",
            )
        self.order = self._order_of(order)
        n, size = self.order.shape
        seeds = np.ascontiguousarray(seeds, np.int64)
        if seeds.size != 4 * n:
            zh, en = f"{n} 桌要 {n} 行种子，每行四个。", f"{n} tables take {n} rows of four seeds."
            raise HandError(zh, en)
        self.round = round
        self._rules = numbers_of(self.rules, size, round)
        self._with_gain = bool((bots == "gain").any())
        compile_tables(self.book, self._with_gain, tell_terminal)
        self._scalars = np.zeros((n, columns.SCALARS), np.int64)
        self._of_seat = np.zeros((n, 4, columns.OF_SEAT), np.int64)
        for number, level in enumerate(NUMBERED):
            self._of_seat[:, :, columns.LEVEL] += number * (bots == level)
        self._counts = np.zeros((n, 4, columns.ALL_KINDS), np.int8)
        self._melds = np.zeros((n, 4, 4, 3), np.int8)
        lists = np.zeros((n, 4, 2, 4), np.int8)
        self._visible = visible = np.zeros((n, columns.ALL_KINDS), np.int8)
        generators = np.empty((n, 4, mersenne.WORDS + 1), np.uint32)
        self._log = np.zeros((n, columns.MOST_EVENTS), np.int64)
        outside = n if not np.isin(bots, LEVELS).all() else 0
        self._tables = (
            self._scalars, self._of_seat, self._counts, self._melds, lists, visible, generators, self.order, self._log,
            np.zeros((outside, columns.MOST_OPTIONS, 3), np.int64),
        )  # fmt: skip
        seed_all(generators, seeds)
        self._begin(self._scalars)
        most = columns.QUESTIONS_MOST * n
        self._questions = (
            np.zeros((most, KINDS), np.uint8), np.full((most, 4, 2), -1, np.int8), np.zeros((most, 5), np.int64),
        )  # fmt: skip
        self._answers = np.zeros(most, np.int64)
        self._totals = np.zeros(most, np.int64)
        self._won_by = np.full(n, -1)
        self.points = np.zeros(n, np.int64)
        """Points of each win, 0 where no seat won: int64 [N]."""

    def _order_of(self, given: Array | Sequence[Wall]) -> Array:
        """Return the walls as an array, each of which holds the book's tiles."""
        tiles = self.rules.table.tiles
        sets = {one.size: one for one in (tiles.with_flowers(False), tiles.with_flowers(True))}
        if isinstance(given, np.ndarray):
            order: Array = given
        else:
            order = np.zeros(0)
            with suppress(ValueError):  # walls of several sizes
                order = np.array([wall.order() if isinstance(wall, Wall) else wall for wall in given])
        own = sets.get(order.shape[1]) if order.ndim == 2 and order.dtype.kind in "iu" else None
        if own is None or not (np.sort(order, axis=1, kind="stable") == own.tiles).all():
            one, other = sets
            raise HandError(
                f"牌墙是一列 Wall，或 uint8 数组 [局数, {one} 或 {other}]（Wall.order 的次序），每副是完整的一副牌。",
                f"walls must be a list of Wall, or uint8 [hands, {one} or {other}] in the order of Wall.order, each a "
                "whole set.",
            )
        return np.ascontiguousarray(order, np.uint8)

    @cached_property
    def _run(self) -> Callable[[], int]:
        """Let every table go on, and return how many questions were put."""
        compile_tables(self.book, self._with_gain, tell_terminal)
        entries = self._entries()
        self._context = context_of(entries), entries  # they own the memory that the loop reads
        return partial(tables_code().function("run"), address_of(self._context[0]))

    def _entries(self) -> dict[int, Any]:
        """Return the entries of the context that the loop reads."""
        entries: dict[int, Any] = dict(enumerate((*self._tables, *self._questions, self._answers, self._rules)))
        entries |= book_entries(self.book, self.rules)
        if self._with_gain:
            code = gain_code()
            entries |= aim_tables(self.book)
            entries |= {columns.GAIN_TURN: code.address("gain_turn"), columns.GAIN_CLAIM: code.address("gain_claim")}
        return entries

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_run", "_context")}

    def _begin(self, numbers: Array) -> None:
        """Set the numbers of tables (a part of `_scalars` that is zero) to those of a wall that was built."""
        numbers[..., columns.FRONT] = 52
        numbers[..., columns.LEFT] = self.order.shape[1] - 52 - int(self._rules[columns.DEAD])
        for column in (columns.DRAWN, columns.LAST_EVENT, columns.WINNER):
            numbers[..., column] = -1

    def play(self) -> FastTables:
        """Play every hand to its end."""
        self._go_on()
        self._find_wins(np.arange(len(self.order)))
        return self

    def _go_on(self) -> None:
        """Play until every hand is over, or waits for a seat played from outside."""
        while self._run():
            self._judge()

    def _find_wins(self, some: Array) -> None:
        """Find which of its questions each of these hands was won by, if it was won."""
        winners = self.winners[some]
        number = self._scalars[some, columns.QUESTIONS]
        words = self._questions[2]
        for k in range(columns.QUESTIONS_MOST):
            mine = columns.QUESTIONS_MOST * some + k
            fits = (winners >= 0) & (k < number) & (words[mine, 0] == winners)
            self._won_by[some[fits]] = mine[fits]
        won = some[winners >= 0]
        self.points[won] = self._totals[self._won_by[won]]

    def wins(self, some: Array) -> HandArrays:
        """Return the hands won at some tables (numbers of tables with a winner), to be scored."""
        return self._wins_at(self._won_by[some])

    def _wins_at(self, some: Array) -> HandArrays:
        hands, melds, words = self._questions
        w = words[some]
        return HandArrays(hands[some], melds[some], w[:, 1], EAST + w[:, 0], EAST + self.round, w[:, 2], w[:, 3])

    def _judge(self) -> None:
        """Score the hands of those who may win, all tables' together."""
        goes_on = (self._scalars[:, columns.PHASE] != columns.OVER) & (self._scalars[:, columns.WAITING] == 0)
        number = np.where(goes_on, self._scalars[:, columns.QUESTIONS], 0)
        each = columns.QUESTIONS_MOST
        some = np.concatenate([each * np.flatnonzero(number > k) + k for k in range(each)])
        wins, w = self._wins_at(some), self._questions[2][some]
        found = Engine(self.book).score(wins, fans=False, planes=bool(w[:, 4].any()))
        may = found.valid & (found.points >= self.book.minimum)
        if w[:, 4].any():
            may &= (w[:, 4] == 0) | (found.planes()["form"] & w[:, 4] != 0)
        self._answers[some] = may
        extra = self.book.flower_value * wins.flower_count.astype(np.int64)
        self._totals[some] = found.points + found.bonus + extra

    # ---- what happened

    @property
    def winners(self) -> Array:
        """The winner of each hand, -1 if none: int64 [N]."""
        return self._scalars[:, columns.WINNER]

    @property
    def lengths(self) -> Array:
        """Events of each hand, dice and deals left out: int64 [N]."""
        return self._scalars[:, columns.EVENTS]

    @property
    def table_lengths(self) -> Array:
        """The same with dice and deals, as `Table` counts them."""
        return self.lengths + 5

    def _find_events(self, *codes: int) -> tuple[Array, Array]:
        """Return table and seat of every event of some kinds."""
        word = self._log[:, : int(self.lengths.max(initial=0))]
        there = np.arange(word.shape[1]) < self.lengths[:, None]
        table, at = np.nonzero(there & np.isin(word & 0xFF, codes))
        return table, word[table, at] >> _SEAT & 0xFF

    @property
    def draws(self) -> Array:
        """Tiles drawn in each hand, replacements among them: int64 [N]."""
        return np.bincount(self._find_events(columns.E_DRAW, columns.E_REPLACE)[0], minlength=len(self.order))

    @property
    def claims(self) -> Array:
        """Melds that each seat claimed: int64 [N, 4]."""
        table, seat = self._find_events(columns.E_CHOW, columns.E_PUNG, columns.E_KONG)
        return np.bincount(4 * table + seat, minlength=4 * len(self.order)).reshape(-1, 4)

    @property
    def givers(self) -> Array:
        """The seat that gave the tile of each win, -1 if none: int64 [N]."""
        return np.where(self.winners >= 0, self._scalars[:, columns.GIVER], -1)

    @property
    def luck(self) -> Array:
        """The circumstances of each win, without CLOSED, as bits; 0 without a win: int64 [N]."""
        return np.where(self.winners >= 0, self._questions[2][self._won_by, 2], 0)

    @property
    def supplied(self) -> Array:
        """Tiles that each seat gave the winner, as `Ending.supplied` counts them: int64 [N, 4]."""
        word = self._log[:, : int(self.lengths.max(initial=0))]
        there = np.arange(word.shape[1]) < self.lengths[:, None]
        claimed = np.isin(word & 0xFF, (columns.E_CHOW, columns.E_PUNG, columns.E_KONG))
        table, at = np.nonzero(there & claimed & (word >> _SEAT & 0xFF == self.winners[:, None]))
        found = np.zeros((len(self.order), 4), np.int64)
        np.add.at(found, (table, word[table, at] >> _GIVER), 1)
        given = np.flatnonzero(self.givers >= 0)
        found[given, self.givers[given]] += 1
        return found

    def shown(self, i: int, seat: int) -> tuple[Hand, list[int]]:
        """Return the hand of a seat at the end of table i, without a tile just drawn or won, and the kinds it sees."""
        tiles = [tile for tile in self.shown_tiles(i, seat) if tile < KINDS]
        melds = [Meld(MeldKind(kind), low) for kind, low, _ in self._melds[i, seat].tolist()]
        melds = melds[: int(self._of_seat[i, seat, columns.MELDS])]
        flowers = tuple(flower for flower in range(8) if self._of_seat[i, seat, columns.FLOWERS] >> flower & 1)
        hand = Hand(tuple(tiles), tuple(melds), None, EAST + seat, EAST + self.round, 0, flowers)
        seen = self._visible[i] + np.bincount(tiles, minlength=columns.ALL_KINDS)
        return hand, seen[:KINDS].tolist()

    def may_be_ready(self, i: int) -> list[bool]:
        """Return whether each seat may wait for a tile at the end of table i; False: it certainly does not."""
        at = self._won_by[i]
        robbed = self._scalars[i, columns.WINNER] >= 0 and bool(self._questions[2][at, 2] & int(Luck.ROBBED_KONG))
        ready: list[bool] = (self._of_seat[i, :, columns.WAITS] != 0).tolist()
        return [True] * 4 if robbed else ready  # without its kong a hand may have other waits

    def events(self, i: int) -> tuple[Event, ...]:
        """Return what happened at table i, as `Table.events` has it, but for the dice."""
        order = self.order[i].tolist()
        dealt = [happen.Dealt(seat, tuple([order[place] for place in dealt_places(seat)])) for seat in range(4)]
        return (*dealt, *(self._event(i, code) for code in self._log[i, : self.lengths[i]].tolist()))

    def _event(self, i: int, word: int) -> Event:
        code, seat, tile = word & 0xFF, word >> _SEAT & 0xFF, word >> _TILE & 0xFF
        low, giver = word >> _LOW & 0xFF, word >> _GIVER
        match code:
            case columns.E_DRAW:
                return happen.DRAW[seat][tile]
            case columns.E_REPLACE:
                return happen.REPLACE[seat][tile]
            case columns.E_FLOWER:
                return happen.FLOWER[seat][tile]
            case columns.E_DISCARD if not low:
                return happen.DISCARD[seat][tile]
            case columns.E_DRAWN_DISCARD if not low:
                return happen.DISCARD_DRAWN[seat][tile]
            case columns.E_DISCARD | columns.E_DRAWN_DISCARD:
                return happen.Discarded(seat, tile, code == columns.E_DRAWN_DISCARD, True)
            case columns.E_READY:
                return happen.ReadyDeclared(seat)
            case columns.E_CHOW:
                return happen.chow_claimed(seat, tile, giver, low)
            case columns.E_PUNG:
                return happen.pung_claimed(seat, tile, giver)
            case columns.E_KONG:
                return happen.kong_claimed(seat, tile, giver)
            case columns.E_ADDED:
                return happen.KongAdded(seat, tile)
            case columns.E_CONCEALED:
                return happen.KongConcealed(seat, tile)
            case columns.E_WIN:
                return happen.Won(seat, None if tile == columns.NO_TILE else tile, giver - 1 if giver else None)
            case columns.E_EXHAUSTED:
                return happen.Exhausted()
        return happen.HandShown(seat, self.shown_tiles(i, seat))

    def shown_tiles(self, i: int, seat: int) -> tuple[int, ...]:
        """Return the concealed tiles of a seat at the end, without a tile just drawn."""
        counts = self._counts[i, seat].astype(int)
        now = self._scalars[i]
        if now[columns.TURN_OF] == seat and now[columns.DRAWN] >= 0:
            counts[now[columns.DRAWN]] -= 1
        return tuple(np.repeat(np.arange(len(counts)), counts).tolist())
