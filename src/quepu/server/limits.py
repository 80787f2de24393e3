"""All limits of a server in one table: per address, and for all visitors together.

`python -m quepu.server.limits` writes the tables of docs/reference/limits.md and docs/reference/limits.zh.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from quepu.errors import Text, UnknownName


class Limit(NamedTuple):
    """A limit as documented: its name, its current value, whom it concerns, and its purpose."""

    name: str
    value: float
    per: Text
    about: Text


_ADDRESS = Text("地址", "address")
_OWNER = Text("地址、账号", "address, account")
_SERVER = Text("服务器", "server")
_REQUEST = Text("请求", "request")
_ROOM = Text("房间", "room")
_ANSWER = Text("练习答案", "practice answer")
_CODE = Text("一次性代码", "password reset code")
_TRANSFER = Text("转移代码", "transfer code")


def _limit(value: Any, per: Text, zh: str, en: str) -> Any:
    return field(default=value, metadata={"per": per, "about": Text(zh, en)})


@dataclass(frozen=True)
class Limits:
    """The limits; an address is an IPv4 address or the /64 of an IPv6 one."""

    # ---- requests
    rate: float = _limit(50, _ADDRESS, "每秒补充的请求次数", "sustained requests per second")
    burst: int = _limit(1200, _ADDRESS, "可一次用掉的请求次数", "requests in a burst")
    body: int = _limit(256 * 1024, _REQUEST, "正文字节数", "size of the body in bytes")
    log: int = _limit(2 * 1024 * 1024, _REQUEST, "导入牌谱的字节数", "size of an imported log in bytes")

    # work done in other processes
    work_cpu: float = _limit(2, _REQUEST, "计算用的处理器秒数", "CPU seconds per computation")
    work_wall: float = _limit(20, _REQUEST, "计算用的时钟秒数", "wall-clock seconds for the same")
    work_memory: int = _limit(512, _SERVER, "计算进程的内存（MiB）", "memory of the computing process in MiB")
    work_rate: float = _limit(0.25, _OWNER, "每秒补充的处理器秒数", "CPU seconds regained per second")
    work_burst: float = _limit(60, _OWNER, "可一次用掉的处理器秒数", "CPU seconds in a burst")
    hint_cpu: float = _limit(2, _REQUEST, "一次提示的处理器秒数", "CPU seconds per hint")
    hint_wall: float = _limit(60, _REQUEST, "一次提示的时钟秒数", "wall-clock seconds for the same")
    hint_memory: int = _limit(1024, _SERVER, "提示进程的内存（MiB）", "memory of the process for hints in MiB")
    tables_cpu: float = _limit(
        15,
        _REQUEST,
        "备牌表一段的处理器秒数（通常半秒）",
        "CPU seconds per part of a rulebook's tables (usually half a second)",
    )
    tables_wall: float = _limit(120, _REQUEST, "备牌表一段的时钟秒数", "wall-clock seconds for the same")
    tables_memory: int = _limit(
        1024, _SERVER, "备牌表进程的内存（MiB）", "memory of the process that builds tables in MiB"
    )
    tables_rate: float = _limit(
        1 / 600,
        _OWNER,
        "每秒补充的“为自定规则备牌表”次数（提示、复盘、对打、配强机器人的房间）",
        "table builds for house rules (hints, reviews, duels, rooms with strong bots) regained per second",
    )
    tables_burst: float = _limit(3, _OWNER, "可一次用掉的备牌表次数", "table builds for house rules in a burst")
    tables_each: int = _limit(3, _ADDRESS, "排队等着备牌表的自定规则数", "house rules waiting for their tables")
    tables_most: int = _limit(20, _SERVER, "排队等着备牌表的规则数", "rulebooks waiting for their tables")
    threads: int = _limit(4, _SERVER, "同时回答短请求的线程数", "threads that answer short requests")
    work_each: int = _limit(60, _ADDRESS, "排队等候的计算数", "queued computations")
    work_most: int = _limit(400, _SERVER, "排队等候的计算数", "queued computations")
    reviews_each: int = _limit(2, _OWNER, "排队等候的复盘数", "reviews queued or running")
    reviews_most: int = _limit(20, _SERVER, "排队等候的复盘数", "reviews queued or running")

    # the workshop, in a process of its own
    workshop_cpu: float = _limit(2, _REQUEST, "工坊计算的处理器秒数", "CPU seconds per computation of the workshop")
    workshop_cpu_member: float = _limit(
        25, _REQUEST, "同上，登录者与本机", "the same for visitors who are logged in or use this machine"
    )
    workshop_wall: float = _limit(90, _REQUEST, "工坊计算的时钟秒数", "wall-clock seconds for the same")
    workshop_memory: int = _limit(2048, _SERVER, "工坊进程的内存（MiB）", "memory of the workshop's process in MiB")
    workshop_rate: float = _limit(
        0.25, _OWNER, "工坊每秒补充的处理器秒数", "CPU seconds of the workshop regained per second"
    )
    workshop_burst: float = _limit(60, _OWNER, "工坊可一次用掉的处理器秒数", "CPU seconds of the workshop in a burst")
    workshop_each: int = _limit(3, _ADDRESS, "工坊排队等候的计算数", "queued computations of the workshop")
    workshop_most: int = _limit(40, _SERVER, "工坊排队等候的计算数", "queued computations of the workshop")

    # rooms
    rooms: int = _limit(20, _OWNER, "正在打和等人的房间数", "rooms waiting or being played")
    open_rooms: int = _limit(6, _OWNER, "还没有开始的房间数", "rooms not yet started")
    all_rooms: int = _limit(10_000, _SERVER, "内存中的房间数", "rooms in memory")

    # storage
    stored_rate: float = _limit(2048, _OWNER, "每秒补充的可存字节数", "bytes of storage regained per second")
    stored_burst: float = _limit(64 << 20, _OWNER, "可一次存下的字节数", "bytes stored in a burst")
    unbegun_days: float = _limit(30, _ROOM, "没有开打的房间保存的天数", "days until a room without a match is deleted")
    match_days: float = _limit(36_500, _ROOM, "打过的对局保存的天数", "days until a played match is deleted")
    practice_days: float = _limit(730, _ANSWER, "练习答案保存的天数", "days until it is deleted")
    code_hours: float = _limit(24, _CODE, "重设密码的一次性代码有效的小时数", "hours of validity")
    transfer_minutes: float = _limit(15, _TRANSFER, "有效的分钟数", "minutes of validity")
    table_records: int = _limit(300, _REQUEST, "一张记分表的记录数", "records in a score table")
    log_lines: int = _limit(40_000, _REQUEST, "导入牌谱的行数", "lines of an imported log")

    # connections
    connections: int = _limit(
        480, _ADDRESS, "打开的 HTTP 连接数（事件流另计）", "open HTTP connections, not counting event streams"
    )
    streams: int = _limit(
        500,
        _ADDRESS,
        "打开的事件流数（实时更新的记分表和比赛页）",
        "open event streams (pages that follow a score table or a tournament)",
    )
    all_connections: int = _limit(
        20_000,
        _SERVER,
        "打开的连接数（至多文件数上限减 256）",
        "open connections; at most the limit on open files minus 256",
    )
    head_time: float = _limit(10, _REQUEST, "送完请求头的秒数", "seconds to send the headers")
    body_time: float = _limit(
        10, _REQUEST, "送完正文的秒数，每 64 KiB 多一秒", "seconds to send the body, plus one per 64 KiB"
    )
    answer_time: float = _limit(120, _REQUEST, "收完响应的秒数", "seconds to read the response")
    body_each: int = _limit(8 << 20, _ADDRESS, "没有送完的正文字节数", "bytes of bodies still arriving")
    body_all: int = _limit(
        256 << 20, _SERVER, "没有送完的正文字节数（大的在磁盘上）", "the same in total (large bodies are on disk)"
    )
    hello_rate: float = _limit(10, _OWNER, "每秒补充的 WebSocket 握手数", "WebSocket handshakes regained per second")
    hello_burst: float = _limit(200, _OWNER, "可一次用掉的握手数", "WebSocket handshakes in a burst")
    message_rate: float = _limit(300, _OWNER, "每秒经 WebSocket 读入的消息数", "WebSocket messages read per second")
    message_burst: float = _limit(300, _OWNER, "可一次读入的消息数", "WebSocket messages in a burst")
    sockets: int = _limit(500, _OWNER, "打开的 WebSocket 数", "open WebSockets")


def table(limits: Limits | None = None) -> list[Limit]:
    """List every limit, in order."""
    limits = limits or Limits()
    return [
        Limit(one.name, getattr(limits, one.name), one.metadata["per"], one.metadata["about"]) for one in fields(Limits)
    ]


def parse_limits(words: Iterable[str]) -> dict[str, Any]:
    """Parse limits from the command line: NAME=NUMBER.

    Raises:
        UnknownName: the limit is unknown, or the number is invalid.
    """
    by_name = {one.name: one for one in fields(Limits)}
    found: dict[str, Any] = {}
    for word in words:
        name, _, number = word.partition("=")
        one = by_name.get(name.strip())
        if one is None:
            listed = " ".join(by_name)
            raise UnknownName(f"没有限额“{name}”，可用：{listed}。", f"no limit {name!r}; there are: {listed}.")
        try:
            found[one.name] = value = (float if one.type == "float" else int)(number)
        except ValueError:
            value = -1
        if not 0 < value < float("inf"):
            raise UnknownName(f"限额“{word}”应是大于 0 的数。", f"the limit {word!r} must be a number above 0.")
    return found


def markdown(lang: str) -> str:
    """Return the table of docs/reference/limits.md ("en") or docs/reference/limits.zh.md ("zh")."""
    heads = Text("| 名称 | 默认 | 每个 | 说明 |", "| name | default | for each | meaning |")
    rows = [
        f"| `{one.name}` | {f'{one.value:g}' if one.value < 1e6 else one.value} "
        f"| {one.per.say(lang)} | {one.about.say(lang)} |"
        for one in table()
    ]
    return "\n".join([heads.say(lang), "|---|---|---|---|", *rows])


if __name__ == "__main__":
    print(markdown("en"), markdown("zh"), sep="\n\n")  # noqa: T201  # what this module is run for
