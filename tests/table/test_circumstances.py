"""The circumstances of a win, event by event: each of them where it holds and where it just does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quepu.hands.hand import Luck
from quepu.rules.play_rules import TableRules
from quepu.table.events import (
    ChowClaimed,
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
)
from quepu.table.luck import (
    BY_ADDED_KONG,
    BY_CONCEALED_KONG,
    BY_DISCARD,
    BY_DRAW,
    BY_FLOWER,
    BY_OUTER_DISCARDS,
    BY_SEVEN_FLOWERS,
    Chance,
    kongs_in_a_row,
    luck_of,
)
from tests.table.positions import after, deal, through

DEALT = [DiceThrown((1, 2, 3, 4)), *deal(*["1111m22m3333m5555m6666m" + "春夏秋冬梅兰竹菊"] * 4)]
"""Kongs of 1m, 3m, 5m and 6m, a pair of 2m, and every flower, for each seat."""
PLAIN, FIRST_DRAW = TableRules(), TableRules(earthly="first draw")
AFTER_KONG, FLOWERS = TableRules(heavenly_after_kong=True), TableRules(flower_wins=True)
SELF, FIRST = Luck.SELF_DRAW, Luck.FIRST_ROUND
HEAVENLY, EARTHLY, HUMANLY, KONG = Luck.HEAVENLY, Luck.EARTHLY, Luck.HUMANLY, Luck.KONG_DRAW


def luck(
    events: Sequence[Event],
    seat: int,
    chance: Chance,
    rules: TableRules = PLAIN,
    *,
    tile: int | None = None,
    missed: bool = False,
    left: int = 50,
) -> Luck:
    """Return the circumstances of a win after these events, with so many tiles left."""
    every = [*DEALT, *events]
    position = after(every)
    position.left = left
    return Luck(luck_of(every, position, rules, seat, tile, chance, missed))


def kong(seat: int, kind: int, tile: int = 9) -> list[Event]:
    """Make a concealed kong and draw its replacement."""
    return [KongConcealed(seat, kind), ReplacementDrawn(seat, tile)]


ROUND = [*through(0, 9), *through(1, 9), *through(2, 9), *through(3, 9)]


@pytest.mark.parametrize(
    ("events", "seat", "chance", "rules", "expected"),
    [
        # the dealer's first draw, with a kong before it, and the second draw
        ([Drawn(0, 9)], 0, BY_DRAW, PLAIN, SELF | HEAVENLY | FIRST),
        ([Drawn(0, 9)], 0, BY_DRAW, FIRST_DRAW, SELF | HEAVENLY | FIRST),
        ([Drawn(0, 9), *kong(0, 0)], 0, BY_DRAW, PLAIN, SELF | KONG | FIRST),
        ([Drawn(0, 9), *kong(0, 0)], 0, BY_DRAW, AFTER_KONG, SELF | KONG | HEAVENLY | FIRST),
        ([Drawn(0, 9), FlowerSetAside(0, 34), ReplacementDrawn(0, 9)], 0, BY_DRAW, PLAIN, SELF | HEAVENLY | FIRST),
        ([*ROUND, Drawn(0, 9)], 0, BY_DRAW, PLAIN, SELF),
        # another seat's first draw
        ([*through(0, 9), Drawn(1, 9)], 1, BY_DRAW, PLAIN, SELF | FIRST),
        ([*through(0, 9), Drawn(1, 9)], 1, BY_DRAW, FIRST_DRAW, SELF | EARTHLY | FIRST),
        ([*through(0, 9), *through(1, 9), *through(2, 9), Drawn(3, 9)], 3, BY_DRAW, FIRST_DRAW, SELF | EARTHLY | FIRST),
        ([*through(0, 9), Drawn(1, 9), *kong(1, 0)], 1, BY_DRAW, FIRST_DRAW, SELF | KONG | FIRST),
        ([*through(0, 9), *through(1, 9), Drawn(2, 9), *kong(2, 0), Discarded(2, 9, True), Drawn(3, 9)], 3, BY_DRAW,
         FIRST_DRAW, SELF | EARTHLY | FIRST),
        ([*through(0, 1), PungClaimed(1, 1, 0), Discarded(1, 0), Drawn(2, 9)], 2, BY_DRAW, FIRST_DRAW, SELF | EARTHLY),
        ([*through(0, 0), KongClaimed(1, 0, 0), ReplacementDrawn(1, 9)], 1, BY_DRAW, FIRST_DRAW, SELF | KONG),
        ([*ROUND, *through(0, 9), Drawn(1, 9)], 1, BY_DRAW, FIRST_DRAW, SELF),
        # the dealer's first discard, and the discards after it
        (through(0, 9), 2, BY_DISCARD, PLAIN, EARTHLY | HUMANLY | FIRST),
        (through(0, 9), 3, BY_DISCARD, FIRST_DRAW, HUMANLY | FIRST),
        ([Drawn(0, 9), *kong(0, 0), Discarded(0, 9, True)], 1, BY_DISCARD, PLAIN, HUMANLY | FIRST),
        ([*through(0, 9), *through(1, 9)], 2, BY_DISCARD, PLAIN, FIRST),
        ([*through(0, 1), PungClaimed(1, 1, 0), Discarded(1, 0)], 2, BY_DISCARD, PLAIN, Luck(0)),
        ([*through(0, 1), ChowClaimed(1, 1, 0, 0), Discarded(1, 0)], 2, BY_DISCARD, PLAIN, Luck(0)),
        ([*through(0, 9), Drawn(1, 9), *kong(1, 0), Discarded(1, 9, True)], 2, BY_DISCARD, PLAIN, FIRST),
        ([*ROUND, *through(0, 9)], 2, BY_DISCARD, PLAIN, Luck(0)),
        # kongs
        ([Drawn(0, 9), KongConcealed(0, 0)], 1, BY_CONCEALED_KONG, PLAIN, Luck.ROBBED_KONG | FIRST),
        ([*ROUND, Drawn(0, 9), KongConcealed(0, 0)], 1, BY_CONCEALED_KONG, PLAIN, Luck.ROBBED_KONG),
        ([*ROUND, *through(0, 1), PungClaimed(1, 1, 0), Discarded(1, 0), Drawn(2, 9), Discarded(2, 9, True),
          Drawn(3, 9), Discarded(3, 9, True), Drawn(0, 9), Discarded(0, 9, True), Drawn(1, 1), KongAdded(1, 1)],
         2, BY_ADDED_KONG, PLAIN, Luck.ROBBED_KONG),
        ([*ROUND, Drawn(0, 9), *kong(0, 0)], 0, BY_DRAW, PLAIN, SELF | KONG),
        ([*ROUND, Drawn(0, 9), *kong(0, 0), *kong(0, 2)], 0, BY_DRAW, PLAIN, SELF | KONG | Luck.TWO_KONGS),
        ([*ROUND, Drawn(0, 9), *kong(0, 0), *kong(0, 2), *kong(0, 4)], 0, BY_DRAW, PLAIN,
         SELF | KONG | Luck.TWO_KONGS | Luck.THREE_KONGS),
        ([*ROUND, Drawn(0, 9), *kong(0, 0), *kong(0, 2), *kong(0, 4), *kong(0, 5)], 0, BY_DRAW, PLAIN,
         SELF | KONG | Luck.TWO_KONGS | Luck.THREE_KONGS),
        ([*ROUND, Drawn(0, 9), *kong(0, 0), Discarded(0, 9, True)], 1, BY_DISCARD, PLAIN, Luck(0)),
        # wins that ask about nothing else
        ([*ROUND, *through(0, 9)], 1, BY_OUTER_DISCARDS, PLAIN, Luck.OUTER_DISCARDS | SELF),
        ([Drawn(0, 9), FlowerSetAside(0, 34)], 1, BY_FLOWER, FLOWERS, Luck.ROBBED_FLOWER),
    ],
)  # fmt: skip
def test_each_circumstance_holds_where_it_should_and_nowhere_else(
    events: list[Event], seat: int, chance: Chance, rules: TableRules, expected: Luck
) -> None:
    assert luck(events, seat, chance, rules) == expected


@pytest.mark.parametrize(
    ("chance", "events", "seat", "last"),
    [
        (BY_DRAW, [*ROUND, Drawn(0, 9)], 0, Luck.LAST_DRAW),
        (BY_DISCARD, [*ROUND, *through(0, 9)], 1, Luck.LAST_DISCARD),
        (BY_CONCEALED_KONG, [*ROUND, Drawn(0, 9), KongConcealed(0, 0)], 1, Luck.LAST_DISCARD),
    ],
)
def test_the_last_tile(chance: Chance, events: list[Event], seat: int, last: Luck) -> None:
    before = luck(events, seat, chance, left=1)
    assert not before & (Luck.LAST_DRAW | Luck.LAST_DISCARD)
    assert luck(events, seat, chance, left=0) == before | last


@pytest.mark.parametrize("seen", range(4))
def test_a_tile_is_fresh_if_none_is_seen_and_the_fourth_if_three_are(seen: int) -> None:
    """The tile that wins is not counted itself: not a discard, nor the one that turns a pung into a kong."""
    expected = {0: Luck.FRESH_TILE, 3: Luck.FOURTH_TILE}.get(seen, Luck(0))
    begun = [*ROUND, *through(0, *[13] * seen)]
    assert luck([*begun, Drawn(1, 13)], 1, BY_DRAW, tile=13) == SELF | expected
    assert luck([*begun, *through(0, 13)], 1, BY_DISCARD, tile=13) == expected
    assert luck([*begun, Drawn(1, 13)], 1, BY_DRAW) == SELF
    assert luck([*begun, Drawn(0, 9), KongConcealed(0, 0)], 1, BY_CONCEALED_KONG, tile=13) == Luck.ROBBED_KONG


def test_a_tile_added_to_a_pung_is_the_fourth() -> None:
    events = [*ROUND, *through(0, 1), PungClaimed(1, 1, 0), Discarded(1, 0), *through(2, 9), *through(3, 9),
              *through(0, 9), Drawn(1, 1), KongAdded(1, 1)]  # fmt: skip
    assert luck(events, 2, BY_ADDED_KONG, tile=1) == Luck.ROBBED_KONG | Luck.FOURTH_TILE
    assert luck(events, 2, BY_CONCEALED_KONG, tile=1) == Luck.ROBBED_KONG


# ---- kongs in a row


def test_kongs_in_a_row_end_at_anything_else() -> None:
    one, two = KongConcealed(0, 0), KongAdded(0, 1)
    drew = ReplacementDrawn(0, 9)
    assert kongs_in_a_row([Drawn(0, 9), one, drew, two, drew]) == [two, one]
    assert kongs_in_a_row([one, drew]) == [one]
    assert kongs_in_a_row([one, drew, Discarded(0, 9)]) == []
    assert kongs_in_a_row([one, drew, FlowerSetAside(0, 34), drew]) == []
    assert kongs_in_a_row([one, drew, FlowerSetAside(0, 34), drew, two, drew]) == [two]
    assert kongs_in_a_row([one, Drawn(0, 9), two, drew]) == [two]
    assert kongs_in_a_row([drew]) == kongs_in_a_row([one]) == kongs_in_a_row([]) == []


# ---- declared hands

AT_DEAL, AT_FIRST, CHANCE = Luck.READY_AT_DEAL, Luck.READY_AT_FIRST, Luck.FIRST_CHANCE
DECLARED = [ReadyDeclared(1), ReadyDeclared(3)]
WITH_FIRST = [*through(0, 9), Drawn(1, 9), Discarded(1, 9, True, True)]


@pytest.mark.parametrize(
    ("events", "chance", "expected"),
    [
        ([*DECLARED, *through(0, 9)], BY_DISCARD, AT_DEAL | CHANCE | EARTHLY | HUMANLY | FIRST),
        ([*DECLARED, *through(0, 9), Drawn(1, 9)], BY_DRAW, AT_DEAL | CHANCE | SELF | FIRST),
        ([*DECLARED, *through(0, 9), *through(1, 9), *through(2, 9)], BY_DISCARD, AT_DEAL),
        ([*DECLARED, *ROUND, *through(0, 9), Drawn(1, 9)], BY_DRAW, AT_DEAL | SELF),
        ([*DECLARED, *through(0, 1), PungClaimed(2, 1, 0), Discarded(2, 4)], BY_DISCARD, AT_DEAL),
        ([*WITH_FIRST, *through(2, 9)], BY_DISCARD, AT_FIRST | CHANCE),
        ([*WITH_FIRST, *through(2, 9), *through(3, 9)], BY_DISCARD, AT_FIRST),
        ([*WITH_FIRST, *through(2, 9), *through(3, 9), *through(0, 9), Drawn(1, 9)], BY_DRAW, AT_FIRST | CHANCE | SELF),
        ([*WITH_FIRST, *through(2, 9), *through(3, 9), *through(0, 9), *through(1, 9), *through(2, 9)], BY_DISCARD,
         AT_FIRST),
        ([*WITH_FIRST, *through(2, 9), *through(3, 9), *through(0, 9), *through(1, 9), *through(2, 9), *through(3, 9),
          *through(0, 9), Drawn(1, 9)], BY_DRAW, AT_FIRST | SELF),
        ([*WITH_FIRST, *through(2, 1), PungClaimed(0, 1, 2), Discarded(0, 4), Drawn(1, 9)], BY_DRAW,
         AT_FIRST | CHANCE | SELF),
        ([*WITH_FIRST, Drawn(2, 9), KongConcealed(2, 0)], BY_CONCEALED_KONG, AT_FIRST | Luck.ROBBED_KONG),
    ],
)  # fmt: skip
def test_a_declared_hand_and_its_first_chance(events: list[Event], chance: Chance, expected: Luck) -> None:
    assert luck(events, 1, chance) == expected
    assert luck(events, 1, chance, missed=True) == expected & ~(AT_DEAL | AT_FIRST | CHANCE)


def test_a_declaration_of_another_seat_does_not_count() -> None:
    assert luck([*DECLARED, *through(0, 9)], 2, BY_DISCARD) == EARTHLY | HUMANLY | FIRST


# ---- flowers


def aside(seat: int, count: int) -> list[Event]:
    """Set so many flowers aside."""
    return [FlowerSetAside(seat, 34 + number) for number in range(count)]


@pytest.mark.parametrize(
    ("count", "expected"), [(6, Luck(0)), (7, Luck.SEVEN_FLOWERS), (8, Luck.EIGHT_FLOWERS)]
)  # fmt: skip
def test_seven_or_eight_flowers_win_when_the_last_is_set_aside(count: int, expected: Luck) -> None:
    dealt = aside(1, count)
    assert luck(dealt, 1, BY_SEVEN_FLOWERS, FLOWERS) == SELF | FIRST | expected
    assert luck(dealt, 1, BY_SEVEN_FLOWERS) == SELF | FIRST
    both = TableRules(flower_wins=True, earthly="first draw")
    assert luck(dealt, 1, BY_SEVEN_FLOWERS, both) == SELF | FIRST | expected  # nothing has been drawn
    drawn = [*through(0, 9), Drawn(1, 9), *dealt, ReplacementDrawn(1, 9)]
    assert luck(drawn, 1, BY_DRAW, FLOWERS) == SELF | FIRST | expected
    later = [*drawn, Discarded(1, 9, True), *through(2, 9), *through(3, 9), *through(0, 9), Drawn(1, 9)]
    assert luck(later, 1, BY_DRAW, FLOWERS) == SELF
    others = [*drawn, Discarded(1, 9, True), Drawn(2, 9), FlowerSetAside(2, 41), ReplacementDrawn(2, 9)]
    others += [Discarded(2, 9, True), *through(3, 9), *through(0, 9), Drawn(1, 9)]
    assert luck(others, 1, BY_DRAW, FLOWERS) == SELF
    discards = [*dealt, *through(0, 9)]
    assert luck(discards, 1, BY_DISCARD, FLOWERS) == EARTHLY | HUMANLY | FIRST
