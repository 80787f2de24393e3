"""Texts about single commands in --help: each in one line, and options that only it has."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

COMMANDS: Final[dict[str, Text]] = {
    "cmd.score": Text("算一手牌值多少，为什么", "Score a hand and explain it"),
    "cmd.waits": Text("看听什么牌、每张值多少；14 张时看打哪张", "Show what a hand waits on, or what to discard"),
    "cmd.fans": Text("番种表，或一个番种的原文、关系与牌例", "List a rulebook's fans, or describe one"),
    "cmd.books": Text("有哪些规则", "List the rulebooks"),
    "cmd.rules": Text(
        "规则全文：配牌、行牌、和牌、计分、罚例、各表与牌例；new NAME 新建规则包，club BOOK 问答定出社团规则，"
        "changes FILE 列出一份草稿的改动，"
        "export FILE 把草稿写成 Python",
        "Read a rulebook, with tables and examples; new NAME makes a package, club BOOK settles "
        "how a club plays, changes FILE lists what a draft changes, "
        "export FILE writes it as Python",
    ),
    "opt.rules.arithmetic": Text(
        "new 时怎么算番：additive 相加、product 相乘、residue 按剩余数、custom 自己写",
        "With new: how fans combine: additive (sum), product, residue (what other fans leave over) or custom (yours).",
    ),
    "cmd.rulings": Text("规则不明之处的裁定；待作者定的问题", "Show how unclear rules are interpreted"),
    "cmd.diff": Text("比较两本规则（或一手牌在两本下的得分）", "Compare two rulebooks, or one hand under both"),
    "cmd.conformance": Text(
        "对照例：检验这里或别的程序算得对不对", "Run a rulebook's test cases on quepu or another program"
    ),
    "cmd.points-table": Text("点数速查表：各番数的点数与各家得失", "Show the payments for each value"),
    "cmd.lab": Text("实验室：对全部和牌精确测量一本规则", "Measure a rulebook over every possible hand"),
    "cmd.lab.rarity": Text(
        "每个番种多稀有、最少最多值多少", "Show how rare each fan is, and the lowest and highest scores with it"
    ),
    "cmd.lab.points": Text(
        "点数的精确分布与最大的和牌", "Show the exact distribution of points, and the highest-scoring hands"
    ),
    "cmd.lab.implications": Text(
        "哪些番种必含另一番种：规则写明的与实际的对照", "Show which fans imply others, declared against derived"
    ),
    "cmd.lab.overlap": Text("哪些番种是同一批和牌", "Show which fans overlap"),
    "cmd.lab.redundant": Text(
        "删去哪些番种不影响任何得分", "Show which fans can be removed without changing any score"
    ),
    "cmd.lab.find": Text(
        "找牌：含这些番种、不含那些番种、至少几点",
        "Find hands with given fans, without others, worth at least N points",
    ),
    "cmd.booklet": Text("把一本规则排成可以打印的小册子", "Typeset a rulebook for printing"),
    "opt.booklet.output": Text("写到这个文件：.html 或 .pdf", "File to write: .html or .pdf."),
    "opt.booklet.since": Text("附上自这一版以来的改动", "Include the changes since this edition."),
    "opt.booklet.paper": Text("纸的大小", "Paper size."),
    "opt.booklet.pictures": Text(
        "只要番种表，每个番种一个牌例：A4 一页，或 A5 卡片",
        "Only the fans, each with an example in tiles: one A4 page, or A5 cards.",
    ),
    "opt.booklet.sheet": Text("只要单页番种表", "Only a one-page list of fans by value."),
    "cmd.lab.check": Text(
        "按规则书的通则检查草稿的番种", "Check the fans of a draft against the rulebook's general rule"
    ),
    "opt.check.toml": Text(
        "输出应不计的番种，可作规则文件的 [drops]",
        "Print fans that should not count together as [drops] of a house-rules file.",
    ),
    "cmd.lab.residues": Text("建议新番种的剩余数，并说明理由", "Propose the residues of new fans, with the reasons"),
    "opt.residues.fans": Text(
        "只看这些番种；不写则为文件新增的番种", "Only these fans (default: the fans that the file adds)."
    ),
    "cmd.lab.settle": Text(
        "二十问：找出两种读法不同的牌，逐手作答，写成裁定",
        "Find hands that tell readings of a sentence apart, and write the ruling from your answers",
    ),
    "arg.settle.other": Text("一条裁定，或另一本规则、规则文件", "A ruling, or another rulebook or rules file."),
    "opt.settle.answers": Text(
        "依次给各手牌的点数；不写则逐手问", "Points for each hand, in order (default: ask for each)."
    ),
    "opt.settle.question": Text("比较两本规则时问题怎么写", "Wording of the question when two rulebooks are compared."),
    "opt.settle.output": Text("把裁定写进这个规则文件", "Write the ruling to this rules file."),
    "opt.residues.toml": Text("输出成规则文件里的表", "Print them as tables of a house-rules file."),
    "cmd.lab.suggest": Text("建议番值，以达到给定目标", "Suggest values that meet a target"),
    "cmd.lab.duel": Text(
        "草稿与原规则：同样的机器人在同样的牌墙上各打一遍",
        "Play a draft against the original with the same bots and walls",
    ),
    "opt.duel.resume": Text("进度存在这个文件里，下次接着打", "Save progress in this file and resume from it."),
    "cmd.lab.study": Text("番值对不对：一本规则一份可重做的报告", "Write a reproducible report on a rulebook's values"),
    "opt.study.output": Text(
        "写进这个文件夹：一页 .html，数据 .json", "Folder for the page (.html) and its data (.json)."
    ),
    "cmd.lab.seats": Text("各座位值多少：四个同样的机器人", "Measure each seat with four identical bots"),
    "opt.seats.level": Text("机器人的级别，四家同样", "Level of the bots, the same for all four."),
    "opt.law": Text(
        "bits（番值随稀有度）、mean（平均为 --to）、rare（--fan 至多 --to 次和牌出一次）",
        "bits (values follow rarity), mean (average --to), rare (--fan in at most one of --to wins).",
    ),
    "opt.law.fan": Text("rare 所指的番种", "Fan for --law rare."),
    "opt.law.to": Text("要达到的数", "Target number."),
    "opt.find.with": Text("要计入的番种，逗号分开", "Fans that must count, separated by commas."),
    "opt.find.without": Text("不可计入的番种，逗号分开", "Fans that must not count, separated by commas."),
    "opt.find.least": Text("至少几点", "Minimum points."),
    "opt.find.near": Text("离这手牌最近的", "Find those nearest to this hand."),
    "opt.find.number": Text("列出几种", "Number of hands to list."),
    "cmd.lab.compare": Text("一个新版或一份草稿改变了什么", "Show the effect of an edition or a draft"),
    "cmd.lab.calibrate": Text("番值与稀有度是否相称", "Compare fan values with rarity"),
    "cmd.lab.report": Text("把实验室的各张表写成一页 HTML", "Write all tables of the lab as one HTML page"),
    "cmd.cache": Text("显示或清空缓存", "Show or clear the cache"),
    "opt.clear": Text("清空缓存，需要时重新计算", "Clear the cache; it is rebuilt when needed."),
    "head.cache": Text("缓存", "cache"),
    "head.files": Text("文件", "files"),
    "head.size": Text("大小", "size"),
    "cache.holds": Text("{path}：{files} 个文件，{size}。", "{path}: {files} files, {size}."),
    "cache.cleared": Text("{path}：删去了 {files} 个文件，{size}。", "{path}: removed {files} files, {size}."),
    "cmd.completion": Text("输出 shell 补全脚本", "Print a shell completion script"),
    "cmd.serve": Text("打开网页：算番、打牌、记分、复盘、练习", "Start the web app"),
    "cmd.play": Text("与三个机器人打牌", "Play against three bots"),
    "cmd.match": Text("给线下牌局记分：谁付谁、付多少、座位与名次", "Keep score at a real table"),
    "cmd.replay": Text("逐步回放一份牌谱", "Step through a recorded match"),
    "cmd.review": Text("复盘一份牌谱：每次选择值多少，哪里失误", "Review the decisions in a log"),
    "cmd.ask": Text("问一步：为什么不打另一张", "Ask about a choice: why not another discard?"),
    "arg.ask": Text(
        "牌谱文件，或 14 张手牌；写了 --offered 则为 13 张", "A log, or a hand of 14 tiles (13 with --offered)."
    ),
    "opt.ask_offered": Text("别家刚打出的牌：要不要吃、碰、杠、和", "A tile just discarded by another seat: claim it?"),
    "opt.ask_giver": Text("打出这张牌的一家；不写则为上家", "The seat that discarded it; by default the one before."),
    "opt.ask_melds": Text(
        "别家的副露，例如 S=(123m)(EEE)；可写几次", "Another seat's melds, such as S=(123m)(EEE); repeatable."
    ),
    "opt.ask_instead": Text(
        "想问的打法：要打的牌，或 过、和、碰、杠、吃345p；不写则为实战所选",
        "The action asked about: a tile to discard, or pass, win, pung, kong, chow 345p; by default the one played.",
    ),
    "opt.ask_of": Text("与哪一种打法比；不写则为最佳", "The action to compare it with; by default the best one."),
    "opt.ask_hand": Text("牌谱里的第几局", "The hand of the log."),
    "opt.ask_at": Text("这一局的第几步（复盘里的数字）", "The step of the hand, as a review numbers it."),
    "opt.ask_seat": Text("哪一家：E S W N", "Whose choice: E, S, W or N."),
    "opt.ask_ready": Text("假设这一家已听牌；可写几次", "Assume that this seat is ready; repeatable."),
    "opt.ask_gone": Text(
        "假设这些牌剩下的都在别家手里", "Assume that the other seats hold all remaining copies of these tiles."
    ),
    "opt.ask_aim": Text("只算有这个番种的牌", "Count only hands that have this fan."),
    "opt.ask_playouts": Text("两种打法各打完几局来比较；0 为不打", "Playouts of each action (0: none)."),
    "cmd.verify": Text("核验牌谱：重演每一步，核对牌墙承诺", "Check a log and its sealed walls"),
    "cmd.simulate": Text("机器人对局：和牌率、点数、番种频率", "Run bots against bots and report the results"),
    "cmd.gauntlet": Text("机器人过关：与固定的对手打同样的牌墙", "Test bots against fixed opponents on the same walls"),
    "cmd.data": Text(
        "训练数据：每次选择、实战打法和结果",
        "Write training positions to a file",
    ),
    "opt.data.out": Text("写到这个文件（.npz 或 .parquet）", "File to write (.npz or .parquet)."),
    "opt.data.log": Text(
        "取自牌谱或牌谱的文件夹而不是机器人；可写几次",
        "Take positions from this log or folder of logs instead of bots; repeatable.",
    ),
    "opt.data.rows": Text(
        "写成表，每行一项：matches 每场，hands 每局，decisions 每次选择，discards 每次打牌及其结果（.csv 或 .parquet）",
        "Write a table with a row for each of: matches, hands, decisions, discards (.csv or .parquet).",
    ),
    "opt.data.encoding": Text("编码：counts、planes、tokens", "Encoding: counts, planes, tokens."),
    "cmd.bot": Text(
        "作为 Botzone 机器人运行：从标准输入读请求，写出回答",
        "Run a bot for Botzone (requests on stdin, responses on stdout)",
    ),
    "opt.botzone": Text("机器人级别", "Bot level."),
    "arg.duplicate.what": Text(
        "deal：发牌，写出各盘的牌条；score：算成绩", "deal: write slips for the trays; score: standings in IMPs."
    ),
    "arg.duplicate.file": Text(
        "成绩的 CSV：hand,table,seat,name,points（队际赛再加 team）",
        "CSV of results: hand,table,seat,name,points (and team).",
    ),
    "opt.duplicate.title": Text("牌条上的标题", "Title on the slips."),
    "opt.duplicate.secret": Text(
        "牌墙由它而来的密数，64 位十六进制（不写则新造）", "Secret of the walls, 64 hex digits (default: a new one)."
    ),
    "opt.duplicate.slips": Text(
        "把每局每家的牌条写成可打印的网页", "Write the slips of every hand and seat as a page to print."
    ),
    "opt.duplicate.walls": Text(
        "把牌墙与密数写入文件，赛后公布", "Write walls and secret to a file, to publish afterwards."
    ),
    "opt.duplicate.teams": Text(
        "队际：全队四家之和与各队平均相比",
        "Score teams: the sum of a team's four seats against the average of all teams.",
    ),
    "opt.duplicate.imps": Text("IMP 表（不写则用桥牌的）", "IMP table (default: the one used in bridge)."),
    "opt.review_net": Text(
        "不评分，只写出这个网络会怎样打（同 net:文件）",
        "Instead of grades, show where a net (as in net:FILE) would differ.",
    ),
    "opt.connect": Text(
        "在自己的电脑上参加 Botzone 的对局：写本地 AI 的地址，https://www.botzone.org.cn/api/用户/密钥/localai",
        "Play on Botzone from this computer: address of its local AI, https://www.botzone.org.cn/api/USER/SECRET/localai.",
    ),
    "opt.connect.matches": Text("打完几场就停（0 为一直打）", "Stop after N matches (0: never)."),
    "opt.once": Text("回答一次就结束，每回合重新启动", "Exit after one response; the program is restarted each turn."),
    "opt.replay_hand": Text("从第几局看起（0 为全部）", "Number of a hand to start from (0: all)."),
    "opt.replay_frame": Text("那一局的第几帧，0 是配牌", "Frame of that hand; 0 is the deal."),
    "cmd.mcp": Text(
        "让语言模型查规则、算番、复盘、出题（MCP，经标准输入输出）",
        "Serve rules, scores, reviews and puzzles to language models (MCP over stdin and stdout)",
    ),
    "opt.mcp.logs": Text("可以复盘的牌谱所在的文件夹", "Folder of logs that may be reviewed."),
    "opt.mcp.seconds": Text("一次提问最多用的处理器秒数", "CPU seconds that one call may take."),
    "mcp.waiting": Text(
        "等语言模型的客户端经标准输入连接；按 Ctrl-C 结束。",
        "waiting for a language model's client on standard input; press Ctrl-C to stop.",
    ),
    "cmd.shell": Text("交互算番：逐手输入，立即解释", "Start the interactive scorer"),
}
