"""Compare two actions of a seat at one moment: why this and not that?

What follows from the tiles that the seat sees is exact, or the shared valuation's. What does not is played out: both
actions on the same walls with the same hidden hands, by compiled tables, so that their difference is a mean of pairs.
More worlds continue the same seeds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

from quepu.bots.danger import costs
from quepu.errors import Text, join_list
from quepu.hands.hand import Hand, Meld
from quepu.review.choice_words import choice_text
from quepu.review.insight import Side, side
from quepu.review.rated_decisions import is_same_choice, revalue_redrawn
from quepu.review.typed_hands import NOTHING_KNOWN, Around, AskError, typed_view
from quepu.review.valuation import Eye, Rated, RatedAction, after, rate_options, useful_after
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View
from quepu.table.actions import tile_text
from quepu.table.sampling import NOTHING_ASSUMED, Assumed, Hidden, HiddenPlaces, deal
from quepu.tiles import KINDS, WINDS_CHINESE

TURNS = 18
_SEED = 20261129


class Scene:
    """A seat's choice: what it sees, its options, and how to deal again what it does not see.

    `assumed` changes both: kinds that other hands hold cannot come, and seats that are ready get ready hands. With an
    `aim`, the name of a fan, only hands that have it count, and in playouts the seat goes for them.
    """

    def __init__(
        self,
        view: View,
        options: Sequence[Action],
        table: Table | None = None,
        assumed: Assumed = NOTHING_ASSUMED,
        aim: str = "",
    ) -> None:
        self.view, self.options, self.table, self.assumed, self.aim = view, options, table, assumed, aim
        self.book: Rulebook = view.book
        if view.seat in assumed.ready:
            raise AskError("只能假设别家听牌。", "only another seat can be assumed to be ready.")

    @classmethod
    def of_table(cls, table: Table, seat: int, assumed: Assumed = NOTHING_ASSUMED, aim: str = "") -> Scene:
        """Return the choice of a seat at a table.

        Raises:
            AskError: it has nothing to choose now.
        """
        options = table.options(seat)
        if seat not in table.to_act or not options:
            wind = WINDS_CHINESE[seat]
            raise AskError(f"{wind}家现在没有可选的。", f"seat {'ESWN'[seat]} has nothing to choose now.")
        return cls(table.view(seat), options, table, assumed, aim)

    @classmethod
    def of_hand(
        cls, hand: Hand, book: Rulebook, seen: Sequence[int] = (), left: int | None = None,
        assumed: Assumed = NOTHING_ASSUMED, aim: str = "", around: Around = NOTHING_KNOWN,
    ) -> Scene:  # fmt: skip
        """Return the choice of a hand without a history: of fourteen tiles, or about a tile offered; see `typed_view`.

        Raises:
            AskError: the number of tiles is wrong, more are seen than there are, or nothing can be done with the tile
                offered.
            HandError: there would be more than four of a kind.
        """
        view, options = typed_view(hand, book, seen, left, around)
        return cls(view, options, None, assumed, aim)

    @cached_property
    def eye(self) -> Eye:
        """The seat's eye: without the tiles that are assumed to be held, and only for hands aimed at."""
        return Eye.of(self.view, self.assumed.held, self.aim)

    @cached_property
    def rated(self) -> Rated:
        """Every choice with its value.

        Raises:
            AskError: values do not decide here.
        """
        found = rate_options(self.view, self.options, self.eye)
        if found is None or not found.choices:
            raise AskError("这里没有可以比较的打法。", "there is nothing to compare here.")
        if self.aim and found.lost:
            fan = self.book.fan(self.aim)
            raise AskError(f"怎么打都做不成有{fan.name}的牌。", f"no choice leads to a hand with {fan.english}.")
        return found

    def find(self, action: Action) -> RatedAction:
        """Return the choice that an action means.

        Raises:
            AskError: it is not possible; the sentence lists what is.
        """
        for number, choice in enumerate(self.rated.choices):
            if is_same_choice(choice.action, action):
                again = number and not self.rated.lost
                rated = revalue_redrawn(self.view, self.rated, number, self.eye) if again else self.rated
                found = rated.choices[number]
                return found if self.table is not None else found._replace(danger=0.0)  # who discarded is unknown
        raise AskError(*self._refusal(action))

    def _refusal(self, action: Action) -> Text:
        listed = join_list(choice_text(choice) for choice in self.rated.choices)
        if action.do is ActionKind.DISCARD and action.tile is not None and action.tile not in self.view.tiles:
            tile = tile_text(action.tile)
            return Text(
                f"手里没有{tile.zh}，可以：{listed.zh}。", f"{tile.en} is not in this hand; options: {listed.en}."
            )
        what = action.text()
        return Text(
            f"现在不能“{what.zh}”，可以：{listed.zh}。", f"“{what.en}” is not possible now; options: {listed.en}."
        )

    @property
    def aim_name(self) -> str:
        """The name in the book of the fan that is aimed at; empty: none."""
        return self.book.fan(self.aim).name if self.aim else ""

    # ---- worlds

    @cached_property
    def moment(self) -> Any:
        """The moment as compiled tables resume at it, and what deals its hidden tiles again."""
        from quepu.fast.tables.resumed import Moment

        if self.table is not None:
            return Moment.of(self.table, self.view.seat), HiddenPlaces(self.table, self.view.seat)
        return Moment.of_view(self.view)

    def orders(self, first: int, last: int) -> Any:
        """Return the walls of worlds `first` to `last` (exclusive), always the same ones: uint8 [worlds, tiles].

        Hands are dealt at random first; then each draws and discards as `gain` does, as often as it had a turn.
        """
        import numpy as np

        from quepu.fast.tables.resumed import ResumedTables

        moment, source = self.moment
        if isinstance(source, HiddenPlaces):
            turns = [source.turns[seat] for seat in range(4)]
            free = source.undrawn
        else:
            board = self.view.board
            turns = [max(0, board.plan.size - board.plan.dealt - board.plan.dead - board.left) // 4] * 4
            free = [*range(sum(map(len, moment.held)) + sum(moment.open_counts), len(source))]
        for seat in {self.view.seat, *self.assumed.ready, *(n for n in range(4) if self.view.board.declared[n])}:
            turns[seat] = 0
        orders = np.array([self._order(number) for number in range(first, last)], np.uint8)
        orders = ResumedTables(moment, orders).exchange(free, turns, self.assumed.held)
        for number, row in enumerate(orders, first):
            row[free] = np.random.default_rng((_SEED, number)).permutation(row[free])
        return orders

    def _order(self, number: int) -> list[int]:
        rng = random.Random(f"ask {_SEED} {number}")
        moment, source = self.moment
        if isinstance(source, HiddenPlaces):
            return source.sample(rng, self.assumed)
        order = [*source]
        hands = {seat: places for seat, places in enumerate(moment.held) if seat != self.view.seat}
        seen = sum(len(places) for places in moment.held) + sum(moment.open_counts)  # they lie first
        rest = range(seen, len(order))
        pool = Counter(order[place] for places in (*hands.values(), rest) for place in places)
        deal(order, pool, Hidden(hands, rest), rng, self.assumed, self.book, self._melds)
        return order

    @property
    def _melds(self) -> list[tuple[Meld, ...]]:
        return [tuple(one.meld for one in melds) for melds in self.view.board.melds]


class Line(NamedTuple):
    """One of the two actions: its value, where it leads, and its exact chances by own draws alone.

    `nearer` is the chance that a useful tile has been drawn after each own draw, `drawn` the chance to have won by
    self-draw (empty if the hand is farther than one tile from ready).
    """

    choice: RatedAction
    side: Side
    nearer: tuple[float, ...] = ()
    drawn: tuple[float, ...] = ()


class Comparison(NamedTuple):
    """Two lines; `gained` are kinds useful to the first only, `lost` those useful to the other only."""

    book: Rulebook
    first: Line
    other: Line
    gained: tuple[int, ...]
    lost: tuple[int, ...]
    unseen: tuple[int, ...]
    estimate: float


def compare(scene: Scene, first: Action, other: Action) -> Comparison:
    """Compare two actions by what the seat sees.

    Raises:
        AskError: one of them is not possible, or both are the same.
    """
    a, b = scene.find(first), scene.find(other)
    if is_same_choice(a.action, b.action):
        what = choice_text(a)
        raise AskError(f"两边都是“{what.zh}”，请换一个。", f"both are “{what.en}”: choose another.")
    known = a.useful and b.useful  # those of a choice farther than necessary are not computed
    kinds = (set(a.useful), set(b.useful)) if known else (set(), set())
    lines = [_line(scene, choice) for choice in (a, b)]
    return Comparison(
        scene.book, lines[0], lines[1], tuple(sorted(kinds[0] - kinds[1])), tuple(sorted(kinds[1] - kinds[0])),
        tuple(int(n) for n in scene.eye.unseen), estimate(scene, a, b),
    )  # fmt: skip


def estimate(scene: Scene, a: RatedAction, b: RatedAction) -> float:
    """Return the difference in points by the valuation, danger included where defence pays."""
    risked = 0.0
    if play_rules(scene.book).defence and a.points is None and b.points is None:
        dealt = costs(scene.eye.payable)
        risked = (b.danger - a.danger) * (dealt.given - dealt.otherwise + max(a.expected, b.expected))
    return a.expected - b.expected + risked


def _line(scene: Scene, choice: RatedAction) -> Line:
    found = side(scene.eye, scene.view, choice)
    if scene.aim:
        aims = (aim for aim in found.aims if scene.aim_name in {fan.name for fan in aim.score.fans})
        found = found._replace(aims=tuple(aims))
    left = after(scene.view, choice)
    if left is None or choice.missing is None or choice.points is not None or not choice.useful:
        return Line(choice, found)
    turns = min(TURNS, max(1, round(scene.view.board.left / 4)))
    unseen = int(scene.eye.unseen.sum())
    nearer = tuple(drawn_within(choice.left, unseen, turn) for turn in range(1, turns + 1))
    if choice.missing == 1:
        return Line(choice, found, nearer, nearer)
    if choice.missing == 2:
        return Line(choice, found, nearer, drawn_wins(scene.eye, *left, choice.useful, turns))
    return Line(choice, found, nearer)


def drawn_within(useful: int, unseen: int, draws: int) -> float:
    """Return the exact chance that one of `useful` tiles among `unseen` comes within this many own draws."""
    draws = min(draws, unseen)
    return 1 - comb(unseen - useful, draws) / comb(unseen, draws)


def drawn_wins(
    eye: Eye, tiles: Sequence[int], melds: tuple[Any, ...], useful: Sequence[int], turns: int
) -> tuple[float, ...]:
    """Return the exact chance to have won by self-draw after each own draw, for a hand one tile from ready.

    The first useful tile is kept and the least valuable one discarded; the hand then waits without another change.
    """
    copies, total = [int(n) for n in eye.unseen], int(eye.unseen.sum())
    helping = sum(copies[kind] for kind in useful)
    found = [0.0] * turns
    for kind in useful:
        whole = [*tiles, kind]
        look = eye.look(whole, melds, 0)
        out = max(sorted(set(whole)), key=lambda one: float(look.values[one]))
        mask = useful_after(look, out)
        waits = [one for one in range(KINDS) if mask >> one & 1]
        among = sum(copies[one] for one in waits if one in useful) - (kind in waits)
        beside = sum(copies[one] for one in waits if one not in useful)
        _add_wins(found, (total, total - helping, copies[kind]), among, beside)
    return tuple(found)


def _add_wins(found: list[float], tiles: tuple[int, int, int], among: int, beside: int) -> None:
    """Add the chances of one first useful kind: `tiles` are all unseen ones, the useless ones, and its copies.

    The hand then waits for `among` of the useful tiles and for `beside` of the useless, some of them drawn before.
    """
    total, useless, copies = tiles
    turns = len(found)
    until = 1.0  # the chance that no useful tile has come before
    for turn in range(1, min(turns, total) + 1):
        now = until * copies / (total - turn + 1)
        left = total - turn
        for gone in range(min(beside, turn - 1) + 1):
            lost = comb(beside, gone) * comb(useless - beside, turn - 1 - gone) / comb(useless, turn - 1)
            if lost:
                for later in range(turn + 1, turns + 1):
                    found[later - 1] += now * lost * drawn_within(among + beside - gone, left, later - turn)
        if useless - turn + 1 <= 0:
            break
        until *= (useless - turn + 1) / (total - turn + 1)
