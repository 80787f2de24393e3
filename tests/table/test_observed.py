"""Places in the wall of the tiles that people observed: where each came from, and which of them left a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from quepu.rules.play_rules import TableRules
from quepu.table.events import (
    ChowClaimed,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)
from quepu.table.facts import Fact, read_fact
from quepu.table.observed import ObservedTiles
from quepu.table.wall import dealt_places
from quepu.table.wall_completion import Layout, Slot, Use
from quepu.tiles import FLOWERED, PLAIN
from tests.table.positions import deal

HAND = "123456789m123pE"
DEAL = f"deal {HAND[:-1]}"
BEGUN: list[Event] = [DiceThrown((1, 1, 1, 1)), *deal(HAND, HAND, HAND, HAND)]
"""Events 0 to 4."""


def observe(*lines: str, flowers: bool = True, own: bool = False) -> ObservedTiles:
    return ObservedTiles([read_fact(line) for line in lines], TableRules(), FLOWERED if flowers else PLAIN, own)


def slots(*more: Sequence[tuple[int, int]], dealt: Sequence[int] = (0, 0, 0, 0)) -> list[list[Slot]]:
    """Return the places of the dealt tiles, at these times, and of further ones, by seat."""
    return [
        [*(Slot(dealt[seat], place) for place in dealt_places(seat)), *(Slot(*one) for one in further)]
        for seat, further in enumerate([*more, *[()] * 4][:4])
    ]


NONE: dict[int, list[int]] = {0: [], 1: [], 2: [], 3: []}


# ---- before any fact


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        ([], 0),
        (["E discard 5m"], 0),
        (["E draw 5m"], 0),
        (["E flower 春", "W flower 梅", "E discard 5m"], 2),
        (["W flower 梅", "E flower 春", "E discard 5m"], 1),  # East drew this one
        (["W flower 梅", "W flower 春", "S flower 夏"], 2),
        (["E flower 春", "E flower 夏", "E draw 5m"], 2),
        (["N ready", "E flower 春", "S barred", "S freed", f"S {DEAL}", f"N show {HAND}", "S replace 5m"], 7),
        (["S ready", "S pung 5m", "E flower 春"], 1),
    ],
)
def test_the_deal_ends_with_the_first_fact_that_is_not_of_it(lines: list[str], first: int) -> None:
    assert observe(*lines).first == first


def test_a_reported_deal_is_thirteen_tiles_and_the_first_hand_shown_counts() -> None:
    twelve = "123456789m123p"
    seen = observe(f"E deal {twelve}", f"S deal {HAND}", f"W win {twelve}", "W show 1m", "N show", "N show 9m")
    thirteen = (*range(9), 9, 10, 11, 27)
    assert seen.deals == {1: thirteen}
    assert seen.shown == {2: thirteen[:-1], 3: (8,)}
    seen.forget_the_deal()
    assert (seen.deals, seen.first) == ({}, 2)
    seen.forget_the_deal()
    assert seen.first == 0


def test_flowers_dealt_are_replaced_from_the_tail_seat_by_seat() -> None:
    seen = observe("E flower 春", "W flower 梅", "W flower 菊", "W flower 菊", "E discard 5m", "W discard E")
    assert seen.deal() == Layout(
        FLOWERED,
        slots([(13, 142)], [], [(13, 143), (14, 140)]),
        # West's second one came as the replacement of the first
        [Use(0, 13, (34,)), Use(2, 13, (38,)), Use(2, 14, (41,), True)],
        hints={**NONE, 0: [4], 2: [27]},
    )


def test_what_is_known_of_the_deal_has_its_place() -> None:
    seen = observe(
        f"S deal {HAND}", "S flower 春", "S flower 夏", "S replace 5m", "S replace", "N replace 9p", "E draw"
    )
    layout = seen.deal()
    assert layout.uses == [Use(1, 13, (34,)), Use(1, 14, (35,))]  # either may have been dealt
    assert layout.fixed == {**dict(zip(dealt_places(1), (*range(9), 9, 10, 11, 27), strict=True)), 142: 4, 140: 17}


def test_flowers_of_a_set_without_flowers_and_unseen_ones_have_no_place() -> None:
    assert observe("E flower 春", flowers=False).deal().uses == []
    assert observe("E flower ?", "E flower 5m").deal().uses == []


def test_own_walls_have_places_of_their_own() -> None:
    layout = observe("S flower 春", "N flower 夏", own=True).deal()
    assert layout.slots == [
        [*(Slot(0, 36 * seat + number) for number in range(13)), *([Slot(13, 36 * seat + 13)] if seat % 2 else [])]
        for seat in range(4)
    ]


def test_flowers_named_up_to_a_fact() -> None:
    seen = observe(
        "E flower 春", "S flower 夏", "E draw 秋", "E flower 秋", "E replace 5m", "E discard 冬", "S flower ?"
    )
    assert [seen.flowers(number) for number in (-1, 0, 1)] == [{34, 35}] * 3  # those dealt are known at once
    assert [seen.flowers(number) for number in (2, 3, 4, 5, 6, 7)] == [{34, 35, 36}] * 2 + [{34, 35, 36, 4}] * 4


def test_tiles_that_a_seat_will_use_are_kept_for_it() -> None:
    seen = observe(
        "E discard 5m", "S chow 5m 4m", "S discard E hand", "W pung E", "W discard ?", "N discard 9p drawn",
        "E kong 9p", "E concealed 1m", "S added 2m", "S flower 春", "S draw 3m", "N win 11s+2s", "W show 9s", "W ready",
        "S discard 春",
    )  # fmt: skip
    assert seen._later(0) == {
        0: [4, 17, 17, 17, 0, 0, 0, 0], 1: [3, 5, 27, 1], 2: [27, 27, 26], 3: [18, 18],
    }  # fmt: skip
    assert seen._later(7) == {0: [0, 0, 0, 0], 1: [1], 2: [26], 3: [18, 18]}


# ---- tiles that leave a hand

MINE, OTHERS, CLAIM = Drawn(0, 4), Drawn(1, 4), PungClaimed(0, 1, 3)


@pytest.mark.parametrize(
    ("line", "before", "declared", "expected"),
    [
        ("E discard 5m", MINE, False, Use(0, 9, (4,), None, 0)),
        ("E discard 5m drawn", MINE, False, Use(0, 9, (4,), True, 0)),
        ("E discard 5m hand", MINE, False, Use(0, 9, (4,), False, 0)),
        ("E discard 5m hand", ReplacementDrawn(0, 4), False, Use(0, 9, (4,), False, 0)),
        ("E discard 5m hand", CLAIM, False, Use(0, 9, (4,), None, 0)),
        ("E discard 5m hand", OTHERS, False, Use(0, 9, (4,), None, 0)),
        ("E discard 5m drawn", CLAIM, False, Use(0, 9, (4,), True, 0)),
        ("E discard 5m", MINE, True, Use(0, 9, (4,), True, 0)),
        ("E discard 5m hand", MINE, True, Use(0, 9, (4,), False, 0)),
        ("E discard ?", MINE, False, Use(0, 9, (None,), None, 0)),
        ("E discard 春", MINE, False, Use(0, 9, (34,), True, 0)),
        ("E discard 菊 hand", MINE, False, Use(0, 9, (41,), False, 0)),
        ("E discard P", MINE, False, Use(0, 9, (33,), None, 0)),
        ("E chow 3m 2m", OTHERS, False, Use(0, 9, (1, 3))),
        ("E flower 春", MINE, False, Use(0, 9, (34,), True)),
        ("E flower 春", ReplacementDrawn(0, 34), False, Use(0, 9, (34,), True)),
        ("E flower 春", OTHERS, False, Use(0, 9, (34,))),
        ("E flower 春", CLAIM, False, Use(0, 9, (34,))),
        ("E 自摸 1m+2m", MINE, False, Use(0, 9, (1,), True)),
        ("E win 1m+2m", OTHERS, False, None),
        ("E 自摸 1m", MINE, False, None),
        ("E pung 1m", OTHERS, False, Use(0, 9, (0, 0), None, 0)),
        ("E kong 1m", OTHERS, False, Use(0, 9, (0, 0, 0), None, 0)),
        ("E added 1m", MINE, False, Use(0, 9, (0,), None, 0)),
        ("E concealed 1m", MINE, False, Use(0, 9, (0, 0, 0, 0), None, 0)),
        ("E concealed ?", MINE, False, Use(0, 9, (None,) * 4, None, 0)),
        ("E ready", MINE, False, None),
        ("E barred", MINE, False, None),
    ],
)
def test_what_a_fact_takes_out_of_the_hand(line: str, before: Event, declared: bool, expected: Use | None) -> None:
    seen = observe(line)
    uses = seen._uses(seen.facts[0], before, 9, 0, {0} if declared else {1, 2, 3})
    assert uses == ([] if expected is None else [expected])


def test_an_event_without_a_fact_takes_its_own_tile_and_a_fact_says_more() -> None:
    seen = observe("E discard ?", "E concealed ?", f"E deal {HAND}")
    none = set[int]()
    assert seen._uses(Fact(Discarded, 0, 4, drawn=True), MINE, 6, None, none) == [Use(0, 6, (4,))]
    assert seen._uses(Fact(Discarded, 0, 4, drawn=True), MINE, 6, 0, none) == [Use(0, 6, (None,), None, 0)]
    assert seen._uses(Fact(KongConcealed, 0, 4), MINE, 6, None, none) == [Use(0, 6, (4,) * 4)]
    assert seen._uses(Fact(KongConcealed, 0, 4), MINE, 6, 1, none) == [Use(0, 6, (None,) * 4, None, 1)]
    assert seen._uses(Fact(FlowerSetAside, 0, 34), MINE, 6, None, none) == [Use(0, 6, (34,))]  # it may have been dealt


# ---- after some events

DEALT = (1, 2, 3, 4)


def laid(
    seen: ObservedTiles, events: Sequence[Event], made_by: Mapping[int, int], pending: int | None, *opened: int
) -> Layout:
    return seen.layout([*BEGUN, *events], made_by, pending, opened)


PLAYED: list[Event] = [Drawn(0, 4), Discarded(0, 4), Drawn(1, 17), Discarded(1, 17, True), Drawn(2, 0)]
"""Events 5 to 9."""


def test_draws_and_discards_and_the_fact_to_come() -> None:
    seen = observe("E discard 5m", "S discard 9p hand", "W discard ?", "N discard E", "W pung E")
    layout = laid(seen, PLAYED, {6: 0, 8: 1}, 2)
    assert layout == Layout(
        FLOWERED,
        slots([(5, 52)], [(7, 53)], [(9, 54)], dealt=DEALT),
        [Use(0, 6, (4,), None, 0), Use(1, 8, (17,), False, 1), Use(2, 10, (None,), None, 2)],
        hints={**NONE, 2: [27, 27], 3: [27]},
    )
    assert laid(seen, PLAYED, {6: 0, 8: 1}, None) == Layout(FLOWERED, layout.slots, layout.uses[:2], hints=NONE)


def test_a_claim_undoes_the_draw_after_the_discard_and_names_an_unseen_one() -> None:
    for line, tile in (("E discard ?", 4), ("E discard 6m", 5)):
        seen = observe(line, "W pung 5m", "W discard E")
        layout = laid(seen, PLAYED[:3], {6: 0}, 1)
        assert layout.slots == slots([(5, 52)], dealt=DEALT)
        assert layout.uses == [Use(0, 6, (seen.facts[0].tile,), None, 0), Use(2, 7, (tile, tile), None, 1)]
        assert layout.hints == {**NONE, 2: [27]}
    win = laid(observe("E discard 5m", "W win 1m"), PLAYED[:3], {}, 1)
    assert (win.slots, win.uses) == (slots([(5, 52)], dealt=DEALT), [Use(0, 6, (4,))])
    end = laid(observe("E discard 5m", "exhausted"), PLAYED[:2], {6: 0}, 1)
    assert (end.slots, end.uses) == (slots([(5, 52)], dealt=DEALT), [Use(0, 6, (4,), None, 0)])
    own = laid(observe("E discard 5m", "S 自摸 1m+9p"), PLAYED[:3], {6: 0}, 1)
    assert own.slots == slots([(5, 52)], [(7, 53)], dealt=DEALT)
    assert own.uses[-1] == Use(1, 8, (17,), True)
    early = laid(observe("W pung 5m"), PLAYED[:1], {}, 0)  # there is nothing to claim yet
    assert early.slots == slots([(5, 52)], dealt=DEALT)


def test_tiles_seen_when_drawn_have_their_places() -> None:
    seen = observe("E draw 5m", "E discard 5m", "S draw 1p", "S draw", "W replace 3s")
    assert laid(seen, PLAYED[:3], {5: 0, 6: 1}, 2).fixed == {52: 4, 53: 9}
    assert laid(seen, PLAYED[:3], {5: 0, 6: 1}, 3).fixed == {52: 4}
    assert laid(seen, PLAYED[:3], {5: 0, 6: 1}, None).fixed == {52: 4}
    kong = [*PLAYED, KongConcealed(2, 0), ReplacementDrawn(2, 5)]
    layout = laid(seen, kong, {5: 0, 6: 1}, 4)
    assert layout.fixed == {52: 4, 142: 20}
    assert layout.slots[2][-2:] == [Slot(9, 54), Slot(11, 142)]
    assert seen.layout(BEGUN[:1], {}, 0, ()).fixed == {}  # no tile was dealt yet


def test_a_flower_that_nobody_named_is_a_placeholder() -> None:
    events = [Drawn(0, 34), FlowerSetAside(0, 34), ReplacementDrawn(0, 5), Discarded(0, 5, True)]
    unnamed = laid(observe("E discard 6m"), events, {}, None)
    assert (unnamed.slots, unnamed.uses) == (slots([(5, 52)], dealt=DEALT), [])
    named = laid(observe("E draw", "E flower 春", "E discard 6m"), events, {8: 2}, None)
    assert named.slots == slots([(5, 52), (7, 142)], dealt=DEALT)
    assert named.uses == [Use(0, 6, (34,), True), Use(0, 8, (5,), None, 2)]
    later = observe("E discard 6m", "S flower 春")
    assert len(laid(later, events, {}, 0).uses) == 1  # the pending discard alone; the flower is named after it
    assert len(laid(later, events, {}, 1).uses) == 3


def test_a_robbed_concealed_kong_gives_one_tile() -> None:
    seen = observe("E concealed 1m", "S win 1m")
    events = [Drawn(0, 0), KongConcealed(0, 0), Won(1, 0, 0)]
    assert laid(seen, events, {6: 0}, None).uses == [Use(0, 6, (0,), None, 0)]
    assert laid(seen, events[:2], {6: 0}, None).uses == [Use(0, 6, (0,) * 4, None, 0)]
    more = [*events[:2], ReplacementDrawn(0, 5), Won(0, 5)]
    assert laid(seen, more, {6: 0}, None).uses == [Use(0, 6, (0,) * 4, None, 0), Use(0, 8, (5,), True)]


def test_declared_hands_are_ready_until_they_are_shown() -> None:
    seen = observe(
        "S ready", "E discard 5m", "S discard 9p", "E show 123m", "S show 456m", "W ready", "N discard 1s ready"
    )
    events = [ReadyDeclared(1), *PLAYED]
    made_by = {7: 1, 9: 2}
    layout = laid(seen, events, made_by, None)
    assert layout.ready == {1}
    assert layout.uses == [Use(0, 7, (4,), None, 1), Use(1, 9, (17,), True, 2)]  # a declared hand changes no tile
    assert laid(seen, events, made_by, None, 0, 1).ready == frozenset()
    assert laid(seen, events, made_by, None, 0, 1).finals == {0: (0, 1, 2), 1: (3, 4, 5)}
    assert laid(seen, events, made_by, 5).ready == {1, 2}
    assert laid(seen, events, made_by, 6).ready == {1, 3}
    assert laid(seen, events, made_by, 3).ready == {1}
    declaring = [Drawn(0, 4), Discarded(0, 4, True, True)]
    assert laid(seen, declaring, {}, None).ready == {0}
    assert laid(seen, PLAYED[:2], {}, None).ready == frozenset()


def test_the_events_of_a_meld_take_the_own_tiles() -> None:
    events = [*PLAYED[:2], ChowClaimed(1, 4, 0, 3), Discarded(1, 0)]
    layout = laid(observe("E discard 5m", "S chow 5m 4m", "S discard 1m hand"), events, {6: 0, 7: 1, 8: 2}, None)
    assert layout.uses == [Use(0, 6, (4,), None, 0), Use(1, 7, (3, 5)), Use(1, 8, (0,), None, 2)]


@pytest.mark.parametrize("held", [False, True])
def test_a_layout_says_whether_flowers_may_be_held(held: bool) -> None:
    seen = ObservedTiles([], TableRules(flowers_held=held), FLOWERED)
    assert laid(seen, PLAYED, {}, None).flowers_held is held
