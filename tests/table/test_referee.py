"""Hands told as people would tell them, with hidden tiles unknown: the same ending comes out. And what is wrong."""

from __future__ import annotations

import random

import pytest

from quepu.hands.hand import Luck
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, make_wall
from quepu.table.events import ChowClaimed, Discarded, KongAdded, KongClaimed, KongConcealed, Won
from quepu.table.facts import Fact, FactError, read_fact
from quepu.table.referee import Reconstruction, let_pass, reconstruct
from quepu.tiles import PLAIN
from tests.books import PLAYED
from tests.table.players import choose
from tests.table.walls import go, kinds, stacked, throw_away

KINDS_TRIED = (Won, KongClaimed, KongConcealed, KongAdded, ChowClaimed)


def played(rulebook: Rulebook, number: int, flowers: bool) -> Table:
    """A hand by players who mostly mean to win."""
    rng = random.Random(number)
    table = Table(rulebook, make_wall("told", number, PLAIN.with_flowers(flowers)), round=number % 4)
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, choose(table, seat) if rng.random() < 0.97 else rng.choice(table.options(seat)))
    return table


def as_seen(table: Table, number: int) -> list[Fact]:
    """What people saw of it: no tile dealt or drawn; of every other hand not even who drew, and where a discard
    came from."""
    declares = any(Fact.of(event).ready or event.tag == "ready" for event in table.events)
    facts = []
    for event in table.events:
        fact = Fact.of(event)
        if event.tag in ("dice", "deal"):
            continue
        if event.tag in ("draw", "replace"):
            if number % 2 and not any(table.board.flowers):
                continue
            fact = fact._replace(tile=None)
        if event.tag == "discard" and number % 2 and not declares:
            fact = fact._replace(drawn=None)
        facts.append(fact)
    return facts


def same(table: Table, rebuilt: Reconstruction) -> None:
    assert rebuilt.problems == ()
    assert table.ending is not None
    assert rebuilt.ending is not None
    assert rebuilt.ending[1:] == table.ending[1:]
    for mine, win in zip(rebuilt.ending.winners, table.ending.winners, strict=True):
        assert mine[:4] == win[:4]
        assert mine.score is not None
        assert win.score is not None
        assert mine.score.to_json() == win.score.to_json()
    assert rebuilt.table.board.rivers == table.board.rivers
    assert rebuilt.table.board.melds == table.board.melds
    assert rebuilt.table.board.flowers == table.board.flowers
    assert rebuilt.table.board.left == table.board.left


def check(name: str, number: int) -> None:
    flowers = play_rules(book(name)).table.flowers != (number % 5 == 4)
    table = played(book(name), number, flowers)
    facts = [read_fact(fact.write()) for fact in as_seen(table, number)]
    same(table, reconstruct(book(name), facts, round=number % 4, flowers=flowers))


@pytest.mark.parametrize("name", PLAYED)
def test_a_hand_of_facts_with_hidden_tiles_ends_as_it_ended(name: str) -> None:
    for number in (0, 3, 4):  # with and without draws, discards as drawn, flowers
        check(name, number)


def test_a_flower_that_is_the_last_tile() -> None:
    check("lingque-29", 109)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", PLAYED)
def test_many_hands_of_facts(name: str) -> None:
    for number in range(300):
        check(name, number)


@pytest.mark.parametrize("name", PLAYED)
def test_a_hand_of_open_facts(name: str) -> None:
    flowers = play_rules(book(name)).table.flowers
    table = played(book(name), 3, flowers)
    facts = [Fact.of(event) for event in table.events if event.tag != "dice"]
    made = reconstruct(book(name), facts, round=3)
    same(table, made)
    assert made.table.events[1:] == table.events[1:]


@pytest.mark.parametrize("name", PLAYED)
def test_no_fact_breaks_it(name: str) -> None:
    """Facts left out, doubled, swapped and changed: problems have places, and what remains is a hand."""
    rng = random.Random(name)
    table = played(book(name), 1, play_rules(book(name)).table.flowers)
    whole = as_seen(table, 0)
    for _ in range(20):
        facts = whole[: rng.randrange(5, 60)]
        for _ in range(3):
            at = rng.randrange(len(facts))
            change = rng.randrange(5)
            if change == 0:
                del facts[at]
            elif change == 1:
                facts.insert(at, facts[at])
            elif change == 2:
                facts[at] = facts[at]._replace(tile=rng.choice((None, *range(42))))
            elif change == 3:
                facts[at] = facts[at]._replace(seat=rng.randrange(4))
            else:
                facts.insert(at, Fact(rng.choice(KINDS_TRIED), rng.randrange(4), 5, 4))
        made = reconstruct(book(name), facts)
        assert all(0 <= problem.at < len(facts) and problem.text.zh and problem.text.en for problem in made.problems)
        assert made.table.tiles().count(4) == 34


# ---- what is derived, what is refused


LINGQUE, YUQUE, GUOBIAO, CANTON = (book(name) for name in ("lingque-29", "yuque-54", "guobiao", "canton"))


def lines(*facts: str) -> list[Fact]:
    return [read_fact(line) for line in facts]


def build(rulebook: Rulebook, *facts: str) -> Reconstruction:
    return reconstruct(rulebook, lines(*facts))


def wrong(rebuilt: Reconstruction) -> list[tuple[int, str]]:
    return [(problem.at, problem.text.zh) for problem in rebuilt.problems]


def test_a_claim_and_a_kong_are_followed() -> None:
    made = build(LINGQUE, "E discard 5m", "S chow 5m 4m", "南 打 東", "西 碰 E", "W discard 9p", "E 杠", "E discard 2s")
    assert wrong(made) == []
    assert made.ending is None
    assert [len(melds) for melds in made.table.board.melds] == [1, 1, 1, 0]
    let_pass(made.table)
    assert made.table.turn == 1
    assert made.table.board.left == 136 - 52 - 3  # drawn by East, for the kong, and by South at last


def test_a_win_is_scored_with_its_circumstances() -> None:
    made = build(LINGQUE, "E discard 5m", "S 和 123s789s46m99pEEE")
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.winners[0].luck & Luck.EARTHLY
    assert (made.ending.winners[0].seat, made.ending.discarder, made.ending.self_draw) == (1, 0, False)
    made = build(LINGQUE, "E concealed 9m", "E 自摸 123s789s46mEE+5m")
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.winners[0].luck & Luck.KONG_DRAW
    assert made.ending.self_draw


def test_a_robbed_kong_and_the_fourth_tile() -> None:
    made = build(LINGQUE, "E discard 5m", "W pung", "W discard E", "N discard 9p", "E discard 9p", "S discard 9p",
                "W 加杠 5m", "S 和 123s789s46m22pCCC")  # fmt: skip
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.robbed
    assert made.ending.discarder == 2


def test_problems_are_values_with_places_and_the_rest_goes_on() -> None:
    made = build(
        LINGQUE,
        "E discard 5m",
        "W chow 5m 4m",  # only the next in turn
        "N discard 1s",  # not his turn
        "S discard 5m", "W discard 5m", "N discard 5m",
        "E discard 5m",  # a fifth
        "E discard E", "S pung 9s",  # not the tile on the table
        "流局",
    )  # fmt: skip
    assert [at for at, _ in wrong(made)] == [1, 2, 6, 8, 9]
    words = [text for _, text in wrong(made)]
    assert "轮到的是南家" in words[1]
    assert "五万已经超过" in words[2]
    assert "牌墙还有" in words[4]
    assert made.table.board.rivers == ((4, 27), (4,), (4,), (4,))


def test_a_win_that_is_none_says_why() -> None:
    cheap = ["E discard 5m", "S discard 9p", "W discard 1s", "N 吃 123s", "N discard E", "E discard 3m"]
    assert "不够起和" in wrong(build(LINGQUE, *cheap, "N 和 12m456p678s99m"))[0][1]
    made = build(LINGQUE, "E discard 5m", "N 和 13m456p234s789s99m")
    assert wrong(made)[0][0] == 1
    made = build(LINGQUE, "E discard 5m", "N 和")
    assert wrong(made)[0][1] == "和牌要亮出手牌。"
    made = build(LINGQUE, "S 和 46m11p123s789sEEE")
    assert wrong(made)[0][0] == 0
    made = build(LINGQUE, "E discard 5m", "N 和 13m456p")
    assert "亮出 5 张，应是 13 张" in wrong(made)[0][1]


def test_a_fault_bars_and_can_be_taken_back() -> None:
    made = build(
        YUQUE,
        "E discard 5m",
        "S 停",
        "S discard 9p",
        "W discard E",
        "N discard 5m",
        "E discard 1s",
        "S 自摸 46m11p123s789sEEE+5m",
    )
    assert "停和陪打" in wrong(made)[0][1]
    made = build(YUQUE, "E discard 5m", "S 停", "S 免", "S 自摸 46m11p123s789sEEE+5m")
    assert wrong(made) == []


def test_hands_that_are_not_shown_give_up_their_points() -> None:
    before = ["E discard 9m", "S discard 9p", "W discard 1s", "N discard 9m", "E discard 5m", "S 和 46m11p123s789sEEE"]
    made = build(YUQUE, *before)
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.ready == (None, None, None, None)
    made = build(YUQUE, *before, "W 亮 23m11p456s789sNNN", "N 亮 147m258p369sESWN")
    assert made.ending is not None
    assert made.ending.ready[2] is not None
    assert made.ending.ready[3] is None


def test_a_discard_that_nobody_saw() -> None:
    made = build(LINGQUE, "E 打 ?", "S discard 9p", "W discard 5m", "N 和 46m123p234s789s99m")
    assert [doubt.at for doubt in made.doubts] == [0] or wrong(made)
    made = build(LINGQUE, "E 打 ?", "W pung 5m")
    assert wrong(made) == []
    assert made.table.board.melds[2][0].claimed == 4


def test_flowers_dealt_and_drawn() -> None:
    made = build(GUOBIAO, "E flower 春", "W flower 梅", "W flower 兰", "E discard 5m", "S flower 菊", "S discard 9p",
                "W draw 夏", "W discard 夏")  # fmt: skip
    assert wrong(made) == []
    board = made.table.board
    assert [len(own) for own in board.flowers] == [1, 1, 2, 0]
    assert board.rivers[2] == (35,)
    assert "春已经超过" in wrong(build(GUOBIAO, "E flower 春", "E discard 5m", "S flower 春"))[0][1]


@pytest.mark.parametrize("name", ["lingque-29", "yuque-54"])
@pytest.mark.parametrize("line", ["E discard 春", "E draw 春"])
def test_a_flower_of_a_set_without_flowers(name: str, line: str) -> None:
    assert wrong(build(book(name), line))[0][1] == "这副牌里没有春。"


def test_declared_hands_of_the_cantonese_book() -> None:
    hands = ["147m258p369sCSWN", "123789m123s46pEE", "147p258s369mCSWN", "147s258m369pCSWN"]
    table = go(Table(CANTON, stacked(hands, "9mF9mP5p", flowers=True)), "S ready")
    throw_away(table, 3)
    facts = [Fact.of(event) for event in table.events if event.tag not in ("dice", "deal", "draw")]
    made = reconstruct(CANTON, facts)
    assert wrong(made) == []
    assert made.table.board.declared[1] == "deal"
    made = reconstruct(CANTON, [*facts, read_fact("N discard 5p"), read_fact("S 和 123789m123s46pEE")])
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.winners[0].luck & Luck.READY_AT_DEAL


def test_a_line_is_read_in_both_languages_and_written_in_one() -> None:
    for line, again in (
        ("东 打 五万 摸切", "E discard 5m drawn"),
        ("e discard 5m hand", "E discard 5m hand"),
        ("南 吃 234m", "S chow 234m"),
        ("北 暗杠", "N concealed ?"),
        ("西 自摸 123m+C", "W win 123m+C drawn"),
        ("西 和 123m", "W win 123m"),
        ("流局", "exhausted"),
        ("東 补花 春", "E flower 春"),
    ):
        assert read_fact(line).write() == again
        assert read_fact(again) == read_fact(line)
        assert read_fact(line).text().zh
    for line in ("", "foo", "X discard 5m", "E fly 5m", "E discard 5m 6m", "E chow 135m", "E added"):
        with pytest.raises(FactError):
            read_fact(line)


def test_an_event_becomes_a_fact() -> None:
    assert Fact.of(Won(1, 4, giver=0)).drawn is False
    assert Fact.of(Won(1, 4)).drawn is True
    assert Fact.of(Discarded(1, 4, as_drawn=True)).write() == "S discard 5m drawn"


# ---- each refusal in words

WON = ("E discard 5m", "S 和 46m11p123s789sEEE")
READY_AND_WON = ("S 听", "W 听", "E discard 9m", "S discard 1p drawn", "W discard 1s drawn", "N discard 5p",
                 "S 和 123789m123s46pEE")  # fmt: skip


REFUSED: list[tuple[Rulebook, tuple[str, ...], int, str, str | None]] = [
    (LINGQUE, (*WON, "W discard 1p"), 2, "西家打一筒：这一局已经结束了。", "West discards 1p: this hand is over."),
    (LINGQUE, (*WON, "流局"), 2, "流局：这一局已经结束了。", None),
    (LINGQUE, (*WON, "N 碰 5m"), 2, "北家碰五万：这一局已经结束了。", None),
    # 136 tiles less the deal and East's first
    (LINGQUE, ("流局",), 0, "牌墙还有 83 张，不是流局。", "83 tiles left: not drawn yet."),
    (LINGQUE, ("N discard 1s",), 0, "北家打一索：轮到的是东家。", "North discards 1s: it is E's turn."),
    (LINGQUE, ("E discard 1s", "E discard 2s"), 1, "东家打二索：轮到的是南家。",
     "East discards 2s: it is S's turn."),
    (LINGQUE, ("E discard 5m", "W chow 5m 4m"), 1, "西家吃五万（四万五万六万）：按这本规则现在不能。", None),
    (LINGQUE, ("E discard 5m", "S pung 6m"), 1, "南家碰六万：按这本规则现在不能。",
     "South pungs 6m: not allowed now by this rulebook."),
    (YUQUE, ("S 停", "E discard 5m", "S 碰"), 2, "南家碰：这家停和陪打。",
     "South pungs: this seat has a dead hand."),
    (YUQUE, ("E 停", "E 暗杠 5m"), 1, "东家暗杠五万：这家停和陪打。", None),
    (YUQUE, ("S 停", *WON), 2, "南家和 46m11p123789sEEE：这家停和陪打。", None),
    (YUQUE, ("E discard 5m", "S 碰 5m", "S 自摸 46m11p123s789s+5m"), 2, "南家刚吃碰，没有摸牌，不是自摸。",
     "S has claimed a tile and drawn none: no self-draw."),
    (LINGQUE, ("E discard 5m", "S 和"), 1, "和牌要亮出手牌。", "a win must be shown."),
    (LINGQUE, ("E discard 5m", "S discard 9p", "W discard 1s", "N 吃 123s", "N discard E", "E discard 3m",
               "N 和 12m456p678s99m"), 6, "这手牌 2 点，不够起和的 10；或者这张牌不能和。",
     "this hand is worth 2 (10 are needed), or this tile cannot be won."),
    (YUQUE, (*WON, "W 亮 23m11p456s789sNNN", "W 亮 23m11p456s789sNNC"), 3, "前面亮的不是这些牌。",
     "other tiles were shown before."),
    (YUQUE, (*WON, "N 亮 1m"), 2, "亮出 1 张，应是 13 张（不连和的那一张和副露）。",
     "shown: 1 tile; expected: 13 (without melds and the winning tile)."),
    (YUQUE, ("E discard 1p", "S discard 9m", "W discard 9m", "N discard 1m", *WON, "W 亮 5m11p456s5m789sNNN"), 6,
     "一筒已经超过一副牌里的张数。", "there are not so many 1p in a set."),
    # West declared himself ready, and shows a hand that is not
    (CANTON, (*READY_AND_WON, "W 亮 1478m258p369sCFP"), 7, "与前面录入的矛盾。",
     "this contradicts what was entered before."),
    (CANTON, ("S 听", "E discard 9m", "S discard 2p drawn", "W discard 1s", "N discard 5p",
              "S 和 1478m258p369sCFP"), 5, "南家食糊 1478m258p369sCFP：与前面录入的矛盾。", None),
    (LINGQUE, ("E flower 春", "E flower 春"), 1, "春已经超过一副牌里的张数。", None),
    (LINGQUE, ("E discard 5m", "S flower 夏", "S discard 1m", "S flower 夏"), 3,
     "夏已经超过一副牌里的张数。", None),
]  # fmt: skip


def test_a_fact_that_does_not_fit_is_told_with_its_place() -> None:
    for rulebook, facts, at, zh, en in REFUSED:
        made = build(rulebook, *facts)
        assert wrong(made) == [(at, zh)], facts
        assert en is None or made.problems[0].text.en == en
        before = build(rulebook, *facts[:at], *facts[at + 1 :])  # and changes nothing
        assert before.problems == (), facts
        assert (made.ending, made.table.board.rivers) == (before.ending, before.table.board.rivers)


def test_flowers_may_be_left_out_or_follow_from_the_facts() -> None:
    facts = lines("E flower 春", "E discard 5m")
    assert reconstruct(LINGQUE, facts).table.board.plan.size == 144
    assert reconstruct(LINGQUE, facts[1:]).table.board.plan.size == 136
    assert reconstruct(GUOBIAO, facts[1:]).table.board.plan.size == 144
    made = reconstruct(LINGQUE, facts, flowers=False)
    assert wrong(made) == [(0, "这副牌里没有春。")]
    assert made.table.board.rivers[0] == (4,)
    assert reconstruct(LINGQUE, [], round=2).table.board.round == 2
    assert reconstruct(LINGQUE, []).table.board.round == 0
    own = reconstruct(LINGQUE, facts[1:], own_walls=True)
    assert own.table.wall.own and own.table.board.piles == (20, 21, 21, 21)


def test_a_discard_not_seen_is_any_tile_of_the_hand_and_doubted_only_after_a_win() -> None:
    made = build(LINGQUE, "E 打 ?", "S 打 ?")
    assert (wrong(made), made.doubts, made.ending) == ([], (), None)
    assert [len(river) for river in made.table.board.rivers] == [1, 1, 0, 0]
    for seat in (0, 1):  # the lowest tile stands for it
        assert made.table.board.rivers[seat][0] <= made.table.hands[seat][0]
    made = build(YUQUE, "E 打 ?", "S 打 ?", "W discard 5m", "N discard 9p", "E discard 5m", "S 和 46m11p123s789sEEE")
    assert wrong(made) == []
    assert [doubt.at for doubt in made.doubts] == [0, 1]
    assert "nobody saw" in made.doubts[0].text.en
    made = build(YUQUE, "E 打 ?", "S discard 9m", "N pung 9m", "N 打 ?", "E 打 ?", "S chow 5m 4m")
    assert wrong(made) == []
    assert made.table.board.melds[1][0].claimed == 4
    assert made.table.board.rivers[0] != (4,)


def test_hands_shown_at_the_end_are_valued_and_others_are_not() -> None:
    made = build(YUQUE, *WON, "N 亮 23m11p456s789sNNN", "W 亮 147m258p369sNSWC")
    assert wrong(made) == []
    assert made.ending is not None
    assert made.ending.ready[3] is not None
    assert made.ending.ready[:3] == (None, None, None)
    assert made.table.hands[3] == tuple(kinds("23m11p")) + tuple(kinds("456s789s")) + (30,) * 3
