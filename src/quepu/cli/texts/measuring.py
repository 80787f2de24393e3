"""Texts of long-running commands: the lab, bots against bots, many lines, distances to valid hands."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

MEASURING: Final[dict[str, Text]] = {
    "lab.written": Text("已写入 {path}", "written to {path}"),
    "lab.drawn.first": Text(
        "图是第一张表的；未画：{more}（用 -t 或 -S 选一张，或画成 .html）",
        "only the first table is drawn; not drawn: {more} (choose one with -t or -S, or write .html)",
    ),
    "stopped": Text("已中断。", "interrupted."),
    "lab.partial": Text("已中断：只输出了已算完的部分。", "interrupted: only the finished part is shown."),
    "lab.more": Text("另有 {n} 行（--all 显示全部）", "{n} more rows (--all shows them)"),
    "lab.find.states": Text(
        "其他状态的和牌用 -S 查，如 -S closed-draw,kongs；全部状态见 quepu lab find --help。",
        "For hands in other states use -S, e.g. -S closed-draw,kongs; quepu lab find --help lists them.",
    ),
    "lab.striking": Text("逐个删去番种", "removing fans in turn"),
    "booklet.examples": Text("给草稿的番种找牌例", "looking for examples of the draft's fans"),
    "lab.settle": Text("找能分辨的牌", "looking for hands that tell them apart"),
    "settle.ask": Text("这手牌应是几点", "Points for this hand"),
    "settle.choose": Text("选哪种读法（序号）", "Which reading (number)"),
    "settle.alike": Text("没有一手牌能把这些读法分开。", "No hand tells these readings apart."),
    "settle.none": Text("没有一种读法符合所有这些牌。", "No reading agrees with all hands."),
    "lab.residues": Text("改牌求剩余数", "changing hands to find residues"),
    "lab.comparing": Text("在两本规则下算全部和牌", "scoring every hand under both rulebooks"),
    "payable.none": Text("已经做不成可和的牌。", "no valid hand can be reached any more."),
    "payable.missing": Text(
        "{distance}（起和 {minimum}）。",
        "{distance} (minimum {minimum}).",
    ),
    "payable.discard": Text("打", "discard"),
    "payable.keeps": Text("保留", "keeps"),
    "data.written": Text(
        "{file}：{positions} 次选择，{hands} 局，{size:.1f} MiB",
        "{file}: {positions} decisions of {hands} hands, {size:.1f} MiB",
    ),
    "data.rows": Text("{file}：{rows} 行，取自 {files} 个牌谱", "{file}: {rows} rows from {files} logs"),
    "data.left_out": Text(
        "略去 {n} 局：没打完，或不合规则（自定规则的牌谱须加 --rules FILE.toml）。",
        "{n} hands skipped: unfinished, or impossible under the rules (for logs under house "
        "rules add --rules FILE.toml).",
    ),
    "data.lost": Text("牌谱（{count} 份）：{text}", "logs ({count}): {text}"),
    "data.partial": Text("已中断，写下的是打完的部分。", "interrupted: finished hands are written."),
    "tables.preparing": Text(
        "正在为 {book} 备牌表（只此一次，约半分钟）……",
        "building the tables of {book} (first time only, about half a minute) …",
    ),
    "tables.package": Text(
        "安装 quepu-data 后无需等待：pip install quepu-data=={version}",
        "to skip this, install them: pip install quepu-data=={version}",
    ),
    "sim.partial": Text("已中断，以下是打完的部分。", "interrupted: these are the finished hands."),
    "already_more": Text(
        "记录里已有 {stored}，多于 -n 要的 {wanted}；下面是记录里的全部。",
        "the record already has {stored} hands, more than -n {wanted}; all are shown.",
    ),
    "sim.level": Text("级别", "level"),
    "sim.hands": Text("{word}数", "hands"),
    "sim.wins": Text("和牌", "wins"),
    "sim.dealt_in": Text("{discarded}", "deals in"),
    "sim.claims": Text("每{word}鸣牌", "claims per hand"),
    "sim.points": Text("每和点数", "points per win"),
    "sim.net": Text("每{word}收支 ± 标准误", "net per hand ± standard error"),
    "sim.summary": Text(
        "共 {hands} {word}，{nobody} {drawn:.1%}，每{word} {points:.1f} {unit}，摸牌 {draws:.1f} 次",
        "{hands} hands: {drawn:.1%} without a winner, {points:.1f} {unit} and {draws:.1f} tiles drawn per hand",
    ),
    "sim.standing": Text(
        "IJCAI 复式：{level} 名次分 {rank_points:g}，每副牌墙 {rank_points_a_wall:.2f}{se}"
        "（{walls} 副，收支 {net:+d}）",
        "IJCAI duplicate: {level} {rank_points:g} rank points, {rank_points_a_wall:.2f}{se} per wall "
        "({walls} walls, net {net:+d})",
    ),
    "sim.difference": Text(
        "同样的牌墙：{better} 比 {than} 每{word}多 {net_a_hand:+.2f}"
        "（95% 区间 {low95:+.2f} 至 {high95:+.2f}，{walls} 副牌墙）",
        "same walls: {better} over {than} {net_a_hand:+.2f} per hand (95%: {low95:+.2f} to "
        "{high95:+.2f}, {walls} walls)",
    ),
    "duplicate.commitment": Text("承诺（开赛前公布）：{commitment}", "commitment to publish before play: {commitment}"),
    "duplicate.rank": Text("名次", "rank"),
    "duplicate.name": Text("名字", "name"),
    "duplicate.team": Text("队", "team"),
    "duplicate.imps": Text("IMP", "IMPs"),
    "duplicate.difference": Text("与平均之差", "above average"),
    "duplicate.points": Text("得分", "points"),
    "duplicate.hands": Text("局数", "hands"),
    "review.net.other": Text(
        "第 {hand} 局 {who}：{made}（{share:.0%}），网络会{wanted}（{best:.0%}）",
        "hand {hand}, {who}: {made} ({share:.0%}); the net: {wanted} ({best:.0%})",
    ),
    "review.net.same": Text(
        "第 {hand} 局 {who}：{made}（{share:.0%}），与网络相同",
        "hand {hand}, {who}: {made} ({share:.0%}), same as the net",
    ),
    "review.net.sum": Text(
        "{who}：{n} 次选择，{same} 次与网络相同（{share:.0%}）",
        "{who}: {same} of {n} choices match the net ({share:.0%})",
    ),
    "bot.over": Text("对局 {id} 结束，座位 {seat}：{scores}", "match {id} is over, seat {seat}: {scores}"),
    "bot.aborted": Text("对局 {id} 中止，座位 {seat}", "match {id} was aborted, seat {seat}"),
    "gauntlet.title": Text("机器人过关赛", "Gauntlet of bots"),
    "gauntlet.overall": Text("对固定对手", "against fixed opponents"),
    "gauntlet.faults": Text("托管局数", "hands on default moves"),
    "gauntlet.summary": Text(
        "共 {hands} 局，处理器时间 {seconds:.0f} 秒；数字是每局每家多得几点，± 是 95% 区间的一半。",
        "{hands} hands in {seconds:.0f} s of processor time; figures are points per hand and seat, "
        "± half the 95% interval.",
    ),
    "gauntlet.how": Text(
        "每个机器人与每个固定的对手（{anchors}）打同样的 {walls} 副牌墙（{rules}，种子 {seed}）：四家各摸自己的牌墙，"
        "不用花牌，两对两的六种座次各打一局。“对固定对手”是对其余固定对手的平均。",
        "Every bot plays each of the fixed opponents ({anchors}) on the same {walls} walls ({rules}, seed {seed}): "
        "a wall for each seat, no flowers, all six seatings of two against two. “Against fixed opponents” is the mean "
        "over these, without the bot itself.",
    ),
    "gauntlet.again": Text(
        "重打一遍、多打几副牌墙，或加上自己的程序（`--bots 'botzone:./my_bot'`）：",
        "To play it again, or to add walls or your own program (`--bots 'botzone:./my_bot'`):",
    ),
    "sim.fans": Text("常见番种：", "common fans: "),
    "meter": Text("进行中", "running"),
    "jsonl.progress": Text("已算 {n} 行，{rate} 行/秒", "{n} lines, {rate} per second"),
    "jsonl.done": Text("共 {n} 行，{seconds} 秒。", "{n} lines, {seconds} s."),
    "jsonl.wrong": Text(
        "{n} 行无法计算（原因见答案）：第 {lines} 行。", "{n} lines could not be scored (see their answers): {lines}."
    ),
    # ---- stored discards, and programs that are tested
    "cmd.explore": Text(
        "查打牌库：符合条件的打牌有多少，放铳、和牌、得失各多少",
        "Explore stored discards: how often they deal in, how often their seat wins, what it gains or loses",
    ),
    "arg.store": Text(
        "quepu data --rows discards 写的 .parquet 文件或其文件夹",
        "File or folder written by quepu data --rows discards.",
    ),
    "arg.filter": Text(
        "条件，如 'shown>=2 turn>=10 early=4m tile=1m'", "Terms, such as 'shown>=2 turn>=10 early=4m tile=1m'."
    ),
    "opt.explore.by": Text(
        "按什么分：turn、tile、melds、left、rules、player、seat、shown",
        "Group by turn, tile, melds, left, rules, player, seat or shown.",
    ),
    "opt.explore.examples": Text("举几个例子", "Examples to show."),
    "explore.head": Text("{rows} 次打牌中，符合条件的 {cases} 例", "{cases} cases in {rows} discards"),
    "explore.more": Text(
        "只列出例数最多的组，另有 {n} 组没有列出。", "Only the groups with the most cases are listed; {n} more are not."
    ),
    "explore.none": Text("没有符合条件的打牌。", "no discard matches these terms."),
    "explore.cases": Text("例", "cases"),
    "explore.taken": Text("放铳", "won on"),
    "explore.cost": Text("平均付出", "mean cost"),
    "explore.won": Text("后来和了", "seat wins"),
    "explore.gain": Text("这局平均得失", "mean gain"),
    "explore.exact": Text(
        "任意 14 张牌里有这些牌的概率（精确值）：{share}", "exact chance that 14 random tiles include these: {share}"
    ),
    "explore.examples": Text("例子", "examples"),
    "explore.file": Text("文件", "file"),
    "explore.hand": Text("局", "hand"),
    "explore.frame": Text("帧", "frame"),
    "explore.player": Text("玩家", "player"),
    "explore.turn": Text("巡", "turn"),
    "explore.tile": Text("打", "discard"),
    "explore.paid": Text("付出", "cost"),
    "explore.open": Text(
        "打开：quepu replay {file} --hand {hand} --frame {frame}",
        "open: quepu replay {file} --hand {hand} --frame {frame}",
    ),
    "cmd.benchmark": Text(
        "评测别的程序：读规则算番，在同样的牌墙上选打哪张",
        "Test programs: reading a rulebook, and choosing discards on the same walls",
    ),
    "opt.contestant": Text(
        "参加者（可重复）：exec:命令、http 地址、机器人级别，或 quepu、sum、random",
        "Contestant (repeatable): exec:COMMAND, an HTTP address, a bot level, or quepu, sum, random.",
    ),
    "opt.benchmark.tasks": Text("任务：read 读规则，discard 选打哪张", "Tasks: read (a book), discard (a tile)."),
    "opt.benchmark.rules": Text(
        "规则（可重复）；不写就是灵雀 29 和玉雀 54", "Rulebook (repeatable); by default lingque-29 and yuque-54."
    ),
    "opt.benchmark.cases": Text("每本规则问几手牌", "Hands asked of each rulebook."),
    "opt.benchmark.walls": Text("每本规则打几副牌墙", "Walls played under each rulebook."),
    "opt.benchmark.patience": Text("一个问题最多等几秒", "Seconds to wait for an answer."),
    "opt.benchmark.out": Text(
        "存回答和结果的文件夹；再运行一次会接着做", "Folder for answers and report; a second run resumes."
    ),
    "benchmark.stopped": Text(
        "已停止；用同样的选项再运行一次会接着做。", "stopped; run it again with the same options to resume."
    ),
    "benchmark.lost": Text("已停止；没有 --out，回答没有存下。", "stopped; without --out the answers were not stored."),
    "benchmark.read": Text("读规则：算对几手", "Reading a rulebook: hands scored correctly"),
    "benchmark.discard": Text(
        "选打哪张：同一牌墙、同一座位上比 {anchor} 多得多少（每局）",
        "Choosing discards: gain per hand over {anchor} in the same seat on the same wall",
    ),
    "benchmark.contestant": Text("参加者", "contestant"),
    "benchmark.rules": Text("规则", "rulebook"),
    "benchmark.right": Text("算对", "correct"),
    "benchmark.interval": Text("95% 区间", "95% interval"),
    "benchmark.unanswered": Text("没答", "unanswered"),
    "benchmark.walls": Text("牌墙", "walls"),
    "benchmark.gain": Text("多得", "gain"),
    "benchmark.failed": Text("{name}：{n} 题没答，因为{why}", "{name}: {n} questions unanswered: {why}"),
}
