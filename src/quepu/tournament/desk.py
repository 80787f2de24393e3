"""The desk of a tournament or club night: fold its records into players, rounds, results and penalties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quepu.errors import join_list
from quepu.folding import natural_order
from quepu.tournament import desk_corrections as corrections
from quepu.tournament.desk_log import Written
from quepu.tournament.desk_records import (
    Begin,
    CheckIn,
    ClockSet,
    Cut,
    DeskRecord,
    DeskSpec,
    Draw,
    DrawnRound,
    Enter,
    Fine,
    Leave,
    NewName,
    Ruling,
    Slip,
    Substitute,
    Swap,
    UndoRound,
)
from quepu.tournament.desk_state import Desk, DeskError, DeskRound, DeskTable, Outcome, Penalty, Unfinished


def fold(
    spec: DeskSpec,
    records: Sequence[tuple[float, DeskRecord] | Written],
    live: Mapping[str, Outcome] | None = None,
    *,
    checked: bool = False,
) -> Desk:
    """Build a tournament from its records with their times; `live` are results of score tables by id.

    `checked`: the records were checked when they were written, against the results of that time. A record may depend on
    those (the next round, a penalty of a substitute), so `live` is added at the end.

    Raises:
        DeskError: a record is impossible; the sentence says why.
    """
    desk = Desk(spec)
    for one in records:
        at, record = one[:2]
        number = one[2] if len(one) > 2 else None
        step(desk, at, without_guards(desk, record) if checked else record, number)
    add_live(desk, live or {})
    return desk


def without_guards(desk: Desk, record: DeskRecord) -> DeskRecord:
    """Return a record that is applied whatever the results of the tables; everyone it names is known."""
    for name in sorted(list_names(record) - desk.teams.keys(), key=natural_order):
        desk.teams[name] = ""
        desk.away.add(name)
        desk.assumed.add(name)
    return record.model_copy(update={"anyway": True}) if isinstance(record, Begin) else record


def list_names(record: DeskRecord) -> set[str]:
    """Return the players that a record takes to be known."""
    if isinstance(record, Leave | Fine | NewName | Substitute | CheckIn):
        return {record.name}
    if isinstance(record, Swap):
        return {record.one, record.other}
    if isinstance(record, Cut):
        return set(record.names)
    if isinstance(record, Draw):
        seated = {name for one in record.rounds for table in one.tables for name in table if name}
        return seated.union(*(one.resting for one in record.rounds))
    return set()


def add_live(desk: Desk, live: Mapping[str, Outcome]) -> None:
    """Use results of score tables (by their ids) where no score sheet was entered."""
    for one in desk.begun:
        for table in one.tables:
            outcome = live.get(table.opened)
            table.by_hand = () if outcome is None else outcome.by_hand
            if not table.results and outcome is not None and (outcome.over or desk.spec.interim):
                people = _people_now(desk, table, outcome)
                table.results.append(outcome._replace(people=people))
                for name, _ in people:
                    if name not in desk.teams:  # a substitute does not play in later rounds
                        desk.teams[name] = ""
                        desk.away.add(name)


def _people_now(desk: Desk, table: DeskTable, outcome: Outcome) -> tuple[tuple[str, int], ...]:
    """Return the points of everyone who played at a score table under the names that they have now."""
    present = {old: now for old, now in zip(table.drawn, table.names, strict=False) if old and now}
    sums: Counter[str] = Counter()
    for name, points in outcome.people:
        sums[present.get(name) or desk.renamed.get(name, name)] += points
    return tuple(sums.items())


def step(desk: Desk, at: float, record: DeskRecord, number: int | None = None) -> None:
    """Apply one more record; `number` is its place among all records of the log.

    Raises:
        DeskError: it is impossible; nothing has changed then.
    """
    match record:
        case Enter():
            desk.teams[record.name] = record.team
            if record.number:
                desk.numbers[record.name] = record.number
            desk.away.discard(record.name)
            desk.renamed.pop(record.name, None)
        case Leave():
            corrections.check_name(desk, record.name)
            (desk.away.discard if record.back else desk.away.add)(record.name)
        case Draw():
            desk.coming = [_to_round(desk, one) for one in record.rounds]
        case Begin():
            _begin(desk, at, record)
        case UndoRound():
            _undo_round(desk)
        case Slip():
            _slip(desk, at, record, number)
        case Fine():
            corrections.check_name(desk, record.name)
            desk.fines.append(Penalty(record, len(desk.stages), number))
        case CheckIn():
            corrections.check_name(desk, record.name)
            desk.checked.add(record.name)
        case Ruling():
            desk.rulings.append(record)
        case ClockSet():
            desk.clock = (at, record.left, record.running)
        case _:
            corrections.step(desk, record)


def _to_round(desk: Desk, one: DrawnRound) -> DeskRound:
    for name in [*(name for table in one.tables for name in table if name), *one.resting]:
        corrections.check_name(desk, name)
    return DeskRound([DeskTable(tuple(table)) for table in one.tables], tuple(one.resting))


def _begin(desk: Desk, at: float, record: Begin) -> None:
    if not desk.coming:
        raise DeskError("没有排好的轮，请先排桌。", "no session is drawn: draw one first.")
    if desk.begun and not desk.begun[-1].over and not (record.anyway or record.arena):
        left = [i for i, table in enumerate(desk.begun[-1].tables, 1) if not table.over]
        listed = join_list(map(str, left))
        raise Unfinished(
            f"第 {len(desk.begun)} 轮的桌 {listed.zh} 还没有结果。",
            f"table{'s' * (len(left) > 1)} {listed.en} of round {len(desk.begun)} "
            f"{'have' if len(left) > 1 else 'has'} no result yet.",
        )
    one = desk.coming[0]
    for table in one.tables:
        table.drawn = table.names
        gone = [name for name in table.names if name in desk.away]
        if gone:
            raise DeskError(
                f"{'、'.join(gone)} 不在，请重新排这一轮。", f"absent: {', '.join(gone)}; draw the session again."
            )
    desk.coming.pop(0)
    for table, opened in zip(one.tables, record.opened, strict=False):
        table.opened, table.online = opened, record.online
    one.at = at
    one.commitment, one.own = record.commitment, record.own
    desk.begun.append(one)
    if not record.arena:
        desk.clock = (at, desk.spec.minutes * 60.0, True)


def _undo_round(desk: Desk) -> None:
    if not desk.begun:
        raise DeskError("还没有开始任何一轮。", "no session has started.")
    if desk.stages and desk.stages[-1].after == len(desk.begun):
        raise DeskError(
            "这一轮之后已经定了晋级名单，请先在“记录”里删除它。",
            "the cut after this session has been made; delete it under “History” first.",
        )
    undone = desk.begun.pop()
    fresh = [DeskTable(table.names) for table in undone.tables]
    desk.coming.insert(0, DeskRound(fresh, undone.resting))
    desk.clock = None


def _slip(desk: Desk, at: float, record: Slip, number: int | None) -> None:
    if record.round > len(desk.begun):
        raise DeskError(f"第 {record.round} 轮还没有开。", f"session {record.round} has not started.")
    tables = desk.begun[record.round - 1].tables
    if record.table > len(tables):
        raise DeskError(
            f"第 {record.round} 轮没有桌 {record.table}。", f"session {record.round} has no table {record.table}."
        )
    table = tables[record.table - 1]
    for name, points in zip(table.names, record.points, strict=True):
        if (name is None) != (points is None):
            raise DeskError(
                "有人的座位都要填分，空位不填。", "give points to every seated player and to no empty seat."
            )
    outcome = Outcome(
        tuple(record.points),
        record.hands or desk.spec.hands,
        at,
        record.note,
        standard=None if record.standard is None else tuple(record.standard),
        record=number,
        photo=record.photo,
    )
    table.results.append(outcome)
