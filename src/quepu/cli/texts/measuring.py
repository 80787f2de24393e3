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
    "lab.settle": Text("找能分辨的牌", "looking for hands that tell them apart"),
    "settle.ask": Text("这手牌应是几点", "Points of this hand"),
    "settle.none": Text("没有一种读法与各手牌都相合。", "No reading agrees with all hands."),
    "settle.written": Text("已写进 {file}", "written to {file}"),
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
        "{file}：{positions} 个决定，{hands} 局，{size:.1f} MiB",
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
        "IJCAI duplicate: {level} {rank_points:g} rank points, {rank_points_a_wall:.2f}{se} a wall "
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
        "第 {hand} 局 {who}：{made}（{share:.0%}），与网络相同", "hand {hand}, {who}: {made} ({share:.0%}), as the net"
    ),
    "review.net.sum": Text(
        "{who}：{n} 次选择，{same} 次与网络相同（{share:.0%}）", "{who}: {same} of {n} choices as the net ({share:.0%})"
    ),
    "bot.over": Text("对局 {id} 结束，座位 {seat}：{scores}", "match {id} is over, seat {seat}: {scores}"),
    "bot.aborted": Text("对局 {id} 中止，座位 {seat}", "match {id} was aborted, seat {seat}"),
    "gauntlet.title": Text("机器人过关赛", "Gauntlet of bots"),
    "gauntlet.overall": Text("对固定对手", "against the anchors"),
    "gauntlet.faults": Text("托管局数", "hands on default moves"),
    "gauntlet.summary": Text(
        "共 {hands} 局，处理器时间 {seconds:.0f} 秒；数字是每局每家多得几点，± 是 95% 区间的一半。",
        "{hands} hands in {seconds:.0f} s of processor time; figures are points a hand and seat, "
        "± half the 95 % interval.",
    ),
    "gauntlet.how": Text(
        "每个机器人与每个固定的对手（{anchors}）打同样的 {walls} 副牌墙（{rules}，种子 {seed}）：四家各摸自己的牌墙，"
        "不用花牌，两对两的六种座次各打一局。“对固定对手”是对其余固定对手的平均。",
        "Every bot meets every anchor ({anchors}) on the same {walls} walls ({rules}, seed {seed}): own walls, no "
        "flowers, all six seatings of two and two. “Against the anchors” is the mean over the other anchors.",
    ),
    "gauntlet.again": Text(
        "重打、加打牌墙或加上自己的程序（`--bots 'botzone:./my_bot'`）：",
        "To play it again, or to add walls or your own program (`--bots 'botzone:./my_bot'`):",
    ),
    "sim.fans": Text("常见番种：", "common fans: "),
    "meter": Text("进行中", "running"),
    "jsonl.progress": Text("已算 {n} 行，{rate} 行/秒", "{n} lines, {rate} per second"),
    "jsonl.done": Text("共 {n} 行，{seconds} 秒。", "{n} lines, {seconds} s."),
    "jsonl.wrong": Text(
        "{n} 行无法计算（原因见答案）：第 {lines} 行。", "{n} lines could not be scored (see their answers): {lines}."
    ),
}
