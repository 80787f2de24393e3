"""Who pays at a physical table: chows from 上家, givers that are named, and a question where it matters who gave."""

from __future__ import annotations

import random

import pytest

import quepu
from quepu.errors import Error
from quepu.scorekeeper.ledger import Unanswered, fold, with_record
from quepu.scorekeeper.records import HandRecord, NoFeeder, TableSpec
from tests.scorekeeper.pay import lingque

NAMES = ["甲", "乙", "丙", "丁"]
SPEC = TableSpec(rules="lingque-29", names=NAMES)
FOUR_PUNGS = "3s(111m)(222m)(EEE)(888p)+3s"
FOUR_CHOWS = "5m(123m)(234m)(345m)(567m)+5m"
PLACES = {3: "left", 2: "across", 1: "right"}


def written(record: HandRecord, spec: TableSpec = SPEC) -> list[int]:
    """What each player gains, with the record written down as new."""
    return list(with_record(spec, [], 0, record).rows[0].gains)


def win(hand: str, winner: int = 0, discarder: int | None = 1, **more: object) -> HandRecord:
    tiles = {"hand": hand, "givers": more.pop("givers", [])}
    data = {"winner": winner, "discarder": discarder, "self_draw": discarder is None, "tiles": tiles}
    return HandRecord.model_validate(data | more)


def test_named_counts_are_used_beside_tiles_and_a_discard() -> None:
    points = quepu.score(FOUR_PUNGS, "lingque-29").total
    assert written(win(FOUR_PUNGS, supplied=[0, 5, 0, 0])) == lingque(points, 0, 1, [0, 5, 0, 0]) == [168, -168, 0, 0]
    assert written(win(FOUR_PUNGS, supplied=[0, 4, 0, 1])) == lingque(points, 0, 1, [0, 4, 0, 1])
    assert written(win(FOUR_PUNGS, supplied=[0, 3, 0, 0])) == lingque(points, 0, 1, [0, 3, 1, 1])  # nobody else has 4


def test_four_chows_can_only_come_from_the_player_before() -> None:
    record = win(FOUR_CHOWS, discarder=None)
    points = quepu.score(FOUR_CHOWS, "lingque-29", self_draw=True).total
    assert written(record) == lingque(points, 0, None, [0, 0, 0, 4]) == [1080, -180, -180, -720]
    with pytest.raises(Error, match=r"乙 4 张.*丁 4 张"):
        written(record.model_copy(update={"supplied": [0, 4, 0, 0]}))
    with pytest.raises(Error, match="只能来自上家 丁"):
        written(win(FOUR_CHOWS, discarder=None, givers=["right", None, None, None]))


def test_a_question_is_put_only_where_the_answer_matters() -> None:
    with pytest.raises(Unanswered, match=r"\(111m\) \(222m\) \(EEE\) \(888p\) 是谁打的") as lacking:
        written(win(FOUR_PUNGS))
    question = lacking.value.question
    assert question is not None
    assert (question.about, question.melds) == ("givers", (0, 1, 2, 3))
    two = "345s67s22p(1111m)(EEEE)+8s"
    points = quepu.score(two, "lingque-29").total
    assert written(win(two)) == lingque(points, 0, 1, [0, 1, 0, 0])  # three tiles at the most: nothing to ask
    guobiao = TableSpec(rules="guobiao", names=NAMES)
    assert sum(written(win(FOUR_PUNGS), guobiao)) == 0  # this book pays alike whoever gave


def test_givers_of_each_meld_equal_the_independent_payment() -> None:
    rng = random.Random(7)
    melds = ["(1111m)", "(2222m)", "(CCCC)", "(8888p)", "(345s)"]
    wins = decided = 0
    for _ in range(120):
        open_melds = rng.sample(melds, 4)
        hand = f"9s{''.join(open_melds)}+9s"
        winner = rng.randrange(4)
        discarder = rng.choice([None, *(seat for seat in range(4) if seat != winner)])
        givers = [rng.choice([1, 2, 3, None]) if "345" not in meld else None for meld in open_melds]
        counts = [0] * 4
        for meld, giver in zip(open_melds, givers, strict=True):
            if "345" in meld:
                counts[(winner - 1) % 4] += 1
            elif giver is not None:
                counts[(winner + giver) % 4] += 1
        if discarder is not None:
            counts[discarder] += 1
        unknown = sum(giver is None and "345" not in meld for meld, giver in zip(open_melds, givers, strict=True))
        record = win(hand, winner, discarder, givers=[giver and PLACES[giver] for giver in givers])
        points = quepu.score(hand, "lingque-29", seat="ESWN"[winner], self_draw=discarder is None).total
        most = max(counts[seat] for seat in range(4) if seat != winner) + unknown
        if unknown and most >= 4:
            with pytest.raises(Unanswered):
                written(record)
            wins += 1
        else:
            assert written(record) == lingque(points, winner, discarder, counts)
            decided += 1
    assert wins > 20
    assert decided > 20


def test_the_books_own_example_is_stored_with_a_remark() -> None:
    ledger = with_record(SPEC, [], 0, HandRecord(winner=3, points=30, self_draw=True, supplied=[0, 5, 0, 0]))
    assert ledger.rows[0].gains == (0, -135, 0, 135)
    assert "照全包算" in ledger.rows[0].remarks[0].zh


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (HandRecord(winner=3, points=30, self_draw=True, supplied=[0, 3, 2, 0]), "乙 3 张，丙 2 张。自摸至多"),
        (HandRecord(winner=0, points=30, discarder=1, supplied=[0, 0, 5, 0]), r"乙 1 张，丙 5 张.*乙 打的"),
        (HandRecord(winner=0, points=30, discarder=1, supplied=[1, 1, 0, 0]), "甲 是和家"),
        (HandRecord(winner=0, points=999_998, discarder=1), "大得不可能"),
    ],
)
def test_what_cannot_be_names_people(record: HandRecord, sentence: str) -> None:
    with pytest.raises(Error, match=sentence):
        written(record)


def test_what_was_written_down_under_looser_rules_stays_readable() -> None:
    impossible = win(FOUR_CHOWS, discarder=None, supplied=[0, 4, 0, 0])
    row = fold(SPEC, [impossible, HandRecord()]).rows[0]
    assert sum(row.gains) == 0
    assert "供牌不可能" in row.problems[0].text.zh


def test_a_fed_kong_is_a_question_where_its_feeder_pays() -> None:
    spec = TableSpec(rules="canton", names=NAMES)
    book = quepu.book("canton")
    name = next(one for one in book.circumstances if "三连杠" in one or "三杠子" in one)
    record = win("E(1111m)(2222m)[3333m](999p)+E", winner=3, discarder=None)
    assert record.tiles is not None
    record = record.model_copy(update={"tiles": record.tiles.model_copy(update={"circumstances": [name]})})
    with pytest.raises(Unanswered, match="谁放的杠"):
        written(record, spec)
    alone = written(record.model_copy(update={"kong_feeder": NoFeeder.OWN_TILE}), spec)
    fed = written(record.model_copy(update={"kong_feeder": 0}), spec)
    assert alone[3] == fed[3] == -fed[0]
    assert fed[1] == fed[2] == 0 > alone[1]
    points = HandRecord(winner=3, points=30, self_draw=True, kong_feeder=1)
    assert written(points, spec) == [0, -91, 0, 91]
