"""v26, 丙 0-5: 偶然类 to 幺九类. `implied` are the 不计 that only the general sentence (二甲) gives."""

from __future__ import annotations

from quepu.hands.planes import HONOUR_TILES, OUTER, PAIRS, count, is_form, only
from quepu.rulebooks.lingque.row import HONOURS, FuFan
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

ROWS = LUCK + SPECIAL + SETS + HONOUR_ROWS + TERMINAL_ROWS
