"""An evening of Hong Kong rules at a physical table: two winners on one discard, 包, and what is refused."""

from __future__ import annotations

import json

import pytest

from quepu.cli.record_lines import record as read_line
from quepu.errors import Error
from quepu.match.match import Match
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.scorekeeper.examples import write_examples
from quepu.scorekeeper.ledger import Ledger, as_settled, fold, with_record
from quepu.scorekeeper.records import HandRecord, Record, TableSpec

HOUSE = """base = "canton"
[options]
payment = "half_spicy"
discard = "half"
minimum = 3
cap = 10
winners = 2
bao_twelve = "any"
bao_dragons = true
"""
SPEC = TableSpec(rules="canton", house=HOUSE, names=["甲", "乙", "丙", "丁"])
ALONE = TableSpec(rules="canton", names=["甲", "乙", "丙", "丁"])


def keep(*lines: str, spec: TableSpec = SPEC) -> tuple[Ledger, list[Record]]:
    """Enter these lines one after another."""
    records: list[Record] = []
    ledger = fold(spec, records)
    for line in lines:
        one = read_line(ledger.match, line.split())
        ledger = with_record(spec, records, len(records), one)
        records = list(as_settled([*records, one], ledger))
    return ledger, records


def test_two_winners_are_entered_in_any_order_and_paid_in_turn_order() -> None:
    ledger, records = keep("和 甲,丙 乙 4,3")
    row = ledger.rows[0]
    # 丙 is nearer after 乙; 甲 deals: his hand has the dealer's fan in it, and nobody else pays the dealer's fan
    assert [(flow.payer, flow.payee, flow.points) for flow in row.payments] == [
        (1, 2, 16), (3, 2, 8), (1, 0, 32), (3, 0, 16),
    ]  # fmt: skip
    assert row.gains == (48, -48, 24, -24)
    assert row.text.zh == "丙 食糊 3 番、甲 食糊 4 番，乙 出冲"
    assert ledger.match.place.repeat == 1  # the dealer is among them
    assert keep("和 丙、甲 乙 3、4")[0].rows[0].payments == row.payments
    assert json.loads(records[0].model_dump_json())["also"][0]["winner"] == 2


def test_a_record_of_one_winner_is_written_as_before() -> None:
    _, records = keep("和 甲 乙 4")
    data = json.loads(records[0].model_dump_json())
    assert "also" not in data
    assert "liable" not in data
    assert "also" not in data["came_to"]


def test_tiles_of_two_winners_are_scored() -> None:
    one, other = "123p456p789p23pEE+1p", "(123s)456s789sSS23p+1p"
    ledger, _ = keep(f"和 丙,丁 乙 {one},{other}")
    wins = ledger.match.hands[0].ending.winners
    assert [win.score is not None and win.score.total == win.points for win in wins] == [True, True]
    assert [win.seat for win in wins] == [2, 3]
    assert ledger.rows[0].how is not None
    assert ledger.rows[0].how.zh.startswith("丙：")


def test_the_stored_result_stands_and_reads_back() -> None:
    ledger, records = keep("和 甲,丙 乙 4,3", "和 丁 丙 5")
    again = fold(SPEC, [HandRecord.model_validate_json(one.model_dump_json()) for one in records])
    assert again.match.totals == ledger.match.totals
    changed = SPEC.model_copy(
        update={"house": HOUSE.replace("half_spicy", "full_spicy").replace("cap = 10", "cap = 8")}
    )
    assert fold(changed, records).match.totals == ledger.match.totals
    assert [win[:2] for win in fold(changed, records).match.hands[0].ending.winners] == [(2, 3), (0, 4)]


def test_who_is_liable_pays() -> None:
    ledger, _ = keep("自摸 丙 5 包 乙")
    assert ledger.rows[0].gains == (0, -160, 160, 0)  # 甲 deals and owes 6 fan: 32, the others 24, twice each
    assert "包" in ledger.rows[0].payments[0].why.zh
    two, _ = keep("和 甲,丙 乙 4,3 包 丙=乙")
    assert two.rows[0].gains == (48, -56, 24, -16)
    tiles, _ = keep("自摸 丙 2p(CCC)(FFF)(PPP)(123m)+2p 供 乙 丁 甲")
    # 甲 gave the third dragon set, and 乙 (before 丙) the chow, the fourth set
    assert {flow.payer for flow in tiles.rows[0].payments} == {1}


def test_a_winner_of_the_same_tile_is_not_found_liable() -> None:
    # 甲 gave the third dragon set, and wins the same tile: as at our own table, 包 falls away
    dragons = {"hand": "2p(CCC)(FFF)(PPP)345m+2p", "givers": ["left", "right", "across"]}
    also = HandRecord.model_validate(
        {"winner": 0, "points": 4, "discarder": 3, "also": [{"winner": 2, "tiles": dragons}]}
    )
    wins = with_record(SPEC, [], 0, also).match.hands[0].ending.winners
    assert [(win.seat, win.liable) for win in wins] == [(0, None), (2, None)]
    alone = HandRecord.model_validate({"winner": 2, "discarder": 3, "tiles": dragons})
    assert with_record(SPEC, [], 0, alone).match.hands[0].ending.winners[0].liable == 0


def test_givers_that_would_decide_who_is_liable_are_missed() -> None:
    unknown, *others = (
        keep(f"自摸 丙 {line}")[0].rows[0]
        for line in (
            "2p(CCC)(FFF)(PPP)345m+2p",
            "2p(CCC)(FFF)(PPP)345m+2p 包 乙",
            "2p(CCC)(FFF)(PPP)345m+2p 供 乙 丁 甲",
            "2p(CCC)(FFF)345m678m+2p",  # no rule of 包 holds, whoever gave them
        )
    )
    assert [remark.zh for remark in unknown.remarks] == ["没有记碰杠的牌是谁打的，没有算包；有人包就请记上。"]
    assert [row.remarks for row in others] == [(), (), ()]
    assert {flow.payer for flow in unknown.payments} == {0, 1, 3}
    assert {flow.payer for flow in others[0].payments} == {1}
    with pytest.raises(Error, match="按牌没有人包"):
        keep("自摸 丙 2p(CCC)(FFF)345m678m+2p 包 乙")


def test_further_winners_without_a_first_are_refused() -> None:
    record = HandRecord.model_validate({"winner": None, "discarder": 1, "also": [{"winner": 0, "points": 4}]})
    with pytest.raises(Error, match="没有写第一个和牌的人"):
        with_record(SPEC, [], 0, record)


@pytest.mark.parametrize(
    ("line", "spec", "says"),
    [
        ("和 甲,丙 乙 4,3", ALONE, "同一张牌只有一家能和，不是 2 家"),
        ("和 甲,丙,丁 乙 4,3,5", SPEC, "同一张牌至多两家和，不是 3 家"),
        ("和 甲,丙 乙 4", SPEC, "2 家和，写了 1 个点数或手牌"),
        ("和 甲,甲 乙 4,4", SPEC, "甲写了两次"),
        ("和 甲,乙 乙 4,4", SPEC, "放铳的应是另外三家之一"),
        ("自摸 甲,丙 4,4", SPEC, "自摸只有一家和牌"),
        ("自摸 丙 5 包 丙", SPEC, "包的应是没有和的一家"),
        ("自摸 丙 5 包 乙", ALONE, "按这本规则没有包"),
        ("和 甲,丙 乙 4,3 包 丙=甲", SPEC, "包的应是没有和的一家"),
        ("和 甲,丙 乙 4,3 包 乙", SPEC, "两家和时写 包 和家=包的人"),
        ("自摸 丙 2p(CCC)(FFF)(PPP)345m+2p 供 乙 丁 甲 包 乙", SPEC, "按牌是甲包，不是乙"),
        ("自摸 丙 2p(CCC)(FFF)345m678m+2p 供 乙 丁 包 乙", SPEC, "按牌没有人包"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(line: str, spec: TableSpec, says: str) -> None:
    with pytest.raises(Error, match=says) as refused:
        keep(line, spec=spec)
    assert refused.value.text.en
    assert "\n" not in refused.value.text.zh
    assert fold(spec, []).match == Match(fold(spec, []).match.book, ("甲", "乙", "丙", "丁"))


def test_the_house_file_is_one_that_reads() -> None:
    assert read(HOUSE).minimum == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("和 甲,乙,丙 丁 3,3,3", "同一张牌至多两家和，不是 3 家。"),
        ("自摸 甲,乙 3,3", "自摸只有一家和牌。"),
        ("和 甲,丙 乙 4", "2 家和，写了 1 个点数或手牌：每家一个"),
        ("和 甲,甲 乙 4,4", "甲写了两次。"),
        ("和 甲,乙 乙 4,4", "放铳的应是另外三家之一。"),
        ("和 丙 丁 8 包 丙", "包的应是没有和的一家。"),
        ("自摸 乙 5 包", "“包”后面还要写内容"),
        ("自摸 乙 5 包 花2", "“包”后面写谁包，没有“花2”这位玩家，玩家有：甲、乙、丙、丁。"),
        ("自摸 乙 5 包 戊", "没有“戊”这位玩家"),
        ("和 甲,丙 乙 4,3 包 甲=戊", "没有“戊”这位玩家"),
        ("和 甲,丙 乙 4,3 包 丁", "两家和时写 包 和家=包的人"),
        ("和 甲,丙 乙 4,3 包 乙=丁", "乙没有和牌"),
    ],
)
def test_bad_input_gets_one_clear_sentence(line: str, said: str) -> None:
    with pytest.raises(Error, match=said) as refused:
        keep(line)
    assert refused.value.text.zh.count("。") == 1


def test_a_guarantor_who_need_not_pay_is_told() -> None:
    row = keep("和 丙 丁 8 包 甲")[0].rows[0]
    assert row.gains == keep("和 丙 丁 8")[0].rows[0].gains  # the discarder pays
    assert [one.zh for one in row.remarks] == ["由别家出冲，照出冲付，甲不另付。"]
    assert not keep("和 丙 丁 8 包 丁")[0].rows[0].remarks
    assert not keep("自摸 丙 8 包 甲")[0].rows[0].remarks


def test_the_help_of_a_table_with_liability_says_how_it_is_entered() -> None:
    assert {"several", "liable", "givers"} <= set(write_examples(read(HOUSE)).parts)
    assert not {"several", "liable", "givers"} & set(write_examples(book("canton")).parts)
