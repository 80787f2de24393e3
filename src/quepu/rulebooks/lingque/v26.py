"""灵雀 第二十六版: the 76 番种 in the book's order. `implied` are the 不计 that only the general sentence (二甲) gives."""

from __future__ import annotations

from quepu.hands.planes import HONOUR_TILES, OUTER, PAIRS, count, has_honours, is_form, only, suits
from quepu.rulebooks.lingque.conditions import mirror_suits, seven_in_a_row, six_twice
from quepu.rulebooks.lingque.row import HONOURS, RELATED, SUITS, FuFan
from quepu.rulebooks.lingque.v29 import FANS as V29
from quepu.rules.row import again, fan

row = again(V29)

LUCK = (
    row("天和", FuFan(48, 3), "和牌由庄家的 13 张配牌与第一张摭牌组成。计 48 副 3 翻。不计自摸、门前清。",
        drops="自摸 门前清"),
    row("地和", FuFan(48, 3),
        "和牌由闲家的 13 张配牌与庄家的首张舍牌组成。庄家若在此之前已经暗杠,则地和不成立。计 48 副 3 翻。不计门前清。",
        drops="门前清"),
    row("岭上开花", FuFan(8, 2), "和自家开杠后摭得的岭上牌。计8副2翻。不计自摸。可加计杠。", drops="自摸"),
    row("海底捞月", FuFan(8, 2), "摭牌墙中最后一枚牌张得和。计8副2翻。不计自摸。", drops="自摸"),
    row("河底捞鱼", FuFan(8, 2), "牌墙已被摭完时,他家放铳得和。计8副2翻。"),
    row("抢杠", FuFan(8, 2), "和别家加杠之牌。计8副2翻。"),
    row("自摸", FuFan(2, 1), "和自家摭得之牌。计2副1翻。"),
)  # fmt: skip

SPECIAL = (
    row("七对", FuFan(8, 3), "由七个互不相同的对子组成的特殊和牌。计8副3翻。不计门前清。", drops="门前清"),
    row("全不靠", FuFan(8, 3),
        "由以下 16 种牌张中的 14 种各一枚组成的特殊和牌: 一色的 147、另一色的 258、剩余一色的 369,以及七种字牌。"
        "计 8 副 3 翻。不计门前清。", drops="门前清"),
    row("十三幺", FuFan(48, 3),
        "由十三种幺九牌(一、九数牌及字牌)各一,加上任意一张幺九牌组成的特殊和牌。计48 副3翻。不计混幺九、门前清。",
        drops="混幺九 门前清", rulings="LQ10 LQ21"),
    row("门前清", FuFan(2, 1), "在听牌阶段手牌仅由自家摭牌构成并和牌。计2副1翻。",
        definition="The hand that was ready was of one's own drawn tiles only.", category="副露"),
)  # fmt: skip

SETS = (
    row("四杠", FuFan(96, 5), "和牌中有四个杠。计 96 副 5 翻。不计三杠、双杠、杠、对对和。",
        definition="Four kongs.",
        when=lambda h: count(h.k) >= 4, drops="三杠 双杠 杠 对对和"),
    row("三杠", FuFan(32, 4), "和牌中有三个杠。计 32 副 4 翻。不计双杠、杠。",
        definition="At least three kongs.", when=lambda h: count(h.k) >= 3,
        drops="双杠 杠"),
    row("双杠", FuFan(8, 2), "和牌中有两个杠。计8副2翻。不计杠。",
        definition="At least two kongs.", when=lambda h: count(h.k) >= 2, drops="杠"),
    row("杠", FuFan(4, 1), "和牌中有一个杠。计4副1翻。",
        definition="At least one kong.", when=lambda h: h.k != 0),
    row("四暗刻", FuFan(48, 3), "和牌中有四个暗刻。计 48 副 3 翻。不计门前清、三暗刻、双暗刻、暗刻、对对和。",
        definition="Four concealed pungs.",
        when=lambda h: count(h.pc) >= 4, drops="门前清 三暗刻 双暗刻 暗刻 对对和", rulings="LQ6 LQ7"),
    row("三暗刻", FuFan(16, 3), "和牌中有三个暗刻。计16副3翻。不计双暗刻、暗刻。",
        definition="At least three concealed pungs.", when=lambda h: count(h.pc) >= 3,
        drops="双暗刻 暗刻", rulings="LQ6 LQ7"),
    row("双暗刻", FuFan(4, 2), "和牌中有两个暗刻。计4副2翻。不计暗刻。",
        definition="At least two concealed pungs.", when=lambda h: count(h.pc) >= 2,
        drops="暗刻", rulings="LQ6 LQ7"),
    row("暗刻", FuFan(2, 1), "和牌中有一个暗刻。计2副1翻。", rulings="LQ6 LQ7"),
    row("对对和", FuFan(8, 3), "和牌中有四副刻子。计8副3翻。"),
    row("四归", FuFan(4, 1), "和牌中有一组不成杠的四枚相同牌张。计4副1翻。可计至多三次。"),
)  # fmt: skip

HONOUR_ROWS = (
    fan("大七星", FuFan(128, 5), HONOURS,
        "由七种字牌对子各一组成的七对和牌。计 128 副 5 翻。不计七对、门前清、字一色、四喜对、三元对、番牌。",
        lambda h: is_form(h, PAIRS) & only(h, HONOUR_TILES), "all seven honours in pairs",
        definition="Seven pairs, one of each honour.",
        drops="七对 门前清 字一色 四喜对 三元对 门风牌 中 發 白", implied="混幺九 混一色",
        example="EESSWWNNCCFFP+P", near_miss="11mSSWWNNCCFFP+P", rulings="LQ10 LQ15"),
    row("字一色", FuFan(48, 5), "和牌仅由字牌组成。计 48 副 5 翻。不计混一色。可加计番牌、幺九刻。", drops="混一色",
        implied="混幺九", rulings="LQ10 LQ15 LQ30"),
    row("大四喜", FuFan(96, 5), "和牌中有四风刻各一。计96副5翻。不计对对和、门风牌、客风刻、混一色。",
        drops="对对和 门风牌 客风刻 混一色", rulings="LQ10 LQ30 LQ36"),
    row("小四喜", FuFan(48, 5),
        "和牌中四风齐备,其中三种成刻,余下一种作为雀头。计 48 副 5 翻。不计门风牌、客风刻、混一色。",
        drops="门风牌 客风刻 混一色", rulings="LQ10 LQ30 LQ36"),
    row("四喜对", FuFan(24, 3), "同时包含四风对子的七对和牌。计24副3翻。可加计七对。不计门风牌。", drops="门风牌"),
    row("大三元", FuFan(48, 4), "和牌中有三元刻各一。计48副4翻。不计中、發、白。", drops="中 發 白"),
    row("小三元", FuFan(24, 4), "和牌中三元齐备, 其中两种成刻, 余下一种作为雀头。计 24 副 4 翻。不计中、發、白。",
        drops="中 發 白"),
    row("三元对", FuFan(12, 3), "同时包含三元对子的七对和牌。计 12 副 3 翻。可加计七对。不计中、發、白。",
        drops="中 發 白"),
    row("番牌 门风牌", FuFan(4, 1), "和牌中有门风牌刻子或对子。如果门风牌成刻, 计4副1翻, 否则计2副1翻。"),
    row("番牌 中", FuFan(4, 1), "和牌中有中刻子或对子。如果中成刻, 计4副1翻, 否则计2副1翻。"),
    row("番牌 發", FuFan(4, 1), "和牌中有發刻子或对子。如果發成刻, 计4副1翻, 否则计2副1翻。"),
    row("番牌 白", FuFan(4, 1), "和牌中有白刻子或对子。如果白成刻,计4副1翻,否则计2副1翻。"),
    row("客风刻", FuFan(2, 1), "和牌中有客风牌(除门风之外的风牌)刻子。计2副1翻。可计至多三次。"),
)  # fmt: skip

TERMINAL_ROWS = (
    row("清幺九", FuFan(96, 5), "和牌仅由一、九序数牌组成。计96副5翻。不计对对和、幺九刻、双同刻。",
        drops="对对和 幺九刻 双同刻", implied="二数 混幺九", rulings="LQ10 LQ15"),
    row("混幺九", FuFan(24, 3), "和牌仅由一、九序数牌和字牌组成。计24副3翻。可加计番牌、幺九刻。",
        definition="Terminals and honours only.",
        when=lambda h: only(h, OUTER), near_miss="99m12399p(FFFF)(NNN)+9m", rulings="LQ10"),
    row("清带幺", FuFan(12, 3), "和牌中有顺子,且雀头和每个面子皆含一、九序数牌。计 12 副 3 翻。"),
    row("混带幺", FuFan(4, 3),
        "和牌中有顺子,雀头和每个面子皆含一、九序数牌或字牌,且一、九序数牌和字牌皆有。计4副3翻。"),
    row("幺九刻", FuFan(2, 1), "和牌中有一、九序数牌刻子。计2副1翻。可计至多四次。"),
)  # fmt: skip

SUIT_ROWS = (
    row("九莲宝灯", FuFan(128, 5),
        "立牌为同色的 1112345678999 (此时待牌为所有同色牌张), 并和牌。计 128 副 5 翻。不计除偶然类番种外的所有其他番种。",
        drops="* +*偶然"),
    fan("连七对", FuFan(96, 5), SUITS,
        "由同一花色连续七个序数的对子组成的七对和牌。计 96 副 5 翻。不计七对、门前清、清一色、镜数对。",
        seven_in_a_row, "seven pairs in a row",
        definition="Seven pairs of one suit in ranks that follow each other.",
        drops="七对 门前清 清一色 镜数对", implied="混一色",
        example="2233445566778m+8m", near_miss="1133445566778m+8m", rulings="LQ15"),
    row("清一色", FuFan(24, 4), "和牌仅由一色的序数牌组成。计24副4翻。不计混一色。", drops="混一色", rulings="LQ10"),
    row("混一色", FuFan(8, 3), "和牌中至多包含一种花色的序数牌。计8副3翻。",
        english="one suit at most",
        definition="Number tiles of one suit at most.", when=lambda h: suits(h.t1) <= 1,
        near_miss="12345678m22pNNN+9m", rulings="LQ10"),
    row("缺一门", FuFan(2, 1), "和牌仅由某两种花色的序数牌组成。计2副1翻。",
        english="exactly two suits, no honours", definition="Number tiles of exactly two suits, and no honours.",
        when=lambda h: (has_honours(h) == 0) & (suits(h.t1) == 2), rulings=""),
)  # fmt: skip

RANK_ROWS = (
    row("二数", FuFan(48, 5), "和牌仅由两种序数的序数牌组成。计48副5翻。不计对对和、双同刻。", drops="对对和 双同刻",
        rulings="LQ15"),
    row("三聚", FuFan(24, 3), "和牌仅由连续的某三种序数的序数牌组成,且包含全部三个序数。计24副3翻。"),
    row("四聚", FuFan(8, 3), "和牌仅由连续的某四种序数的序数牌组成,且包含全部四个序数。计8副3翻。"),
    row("九数贯通", FuFan(12, 3),
        "和牌仅由序数牌组成,包含全部九个序数,且任意两个面子之间、面子和雀头之间都没有重复序数。计12 副3 翻。"),
)  # fmt: skip

WHOLE_ROWS = (
    row("镜数", FuFan(12, 3),
        "仅由序数牌组成的、对称的一般形和牌。所谓\"对称\"即:存在一整数或半整数 q,使得将和牌拆解为雀头和四个面子后,"
        "将每个部分的序数关于 q 镜像,仍是原和牌的一种拆解方式。此处面子的明与暗,刻子是否成杠均不作区分。计 12 副 3 翻。"),
    row("镜数对", FuFan(24, 3),
        "只含序数牌的、对称的七对和牌。所谓\"对称\"即:存在一整数n,使得将和牌中每个对子的序数关于n镜像后,"
        "仍是原来的和牌。计24副3翻。可加计七对。"),
)  # fmt: skip

SAME_ROWS = (
    row("四同顺", FuFan(128, 6), "和牌中有四副同色同数的顺子。计128副6翻。不计四归、三同顺、二般高、一般高。",
        definition="Four chows alike.",
        drops="四归 三同顺 二般高 一般高"),
    row("三同顺", FuFan(32, 4), "和牌中有三副同色同数的顺子。计32副4翻。不计一般高。",
        definition="At least three chows alike.", when=lambda h: h.c3 != 0,
        drops="一般高", rulings=""),
    row("二般高", FuFan(24, 3), "和牌中有两组各两副同色同数的顺子。计24副3翻。不计一般高。", drops="一般高"),
    row("一般高", FuFan(4, 2), "和牌中有两副同色同数的顺子。计4副2翻。",
        definition="Two chows alike.", when=lambda h: h.c2 != 0, rulings=""),
)  # fmt: skip

RELATED_ROWS = (
    row("三同刻", FuFan(24, 3), "和牌中有三副两两异色同数的刻子。计24副3翻。不计双同刻。", drops="双同刻"),
    row("双同刻", FuFan(4, 2),
        "和牌中有两副异色同数的刻子。计 4 副 2 翻。当和牌中有两组各两副异色同数的刻子时,可计两次该番种。"),
    row("三色同顺", FuFan(8, 3), "和牌中有三色三副同数的顺子。计8副3翻。不计喜相逢。", drops="喜相逢"),
    row("喜相逢", FuFan(2, 1),
        "和牌中有两副异色同数的顺子。计2副1翻。与镜同互斥。当和牌中有两组各两副异色同数的顺子时,可计两次该番种。"),
    row("三同二对", FuFan(24, 3), "七对和牌中, 每一个花色都有某两个序数的对子。计 24 副 3 翻。可加计七对。"),
    row("镜同", FuFan(4, 3),
        "和牌中有两色序数牌各组成两副面子, 其中对于一种花色的任一面子, 在另一种花色中均有与之序数相同的面子。"
        "计4副3翻。与双龙会互斥。", conflicts="双龙会"),
    row("镜同对", FuFan(16, 3),
        "七对和牌中,有三个同花色的对子,且另一花色中有三个序数与它们相同的对子。计 16 副 3 翻。可加计七对。"),
    row("四连刻", FuFan(64, 4), "和牌中有同色四副序数连续的刻子。计64副4翻。不计三连刻。", drops="三连刻",
        implied="对对和", rulings="LQ14"),
    row("三连刻", FuFan(24, 3), "和牌中有同色三副序数连续的刻子。计24副3翻。"),
    row("四步高", FuFan(48, 4), "和牌中有同色四副序数依次递增1的顺子。计48副4翻。不计三步高、连六。",
        drops="三步高 连六"),
    row("三步高", FuFan(16, 3), "和牌中有同色三副序数依次递增1的顺子。计16副3翻。与三连环互斥。", conflicts="三连环"),
    row("四连环", FuFan(32, 4),
        "和牌中有同色四副序数依次递增 2 的顺子,即同色的 123、345、567 和 789。计 32 副 4 翻。不计三连环、老少副。",
        drops="三连环 老少副"),
    row("三连环", FuFan(8, 3), "和牌中有同色三副序数依次递增2的顺子。计8副3翻。与三步高互斥。", conflicts="三步高"),
    row("一气贯通", FuFan(8, 3),
        "和牌中有同色三副序数依次递增 3 的顺子,即同色的 123、456 和 789。计 8 副 3 翻。与双龙会互斥。不计连六、老少副。",
        drops="连六 老少副", conflicts="双龙会"),
    row("双龙会", FuFan(8, 3),
        "和牌中有两组各两副同色且序数相差 3 的顺子, 或两组各两副同色的 123、789 顺子。计 8 副 3 翻。"
        "与一气贯通互斥。不计连六、老少副。", drops="连六 老少副", conflicts="镜同 一气贯通",
        example="123456m23456pCC+7p"),
    row("连六", FuFan(2, 1), "和牌中有同色两副序数相差3的顺子。计2副1翻。与三色贯通互斥。", conflicts="三色贯通"),
    row("老少副", FuFan(2, 1), "和牌中有同色的 123、789 两副顺子。计2副1翻。与三色贯通互斥。", conflicts="三色贯通"),
    row("三色连刻", FuFan(8, 2), "和牌中有三色三副序数依次递增1的刻子。计8副2翻。"),
    row("三色步高", FuFan(4, 2), "和牌中有三色三副序数依次递增1的顺子。计4副2翻。与三色连环互斥。",
        conflicts="三色连环"),
    row("三色连环", FuFan(4, 2), "和牌中有三色三副序数依次递增2的顺子。计4副2翻。与三色步高互斥。",
        conflicts="三色步高"),
    row("三色贯通", FuFan(8, 2),
        "和牌中有三色三副序数依次递增3的顺子,即一色的123、另一色的456和余下一种花色的789。计8副2翻。与连六、老少副互斥。",
        conflicts="连六 老少副"),
    fan("镜龙会", FuFan(12, 3), RELATED,
        "和牌同时满足镜同和双龙会。计12副3翻。不计喜相逢、镜同、双龙会、连六、老少副。",
        lambda h: mirror_suits(h) & six_twice(h), "two suits alike, three apart",
        definition="Two suits alike as well as two couples of chows three ranks apart (or of 123 and 789).", of=4,
        drops="喜相逢 镜同 双龙会 连六 老少副",
        example="45m123456p88s(123m)+6m", near_miss="123456m23456pCC+7p"),
)  # fmt: skip

FANS = (
    LUCK + SPECIAL + SETS + HONOUR_ROWS + TERMINAL_ROWS + SUIT_ROWS + RANK_ROWS + WHOLE_ROWS + SAME_ROWS + RELATED_ROWS
)
