"""Positions built from events, and what seats may do in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table.actions import FROM_HAND, Action
from quepu.table.events import Dealt, Discarded, Drawn, Event
from quepu.table.judge import Judge
from quepu.table.legal import State
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan
from tests.table.walls import kinds

JUNK = "1478m28p369sESWC"
"""A hand that waits for nothing in any book."""


def deal(*hands: str) -> list[Event]:
    """Deal these hands, whatever they are."""
    return [Dealt(seat, tuple(kinds(hand))) for seat, hand in enumerate(hands)]


def through(seat: int, *tiles: int) -> list[Event]:
    """Draw these tiles and discard them again."""
    return [event for tile in tiles for event in (Drawn(seat, tile), Discarded(seat, tile, True))]


def after(events: Iterable[Event], round: int = 0) -> Position:
    """Return the position after these events."""
    position = Position(WallPlan(144), round)
    for event in events:
        apply(position, event)
    return position


def state(
    hands: Iterable[str], *events: Event, name: str = "lingque-29", plan: WallPlan | None = None, **table: object
) -> State:
    """Return the state after the deal and these events, under a book whose table rules are changed."""
    rules = play_rules(book(name))
    rules = replace(rules, table=replace(rules.table, **table))
    made = State(Position(plan or WallPlan(144, rules.table.dead_wall)), Judge(book(name), rules))
    dealt = [*hands, JUNK, JUNK, JUNK, JUNK][:4]
    for event in (*(Dealt(seat, tuple(kinds(hand))) for seat, hand in enumerate(dealt)), *events):
        made.events.append(event)
        apply(made.position, event)
    for seat in range(4):
        made.look(seat)
    return made


def said(options: Iterable[Action]) -> list[str]:
    """Return options in words, without plain discards from the hand."""
    return [option.text().en for option in options if option not in FROM_HAND]


def turned(hands: list[str], turn: int) -> list[str]:
    """Return the hands of seats 0 to 3 if the first of these sits at seat `turn`."""
    return [hands[(seat - turn) % 4] for seat in range(4)]
