"""One test or more for every ruling of 广东 (`rulings.toml`): what counts, and what is not added."""

from __future__ import annotations

from collections import Counter

import pytest

import quepu
from quepu.errors import NotAWin
from quepu.rulebooks import book
from tests.canton import stated
from tests.canton.hands import dropped, fans, score

CANTON = book("canton")


def test_r1_what_is_excluded_still_excludes_what_it_implies() -> None:
    # 十三骑士 names 七对子 and 无字; 七对子, not added, still takes 门前清, 不求人, 单吊
    assert fans("225588p3366s44m7m+7m", "自摸") == {"十三骑士": 1}
    # 杠上开花 takes 开杠 by name: of two kongs 双杠 stays
    assert fans("23p678mEE(3333s)[5555p]+1p", "自摸 杠上开花") == {"杠上开花": 1, "双杠": 1}
    assert fans("23p678mEE333s(5555p)+1p", "自摸 钟鼓齐鸣") == {"钟鼓齐鸣": 1}
    assert fans("23pEE[3333s](5555p)[8888m]+1p", "自摸 三连杠自摸") == {"三连杠自摸": 1, "满分花杠": 1, "双暗刻": 1}


def test_r2_the_higher_of_two_is_not_swallowed_by_the_lower() -> None:
    counted = score("2p(333s)(555m)(888p)(FFF)+2p")
    values = {line.name: line.value["fan"] for line in counted.fans}
    assert values["清四碰"] == 4
    assert values["对对糊"] == 5
    note = next(c.note for c in counted.book.explain_tally(counted.best.h).counted if c.note is not None)
    assert "对对糊" in note.zh


def test_a1_chicken_hand_counts_only_where_no_other_pattern_of_tiles_does() -> None:
    counted = score("123p333s567s678mE+E", "自摸")
    assert counted.points == 3 + 1  # 不求人 and 单吊 are no patterns of tiles
    assert {line.name for line in counted.fans} == {"鸡糊", "不求人", "单吊", "无花"}
    assert "鸡糊" in dropped("123p333s567s678m8p+8p")
    assert not score("23p567s678mEE(333s)+1p").can_win
    assert score("23p567s678mEE(333s)+1p", "自摸").can_win  # 自摸鸡


@pytest.mark.parametrize(
    ("hand", "circumstances", "counted"),
    [
        ("19m19p19sESWNCFP+P", "自摸", {"十三幺": 1}),
        ("1112345678999m+5m", "自摸", {"九莲宝灯": 1}),
        ("111p333s555m888p9m+9m", "自摸", {"四暗刻": 1}),
        ("147p258s369mSWNF+P", "自摸", {"全不靠": 1, "组合龙": 1}),
        ("17p258s69mESWNCF+P", "自摸", {"十三魔王": 1}),
        ("147p258s3mSWNFP6m+6m", "自摸 第一圈", {"十三不搭": 1}),
        ("2233445566778p+8p", "自摸", {"连七对": 1}),
        ("33p55p22s77s66m88m9m+9m", "自摸", {"七对子": 1}),
        ("22p44s88m55mCCFFP+P", "自摸", {"七对子": 1, "三元七对": 1}),
        ("123p333s567s678mE+E", "自摸 地糊", {"地糊": 1}),
    ],
)
def test_a2_hands_that_are_always_concealed(hand: str, circumstances: str, counted: dict[str, int]) -> None:
    found = fans(hand, circumstances)
    assert not set(found) & {"自摸", "不求人", "门前清"}
    for name, n in counted.items():
        assert found.get(name, 0) >= n


def test_a2_a_stated_buqiuren_leaves_the_self_draw() -> None:
    assert fans("1111p5555s8888m2m+2m", "自摸")["自摸"] == 1
    assert fans("123p333s567s678mE+E", "自摸 海底捞月") == {"鸡糊": 1, "海底捞月": 1, "不求人": 1, "单吊": 1}


def test_a2_heavenly_hand() -> None:
    assert fans("123p333s567s678mE+E", "自摸 天糊", seat="E") == {"天糊": 1, "庄家": 1, "鸡糊": 1, "单吊": 1}


def test_a3_all_melded_hands_wait_on_the_pair() -> None:
    assert fans("E(123p)(333s)(567s)(678m)+E", "自摸") == {"半求人": 1, "鸡糊": 1}
    assert dropped("E(123p)(333s)(567s)(678m)+E", "自摸") == {"自摸", "单吊"}
    assert fans("E(123p)(333s)(567s)(678m)+E") == {"全求人": 1, "鸡糊": 1}


@pytest.mark.parametrize(
    ("hand", "wait"),
    [
        ("1234577p333s678m+3p", None),
        ("12p333s567s678mEE+3p", "单边"),
        ("7789p333s567s67m8m+7p", "单边"),
        ("23445p333s678m99m+3p", None),
        ("2345p333s567s678m+2p", "单吊"),
        ("2345p333s567s678m+5p", "单吊"),
        ("5666m123p567p789s+5m", None),
        ("4556p333s678m999m+5p", "卡五"),
        ("45667p333s678m99m+5p", None),
        ("1113m567p678s999s+2m", None),  # 12 waits: 2 and 3
        ("3335m567p678s999s+4m", None),
        ("2222m3456789pEE+1p", "no win"),
    ],
)
def test_a4_waits(hand: str, wait: str | None) -> None:
    if wait == "no win":
        with pytest.raises(NotAWin):
            score(hand)
        return
    found = set(fans(hand)) & {"单吊", "单边", "卡窿", "卡五"}
    assert found == ({wait} if wait else set())


def test_a4_a_tile_held_four_times_is_no_wait() -> None:
    # 1111234 would take a fifth 1; what is left is the 4 alone
    assert "单吊" in fans("1111234m567p789s+4m")
    # 8888 as a fourth set is a wait too: 1111 8888 and two sets are 二不杠
    assert "单吊" not in fans("1111234m567p888s+4m")


def test_a5_couples_count_each_and_flags_once() -> None:
    assert fans("123m789m123p678sE+E")["老少"] == 1
    assert fans("112233m778899mE+E")["老少"] == 2
    assert fans("123p123s789m789sE+E")["半般高"] == 2
    assert fans("123p123s123m789sE+E").get("半般高") is None  # 三相逢
    assert fans("123456m123456pE+E")["连六"] == 2
    assert fans("111p111s222p222mE+E")["双同刻"] == 2
    assert fans("111p999s234m567mE+E")["简单花幺"] == 1
    assert fans("[CCCC](FFF)123m567mE+E") == {"三元牌": 2, "开杠": 1, "混一色": 1, "单吊": 1}


def test_a6_one_suit_missing_with_honours_or_without() -> None:
    assert "缺门" in fans("123m666m789pEEE8m+8m")
    assert "缺门" in fans("123m666m789p222p8m+8m")
    assert "缺门" not in fans("123m666m789mEEE8m+8m")


def test_a7_the_five_in_the_gap_is_two_in_all() -> None:
    counted = score("123p333s46s678mEE+5s")
    assert {line.name: line.value["fan"] for line in counted.fans}["卡五"] == 2
    assert "卡窿" not in {line.name for line in counted.fans}


def test_a8_each_match_of_a_wind_counts_three() -> None:
    assert fans("23p567s678m99m(EEE)+1p", seat="E")["风牌"] == 2
    assert fans("23p678m99m(EEE)(SSS)+1p", seat="S")["风牌"] == 2
    assert fans("23p567s678m99m(WWW)+1p", seat="S").get("风牌") is None


def test_a9_the_lost_footnote_changes_nothing() -> None:
    values = {fan.name: fan.value for fan in book("canton").fans}
    assert (values["双暗刻"], values["三相逢"], values["五门齐"]) == (3, 3, 3)
    assert not {"双暗刻", "三相逢", "五门齐"} & {option.key for option in book("canton").options}


def test_a10_sanwei_takes_any_three_neighbours_or_a_pair_of_any_honour() -> None:
    assert "三尾" in fans("333p444p456s111m5p+5p")
    assert "三尾" in fans("333p555p456s111m4p+4p")
    assert "三尾" in fans("WWWNNN789s222mP+P")
    assert "三尾" in fans("WWWNNN789s222mE+E")
    assert "三尾" not in fans("WWWNNN789s222m5p+5p")
    assert "三尾" not in fans("33p44p55p66s77s88s9m+9m")


def test_a11_sanliaopai_takes_a_concealed_kong_but_no_concealed_pung() -> None:
    assert "三料牌" in fans("2m555s(234p)(777p)[7777m]+2m")
    assert "三料牌" in fans("2m555s(234p)(777p)(7777m)+2m")
    assert "三料牌" not in fans("2m555s777p(234p)[7777m]+2m")


def test_a12_fours_of_a_kind_are_extra_shapes() -> None:
    assert "二不杠" in fans("1111p5555s234m67m+8m")
    assert "二不杠" in fans("1111p5555s67m[EEEE]+8m")
    assert "三不杠" in fans("1111p5555s8888m2m+2m")
    with pytest.raises(NotAWin):  # claimed: not concealed
        score("1111p5555s67m(234m)+8m")
    with pytest.raises(NotAWin):  # four alike are not two pairs
        score("112233m4444p55s6s+6s")


def test_a13_wins_outside_the_tiles_stand_alone() -> None:
    seven = ["春", "夏", "秋", "冬", "梅", "兰", "菊"]
    tiles = "159m2468p37sEWCF"
    assert fans(tiles, "花糊", flowers=seven) == {"花糊": 1}
    assert fans(tiles, "花糊", flowers=seven, seat="E") == {"花糊": 1, "庄家": 1}
    assert fans(tiles, "八仙过海", flowers=8) == {"八仙过海": 1}
    assert fans(tiles, "流局十番") == {"流局十番": 1}
    assert fans("123p333s567s678mE+E", flowers=seven) == {"鸡糊": 1, "门前清": 1, "单吊": 1, "一台花": 1, "正花": 1}
    with pytest.raises(NotAWin):
        score(tiles, flowers=seven)


def test_a14_a_chain_of_kongs_adds_the_kongs() -> None:
    assert fans("23p678mEE(3333s)[5555p]+1p", "自摸 连杠开花") == {"连杠开花": 1, "双杠": 1}
    assert fans("23pEE[3333s][5555p][8888m]+1p", "自摸 连杠开花")["三杠子"] == 1


def test_a15_both_forms_of_old_and_young_serve() -> None:
    assert "双飘" in fans("111p999p123s789sE+E")
    assert {"三色双龙会", "双飘"} <= set(fans("111p999p123s789s5m+5m"))
    assert {"双飘", "镜糊糊"} <= set(fans("123p789p123s789sE+E"))


def test_a16_three_kinds_of_nine_gates() -> None:
    assert "九莲宝灯" in fans("1112345678999m+5m")
    assert "九莲花灯" in fans("1112234678999m+5m")
    assert "嗌九子" in fans("2345678999m(111m)+2m")
    assert "九莲花灯" in fans("2234678999m(111m)+5m")
    assert not {"九莲宝灯", "九莲花灯", "嗌九子"} & set(fans("2345678m999m(1111m)+2m"))


def test_a17_each_honour_is_a_number() -> None:
    assert "三数" in fans("777p777s777mNNNF+F")
    assert "两数" in fans("222p333s222m333m3p+3p")
    assert "三数" not in fans("777p777s222mNNNF+F")
    assert "三数" in fans("22m22p22s33m33p33sE+E")  # seven pairs


def test_a18_half_odd_half_even_counts_numbers_and_kongs_as_four() -> None:
    assert "一半数字" in fans("123p678p555s666sC+C")
    assert "一半数字" not in fans("123p678p666s(5555s)C+C")
    assert "一半数字" not in fans("EEESSSWWWCCCF+F")


def test_a19_two_own_kongs_serve_where_the_third_is_robbed() -> None:
    assert "满分花杠" in fans("23p678mEE[3333s](5555p)+1p", "抢杠")
    assert "满分花杠" not in fans("23p678mEE[3333s](5555p)+1p", "自摸 杠上开花")
    assert "满分花杠" in fans("23pEE[3333s](5555p)(8888m)+1p", "自摸 杠上开花")
    assert "满分花杠" not in fans("23pEE(3333s)(5555p)(8888m)+1p", "自摸 杠上开花")


def test_a20_the_pyramid_keeps_buqiuren() -> None:
    assert fans("19m19p19s258p36s47m+7m", "自摸") == {"十三金字塔": 1, "不求人": 1}
    assert fans("19m19p19s258p36s47m+7m") == {"十三金字塔": 1}


def test_a21_sets_of_tiles() -> None:
    assert "青洞门" in fans("222p444p888pSSSF+F")
    assert "青洞门" not in fans("222p444p888pSSSW+W")
    assert "黑一色" in fans("222p444p888pSSSW+W")
    assert {"黑一色", "蓝一色"} <= set(fans("888pEEESSSWWWN+N"))
    assert "蓝一色" in fans("EEESSSPPP888pW+W")
    assert "绿一色" in fans("234s234s666sFFF8s+8s")
    assert "黄一色" in fans("555p567p222mCCCP+P")
    assert "黄一色" not in fans("555p567p222m789mE+E")
    assert "自动车道" in fans("222p444pEEESSS6p+6p")
    assert "自动车道" not in fans("222p666pEEESSSW+W")


def test_a22_four_kongs_are_worth_forty() -> None:
    counted = score("F(2222p)(3333s)(5555m)[EEEE]+F")
    assert {line.name: line.value["fan"] for line in counted.fans}["十八罗汉"] == 40


def test_a23_four_identical_chows() -> None:
    assert "一色四顺" in fans("234p234p234p234pE+E")
    assert "一色四顺" not in fans("123p234p345p345pP+P")


def test_a24_the_first_go_round() -> None:
    assert score("147p258s369mSWNF+P", "第一圈").points == 45 + 5  # 组合龙 with all nine
    assert "全不靠" not in fans("147p258s369mSWNF+P", "第一圈")
    assert score("147p258s3mSWNFP6m+6m", "第一圈").points == 40 + 3  # 五门齐
    with pytest.raises(NotAWin):
        score("147p258s3mSWNFP6m+6m")


def test_a25_red_peacock_needs_all_five_kinds() -> None:
    assert "红孔雀" in fans("111s555s777sCCC9s+9s")
    assert "红孔雀" not in fans("111s555s999sCCC1m+1m")
    assert "对对糊" in fans("222s333s888sF(666s)+F")
    assert "对对糊" not in fans("234s333s666s888sF+F")


def test_a26_patterns_of_tiles_apply_to_irregular_shapes() -> None:
    assert fans("147p258s369mSWNF+P") == {"全不靠": 1, "组合龙": 1}
    assert "缺五" in fans("147p28s369mESWNC+F")
    assert "将眼" not in fans("19m19p19s258p36s47m+5p")
    assert "五门齐" not in fans("19m19p19sESWNCFP+P")


def test_a27_heavenly_hand_is_always_fresh() -> None:
    assert "生张" not in fans("123p333s567s678mE+E", "自摸 天糊 生张", seat="E")
    assert "生张" in fans("123p333s567s678mE+E", "人糊 生张")


def test_the_book_has_149_patterns_in_the_seeds_order() -> None:
    rows = quepu.book("canton").fans
    assert len(rows) == stated.ROWS
    assert [row.value for row in rows] == sorted(row.value for row in rows)
    assert Counter(row.value for row in rows) == stated.VALUES


def test_what_is_excluded_names_a_pattern_that_counts_where_there_is_one() -> None:
    found = score("EEESSSWWWNNNF+F")
    tally = found.book.explain_tally(found.best.h)
    rows = found.book.fans
    by = {rows[d.row].name: rows[d.by].name for d in tally.dropped if d.by is not None}
    assert by["三尾"] == "四方大发"
    assert by["缺五"] == "四方大发"
    assert by["对对糊"] == "四暗刻"
    assert set(by.values()) <= {line.name for line in found.fans}
    assert next(d.why.zh for d in tally.dropped if rows[d.row].name == "鸡糊").startswith("另有牌型")
    alone = score("159m2468p37sEWCF", "花糊", flowers=7)
    assert all("单独" in d.why.zh for d in alone.book.explain_tally(alone.best.h).dropped)


def test_an_english_explanation_names_the_classes_in_english() -> None:
    found = score("EEESSSWWWNNNF+F").explain("en")
    assert "[hand shape]" in found
    assert "牌型" not in found
    assert {row.category for row in book("canton").fans} == set(book("canton").classes)


def test_a15_two_couples_of_both_forms_are_no_two_dragons_of_one_suit() -> None:
    found = fans("111123789999m5m+5m")
    assert found.get("老少") == 2
    assert "一色双龙会" not in found
    assert "一色双龙会" in fans("112233778899m5m+5m")


def test_a16_true_nine_gates_with_melds_are_no_false_ones() -> None:
    counted = score("1145678999m(123m)+6m")
    assert {line.name for line in counted.fans} == {"嗌九子", "连六", "无花"}
    assert "九莲花灯" not in {counted.book.fans[row].name for row, _ in counted.book.detect(counted.best.h)}
    assert "九莲花灯" in fans("1112278999m(345m)+6m")
    for hand in ("1112345678999m+5m", "1145678999m(123m)+6m"):
        for rules in (CANTON, CANTON.having(id="house", options={"false_nine_gates": "melded"})):
            assert "九莲花灯" not in fans(hand, rules=rules)


def test_n36_each_four_counts() -> None:
    assert fans("333345m677778p9s+9s")["四归一"] == 2
    assert fans("456mE(444m)(555m)(666m)+E")["四归一"] == 3
    assert fans("234234234m345mE+E")["四归四"] == 2
    assert fans("123p345p777s222m3p+3p").get("四归二") == 1
    assert "四归一" not in fans("345m567s(6666p)789pP+P")


def test_n37_a_first_win_needs_the_declaration() -> None:
    from quepu.hands.hand import Luck
    from quepu.hands.notation import parse
    from quepu.scoring.score import score_hand

    hand = parse("123p333s567s678mE+E")._replace(seat=28)
    for luck, name in ((Luck.EARTHLY | Luck.SELF_DRAW, "地糊"), (Luck.HUMANLY, "人糊")):
        silent, declared = (hand._replace(luck=int(bits)) for bits in (luck, luck | Luck.READY_AT_DEAL))
        rules = CANTON.having(id="house", options={"undeclared_first_win": True})
        assert name not in {line.name for line in score_hand(silent, CANTON).fans}
        assert name in {line.name for line in score_hand(declared, CANTON).fans}
        assert name in {line.name for line in score_hand(silent, rules).fans}


def test_n38_what_helps_to_reach_the_minimum() -> None:
    rules = CANTON.having(id="house", options={"minimum": 4, "minimum_of_all": True})
    plain = CANTON.having(id="house", options={"minimum": 4})
    hand = "12p567s678mEE(333s)+3p"
    for flowers, can_win in (("春 梅", True), ("夏", False)):
        request = {"seat": "E", "flowers": flowers}
        assert score(hand, "自摸", rules, **request).can_win is can_win
        assert not score(hand, "自摸", plain, **request).can_win
        assert score(hand, "自摸", rules, **request).total == score(hand, "自摸", plain, **request).total


def test_n39_mixed_kongs_leave_three_kongs_where_one_is_robbed() -> None:
    hand = "23pEE[3333s](5555p)(8888m)+1p"
    rules = CANTON.having(id="house", options={"mixed_kongs_robbing_add": False})
    assert {"满分花杠", "三杠子"} <= set(fans(hand, "抢杠"))
    assert "三杠子" not in fans(hand, "自摸 杠上开花")
    assert "三杠子" not in fans(hand, "抢杠", rules=rules)
    assert "三杠子" in dropped(hand, "自摸 杠上开花")


def test_n40_the_heavenly_hand_and_the_dealer() -> None:
    hand = "123p333s567s678mE+E"
    rules = CANTON.having(id="house", options={"heavenly_adds_dealer": False})
    assert "庄家" in fans(hand, "自摸 天糊", seat="E")
    assert "庄家" not in fans(hand, "自摸 天糊", seat="E", rules=rules)


def test_n41_closed_twin_steps_keep_the_concealed_hand() -> None:
    closed, open_, drawn = "345345456456s5m+5m", "345456456s5m(345s)+5m", "345345456456s5m+5m"
    former = CANTON.having(id="house", options={"twin_steps_add_concealed": False})
    assert "门前清" in fans(closed)
    assert "门前清" not in fans(closed, rules=former)
    assert "乱蛇" in dropped(closed)
    assert "门前清" not in fans(open_)
    assert "同般低" in fans(open_)
    # self-drawn, 不求人 has the concealed hand in it as ever; a counted 乱蛇 keeps 门前清 out
    assert fans(drawn, "自摸") == fans(drawn, "自摸", rules=former)
    assert "门前清" not in fans("122334p677889sE+E", seat="E")
    assert score(closed).points == score(closed, rules=former).points + 1


def test_before_the_correction_of_n41_the_choices_were_the_other_way_round() -> None:
    closed = "345345456456s5m+5m"
    for revision in (1, 2):
        book = CANTON.at(revision)
        assert "门前清" not in fans(closed, rules=book)
        assert "门前清" in fans(closed, rules=book.having(id="house", options={"twin_steps_add_concealed": True}))
        assert "门前清" not in fans(closed, rules=book.having(id="house", options={"twin_steps_add_concealed": False}))
