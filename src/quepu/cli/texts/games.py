"""Texts of the table: a game played, a score kept, a log replayed, reviewed and verified, a tournament seated."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

TABLES: Final[dict[str, Text]] = {
    "board.left": Text("余 {left} 张", "{left} tiles left"),
    "board.title": Text("{round}圈　余 {left} 张", "{round} round, {left} tiles left"),
    "board.ready": Text("（报听）", " (ready)"),
    "board.barred": Text("（陪打）", " (dead hand)"),
    "board.pool": Text("公池", "the pool"),
    "board.pays": Text("  {who} → {whom}　{points} 分　{why}", "  {who} → {whom}  {points}  {why}"),
    "board.nothing": Text("  没有人付分。", "  no payments."),
    "verify.differs": Text(
        "牌谱完整：{lines} 行，{hands} {word}，规则 {rules}；结果以当时所记为准，今天的规则有不同：",
        "the log is intact: {lines} lines, {hands} hands, {rules}; its recorded results stand, "
        "but today's rules differ:",
    ),
    "verify.damaged": Text(
        "牌谱与它自己的规则不符：{lines} 行，{hands} {word}，规则 {rules}。",
        "the log contradicts its own rules: {lines} lines, {hands} hands, {rules}.",
    ),
    "verify.otherwise": Text(
        "  第 {hand} {word}（第 {line} 行起）：{text}", "  hand {hand} (from line {line}): {text}"
    ),
    "verify.same": Text(
        "牌谱无误：{lines} 行，{hands} {word}，规则 {rules}。",
        "log verified: {lines} lines, {hands} hands, {rules}.",
    ),
    "verify.walls": Text(
        "第 {round} 轮的 {n} 副牌墙都由密数得出；密数的承诺是 {commitment}，请与开轮时公布的对照。",
        "all {n} walls of session {round} follow from the secret, whose commitment is "
        "{commitment}: compare it with the one published before the session.",
    ),
    "verify.promised": Text(
        "{n} {word}的牌墙与文件中开局前的承诺相符。",
        "the walls of {n} hands match the commitments in this file.",
    ),
    "verify.mixed": Text(
        "{n} {word}的牌墙里有玩家的盐：{salts}。", "the walls of {n} hands include players' salts: {salts}."
    ),
    "verify.salts": Text("{name}（{n} {word}）", "{name} ({n} hands)"),
    "verify.withheld": Text("作了承诺却没有出示盐：{salts}。", "committed to a salt but never revealed it: {salts}."),
    "verify.no_promise": Text(
        "这份牌谱没有牌墙承诺（牌墙由种子生成）。", "this log has no wall commitments (its walls come from a seed)."
    ),
    "verify.unfinished": Text("对局没有打完。", "the match is not finished."),
    "review.hand": Text("第 {hand} {word} {place}", "hand {hand} {place}"),
    "review.grade": Text(
        "  {seat} {name}　{letter}　价值保留 {kept:.0%}"
        "（{n} 次选择，失误 {mistakes}，大失误 {blunders}，少得 {cost} 分）",
        "  {seat} {name}  {letter}  accuracy {kept:.0%} ({n} decisions, {mistakes} mistakes, "
        "{blunders} blunders, {cost} points lost)",
    ),
    "review.kinds": Text("      失误种类：{kinds}", "      by kind: {kinds}"),
    "review.and": Text("、", ", "),
    "review.kind": Text("{grade}（{kind}）", "{grade} ({kind})"),
    "review.idle": Text("  {seat} {name}　没有需要选择的地方", "  {seat} {name}  no decisions"),
    "review.move": Text("    {at:>4} {seat} {name} {move}　{why}", "    {at:>4} {seat} {name} {move}: {why}"),
    "review.leads": Text("         {leads}", "         {leads}"),
    "review.no_player": Text("没有玩家“{who}”，玩家有：{names}。", "no player {who!r}; players: {names}."),
    "review.no_hand": Text(
        "这份牌谱有 {n} {word}，没有第 {hand} {word}。", "this log has only {n} hands, so there is no hand {hand}."
    ),
    "replay.where": Text("第 {hand} {word} {place}　{at}/{of}", "hand {hand} {place}  {at}/{of}"),
    "replay.hand": Text("第 {hand} {word} {place}　{names}", "hand {hand} {place}  {names}"),
    "replay.events_only": Text(
        "  （这一{word}不能照今天的规则重演，只有事件）",
        "  (this hand cannot be replayed under today's rules: events only)",
    ),
    "replay.as_named": Text(
        "（番名照牌谱所记，这里没有它的规则）", " (as the log names them: its rulebook is not known here)"
    ),
    "replay.empty": Text("这份牌谱里还没有牌局。", "this log has no hands yet."),
    "replay.keys": Text(
        "回车/n 下一步　b 上一步　j 数 跳到事件　h 数 第几{word}　e {word}末　s E 只看东家　a 看全部　q 退出",
        "Enter/n next, b back, j N go to event N, h N go to hand N, e end of hand, s E show "
        "East only, a show all, q quit",
    ),
    "play.me": Text("我", "you"),
    "play.bot": Text("电脑{n}·{level}", "bot{n}-{level}"),
    "play.prompt": Text("出牌> ", "play> "),
    "play.worth": Text("按价值（与牌桌提示、复盘一致）：", "by value (as in hints and reviews): "),
    "play.flower": Text(
        "手里有花：输入 f 补花，或输入花名打出。",
        "You hold a flower: type f to replace it, or its name to discard it.",
    ),
    "play.shape": Text("按牌形（只看张数）：", "by tile efficiency:"),
    "play.welcome": Text("对局记在 {path}。输入 ? 看怎么操作。", "the game is saved in {path}. Type ? for help."),
    "play.hand": Text("\n第 {number} {word}　{place}", "\nhand {number}  {place}"),
    "play.own_walls": Text("四家各摸自己的 {n} 张牌墙。", "Each player draws from their own wall of {n} tiles."),
    "board.piles": Text("（{each}）", " ({each})"),
    "play.dice": Text(
        "骰子 {dice}：从{wind}家面前右起第 {stack} 墩开始拿牌。",
        "dice {dice}: the deal starts at stack {stack} from the right of {wind}'s wall.",
    ),
    "play.promise": Text(
        "牌墙承诺 {hash}……（局后可用 quepu verify 核对）", "wall commitment {hash}… (check it with quepu verify)"
    ),
    "play.next": Text("回车继续……", "Press Enter to continue …"),
    "play.over": Text("终局", "Final standings"),
    "play.left": Text("对局已保存：{path}。用 {command} 继续。", "saved in {path}; resume with {command}"),
    "play.help": Text(
        "打牌：输入牌名（3m、東、E）；回车打出刚摸的牌，或过\n"
        "鸣牌：c 吃（c2 第二种）　p 碰　k 杠（k 3m 指定）　h 和　n 过　r 报听　f 补花\n"
        "其他：t 提示（听牌与点数、打哪张）　b 看牌桌　q 离开（保存，可继续）",
        "discard: type a tile (3m, E); Enter discards the drawn tile, or passes\n"
        "claims: c chow (c2 the second choice), p pung, k kong (k 3m), h win, n pass, r ready, "
        "f flower\n"
        "other: t hint (waits with points, what to discard), b board, q leave (saved, resume "
        "later)",
    ),
    "match.welcome": Text("{book}，记在 {path}。输入 ? 看写法。", "{book}, saved in {path}. Type ? for help."),
    "match.prompt": Text("记分> ", "score> "),
    "match.place": Text("{word}", "hand"),
    "match.what": Text("经过", "what happened"),
    "match.total": Text("合计", "total"),
    "match.reduced": Text("  约化分数　", "  reduced score  "),
    "match.standard": Text("  标准分：", "  standard points: "),
    "match.pool": Text("  公池 {pool:+d}", "  pool {pool:+d}"),
    "match.rung": Text("  时间到：下面是最后一{word}。", "  time is up: this is the last hand."),
    "match.next": Text("  下一{word}：{place}　{seats}", "  next: {place}  {seats}"),
    "match.kept": Text("已保存：{path}", "saved in {path}"),
    "told.prompt": Text("这一{word}> ", "hand> "),
    "told.turn": Text("  轮到{wind}家（{name}），余 {left} 张", "  {wind} ({name}) to act, {left} tiles left"),
    "told.drawn": Text(
        "  牌墙摸完了：{nobody}。",
        "  the wall is empty: the hand ends without a winner.",
    ),
    "told.show": Text(
        "  还没亮牌：{names}。写 {wind} 亮 手牌（不亮即放弃得分）；写完按回车。",
        "  not shown yet: {names}. Enter {wind} show TILES (a hand not shown gets no points); then press Enter.",
    ),
    "told.resumed": Text("继续上次没录完的一{word}（已录 {n} 句）。", "resuming the hand being entered ({n} lines)."),
    "told.help": Text(
        "一句一件事：谁 做什么 哪张牌。谁可写名字、门风，省略即轮到的那家；只写牌即打出。没看见"
        "的牌写 ?，摸牌不必写。\n"
        "  5m　东 打 5m 摸切　南 吃 234m　西 碰　北 杠　东 暗杠 9m　东 加杠 5m　南 补 春　南 听"
        "\n"
        "  西 和 手牌　东 自摸 手牌+和张　{nobody}　南 亮 手牌　罚 玩家 罚例　免 条号\n"
        "桌（牌桌与已录的各句）　撤（撤销一句）　弃（不记这一{word}）　q（退出，下次继续）",
        "One event per line: who, what, which tile. Who is a name or a wind; leave it out for "
        "the player to act. A tile\n"
        "alone is a discard; ? is an unseen tile; draws need no line.\n"
        "  5m   E discard 5m drawn   S chow 234m   W pung   N kong   E concealed 9m   E added "
        "5m   S flower 春\n"
        "  S ready   W win TILES   E win TILES+TILE drawn   drawn   S show TILES   fault PLAYER"
        " FAULT   revoke NUMBER\n"
        "board   undo   cancel (leave this hand)   q (leave; resume later)",
    ),
    "match.help": Text(
        "和 和家 {discarded}者 {worth}　　　　和 {a} {b} {hand}　（给牌则自动算）\n"
        "自摸 和家 {worth}　　自摸 {a} {drawn}　　{nobody}\n"
        "后面可加（次序随意）：{beside}\n"
        "罚 玩家 罚例 [分数] [已弥补]　　免 条号（撤销罚分）　　罚例（规则里的罚例）　　座 东家"
        " 南家 西家 北家\n"
        "{word}（逐步录入下一{word}）　　表（所有记录）　榜（名次）\n"
        "撤（撤销上一步）　改 条号 新记录　插 条号 漏记的一条（插在那条之前）　删 条号　q（退出，"
        "已自动保存）\n"
        "换 玩家 接替的人　改名 玩家 名字　止（结束本场）　铃（时间到，再记一{word}）\n"
        "结（谁给谁多少）　再来（同样四人再打一场）\n"
        "玩家可写名字、1 到 4 或当前的门风",
        "win WINNER DISCARDER {worth}    win {a} {b} {hand}  (tiles are scored)\n"
        "draw WINNER {worth}    draw {a} {drawn}    drawn\n"
        "optional, in any order: {beside}\n"
        "fault PLAYER FAULT [POINTS] [remedied]   revoke N   faults (list the rulebook's)   "
        "seats EAST SOUTH WEST NORTH\n"
        "tell (enter the next hand line by line)   list   standings\n"
        "undo   correct N RECORD   insert N RECORD (before it)   delete N   q (quit; "
        "everything is saved)\n"
        "substitute PLAYER NAME   rename PLAYER NAME   end   bell (time is up: last hand)\n"
        "settle (who pays whom)   again (same four players)\n"
        "players: by name, 1 to 4, or seat wind",
    ),
    "match.help.supplied": Text(
        "供 丙3 丁1（各家供的张数，含和张）；写了牌时 供 乙 乙 丁（各副碰杠是谁打的）",
        "supplied C3 D1 (tiles supplied, including the winning one); with tiles: supplied B B "
        "D (who discarded for each pung or kong)",
    ),
    "match.help.ready": Text(
        "听 乙=9 丙=13张手牌（亮出的听牌：番数或手牌）　见 1m1m9s（桌上已亮出的其他牌，用来判断听的牌是否已绝）",
        "ready B=9 C=TILES (ready hands shown: points or 13 tiles)  seen 1m1m9s (other visible tiles)",
    ),
    "match.help.feeder": Text(
        "放杠 甲（明杠的牌是谁打的；加杠写 无）", "fed A (who discarded the kong tile; none if it was added)"
    ),
    "match.help.several": Text("两家和：和 甲,丙 乙 5,3", "two winners: win A,C B 5,3"),
    "match.help.liable": Text(
        "包 乙（乙付整手牌；两家和写 包 甲=乙）", "liable B (B pays for the hand; of two: liable A=B)"
    ),
    "match.help.givers": Text(
        "写了牌时 供 乙 乙 丁（各副碰杠是谁打的，由此算出谁包）",
        "with tiles: supplied B B D (who discarded for each pung or kong, which decides who is liable)",
    ),
    "match.help.flowers": Text("花2 或 花春梅", "flowers 2, or flowers spring plum"),
    "match.help.robbed": Text("抢杠", "robbed (by robbing a kong)"),
    "match.fault": Text("  {name}　{price}，{to}{barred}　{text}", "  {name}  {price}, {to}{barred}  {text}"),
    "match.fault.one": Text("赔受损的一家（写 赔 玩家）", "to the player harmed (write: to PLAYER)"),
    "match.fault.nobody": Text("不归任何人", "paid to no one"),
    "match.fault.pool": Text("交公池", "to the pool"),
    "match.fault.others": Text("赔各家", "to each other player"),
    "match.fault.barred": Text("，停和陪打", ", dead hand"),
    "match.fault.remedy": Text("      可弥补：{text}", "      remedied by: {text}"),
    "match.no_faults": Text("这本规则没有定罚例。", "this rulebook sets no penalties."),
    "match.announced": Text("  报番　{wind}{name} {text}", "  {wind} {name} {text}"),
    "match.asks_givers": Text(
        "{text}按次序写名字（都是一个人就写一个）：", "{text} Names in that order (one name for all): "
    ),
    "match.asks_feeder": Text("{text}写名字，加杠写 无：", "{text} A name, or none: "),
    "match.barred": Text("  停和陪打：{names}", "  dead hands: {names}"),
    "cmd.duplicate": Text(
        "线下复式：牌条与 IMP 成绩", "Run duplicate at real tables: slips for trays, standings in IMPs"
    ),
    "cmd.seating": Text("编排多轮比赛：谁与谁同桌、坐哪家", "Make a tournament seating plan"),
    "arg.players": Text(
        "人数，或名单文件（一行一人，可写“名字,队名”）",
        "Number of players, or a file with one per line (NAME or NAME,TEAM).",
    ),
    "opt.seating.rounds": Text("轮数", "Number of sessions."),
    "opt.odd": Text(
        "凑不齐四人时：rest 轮流轮空，three 设三人桌",
        "If players do not divide by four: rest (players sit out in turn) or three (tables of three).",
    ),
    "opt.absent": Text(
        "某人缺哪几轮，如 张三:1,2；可写多次", "Sessions in which a player is absent, as in Li:1,2; repeatable."
    ),
    "opt.seating.seed": Text("换一个种子得到另一份编排", "Seed; another seed gives another schedule."),
    "opt.csv.seating": Text("写成 CSV（- 为标准输出）", "Write CSV to this file (- for standard output)."),
    "seating.round": Text("第 {n} 轮", "Session {n}"),
    "seating.table": Text("桌", "table"),
    "seating.resting": Text("轮空：{names}", "sitting out: {names}"),
    "seating.none": Text("没有人重复同桌", "no repeat meetings"),
    "seating.repeats": Text(
        "重复同桌 {n} 人次（同两人最多 {most} 次）", "{n} repeat meetings (a pair meets at most {most} times)"
    ),
    "seating.unavoidable": Text("最少 {n} 次", "minimum {n}"),
    "seating.seats": Text("各人坐四家的次数最多相差 {n}", "seat counts per player differ by at most {n}"),
    "seating.teammates": Text("同队相遇 {n} 次", "{n} meetings within a team"),
    "seating.rests": Text("各人轮空 {least}–{most} 轮", "each player sits out {least}–{most} sessions"),
    "seating.comma": Text("；", "; "),
    "seating.stop": Text("。", "."),
}
