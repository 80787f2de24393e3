"""Faults of 国标: those of 1998, of the International League's supplementary rules of 2025, and of European tournaments.

The seed names 罚分, 罚张, 错和 and 诈和 without amounts; which list applies is a setting of the book, and a house can
change any of it (`[penalties]` of its rules). The wording is ours.
"""

from __future__ import annotations

from typing import Any

from quepu.errors import Text
from quepu.rules.faults import Fault
from quepu.rules.rulebook import Rulebook


def _fault(key: str, zh: str, en: str, points: int = 0, *, again: str = "", names: str = "", **more: Any) -> Fault:
    return Fault(
        key,
        Text(zh, en),
        points,
        again=tuple(map(int, again.split())),
        names=tuple(names.split()),
        **{"to": "nobody"} | more,
    )


BOOK_OF_1998 = (
    _fault("错和", "牌型能和而不够起和分（1998 年竞赛规则）：赔各家，当盘停和",
           "a complete hand below the minimum (rules of 1998): to each other, dead hand", 10, to="others", barred=True),
    _fault("和错牌", "听牌而所和不是所听的牌：同错和", "ready, but for another tile: as a false win", 10, to="others", barred=True),
    _fault("诈和", "没有听牌而报和：赔各家，当盘停和", "a win announced by a hand that is not ready: to each other, dead hand",
           20, to="others", barred=True, names="诈胡 诈糊"),
    _fault("相公", "多张、少张：当盘停和", "a tile too many or too few: dead hand", barred=True, names="多张 少张"),
    _fault("错吃碰杠", "错吃、错碰、错杠：当盘停和", "a wrong chow, pung or kong: dead hand", barred=True, names="错吃 错碰 错杠"),
    _fault("空吃碰杠", "空吃、空碰、空杠：先警告，再犯罚分", "a claim without the tiles: a warning, then points", again="5 10 20",
           names="空吃 空碰 空杠"),
    _fault("提前摸牌", "先警告，再犯罚分", "a draw out of turn: a warning, then points", again="5 10 20"),
    _fault("迟到", "轻者 10，重者 20（另填分数）", "late: 10, or 20 (say so)", 10),
)  # fmt: skip

LEAGUE_OF_2025 = (
    _fault("错和", "牌型能和而不够起和分：当盘停和", "a complete hand below the minimum: dead hand", 40, barred=True),
    _fault("和错牌", "听牌而所和不是所听的牌：当盘停和", "ready, but for another tile: dead hand", 40, barred=True),
    _fault("诈和", "没有听牌而报和：当盘停和", "a win announced by a hand that is not ready: dead hand", 80, barred=True,
           names="诈胡 诈糊"),
    _fault("报和未亮牌", "报和而没有亮牌：当盘停和", "a win announced and not shown: dead hand", barred=True),
    _fault("和牌不规范", "没有按规定报和：和牌无效，作荒牌", "a win not announced as it should be: void, the hand is a draw"),
    _fault("相公", "多张、少张：当盘停和", "a tile too many or too few: dead hand", barred=True, names="多张 少张"),
    _fault("错吃碰杠", "错吃、错碰、错杠：当盘停和", "a wrong chow, pung or kong: dead hand", barred=True, names="错吃 错碰 错杠"),
    _fault("空吃碰杠", "空吃、空碰、空杠：先警告，再犯 10、20，以后每次 40", "a claim without the tiles: a warning, 10, 20, then 40 each",
           again="10 20 40", names="空吃 空碰 空杠"),
    _fault("提前摸牌", "先警告，再犯 10、20、40", "a draw out of turn: a warning, 10, 20, 40", again="10 20 40"),
    _fault("摸错位置", "先警告，再犯 10；影响手牌的停和", "a draw from the wrong place: a warning, then 10; dead hand if it touched the hand",
           again="10"),
    _fault("补花次序", "先警告，再犯 10", "flowers replaced out of turn: a warning, then 10", again="10"),
    _fault("毁坏牌墙", "这一盘重打", "the wall destroyed: the hand is replayed", 80),
    _fault("错暗杠", "局终亮出才发现", "a wrong concealed kong found at the end", 40),
    _fault("迟到", "5 分钟以内", "late by 5 minutes at most", 10),
    _fault("迟到十分钟", "6 至 10 分钟", "late by 6 to 10 minutes", 20),
    _fault("迟到十五分钟", "11 至 15 分钟", "late by 11 to 15 minutes", 40),
    _fault("缺席", "迟到超过 15 分钟：退出这一局，标准分 0，另扣 80", "later than 15 minutes: out of the session, no standard points, 80 off", 80),
)  # fmt: skip

_FOUL = "5 10 20 30 40 50 60"
EUROPE_OF_2010 = (
    _fault("错和", "牌型对而不够 8 分，或算不出来：赔各家，当盘停和", "four sets and a pair, but below 8 points or not counted: to each other, dead hand",
           10, to="others", barred=True),
    _fault("诈和", "亮出的牌型、副或张数不对：赔各家，当盘停和", "shown with a wrong shape, set or number of tiles: to each other, dead hand",
           20, to="others", barred=True, names="诈胡 诈糊"),
    _fault("报和收回", "报和后、亮牌前收回：当盘停和", "a win announced and withdrawn before it is shown: dead hand", barred=True),
    _fault("和牌不规范", "先亮牌后报和，或用别的话报和：当盘停和", "shown before it is announced, or announced by another word: dead hand", barred=True),
    _fault("死手报和", "已停和而报和：由裁判定", "a win announced by a player with a dead hand: up to the referee", open=True),
    _fault("未取和牌张", "没有取和牌张就算番：和牌有效", "the winning tile not taken before the fans are counted: the win stands", 10),
    _fault("动和牌", "用手里的牌计分：当盘停和；用花牌计分，花不计", "tiles of the hand used as counters: dead hand (flowers so used do not count)",
           barred=True),
    _fault("相公", "多张、少张：当盘停和；旁人不得提醒", "a tile too many or too few: dead hand; others may not say so", barred=True, names="多张 少张"),
    _fault("错吃碰杠", "错吃、错碰、错杠，出牌之后：当盘停和", "a wrong chow, pung or kong, after the discard: dead hand", barred=True,
           names="错吃 错碰 错杠"),
    _fault("改正吃碰杠", "错吃、错碰、错杠，出牌之前改正：先警告，再犯罚分", "a wrong claim mended before the discard: a warning, then points",
           again=_FOUL),
    _fault("空吃碰杠", "报了不能做、报错话、报晚了：先警告，再犯罚分", "a claim not carried out, by a wrong word or too late: a warning, then points",
           again=_FOUL, names="空吃 空碰 空杠"),
    _fault("未取所报", "下两家打牌前没有取所报的牌：当盘停和", "the claimed tile not taken before the next two players have discarded: dead hand",
           barred=True),
    _fault("摸错位置", "从牌墙错的地方摸，没有放进手里：先警告，再犯罚分", "a draw from a wrong place, not put into the hand: a warning, then points",
           again=_FOUL),
    _fault("摸错入手", "从牌墙错的地方摸，放进了手里：当盘停和", "a draw from a wrong place, put into the hand: dead hand", barred=True),
    _fault("错补花", "把别的牌当花补，补的牌放进了手里：当盘停和", "another tile replaced as a flower, the replacement put into the hand: dead hand",
           barred=True),
    _fault("错明牌:别家", "碰倒别家的牌：先警告，再犯罚分，裁判可另罚", "another's tile knocked over: a warning, then points; the referee may add more",
           again=_FOUL),
    _fault("错明牌:自家", "别家错和时已亮出自己的牌：当盘停和，亮出的牌要打出", "the own tiles shown at another's false win: dead hand, they are discarded first",
           barred=True),
    _fault("毁坏牌墙", "过早推倒牌墙、牌河：先警告，再犯罚分，裁判可另罚", "the wall or the discards disturbed too early: a warning, then points; the referee may add more",
           again=_FOUL, names="毁坏牌河"),
    _fault("传递信息", "先警告，再犯罚分，裁判可另罚", "information passed: a warning, then points; the referee may add more", again=_FOUL),
    _fault("拖延", "妨碍比赛：裁判定 10 至 60，可另停和", "play obstructed: 10 to 60, as the referee says, who may also bar", open=True),
    _fault("迟到", "10 分钟以内", "late by 10 minutes at most", 10),
    _fault("迟到十五分钟", "11 至 15 分钟", "late by 11 to 15 minutes", 20),
    _fault("缺席", "迟到超过 15 分钟：这一场由替补打，标准分 0", "later than 15 minutes: a substitute plays the session, no table points"),
)  # fmt: skip
"""Of the regulations of European tournaments (MERS, version 1.1 of August 2010) and EMA's table of penalties (20 June
2009). A foul costs a warning, then 5, 10, 20, 30 and so on; the count begins anew with each session."""

LEFT_TO_THE_REFEREE = tuple(
    fault._replace(points=0, again=(), to="nobody", barred=False, open=True) for fault in EUROPE_OF_2010
)
"""The same cases, each for the price that the referee says."""

SETS = {
    "1998": BOOK_OF_1998,
    "2025": LEAGUE_OF_2025,
    "2010": EUROPE_OF_2010,
    "referee": LEFT_TO_THE_REFEREE,
    "none": (),
}
"""By the setting `penalties`."""


def faults(book: Rulebook, least: int) -> tuple[Fault, ...]:
    """Return the faults of a book."""
    chosen = book.settings.get("penalties")
    if chosen:
        return SETS[chosen]
    text = Text(
        "不符合和牌规定而宣布的和牌。向每家付最小自摸之数，当局停和陪打",
        "an invalid win: the price of the least self-draw to each other player, and a dead hand",
    )
    return (Fault("错和", text, least, to="others", barred=True),)
