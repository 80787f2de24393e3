"""Corrections at the desk: names, substitutes, seats, annulled rounds, cuts, the tournament's own settings."""

from __future__ import annotations

from collections.abc import Callable

from quepu.tournament.desk_records import Amend, Annul, Cut, DeskRecord, DeskSpec, NewName, Substitute, Swap
from quepu.tournament.desk_state import Desk, DeskError, DeskRound, Heir, Stage


def step(desk: Desk, record: DeskRecord) -> None:
    """Apply a record that corrects what the desk has.

    Raises:
        DeskError: it is impossible; nothing has changed then.
    """
    match record:
        case NewName():
            _rename(desk, record)
        case Substitute():
            _substitute(desk, record)
        case Swap():
            _swap(desk, record)
        case Annul():
            _annul(desk, record)
        case Cut():
            _cut(desk, record)
        case Amend():
            desk.spec = amend(desk.spec, record)


def check_name(desk: Desk, name: str) -> None:
    """Check that a player is known.

    Raises:
        DeskError: they are not.
    """
    if name not in desk.teams:
        raise DeskError(f"名单里没有“{name}”。", f"{name!r} is not among the players.")


def amend(spec: DeskSpec, record: Amend) -> DeskSpec:
    """Return the tournament with some of its settings changed."""
    changes = {key: value for key, value in record if key != "do" and value is not None}
    if record.length == 0:
        changes["length"] = None
    return spec.model_copy(update=changes)


def _map_names(one: DeskRound, now: Callable[[str], str]) -> None:
    """Change names in a round; its score tables keep those under which they were opened."""
    for table in one.tables:
        table.names = tuple(None if name is None else now(name) for name in table.names)
    one.resting = tuple(now(name) for name in one.resting)


def _rename(desk: Desk, record: NewName) -> None:
    check_name(desk, record.name)
    if record.to == record.name:
        return
    if record.to in desk.teams:
        raise DeskError(
            f"已经有“{record.to}”了；同名的另一个人请加备注，如“{record.to}（小）”。",
            f"{record.to!r} exists already; for another player of this name add a note: '{record.to} (2)'.",
        )

    def now(name: str) -> str:
        return record.to if name == record.name else name

    desk.teams = {now(name): team for name, team in desk.teams.items()}
    desk.numbers = {now(name): number for name, number in desk.numbers.items()}
    desk.away = {now(name) for name in desk.away}
    desk.checked = {now(name) for name in desk.checked}
    for one in desk.rounds:
        _map_names(one, now)
    desk.fines = [one._replace(fine=one.fine.model_copy(update={"name": now(one.fine.name)})) for one in desk.fines]
    desk.heirs = [heir._replace(name=now(heir.name), substitute=now(heir.substitute)) for heir in desk.heirs]
    desk.stages = [
        stage._replace(names=tuple(map(now, stage.names)), eligible=tuple(map(now, stage.eligible)))
        for stage in desk.stages
    ]
    desk.renamed = {old: now(name) for old, name in desk.renamed.items()} | {record.name: record.to}
    desk.renamed.pop(record.to, None)


def _substitute(desk: Desk, record: Substitute) -> None:
    check_name(desk, record.name)
    if record.round > len(desk.begun) + 1 and record.round > len(desk.rounds):
        raise DeskError(f"第 {record.round} 轮还没有排。", f"session {record.round} is not drawn yet.")
    if record.substitute == record.name:
        raise DeskError("替补不能是本人。", "players cannot substitute for themselves.")
    from_there = desk.rounds[record.round - 1 :]
    for number, one in enumerate(from_there, record.round):
        if any(record.substitute in table.names for table in one.tables):
            raise DeskError(
                f"“{record.substitute}”在第 {number} 轮自己有座位。",
                f"{record.substitute!r} has a seat of their own in session {number}.",
            )

    def now(name: str) -> str:
        return record.substitute if name == record.name else name

    for one in from_there:
        one.resting = tuple(name for name in one.resting if name != record.substitute)
        _map_names(one, now)
    desk.teams[record.substitute] = desk.teams.get(record.substitute) or desk.teams[record.name]
    desk.away.discard(record.substitute)
    desk.away.add(record.name)
    desk.renamed.pop(record.substitute, None)
    if record.carry:
        desk.heirs.append(Heir(record.name, record.substitute, record.round))
        desk.fines = [one._replace(fine=one.fine.model_copy(update={"name": now(one.fine.name)})) for one in desk.fines]
    last = desk.stages[-1] if desk.stages else None
    if last is not None and record.name in last.names:
        names = tuple(now(name) for name in last.names if name != record.substitute)
        desk.stages[-1] = last._replace(names=names)


def _swap(desk: Desk, record: Swap) -> None:
    if record.round > len(desk.rounds):
        raise DeskError(f"第 {record.round} 轮还没有排。", f"session {record.round} is not drawn yet.")
    one = desk.rounds[record.round - 1]
    there = {*one.resting, *(name for table in one.tables for name in table.names)}
    for name in (record.one, record.other):
        if name not in there:
            raise DeskError(
                f"“{name}”不在第 {record.round} 轮里。",
                f"{name!r} neither plays nor sits out in session {record.round}.",
            )
    exchange = {record.one: record.other, record.other: record.one}
    _map_names(one, lambda name: exchange.get(name, name))


def _annul(desk: Desk, record: Annul) -> None:
    if record.round > len(desk.begun):
        raise DeskError(f"第 {record.round} 轮还没有开。", f"session {record.round} has not started.")
    desk.begun[record.round - 1].annulled = not record.back


def _cut(desk: Desk, record: Cut) -> None:
    for name in record.names:
        check_name(desk, name)
    names = tuple(dict.fromkeys(record.names))
    desk.stages.append(Stage(len(desk.begun), names, record.carry, tuple(desk.present)))
    desk.coming = []
    desk.away |= desk.teams.keys() - set(names)
    desk.away -= set(names)
