"""What each seat may do, at both sides of every limit: kongs, claims, robbing, flowers, declarations."""

from __future__ import annotations

import pytest

from quepu.hands.planes import ORPHANS
from quepu.table import legal
from quepu.table.actions import FROM_HAND, PASS, READY
from quepu.table.events import (
    Barred,
    ChowClaimed,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
)
from quepu.table.legal import State
from quepu.table.luck import BY_ADDED_KONG, BY_CONCEALED_KONG
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan
from tests.table.positions import JUNK, said, state, through, turned
from tests.table.walls import kinds

EVERY = frozenset({"win", "chow", "pung", "kong"})


# ---- replacements and kongs


def test_a_replacement_needs_a_tile_in_the_live_wall_or_in_a_dead_wall_that_feeds_or_in_the_own_wall() -> None:
    for feeds, back, left, can in (
        (False, 0, 1, True), (False, 14, 1, True), (False, 0, 0, False),
        (True, 13, 0, True), (True, 14, 1, False), (True, 15, 1, False), (True, 0, 0, True),
    ):  # fmt: skip
        position = Position(WallPlan(136, 14, feeds))
        position.back, position.left = back, left
        assert [legal.can_replace(position, seat) for seat in range(4)] == [can] * 4
    position = Position(WallPlan(136, own=True))
    position.piles, position.left = [0, 1, 2, 0], 3
    assert [legal.can_replace(position, seat) for seat in range(4)] == [False, True, True, False]


KONG_HAND = "1111m258p369sESW"


@pytest.mark.parametrize(
    ("left", "without", "offered"), [(0, False, False), (1, False, True), (0, True, True), (5, True, True)]
)
def test_a_kong_needs_a_replacement_unless_the_book_goes_without(left: int, without: bool, offered: bool) -> None:
    made = state([KONG_HAND], Drawn(0, 30), kong_without_replacement=without)
    made.position.left = left
    assert said(legal.turn_options(made)) == ["discard N (as drawn)"] + ["concealed kong 1m"] * offered


@pytest.mark.parametrize(
    ("piles", "offered"),
    [([1, 1, 0, 0], True), ([0, 1, 1, 1], False), ([1, 0, 1, 1], False), ([2, 3, 4, 5], True)],
)
def test_with_own_walls_a_kong_needs_a_tile_in_its_own_and_the_next_seats(piles: list[int], offered: bool) -> None:
    made = state([KONG_HAND], Drawn(0, 30), plan=WallPlan(136, own=True), kong_without_replacement=True)
    made.position.piles = piles
    assert said(legal.turn_options(made)) == ["discard N (as drawn)"] + ["concealed kong 1m"] * offered


@pytest.mark.parametrize("allowed", [False, True])
def test_a_kong_after_a_claim_is_up_to_the_book(allowed: bool) -> None:
    made = state(
        ["2m147p258sESWNCFP", "5555s22m258p11sES"], Drawn(0, 4), Discarded(0, 1), PungClaimed(1, 1, 0),
        kong_after_claim=allowed,
    )  # fmt: skip
    assert said(legal.turn_options(made)) == ["concealed kong 5s"] * allowed


def test_a_pung_grows_by_the_tile_drawn_or_held_and_never_without_it() -> None:
    begun = [Drawn(0, 4), Discarded(0, 1), PungClaimed(1, 1, 0), Discarded(1, 27)]
    begun += [*through(2, 0), *through(3, 0), *through(0, 0)]
    hands = ["2m147p258sESWNCFP", "22m5s5p2468p11sESW"]
    held = ["2m147p258sESWNCFP", "222m5s5p246p11sESW"]
    for hand, drawn, added in ((hands, 1, True), (hands, 2, False), (held, 2, True)):
        made = state(hand, *begun, Drawn(1, drawn))
        assert ("add to the pung 2m" in said(legal.turn_options(made))) is added
        made.position.barred = (False, True, False, False)
        assert "add to the pung 2m" not in said(legal.turn_options(made))


# ---- claims on a discard

THREE = ["147m258p369sESWN", "46m11p258sESWNCF", "55m369p147s2356p", "555m258p369sESWN"]
"""Seat 1 may chow 5m, seat 2 pung it, seat 3 kong it."""


@pytest.mark.parametrize("seat", range(4))
def test_the_claims_of_the_three_others(seat: int) -> None:
    made = state(turned(THREE, seat))
    claims = legal.discard_claims(made, seat, 4)
    assert claims is not None
    others = [(seat + turn) % 4 for turn in (1, 2, 3)]
    assert list(claims) == others
    assert [said(claims[other]) for other in others] == [
        ["chow 4m5m6m", "pass"], ["pung 5m", "pass"], ["kong 5m", "pung 5m", "pass"],
    ]  # fmt: skip
    # each of them alone
    for turn, hands in ((1, [JUNK, THREE[1]]), (2, [JUNK, JUNK, THREE[2]]), (3, [JUNK, JUNK, JUNK, THREE[3]])):
        alone = legal.discard_claims(state(turned([*hands, *[JUNK] * (4 - len(hands))], seat)), seat, 4)
        assert list(alone or ()) == [(seat + turn) % 4]
    chow_only_next = state(turned([JUNK, JUNK, THREE[1], THREE[1]], seat))
    assert legal.discard_claims(chow_only_next, seat, 4) is None
    assert legal.discard_claims(made, seat, 34) is None


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_that_waits_may_win_before_anything_else(seat: int) -> None:
    for turn in (1, 2, 3):
        hands = [JUNK, JUNK, JUNK, JUNK]
        hands[turn] = "123789m123s46pEE"
        claims = legal.discard_claims(state(turned(hands, seat), name="yuque-54"), seat, 13)
        assert claims is not None
        assert list(claims) == [(seat + turn) % 4]
        options = said(claims[(seat + turn) % 4])
        assert options == ["win 5p"] + ["chow 4p5p6p"] * (turn == 1) + ["pass"]
        barred = state(turned(hands, seat), Barred((seat + turn) % 4), name="yuque-54")
        assert legal.discard_claims(barred, seat, 13) is None


@pytest.mark.parametrize(("name", "claims"), [("guobiao-ema", True), ("guobiao-mil-2025", False)])
def test_a_barred_seat_claims_where_the_book_lets_it_and_never_wins(name: str, claims: bool) -> None:
    """The hand pungs 5p, and wins on it, too."""
    waits = "123456m55p789sNN"
    free = legal.discard_claims(state([JUNK, JUNK, waits, JUNK], Drawn(0, 13), name=name), 0, 13)
    assert free is not None and said(free[2]) == ["pung 5p", "pass"]
    barred = legal.discard_claims(state([JUNK, JUNK, waits, JUNK], Drawn(0, 13), Barred(2), name=name), 0, 13)
    assert (barred and said(barred[2])) == (["pung 5p", "pass"] if claims else None)
    one_suit = "1112345678999p"
    free = legal.discard_claims(state([JUNK, JUNK, one_suit, JUNK], Drawn(0, 9), name=name), 0, 9)
    assert free is not None and said(free[2]) == ["win 1p", "kong 1p", "pung 1p", "pass"]
    barred = legal.discard_claims(state([JUNK, JUNK, one_suit, JUNK], Drawn(0, 9), Barred(2), name=name), 0, 9)
    assert (barred and said(barred[2])) == (["kong 1p", "pung 1p", "pass"] if claims else None)
    kong = state([JUNK, "111m47p258sESWNC"], Drawn(0, 9), Discarded(0, 9, True), Drawn(1, 0), Barred(1), name=name)
    assert ("concealed kong 1m" in said(legal.turn_options(kong))) == claims


def test_one_copy_is_not_enough_for_a_pung_and_two_not_for_a_kong() -> None:
    for hand, options in (("5m", None), ("55m", ["pung 5m", "pass"]), ("555m", ["kong 5m", "pung 5m", "pass"])):
        for other in (1, 2, 3):
            hands = [JUNK] * 4
            hands[other] = hand + "258p369sESWNCFP"[: 15 - len(hand)]
            claims = legal.discard_claims(state(hands), 0, 4)
            assert (None if claims is None else said(claims[other])) == options


@pytest.mark.parametrize(
    ("claims", "last", "left", "options"),
    [
        (EVERY, EVERY, 1, ["kong 5m", "pung 5m", "chow 4m5m6m", "pass"]),
        (EVERY, EVERY, 0, ["pung 5m", "chow 4m5m6m", "pass"]),  # no tile would replace a kong
        (EVERY, frozenset({"win"}), 1, ["kong 5m", "pung 5m", "chow 4m5m6m", "pass"]),
        (EVERY, frozenset({"win"}), 0, None),
        (EVERY, frozenset({"chow"}), 0, ["chow 4m5m6m", "pass"]),
        (frozenset({"pung"}), EVERY, 0, ["pung 5m", "pass"]),
        (frozenset({"pung"}), EVERY, 1, ["pung 5m", "pass"]),
        (frozenset({"kong", "chow"}), EVERY, 1, ["kong 5m", "chow 4m5m6m", "pass"]),
    ],
)
def test_a_discard_from_an_empty_wall_is_claimed_only_as_the_book_says(
    claims: frozenset[str], last: frozenset[str], left: int, options: list[str] | None
) -> None:
    made = state([JUNK, "555m46m258p369sES"], claims=claims, last_discard=last, kong_without_replacement=False)
    made.position.left = left
    found = legal.discard_claims(made, 0, 4)
    assert (None if found is None else said(found[1])) == options


def test_a_kong_without_a_replacement_is_claimed_where_the_book_goes_without() -> None:
    made = state([JUNK, "555m46m258p369sES"], last_discard=EVERY, kong_without_replacement=True)
    made.position.left = 0
    found = legal.discard_claims(made, 0, 4)
    assert found is not None and said(found[1])[0] == "kong 5m"


@pytest.mark.parametrize(("piles", "offered"), [([3, 0, 3, 3], False), ([0, 1, 0, 0], True)])
def test_with_own_walls_a_discard_is_claimed_while_the_next_seat_can_draw(piles: list[int], offered: bool) -> None:
    made = state([JUNK, JUNK, "55m258p369sESWNC"], plan=WallPlan(136, own=True), last_discard=EVERY)
    made.position.piles = piles
    assert (legal.discard_claims(made, 0, 4) is not None) is offered


# ---- robbing, flowers, the deal, the end


@pytest.mark.parametrize("seat", range(4))
def test_a_kong_is_robbed_by_any_other_seat_that_waits_for_it(seat: int) -> None:
    for turn in (1, 2, 3):
        other = (seat + turn) % 4
        hands = [JUNK, JUNK, JUNK, JUNK]
        hands[turn] = "123789m123s46pEE"
        made = state(turned(hands, seat))
        claims = legal.robbing_claims(made, seat, 13, BY_ADDED_KONG)
        assert {who: said(options) for who, options in claims.items()} == {other: ["win 5p", "pass"]}
        assert legal.robbing_claims(made, seat, 12, BY_ADDED_KONG) == {}
        assert legal.robbing_claims(made, seat, 13, BY_CONCEALED_KONG) == {}
        assert legal.robbing_claims(state(turned(hands, seat), Barred(other)), seat, 13, BY_ADDED_KONG) == {}
    both = state(["147m258p369sESWN", "123789m123s46pEE", JUNK, "456m456s77s789s46p"])
    assert list(legal.robbing_claims(both, 0, 13, BY_ADDED_KONG)) == [1, 3]
    orphans = state([JUNK, "9m19p19sESWNCFPP"], concealed_kong_robbed_by=ORPHANS)
    assert list(legal.robbing_claims(orphans, 0, 0, BY_CONCEALED_KONG)) == [1]


def with_flowers(*counts: int, name: str = "canton", **table: object) -> State:
    """Return a state in which each seat has set so many flowers aside."""
    rest = iter("春夏秋冬梅兰竹菊")
    flowers = [[next(rest) for _ in range(count)] for count in counts]
    hands = [JUNK + "".join(names) for names in flowers]
    events = [FlowerSetAside(seat, kind) for seat, names in enumerate(flowers) for kind in kinds("".join(names))]
    return state(hands, *events, name=name, **table)


@pytest.mark.parametrize(
    ("counts", "seat", "robber"),
    [((7, 1, 0, 0), 1, 0), ((1, 7, 0, 0), 0, 1), ((1, 0, 7, 0), 0, 2), ((0, 1, 0, 7), 1, 3), ((6, 1, 0, 0), 1, None),
     ((7, 0, 1, 0), 1, None), ((6, 2, 0, 0), 1, None), ((8, 0, 0, 0), 0, None)],
)  # fmt: skip
def test_the_eighth_flower_is_robbed_by_who_has_the_other_seven(
    counts: tuple[int, ...], seat: int, robber: int | None
) -> None:
    claims = legal.flower_claims(with_flowers(*counts), seat)
    assert list(claims) == ([] if robber is None else [robber])
    assert all(said(options) == ["win", "pass"] for options in claims.values())
    if robber is not None:
        barred = with_flowers(*counts)
        apply(barred.position, Barred(robber))
        assert legal.flower_claims(barred, seat) == {}
        assert legal.flower_claims(with_flowers(*counts, flower_wins=False), seat) == {}


@pytest.mark.parametrize(
    ("counts", "winner"),
    [((0, 7, 0, 0), 1), ((0, 0, 7, 0), 2), ((0, 1, 0, 7), 3), ((0, 8, 0, 0), 1), ((0, 6, 0, 0), None),
     ((7, 0, 0, 0), None)],
)  # fmt: skip
def test_seven_flowers_in_a_dealt_hand_win_for_all_but_the_dealer(counts: tuple[int, ...], winner: int | None) -> None:
    made = with_flowers(*counts)
    assert {seat: said(options) for seat, options in legal.seven_flowers(made).items()} == (
        {} if winner is None else {winner: ["win", "pass"]}
    )
    if winner is not None:
        assert legal.seven_flowers(with_flowers(*counts, flower_wins=False)) == {}
        apply(made.position, Barred(winner))
        assert legal.seven_flowers(made) == {}


def test_the_dealer_wins_with_seven_flowers_on_the_first_draw() -> None:
    for count, wins in ((7, True), (8, True), (6, False)):
        made = with_flowers(count, 0, 0, 0)
        made.events.append(Drawn(0, 0))
        apply(made.position, made.events[-1])
        assert ("win 1m" in said(legal.turn_options(made))) is wins


WAITS = "123789m123s46pEE"


def test_who_may_declare_the_dealt_hand_ready() -> None:
    for ready in ((), (1,), (2,), (3,), (0, 1, 2, 3), (1, 3)):
        hands = [WAITS if seat in ready else JUNK for seat in range(4)]
        made = state(hands, name="canton")
        assert legal.opening_claims(made) == {seat: (READY, PASS) for seat in ready if seat}
        assert legal.opening_claims(state(hands, name="canton", declares_ready=False)) == {}


DECLARING = "123789m123s46pEC"  # ready for 5p with E or C drawn


@pytest.mark.parametrize(
    ("hand", "drawn", "events", "declares"),
    [
        (DECLARING, 27, [], ["discard C, ready"]),
        (DECLARING, 31, [], ["discard E, ready"]),
        (DECLARING, 33, [], []),
        (WAITS, 33, [], ["discard P (as drawn), ready"]),
        (WAITS, 27, [], ["discard E (as drawn), ready", "discard 4p, ready", "discard 6p, ready", "discard E, ready"]),
        (WAITS, 33, [Barred(1)], []),
        (WAITS, 33, [ReadyDeclared(1)], []),
        (WAITS, 33, [Drawn(1, 33), Discarded(1, 33, True)], []),
    ],
)
def test_the_first_discard_may_declare_a_hand_that_it_leaves_ready(
    hand: str, drawn: int, events: list[Event], declares: list[str]
) -> None:
    made = state([JUNK, hand], *events, Drawn(1, drawn), name="canton")
    assert [one for one in said(legal.turn_options(made)) if "ready" in one] == declares
    plain = state([JUNK, hand], *events, Drawn(1, drawn), name="canton", declares_ready=False)
    assert not any("ready" in one for one in said(legal.turn_options(plain)))


def test_a_melded_hand_or_one_whose_first_discard_was_claimed_is_not_declared() -> None:
    claimed = [Drawn(1, 33), Discarded(1, 33, True), PungClaimed(2, 33, 1)]
    made = state([JUNK, WAITS, "147m258p369sPPES"], *claimed, Drawn(1, 32), name="canton")
    assert not made.position.rivers[1]
    assert not any("ready" in one for one in said(legal.turn_options(made)))
    kong = state([JUNK, "1111m789m46p333sE"], Drawn(1, 27), KongConcealed(1, 0), name="canton")
    apply(kong.position, Drawn(1, 30))
    assert [one for one in said(legal.turn_options(kong)) if "ready" in one] == ["discard N (as drawn), ready"]
    chow = state(
        [JUNK, "13m789m46p123sEES"], Drawn(0, 1), Discarded(0, 1, True), ChowClaimed(1, 1, 0, 0), name="canton"
    )
    apply(chow.position, Drawn(1, 30))
    assert not any("ready" in one for one in said(legal.turn_options(chow)))


@pytest.mark.parametrize("seat", range(4))
def test_each_seat_may_win_by_outer_discards(seat: int) -> None:
    events: list[Event] = [Drawn(seat, 0), Discarded(seat, 0, True)]
    made = state([JUNK] * 4, *events, name="canton")
    claims = legal.outer_claims(made)
    assert {who: said(options) for who, options in claims.items()} == {seat: ["win", "pass"]}
    assert legal.outer_claims(state([JUNK] * 4, *events, name="canton", outer_discards=False)) == {}
    assert legal.outer_claims(state([JUNK] * 4, *events, Barred(seat), name="canton")) == {}
    every = [event for other in range(4) for event in (Drawn(other, 8), Discarded(other, 8, True))]
    assert list(legal.outer_claims(state([JUNK] * 4, *every, name="canton"))) == [0, 1, 2, 3]


# ---- the own turn


def test_a_turn_lists_the_hand_and_the_tile_drawn_and_a_win_first() -> None:
    made = state([WAITS], Drawn(0, 13))
    options = legal.turn_options(made)
    assert said(options) == ["win 5p", "discard 5p (as drawn)"]
    assert [one.tile for one in options[1:-1]] == sorted(set(kinds(WAITS)))
    made.position.barred = (True, False, False, False)
    assert said(legal.turn_options(made)) == ["discard 5p (as drawn)"]
    assert said(legal.turn_options(state([WAITS], Drawn(0, 14)))) == ["discard 6p (as drawn)"]


@pytest.mark.parametrize(("left", "options"), [(1, ["discard spring (as drawn)", "replace spring"]),
                                               (0, ["discard spring (as drawn)"])])  # fmt: skip
def test_a_flower_is_replaced_while_there_is_a_tile(left: int, options: list[str]) -> None:
    made = state([JUNK], Drawn(0, 34), name="guobiao")
    made.position.left = left
    assert said(legal.turn_options(made)) == options


@pytest.mark.parametrize(
    ("hand", "drawn", "held", "left", "options"),
    [
        ("123789m123s46pE春", 13, True, 1, ["discard 5p (as drawn)", "replace spring"]),
        ("123789m123s46pE春", 13, True, 0, ["discard 5p (as drawn)"]),
        ("123789m123s46p春菊", 35, True, 1,
         ["discard summer (as drawn)", "replace spring", "replace chrysanthemum", "replace summer"]),
        (WAITS, 35, True, 1, ["discard summer (as drawn)", "replace summer"]),
        (WAITS, 35, True, 0, ["discard summer (as drawn)"]),
        (WAITS, 13, True, 1, ["win 5p", "discard 5p (as drawn)"]),
        (WAITS, 35, False, 1, ["discard summer (as drawn)", "replace summer"]),
    ],
)  # fmt: skip
def test_a_held_flower_may_be_discarded_or_replaced_on_any_own_turn(
    hand: str, drawn: int, held: bool, left: int, options: list[str]
) -> None:
    made = state([hand], Drawn(0, drawn), flowers_held=held)
    made.position.left = left
    found = legal.turn_options(made)
    assert said(found) == options
    from_hand = sorted(set(kinds(hand))) if held or drawn < 34 else []
    assert [option.tile for option in found if option in FROM_HAND] == from_hand


def test_a_held_flower_is_not_replaced_after_a_claim() -> None:
    made = state([JUNK, "22m5s5p2468p11sE春菊"], *through(0, 1), PungClaimed(1, 1, 0), flowers_held=True)
    assert said(legal.turn_options(made)) == []


def test_a_hand_waits_for_nothing_while_it_holds_a_flower() -> None:
    made = state([WAITS[:-1] + "春"], flowers_held=True)
    assert made.waits[0] == 0
    for drawn, thrown, waits in ((27, 34, True), (30, 34, False), (34, 27, False), (27, 14, False)):
        made = state([WAITS[:-1] + "春" if drawn != 34 else WAITS], Drawn(0, drawn), flowers_held=True)
        apply(made.position, Discarded(0, thrown))
        made.exchange(0, thrown, drawn)
        assert (made.waits[0] != 0) is waits
        before = made.waits[0], made.kinds[0], made.discards[0]
        made.look(0)
        assert before == (made.waits[0], made.kinds[0], made.discards[0])
