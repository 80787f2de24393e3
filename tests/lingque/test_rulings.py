"""One test for each ruling of 灵雀 (rulings.toml), on hands that would score otherwise under another reading."""

from __future__ import annotations

import pytest

import quepu
from quepu.errors import HandError, NotAWin
from quepu.rulebooks import book
from tests.lingque.hands import BOOKS, fans, names, result, steps

V26 = "lingque-26"
PLAIN = "234789m345p67s99s+8s"
both = pytest.mark.parametrize("rules", BOOKS)


def test_sentences_are_read_as_text() -> None:
    sentences = {ruling.id: ruling.sentence for ruling in book("lingque").rulings}
    assert sentences["LQ12"] == "计 杠、双暗刻、对对和、清幺九、双同刻×2，共 88 副 5 翻 440 点。"
    assert sentences["LQ5"] == "存在一整数 n"


@both
def test_xixiangfeng_counts_beside_jingtong(rules: str) -> None:
    assert {"喜相逢×2", "镜同"} <= fans("456m23445pPP(234m)+6p", rules)
    assert {"喜相逢", "双同刻", "镜同"} <= fans("567m67p88s(222m)(222p)+5p", rules)


@both
def test_couples_share_no_set(rules: str) -> None:
    # 345m 345m 345p: two couples, but both take 345p
    assert "喜相逢" in fans("2233445m345p(234p)+5m", rules)
    assert "喜相逢" in fans("3488p(345m)(345m)(345m)+5p", rules)
    assert "喜相逢×2" in fans("22334m55s(234p)(234p)+4m", rules)
    # 345m 345m 345p 345s holds two disjoint couples, which show when 三色同顺 does not drop them
    bare = book(rules).having(without=["三色同顺"], id="bare")
    assert "喜相逢×2" in names(quepu.score("34588m34p(345m)(345s)+5p", rules=bare))
    assert "双同刻×2" in fans("2227m(222p)(777p)(777s)+7m", "lingque-29")


@both
def test_jingtong_needs_equal_multisets(rules: str) -> None:
    assert {"二般高", "镜同"} <= fans("22334m55s(234p)(234p)+4m", rules)
    assert "镜同" not in fans("22334m55s(234p)(345p)+4m", rules)
    assert "镜同" not in fans("23455m67p(567m)(234p)+8p", rules)
    assert "镜同" not in fans("234m55s34p(NNN)(567m)+5p", rules)


@both
def test_jingshu_keeps_the_melds(rules: str) -> None:
    assert "镜数" in fans("1112345677s(345m)+7s", rules)
    assert "镜数" not in fans("1112377s(345m)(456s)+7s", rules)  # the book's own remark after the example
    assert "镜数" in fans("2233445m345p(234p)+5m", rules)  # q is a half
    assert "镜数" in fans("111m34445p34s(7777m)+5s", rules)  # a kong mirrors a pung, open a closed one


@both
def test_jingshudui_has_a_middle_pair(rules: str) -> None:
    assert "镜数对" in fans("1199m4466p33557s+7s", rules)
    assert "镜数对" not in fans("1199m4477p33557s+7s", rules)
    assert "镜数对" not in fans("2255m2255p22553s+3s", rules)  # six pairs mirror at 3.5, the seventh cannot


@both
def test_a_pung_finished_by_a_discard_is_not_concealed(rules: str) -> None:
    assert not fans("23499m678p345sCC+C", rules) & {"暗刻"}
    assert "暗刻" in fans("23499m678p345sCC+C", rules, self_draw=True)
    # 44456m with the fourth 4: the tile finishes 456m, the three in hand stay concealed
    assert "双暗刻" in fans("44456m88pSSS(NNN)+4m", rules)


@both
def test_a_concealed_kong_keeps_the_hand_closed(rules: str) -> None:
    listed, _, fan, _ = result("555m22777p34s[1111m]+5s", rules)
    assert ("门前清" in listed, "三暗刻" in listed, fan) == (True, True, 4)
    listed, _, fan, _ = result("555m22777p34s(1111m)+5s", rules)
    assert ("门前清" in listed, "三暗刻" in listed, fan) == (False, False, 2)
    assert fans(PLAIN, rules, circumstances=["抢杠"]) == {"门前清", "抢杠"}


def test_hunyise_of_v29_has_a_suit_and_honours() -> None:
    assert "混一色" in fans("123456678mNNCC+N")
    assert "混一色" not in fans("WWWS(FFF)(PPP)(NNN)+S")
    assert "混一色" not in fans("2344445699m(678m)+1m")


def test_hunyaojiu_of_v29_has_both() -> None:
    assert "混幺九" in fans("99m99p(FFFF)(NNN)(111m)+9p")
    assert {"七对", "混幺九"} <= fans("1199m11p99sEENNC+C")
    for other in ("19m19p19sESWNCFP+1m", "WWWS(FFF)(PPP)(NNN)+S", "9m111999p(1111m)(999s)+9m"):
        assert "混幺九" not in fans(other)


def test_hunyaojiu_beside_big_winds_in_v26() -> None:
    assert result("1m(EEE)(SSS)(WWW)(NNN)+1m", V26) == ("大四喜、混幺九", 120, 5, 600)
    assert "混幺九" in fans("11mNN(EEE)(SSS)(WWW)+1m", V26)
    assert "混一色" not in fans("34mEEENN(SSS)(WWW)+5m", V26)
    assert "混幺九" not in fans("19m19p19sESWNCFP+1m", V26)


def test_general_sentence_of_v29() -> None:
    assert "缺一门" not in fans("2344445699m(678m)+1m")
    for several in ("222666m4447p888s+7p", "555m22777p34s[1111m]+5s", "444m777p34s66s(FFF)+5s"):
        assert "暗刻" not in fans(several)


def test_qingyaojiu_leaves_out_ershu() -> None:
    score = quepu.score("9m111999p(1111m)(999s)+9m")
    assert "二数" in [book("lingque").fans[d.row].name for d in score.tally.dropped]
    assert score.points == 440


def test_all_pungs_count_in_v29() -> None:
    assert {"对对和", "双同刻×2"} <= fans("2227m(222p)(777p)(777s)+7m")
    assert {"对对和", "双同刻×2"} <= fans("9m111999p(1111m)(999s)+9m")
    assert "对对和" in fans("222m8p(333m)(444m)(555m)+8p")
    assert "对对和" in fans("5mEEESSS(WWW)(NNN)+5m")


def test_silianke_leaves_out_all_pungs_in_v26() -> None:
    assert result("222m8p(3333m)(444m)(555m)+8p", V26) == ("杠、暗刻、缺一门、四连刻", 72, 4, 288)


def test_general_sentence_of_v26() -> None:
    assert not fans("9m111999p(1111m)(999s)+9m", V26) & {"二数", "混幺九"}
    assert fans("EESSWWNNCCFFP+P", V26) == {"大七星"}
    assert "混幺九" not in fans("WWWS(FFF)(PPP)(NNN)+S", V26)
    assert fans("2233445566778m+8m", V26) == {"连七对"}


@both
def test_dropping_is_about_fans(rules: str) -> None:
    assert not {f for f in fans("34588m34p(345m)(345s)+5p", rules) if f.startswith("喜相逢")}
    assert not {f for f in fans("8m333345p(3333m)(333s)+8m", rules) if f.startswith("双同刻")}


@both
def test_shuanglonghui_needs_disjoint_couples(rules: str) -> None:
    assert "双龙会" in fans("123456m23456pCC+7p", rules)
    assert "双龙会" not in fans("12345678m55p(NNNN)+9m", rules)
    assert "双龙会" not in fans("12378m55p(456m)(456p)+9m", rules)
    assert not fans("123456m12378p88s+9p", rules) & {"双龙会"}  # one couple of each kind
    both_ways = book(rules).having(without=["一气贯通"], id="bare")
    assert "双龙会" in names(quepu.score("445566789m5p(123m)+5p", rules=both_ways))


def test_exactly_two_equal_chows() -> None:
    assert not fans("223344m8s(234m)(555p)+8s") & {"一般高", "二般高"}
    assert not fans("222233334444m2p+2p") & {"一般高", "二般高", "三同顺"}


@both
def test_sigui_counts_kinds(rules: str) -> None:
    assert "四归×2" in fans("34m23477p(222m)(444p)+2m", rules)
    assert "四归×3" in fans("34m88p(333m)(444m)(555m)+5m", rules)
    assert "四归" not in fans("23456m12355p(8888p)+1m", rules)


@both
def test_fanpai_merge(rules: str) -> None:
    listed, _, fan, _ = result("34588mEEEFFFPP+P", rules)
    assert ("番牌 门风牌、番牌 發、番牌 白" in listed, fan) == (True, 5)  # 3 翻 of honours with 3 翻 of 混一色
    listed, fu, fan, _ = result("234m67pFF(EEEE)(CCC)+8p", rules)
    assert (listed, fu, fan) == ("杠、番牌 门风牌、番牌 中、番牌 發", 14, 2)
    assert result("234m67pCC(EEE)(789m)+8p", rules)[1:3] == (6, 1)


@both
def test_fanpai_in_special_hands(rules: str) -> None:
    assert result("19m19p19sESWNCFP+S", rules, seat="S")[:2] == ("十三幺、番牌 门风牌", 50)
    assert result("19m19p19sESWNCFP+S", rules, seat="E")[:2] == ("十三幺", 48)
    assert result("11m99m44p3377sNNC+C", rules)[0] == "七对、番牌 中"


def test_all_honours_in_pairs() -> None:
    assert result("EESSWWNNCCFFP+P") == ("七对、字一色、四喜对、三元对", 92, 6, 552)


@both
def test_seven_pairs_combine(rules: str) -> None:
    assert fans("112233m1133p223s+3s", rules) == {"七对", "三聚"}
    assert {"七对", "清一色"} <= fans("1133445566779m+9m", rules)
    assert {"七对", "缺一门"} <= fans("1133m5577p3366p8m+8m", rules)
    assert fans("11m44p77sEENN99sF+F", rules, seat="S") == {"七对", "番牌 發"}  # no 五门齐


@both
def test_four_alike_are_not_two_pairs(rules: str) -> None:
    with pytest.raises(NotAWin):
        quepu.score("1111m2233p4455s8s+8s", rules=rules)


@both
def test_nine_gates(rules: str) -> None:
    value = 96 if rules == "lingque-29" else 128
    assert result("1112345678999m+5m", rules) == ("九莲宝灯", value, 6, value * 6)
    assert result("1112345678999m+5m", rules, self_draw=True)[0] == "自摸、九莲宝灯"
    assert "九莲宝灯" not in fans("2345678999m(111m)+5m", rules)
    assert "九莲宝灯" not in fans("1112345678899m+9m", rules)


@both
def test_heavenly_and_earthly(rules: str) -> None:
    assert result(PLAIN, rules, self_draw=True, circumstances=["天和"]) == ("天和", 48, 4, 192)
    assert result(PLAIN, rules, seat="S", circumstances=["地和"]) == ("地和", 48, 4, 192)
    with pytest.raises(HandError):
        quepu.score(PLAIN, rules=rules, seat="S", self_draw=True, circumstances=["天和"])
    with pytest.raises(HandError):
        quepu.score("234m345p67s99s(678m)+8s", rules=rules, self_draw=True, circumstances=["天和"])


@both
def test_kong_draw_counts_the_kong(rules: str) -> None:
    hand = "234m345p67s99s(8888m)+8s"
    assert result(hand, rules, self_draw=True, circumstances=["岭上开花"]) == ("岭上开花、杠", 12, 2, 24)


@both
def test_luck_combines(rules: str) -> None:
    hand = "234m345p67s99s(8888m)+8s"
    assert {"岭上开花", "海底捞月"} <= fans(hand, rules, self_draw=True, circumstances=["岭上开花", "海底捞月"])
    assert {"抢杠", "河底捞鱼"} <= fans(PLAIN, rules, circumstances=["抢杠", "河底捞鱼"])


def test_five_gates_is_standard() -> None:
    assert "五门齐" in fans("234p45sNN(FFF)(123m)+3s")
    assert "五门齐" not in fans("11m44p77s99sNNCC2s+2s")
    assert "五门齐" not in fans("147m258p36sESWNC+F")


@both
def test_sanseguantong_is_chosen(rules: str) -> None:
    score = quepu.score("12355m123456p78s+9s", rules=rules)
    assert "三色贯通" in names(score)
    out = {score.book.fans[d.row].name: score.book.fans[d.by].name for d in score.tally.dropped if d.by is not None}
    assert out == {"连六": "三色贯通"}


def test_no_jump_within_a_class() -> None:
    assert result("C(EEE)(SSS)(WWW)(NNN)+C") == ("对对和、字一色、大四喜、番牌 中", 122, 5, 610)


@both
def test_santongerdui_needs_the_same_ranks(rules: str) -> None:
    assert result("1133m2255p4466sE+E", rules, seat="S") == ("七对", 8, 4, 32)
    assert "三同二对" in fans("225588m2255p225s+5s", rules)


@both
def test_flowers_stay_outside_the_minimum(rules: str) -> None:
    poor = quepu.score("2349m678p345s(CCC)+9m", rules=rules, flowers=["春", "夏", "秋", "冬"])
    assert (poor.points, poor.total, poor.can_win) == (4, 12, False)


@both
def test_ten_points_are_enough(rules: str) -> None:
    assert quepu.score("234678m45pEE(FFFF)+6p", rules=rules).can_win
    assert not quepu.score("444m777p34s66s(678m)+5s", rules=rules).can_win  # 双暗刻 alone is 8 points
    assert quepu.score("444m777p34s66s(678m)+5s", rules=rules).points == 8


@both
def test_robbing_is_a_discard(rules: str) -> None:
    assert "自摸" not in fans(PLAIN, rules, circumstances=["抢杠"])
    with pytest.raises(HandError):
        quepu.score(PLAIN, rules=rules, self_draw=True, circumstances=["抢杠"])


@both
def test_dropped_fanpai_do_not_merge(rules: str) -> None:
    score = quepu.score("88mEE(CCC)(FFF)(PPP)+E", rules=rules)
    assert "番牌 门风牌" in names(score)
    assert not [step for step in steps("88mEE(CCC)(FFF)(PPP)+E", rules) if "视为一个" in step.zh]
    assert [step for step in steps("34588mEEEFFFPP+P", rules) if "视为一个 3 翻" in step.zh]
