"""Events change a position one by one: each tile goes where the event says, and the sums kept beside it agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from quepu.hands.hand import Meld, MeldKind
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
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
    Won,
)
from quepu.table.open_melds import OpenMeld
from quepu.table.position import KEY, Position, apply
from quepu.table.wall import WallPlan
from tests.table.walls import kinds


def hand_of(*texts: str) -> tuple[int, ...]:
    return tuple(kind for text in texts for kind in kinds(text))


DEALT = ("6m1111m23m789p55s春", "44m123456p789sEF", "46m99m123pSSSNNN", "89m258p147sESWNC")


def folded(*events: Event, plan: WallPlan | None = None, hands: Sequence[str] = DEALT) -> Position:
    """The position after a deal of these hands and these events; it is consistent after each."""
    p = Position(plan or WallPlan(144, 14))
    for seat, text in enumerate(hands):
        more(p, Dealt(seat, hand_of(text)))
    return more(p, *events)


def more(p: Position, *events: Event) -> Position:
    for event in events:
        apply(p, event)
        check_sums(p)
    return p


def check_sums(p: Position) -> None:
    """What is kept beside the tiles agrees with them, counted anew."""
    for seat, hand in enumerate(p.hands):
        held = Counter([*hand, p.drawn] if p.drawn is not None and seat == p.turn else hand)
        assert hand == sorted(hand)
        assert p.counts[seat] == [held[kind] for kind in range(42)]
        assert p.keys[seat] == sum(KEY[kind] for kind in hand)
        assert sorted(p.fours[seat]) == [kind for kind in range(42) if held[kind] == 4]
        assert p.hand_melds[seat] == tuple(shown.meld for shown in p.melds[seat])
        pungs = [meld.tile for meld in p.hand_melds[seat] if meld.kind is MeldKind.PUNG]
        assert sorted(p.pungs[seat]) == sorted(pungs)
    seen = Counter(kind for river in p.rivers for kind in river)
    seen.update(kind for melds in p.hand_melds for meld in melds for kind in meld.tiles)
    assert p.open_counts == p.visible() == [seen[kind] for kind in range(42)]


def test_before_the_deal_a_position_is_empty() -> None:
    p = Position(WallPlan(136, 14, True))
    check_sums(p)
    assert (p.round, p.front, p.back, p.left, p.turn, p.dice) == (0, 52, 0, 70, 0, (1, 1, 1, 1))
    assert not any([*p.hands, *p.rivers, *p.melds, *p.flowers, *p.declared, *p.barred, p.dealt, p.over])
    assert (p.drawn, p.exposed, p.won, p.piles) == (None, None, None, None)
    lists = (
        p.hands,
        p.counts,
        p.keys,
        p.fours,
        p.pungs,
        p.rivers,
        p.melds,
        p.hand_melds,
        p.flowers,
        p.declared,
        p.barred,
    )
    assert {len(values) for values in lists} == {4}
    assert Position(WallPlan(144, own=True), 3).piles == [23] * 4
    assert Position(WallPlan(144, own=True), 3).round == 3
    assert more(p, DiceThrown((1, 2, 3, 4))).dice == (1, 2, 3, 4)


@pytest.mark.parametrize(("feeds", "left"), [(False, 77), (True, 78)])
def test_a_dealt_flower_is_replaced_in_the_hand_before_anyone_draws(feeds: bool, left: int) -> None:
    """A replacement shortens what can be drawn unless the dead wall feeds it."""
    p = folded(plan=WallPlan(144, 14, feeds))
    assert p.fours == [[0], [], [], []]
    more(p, FlowerSetAside(0, 34))
    assert p.flowers == ((34,), (), (), ())
    assert p.exposed == FlowerSetAside(0, 34)
    more(p, ReplacementDrawn(0, 4))
    assert p.hands[0] == list(hand_of("1111m23m5m6m789p55s"))
    assert (p.turn, p.drawn, p.dealt, p.front, p.back, p.left) == (0, None, False, 52, 1, left)
    more(p, ReplacementDrawn(1, 3))  # a third, and then a fourth 4m
    assert (p.fours[1], p.back) == ([], 2)
    more(p, ReplacementDrawn(1, 3))
    assert (p.fours[1], p.turn) == ([3], 0)
    more(p, Drawn(0, 4))
    assert (p.turn, p.drawn, p.dealt, p.front) == (0, 4, True, 53)
    assert p.left == left - (0 if feeds else 2) - 1


def test_draws_and_discards_move_tiles_between_wall_hand_and_river() -> None:
    p = folded(Drawn(0, 22), Discarded(0, 5))
    assert p.hands[0] == list(hand_of("1111m23m789p555s春"))
    assert (p.turn, p.drawn, p.rivers[0], p.exposed) == (0, None, (5,), Discarded(0, 5))
    more(p, Drawn(1, 3))
    assert (p.turn, p.drawn, p.front, p.left, p.last) == (1, 3, 54, 76, False)
    more(p, Discarded(1, 3, True), Drawn(2, 3), Discarded(2, 3, True), Drawn(3, 22), Discarded(3, 27))
    assert p.rivers == [(5,), (3,), (3,), (27,)]
    more(p, Drawn(0, 22))  # the fourth 5s, to be discarded again
    assert p.fours[0] == [0, 22]
    more(p, Discarded(0, 22))
    assert p.fours[0] == [0]


def test_own_walls_count_down_for_those_who_draw() -> None:
    p = folded(plan=WallPlan(144, own=True))
    assert (p.left, p.piles) == (92, [23] * 4)
    assert [(p.next_head(seat), p.next_tail(seat)) for seat in range(4)] == [
        (36 * s + 13, 36 * s + 13) for s in range(4)
    ]
    more(p, Drawn(0, 5), KongConcealed(0, 0), ReplacementDrawn(0, 9), Discarded(0, 9, True), Drawn(1, 8))
    assert (p.left, p.piles) == (89, [21, 22, 23, 23])
    assert p.undrawn_places() == [
        at for seat, gone in enumerate((15, 14, 13, 13)) for at in range(36 * seat + gone, 36 * seat + 36)
    ]
    assert (p.next_head(0), p.next_tail(1)) == (15, 36 + 14)


@pytest.mark.parametrize("turn", range(4))
def test_the_last_tile_of_own_walls_is_told_by_the_next_seat(turn: int) -> None:
    p = Position(WallPlan(136, own=True))
    p.turn = turn
    for empty in range(4):
        p.piles = [int(seat != empty) for seat in range(4)]
        assert p.last is (empty == (turn + 1) % 4)


def test_a_shared_wall_gives_its_places_and_its_last_tile() -> None:
    p = folded(Drawn(0, 5), KongConcealed(0, 0), plan=WallPlan(144, 14))
    assert (p.next_head(0), p.next_tail(0)) == (53, 142)
    more(p, ReplacementDrawn(0, 9))
    assert (p.next_tail(3), p.undrawn_places()) == (143, [*range(53, 142), 143])
    p.left = 1
    assert not p.last
    p.left = 0
    assert p.last


def test_only_the_last_discard_can_be_claimed() -> None:
    p = folded(Drawn(0, 24), Discarded(0, 24, True), Drawn(1, 32), Discarded(1, 3))
    with pytest.raises(ValueError, match="24"):
        apply(p.copy(), PungClaimed(3, 24, 1))
    more(p, Drawn(2, 4), Discarded(2, 4, True))
    assert p.rivers == [(24,), (3,), (4,), ()]
    more(
        p,
        Drawn(3, 33),
        Discarded(3, 33, True),
        Drawn(0, 26),
        Discarded(0, 26, True),
        Drawn(1, 32),
        Discarded(1, 32, True),
    )
    more(p, Drawn(2, 12), Discarded(2, 28), Drawn(3, 8), Discarded(3, 28), PungClaimed(2, 28, 3))
    assert p.rivers == [(24, 26), (3, 32), (4, 28), (33,)]


def test_a_pung_is_made_and_added_to_and_its_robbed_tile_comes_off_again() -> None:
    p = folded(Drawn(0, 3), Discarded(0, 3, True), PungClaimed(1, 3, 0))
    assert (p.rivers[0], p.turn, p.drawn) == ((), 1, None)
    assert p.melds == ((), (OpenMeld(Meld(MeldKind.PUNG, 3), 3, 0),), (), ())
    assert p.hands[1] == list(hand_of("123456p789sEF"))
    more(p, Discarded(1, 27), Drawn(2, 8), Discarded(2, 8))
    assert p.rivers == [(), (27,), (8,), ()]
    more(p, Drawn(3, 33), Discarded(3, 33, True), Drawn(0, 30), Discarded(0, 30, True), Drawn(1, 3), KongAdded(1, 3))
    assert p.melds[1] == (OpenMeld(Meld(MeldKind.KONG, 3), 3, 0, added=True),)
    assert (p.exposed, p.drawn) == (KongAdded(1, 3), None)
    robbed = more(p.copy(), Won(2, 3, 1))
    assert robbed.melds[1] == (OpenMeld(Meld(MeldKind.PUNG, 3), 3, 0),)
    assert (robbed.won, robbed.over, p.over) == (Won(2, 3, 1), True, False)
    more(p, ReplacementDrawn(1, 5))
    assert (p.turn, p.drawn, p.hands[1]) == (1, 5, list(hand_of("123456p789sF")))


def test_a_chow_and_a_claimed_kong() -> None:
    p = folded(Drawn(0, 32), Discarded(0, 5), ChowClaimed(1, 5, 0, 3), hands=(DEALT[0], "45m4p", "666m", "9m"))
    assert p.melds[1] == (OpenMeld(Meld(MeldKind.CHOW, 3), 5, 0),)
    assert (p.hands[1], p.turn) == ([12], 1)
    p = folded(Drawn(0, 32), Discarded(0, 5), KongClaimed(2, 5, 0), hands=(DEALT[0], "45m4p", "666m", "9m"))
    assert p.melds[2] == (OpenMeld(Meld(MeldKind.KONG, 5), 5, 0),)
    assert (p.hands[2], p.turn, p.pungs) == ([], 2, [[], [], [], []])


def test_a_concealed_kong_that_is_robbed_leaves_three_tiles_in_the_hand() -> None:
    p = folded(Drawn(0, 32), KongConcealed(0, 0))
    assert p.melds[0] == (OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0)),)
    assert p.exposed == KongConcealed(0, 0)
    assert (p.hands[0], p.drawn) == (list(hand_of("23m6m789p55sF春")), None)
    more(p, Won(2, 0, 0))
    assert p.melds[0] == ()
    assert p.hands[0] == list(hand_of("111m23m6m789p55sF春"))
    assert p.tiles()[0] == 4  # the robbed one was won


def test_a_robbed_kong_goes_and_the_melds_around_it_stay() -> None:
    around = (Drawn(0, 32), KongConcealed(0, 0), ReplacementDrawn(0, 33), KongConcealed(0, 1), ReplacementDrawn(0, 33))
    hands = ("1111222233334m", "9p", "9p", "9p")
    p = folded(*around, KongConcealed(0, 2), hands=hands)
    p.exposed = KongConcealed(0, 1)  # whichever is robbed
    more(p, Won(3, 1, 0))
    assert [shown.meld.tile for shown in p.melds[0]] == [0, 2]
    pungs = (PungClaimed(1, 0, 0), PungClaimed(1, 1, 0), PungClaimed(1, 2, 0))
    p = Position(WallPlan(136))
    more(p, Dealt(0, (0, 1, 2)), Dealt(1, (0, 0, 0, 1, 1, 1, 2, 2, 2)))
    for pung in pungs:
        more(p, Discarded(0, pung.tile), pung)
    more(p, KongAdded(1, 1))
    assert [shown.meld.kind for shown in p.melds[1]] == [MeldKind.PUNG, MeldKind.KONG, MeldKind.PUNG]


def test_several_win_one_tile_and_nothing_else() -> None:
    discarded = folded(Drawn(0, 24), Discarded(0, 24, True))
    p = more(discarded.copy(), Won(1, 24, 0))
    assert (p.rivers[0], p.won, p.over) == ((), Won(1, 24, 0), True)
    assert p.tiles()[24] == 3  # South and North hold one each; the third is won
    more(p, Won(3, 24, 0))
    assert p.won == Won(1, 24, 0)
    for wrong in (Won(3, 23, 0), Won(3, 24, 2), Won(3, 24)):
        with pytest.raises(ValueError, match="Won"):
            apply(p, wrong)
    drawn = folded(Drawn(0, 24), Won(0, 24))
    assert (drawn.drawn, drawn.rivers[0], drawn.over) == (24, (), True)
    with pytest.raises(ValueError, match="Won"):
        apply(drawn, Won(1, 24))
    outer = folded(Drawn(0, 24), Discarded(0, 24, True), Exhausted())
    assert (outer.over, outer.won) == (True, None)
    assert more(outer, Won(1)).rivers[0] == (24,)
    given = folded(Drawn(0, 24), Discarded(0, 24, True), Won(1, None, 0))
    assert (given.rivers[0], given.over) == ((24,), True)


@pytest.mark.parametrize(
    "wrong",
    [Discarded(0, 24, True), Discarded(1, 32, True), Discarded(0, 24), PungClaimed(1, 3, 0), KongAdded(1, 3),
     KongConcealed(0, 32), FlowerSetAside(0, 35), Won(1, 24, 0)],
)  # fmt: skip
def test_a_tile_that_is_not_there_is_not_taken(wrong: Event) -> None:
    with pytest.raises(ValueError, match=r"."):
        apply(folded(Drawn(0, 32)), wrong)


def test_a_declaration_holds_until_the_hand_changes() -> None:
    def declared(*events: Event) -> tuple[str, ...]:
        return folded(ReadyDeclared(1), Drawn(0, 3), Discarded(0, 3, True, True), *events).declared

    assert folded(Drawn(0, 3), Discarded(0, 5, False, True)).declared == ("first", "", "", "")
    assert declared() == ("first", "deal", "", "")
    assert declared(Drawn(1, 8), Discarded(1, 8, True)) == ("first", "deal", "", "")
    assert declared(Drawn(1, 8), Discarded(1, 9)) == ("first", "", "", "")
    assert declared(PungClaimed(1, 3, 0)) == ("first", "", "", "")
    assert declared(Drawn(1, 3), Discarded(1, 3, True), Drawn(0, 8), KongConcealed(0, 0)) == ("", "deal", "", "")
    late = folded(
        Drawn(0, 3), Discarded(0, 3, True), PungClaimed(1, 3, 0), Discarded(1, 9), ReadyDeclared(1), ReadyDeclared(2)
    )
    assert more(late, Drawn(1, 3), KongAdded(1, 3)).declared == ("", "", "deal", "")


def test_a_seat_is_barred_and_freed_and_a_shown_hand_moves_nothing() -> None:
    p = folded(Barred(2), Barred(3), HandShown(0, (1, 2)))
    assert p.barred == (False, False, True, True)
    assert more(p, BarLifted(2)).barred == (False, False, False, True)
    assert p.hands[0] == sorted(hand_of(DEALT[0]))


def test_all_tiles_outside_the_wall_are_counted() -> None:
    p = folded(
        FlowerSetAside(0, 34), Drawn(0, 3), Discarded(0, 3, True), PungClaimed(1, 3, 0), Discarded(1, 9), Drawn(2, 41)
    )
    expected = Counter(hand_of(*DEALT))
    expected.update((3, 41))
    assert p.tiles() == [expected[kind] for kind in range(42)]


def test_positions_are_equal_only_if_everything_is() -> None:
    p = folded(Drawn(0, 24), plan=WallPlan(144, own=True))
    assert p == p.copy()
    assert p != "a position"
    for name in Position.__slots__:
        other = p.copy()
        setattr(other, name, "something else")
        assert p != other, name
    other, before = p.copy(), repr([getattr(p, name) for name in Position.__slots__])
    for tiles in (*other.hands, *other.counts, *other.fours, *other.pungs):
        tiles.append(1)
    assert other.piles is not None
    for values in (other.keys, other.open_counts, other.piles):
        values[0] += 1
    other.rivers[0] += (1,)
    assert repr([getattr(p, name) for name in Position.__slots__]) == before
