"""Texts of `quepu stats`."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

STATS: Final[dict[str, Text]] = {
    "cmd.stats": Text("战绩：一批牌谱里各人的和率、放铳率、名次、评分", "Figures of players over any set of logs"),
    "arg.logs": Text("牌谱的文件夹或文件", "a folder of logs, or a file"),
    "opt.player": Text("只看这一位，连同番种、对手", "one player alone, with fans and opponents"),
    "opt.roster": Text("名册文件：改过名、并过人的算在一起（quepu roster）", "a roster (quepu roster): who is who"),
    "cmd.roster": Text(
        "名册：改名、两个同名的人、并成一个人", "The roster: renaming, two of one name, two that are one"
    ),
    "arg.roster": Text(
        "名册文件；第一处改动时新建。没有改动时列出其中的人",
        "The roster; the first change makes the file. Without a change its players are listed.",
    ),
    "arg.roster.change": Text(
        "一处改动：add 名字 [备注]、rename 名字 新名字 [备注]、merge 名字 并入谁、seat 文件 名字 是谁、undo 号",
        "One change: add NAME [NOTE], rename NAME NEW [NOTE], merge NAME INTO, seat FILE NAME WHO, or undo ID.",
    ),
    "roster.changes": Text(
        "add 名字 [备注]、rename 名字 新名字 [备注]、merge 名字 并入谁、seat 文件 名字 是谁、undo 号",
        "add NAME [NOTE], rename NAME NEW [NOTE], merge NAME INTO, seat FILE NAME WHO, undo ID",
    ),
    "roster.id": Text("号", "id"),
    "roster.names": Text("用过的名字", "names"),
    "roster.change": Text("改动", "change"),
    "roster.undone": Text("（已撤回）", " (undone)"),
    "roster.empty": Text("名册里还没有改动。", "Nothing is written in this roster yet."),
    "stats.files": Text(
        "{matches} 场，{hands} 局；读不了的文件 {unread} 个。",
        "{matches} matches, {hands} hands; {unread} files cannot be read.",
    ),
    "stats.player": Text("玩家", "player"),
    "stats.matches": Text("场", "matches"),
    "stats.hands": Text("局", "hands"),
    "stats.win": Text("和率", "wins"),
    "stats.self_draw": Text("自摸率", "self-drawn"),
    "stats.deal_in": Text("放铳率", "deal-ins"),
    "stats.points": Text("和了平均", "mean win"),
    "stats.mean": Text("局均", "a hand"),
    "stats.place": Text("平均名次", "mean place"),
    "stats.total": Text("总分", "total"),
    "stats.rating": Text("评分", "rating"),
    "stats.fan": Text("番种", "fan"),
    "stats.count": Text("次", "times"),
    "stats.share": Text("和牌中", "of wins"),
    "stats.exact": Text("全部和牌中", "of all wins"),
    "stats.opponent": Text("对手", "opponent"),
    "stats.above": Text("胜", "above"),
    "stats.below": Text("负", "below"),
    "stats.difference": Text("分差", "difference"),
    "stats.lost": Text("别家的记录（{count} 个文件）：{text}", "records of other programs ({count} files): {text}"),
    "opt.mistakes": Text(
        "也复盘每一局：失误的种类、少收的分、走势、最贵的几个（每局约一秒）",
        "review every hand, too: mistakes by kind, points lost, trend, the costliest (a second a hand)",
    ),
    "stats.mistakes": Text(
        "\n{name}（{book}）：复盘了 {matches} 场 {hands} 局，{n} 个决定，保住 {kept:.1%}；"
        "失误 {mistakes}，大失误 {blunders}，共占 {rate:.1%}（{low:.1%}–{high:.1%}）；一局少收 {cost}。",
        "\n{name}, {book}: {matches} matches and {hands} hands reviewed, {n} decisions, kept {kept:.1%}; "
        "{mistakes} mistakes, {blunders} blunders, together {rate:.1%} ({low:.1%}–{high:.1%}); "
        "{cost} points lost in a hand.",
    ),
    "stats.no_mistakes": Text("\n{name}（{book}）：没有可以复盘的决定。", "\n{name}, {book}: no decisions to review."),
    "stats.kind": Text("失误种类", "kind of mistake"),
    "stats.short": Text("共少收", "points lost"),
    "stats.each": Text("每次", "each"),
    "stats.match": Text("牌谱", "match"),
    "stats.cost": Text("一局少收（95 %）", "lost in a hand (95 %)"),
    "stats.worst": Text(
        "{at} 第 {hand} 局第 {step} 步 {kind}，少收 {cost}：{why}",
        "{at}, hand {hand}, event {step}, {kind}, {cost} points: {why}",
    ),
    "stats.unread": Text("没有读：{path}：{why}", "not read: {path}: {why}"),
    "stats.unread.several": Text(
        "没有读 {count} 个文件（如 {path}）：{why}", "not read: {count} files, such as {path}: {why}"
    ),
}
