"""Texts about hands and rulebooks: a score, waits, fans, two books compared."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

HANDS: Final[dict[str, Text]] = {
    # ---- a score
    "head.fan": Text("番种", "fan"),
    "head.category": Text("类别", "category"),
    "head.groups": Text("组成", "made of"),
    "head.sentence": Text("原文", "what it is"),
    "head.not_counted": Text("不计", "not counted"),
    "not_counted": Text("不计：{names}", "not counted: {names}"),
    "head.why": Text("原因", "why"),
    "head.other": Text("其他拆法", "other readings"),
    "seat": Text("门风{wind}", "seat {wind}"),
    "round": Text("圈风{wind}", "round {wind}"),
    "self_draw": Text("自摸", "self-drawn"),
    "discard": Text("点和", "on a discard"),
    "flowers": Text("花牌 {n} 张", "{n} flowers"),
    "flowers.named": Text("花牌 {names}", "flowers {names}"),
    "can_win": Text("可和", "valid hand"),
    "short": Text("不够起和：起和 {minimum}，差 {short}", "below the minimum of {minimum}: {short} short"),
    "total": Text("合计 {total}", "{total} in all"),
    "no_fan": Text("没有番种", "no fan"),
    "hint.waits": Text("去掉和张，它听：{tiles}", "without its winning tile it waits on {tiles}"),
    "hint.steps": Text("去掉和张，{distance}", "without its winning tile it is {distance}"),
    "wins.more": Text("在和张前写 +，即可算番。", "Write + before the winning tile to score the hand."),
    # ---- waits
    "waits.head": Text("听 {n} 种 {left} 张", "waits on {n} kinds, {left} tiles"),
    "waits.worth": Text("终局未和：{text}", "ready at the end without a win: {text}"),
    "waits.dead": Text("听 {n} 种，但都不可和", "waits on {n} kinds, none of which makes a valid hand"),
    "waits.not_ready": Text("{distance}，进张 {n} 种 {left} 张", "{distance}; useful: {n} kinds, {left} tiles"),
    "waits.empty": Text(
        "虚听 {tiles}：四张都在自己手里，不算听牌；{steps}",
        "would wait on {tiles}, but already holds all four, so it is not ready; {steps}",
    ),
    "waits.more": Text(
        "另有 {n} 种打法更远，--all 可看。", "{n} more discards leave the hand further away; --all shows them."
    ),
    "head.tile": Text("牌", "tile"),
    "head.left": Text("余", "left"),
    "head.by_discard": Text("点和", "on a discard"),
    "head.by_self_draw": Text("自摸", "self-drawn"),
    "head.note": Text("说明", "note"),
    "head.discard": Text("打", "discard"),
    "head.state": Text("之后", "then"),
    "head.useful": Text("听牌 ×余 点和/自摸，或进张", "waits ×left discard/self-draw, or useful tiles"),
    # ---- fans, books, diff
    "head.id": Text("编号", "id"),
    "head.title": Text("名称", "title"),
    "head.fans": Text("番种数", "fans"),
    "head.minimum": Text("起和", "minimum"),
    "head.aliases": Text("别名", "aliases"),
    "head.circumstances": Text("和牌情形", "circumstances"),
    "head.section": Text("编号", "key"),
    "rules.how": Text(
        "看一节：quepu rules {book} 编号；全部：quepu rules {book}",
        "One section: quepu rules {book} KEY; all: quepu rules {book}",
    ),
    "rules.book": Text("原文：", "Original text: "),
    "rulings.fans": Text("番种：", "Fans: "),
    "rules.ruling": Text("（裁定 {id}）", " (ruling {id})"),
    "book.also": Text("也可写", "other spellings"),
    "book.flower": Text("每张花", "each flower"),
    "book.base": Text("基础规则", "based on"),
    "book.revisions": Text(
        "修订 {n} 次（此前的各版仍可用，如 -r {id}@1）", "{n} revisions (earlier ones remain usable: -r {id}@1)"
    ),
    "book.readings": Text("另有解读：", "Other interpretations: "),
    "book.cap": Text("封顶", "capped at"),
    "book.revision": Text("修订", "revision"),
    "book.date": Text("日期", "date"),
    "books.skipped": Text(
        "没有用 {package} 的规则 {name}：{why}", "the rulebook {name} of {package} is not used: {why}"
    ),
    "club.begin": Text(
        "{book}：回答 {n} 个问题；直接回车用默认的（带 *）。", "{book}: {n} questions; press Enter for the default (*)."
    ),
    "club.name": Text("规则叫什么（默认 {name}）：", "Name of the rules ({name}): "),
    "club.ask": Text("{at}/{n} {text}", "{at}/{n} {text}"),
    "club.between": Text(
        "   或在 = 后写 {low} 到 {high} 的数，如 ={example}",
        "   or type = and a number from {low} to {high}, such as ={example}",
    ),
    "club.free": Text("   或在 = 后写自定的值", "   or type = and a value of your own"),
    "club.answer": Text("选几：", "Choice: "),
    "club.made": Text(
        "规则文件 {file}，卡片 {card}。用它：quepu match -r {file}",
        "Rules: {file}. Card: {card}. Use: quepu match -r {file}",
    ),
    "rules.new": Text(
        "一个小规则包，改成你的书。装上：pip install -e {folder}；试它：python -m pytest {folder}、quepu books。",
        "A package with a small rulebook to turn into your own. Install it: pip install -e {folder}. Try it: "
        "python -m pytest {folder}, quepu books.",
    ),
    "book.options": Text(
        "可选规则 {n} 项（粗体为当前值，写进 .toml 的 [options] 即可更改）",
        "{n} options (current in bold; change them under [options] in a .toml file)",
    ),
    "book.option": Text("选项", "option"),
    "book.between": Text("{least} 到 {most} 的整数", "a whole number from {least} to {most}"),
    "book.choices": Text("取值", "choices"),
    "head.conformance": Text("对照例", "cases passed"),
    "conformance.sum": Text("对照例 {right}/{cases} 相符", "{right} of {cases} cases match"),
    "conformance.example": Text("书中牌例", "examples"),
    "conformance.positive": Text("成立", "positive"),
    "conformance.near_miss": Text("差一点（不成立）", "near misses"),
    "conformance.clause": Text("不计", "exclusions"),
    "conformance.ruling": Text("裁定", "rulings"),
    "conformance.payment": Text("收付", "payments"),
    "conformance.cases": Text("例", "cases"),
    "conformance.points": Text("点数相符", "points match"),
    "conformance.fans": Text("番种也相符", "fans match too"),
    "conformance.differs": Text("应为 {expect}，答 {answer}", "expected {expect}, answered {answer}"),
    "head.open": Text("待定裁定", "open rulings"),
    "head.fingerprint": Text("指纹", "fingerprint"),
    "fan.as.pair": Text("　对", "  as a pair"),
    "fan.value": Text("分值", "value"),
    "fan.written": Text("原规则分值", "value in the original rulebook"),
    "fan.category": Text("类别", "category"),
    "fan.most": Text("最多计", "counts at most"),
    "fan.most.times": Text("{n} 次", "{n} times"),
    "fan.of": Text("涉及", "made of"),
    "fan.of.all": Text("整手牌", "the whole hand"),
    "fan.of.each": Text("每处各计一次", "each occurrence separately"),
    "fan.of.n": Text("{n} 组", "{n} groups"),
    "fan.drops": Text("不计", "not counted with it"),
    "fan.dropped_by": Text("哪些番种不计它", "not counted beside"),
    "fan.conflicts": Text("互斥", "mutually exclusive"),
    "fan.share": Text("常见度", "how common"),
    "fan.share.of": Text("{share}（占全部可能和牌：{state}）", "{share} of all possible wins: {state}"),
    "fan.least": Text("最少", "lowest"),
    "fan.least.of": Text("{points}，如 {hand}", "{points}, e.g. {hand}"),
    "fan.aliases": Text("别名", "also called"),
    "fan.example": Text("牌例", "example"),
    "fan.near_miss": Text("差一点（不成立）", "near miss"),
    "fan.why_not": Text("不计此番种：{why}", "does not count: {why}"),
    "fan.rulings": Text("裁定", "rulings"),
    "fan.by_rulings": Text("（裁定 {ids}）", " (rulings {ids})"),
    "open_question": Text("待定", "open"),
    "diff.yes": Text("是", "yes"),
    "diff.no": Text("否", "no"),
    "diff.same": Text("两本规则的番种完全相同。", "The two rulebooks have the same fans."),
    "diff.added": Text("新增", "Added"),
    "diff.removed": Text("删去", "Removed"),
    "diff.revalued": Text("改值", "Revalued"),
    "diff.redefined": Text("改文", "Reworded"),
    "diff.relations": Text("改不计或互斥", "Relations changed"),
    "diff.reread": Text("改判定（原文未改）", "Holds for different hands (same wording)"),
    "diff.rewritten": Text("写法不同，试过的牌都一样", "Written differently, same result in every hand tried"),
    "diff.moved": Text("改类别", "Category changed"),
    "diff.rules": Text("规则文字", "Rules text"),
    "diff.figures": Text("优先级、组数、剩余数", "Priorities, groups, residues"),
    "diff.play": Text("行牌、比赛、罚例", "Table, match, penalties"),
    "diff.renamed": Text("改名", "Renamed"),
    "diff.minimum": Text("起和", "Minimum"),
    "diff.summary": Text(
        "新增 {added}，删去 {removed}，改名 {renamed}，改值 {revalued}，改文 {redefined}，改判定 {reread}，"
        "改不计或互斥 {relations}。",
        "{added} added, {removed} removed, {renamed} renamed, {revalued} revalued, {redefined} "
        "reworded, {reread} holding for different hands, {relations} with changed relations.",
    ),
    "diff.hand": Text("同一手牌", "One hand"),
    "diff.no_win": Text("不能和：{why}", "no win: {why}"),
    "points_table.none": Text("{title}没有点数速查表。", "{title} has no points table."),
    "points_table.most": Text("--most 应是 0 到 {most} 的整数。", "--most must be a whole number from 0 to {most}."),
    # ---- the interactive scorer
    "shell.welcome": Text(
        "雀谱 {version} 交互算番。输入一手牌，如 11223sCC(NNNN)(123s)+3s；x 详略，? 帮助，q 退出。",
        "quepu {version}, interactive scorer. Type a hand such as 11223sCC(NNNN)(123s)+3s; x: "
        "details, ?: help, q: quit.",
    ),
    "shell.bye": Text("再见。", "Goodbye."),
    "shell.help.hand": Text(
        "一手牌；13 张看听牌，14 张不写 + 看打哪张", "a hand; 13 tiles: waits; 14 without +: what to discard"
    ),
    "shell.help.rules": Text("换规则（也可用自己的 .toml 文件）", "switch rulebook (or use your own .toml file)"),
    "shell.help.seat": Text("门风", "seat wind"),
    "shell.help.round": Text("圈风", "round wind"),
    "shell.help.draw": Text("自摸与点和之间切换", "self-draw or discard"),
    "shell.help.luck": Text("和牌情形；不带名称则清除", "circumstances of the win; without a name, clear them"),
    "shell.help.flowers": Text("花牌：花名或张数；不带则清除", "flowers: names or a number; without one, clear them"),
    "shell.help.fans": Text(
        "番种的原文、关系与牌例；不带名称列出全表", "one fan in full; without a name, list all fans"
    ),
    "shell.help.explain": Text(
        "详细（原文、不计的原因、其他拆法）或简略", "toggle details (original text, reasons, other readings)"
    ),
    "shell.help.state": Text("看当前设置", "show the current settings"),
    "shell.help.reset": Text("恢复门风、情形、花牌等", "reset winds, circumstances and flowers"),
    "shell.help.lang": Text("换语言", "switch language"),
    "shell.help.leave": Text("退出", "quit"),
    "shell.unknown": Text("不认识这个命令；? 看帮助。", "not a command; ? for help."),
}
