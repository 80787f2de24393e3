"""A book's judgement of a position: ready hands, wins and their givers, liability, and wins by outer discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.notation import parse
from quepu.hands.planes import ORPHANS, PAIRS
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, ReadyHand, SeatWin, WinFacts, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.table.actions import Action
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReplacementDrawn,
)
from quepu.table.judge import Judge, hand_of, outer_discards, win_ending, with_liability
from quepu.table.luck import BY_ADDED_KONG, BY_CONCEALED_KONG, BY_DISCARD, BY_DRAW, BY_FLOWER, Chance
from quepu.table.position import Position
from tests.table.positions import after, deal, through
from tests.table.walls import kinds

YUQUE = book("yuque")


# ---- ready hands

READY = "123m456p789pWWW5m"
CLAIMS: list[Event] = [
    *deal(READY, "55m66m46p789s99sEC", "222p333p456s77sFC", "147m258p369sESWN"),
    *through(0, 4), PungClaimed(1, 4, 0), Discarded(1, 31), *through(2, 5), PungClaimed(1, 5, 2), Discarded(1, 27),
]  # fmt: skip


Asked = dict[int, tuple[Hand, list[int]]]


def asked(position: Position, winners: Sequence[int] = (), given: int | None = None) -> Asked:
    """Return which seats a book that pays ready hands is asked about, with the hand and the copies its holder sees."""
    calls: list[tuple[Hand, list[int]]] = []
    score = score_hand(parse("123456789m123p9s+9s"), YUQUE)

    def value(hand: Hand, _: Rulebook, seen: Sequence[int]) -> ReadyHand:
        calls.append((hand, list(seen)))
        return ReadyHand(hand.concealed[0], score, True)

    judge = Judge(YUQUE, replace(play_rules(YUQUE), ready_value=value))
    found = judge.ready_hands(position, winners, given)
    seats = [seat for seat in range(4) if found[seat] is not None]
    assert judge.ready_values(position, winners, given) == tuple(
        score.points if seat in seats else None for seat in range(4)
    )
    return dict(zip(seats, calls, strict=False))


def test_every_hand_of_thirteen_that_did_not_win_is_asked_what_being_ready_is_worth() -> None:
    position = after(CLAIMS)
    assert [len(hand) for hand in position.hands] == [13, 7, 13, 13]
    assert list(asked(position)) == [0, 1, 2, 3]
    assert list(asked(position, winners=(0, 2))) == [1, 3]
    assert list(asked(after([*CLAIMS, Barred(3), Barred(1), BarLifted(1)]))) == [0, 1, 2]
    fourteen = after([*CLAIMS[:4], *through(0, 4), PungClaimed(1, 4, 0)])  # South holds eleven beside the pung
    assert list(asked(fourteen)) == [0, 2, 3]


def test_a_seat_sees_its_own_hand_and_what_lies_open_and_the_winning_tile() -> None:
    position = after(CLAIMS)
    open_tiles = Counter([*[4] * 3, *[5] * 3, 31, 27])
    for given in (None, 8):
        for seat, (hand, seen) in asked(position, given=given).items():
            expected = open_tiles + Counter(position.hands[seat]) + Counter([] if given is None else [given])
            assert seen == [expected[kind] for kind in range(34)]
            assert hand == Hand(
                tuple(position.hands[seat]), position.hand_melds[seat], None, 27 + seat, 27, luck=0, flowers=()
            )


def test_a_book_that_does_not_pay_ready_hands_is_not_asked() -> None:
    judge = Judge(book("lingque"), play_rules(book("lingque")))
    assert judge.ready_hands(after(CLAIMS)) == judge.ready_values(after(CLAIMS)) == (None,) * 4


def test_a_hand_to_be_scored_has_seat_and_round_and_flowers() -> None:
    position = after([*deal("147m258p369sES春菊"), FlowerSetAside(0, 41), FlowerSetAside(0, 34)], round=2)
    hand = hand_of(position, 0, 8, Luck.SELF_DRAW)
    assert (hand.winning, hand.seat, hand.round, hand.luck) == (8, 27, 29, Luck.SELF_DRAW)
    assert hand.flowers == (7, 0)
    assert hand_of(position, 3, None, 0).seat == 30


# ---- wins


def test_a_concealed_kong_is_robbed_only_by_the_form_that_the_book_names() -> None:
    rules = play_rules(book("guobiao"))
    orphans = after(deal("1111m258p258s47m5s", "9m19p19sESWNCFPP"))
    for forms, wins in ((0, False), (ORPHANS, True), (PAIRS, False), (PAIRS | ORPHANS, True)):
        judge = Judge(book("guobiao"), replace(rules, table=replace(rules.table, concealed_kong_robbed_by=forms)))
        assert (judge.win(orphans, (), 1, 0, BY_CONCEALED_KONG, False) is not None) is wins
        assert judge.win(orphans, (), 1, 0, BY_ADDED_KONG, False) is not None
        assert judge.win(orphans, (), 1, 9, BY_ADDED_KONG, False) is None


def won(seat: int, points: int = 0) -> tuple[int, Action]:
    score = score_hand(parse("123456789m123p9s+9s"), YUQUE)
    return seat, Action("win", 26, score=score)


MELDED: list[Event] = [
    *deal(READY, "55m66m46p789s99sEC", "22233p456s777sFC", "147m258p369sESWN"),
    *through(0, 4), PungClaimed(1, 4, 0), Discarded(1, 31), *through(2, 5), PungClaimed(1, 5, 2), Discarded(1, 27),
    *through(2, 24), *through(3, 12), ChowClaimed(0, 12, 3, 12), Discarded(0, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("chance", "giver", "robbed", "supplied"),
    [
        (BY_DISCARD, 3, False, (1, 0, 1, 1)),
        (BY_DISCARD, 0, False, (2, 0, 1, 0)),
        (BY_ADDED_KONG, 2, True, (1, 0, 2, 0)),
        (BY_CONCEALED_KONG, 2, True, (1, 0, 2, 0)),
        (BY_FLOWER, 2, True, (1, 0, 2, 0)),
        (BY_DRAW, None, False, (1, 0, 1, 0)),
    ],
)
def test_an_ending_says_who_gave_the_tile_and_who_supplied_how_much(
    chance: Chance, giver: int | None, robbed: bool, supplied: tuple[int, ...]
) -> None:
    source = 1 if giver is None else giver
    ending = win_ending([won(1), won(2)], MELDED, after(MELDED), (chance, source))
    score = won(1)[1].score
    assert score is not None
    assert (ending.discarder, ending.robbed, ending.self_draw) == (giver, robbed, giver is None)
    assert ending.winners[0] == SeatWin(1, score.total, supplied, score.hand.luck, score)  # type: ignore[arg-type]
    assert ending.seats == (1, 2)
    assert ending.winners[1].supplied == tuple(int(seat == giver) for seat in range(4))


KONG: list[Event] = [*through(0, 4), KongClaimed(1, 4, 0), ReplacementDrawn(1, 9)]


@pytest.mark.parametrize(
    ("events", "feeder"),
    [
        (KONG, 0),
        ([*KONG, KongConcealed(1, 0), ReplacementDrawn(1, 8)], 0),
        ([*KONG, Discarded(1, 9), Drawn(2, 4)], None),
        ([*KONG, FlowerSetAside(1, 34), ReplacementDrawn(1, 8)], None),
        ([KongConcealed(1, 0), ReplacementDrawn(1, 8)], None),
        ([KongAdded(1, 0), ReplacementDrawn(1, 8)], None),
    ],
)
def test_who_fed_the_kong_that_wins(events: list[Event], feeder: int | None) -> None:
    position = after([])
    assert win_ending([won(1)], events, position, (BY_DRAW, 1)).kong_feeder == feeder
    assert win_ending([won(1)], events, position, (BY_DISCARD, 2)).kong_feeder is None


def test_what_a_book_is_told_to_decide_who_pays() -> None:
    """The winner's melds and their givers; of a discard also how many tiles were left and had been seen."""
    events = [*MELDED, *through(1, 1), *through(2, 1)]
    position = after(events)
    told: list[WinFacts] = []

    def find(facts: WinFacts) -> int | None:
        told.append(facts)
        return 3

    melds = ((Meld(MeldKind.PUNG, 4), 0), (Meld(MeldKind.PUNG, 5), 2))
    ending = win_ending([won(1)], events, position, (BY_DISCARD, 2))
    liable = with_liability(ending, position, find, BY_DISCARD)
    # East and South threw a 2m before, and 144 - 52 - 7 drawn tiles are left
    assert told.pop() == WinFacts(1, melds, 2, position.left, 2, ending.winners[0].score.hand)
    assert position.left == 144 - 52 - sum(isinstance(event, Drawn) for event in events)
    assert [win.liable for win in liable.winners] == [3]
    assert liable == ending._replace(winners=(ending.winners[0]._replace(liable=3),))
    for chance in (BY_DRAW, BY_ADDED_KONG, BY_FLOWER):
        drawn = with_liability(win_ending([won(1)], events, position, (chance, 2)), position, find, chance)
        hand = ending.winners[0].score.hand
        assert told.pop() == WinFacts(1, melds, None if chance is BY_DRAW else 2, None, 0, hand)
        assert drawn.winners[0].liable == 3


def test_a_winner_of_the_same_tile_pays_for_no_other() -> None:
    position = after(MELDED)
    ending = win_ending([won(1), won(3)], MELDED, position, (BY_DISCARD, 0))
    for liable, expected in ((3, [None, None]), (1, [None, None]), (2, [2, 2]), (None, [None, None])):
        made: Ending = with_liability(ending, position, lambda _, seat=liable: seat, BY_DISCARD)  # type: ignore[misc]
        assert [win.liable for win in made.winners] == expected


# ---- outer discards


@pytest.mark.parametrize(
    ("thrown", "more", "holds"),
    [
        ("1m9m1p9p1s9sEP", [], True),
        ("E", [], True),
        ("", [], False),
        ("1m2m", [], False),
        ("8s", [], False),
        ("EN", [PungClaimed(2, 30, 1)], False),  # the last discard was claimed
        ("9s", [KongConcealed(1, 0)], True),
        ("9s", [*through(0, 4), PungClaimed(1, 4, 0)], False),
        ("9s", [Discarded(0, 1), Discarded(3, 29)], True),
    ],
)
def test_a_hand_of_outer_discards_is_concealed_and_lost_none_of_them(
    thrown: str, more: list[Event], holds: bool
) -> None:
    events = deal("147m258p369sESWN2m", "1111m55m19m19p19sEEPNN2m8s", "147m258p369sNNWN", "147m258p369sESWN")
    events += [Discarded(1, kind) for kind in kinds(thrown)]
    events += more
    assert outer_discards(after(events), events, 1) is holds
