"""What 玉雀 states a second time: how many rows, how many of each priority, and the summary table."""

ROWS = 62
BY_PRIORITY = {1: 22, 2: 10, 3: 1, 4: 3, 5: 2, 6: 9}
"""Of table II."""
SUMMARY = {
    35: "四同顺", 30: "九莲宝灯", 20: "四步高", 18: "天和 地和", 17: "四杠 大四喜 三同顺 清幺九", 16: "四连环",
    15: "小四喜 清双龙会 字一色", 13: "四连刻 二般高", 12: "大三元", 11: "小三元 三步高", 10: "四暗刻 三杠 三风刻",
    9: "数同 清带幺", 8: "一气贯通 三连环 三色同刻 混幺九", 7: "三色贯通 双龙会 三连刻 三色同顺 镜同 混带幺",
    6: "三色连刻 二同刻 幺九四刻", 5: "三暗刻 双杠 一般高 二相逢", 3: "幺九三刻", 2: "门前清",
    1: "双暗刻 杠 岭上开花 海底捞月 河底捞鱼 抢杠 番牌:门风牌 番牌:中 番牌:發 番牌:白 喜相逢 双同刻", 0: "对对和",
}  # fmt: skip
"""计番简表: the fans of each value, as printed there, by priority."""
LESS = {13: "清一色:萬 清一色:筒 清一色:索", 7: "混一色:萬 混一色:筒 混一色:索"}
"""Its other rows, by what is left once 2 fan are taken off."""
WITHOUT_EXAMPLE = {"番牌:门风牌", "番牌:中", "番牌:發", "番牌:白", "门前清"}
"""Rows of table II without a hand beside them."""
