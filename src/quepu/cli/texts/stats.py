"""Texts of `quepu stats`."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

STATS: Final[dict[str, Text]] = {
    "cmd.stats": Text("战绩：一批牌谱里各人的和牌率、放铳率、名次、评分", "Show player statistics from logs"),
    "arg.logs": Text("牌谱的文件夹或文件", "A folder of logs, or a file."),
    "opt.player": Text("只看这一位，连同番种、对手", "Only this player, with fans and opponents."),
    "opt.roster": Text(
        "名册文件：改名、合并过的玩家算作一人（quepu roster）",
        "Roster file: renamed and merged players count as one (quepu roster).",
    ),
    "cmd.roster": Text("名册：改名、区分同名的人、合并同一个人", "Rename, separate or merge the players of a club"),
    "arg.roster": Text(
        "名册文件；第一处改动时新建。没有改动时列出其中的人",
        "Roster file; created by the first change. Without a change, its players are listed.",
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
    "roster.empty": Text("名册里还没有改动。", "This roster has no changes yet."),
    "stats.files": Text(
        "{matches} 场，{hands} 局；读不了的文件 {unread} 个。",
        "{matches} matches, {hands} hands; {unread} files could not be read.",
    ),
    "stats.player": Text("玩家", "player"),
    "stats.matches": Text("场", "matches"),
    "stats.hands": Text("局", "hands"),
    "stats.win": Text("和牌率", "wins"),
    "stats.self_draw": Text("自摸率", "self-drawn"),
    "stats.deal_in": Text("放铳率", "deal-ins"),
    "stats.points": Text("和牌均分", "average win"),
    "stats.mean": Text("局均", "per hand"),
    "stats.place": Text("平均名次", "average place"),
    "stats.total": Text("总分", "total"),
    "stats.rating": Text("评分", "rating"),
    "stats.fan": Text("番种", "fan"),
    "stats.count": Text("次", "times"),
    "stats.share": Text("占自己和牌", "of their wins"),
    "stats.exact": Text("占全部可能和牌", "of all possible wins"),
    "stats.opponent": Text("对手", "opponent"),
    "stats.above": Text("胜", "ahead"),
    "stats.below": Text("负", "behind"),
    "stats.difference": Text("分差", "difference"),
    "stats.lost": Text(
        "其他平台的牌谱（{count} 个文件）：{text}", "records from other platforms ({count} files): {text}"
    ),
    "opt.mistakes": Text(
        "也复盘每一局：失误的种类、少得的分、走势、损失最大的几次（每局约一秒）",
        "Also review every hand: mistakes by kind, points lost, trend, the costliest (about a second per hand).",
    ),
    "stats.mistakes": Text(
        "\n"
        "{name}（{book}）：复盘了 {matches} 场 {hands} 局，{n} 次选择，价值保留 {kept:.1%}；失"
        "误 {mistakes}，大失误 {blunders}，共占 {rate:.1%}（{low:.1%}–{high:.1%}）；每局少得 "
        "{cost}。",
        "\n"
        "{name}, {book}: {matches} matches and {hands} hands reviewed, {n} decisions, accuracy "
        "{kept:.1%}; {mistakes} mistakes, {blunders} blunders, together {rate:.1%} ({low:.1%}–"
        "{high:.1%}); {cost} points lost per hand.",
    ),
    "stats.no_mistakes": Text("\n{name}（{book}）：没有可以复盘的选择。", "\n{name}, {book}: no decisions to review."),
    "stats.kind": Text("失误种类", "kind of mistake"),
    "stats.short": Text("共少得", "points lost"),
    "stats.each": Text("每次", "each"),
    "stats.match": Text("牌谱", "match"),
    "stats.cost": Text("每局少得（95%）", "lost per hand (95%)"),
    "stats.worst": Text(
        "{at} 第 {hand} 局第 {step} 步 {kind}，少得 {cost}：{why}",
        "{at}, hand {hand}, event {step}, {kind}, {cost} points: {why}",
    ),
    "stats.unread": Text("未读取：{path}：{why}", "skipped: {path}: {why}"),
    "stats.unread.several": Text(
        "未读取 {count} 个文件（如 {path}）：{why}", "skipped: {count} files, such as {path}: {why}"
    ),
}
