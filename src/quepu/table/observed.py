"""Tiles observed in a hand played with real ones: where they came from, and which of them left a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from quepu.rules.play_rules import TableRules
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
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
from quepu.table.wall import HAND, WallPlan, WallWalk
from quepu.table.wall_completion import Layout, Slot, Use
from quepu.tiles import FIRST_FLOWER, KINDS, TileSet

OFFERED = (Discarded, KongAdded, KongConcealed, FlowerSetAside)
"""Events after which others may claim or rob a tile."""
_FLOWERS = frozenset({FlowerSetAside, Drawn, ReplacementDrawn})
COPIES = {PungClaimed: 2, KongClaimed: 3, KongAdded: 1, KongConcealed: 4}
"""Number of tiles of one kind that an event takes out of the hand."""
_DEAL = frozenset({Dealt, ReadyDeclared, FlowerSetAside, ReplacementDrawn, Barred, BarLifted, HandShown})
"""Facts that may come before the dealer draws."""


class ObservedTiles:
    """Facts, and what they say about places in the wall. `rules` are those of the game, `tiles` its wall's."""

    def __init__(self, facts: Sequence[Fact], rules: TableRules, tiles: TileSet, own_walls: bool = False) -> None:
        self.facts = list(facts)
        self.tiles = tiles
        self.rules = rules
        self.plan = WallPlan.of(rules, tiles.size, own_walls)
        self.shown: dict[int, tuple[int, ...]] = {}
        for fact in facts:
            if fact.event in (Won, HandShown) and fact.tiles:
                self.shown.setdefault(fact.by, fact.tiles)
        self.deals = {fact.by: fact.tiles for fact in facts if fact.event is Dealt and len(fact.tiles) == HAND}
        self.first = self._first_draw()

    def _first_draw(self) -> int:
        """Return the number of the first fact that is not about the deal; its flowers come in seat order."""
        seats: list[int] = []
        for number, fact in enumerate(self.facts):
            flower = fact.event is FlowerSetAside
            if fact.event not in _DEAL or (flower and any(seat > fact.by for seat in seats)):
                return number
            seats += [fact.by] * flower
        return len(self.facts)

    def forget_the_deal(self) -> None:
        """Drop the hands reported as dealt; if there are none, also the flowers."""
        self.first = self.first if self.deals else 0
        self.deals = {}

    def deal(self) -> Layout:
        """Return the layout before any fact: flowers dealt, and their replacements."""
        layout = Layout(self.tiles, [[Slot(0, place) for place in self.plan.dealt_places(seat)] for seat in range(4)])
        self._fix_the_deal(layout)
        walk = WallWalk(self.plan)
        named: set[int] = set()
        for seat, slots in enumerate(layout.slots):
            for fact in self.facts[: self.first]:
                if fact.event is not FlowerSetAside or fact.seat != seat or fact.tile is None:
                    continue
                if self.tiles.flowers and fact.tile >= FIRST_FLOWER and fact.tile not in named:
                    named.add(fact.tile)
                    chained = len(slots) > HAND and seat not in self.deals
                    time = len(slots)
                    layout.uses.append(Use(seat, time, (fact.tile,), chained or None))
                    slots.append(Slot(time, walk.tail(seat)))
        layout.hints = self._later(self.first)
        return layout

    def flowers(self, number: int) -> set[int]:
        """Return the flowers named up to a fact."""
        facts = self.facts[: max(number + 1, self.first)]
        return {fact.tile for fact in facts if fact.event in _FLOWERS and fact.tile is not None}

    def _later(self, number: int) -> dict[int, list[int]]:
        """List the tiles that facts from this one on take out of each hand, soonest first, then those it shows."""
        found: dict[int, list[int]] = {seat: [] for seat in range(4)}
        for fact in self.facts[number:]:
            if fact.tile is None:
                continue
            if fact.event is ChowClaimed:
                found[fact.by] += [kind for kind in fact.run if kind != fact.tile]
            elif fact.tile < KINDS and not (fact.event is Discarded and fact.drawn):
                found[fact.by] += [fact.tile] * COPIES.get(fact.event, fact.event is Discarded)
        for seat, tiles in self.shown.items():
            found[seat] += tiles
        return found

    def _fix_the_deal(self, layout: Layout) -> None:
        for seat, tiles in self.deals.items():
            layout.fixed.update(zip(self.plan.dealt_places(seat), tiles, strict=True))
        walk = WallWalk(self.plan)
        for fact in self.facts[: self.first]:
            if fact.event is ReplacementDrawn:
                place = walk.tail(fact.by)
                if fact.tile is not None:
                    layout.fixed[place] = fact.tile

    def layout(
        self, events: Sequence[Event], made_by: Mapping[int, int], pending: int | None, opened: Iterable[int]
    ) -> Layout:
        """Return the layout after these events.

        `made_by` maps the number of an event to that of the fact that made it; `pending` is the fact to be played next;
        the hands of the seats `opened` are as they were shown.
        """
        fact = None if pending is None else self.facts[pending]
        if fact is not None and fact.claims:  # no tile has been drawn since
            last = max((n for n, event in enumerate(events) if isinstance(event, OFFERED)), default=len(events))
            events = events[: last + 1]
        flowers = self.flowers(len(self.facts) if pending is None else pending)
        layout = Layout(self.tiles, [[] for _ in range(4)], flowers_held=self.rules.flowers_held)
        walk, declared = WallWalk(self.plan), set[int]()
        for at, event in enumerate(events):
            if isinstance(event, Dealt):
                layout.slots[event.seat] = [Slot(at, place) for place in self.plan.dealt_places(event.seat)]
            elif isinstance(event, Drawn | ReplacementDrawn):
                place = walk.head(event.seat) if isinstance(event, Drawn) else walk.tail(event.seat)
                layout.slots[event.seat].append(Slot(at, place))
                seen = self.facts[made_by[at]].tile if at in made_by else None
                if seen is not None:
                    layout.fixed[place] = seen
            elif isinstance(event, FlowerSetAside) and event.tile not in flowers:
                events = events[:at]  # this draw was only a placeholder
                break
            elif isinstance(event, SeatEvent):
                uses = self._uses(Fact.of(event), events[at - 1], at, made_by.get(at), declared)
                robbed = at + 1 < len(events) and isinstance(events[at + 1], Won)
                if isinstance(event, KongConcealed) and robbed:
                    uses = [use._replace(kinds=use.kinds[:1]) for use in uses]  # robbed: the other three went back
                layout.uses += uses
                if isinstance(event, ReadyDeclared) or (isinstance(event, Discarded) and event.declares):
                    declared.add(event.seat)
        self._fix_the_deal(layout)
        if fact is not None and fact.event in (Drawn, ReplacementDrawn):
            if fact.tile is not None and layout.slots[fact.by]:
                layout.fixed[layout.slots[fact.by][-1].place] = fact.tile
        elif fact is not None and fact.seat is not None:
            tile, before = fact.tile, events[-1]
            if fact.claims_meld and isinstance(before, Discarded):
                named = self.facts[made_by[len(events) - 1]].tile
                tile = before.tile if named is None else named
            layout.uses += self._uses(fact._replace(tile=tile), before, len(events), pending, declared)
            if fact.event is ReadyDeclared or fact.ready:
                declared.add(fact.seat)
        layout.hints = self._later(len(self.facts) if pending is None else pending + 1)
        layout.finals = {seat: self.shown[seat] for seat in opened}
        layout.ready = frozenset(declared.difference(layout.finals))
        return layout

    def _uses(self, done: Fact, before: Event, at: int, number: int | None, declared: Set[int]) -> list[Use]:
        """List the concealed tiles that an event takes from its seat's hand; `number` is its fact, if any.

        `declared` are the seats that have declared themselves ready.
        """
        event, seat, tile = done.event, done.by, done.tile
        just_drew = isinstance(before, Drawn | ReplacementDrawn) and before.seat == seat
        reported = None if number is None else self.facts[number]
        if reported is not None and event in (Discarded, KongConcealed):
            tile = reported.tile
        if event is Discarded:
            drawn = None if reported is None else reported.drawn
            if drawn is None and (seat in declared or (tile is not None and tile >= FIRST_FLOWER)):
                drawn = True
            return [Use(seat, at, (tile,), drawn if just_drew or drawn else None, number)]
        if event is ChowClaimed:
            return [Use(seat, at, tuple(kind for kind in done.run if kind != tile))]
        if event is FlowerSetAside:
            return [Use(seat, at, (tile,), (just_drew and seat not in self.deals) or None)]
        if event is Won and not done.claims and tile is not None:
            return [Use(seat, at, (tile,), True)]
        copies = COPIES.get(event, 0)
        return [Use(seat, at, (tile,) * copies, None, number)] if copies else []
