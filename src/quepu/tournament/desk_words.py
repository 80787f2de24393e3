"""The history of a desk in words: each line of its log as a sentence."""

from __future__ import annotations

from quepu.errors import Text, join_list, many
from quepu.tournament.desk_log import LogLine
from quepu.tournament.desk_records import (
    Amend,
    Annul,
    Begin,
    CheckIn,
    ClockSet,
    Cut,
    DeskRecord,
    Draw,
    Enter,
    Fine,
    Leave,
    NewName,
    Ruling,
    Slip,
    Substitute,
    Swap,
)

KEYS = {
    "standard": Text("标准分", "standard points"),
    "total": Text("总分", "points"),
    "reduced": Text("约化分数", "reduced score"),
    "wins": Text("头名", "firsts"),
    "met": Text("对手分", "opponents' points"),
    "direct": Text("直接对决", "head-to-head"),
    "imps": Text("IMP", "IMPs"),
}


def describe_line(line: LogLine) -> Text:
    """Return a line of the log as a sentence."""
    now = describe(line.record, line.round)
    if line.do == "remove":
        return Text(f"删除：{now.zh}", f"Deleted: {now.en}")
    if line.do == "correct" and line.was is not None:
        was = describe(line.was)
        return Text(f"更正：{now.zh}（原来：{was.zh}）", f"Corrected: {now.en} (was: {was.en})")
    return now


def describe(record: DeskRecord, round: int = 0) -> Text:
    """Return a record in words; `round` is the round that it begins or takes back."""
    match record:
        case Enter():
            more = "，".join(part for part in (record.team, record.number) if part)
            return Text(
                f"{record.name} 报到" + (f"（{more}）" if more else ""),
                f"{record.name} registered" + (f" ({more.replace('，', ', ')})" if more else ""),
            )
        case CheckIn():
            return Text(f"{record.name} 签到", f"{record.name} checked in")
        case Leave():
            return (
                Text(f"{record.name} 回来了", f"{record.name} is back")
                if record.back
                else Text(f"{record.name} 离场", f"{record.name} left")
            )
        case NewName():
            return Text(f"{record.name} 改名为 {record.to}", f"{record.name} renamed to {record.to}")
        case Substitute():
            return Text(
                f"第 {record.round} 轮起 {record.substitute} 替 {record.name}，"
                + ("接着他的分打" if record.carry else "从零分打起"),
                f"From session {record.round} {record.substitute} substitutes for {record.name}, "
                + ("with the points so far" if record.carry else "starting from zero"),
            )
        case Swap():
            return Text(
                f"第 {record.round} 轮 {record.one} 与 {record.other} 换座",
                f"Session {record.round}: {record.one} and {record.other} swap seats",
            )
        case Draw():
            count = len(record.rounds)
            return Text(f"排了 {count} 轮", f"Drew {many(count, 'session')}")
        case Begin():
            return (
                Text("新开一桌", "Opened a table")
                if record.arena
                else Text(f"开第 {round} 轮", f"Started session {round}")
            )
        case Slip():
            return _slip(record)
        case Fine():
            return _fine(record)
        case _:
            return _describe_rest(record, round)


def _slip(record: Slip) -> Text:
    points = " ".join("·" if n is None else f"{n:+d}".replace("-", "−") if n else "0" for n in record.points)
    zh, en = (
        f"第 {record.round} 轮 桌 {record.table}：{points}",
        f"Session {record.round}, table {record.table}: {points}",
    )
    if record.standard is not None:
        given = " ".join("·" if n is None else f"{n:g}" for n in record.standard)
        zh, en = f"{zh}，标准分 {given}", f"{en}, standard points {given}"
    return _noted(Text(zh, en), record.note)


def _fine(record: Fine) -> Text:
    amounts = [
        Text(f"{record.points} 分", many(record.points, "point")) if record.points else None,
        Text(f"{record.standard:g} 标准分", f"{record.standard:g} standard points") if record.standard else None,
    ]
    much = join_list(amount for amount in amounts if amount is not None)
    where = Text(f"第 {record.round} 轮 ", f"session {record.round}, ") if record.round else Text("", "")
    nothing = not (record.points or record.standard)
    return _noted(
        Text(
            f"{where.zh}{record.name} " + ("警告" if nothing else f"罚 {much.zh}"),
            f"{where.en}{record.name}: " + ("warning" if nothing else f"penalty of {much.en}"),
        ),
        record.note,
    )


def _noted(text: Text, note: str) -> Text:
    return Text(f"{text.zh}（{note}）", f"{text.en} ({note})") if note else text


def _describe_rest(record: DeskRecord, round: int) -> Text:
    match record:
        case Ruling():
            where = [Text(f"第 {record.round} 轮", f"session {record.round}")] if record.round else []
            where += [Text(f"桌 {record.table}", f"table {record.table}")] if record.table else []
            place = join_list(where)
            return Text(
                (f"{place.zh.replace('、', ' ')}：" if where else "") + record.text,
                (f"{place.en}: " if where else "") + record.text,
            )
        case Annul():
            text = (
                Text(f"第 {record.round} 轮重新计分", f"Session {record.round} counts again")
                if record.back
                else Text(f"第 {record.round} 轮作废", f"Session {record.round} annulled")
            )
            return _noted(text, record.note)
        case Cut():
            share = {0: Text("分数清零", "starting from zero"), 0.5: Text("带一半分", "with half their points")}
            carried = share.get(record.carry, Text("带全部分", "with all their points"))
            return Text(f"前 {len(record.names)} 名晋级，{carried.zh}", f"Top {len(record.names)} go on, {carried.en}")
        case Amend():
            changed = join_list(_changes(record))
            return Text(f"改设置：{changed.zh}", f"Settings changed: {changed.en}")
        case ClockSet():
            left = f"{int(record.left) // 60}:{int(record.left) % 60:02}"
            return (
                Text(f"开始计时，还剩 {left}", f"Clock started with {left} left")
                if record.running
                else Text(f"暂停计时，还剩 {left}", f"Clock paused with {left} left")
            )
        case _:
            return Text(f"撤回第 {round} 轮", f"Took session {round} back")


def _changes(record: Amend) -> list[Text]:
    changes: list[Text] = []
    if record.title is not None:
        changes.append(Text(f"名称 {record.title}", f"name {record.title}"))
    if record.rules is not None:
        changes.append(Text(f"规则 {record.rules}", f"rulebook {record.rules}"))
    if record.order is not None:
        keys = [KEYS[key] for key in record.order]
        changes.append(
            Text(
                "排名依次按" + "、".join(key.zh for key in keys), "ranked by " + ", then ".join(key.en for key in keys)
            )
        )
    if record.minutes is not None:
        changes.append(Text(f"每轮 {record.minutes} 分钟", f"{many(record.minutes, 'minute')} per session"))
    if record.length is not None:
        changes.append(
            Text(f"每桌 {record.length} 圈", f"{many(record.length, 'round')} of winds per table")
            if record.length
            else Text("每桌长度按规则", "tables as long as the rulebook says")
        )
    if record.odd is not None:
        changes.append(
            Text("多余的人轮空", "surplus players sit out")
            if record.odd == "rest"
            else Text("排三人桌", "tables of three")
        )
    if record.hands is not None:
        changes.append(Text(f"每桌 {record.hands} 局", f"{many(record.hands, 'hand')} per table"))
    if record.check_in is not None:
        changes.append(
            Text("开放手机签到", "phone check-in open")
            if record.check_in
            else Text("关闭手机签到", "phone check-in closed")
        )
    return changes
