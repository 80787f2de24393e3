"""Texts of `quepu seating`."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

SEATING: Final[dict[str, Text]] = {
    "cmd.seating": Text("编排：多轮比赛谁与谁同桌、坐哪家", "Who sits with whom, and where, in every round"),
    "arg.players": Text(
        "人数，或名单文件（一行一人，可写“名字,队名”）",
        "How many players, or a file with one a line (NAME or NAME,TEAM).",
    ),
    "opt.seating.rounds": Text("轮数", "How many rounds."),
    "opt.odd": Text(
        "凑不满四人一桌时：rest 轮流轮空，three 设三人桌",
        "Where tables of four do not come out: players rest by turns, or there are tables of three.",
    ),
    "opt.absent": Text("某人缺哪几轮，如 张三:1,2；可写多次", "Rounds in which somebody is away; may be repeated."),
    "opt.seating.seed": Text("换一个种子得到另一份编排", "Another seed gives another schedule."),
    "opt.csv.seating": Text("写成 CSV（- 为标准输出）", "Write CSV to this file (- for standard output)."),
    "seating.round": Text("第 {n} 轮", "Round {n}"),
    "seating.table": Text("桌", "table"),
    "seating.resting": Text("轮空：{names}", "resting: {names}"),
    "seating.none": Text("没有人重复同桌", "nobody meets anybody twice"),
    "seating.repeats": Text(
        "重复同桌 {n} 人次（同两人最多 {most} 次）", "repeated: {n} meetings (a pair meets {most} times at the most)"
    ),
    "seating.unavoidable": Text("至少 {n} 次无可避免", "at least {n} of them cannot be avoided"),
    "seating.seats": Text("各人坐四家的次数最多相差 {n}", "a player's seats differ by {n} at the most"),
    "seating.teammates": Text("同队相遇 {n} 次", "{n} meetings within a team"),
    "seating.rests": Text("各人轮空 {least}–{most} 轮", "everybody rests {least}–{most} rounds"),
    "seating.comma": Text("；", "; "),
    "seating.stop": Text("。", "."),
}
