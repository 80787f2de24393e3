"""The terms of a table in words: those of the rulebooks, and of made-up rules for each way a term can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.match.edition import edition_of
from quepu.match.settle import check_ending
from quepu.match.terms import feeder_luck, find_needed_facts, terms
from quepu.rulebooks import book
from quepu.rules.faults import Fault
from quepu.rules.play_rules import POOL, Ending, MatchRules, Payment, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook
from quepu.tiles import FLOWERED
from tests.books import SMALL

LINGQUE, YUQUE, GUOBIAO, CANTON, LEAGUE, EUROPE = (
    book(name) for name in ("lingque-29", "yuque-54", "guobiao", "canton", "guobiao-mil-2025", "guobiao-ema")
)
UNKNOWN = edition_of({"rules": "gone"}).book


def value(rules: Rulebook, key: str) -> Text | None:
    return next((term.value for term in terms(rules) if term.key == key), None)


@pytest.mark.parametrize(
    ("rules", "key", "zh", "en"),
    [
        (LINGQUE, "rounds", "4 圈", "4 rounds"),
        (LINGQUE, "dealer", "庄家和牌连庄", "after a win of the dealer"),
        (CANTON, "dealer", "庄家和牌或流局连庄", "after a win of the dealer, or a hand without a winner"),
        (GUOBIAO, "dealer", "不连庄", "never"),
        (CANTON, "moves", "不换", "never"),
        (GUOBIAO, "moves",
         "第 1 圈后 东→南 南→东 西→北 北→西；第 2 圈后 东→西 南→北 西→南 北→东；第 3 圈后 东→南 南→东 西→北 北→西",
         "after round 1: E→S S→E W→N N→W; after round 2: E→W S→N W→S N→E; after round 3: E→S S→E W→N N→W"),
        (YUQUE, "another", "按名次计时按规则加赛", "in ranked matches, as the rulebook says"),
        (book("lingque-26"), "reduced", "α = 1，T₀ = 480", "α = 1, T₀ = 480"),
        (LINGQUE, "discard", "放铳者付和家 48，其余各家付和家 24",
         "the discarder pays the winner 48, each other pays the winner 24"),
        (LINGQUE, "drawn", "各家付和家 36", "each other pays the winner 36"),
        (LINGQUE.having(minimum=30, id="dear"), "drawn", "各家付和家 45", "each other pays the winner 45"),
        (YUQUE, "discard", "公池付和家 324，放铳者付公池 162",
         "the pool pays the winner 324, the discarder pays the pool 162"),
        (YUQUE, "drawn", "公池付和家 324，各家付公池 54", "the pool pays the winner 324, each other pays the pool 54"),
        (CANTON, "discard", "出冲者付和家 24", "the discarder pays the winner 24"),
        (CANTON, "drawn", "庄家付和家 25，其余各家付和家 24",
         "the dealer pays the winner 25, each other pays the winner 24"),
        (UNKNOWN, "drawn", "没有收付", "no payments"),
        (LINGQUE, "supplied", "有", "yes"), (GUOBIAO, "supplied", "无", "no"),
        (YUQUE, "ready", "有", "yes"), (GUOBIAO, "ready", "无", "no"),
        (LINGQUE, "faults", "错和 15、停和（赔各家）", "false win: 15 and dead hand (to each other player)"),
        (GUOBIAO, "faults",
         "错和、和错牌 10、停和（赔各家）；诈和 20、停和（赔各家）；相公、错吃碰杠 停和；"
         "空吃碰杠、提前摸牌 警告，再犯 5、10、20（不归任何人）；迟到 10（不归任何人）",
         "false win, win on a wrong tile: 10 and dead hand (to each other player); win of an unready hand: 20 and dead "
         "hand (to each other player); wrong number of tiles, wrong claim: dead hand; empty claim, draw out of turn: a "
         "warning, then 5, 10, 20 (paid to nobody); late: 10 (paid to nobody)"),
        (UNKNOWN, "faults", "规则没有", "none in the rulebook"),
        (LINGQUE, "flowers", "不用，可另加", "none, unless the table adds them"),
        (YUQUE, "flowers", "不用", "none"),
        (GUOBIAO, "flowers", "八张，也可打出", "eight, can be discarded"),
        (CANTON, "flowers", "八张，摸到须补", "eight, replaced at once"),
        (LINGQUE.having(settings={"table": (("flowers", True),)}, id="flowered"), "flowers",
         "八张，每张 2 点，摸到须补", "eight, 2 points each, replaced at once"),
        (YUQUE, "dead_wall", "留 14 张", "14 tiles"), (GUOBIAO, "dead_wall", "不留", "none"),
        (LINGQUE, "kong", "可以", "yes"), (GUOBIAO, "kong", "不可以", "no"),
        (LINGQUE, "last", "可吃、碰、杠、和", "can be claimed for a chow, pung, kong, win"),
        (GUOBIAO, "last", "可和", "can be claimed for a win"),
        (CANTON, "robbed", "有的和牌可以", "by some wins"), (GUOBIAO, "robbed", "不可以", "no"),
        (CANTON, "earthly", "闲家首次摸牌自摸", "another player's win on the first own draw"),
        (LINGQUE, "earthly", "闲家和庄家的首张舍牌", "another player's win on the dealer's first discard"),
        (CANTON, "declares", "有", "yes"), (GUOBIAO, "declares", "无", "no"),
    ],
)  # fmt: skip
def test_a_term_reads_as_the_rulebook_has_it(rules: Rulebook, key: str, zh: str, en: str) -> None:
    assert value(rules, key) == Text(zh, en)


@pytest.mark.parametrize(
    ("rules", "missing"),
    [(GUOBIAO, {"another", "start", "reduced", "earthly"}), (CANTON, {"another", "start", "reduced"}),
     (book("lingque-26"), {"another", "start"}), (YUQUE, {"start", "reduced"})],
    ids=["guobiao", "canton", "lingque-26", "yuque"],
)  # fmt: skip
def test_a_term_that_a_book_does_not_have_is_left_out(rules: Rulebook, missing: set[str]) -> None:
    assert {"another", "start", "reduced", "earthly"} - {term.key for term in terms(rules)} == missing


def test_a_book_without_a_table_has_no_terms() -> None:
    assert not SMALL.play and terms(SMALL) == ()


def test_the_labels_name_what_a_hand_is_worth() -> None:
    def labels(rules: Rulebook) -> list[str]:
        return [part for term in terms(rules) if term.key in ("discard", "drawn") for part in term.label]

    assert labels(GUOBIAO) == ["点和 24 番", "24 points on a discard", "自摸 24 番", "24 points self-drawn"]
    assert labels(YUQUE) == [
        "点和 18 番 324 点", "18 fan, 324 points on a discard", "自摸 18 番 324 点", "18 fan, 324 points self-drawn",
    ]  # fmt: skip
    assert labels(LINGQUE.having(minimum=30, id="dear"))[0] == "点和 30 点"


# ---- made-up rules

WHY = Text("因", "why")
Settle = Callable[[Ending, Rulebook], tuple[Payment, ...]]
MADE: dict[str, PlayRules] = {}


def rules(made: Rulebook) -> PlayRules:
    """Return the table rules of a made-up book, as its family's module would."""
    return MADE[made.id]


def made_up(name: str, settle: Settle, table: TableRules | None = None, **more: object) -> Rulebook:
    """Return a small book with its own table rules, whose settlement is only asked about hands that can end so."""

    def checked(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
        check_ending(ending)
        return settle(ending, book)

    MADE[name] = PlayRules(
        table=table or TableRules(), match=MatchRules(start=500), settle=checked, **more  # type: ignore[arg-type]
    )  # fmt: skip
    return replace(SMALL, id=name, play=__name__, settings={"name": name})


def pay(ending: Ending, points: int, payer: int) -> tuple[Payment, ...]:
    assert ending.first is not None
    return (Payment(payer, ending.first.seat, points, WHY),)


def give_up(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    return ()


def test_terms_of_made_up_rules() -> None:
    table = TableRules(last_discard=frozenset({"win", "kong", "pung"}), tiles=FLOWERED, dead_wall=2)
    found = made_up("made", give_up, table)
    assert value(found, "start") == Text("500", "500")
    assert value(found, "last") == Text("可碰、杠、和", "can be claimed for a pung, kong, win")
    assert value(found, "flowers") == Text("八张，每张 1 番，摸到须补", "eight, 1 fan each, replaced at once")
    assert value(found, "dead_wall") == Text("留 2 张", "2 tiles")
    nothing = made_up("nothing", give_up, TableRules(last_discard=frozenset()))
    assert value(nothing, "last") == Text("不能要", "cannot be claimed")


@pytest.mark.parametrize(
    ("fault", "zh", "en"),
    [
        (Fault("错和", WHY, 0), "错和", "false win"),
        (Fault("错和", WHY, 0, barred=True), "错和 停和", "false win: dead hand"),
        (Fault("错和", WHY, 0, open=True), "错和 由裁判定", "false win: up to the referee"),
        (Fault("错和", WHY, 0, open=True, barred=True), "错和 由裁判定、停和",
         "false win: up to the referee and dead hand"),
        (Fault("错和", WHY, 0, again=(5,), to="one"), "错和 警告，再犯 5（赔受害的一家）",
         "false win: a warning, then 5 (to the player it harmed)"),
        (Fault("错和", WHY, 0, again=(5,), barred=True), "错和 警告，再犯 5、停和（交公池）",
         "false win: a warning, then 5 and dead hand (to the pool)"),
        (Fault("错和", WHY, 1), "错和 1（交公池）", "false win: 1 (to the pool)"),
    ],
)  # fmt: skip
def test_the_words_for_a_fault(fault: Fault, zh: str, en: str) -> None:
    name = f"fault {zh}"
    assert value(made_up(name, give_up, faults=(fault,)), "faults") == Text(zh, en)


def test_payments_between_the_same_two_are_added_and_the_largest_comes_first() -> None:
    def settle(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
        first = ending.first
        assert first is not None
        others = [seat for seat in range(4) if seat != first.seat]
        base = tuple(Payment(seat, first.seat, 1 + (seat == 0), WHY) for seat in others)
        more = Payment(others[-1] if ending.discarder is None else ending.discarder, first.seat, 5, WHY)
        return (*base, more, Payment(first.seat, POOL, 3, WHY))

    made = made_up("sums", settle)
    assert value(made, "discard") == Text(
        "放铳者付和家 6，和家付公池 3，庄家付和家 2，其余各家付和家 1",
        "the discarder pays the winner 6, the winner pays the pool 3, the dealer pays the winner 2, "
        "each other pays the winner 1",
    )
    assert value(made, "drawn") == Text(
        "其余各家付和家 6，和家付公池 3，庄家付和家 2，其余各家付和家 1",
        "each other pays the winner 6, the winner pays the pool 3, the dealer pays the winner 2, "
        "each other pays the winner 1",
    )


# ---- facts that a settlement needs


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("lingque-29", {"supplied"}), ("yuque-54", {"ready", "announced"}), ("guobiao", set()),
        ("canton", {"kong_feeder"}),
    ],
)  # fmt: skip
def test_the_facts_that_a_book_asks_for(name: str, needed: set[str]) -> None:
    found = find_needed_facts(book(name))
    facts = {"supplied", "liable", "kong_feeder", "ready", "robbed", "announced"}
    assert {key for key in facts if found[key]} == needed
    assert found["zero_sum"] is (name != "yuque-54") and found["winners"] == 1
    assert (found["minimum"], found["flower_value"]) == (book(name).minimum, book(name).flower_value)
    assert find_needed_facts(LINGQUE.having(minimum=30, id="dear"))["minimum"] == 30


def by_discard_of_five(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    assert ending.first is not None
    return pay(ending, 5 if not ending.self_draw and max(ending.first.supplied) == 5 else 1, 1)


def by_four_when_drawn(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    assert ending.first is not None
    return pay(ending, 5 if ending.self_draw and max(ending.first.supplied) == 4 else 1, 1)


def by_robbing(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    return pay(ending, 2 if ending.robbed else 1, 1)


def in_words_alone(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    why = Text("抢杠", "robbed") if ending.robbed else WHY
    return tuple(payment._replace(why=why) for payment in pay(ending, 1, 1))


def by_another_payer(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    return pay(ending, 1, 2 if ending.robbed else 3)


def by_the_order(ending: Ending, _: Rulebook) -> tuple[Payment, ...]:
    paid = (*pay(ending, 1, 2), *pay(ending, 1, 3))
    return paid[::-1] if ending.robbed else paid


@pytest.mark.parametrize(
    ("settle", "supplied", "robbed"),
    [(by_discard_of_five, True, False), (by_four_when_drawn, True, False), (by_robbing, False, True),
     (in_words_alone, False, False), (by_another_payer, False, True), (by_the_order, False, False)],
)  # fmt: skip
def test_a_fact_is_needed_if_payments_depend_on_it(settle: Settle, supplied: bool, robbed: bool) -> None:
    found = find_needed_facts(made_up(settle.__name__, settle))
    assert (found["supplied"], found["robbed"]) == (supplied, robbed)
    assert not any(found[key] for key in ("liable", "kong_feeder", "ready", "announced")) and found["zero_sum"]


def test_the_kong_feeder_is_asked_for_at_three_kongs_in_canton() -> None:
    """明杠出冲包自摸 is about three kongs in a row, and no other book has it."""
    assert feeder_luck(CANTON) == Luck.THREE_KONGS | Luck.SELF_DRAW | Luck.KONG_DRAW
    assert feeder_luck(GUOBIAO) == feeder_luck(LINGQUE) == feeder_luck(YUQUE) == 0


def test_the_rules_of_a_league_and_of_europe_name_faults_without_a_price() -> None:
    league, europe = value(LEAGUE, "faults"), value(EUROPE, "faults")
    assert league is not None and europe is not None
    assert "；和牌不规范；" in league.zh and "; win not announced properly; " in league.en
    assert "；死手报和、拖延 由裁判定；" in europe.zh and europe.zh.endswith("；缺席")
