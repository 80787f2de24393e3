"""Compiled tables that go on from a moment of one table, each with other hidden tiles; the twin is `quepu.table.Table`.

The seat that chooses is played from outside once, for the choice; from then on `gain` plays all four seats, and may
go for one fan there: it takes any win, and goes for any hand once it can no longer get the fan.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError, Text
from quepu.fast.compiled.loop_code import address_of
from quepu.fast.tables import columns
from quepu.fast.tables.aim_tables import aimed_tables
from quepu.fast.tables.code import gain_code
from quepu.fast.tables.fast_tables import LEVELS, OUTSIDE, FastTables
from quepu.hands.hand import MeldKind
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View
from quepu.table.events import (
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    SeatEvent,
)
from quepu.table.sampling import HiddenPlaces
from quepu.table.wall import HAND
from quepu.tiles import KINDS

Array = NDArray[Any]
_CODES: dict[type[Event], int] = {
    Drawn: columns.E_DRAW, ReplacementDrawn: columns.E_REPLACE, FlowerSetAside: columns.E_FLOWER,
    Discarded: columns.E_DISCARD, ChowClaimed: columns.E_CHOW, PungClaimed: columns.E_PUNG,
    KongClaimed: columns.E_KONG, KongAdded: columns.E_ADDED, KongConcealed: columns.E_CONCEALED,
    ReadyDeclared: columns.E_READY,
}  # fmt: skip
_KONGS = (columns.E_KONG, columns.E_ADDED, columns.E_CONCEALED)
_ACTIONS = {
    ActionKind.DISCARD: (columns.A_DISCARD, columns.A_DRAWN), ActionKind.WIN: (columns.A_WIN,),
    ActionKind.CHOW: (columns.A_CHOW,), ActionKind.PUNG: (columns.A_PUNG,), ActionKind.KONG: (columns.A_KONG,),
    ActionKind.ADDED: (columns.A_ADDED,), ActionKind.CONCEALED: (columns.A_CONCEALED,),
    ActionKind.PASS: (columns.A_PASS,),
}  # fmt: skip
_NO_KONG = Text(
    "快速牌桌只能从摸牌或打牌处接着打，不能从抢杠处接着打。",
    "compiled tables can continue only from a draw or a discard, not from a kong that may be robbed.",
)


class Moment(NamedTuple):
    """A choice of a seat, as compiled tables resume at it: what is known, and where the hidden tiles lie.

    `words` are the events so far, `numbers` those of the table and `of_seat` those of each seat by column. `held` are
    the places, in the order of drawing, of each seat's tiles, the drawn one included. `melds` are kind, lowest tile and
    giver (-1: none) of each seat's melds, `open_counts` the copies of the 42 kinds that lie open. `kongs` are other
    seats' kongs that lie face down: the seat, the number of its meld, and the place of one of its tiles.
    """

    book: Rulebook
    round: int
    seat: int
    words: list[int]
    numbers: dict[int, int]
    of_seat: list[dict[int, int]]
    held: list[list[int]]
    melds: list[list[tuple[int, int, int]]]
    open_counts: list[int]
    kongs: list[tuple[int, int, int]]

    @classmethod
    def of(cls, table: Table, seat: int) -> Moment:
        """Return the choice of a seat that is to act at a table.

        Raises:
            HandError: the moment has something that compiled tables do not know.
        """
        _check(table)
        p, places = table.position, HiddenPlaces(table, seat)
        words, now, seats = _fold(table.events)
        exposed = p.exposed if table.offered[1] is not None else None
        now |= {
            columns.FRONT: p.front,
            columns.BACK: p.back,
            columns.LEFT: p.left,
            columns.TURN_OF: p.turn,
            columns.DRAWN: -1 if p.drawn is None or exposed is not None else p.drawn,
            columns.TILE: exposed.tile if isinstance(exposed, Discarded) else -1,
        }
        for who, numbers in enumerate(seats):
            numbers[columns.FLOWERS] = sum(1 << flower - KINDS for flower in p.flowers[who])
            numbers[columns.MISSED] = table.missed[who]
        melds = [
            [(int(one.meld.kind), one.meld.tile, -1 if one.source is None else one.source) for one in of]
            for of in p.melds
        ]
        kongs = []
        for number, (first, *_) in places.kongs:
            event = table.event(number)
            assert isinstance(event, KongConcealed)  # noqa: S101  # that is what is recorded there
            at = melds[event.seat].index((int(MeldKind.CONCEALED_KONG), event.tile, -1))
            kongs.append((event.seat, at, first))
        held = [[one.place for one in hand] for hand in places.held]
        return cls(table.book, p.round, seat, words, now, seats, held, melds, p.open_counts, kongs)

    @classmethod
    def of_view(cls, view: View) -> tuple[Moment, list[int]]:
        """Return the choice of a typed hand, of which nothing but the view is known, and a wall for it.

        In the wall's order all hands lie first, then what lies open, then what may be anywhere.

        Raises:
            HandError: a kong may be robbed.
        """
        board, seat = view.board, view.seat
        if board.offerer is not None and board.rivers[board.offerer][-1:] != (board.offer,):
            raise HandError(*_NO_KONG)
        tiles, size = [*view.tiles], board.plan.size
        pool = Counter(play_rules(view.book).table.tiles.with_flowers(False).tiles)
        open_counts = board.visible()
        shown = [kind for kind, n in enumerate(open_counts) for _ in range(n)]
        pool.subtract([*tiles, *shown])
        at = len(tiles)
        held: list[list[int]] = [[], [], [], []]
        held[seat] = list(range(at))
        for other in range(4):
            if other != seat:
                has = HAND - 3 * len(board.melds[other])
                held[other] = list(range(at, at + has))
                at += has
        hidden = [*pool.elements()]
        order = [*tiles, *hidden[: at - len(tiles)], *shown, *hidden[at - len(tiles) :]]
        melds = [
            [
                (int(one.meld.kind), one.meld.tile, -1 if one.meld.kind is MeldKind.CONCEALED_KONG else (who + 3) & 3)
                for one in of
            ]
            for who, of in enumerate(board.melds)
        ]
        now = {
            columns.FRONT: size - board.left - board.plan.dead,
            columns.BACK: 0,
            columns.LEFT: board.left,
            columns.TURN_OF: board.turn,
            columns.DRAWN: -1 if view.drawn is None else view.drawn,
            columns.TILE: -1 if board.offer is None else board.offer,
            columns.LAST_EVENT: columns.E_DRAW if board.offer is None else columns.E_DISCARD,
            columns.LAST_DISCARDER: (seat + 3) & 3 if board.offerer is None else board.offerer,
            columns.DISCARDS: 20,
            columns.CLAIMED: 1,
        }
        own = {columns.OWN_DRAWS: 5, columns.HAS_DISCARDED: 1, columns.NOT_OUTER: 1}
        of_seat = [own | {columns.FLOWERS: sum(1 << one - KINDS for one in board.flowers[who])} for who in range(4)]
        return cls(view.book, board.round, seat, [], now, of_seat, held, melds, open_counts, []), order


class ResumedTables(FastTables):
    """N tables of one book that go on from a seat's choice.

    Args:
        moment: the choice.
        orders: uint8 [N, size], walls that differ only where the seat has not seen the tiles.
        aim: the fan that the seat goes for; empty: any hand.

    Raises:
        HandError: as `FastTables`.
    """

    playing_levels = (*LEVELS, OUTSIDE)

    def __init__(self, moment: Moment, orders: Array, aim: str = "") -> None:
        levels = [OUTSIDE if one == moment.seat else "gain" for one in range(4)]
        super().__init__(moment.book, orders, np.zeros((len(orders), 4), np.int64), moment.round, levels)
        self._held = moment.held
        self._seat, self._began, self._aim = moment.seat, len(moment.words), aim
        self._log[:, : self._began] = moment.words
        phase = {columns.PHASE: columns.RESUMED, columns.DEALING: columns.SEATS, columns.WINNER: -1}
        for column, value in (moment.numbers | phase | {columns.EVENTS: self._began}).items():
            self._scalars[:, column] = value
        self._visible[:] = moment.open_counts
        for seat, numbers in enumerate(moment.of_seat):
            self._fill(moment, seat, numbers)
        at = np.arange(len(self.order))
        for seat, number, place in moment.kongs:
            kinds = self.order[:, place]
            self._visible[:, moment.melds[seat][number][1]] -= 4
            np.add.at(self._visible, (at, kinds), 4)
            self._melds[:, seat, number, 1] = kinds
        lists = self._tables[columns.AT_LISTS]
        for i, seat, kind in np.argwhere(self._counts == 4).tolist():
            own = self._of_seat[i, seat]
            lists[i, seat, 0, own[columns.FOURS]] = kind
            own[columns.FOURS] += 1

    def _fill(self, moment: Moment, seat: int, numbers: dict[int, int]) -> None:
        """Write a seat's numbers, melds and tiles into the arrays of every table."""
        for column, value in numbers.items():
            self._of_seat[:, seat, column] = value
        melds = moment.melds[seat]
        pungs = [low for kind, low, _ in melds if kind == MeldKind.PUNG]
        self._of_seat[:, seat, columns.MELDS] = len(melds)
        self._of_seat[:, seat, columns.PUNGS] = len(pungs)
        self._tables[columns.AT_LISTS][:, seat, 1, : len(pungs)] = pungs
        if melds:
            self._melds[:, seat, : len(melds)] = melds
        own, at = self._counts[:, seat], np.arange(len(self.order))
        for place in moment.held[seat]:
            np.add.at(own, (at, self.order[:, place]), 1)

    @property
    def lasted(self) -> Array:
        """Events since the choice at each table: int64 [N]."""
        return self.lengths - self._began

    def draws_since(self) -> Array:
        """Count the tiles drawn since the choice at each table: int64 [N]."""
        word = self._log[:, self._began : max(self._began, int(self.lengths.max(initial=0)))]
        there = np.arange(word.shape[1]) < self.lasted[:, None]
        found: Array = (there & np.isin(word & 0xFF, (columns.E_DRAW, columns.E_REPLACE))).sum(axis=1)
        return found

    def choose(self, action: Action) -> ResumedTables:
        """Take the seat's action at every table, and play every hand to its end."""
        now, own = self._scalars, self._of_seat[:, self._seat]
        offered = self._tables[columns.AT_OFFERED]
        codes = _ACTIONS[action.do]
        if action.do is ActionKind.DISCARD and action.drawn:
            codes = codes[::-1]
        wanted = -1 if action.do in (ActionKind.PASS, ActionKind.WIN) else action.tile_kind
        self._go_on()
        first = (now[:, columns.WAITING] > 0) & (now[:, columns.EVENTS] == self._began)
        does = offered[:, :, 0]
        fits = np.isin(does, codes) & (np.arange(columns.MOST_OPTIONS) < now[:, columns.OFFERED, None])
        if wanted >= 0:
            fits &= offered[:, :, 1] == wanted
        if action.do is ActionKind.CHOW:
            fits &= offered[:, :, 2] == action.low
        elif action.do is ActionKind.DISCARD:
            fits &= offered[:, :, 2] == action.ready
        if not fits[first].any(axis=1).all():
            raise HandError("快速牌桌没有这个选择。", "the compiled tables do not offer this action.")
        better = fits & (does == codes[0])  # from the hand or as drawn: as the action says, if there are both
        own[first, columns.CHOSEN] = (2 * better[first] + fits[first]).argmax(axis=1) + 1
        self._with_bots(~first)
        now[:, columns.WAITING] = 0
        self._go_on()
        while now[:, columns.WAITING].any():
            self._with_bots(now[:, columns.WAITING] > 0)
            now[:, columns.WAITING] = 0
            self._go_on()
        self._find_wins(np.arange(len(self.order)))
        return self

    def exchange(self, free: Sequence[int], turns: Sequence[int], kept: Sequence[int]) -> Array:
        """Let seats draw from places of the wall and discard as `gain`, each for some turns; return the walls then.

        `free` are places whose tiles lie in random order; no seat discards a kind that is `kept`.
        """
        self._run  # noqa: B018  # it prepares the context
        places, wanted = np.array(free, np.int64), np.array(turns, np.int64)
        mask = sum(1 << kind for kind in kept)
        function = gain_code().function("gain_draws")
        tables, number, kinds_kept = map(ctypes.c_void_p, (len(self.order), len(places), mask))
        context = address_of(self._context[0])
        if len(places):
            function(context, tables, address_of(places), number, address_of(wanted), kinds_kept)
        kinds = np.tile(np.arange(columns.ALL_KINDS, dtype=np.uint8), len(self.order))
        for seat, held in enumerate(self._held):
            if turns[seat]:
                self.order[:, held] = np.repeat(kinds, self._counts[:, seat].ravel()).reshape(len(self.order), -1)
        return self.order

    def _entries(self) -> dict[int, Any]:
        found = super()._entries()
        if self._aim:
            found |= aimed_tables(self.book, self._aim, self._seat == self.round)
        return found

    def _with_bots(self, some: Array) -> None:
        """Let the bot play the seat that chose, at some of the tables."""
        self._of_seat[some, self._seat, columns.LEVEL] = columns.AIMED if self._aim else columns.GAIN


def _check(table: Table) -> None:
    """Refuse what keeps compiled tables from going on here."""
    events = table.events
    if table.wall.own:
        raise HandError(
            "四家各摸自己牌墙的局不能模拟：快速牌桌只支持一副共用的牌墙。",
            "hands with a wall for each seat cannot be played out: compiled tables support only a shared wall.",
        )
    if any(isinstance(event, Barred) for event in events):
        raise HandError("快速牌桌不支持停和的玩家。", "compiled tables do not support dead hands.")
    if table.offered[1] is not None and not isinstance(table.position.exposed, Discarded):
        raise HandError(*_NO_KONG)
    if not any(isinstance(event, Drawn) for event in events):
        raise HandError("快速牌桌要从第一次摸牌以后接着打。", "compiled tables can continue only after the first draw.")


def _fold(events: tuple[Event, ...]) -> tuple[list[int], dict[int, int], list[dict[int, int]]]:
    """Return the words of the events, and the numbers of table and seats that follow from them."""
    now = dict.fromkeys((columns.DISCARDS, columns.KONGS, columns.CLAIMED, columns.KONGS_IN_ROW), 0)
    now |= {columns.LAST_DISCARDER: 0, columns.LAST_EVENT: -1}
    seats = [
        dict.fromkeys(
            (
                columns.OWN_DRAWS, columns.OWN_MELDS, columns.HAS_DISCARDED, columns.DECLARED, columns.DISCARDS_THEN,
                columns.DRAWS_THEN, columns.SET_ASIDE, columns.NOT_OUTER,
            ),
            0,
        )
        for _ in range(4)
    ]  # fmt: skip
    words: list[int] = []
    for event in events:
        if isinstance(event, DiceThrown | Dealt) or not isinstance(event, SeatEvent):
            continue
        words.append(_word(event))
        _count(event, words[-1] & 0xFF, now, seats)
    return words, now, seats


def _word(event: SeatEvent) -> int:
    code, low, giver = _CODES[type(event)], 0, 0
    tile = getattr(event, "tile", 0)
    if isinstance(event, Discarded):
        code = columns.E_DRAWN_DISCARD if event.as_drawn else columns.E_DISCARD
        low = int(event.declares)
    elif isinstance(event, Claimed):
        giver = event.giver
        low = event.low if isinstance(event, ChowClaimed) else 0
    return code | event.seat << 8 | tile << 16 | low << 24 | giver << 32


def _count(event: SeatEvent, code: int, now: dict[int, int], seats: list[dict[int, int]]) -> None:
    """Count an event as `quepu.fast.tables.tiles.happened` and `quepu.fast.tables.effects` do."""
    own, last = seats[event.seat], now[columns.LAST_EVENT]
    if code == columns.E_REPLACE:
        now[columns.KONGS_IN_ROW] = now[columns.KONGS_IN_ROW] + 1 if last in _KONGS else 0
    elif not (code in (columns.E_ADDED, columns.E_CONCEALED) and last == columns.E_REPLACE):
        now[columns.KONGS_IN_ROW] = 0
    now[columns.LAST_EVENT] = code
    if isinstance(event, Drawn):
        own[columns.OWN_DRAWS] += 1
    elif isinstance(event, FlowerSetAside):
        own[columns.SET_ASIDE] = 1
    elif isinstance(event, Discarded):
        now[columns.DISCARDS] += 1
        now[columns.LAST_DISCARDER] = event.seat
        own[columns.HAS_DISCARDED], own[columns.SET_ASIDE] = 1, 0
        if event.tile < 27 and 0 < event.tile % 9 < 8:
            own[columns.NOT_OUTER] = 1
        if not event.as_drawn:
            own[columns.DECLARED] = 0
        if event.declares:
            _declare(own, now, columns.AT_FIRST)
    elif isinstance(event, ReadyDeclared):
        _declare(own, now, columns.AT_DEAL)
    elif isinstance(event, Claimed | KongAdded | KongConcealed):
        own[columns.OWN_MELDS] += 1
        own[columns.DECLARED] = 0
        now[columns.KONGS] += code in _KONGS
        if isinstance(event, Claimed):
            now[columns.CLAIMED] += 1
            seats[event.giver][columns.NOT_OUTER] = 1


def _declare(own: dict[int, int], now: dict[int, int], how: int) -> None:
    own[columns.DECLARED], own[columns.DISCARDS_THEN] = how, now[columns.DISCARDS]
    own[columns.DRAWS_THEN] = own[columns.OWN_DRAWS]
