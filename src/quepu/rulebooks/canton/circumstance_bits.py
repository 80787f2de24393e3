"""The circumstances as plain integers (combining an IntFlag costs a microsecond), and the seed's names for them."""

from __future__ import annotations

from quepu.hands.hand import Luck

SELF_DRAW = int(Luck.SELF_DRAW)
CLOSED = int(Luck.CLOSED)
KONG_DRAW = int(Luck.KONG_DRAW)
LAST_DRAW = int(Luck.LAST_DRAW)
LAST_DISCARD = int(Luck.LAST_DISCARD)
ROBBED_KONG = int(Luck.ROBBED_KONG)
HEAVENLY = int(Luck.HEAVENLY)
EARTHLY = int(Luck.EARTHLY)
FOURTH_TILE = int(Luck.FOURTH_TILE)
FRESH_TILE = int(Luck.FRESH_TILE)
FIRST_ROUND = int(Luck.FIRST_ROUND)
TWO_KONGS = int(Luck.TWO_KONGS)
THREE_KONGS = int(Luck.THREE_KONGS)
READY_AT_DEAL = int(Luck.READY_AT_DEAL)
READY_AT_FIRST = int(Luck.READY_AT_FIRST)
FIRST_CHANCE = int(Luck.FIRST_CHANCE)
HUMANLY = int(Luck.HUMANLY)
SEVEN_FLOWERS = int(Luck.SEVEN_FLOWERS)
EIGHT_FLOWERS = int(Luck.EIGHT_FLOWERS)
ROBBED_FLOWER = int(Luck.ROBBED_FLOWER)
OUTER_DISCARDS = int(Luck.OUTER_DISCARDS)

CIRCUMSTANCES = {
    "自摸": SELF_DRAW,
    "抢杠": ROBBED_KONG,
    "海底捞月": LAST_DRAW | SELF_DRAW,
    "海底捞鱼": LAST_DISCARD,
    "生张": FRESH_TILE,
    "绝张": FOURTH_TILE,
    "杠上开花": KONG_DRAW | SELF_DRAW,
    "连杠开花": TWO_KONGS | KONG_DRAW | SELF_DRAW,
    "三连杠自摸": THREE_KONGS | TWO_KONGS | KONG_DRAW | SELF_DRAW,
    "钟鼓齐鸣": LAST_DRAW | KONG_DRAW | SELF_DRAW,
    "万炮齐发": LAST_DISCARD | ROBBED_KONG,
    "天听": READY_AT_DEAL,
    "地听": READY_AT_FIRST,
    "地听一发": READY_AT_FIRST | FIRST_CHANCE,
    "天糊": HEAVENLY | SELF_DRAW,
    "地糊": EARTHLY | READY_AT_DEAL | SELF_DRAW,
    "人糊": HUMANLY | READY_AT_DEAL,
    "第一圈": FIRST_ROUND,
    "花糊": SEVEN_FLOWERS | SELF_DRAW,
    "八仙过海": EIGHT_FLOWERS | SELF_DRAW,
    "七抢一": ROBBED_FLOWER,
    "流局十番": OUTER_DISCARDS | SELF_DRAW,
}
"""The seed's names; 第一圈 (the first go-round) is what 十三不搭 asks for."""

OTHER_NAMES = {
    "妙手回春": "海底捞月", "一炮而红": "海底捞鱼", "杠上自摸": "杠上开花", "杠上杠自摸": "连杠开花",
    "杠爆": "钟鼓齐鸣", "海底杠自摸": "钟鼓齐鸣", "海底抢杠": "万炮齐发", "双立直": "天听", "天听一发": "人糊",
    "天和": "天糊", "地和": "地糊", "人和": "人糊", "岭上开花": "杠上开花", "河底捞鱼": "海底捞鱼", "和绝张": "绝张",
    "抢杠和": "抢杠", "大花糊": "八仙过海", "幺九振切": "流局十番", "first go-around": "第一圈",
}  # fmt: skip
