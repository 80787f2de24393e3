"""Texts of what takes long: the lab, bots against bots, many lines, distances to hands that may win."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

MEASURING: Final[dict[str, Text]] = {
    "lab.written": Text("已写入 {path}", "written: {path}"),
    "lab.drawn.first": Text(
        "图是第一张表的；未画：{more}（用 -t 或 -S 选一张，或画成 .html）",
        "the drawing is of the first table; not drawn: {more} (choose one with -t or -S, or draw an .html)",
    ),
    "stopped": Text("已中断。", "stopped."),
    "lab.partial": Text("未完成：只输出了已算出的部分。", "cut short: only what was done is given."),
    "lab.more": Text("另有 {n} 行（--all 显示全部）", "{n} more rows (--all shows them)"),
    "lab.find.states": Text(
        "别种状态的和牌用 -S 查，如 -S closed-draw,kongs；有哪些见 quepu lab find --help。",
        "Hands of other states by -S, as -S closed-draw,kongs; quepu lab find --help lists them.",
    ),
    "lab.striking": Text("逐个删去番种", "striking out fans"),
    "lab.comparing": Text("在两本规则下算全部和牌", "scoring every hand under both"),
    "payable.none": Text("已经没有能和的牌形了。", "no hand that may win can be reached any more."),
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
    "data.left_out": Text(
        "略去 {n} 局：没打完，或规则打不出（自定规则的牌谱要加 --rules FILE.toml）。",
        "{n} hands left out: unfinished, or not played so by the book (logs of house rules want --rules FILE.toml).",
    ),
    "data.lost": Text("牌谱（{count} 份）：{text}", "logs ({count}): {text}"),
    "data.partial": Text("已中断，写下的是打完的部分。", "interrupted: what was done is written."),
    "tables.preparing": Text(
        "正在为 {book} 备牌表（只此一次，约半分钟）……", "preparing the tables of {book} (once, half a minute) …"
    ),
    "tables.package": Text(
        "装上 quepu-data 就不用等：pip install quepu-data=={version}",
        "the package quepu-data has them ready: pip install quepu-data=={version}",
    ),
    "sim.partial": Text("已中断，以下是打完的部分。", "interrupted: this is what was played."),
    "already_more": Text(
        "记录里已有 {stored}，多于 -n 要的 {wanted}；下面是记录里的全部。",
        "the record already has {stored}, more than the {wanted} of -n; all of them are shown.",
    ),
    "sim.level": Text("级别", "level"),
    "sim.hands": Text("{word}数", "hands"),
    "sim.wins": Text("和牌", "wins"),
    "sim.dealt_in": Text("{discarded}", "deals in"),
    "sim.claims": Text("每{word}鸣牌", "claims a hand"),
    "sim.points": Text("每和点数", "points a win"),
    "sim.net": Text("每{word}收支 ± 标准误", "net a hand ± standard error"),
    "sim.summary": Text(
        "共 {hands} {word}，{nobody} {drawn:.1%}，每{word} {points:.1f} {unit}，摸牌 {draws:.1f} 次",
        "{hands} hands: {drawn:.1%} without a winner, {points:.1f} {unit} and {draws:.1f} tiles drawn per hand",
    ),
    "sim.duplicate": Text(
        "复式：{better} 比 {than} 每{word}多 {net_a_hand:+.2f}"
        "（95% 区间 {low95:+.2f} 至 {high95:+.2f}，{walls} 副牌墙）",
        "duplicate: {better} over {than} {net_a_hand:+.2f} a hand (95 %: {low95:+.2f} to {high95:+.2f}, {walls} walls)",
    ),
    "sim.fans": Text("常见番种：", "common fans: "),
    "meter": Text("进行中", "working"),
    "jsonl.progress": Text("已算 {n} 行，{rate} 行/秒", "{n} lines, {rate} a second"),
    "jsonl.done": Text("共 {n} 行，{seconds} 秒。", "{n} lines, {seconds} s."),
    "jsonl.wrong": Text(
        "{n} 行算不了（缘由写在答案里）：第 {lines} 行。", "no score for {n} lines (their answers say why): {lines}."
    ),
}
