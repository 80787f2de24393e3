"""Every text of the command line in both languages, in one place, and the language that was chosen."""

from __future__ import annotations

import os
from typing import Any, Final

from quepu.errors import Text

LANGUAGES: Final = ("zh", "en")


class Chosen:
    """What holds for this run of the command line."""

    lang: str = "zh"
    tiles: str = "cells"


def language(given: str | None = None) -> str:
    """The language to speak: as given, else QUEPU_LANG, else Chinese."""
    lang = (given or os.environ.get("QUEPU_LANG") or "zh").lower()
    return "en" if lang.startswith("en") else "zh"


def say(key: str, **values: Any) -> str:
    """The text of this key in the chosen language, with values filled in."""
    return TEXTS[key].say(Chosen.lang).format(**values)


def spoken(text: Text) -> str:
    """A text that comes from elsewhere, in the chosen language."""
    return text.say(Chosen.lang)


def pick(zh: str, en: str) -> str:
    """One of two spellings of a thing that is data and not a sentence."""
    return en if Chosen.lang == "en" else zh


TEXTS: Final[dict[str, Text]] = {
    # ---- the program and its options
    "app": Text(
        "雀谱：麻将规则的算番、听牌与比较。不带命令时进入交互算番。",
        "quepu: score, explain and compare Chinese mahjong rulebooks. Without a command: an interactive scorer.",
    ),
    "app.epilog": Text(
        "手牌写法：11223sCC(NNNN)(123s)+3s　也可写 一万二筒三索东中白。--lang、--tiles 可放在任何位置。",
        "A hand: 11223sCC(NNNN)(123s)+3s, melds in brackets, the winning tile after +. --lang, --tiles go anywhere.",
    ),
    "opt.help": Text("显示帮助", "Show this help."),
    "opt.version": Text("显示版本", "Show the version."),
    "opt.lang": Text("语言：zh 或 en（也可设环境变量 QUEPU_LANG）", "Language: zh or en (or set QUEPU_LANG)."),
    "opt.tiles": Text("牌的画法：cells、unicode 或 ascii", "How tiles are drawn: cells, unicode or ascii."),
    "opt.rules": Text("规则：编号、别名或 .toml 文件", "Rulebook: an id, an alias, or a .toml file."),
    "opt.seat": Text("门风：东南西北或 E S W N", "Own wind: E S W N."),
    "opt.round": Text("圈风：东南西北或 E S W N", "Round wind: E S W N."),
    "opt.self_draw": Text("自摸", "The winning tile was drawn."),
    "opt.with": Text("和牌情形，如 岭上开花（可重复）", "A circumstance of the win, such as 岭上开花 (repeatable)."),
    "opt.flowers": Text("花牌：花名如 春梅，或张数", "Flowers: names such as 春梅, or how many."),
    "opt.json": Text("只输出一个 JSON", "Print one JSON document and nothing else."),
    "opt.jsonl": Text("逐行读 JSON（或手牌），逐行回答", "Read lines of JSON (or hands), answer line by line."),
    "opt.explain": Text(
        "连同不计的番种、原文与其他读法", "Also what is not counted and why, sentences, other readings."
    ),
    "opt.seen": Text("已在别处亮出的牌", "Tiles that lie open elsewhere."),
    "opt.host": Text(
        "监听的地址；0.0.0.0 让同一网络的人也能用", "Address to listen on; 0.0.0.0 opens it to the network."
    ),
    "opt.port": Text("端口；0 由系统挑", "Port; 0 takes a free one."),
    "opt.data": Text(
        "存数据的文件夹（默认在用户数据文件夹）", "Folder for data (by default in the user's data folder)."
    ),
    "opt.database": Text(
        "数据库地址，如 postgresql://…（默认用 SQLite）", "Database address, as postgresql://… (SQLite by default)."
    ),
    "opt.no_browser": Text("不打开浏览器", "Do not open a browser."),
    "opt.most": Text("列到多少番", "How many fan to go up to."),
    "opt.all": Text("也列出最差的打法", "List every discard."),
    "arg.log": Text("牌谱文件（JSON 行）", "A log (JSON lines)."),
    "arg.match": Text("记分文件；有则继续，无则新开", "The score file: gone on with, or begun."),
    "opt.names": Text("四位玩家，按起家东南西北", "Four players, as they begin at E S W N."),
    "opt.match_rounds": Text("打几圈（0 为规则所定）", "How many rounds (0: as the book says)."),
    "opt.ranked": Text("计名次（玉雀可能加打）", "The match is about rank (玉雀 may play on)."),
    "opt.log_rules": Text("牌谱所用的自定规则文件", "The house rules that the log was played under."),
    "opt.replay_seat": Text("只看一家的牌", "Show one seat's tiles only."),
    "opt.play_bots": Text("对手的级别，可用逗号给出三个", "The bots' level, or three with commas."),
    "opt.rounds": Text("打几圈", "How many rounds."),
    "opt.play_seed": Text(
        "牌墙种子（不给则由系统随机并作承诺）", "A seed for the walls (else random, and committed to)."
    ),
    "opt.name": Text("你的名字", "Your name."),
    "opt.play_log": Text("牌谱写到哪个文件", "Where to write the log."),
    "opt.resume": Text("继续上一次没打完的对局", "Go on with the game that was left."),
    "opt.bots": Text(
        "四个机器人的级别：random plain closed steps gain", "Four levels: random plain closed steps gain."
    ),
    "opt.hands": Text("打多少局（复式时为多少副牌墙）", "How many hands (walls, in a duplicate match)."),
    "opt.seed": Text("随机种子：同一种子，同一结果", "The seed: the same seed gives the same result."),
    "opt.jobs": Text("用几个进程", "How many processes."),
    "opt.duplicate": Text("复式：每副牌墙由各种座次各打一次", "Duplicate: each wall is played by every seating."),
    "opt.cluster": Text("Dask 调度器地址", "The address of a Dask scheduler."),
    "opt.csv": Text("把表格写入 CSV 文件", "Write the table to a CSV file."),
    "opt.payable": Text(
        "离最近的可和牌还差几张，每种打法保留多少（首次要建表，约十秒）",
        "How far from a hand that may win, what each discard keeps (builds a table once, some ten seconds).",
    ),
    "opt.category": Text("只看这一类", "Only this category."),
    "arg.hand": Text("手牌，和牌张写在 + 后", "The hand, the winning tile after +."),
    "arg.hand.waits": Text(
        "13 张手牌（看听牌）或 14 张（看打哪张）", "13 tiles (what they wait for) or 14 (what to discard)."
    ),
    "arg.hand.diff": Text("在两本规则下比较这手牌", "Compare this hand under both."),
    "arg.shell": Text("哪一种 shell：bash、zsh 或 fish", "Which shell: bash, zsh or fish."),
    "arg.fan": Text("番种名称", "Name of a fan."),
    "arg.book": Text("规则；不写则列出有速查表的", "Rulebook; without it, those that have such a table."),
    "arg.rules.lab": Text("规则：编号、别名或 .toml 文件", "Rulebook: an id, an alias, or a .toml file."),
    "opt.csv.lab": Text("写成 CSV 文件（- 为标准输出）", "Write a CSV file (- for standard output)."),
    "opt.markdown": Text("写成 Markdown 文件", "Write a Markdown file."),
    "opt.plot": Text("画成 .svg、.png 或 .html", "Draw an .svg, .png or .html file."),
    "opt.all.lab": Text("显示全部行", "Show every row."),
    "opt.state": Text(
        "和牌状态：closed-draw closed-discard open-draw open-discard pungs-hidden pungs-open kongs hidden-kongs "
        "single-closed single-open closed-each open-each one-kong mixed-kongs one-flower four-flowers",
        "How the hands lie: closed-draw closed-discard open-draw open-discard pungs-hidden pungs-open kongs "
        "hidden-kongs single-closed single-open closed-each open-each one-kong mixed-kongs one-flower four-flowers.",
    ),
    "opt.fresh": Text("重新枚举，不用上次的结果", "Enumerate anew instead of using what was kept."),
    "opt.publish": Text(
        "重算并写入随程序发布的数据文件", "Work out and write the data file that comes with the program."
    ),
    "opt.least": Text(
        "在所有状态与情形中找含各番种的最小点数", "Look for the cheapest hand with each fan in every state."
    ),
    "opt.output": Text("写到哪个文件", "Where to write it."),
    "opt.pung": Text("每副刻子的权", "What each pung weighs."),
    "opt.played": Text(
        '对局结果文件：{{"wins": 和牌数, "fans": {{番种: 次数}}}}',
        'A file of wins: {{"wins": number, "fans": {{fan: number}}}}.',
    ),
    "opt.against": Text("另一版本，画出番种的移动", "Another edition: how fans moved from it."),
    "opt.table": Text(
        "只要哪些表：values factors joint played payable moved",
        "Which tables: values factors joint played payable moved.",
    ),
    "lab.written": Text("已写入 {path}", "written: {path}"),
    "lab.drawn.first": Text(
        "图是第一张表的；未画：{more}（用 -t 或 -S 选一张，或画成 .html）",
        "the drawing is of the first table; not drawn: {more} (choose one with -t or -S, or draw an .html)",
    ),
    "stopped": Text("已中断，什么也没有写。", "stopped; nothing was written."),
    "lab.partial": Text("未完成：只输出了已算出的部分。", "cut short: only what was done is given."),
    "lab.more": Text("另有 {n} 行（--all 显示全部）", "{n} more rows (--all shows them)"),
    "lab.striking": Text("逐个删去番种", "striking out fans"),
    "lab.comparing": Text("在两本规则下算全部和牌", "scoring every hand under both"),
    "arg.book.facts": Text("规则：看它的和牌情形与可选的规矩", "A rulebook: its circumstances and options."),
    "arg.old": Text("旧规则", "The old rulebook."),
    "arg.new": Text("新规则", "The new rulebook."),
    "title.arguments": Text("参数", "Arguments"),
    "title.options": Text("选项", "Options"),
    "title.commands": Text("命令", "Commands"),
    "usage": Text("用法：", "Usage: "),
    # ---- commands in one line
    "cmd.score": Text("算一手牌值多少，为什么", "What a hand is worth, and why"),
    "cmd.waits": Text("看听什么牌、每张值多少；14 张时看打哪张", "What a hand waits for, with points; what to discard"),
    "cmd.fans": Text("番种表，或一个番种的原文、关系与例牌", "The rulebook as a table, or one fan in full"),
    "cmd.books": Text("有哪些规则", "Which rulebooks there are"),
    "cmd.diff": Text("比较两本规则（或一手牌在两本下的得分）", "Compare two rulebooks (or one hand under both)"),
    "cmd.points-table": Text("点数速查表：各番数的点数与各家得失", "The payments of each number of fan, as a table"),
    "cmd.lab": Text("实验室：对全部和牌精确测量一本规则", "The lab: a rulebook measured over every hand there is"),
    "cmd.lab.rarity": Text(
        "每个番种多稀有、最少最多值多少", "How rare each fan is, and what it is worth at least and at most"
    ),
    "cmd.lab.points": Text("点数的精确分布与最大的和牌", "The exact distribution of points, and the biggest hands"),
    "cmd.lab.implications": Text(
        "番种之间的蕴含，声明与实际之别", "Which fan comes with which; declared against derived"
    ),
    "cmd.lab.overlap": Text("哪些番种是同一批和牌", "Which fans are the same hands"),
    "cmd.lab.redundant": Text("删去哪些番种什么也不变", "Fans that never change a score"),
    "cmd.lab.compare": Text("一个版本或一份草案改变了什么", "What an edition or a proposed change does"),
    "cmd.lab.calibrate": Text("番值与稀有度是否相称", "Whether values are in keeping with rarity"),
    "cmd.lab.report": Text("把以上全部写成一页 HTML", "All of it as one HTML page"),
    "cmd.completion": Text("输出 shell 补全脚本", "Print the script that completes commands in a shell"),
    "cmd.serve": Text(
        "打开网页：算番、番谱、记分、练习", "Open the web pages: calculator, rulebooks, scores, practice"
    ),
    "cmd.play": Text("与三个机器人打牌", "Play against three bots"),
    "cmd.match": Text("给实体牌桌记分：谁和谁、付多少、座位与名次", "Keep score at a physical table"),
    "cmd.replay": Text("逐步回放一份牌谱", "Step through a recorded match"),
    "cmd.review": Text(
        "检讨一份牌谱：每个决定值多少，哪里失误", "Review a log: what each decision was worth, where it went wrong"
    ),
    "cmd.verify": Text("核验牌谱：重演每一步，核对牌墙承诺", "Check a log: play it again, check the walls promised"),
    "cmd.simulate": Text("机器人对局：胜率、点数、番种频率", "Bots against bots: wins, points, how often each fan"),
    "cmd.shell": Text("交互算番：逐手输入，立即解释", "Interactive scorer: type hands, see them explained"),
    # ---- mistakes in the command itself
    "bad.option": Text("没有选项 {name}。", "there is no option {name}."),
    "bad.option.near": Text("没有选项 {name}，是不是 {near}？", "there is no option {name}; did you mean {near}?"),
    "bad.command": Text("没有命令“{name}”。", "there is no command {name!r}."),
    "bad.command.near": Text("没有命令“{name}”，是不是 {near}？", "there is no command {name!r}; did you mean {near}?"),
    "bad.missing": Text("缺少 {what}。", "{what} is missing."),
    "bad.value": Text("{what} 不对：{why}", "{what}: {why}"),
    "bad.choice": Text("{what} 只能是 {choices}。", "{what} must be {choices}."),
    "default": Text("（默认 {value}）", " (default {value})"),
    "bad.needs_value": Text("{name} 后面要有一个值。", "{name} needs a value."),
    "bad.extra": Text("多余的参数：{what}。", "unexpected arguments: {what}."),
    "try.help": Text("看帮助：{command} --help", "For help: {command} --help"),
    "bad.internal": Text(
        "程序内部出错（{what}）。请把输入告诉我们；设 QUEPU_DEBUG=1 可看细节。",
        "an internal error ({what}). Please tell us the input; QUEPU_DEBUG=1 shows details.",
    ),
    "error": Text("错误：", "error: "),
    # ---- a score
    "unit.fu": Text("副", "fu"),
    "unit.fan": Text("番", "fan"),
    "unit.times": Text("翻", "fan"),
    "unit.points": Text("点", "points"),
    "head.fan": Text("番种", "fan"),
    "head.category": Text("类别", "category"),
    "head.groups": Text("组成", "made of"),
    "head.sentence": Text("原文", "sentence"),
    "head.not_counted": Text("不计", "not counted"),
    "not_counted": Text("不计：{names}", "not counted: {names}"),
    "head.why": Text("原因", "why"),
    "head.other": Text("其他读法", "other readings"),
    "seat": Text("门风{wind}", "seat {wind}"),
    "round": Text("圈风{wind}", "round {wind}"),
    "self_draw": Text("自摸", "self-drawn"),
    "discard": Text("点和", "by discard"),
    "flowers": Text("花牌 {n} 张", "{n} flowers"),
    "flowers.named": Text("花牌 {names}", "flowers {names}"),
    "can_win": Text("可以和牌", "a win"),
    "short": Text(
        "不够起和：起和 {minimum} {unit}，差 {short}", "below the minimum of {minimum} {unit}: {short} short"
    ),
    "total": Text("合计 {total} {unit}", "{total} {unit} in all"),
    "no_fan": Text("没有番种", "no fan"),
    "hint.waits": Text("没有这张时它听：{tiles}", "without its winning tile it waits for {tiles}"),
    "hint.steps": Text("没有和的那张时，还差 {n} 步听牌", "without its winning tile it is {n} from ready"),
    # ---- waits
    "waits.head": Text("听 {n} 种 {left} 张", "waits for {n} kinds, {left} tiles"),
    "waits.worth": Text("听牌未和按 {points} {unit}计", "ready at the end without a win: counted as {points} {unit}"),
    "waits.dead": Text("听 {n} 种，但都和不了", "waits for {n} kinds, none of which wins"),
    "waits.not_ready": Text(
        "还差 {steps} 步听牌，有用的牌 {n} 种 {left} 张", "{steps} from ready; {n} kinds help, {left} tiles"
    ),
    "waits.more": Text("另有 {n} 种打法更远，--all 可看。", "{n} discards that lead further away: --all shows them."),
    "head.tile": Text("牌", "tile"),
    "head.left": Text("余", "left"),
    "head.by_discard": Text("点和", "by discard"),
    "head.by_self_draw": Text("自摸", "self-drawn"),
    "head.note": Text("说明", "note"),
    "head.discard": Text("打", "discard"),
    "head.state": Text("之后", "then"),
    "head.useful": Text("听牌 ×余 点和/自摸，或进张", "waits ×left by discard/self-drawn, or helps"),
    "ready": Text("听牌", "ready"),
    "steps": Text("差 {n} 步", "{n} steps"),
    # ---- fans, books, diff
    "head.id": Text("编号", "id"),
    "head.title": Text("名称", "title"),
    "head.fans": Text("番种数", "fans"),
    "head.minimum": Text("起和", "minimum"),
    "head.aliases": Text("别名", "aliases"),
    "head.circumstances": Text("和牌情形", "circumstances"),
    "book.also": Text("也可写", "also written"),
    "book.flower": Text("每张花", "each flower"),
    "book.base": Text("底本", "made from"),
    "book.options": Text(
        "可选的规矩 {n} 项（粗体为当前，写进 .toml 的 [options] 即可更改）",
        "{n} options (bold: now; change them under [options] of a .toml file)",
    ),
    "book.option": Text("选项", "option"),
    "book.choices": Text("取值", "choices"),
    "head.examples": Text("例牌相符", "examples right"),
    "head.open": Text("待定裁定", "open rulings"),
    "head.fingerprint": Text("指纹", "fingerprint"),
    "fan.value": Text("分值", "value"),
    "fan.category": Text("类别", "category"),
    "fan.most": Text("最多计", "counts at most"),
    "fan.most.times": Text("{n} 次", "{n} times"),
    "fan.of": Text("涉及", "made of"),
    "fan.of.all": Text("整手牌", "the whole hand"),
    "fan.of.each": Text("每一处各计", "each place by itself"),
    "fan.of.n": Text("{n} 组", "{n} groups"),
    "fan.drops": Text("不计", "keeps out"),
    "fan.dropped_by": Text("不计于", "kept out by"),
    "fan.conflicts": Text("互斥", "excludes"),
    "fan.share": Text("常见度", "how common"),
    "fan.share.of": Text("{share}（全部和牌：{state}）", "{share} of all wins: {state}"),
    "fan.least": Text("最少", "cheapest"),
    "fan.least.of": Text("{points} {unit}，如 {hand}", "{points} {unit}, as {hand}"),
    "fan.aliases": Text("别名", "also called"),
    "fan.example": Text("例牌", "example"),
    "fan.near_miss": Text("近似而不成", "near miss"),
    "fan.rulings": Text("裁定", "rulings"),
    "all_others": Text("其他一切番种", "everything else"),
    "all_of": Text("{name}类的番种", "everything in {name}"),
    "but": Text("（但可计 {names}）", "(except {names})"),
    "open_question": Text("未决", "open"),
    "diff.same": Text("两本规则的番种完全相同。", "The two rulebooks have the same fans."),
    "diff.added": Text("新增", "Added"),
    "diff.removed": Text("删去", "Removed"),
    "diff.revalued": Text("改值", "Revalued"),
    "diff.redefined": Text("改文", "Redefined"),
    "diff.relations": Text("改不计或互斥", "Relations changed"),
    "diff.renamed": Text("改名", "Renamed"),
    "diff.minimum": Text("起和", "Minimum"),
    "diff.summary": Text(
        "新增 {added}，删去 {removed}，改名 {renamed}，改值 {revalued}，改文 {redefined}，改不计或互斥 {relations}。",
        "{added} added, {removed} removed, {renamed} renamed, {revalued} revalued, {redefined} redefined, "
        "{relations} with other relations.",
    ),
    "diff.hand": Text("同一手牌", "One hand"),
    "diff.no_win": Text("不能和：{why}", "no win: {why}"),
    "points_table.none": Text("{title}没有点数速查表。", "{title} has no table of payments."),
    "points_table.most": Text("--most 应是 0 到 {most} 的整数。", "--most must be a whole number from 0 to {most}."),
    # ---- jsonl
    "board.title": Text("{round}圈　余 {left} 张", "{round} round, {left} tiles left"),
    "board.ready": Text("（报听）", " (ready)"),
    "board.barred": Text("（陪打）", " (barred)"),
    "board.pool": Text("公池", "the pool"),
    "board.pays": Text("  {who} → {whom}　{points} 分　{why}", "  {who} → {whom}  {points}  {why}"),
    "board.nothing": Text("  没有人付分。", "  nobody pays."),
    "verify.good": Text(
        "牌谱无误：{lines} 行，{hands} 局，规则 {rules}。", "the log is true: {lines} lines, {hands} hands, {rules}."
    ),
    "verify.promised": Text(
        "{n} 局的牌墙与开局前的承诺相符。", "the walls of {n} hands are the ones promised before the deal."
    ),
    "verify.no_promise": Text(
        "这份牌谱没有牌墙承诺（牌墙由种子生成）。", "no walls were promised in this log (they come from a seed)."
    ),
    "verify.unfinished": Text("对局没有打完。", "the match is not finished."),
    "opt.review_player": Text("只看这位玩家（名字或 1 到 4）", "Only this player (a name, or 1 to 4)."),
    "opt.review_hand": Text("只看第几局；0 为全部", "Only this hand; 0 for all."),
    "opt.review_all": Text("也列出没有问题的决定", "List good decisions too."),
    "review.hand": Text("第 {hand} 局 {place}", "hand {hand} {place}"),
    "review.grade": Text(
        "  {seat} {name}　{letter}　保住 {kept:.0%}（{n} 个决定，失误 {mistakes}，大失误 {blunders}）",
        "  {seat} {name}  {letter}  kept {kept:.0%} ({n} decisions, {mistakes} mistakes, {blunders} blunders)",
    ),
    "review.move": Text("    {at:>4} {seat} {name} {word}　{why}", "    {at:>4} {seat} {name} {word}: {why}"),
    "review.no_player": Text("没有玩家“{who}”，有：{names}。", "no player {who!r}; there are: {names}."),
    "review.no_hand": Text("这份牌谱有 {n} 局，没有第 {hand} 局。", "this log has {n} hands, no hand {hand}."),
    "replay.where": Text("第 {hand} 局 {place}　{at}/{of}", "hand {hand} {place}  {at}/{of}"),
    "replay.hand": Text("第 {hand} 局 {place}　{names}", "hand {hand} {place}  {names}"),
    "replay.empty": Text("这份牌谱里还没有牌局。", "there is no hand in this log."),
    "replay.keys": Text(
        "回车/n 下一步　b 上一步　j 数 跳到事件　h 数 第几局　e 局末　s E 只看东家　a 看全部　q 退出",
        "Enter/n next, b back, j N to event N, h N to hand N, e end of hand, s E one seat, a all, q quit",
    ),
    "play.me": Text("我", "me"),
    "play.bot": Text("电脑{n}·{level}", "bot{n}-{level}"),
    "play.prompt": Text("出牌> ", "play> "),
    "play.welcome": Text("对局记在 {path}。输入 ? 看怎么操作。", "the game is kept in {path}. Type ? for help."),
    "play.hand": Text("\n第 {number} 局　{place}", "\nhand {number}  {place}"),
    "play.dice": Text(
        "骰子 {dice}：从{wind}家面前右起第 {stack} 墩开始拿牌。",
        "dice {dice}: the deal begins at stack {stack} from the right of {wind}'s wall.",
    ),
    "play.promise": Text(
        "牌墙承诺 {hash}……（局后可用 quepu verify 核对）", "wall commitment {hash}… (check it with quepu verify)"
    ),
    "play.next": Text("回车继续……", "Enter to go on …"),
    "play.over": Text("终局", "Final standings"),
    "play.left": Text(
        "对局已保存：{path}。用 quepu play --resume 继续。", "kept in {path}; go on with quepu play --resume."
    ),
    "play.help": Text(
        "打牌：输入牌名（3m、東、E）；回车打出刚摸的牌，或过\n"
        "鸣牌：c 吃（c2 第二种）　p 碰　k 杠（k 3m 指定）　h 和　n 过　r 报听　f 补花\n"
        "其他：t 提示（听牌与点数、打哪张）　b 看牌桌　q 离开（保存，可继续）",
        "discard: type a tile (3m, E); Enter discards the drawn tile, or passes\n"
        "claims: c chow (c2 the second), p pung, k kong (k 3m), h win, n pass, r ready, f flower\n"
        "else: t hint (waits with points, what to discard), b board, q leave (kept, go on later)",
    ),
    "match.welcome": Text("{book}，记在 {path}。输入 ? 看写法。", "{book}, kept in {path}. Type ? for help."),
    "match.prompt": Text("记分> ", "score> "),
    "match.place": Text("局", "hand"),
    "match.what": Text("经过", "what happened"),
    "match.total": Text("合计", "total"),
    "match.reduced": Text("  约化分数　", "  reduced score  "),
    "match.pool": Text("  公池 {pool:+d}", "  pool {pool:+d}"),
    "match.next": Text("  下一局：{place}　{seats}", "  next: {place}  {seats}"),
    "match.kept": Text("已保存：{path}", "kept in {path}"),
    "told.prompt": Text("这一局> ", "hand> "),
    "told.turn": Text("  轮到{wind}家（{name}），余 {left} 张", "  {wind} ({name}) to play, {left} tiles left"),
    "told.drawn": Text("  牌墙摸完了：流局。", "  the wall is empty: the hand is drawn."),
    "told.show": Text(
        "  其余各家亮牌：亮 南 手牌（不亮即放弃得分）；都说完了按回车。",
        "  the others show their hands: S show TILES (not shown: no points); then press enter.",
    ),
    "told.resumed": Text("接着说上次没说完的一局（已说 {n} 句）。", "going on with the hand being told ({n} lines)."),
    "told.help": Text(
        "一句一件事：谁 做什么 哪张牌。谁可写名字、门风，省略即轮到的那家；只写牌即打出。没看见的牌写 ?，摸牌不必说。\n"
        "  5m　东 打 5m 摸切　南 吃 234m　西 碰　北 杠　东 暗杠 9m　东 加杠 5m　南 补 春　南 听\n"
        "  西 和 手牌　东 自摸 手牌+和的牌　流局　南 亮 手牌　罚 玩家 罚例　免 条号\n"
        "桌（牌桌与已说的话）　撤（撤销一句）　弃（不记这一局）　q（退出，下次接着说）",
        "One line, one thing: who, what, which tile. Who is a name or a wind, left out for whose turn it is; a tile\n"
        "alone is a discard; ? is a tile that nobody saw; draws need not be told.\n"
        "  5m   E discard 5m drawn   S chow 234m   W pung   N kong   E concealed 9m   E added 5m   S flower 春\n"
        "  S ready   W win TILES   E win TILES+TILE drawn   drawn   S show TILES   fault PLAYER FAULT   revoke NUMBER\n"
        "board   undo   cancel (leave this hand)   q (leave; go on later)",
    ),
    "match.help": Text(
        "和 赢家 放铳家 30　　　　和 甲 乙 11223sCC(NNNN)(123s)+3s 岭上开花 花2　（给牌则自动算点）\n"
        "自摸 赢家 30　　流局　　其后可加：供 丙3 丁1（各家提供的张数，包牌用）　听 乙=9 丙=13张手牌（玉雀）　抢杠\n"
        "罚 玩家 罚例 [分数]　　免 条号（撤销罚分）　　座 东家 南家 西家 北家　　局（逐句说下一局）\n"
        "表（所有记录）　榜（名次）　撤（撤销上一步）　改 条号 新记录　删 条号　q（退出，已自动保存）\n"
        "玩家可写名字、1 到 4、或此刻的门风",
        "win WINNER DISCARDER 30    win A B 11223sCC(NNNN)(123s)+3s 岭上开花 花2  (tiles are scored)\n"
        "draw WINNER 30    drawn    then also: supplied C3 D1 (tiles given)  ready B=9 C=13-tiles (玉雀)  抢杠\n"
        "fault PLAYER FAULT [POINTS]    revoke N    seats EAST SOUTH WEST NORTH    tell (the next hand, line by line)\n"
        "list  standings  undo  correct N RECORD  delete N  q (everything is saved)\n"
        "players: by name, 1 to 4, or the wind they hold",
    ),
    "payable.none": Text("已经没有能和的牌形了。", "no hand that may win can be reached any more."),
    "payable.missing": Text(
        "离最近的可和牌（起和 {minimum}）还差 {n} 张。",
        "{n} tiles from the nearest hand that may win (minimum {minimum}).",
    ),
    "payable.discard": Text("打", "discard"),
    "payable.keeps": Text("保留", "keeps"),
    "sim.preparing": Text(
        "准备中（首次为每本规则建表，约半分钟）……", "preparing (a table for each book is built once, half a minute) …"
    ),
    "sim.partial": Text("已中断，以下是打完的部分。", "interrupted: this is what was played."),
    "sim.level": Text("级别", "level"),
    "sim.hands": Text("局数", "hands"),
    "sim.wins": Text("和牌", "wins"),
    "sim.dealt_in": Text("放铳", "deals in"),
    "sim.claims": Text("每局鸣牌", "claims a hand"),
    "sim.points": Text("每和点数", "points a win"),
    "sim.net": Text("每局收支", "net a hand"),
    "sim.summary": Text(
        "共 {hands} 局，流局 {drawn:.1%}，每局 {points:.1f} 点，摸牌 {draws:.1f} 次",
        "{hands} hands, drawn {drawn:.1%}, {points:.1f} points and {draws:.1f} draws a hand",
    ),
    "sim.duplicate": Text(
        "复式：{better} 比 {than} 每局多 {net_a_hand:+.2f}（95% 区间 {low95:+.2f} 至 {high95:+.2f}，{walls} 副牌墙）",
        "duplicate: {better} over {than} {net_a_hand:+.2f} a hand (95 %: {low95:+.2f} to {high95:+.2f}, {walls} walls)",
    ),
    "sim.fans": Text("常见番种：", "common fans: "),
    "meter": Text("进行中", "working"),
    "jsonl.progress": Text("已算 {n} 行，{rate} 行/秒", "{n} lines, {rate} a second"),
    "jsonl.done": Text("共 {n} 行，{seconds} 秒。", "{n} lines, {seconds} s."),
    "jsonl.wrong": Text(
        "{n} 行算不了（缘由写在答案里）：第 {lines} 行。", "{n} lines have no score (their answers say why): {lines}."
    ),
    # ---- interactive
    "shell.welcome": Text(
        "雀谱 {version} 交互算番。输入一手牌，如 11223sCC(NNNN)(123s)+3s；x 详略，? 帮助，q 退出。",
        "quepu {version}, interactive scorer. Type a hand such as 11223sCC(NNNN)(123s)+3s; x: more, ?: help, q: leave.",
    ),
    "shell.bye": Text("再见。", "Goodbye."),
    "shell.help.hand": Text(
        "手牌：13 张看听牌，14 张不写 + 看打哪张", "a hand; 13 tiles: waits; 14 without +: what to discard"
    ),
    "shell.help.rules": Text("换规则（也可用自己的 .toml 文件）", "another rulebook (or your own .toml file)"),
    "shell.help.seat": Text("门风", "own wind"),
    "shell.help.round": Text("圈风", "round wind"),
    "shell.help.draw": Text("自摸与点和之间切换", "self-drawn or by discard"),
    "shell.help.luck": Text("和牌情形；不带名称则清除", "circumstances of the win; none clears them"),
    "shell.help.flowers": Text("花牌：花名或张数；不带则清除", "flowers: names or a number; none clears them"),
    "shell.help.fans": Text("番种的原文、关系与例牌；不带名称列出全表", "a fan in full; none lists the whole rulebook"),
    "shell.help.explain": Text(
        "详细（原文、不计的原因、其他读法）或简略", "more (sentences, reasons, other readings) or less"
    ),
    "shell.help.state": Text("看当前设置", "what is set now"),
    "shell.help.reset": Text("恢复门风、圈风、情形等", "forget winds, circumstances and flowers"),
    "shell.help.lang": Text("换语言", "another language"),
    "shell.help.leave": Text("退出", "leave"),
    "shell.unknown": Text("不认识这个命令；? 看帮助。", "not a command; ? for help."),
}
