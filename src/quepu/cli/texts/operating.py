"""Texts of `quepu admin`."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

OPERATING: Final[dict[str, Text]] = {
    "cmd.admin": Text("管理服务器的数据：备份、账号、房间", "Manage a server's data: backups, accounts, rooms"),
    "cmd.admin.backup": Text("备份数据库（不必停服务器）", "Back up the database while servers run"),
    "cmd.admin.restore": Text("用备份恢复数据库（先停服务器）", "Restore a backup (stop the server first)"),
    "cmd.admin.offsite": Text("备份并送到另一台机器（不必停服务器）", "Send a backup to another machine"),
    "cmd.admin.rehearse": Text(
        "演练恢复：取回备份，恢复到临时文件夹，核对行数", "Rehearse a restore: fetch a backup and compare its counts"
    ),
    "cmd.admin.check": Text("检查每一页、每一条记录", "Check the database for damage"),
    "cmd.admin.move": Text(
        "把数据搬到另一个数据库（SQLite 与 PostgreSQL 之间）", "Move all data between SQLite and PostgreSQL"
    ),
    "cmd.admin.accounts": Text("列出账号", "List accounts"),
    "cmd.admin.reset": Text("给出重设密码的一次性代码", "Issue a single-use password reset code"),
    "cmd.admin.delete-account": Text("删除账号", "Delete an account"),
    "cmd.admin.export": Text("导出一个账号的全部资料（JSON）", "Export all data of an account (JSON)"),
    "cmd.admin.rename": Text("给账号改名", "Rename an account"),
    "cmd.admin.ban": Text("禁用一个名字（不写名字则列出）", "Ban a name (without a name: list banned names)"),
    "cmd.admin.allow": Text("不再禁用一个名字", "Unban a name"),
    "cmd.admin.rooms": Text("列出使用中的房间", "List open rooms"),
    "cmd.admin.close-room": Text("关闭一个房间", "Close a room"),
    "cmd.admin.find": Text("按标题或内容找记分表、比赛、牌谱、房间", "Find tables, tournaments, replays and rooms"),
    "cmd.admin.hide": Text("把牌谱从公开列表里拿掉", "Take a replay off the public list"),
    "cmd.admin.show": Text("把牌谱放回公开列表", "Put a replay back on the public list"),
    "cmd.admin.take-down": Text("撤下一份记录：谁都打不开，但不删除", "Make a log inaccessible without deleting it"),
    "cmd.admin.put-back": Text("恢复撤下的记录", "Make a log accessible again"),
    "cmd.admin.export-log": Text("导出一份记录的全部内容（JSON）", "Export all of a log (JSON)"),
    "cmd.admin.erase": Text("把一个人的名字从所有记录里换掉", "Replace a person's name in all logs"),
    "cmd.admin.tidy": Text("删去过期的资料（服务器每小时也会做）", "Delete expired data (servers also do this hourly)"),
    "cmd.admin.audit": Text("列出管理操作的记录", "List operators' actions"),
    "opt.metrics_port": Text(
        "单独的端口，只在本机提供 /metrics；0 为关闭",
        "Separate local port for /metrics; 0 turns it off.",
    ),
    "opt.log": Text("日志的形式：text 或 json（一行一个对象）", "Log format: text, or json (one object per line)."),
    "opt.config": Text(
        "配置文件（TOML）；命令行与环境变量 QUEPU_SERVE_… 优先，见 docs/guide/operators.zh.md",
        "Configuration file (TOML); flags and QUEPU_SERVE_… variables take precedence (docs/guide/operators.md).",
    ),
    "opt.check": Text(
        "只检查：配置、数据库、网页、端口、限额；不启动",
        "Check configuration, database, web client, ports and limits, then exit.",
    ),
    "check.fine": Text("✓ ", "✓ "),
    "check.warning": Text("！ ", "! "),
    "check.bad": Text("✗ ", "✗ "),
    "arg.backup": Text("备份文件", "Backup file."),
    "arg.backup_there": Text("远端的备份（默认最新的）", "Remote backup (default: the newest)."),
    "opt.offsite": Text(
        "传文件的命令（TOML，见 deploy/offsite.toml）", "Commands that copy files (TOML; see deploy/offsite.toml)."
    ),
    "arg.words": Text("名字的一部分", "Part of the name."),
    "arg.account": Text("账号名", "Account name."),
    "arg.new_name": Text("新名字", "New name."),
    "arg.name": Text("名字", "Name."),
    "arg.room": Text("房间的编号", "Room id."),
    "arg.log_id": Text("记录的编号（见 find）", "Log id (see find)."),
    "arg.log_words": Text("标题、名字或内容的一部分", "Part of a title, a name, or the content."),
    "arg.person": Text("这个人的名字", "The person's name."),
    "opt.erase_log": Text("只在这一份记录里换", "Replace it in this log only."),
    "opt.replace": Text(
        "替换已有的数据库（原来的改名保留）", "Replace the existing database (it is kept under another name)."
    ),
    "opt.repair": Text(
        "把可读的数据复制到新数据库（先停服务器）",
        "Copy all readable data into a new database (stop the server first).",
    ),
    "opt.move_from": Text(
        "从哪里搬：SQLite 的文件夹，或 postgresql://…", "Move from: a folder with SQLite, or postgresql://…"
    ),
    "opt.move_to": Text(
        "搬到哪里：空的文件夹，或空的 postgresql://…", "Move to: an empty folder, or an empty postgresql://…"
    ),
    "opt.yes": Text("不再询问确认", "Do not ask for confirmation."),
    "opt.trust_clock": Text(
        "时钟无误：距上次清理超过一天也照常删除",
        "The clock is correct: delete expired data even if the last tidy was more than a day ago.",
    ),
    "opt.all_rooms": Text("也列出打完的", "List finished ones too."),
    "admin.none": Text("没有。", "None."),
    "admin.backed_up": Text("已备份到 {file}（{size} KiB），已核对。", "Backed up to {file} ({size} KiB) and checked."),
    "admin.restored": Text("已用 {file} 恢复。", "Restored from {file}."),
    "admin.aside": Text("原来的数据库在 {file}。", "The previous database is at {file}."),
    "admin.move_pass": Text(
        "搬了 {copied} 行，删了 {deleted} 行，{seconds} 秒", "copied {copied} rows, deleted {deleted}, in {seconds} s"
    ),
    "admin.move_last": Text(
        "停写后搬了剩下的 {copied} 行，删了 {deleted} 行，{seconds} 秒；行数：",
        "with writes paused, copied the remaining {copied} rows, deleted {deleted}, in {seconds} s; rows in both:",
    ),
    "admin.moved": Text(
        "已搬到 {target}，两边行数相同；停写 {pause} 秒。现在让服务器改用它（database），再启动。",
        "Moved to {target}; the counts are equal. Writes paused for {pause} s. Now start the server with it.",
    ),
    "admin.sent": Text("已送出 {name}（{size} KiB，{rows} 行）。", "Sent {name} ({size} KiB, {rows} rows)."),
    "admin.removed_there": Text("已删除远端的 {name}。", "Removed {name} from the remote machine."),
    "admin.rehearsed_table": Text("  {table}　备份 {count}　现在 {now}", "  {table}  backup {count}  now {now}"),
    "admin.rehearsed": Text(
        "{name} 恢复得出来，完好，行数与备份时相同（{seconds} 秒）。",
        "{name} can be restored; it is undamaged, and its row counts match the backup ({seconds} s).",
    ),
    "admin.whole": Text("数据库完好。", "The database is undamaged."),
    "admin.newest_backup": Text(
        "最新的完好备份：{file}（{made}；{contents}）。请先考虑恢复它：quepu admin restore "
        "{file} --replace；修复（--repair）会截短坏页上的每份记录。",
        "The newest undamaged backup is {file} ({made}; {contents}). Consider restoring it: "
        "quepu admin restore {file} --replace. A repair (--repair) truncates every log on a "
        "damaged page.",
    ),
    "admin.no_backup": Text("没有找到完好的备份。", "No undamaged backup was found."),
    "admin.repaired": Text("已修复。修复前后：", "Repaired. Before and after:"),
    "admin.counted.matches": Text("对局 {count}", "matches: {count}"),
    "admin.counted.tables": Text("记分表 {count}", "score tables: {count}"),
    "admin.counted.tournaments": Text("比赛 {count}", "tournaments: {count}"),
    "admin.counted.imports": Text("导入的牌谱 {count}", "imported logs: {count}"),
    "admin.counted.others": Text("其他 {count}", "others: {count}"),
    "admin.counted.entries": Text("以上共有记录 {count} 条", "entries in all of these: {count}"),
    "admin.and": Text("，", ", "),
    "admin.cut": Text(
        "截短：{id}（{title}），{before} 条剩 {after} 条", "truncated: {id} ({title}), {after} of {before} entries left"
    ),
    "admin.gone": Text("丢失：{id}（{title}），{before} 条", "lost: {id} ({title}), {before} entries"),
    "admin.unreadable": Text("读不出：{table} 的 {count} 行", "unreadable: {count} rows of {table}"),
    "admin.account": Text(
        "{name}　{created}　登录 {sessions} 处　座位 {seats}",
        "{name}  {created}  {sessions} sessions, {seats} seats",
    ),
    "admin.code": Text(
        "代码：{code}（24 小时内可用一次：在登录框点“忘记密码”）",
        "Code: {code} (valid once, for 24 hours: choose “Forgot password” in the login dialog)",
    ),
    "admin.confirm": Text(
        "删除账号“{name}”（{created} 建立，登录 {sessions} 处，座位 {seats}）？删了不能恢复。[y/N] ",
        "Delete the account {name!r} (created {created}, {sessions} sessions, {seats} seats) for good? [y/N] ",
    ),
    "admin.not_deleted": Text("没有删除账号“{name}”。", "The account {name!r} was not deleted."),
    "admin.deleted": Text("已删除账号“{name}”和 {rooms} 桌。", "Deleted the account {name!r} and {rooms} tables."),
    "admin.renamed": Text("“{name}”现在叫“{other}”。", "{name!r} is now called {other!r}."),
    "admin.banned": Text("“{name}”和相似的名字不能再用。", "{name!r} and similar names can no longer be used."),
    "admin.allowed": Text("“{name}”又可以用了。", "{name!r} can be used again."),
    "admin.not_banned": Text("“{name}”没有被禁用。", "{name!r} was not banned."),
    "admin.closed": Text("房间 {room} 已关闭。", "The room {room} is closed."),
    "admin.state.public": Text("公开", "public "),
    "admin.state.private": Text("不公开", "private"),
    "admin.state.taken": Text("已撤下", "taken down"),
    "admin.hidden": Text("{id} 不再列在公开的牌谱里。", "{id} is no longer on the public list."),
    "admin.shown": Text("{id} 又列在公开的牌谱里。", "{id} is on the public list again."),
    "admin.taken_down": Text(
        "{id} 已撤下，十秒内谁都打不开。", "{id} is taken down; within ten seconds no one can open it."
    ),
    "admin.put_back": Text("{id} 又打得开了。", "{id} can be opened again."),
    "admin.erase_in": Text("记录 {id} 里", "log {id}"),
    "admin.erase_everywhere": Text("所有记录里", "all logs"),
    "admin.erase_confirm": Text(
        "把{where}的名字“{name}”换成代号？同名的人也会换，换了不能恢复。[y/N] ",
        "Replace the name {name!r} in {where} for good? Others of the same name are replaced, too. [y/N] ",
    ),
    "admin.not_erased": Text("没有换掉“{name}”。", "The name {name!r} was not replaced."),
    "admin.erased": Text(
        "{count} 份记录里的“{name}”已换成“{pseudonym}”。", "Replaced {name!r} with {pseudonym!r} in {count} logs."
    ),
    "admin.erased_photos": Text(
        "这些比赛的 {count} 张成绩单照片已删除：上面可能有名字和签名。",
        "Deleted {count} photos of paper slips of these tournaments: names and signatures may be on them.",
    ),
    "admin.erase_playing": Text(
        "还在打的没有换，打完再运行一次：{rooms}",
        "Not replaced because it is still being played; run this again later: {rooms}",
    ),
    "admin.tidied": Text(
        "已删去：没开打的房间 {rooms}，对局 {matches}，登录 {sessions}，代码 {codes}，练习答案 {practice}。",
        "Deleted: {rooms} rooms never started, {matches} matches, {sessions} sessions, {codes} "
        "codes, {practice} answers.",
    ),
}
