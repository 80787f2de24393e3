"""Texts about the command line itself: options and arguments that several commands share, and usage errors."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

USAGE: Final[dict[str, Text]] = {
    # ---- the program and its options
    "app": Text(
        "雀谱：麻将规则的算番、听牌与比较。不带命令时进入交互算番。",
        "Score, explain and compare hands under Chinese mahjong rulebooks. Without a command, "
        "starts the interactive scorer.",
    ),
    "app.epilog": Text(
        "手牌写法：11223sCC(NNNN)(123s)+3s　也可写 一万二筒三索东中白。--lang、--tiles 可放在任何位置。",
        "Hand notation: 11223sCC(NNNN)(123s)+3s. Melds in brackets, winning tile after +. "
        "--lang and --tiles can stand anywhere.",
    ),
    "opt.help": Text("显示帮助", "Show this help."),
    "opt.version": Text("显示版本", "Show the version."),
    "opt.lang": Text(
        "语言：zh 或 en（默认按 $QUEPU_LANG，再按系统语言）",
        "Output language: zh or en (default: $QUEPU_LANG, then the locale).",
    ),
    "opt.tiles": Text("牌的画法：cells、unicode 或 ascii", "How to draw tiles: cells, unicode or ascii."),
    "opt.rules": Text("规则：编号、别名或 .toml 文件", "Rulebook: an id, an alias, or a .toml file."),
    "opt.seat": Text("门风：东南西北或 E S W N", "Seat wind: E S W N."),
    "opt.round": Text("圈风：东南西北或 E S W N", "Round wind: E S W N."),
    "opt.self_draw": Text("自摸", "Win by self-draw."),
    "opt.with": Text("和牌情形，如 岭上开花（可重复）", "A circumstance of the win, such as 岭上开花 (repeatable)."),
    "opt.flowers": Text("花牌：花名如 春梅，或张数", "Flowers: names such as 春梅, or a number."),
    "opt.json": Text("只输出一个 JSON", "Print a single JSON document."),
    "opt.jsonl": Text(
        "逐行读 JSON（或手牌），逐行回答", "Read JSON objects (or hands), one per line; answer line by line."
    ),
    "opt.explain": Text(
        "连同不计的番种及原因、原文和其他拆法", "Also show fans not counted and why, definitions and other readings."
    ),
    "opt.seen": Text("已在别处亮出的牌", "Tiles visible elsewhere."),
    "opt.host": Text(
        "监听的地址；0.0.0.0 让同一网络的人也能用", "Address to listen on; 0.0.0.0 opens it to the network."
    ),
    "opt.port": Text("端口；0 为自动选择", "Port; 0 picks a free one."),
    "opt.data": Text("存数据的文件夹（默认在用户数据文件夹）", "Data folder (default: in the user's data folder)."),
    "opt.sync": Text(
        "SQLite：每一步落盘之后才答复（断电也不丢，慢盘会卡；默认最多丢四分之一秒）",
        "SQLite: reply only once data is on disk. A power cut then loses nothing, but a slow "
        "disk stalls play (without it: up to 0.25 s lost).",
    ),
    "opt.database": Text(
        "数据库地址，如 postgresql://…（默认用 SQLite）", "Database address, e.g. postgresql://… (default: SQLite)."
    ),
    "opt.public_name": Text(
        "公开的域名（可重复）；写了就只答复这些域名",
        "Public host name (repeatable); all others are refused.",
    ),
    "opt.behind_proxy": Text(
        "可信的反向代理的地址或网段（可重复）：只信它们写的 X-Forwarded-For",
        "Address or network of a trusted reverse proxy (repeatable): only its X-Forwarded-For is trusted.",
    ),
    "opt.guest": Text(
        "可入座的程序：名字=exec:命令 或 名字=botzone:命令，可重复（默认没有）",
        "Program that may sit in rooms: NAME=exec:COMMAND or NAME=botzone:COMMAND; repeatable (default: none).",
    ),
    "opt.explorer": Text(
        "打牌库的文件夹，供网页查询（默认没有）",
        "Folder of stored discards that the web pages can query (default: none).",
    ),
    "opt.limit": Text(
        "改一项限额（可重复），见 docs/reference/limits.zh.md",
        "Override a limit (repeatable); see docs/reference/limits.md.",
    ),
    "opt.no_browser": Text("不打开浏览器", "Do not open a browser."),
    "opt.most": Text("列到多少番", "Highest value to list."),
    "opt.all": Text("也列出最差的打法", "List every discard."),
    "arg.log": Text("牌谱文件（JSON 行）", "A log (JSON lines)."),
    "arg.match": Text("记分文件；有则继续，无则新开", "Score file to create or continue."),
    "opt.names": Text("四位玩家，按起始座位东南西北", "Four players, in starting seats E S W N."),
    "opt.match_rounds": Text("打几圈（0 为按规则）", "Number of rounds (0: rulebook default)."),
    "opt.ranked": Text("计名次（玉雀可能加打）", "Ranked match (Yuque may add rounds)."),
    "opt.alpha": Text("约化分数的 α（自定）", "α of the reduced score, if the table sets its own."),
    "opt.t0": Text("约化分数的 T₀（自定）", "T₀ of the reduced score, if the table sets its own."),
    "opt.log_rules": Text("牌谱所用的自定规则文件", "House rules file the log was played under."),
    "opt.replay_seat": Text("只看一家的牌", "Show one seat's tiles only."),
    "opt.play_bots": Text(
        "对手的级别，可用逗号给出三个：random closed plain steps gain master people flush pungs fast value，"
        "或 exec:命令、botzone:命令、net:文件",
        "Level of the bots, or three levels separated by commas: random closed plain steps "
        "gain master people flush pungs fast value, exec:COMMAND, botzone:COMMAND, or net:FILE.",
    ),
    "opt.rounds": Text("打几圈", "Number of rounds."),
    "opt.play_seed": Text(
        "牌墙种子（不给则由系统随机并作承诺）", "Seed for the walls (default: random, with a commitment)."
    ),
    "opt.name": Text("你的名字", "Your name."),
    "opt.play_log": Text("牌谱写到哪个文件", "File to write the log to."),
    "opt.resume": Text("继续上一次没打完的对局", "Resume the saved game."),
    "opt.bots": Text(
        "四个机器人的级别：random closed plain steps gain master people flush pungs fast value，"
        "或 exec:命令、botzone:命令、net:文件",
        "Levels of the four bots: random closed plain steps gain master people flush pungs "
        "fast value, exec:COMMAND, botzone:COMMAND, or net:FILE.",
    ),
    "deprecated.rounds": Text(
        "--rounds 下一版就不能用了，请改用 --hands：这里每局各自独立，不成圈。",
        "--rounds will be removed in the next release: use --hands, as these hands do not belong to rounds.",
    ),
    "opt.hands": Text("打多少局", "Number of hands."),
    "opt.hands.or_walls": Text(
        "打多少局（--all-seatings 与 --ijcai 时为多少副牌墙）",
        "Number of hands (of walls, with --all-seatings or --ijcai).",
    ),
    "opt.walls": Text("打多少副牌墙，每副两边各一次", "Number of walls, each played under both rulebooks."),
    "opt.seed": Text("随机种子：同一种子，同一结果", "Seed; the same seed gives the same result."),
    "opt.jobs": Text("用几个进程（0 为每核一个）", "Number of processes (0: one per core)."),
    "opt.all_seatings": Text("每副牌墙由各种座次各打一次", "Play each wall once with every different seating."),
    "opt.ijcai": Text(
        "IJCAI 的复式：四副牌墙一场，各摸自己的牌墙，24 种座次，不用花牌，每副按得失排 4、3、2、1 分",
        "IJCAI's form of duplicate: each seat its own wall, 24 seatings, no flowers, four walls per match, ranked "
        "4, 3, 2, 1 on each wall.",
    ),
    "opt.duplicate": Text(
        "--all-seatings 的旧名，下一版取消", "Former name of --all-seatings, removed in the next release."
    ),
    "deprecated.duplicate": Text(
        "--duplicate 下一版就不能用了，请改用 --all-seatings；大赛的复式是 --ijcai。",
        "--duplicate will be removed in the next release: use --all-seatings, or --ijcai for duplicate as played "
        "in contests.",
    ),
    "opt.gauntlet.bots": Text(
        "除固定的对手 plain steps gain master 外还有谁：级别，或 exec:命令、botzone:命令、net:文件（不写则各种风格）",
        "Bots besides the fixed opponents plain, steps, gain and master: levels, exec:COMMAND, botzone:COMMAND, "
        "net:FILE (default: all styles).",
    ),
    "opt.gauntlet.walls": Text(
        "打多少副牌墙，每一对在每副上打六局", "Number of walls; each pair plays six hands on each."
    ),
    "opt.gauntlet.page": Text("把成绩写成一页 Markdown", "Write the standings as a Markdown page."),
    "opt.cluster": Text("Dask 调度器地址", "Address of a Dask scheduler."),
    "opt.csv": Text("把表格写入 CSV 文件", "Write the table to a CSV file."),
    "opt.payable": Text(
        "离最近的可和牌还差几张，每种打法保留多少（首次要建表，约十秒）",
        "Show the distance to a valid hand and what each discard keeps (the first run builds a table, about 10 s).",
    ),
    "opt.with_flowers": Text(
        "用或不用花牌（不写则按规则）", "Play with or without flowers (default: as the rulebook says)."
    ),
    "opt.own_walls": Text(
        "四家各摸自己的牌墙，别人吃碰不改变摸到的牌",
        "Each seat draws from its own wall, so claims by others do not change its draws.",
    ),
    "opt.category": Text("只看这一类", "Only this category."),
    "arg.hand": Text("手牌，和张写在 + 后", "Hand, with the winning tile after +."),
    "arg.hand.waits": Text(
        "13 张手牌（看听牌）或 14 张（看打哪张）", "13 tiles (to see the waits) or 14 (to see what to discard)."
    ),
    "arg.hand.diff": Text("在两本规则下比较这手牌", "Compare this hand under both rulebooks."),
    "arg.shell": Text(
        "shell：bash、zsh、fish 或 powershell；不写则按 $SHELL",
        "Shell: bash, zsh, fish or powershell (default: from $SHELL).",
    ),
    "arg.fan": Text("番种名称", "Name of a fan."),
    "arg.book": Text("规则；不写则列出有速查表的", "Rulebook (default: list those with a points table)."),
    "arg.rules": Text("规则：编号、别名或 .toml 文件", "Rulebook: an id, an alias, or a .toml file."),
    "opt.csv.lab": Text("写成 CSV 文件（- 为标准输出）", "Write a CSV file (- for standard output)."),
    "opt.markdown": Text("写成 Markdown 文件", "Write a Markdown file."),
    "opt.plot": Text("画成 .svg、.png 或 .html", "Draw a chart to an .svg, .png or .html file."),
    "opt.all.lab": Text("显示全部行", "Show every row."),
    "opt.state": Text(
        "和牌状态：closed-draw closed-discard open-draw open-discard pungs-hidden pungs-open kongs hidden-kongs "
        "single-closed single-open closed-each open-each one-kong mixed-kongs one-flower four-flowers",
        "State of the hands: closed-draw closed-discard open-draw open-discard pungs-hidden pungs-open kongs "
        "hidden-kongs single-closed single-open closed-each open-each one-kong mixed-kongs one-flower four-flowers.",
    ),
    "opt.fresh": Text("重新枚举，不用缓存", "Enumerate again instead of using the cache."),
    "opt.publish": Text("重算并写入随程序发布的数据文件", "Recalculate and write the data file shipped with quepu."),
    "opt.least": Text(
        "在所有状态与情形中找含各番种的最小点数", "Find the lowest-scoring hand with each fan in every state."
    ),
    "opt.output": Text("写到哪个文件", "File to write."),
    "opt.pung": Text("每副刻子的权", "Weight of each pung."),
    "opt.played": Text(
        '对局结果文件：{{"wins": 和牌数, "fans": {{番种: 次数}}}}',
        'File of wins: {{"wins": number, "fans": {{fan: number}}}}.',
    ),
    "opt.against": Text("另一版本，画出番种的移动", "Another edition, to draw how fans moved."),
    "opt.table": Text(
        "只输出这些表：values factors joint played people like-people payable moved",
        "Only these tables: values factors joint played people like-people payable moved.",
    ),
    "arg.book.rules": Text("规则；不写则列出各节", "Rulebook (default: list the sections)."),
    "arg.section": Text("章节（编号或标题）；不写则全部", "Section, by key or title (default: all)."),
    "opt.book_page": Text("整本书成一页 Markdown：规则、番种、裁定", "Print the whole rulebook as one Markdown page."),
    "opt.sections": Text("只列出各节", "List the sections only."),
    "arg.book.rulings": Text("规则；不写则每一本", "Rulebook (default: all)."),
    "arg.ruling": Text("裁定编号，如 LQ4 或 4", "Ruling, e.g. LQ4 or 4."),
    "opt.open": Text("只看待作者定的", "Only questions that the authors have yet to settle."),
    "arg.book.facts": Text("规则：查看它的和牌情形与可选规则", "Rulebook, to show its circumstances and options."),
    "arg.conformance.book": Text("规则；不写则全部", "Rulebook (default: all)."),
    "opt.program": Text(
        "另一个程序的命令：从标准输入读 JSON 行，逐行回答",
        "Command of another program that reads JSON lines on standard input and answers each line.",
    ),
    "arg.old": Text("旧规则", "The old rulebook."),
    "arg.new": Text("新规则", "The new rulebook."),
    "title.arguments": Text("参数", "Arguments"),
    "title.options": Text("选项", "Options"),
    "title.commands": Text("命令", "Commands"),
    "usage": Text("用法：", "Usage: "),
    "usage.options": Text("[选项]", "[OPTIONS]"),
    "usage.command": Text("命令 [参数]...", "COMMAND [ARGS]..."),
    # ---- mistakes in the command itself
    "bad.option": Text("没有选项 {name}。", "there is no option {name}."),
    "bad.option.name": Text(
        "没有选项 {name}。如果“{whole}”是名字，前面先写 --。",
        "there is no option {name}. If {whole!r} is a name, put -- before it.",
    ),
    "bad.option.near": Text("没有选项 {name}，是不是 {near}？", "there is no option {name}; did you mean {near}?"),
    "bad.command": Text("没有命令“{name}”。", "there is no command {name!r}."),
    "bad.command.near": Text("没有命令“{name}”，是不是 {near}？", "there is no command {name!r}; did you mean {near}?"),
    "bad.missing": Text("缺少 {what}。", "missing argument {what}."),
    "bad.value": Text("{what} 不对：{why}", "{what}: {why}"),
    "bad.number": Text(
        "{what} 应是 {least} 到 {most} 的整数。", "{what} must be a whole number from {least} to {most}."
    ),
    "bad.number.least": Text("{what} 应是不小于 {least} 的整数。", "{what} must be a whole number, {least} or more."),
    "bad.choice": Text("{what} 只能是 {choices}。", "{what} must be {choices}."),
    "default": Text("（默认 {value}）", " (default {value})"),
    "bad.needs_value": Text("{name} 后面要有一个值。", "{name} needs a value."),
    "bad.extra": Text("多余的参数：{what}。", "unexpected arguments: {what}."),
    "try.help": Text("看帮助：{command} --help", "For help: {command} --help"),
    "bad.memory": Text("内存不足。", "not enough memory."),
    "bad.module": Text(
        "缺少 {name}：请重新安装 quepu，或 pip install {name}。",
        "{name} is missing: reinstall quepu, or run pip install {name}.",
    ),
    "bad.internal": Text(
        "程序内部出错（{what}）。请反馈出错的输入；设 QUEPU_DEBUG=1 可看详情。",
        "internal error ({what}). Please report the input that caused it; QUEPU_DEBUG=1 shows details.",
    ),
    "error": Text("错误：", "error: "),
    "opt.review_player": Text("只看这位玩家（名字或 1 到 4）", "Only this player (a name, or 1 to 4)."),
    "opt.review_hand": Text("只看第几局；0 为全部", "Only this hand; 0 for all."),
    "opt.review_all": Text("也列出没有问题的选择", "List good decisions too."),
}
