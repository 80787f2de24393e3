"""Reconstruct a hand played with real tiles on a `Table`: people report events, and tiles may be unknown.

Unseen tiles are filled in with tiles that fit (`observed`, `wall_completion`), and the facts are played on a `Table`,
which alone knows the rules: whose turn it is, the options, the circumstances of a win, its score. If a fact does not
fit, another possible wall is built and the earlier facts are played again; if none fits, the fact is a problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Error, Text, many
from quepu.rules.play_rules import Ending, PlayRules, play_rules, too_many_winners
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.table.actions import PASS, Action, ActionKind, find_option
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    SeatEvent,
    Won,
)
from quepu.table.facts import Fact
from quepu.table.observed import OFFERED, ObservedTiles
from quepu.table.play import Table
from quepu.table.wall import build_wall
from quepu.table.wall_completion import Contradiction, Layout, complete_wall
from quepu.tiles import KINDS, WINDS, WINDS_CHINESE

_ACTIONS = {
    ChowClaimed: ActionKind.CHOW, PungClaimed: ActionKind.PUNG, KongClaimed: ActionKind.KONG,
    KongAdded: ActionKind.ADDED, KongConcealed: ActionKind.CONCEALED, FlowerSetAside: ActionKind.FLOWER,
    ReadyDeclared: ActionKind.READY, Won: ActionKind.WIN,
}  # fmt: skip
_USES = (Claimed, Discarded, KongAdded, KongConcealed)
DICE = (1, 1, 1, 1)
"""Dice of a wall whose dice were not reported."""


class FactProblem(NamedTuple):
    """A problem with a reported fact: its number (from 0), and a sentence."""

    at: int
    text: Text


class Reconstruction(NamedTuple):
    """A hand as far as it was reported.

    `table` is in one of the positions that fit: everything public is right on it, but of a hand only the reported
    tiles. `problems` are the facts left out, `doubts` the assumptions made. `ending` is how the hand ended, None while
    it is being played.
    """

    table: Table
    problems: tuple[FactProblem, ...]
    doubts: tuple[FactProblem, ...]
    ending: Ending | None


def reconstruct(
    book: Rulebook,
    facts: Sequence[Fact],
    *,
    round: int = 0,
    flowers: bool | None = None,
    rules: PlayRules | None = None,
    own_walls: bool = False,
) -> Reconstruction:
    """Reconstruct a hand from reported facts.

    `round` is the round wind, 0 East … 3 North; `flowers` whether flowers are played (None: as the book says, or if any
    was reported); `own_walls` whether each seat draws from its own wall.
    """
    own = rules or play_rules(book)
    if flowers is None and any(fact.event is FlowerSetAside for fact in facts):
        flowers = True
    observed = ObservedTiles(facts, own.table, own.table.tiles.with_flowers(flowers), own_walls)
    return _Reconstructor(book, observed, round, own).reconstruct()


class _Reconstructor:
    """Plays facts one after another; `table` is the result so far."""

    def __init__(self, book: Rulebook, observed: ObservedTiles, round: int, rules: PlayRules) -> None:
        self.book, self.rules, self.round = book, rules, round
        self.observed = observed
        self.facts, self.shown = observed.facts, observed.shown
        self.open: set[int] = set()  # seats whose shown tiles are already in the wall
        self.accepted: list[int] = []
        self.problems: list[FactProblem] = []
        self.made_by: dict[int, int] = {}  # number of an event → number of the fact that made it
        self.taken: dict[int, int] = {}  # the kind assumed for an unseen tile, by the number of its fact
        self.table = self._deal()

    def reconstruct(self) -> Reconstruction:
        for number in range(len(self.facts)):
            self._take(number)
        for number in self.accepted:  # hands shown by players other than the winner
            fact, why = self.facts[number], None
            if fact.event is HandShown and self.table.ending is not None:
                if fact.tiles != self.shown.get(fact.by, fact.tiles):
                    why = Text("前面亮的不是这些牌。", "other tiles were shown before.")
                elif fact.tiles and fact.seat not in self.open:
                    why = self._try(None, fact.by)
                if why is not None:
                    self.problems.append(FactProblem(number, why))
        ending = self.table.ending
        self.problems += [] if ending is None else self._further_problems(ending)
        if ending is not None and self.rules.ready_value is not None:
            a, b, c, d = (value if seat in self.open else None for seat, value in enumerate(ending.ready))
            ending = ending._replace(ready=(a, b, c, d))
        doubts = [
            FactProblem(number, _UNSEEN)
            for number in self.accepted
            if self.facts[number].event is Discarded and self.facts[number].tile is None
        ]
        won = ending is not None and bool(ending.winners)
        return Reconstruction(self.table, tuple(sorted(self.problems)), tuple(doubts) if won else (), ending)

    def _further_problems(self, ending: Ending) -> list[FactProblem]:
        """List the reported winners who do not win because as many nearer ones do."""
        won = [number for number in self.accepted if self.facts[number].event is Won]
        text = too_many_winners(len(won), self.rules.table.most_winners)
        return [FactProblem(number, text) for number in won if self.facts[number].by not in ending.seats]

    # ---- one fact

    def _take(self, number: int) -> None:
        fact = self.facts[number]
        opens = fact.seat if fact.event is Won and fact.seat in self.shown else None
        waits = fact.event in (
            Drawn,
            ReplacementDrawn,
            FlowerSetAside,
        )  # a flower that was placed arbitrarily may yet be reported
        if opens is None and (waits or not self._unreported_flower(number)) and self._apply(self.table, number):
            self.accepted.append(number)
            return
        if fact.claims_meld:
            self._name_the_unseen(fact.tile)
        why = self._try(number, opens)
        if why is None:
            self.accepted.append(number)
        else:
            self.problems.append(FactProblem(number, why))

    def _unreported_flower(self, number: int) -> bool:
        named = self.observed.flowers(number)
        return any(tile not in named for flowers in self.table.board.flowers for tile in flowers)

    def _try(self, number: int | None, opens: int | None) -> Text | None:
        """Build another wall for a fact or a shown hand; return the reason if there is none."""
        before = self.table, self.made_by, self.taken, self.open
        if opens is not None:
            self.open = self.open | {opens}
        try:
            self.table = self._build(self._layout(number))
        except Contradiction as wrong:
            self.table, self.made_by, self.taken, self.open = before
            return wrong.text
        self.made_by = {}
        if all(self._apply(self.table, old) for old in self.accepted):
            if number is None or self._apply(self.table, number):
                return None
            why = self._why_not(self.table, self.facts[number])
        elif number is None:
            why = _DIFFERS
        else:
            fact = self.facts[number].text(play_rules(self.book).words)
            why = Text(f"{fact.zh}：{_DIFFERS.zh}", f"{fact.en}: {_DIFFERS.en}")
        self.table, self.made_by, self.taken, self.open = before
        return why

    def _name_the_unseen(self, tile: int | None) -> None:
        """Set the kind of an unnamed discard when a claim names it."""
        last = next((n for n in reversed(self.accepted) if self.facts[n].event is Discarded), None)
        if last is not None and self.facts[last].tile is None:
            self.facts[last] = self.facts[last]._replace(tile=tile)

    def _why_not(self, table: Table, fact: Fact) -> Text:
        """Say why the table does not allow a fact whose tiles are there."""
        words = play_rules(self.book).words
        text = fact.text(words)
        if table.ending is not None:
            return Text(f"{text.zh}：这一{words.hand.zh}已经结束了。", f"{text.en}: this hand is over.")
        if fact.event is Exhausted and table.board.left:
            return Text(
                f"牌墙还有 {table.board.left} 张，不是{words.drawn.zh}。",
                f"{many(table.board.left, 'tile')} left: not drawn yet.",
            )
        if not fact.claims and table.turn != fact.seat:
            return Text(
                f"{text.zh}：轮到的是{WINDS_CHINESE[table.turn]}家。", f"{text.en}: it is {WINDS[table.turn]}'s turn."
            )
        barred, other = table.board.barred[fact.by], fact.claims_meld or fact.event in (KongAdded, KongConcealed)
        if barred and (fact.event is Won or (other and not self.rules.table.barred_claims)):
            return Text(f"{text.zh}：这家停和陪打。", f"{text.en}: this seat has a dead hand.")
        why = self._why_no_win(table, fact) if fact.event is Won else None
        return why or Text(f"{text.zh}：按这本规则现在不能。", f"{text.en}: not allowed now by this rulebook.")

    def _why_no_win(self, table: Table, fact: Fact) -> Text | None:
        """Say why a hand is not won; None if there is no tile to win with."""
        if fact.drawn and table.drawn is None:
            return Text(
                f"{WINDS_CHINESE[fact.by]}家刚吃碰，没有摸牌，不是自摸。",
                f"{WINDS[fact.by]} has claimed a tile and drawn none: no self-draw.",
            )
        if fact.seat not in self.shown:
            return Text("和牌要亮出手牌。", "a win must be shown.")
        offered = (event.tile for event in reversed(table.events) if isinstance(event, OFFERED))
        tile = table.drawn if fact.drawn else next(offered, None)
        if tile is None or tile >= KINDS:
            return None
        hand = table.view(fact.by).as_hand()._replace(winning=tile)
        try:
            score = score_hand(hand, self.book)
        except Error as wrong:
            return wrong.text
        return Text(
            f"这手牌 {score.points} {self.book.unit.zh}，不够起和的 {score.minimum}；或者这张牌不能和。",
            f"this hand is worth {score.points} ({score.minimum} are needed), or this tile cannot be won.",
        )

    # ---- on the table

    def _apply(self, table: Table, number: int) -> bool:
        """Apply a fact; return False if these tiles do not allow it."""
        fact = self.facts[number]
        event, at = fact.event, len(table.events)
        if event is Exhausted:
            let_pass(table)
            return table.ending is not None and not table.ending.winners
        seat = fact.by
        if event in (Dealt, HandShown) or (event is ReplacementDrawn and number < self.observed.first):
            return True
        if event in (Barred, BarLifted):
            table.bar(seat, event is Barred)
            return True
        if event is FlowerSetAside and fact.tile in table.board.flowers[seat]:
            return self._is_new(number)
        offered, offerer = table.offered
        without_tile = offered is None and offerer is not None  # seven flowers, and outer discards
        answers = event is ReadyDeclared or fact.claims or (event is Won and without_tile)
        if answers:
            return self._claim(table, fact)
        let_pass(table)
        if event is FlowerSetAside and fact.tile in table.board.flowers[seat]:  # dealt; the one before was not robbed
            return self._is_new(number)
        if event in (Drawn, ReplacementDrawn):
            return self._drew(table, number)
        if table.turn != seat or table.ending is not None:
            return False
        option = self._option(table, number)
        if option is None:
            return False
        table.step(seat, option)
        self.made_by[next(n for n, made in enumerate(table.events) if n >= at and _is(made, fact))] = number
        return True

    def _is_new(self, number: int) -> bool:
        """Return whether the same was not reported before."""
        fact = self.facts[number]
        return not any(self.facts[old][:3] == fact[:3] for old in self.accepted if old < number)

    def _drew(self, table: Table, number: int) -> bool:
        """Return whether the seat has drawn since a tile was last used, without a fact of it yet."""
        fact = self.facts[number]
        events = table.events
        start = next((n for n, event in enumerate(events) if isinstance(event, Drawn)), len(events))
        since = max((n for n, event in enumerate(events) if isinstance(event, _USES)), default=start)
        for n in range(since, len(events)):
            if _is(events[n], fact) and n not in self.made_by and fact.tile in (None, Fact.of(events[n]).tile):
                self.made_by[n] = number
                return True
        return False

    def _claim(self, table: Table, fact: Fact) -> bool:
        """Apply an answer to an offer; all other seats pass."""
        for option in table.options(fact.by):
            if (
                option.do is _ACTIONS[fact.event]
                and table.board.offerer is not None
                and fact.low in (None, option.low)
                and fact.tile in (None, option.tile)
            ):
                table.step(fact.by, option)
                if fact.event is not ReadyDeclared:  # several seats may declare
                    let_pass(table, self._further_winners() if fact.event is Won else frozenset())
                return True
        return False

    def _further_winners(self) -> frozenset[int]:
        """Return the seats that are reported to win on another's tile, if the rules allow several."""
        if self.rules.table.most_winners == 1:
            return frozenset()
        return frozenset(fact.by for fact in self.facts if fact.event is Won and fact.claims)

    def _option(self, table: Table, number: int) -> Action | None:
        """Return the option that a fact on the own turn means."""
        fact = self.facts[number]
        seat, tile = fact.by, fact.tile
        options = table.options(seat)
        if fact.event is not Discarded:
            if tile is None and fact.event is KongConcealed:
                tile = self.taken.get(number)
            return find_option(options, Action(_ACTIONS[fact.event], tile))
        declared = bool(table.board.declared[seat])
        ways = (fact.drawn,) if fact.drawn is not None else (True,) if declared else (False, True)
        if tile is None:
            own = table.hands[seat]
            likely = table.drawn if declared or not own else own[0]
            tile = self.taken.get(number, likely)
        found = (
            find_option(options, Action(ActionKind.DISCARD, tile, drawn=drawn, ready=fact.ready)) for drawn in ways
        )
        return next((option for option in found if option is not None), None)

    # ---- the wall

    def _deal(self) -> Table:
        """Return the table before any fact."""
        while True:
            try:
                return self._build(self.observed.deal())
            except Contradiction as wrong:
                first = next((n for n, fact in enumerate(self.facts) if fact.event is Dealt), 0)
                self.problems.append(FactProblem(first, wrong.text))
                self.observed.forget_the_deal()

    def _layout(self, pending: int | None) -> Layout:
        """Return the layout of all facts played and of the next one."""
        fact = None if pending is None else self.facts[pending]
        if fact is not None and not fact.claims and fact.event is not ReadyDeclared:
            let_pass(self.table)
        return self.observed.layout(self.table.events, self.made_by, pending, self.open)

    def _build(self, layout: Layout) -> Table:
        """Return a table with a wall that fits.

        Raises:
            Contradiction: no wall fits.
        """
        order, self.taken = complete_wall(layout)
        return Table(self.book, build_wall(order, DICE, self.observed.plan.own), round=self.round, rules=self.rules)


def _is(event: Event, fact: Fact) -> bool:
    """Return whether an event has the fact's kind and seat."""
    return type(event) is fact.event and isinstance(event, SeatEvent) and event.seat == fact.seat


def let_pass(table: Table, keep: frozenset[int] = frozenset()) -> None:
    """Let every seat whose answer is awaited pass, except those to keep."""
    while seats := [seat for seat in table.to_act if seat not in keep and table.options(seat)[-1] is PASS]:
        table.step(seats.pop(), PASS)


_UNSEEN = Text(
    "这张打出的牌没有人看见：绝张、生张都当作不是和的那张。",
    "nobody saw this discard: it is taken for another than the winning tile.",
)
_DIFFERS = Text("与前面录入的矛盾。", "this contradicts what was entered before.")
