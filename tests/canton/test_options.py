"""Every house option: what changes against the book's own reading, in fan, and that the default can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.errors import NotAWin, OverlayError, UnknownName
from quepu.rulebooks import book
from quepu.rulebooks.canton.payment_tables import units
from quepu.rules.diff import difference as difference_of
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.canton.hands import fans, score

CANTON = book("canton")


def house(**options: Any) -> Rulebook:
    return CANTON.having(id="house", options=options)


def difference(rules: Rulebook, hand: str, circumstances: str = "", **given: Any) -> int:
    """Fan under the house rule less fan under the book's own reading."""
    return score(hand, circumstances, rules, **given).points - score(hand, circumstances, **given).points


VALUES = {
    "四归一": (1, 3), "混一色": (5, 3), "一条龙": (3, 7), "三暗刻": (5, 7), "组合龙": (5, 7), "三色双龙会": (10, 7),
    "全带": (15, 7), "一色三步高": (15, 7), "小三元": (5, 20), "清老头": (40, 20), "字一色": (40, 20),
    "三色同刻": (5, 3, 7), "七对子": (7, 10), "混老头": (15, 10), "十三魔王": (20, 10), "大三元": (10, 40),
    "人糊": (30, 40), "清一色": (10, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_footnote_values(name: str) -> None:
    option = next(option for option in CANTON.options if option.key == name)
    assert option.choices == VALUES[name]
    assert CANTON.fan(name).value == option.choices[0]
    for value in option.choices[1:]:
        assert house(**{name: value}).fan(name).value == value
    with pytest.raises(OverlayError):
        house(**{name: 99})


def test_footnote_13_fives_only() -> None:
    rules = house(all_fives=True)
    assert "全带" not in fans("234p444p456s444m4s+4s", rules=rules)
    assert "全带" in fans("345p555p456s555m5s+5s", rules=rules)


def test_n1_missing_suit() -> None:
    assert difference(house(missing_suit_with_honours=False), "123m666m789pEEE8m+8m") == -1
    assert difference(house(missing_suit_with_honours=False), "123m666m789p222p8m+8m") == 0


def test_n2_chain_of_kongs() -> None:
    rules = house(chain_adds_kongs=False)
    assert difference(rules, "23p678mEE(3333s)[5555p]+1p", "自摸 连杠开花") == -3
    assert difference(rules, "23pEE(3333s)(5555p)(8888m)+1p", "自摸 连杠开花") == -10


def test_n3_kong_wins() -> None:
    rules = house(kong_wins_add_kongs=True)
    assert difference(rules, "23p678sCC444m(8888p)+1p", "自摸 杠上开花") == 1
    assert difference(rules, "23p678mEE333s(5555p)+1p", "自摸 钟鼓齐鸣") == 1
    assert difference(rules, "23pEE(3333s)(5555p)(8888m)+1p", "自摸 三连杠自摸") == 10


def test_n4_clear_pungs() -> None:
    assert difference(house(clear_pungs_add_all_pungs=False), "2p(333s)(555m)(888p)(FFF)+2p") == -5


def test_n5_one_line_and_three_numbers() -> None:
    assert difference(house(one_line_adds_three_numbers=False), "111m111s444s777p4p+4p") == -15


def test_n6_half_melded() -> None:
    hand = "E(123p)(333s)(567s)(678m)+E"
    assert difference(house(half_melded_adds="self_draw"), hand, "自摸") == 1
    assert difference(house(half_melded_adds="both"), hand, "自摸") == 2


def test_n7_ten_concealed_hands() -> None:
    rules = house(concealed_hands_add_self_draw=True)
    assert difference(rules, "19m19p19sESWNCFP+P", "自摸") == 1
    assert difference(rules, "17p258s69mESWNCF+P", "自摸") == 3
    assert difference(rules, "33p55p22s77s66m88m9m+9m", "自摸") == 1
    assert difference(rules, "19m19p19sESWNCFP+P") == 0


def test_n8_scattered_self_drawn() -> None:
    rules = house(scattered_adds_self_draw=True)
    assert difference(rules, "147p258s3mSWNFP6m+6m", "自摸 第一圈") == 3
    assert difference(rules, "147p258s3mSWNFP6m+6m", "第一圈") == 0


def test_n9_three_fours_self_drawn() -> None:
    assert difference(house(three_fours_add_self_draw=False), "1111p5555s8888m2m+2m", "自摸") == -1


def test_n10_pyramid() -> None:
    assert difference(house(pyramid_self_drawn="自摸"), "19m19p19s258p36s47m+7m", "自摸") == -2


def test_n11_full_in_the_first_go_round() -> None:
    rules = house(full_in_first_go_round="全不靠")
    assert difference(rules, "147p258s369mSWNF+P", "第一圈") == -32
    assert difference(rules, "147p258s3mSWNFP6m+6m", "第一圈") == 0
    assert difference(rules, "147p258s369mSWNF+P") == 0


def test_n12_tiles_of_unrelated_hands() -> None:
    rules = house(tiles_of_unrelated_hands=False)
    assert difference(rules, "147p28s369mESWNC+F") == -16  # 缺五, 一半数字
    assert difference(rules, "147p258s3mSWNFP6m+6m", "第一圈") == -3  # 五门齐


def test_n13_knitted_in_unrelated_hands() -> None:
    assert difference(house(knitted_in_unrelated_hands=False), "147p258s369mSWNF+P") == -5


def test_n14_pair_of_irregular_shapes() -> None:
    rules = house(pair_of_irregular_shapes=True)
    assert difference(rules, "19m19p19s258p36s47m+5p") == 1
    assert difference(rules, "19m19p19s258p36s47m+7m") == 0


def test_n15_fresh_heavenly_hand() -> None:
    rules = house(heavenly_adds_fresh=True)
    assert difference(rules, "123p333s567s678mE+E", "自摸 天糊 生张", seat="E") == 1


def test_n16_three_materials() -> None:
    assert difference(house(three_materials="exposed kong"), "2m555s(234p)(777p)[7777m]+2m") == 1 - 3
    assert difference(house(three_materials="any pung"), "2m555s777p(234p)[7777m]+2m") == 3 - 1


def test_n17_outer_hand_and_terminal_pung() -> None:
    assert difference(house(outer_hand_adds_terminal_pung=False), "111s999s111mWWWF+F") == -1


def test_n18_six_in_line_by_tiles() -> None:
    rules = house(six_in_line="tiles")
    assert difference(rules, "123456m123456pE+E") == -1
    assert difference(rules, "123m444m555m666mE+E") == 1


def test_n19_waits_by_group() -> None:
    rules = house(waits="group")
    assert difference(rules, "12345p333s567s88m+3p") == 1  # 12 and 3
    assert difference(rules, "45667p333s678m99m+5p") == 2
    assert difference(rules, "5666m123p567p789s+5m") == 1


def test_n20_winds_once() -> None:
    assert difference(house(both_winds="once"), "23p567s678m99m(EEE)+1p", seat="E") == -3


def test_n21_pair_of_sanwei() -> None:
    assert difference(house(pair_of_sanwei="wind"), "WWWNNN789s222mP+P") == -3
    assert difference(house(pair_of_sanwei="any"), "WWWNNN789s222m6p+6p") == 3
    assert difference(house(pair_of_sanwei="wind"), "333p444p456s111m5p+5p") == 0


def test_n22_numbers_by_class() -> None:
    rules = house(numbers_by_class=True)
    assert difference(rules, "777p777s777mEEEW+W") == 20 - 15  # 7 and the winds: two numbers, not three
    assert difference(rules, "777p222mNNNWWWE+E") == 15


def test_n23_couples_once() -> None:
    rules = house(couples="once")
    assert difference(rules, "112233m778899mE+E") == -1
    assert difference(rules, "111p111s222p222mE+E") == -3


def test_n24_mirror() -> None:
    assert difference(house(mirror_beside=False), "123p789p123s789sE+E") == -15
    assert difference(house(mirror_beside=False), "345678m345678s3p+3p") == -15


def test_n25_false_nine_gates() -> None:
    rules = house(false_nine_gates="melded")
    closed, open_ = "1112234678999m+5m", "2234678999m(111m)+5m"
    assert {"清一色", "九莲花灯"} & set(fans(closed, rules=rules)) == {"清一色"}
    assert "九莲花灯" in fans(open_, rules=rules)


def test_n26_half_and_kongs() -> None:
    rules = house(half_counts_kongs_as=3)
    assert difference(rules, "123p678p666s(5555s)C+C") == 15
    assert difference(rules, "123p678p555s666sC+C") == 0


def test_n27_mixed_kongs() -> None:
    rules = house(mixed_kongs_robbing=3)
    assert "满分花杠" not in fans("23p678mEE[3333s](5555p)+1p", "抢杠", rules)
    assert "满分花杠" in fans("23pEE[3333s](5555p)(8888m)+1p", "自摸 杠上开花", rules)


def test_n28_five_in_the_gap() -> None:
    assert difference(house(five_in_the_gap_adds_gap=True), "123p333s46s678mEE+5s") == 1


def test_n29_every_kind() -> None:
    rules = house(every_kind_of_a_set=True)
    assert "绿一色" not in fans("333s444s666sF(888s)+F", rules=rules)
    assert "绿一色" in fans("234s234s666s8s(FFF)+8s", rules=rules)
    assert "青洞门" not in fans("222p888pSSSW(FFF)+W", rules=rules)
    assert "黑一色" not in fans("222p888pSSSW(EEE)+W", rules=rules)
    assert "蓝一色" not in fans("EEESSSPPPW(NNN)+W", rules=rules)
    assert "万绿丛中一点红" not in fans("333s444s666sC(888s)+C", rules=rules)


def test_n30_four_chows() -> None:
    rules = house(four_chows_by_text=True)
    assert difference(rules, "123p234p345p345pP+P") == 40 - 10  # 四归四 comes along
    assert "一色四顺" in fans("234p234p234p234pE+E", rules=rules)


def test_n32_fours_are_no_shape() -> None:
    rules = house(fours=False)
    with pytest.raises(NotAWin):
        score("1111p5555s234m67m+8m", rules=rules)
    with pytest.raises(NotAWin):
        score("1111p5555s8888m2m+2m", rules=rules)
    back = rules.having(options={"fours": True})
    assert [row.name for row in back.fans] == [row.name for row in CANTON.fans]
    assert set(back.shapes) == set(CANTON.shapes)


def test_n33_seven_flowers() -> None:
    assert difference(house(seven_flowers_add_self_draw=True), "159m2468p37sEWCF", "自摸 花糊", flowers=7) == 1


def test_n34_chicken_hand() -> None:
    assert "鸡糊" not in fans("123p333s567s678mE+E", rules=house(chicken_listed=False))


def test_four_in_one_each() -> None:
    rules = house(four_in_one_each=False)
    assert difference(rules, "333345m677778p9s+9s") == -1
    assert difference(rules, "234234234m345mE+E") == -10
    assert difference(rules, "345m456666p567sP+P") == 0


def test_minimum() -> None:
    assert not score("123p333s567s678mE+E", rules=house(minimum=3)).can_win
    assert score("123p333s567s678mE+E", "自摸", rules=house(minimum=3)).can_win
    assert not score("23p567s678mEE(333s)+1p", rules=house(minimum=1), flowers=["夏"], seat="S").can_win
    assert score("23p567s678mEE(333s)+1p", rules=house(minimum=0)).can_win


def test_numbers_that_a_table_may_choose_freely() -> None:
    rules = house(minimum=4, cap=7, base=3)
    assert rules.minimum == 4
    assert units(rules, 20) == 21
    for wrong in ({"cap": -1}, {"base": 0}, {"minimum": 1001}, {"cap": "10"}, {"base": True}):
        with pytest.raises(OverlayError, match="整数"):
            house(**wrong)


def test_without_flowers() -> None:
    rules = house(flowers=False)
    assert "无花" not in {row.name for row in rules.fans}
    assert not play_rules(rules).table.flowers
    assert play_rules(CANTON).table.flowers
    assert not play_rules(rules).table.flower_wins
    assert {line.name for line in score("123p333s567s678mE+E", rules=rules).fans} == {"鸡糊", "单吊", "门前清"}


def test_dealer_repeats() -> None:
    assert play_rules(CANTON).match.dealer_repeats == "win or draw"
    assert play_rules(house(dealer_repeats="win")).match.dealer_repeats == "win"


def test_the_default_can_be_taken_back_and_leaves_other_options() -> None:
    for option in CANTON.options:
        default, *others = option.choices
        for choice in others:
            changed = CANTON.having(options={"waits": "group", option.key: choice})
            back = changed.having(options={option.key: default})
            for row in CANTON.fans:
                now = back.fan(row.name)
                assert (now.value, now.most, set(now.drops)) == (row.value, row.most, set(row.drops)), option.key
                if row.name not in {"单吊", "单边", "卡窿", "卡五"} or option.key == "waits":
                    assert now.when is row.when, (option.key, row.name)
                else:
                    assert now.when is not row.when
            assert back.minimum == CANTON.minimum
            assert dict(back.settings) == dict(CANTON.settings)
            assert changed.fingerprint != CANTON.fingerprint


def test_every_option_has_both_languages_and_refuses_other_choices() -> None:
    for option in CANTON.options:
        assert any("一" <= c <= "鿿" for c in option.text.zh)
        assert not any("一" <= c <= "鿿" for c in option.text.en), option.text.en
        with pytest.raises(OverlayError):
            CANTON.having(options={option.key: "no such choice"})
    with pytest.raises(UnknownName):
        CANTON.having(options={"no such option": 1})


def test_every_choice_scores_every_hand() -> None:
    hands = list(wins(CANTON, 10, seed=5))
    for option in CANTON.options:
        for choice in option.choices[1:]:
            rules = CANTON.having(options={option.key: choice})
            for hand in hands:
                found = score_hand(hand, rules)
                assert found.points >= 0
                assert found.explain("zh")


def test_a_difference_of_books_lists_the_options_chosen_otherwise() -> None:
    found = difference_of(CANTON, house(waits="group", minimum=3))
    assert found.options == {"waits": ("sole", "group"), "minimum": (1, 3)}
    assert found.to_json()["options"] == {"waits": ["sole", "group"], "minimum": [1, 3]}
    assert difference_of(CANTON, CANTON).options == {}
