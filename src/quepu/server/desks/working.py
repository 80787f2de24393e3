"""Tournaments computed from their logs in another process: plain data in and out."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from quepu.errors import HandError, Text, many
from quepu.folding import natural_order
from quepu.match.seats import RoundPosition
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.scorekeeper.club import Result, outcomes, points_by_hand, winds_at
from quepu.server.http.rendering import bilingual
from quepu.server.score_tables.working import Stored, compute_table
from quepu.server.store.values import Entry
from quepu.spreadsheets import read_cells
from quepu.tournament import desk_draw
from quepu.tournament.desk import add_live, fold, step
from quepu.tournament.desk_corrections import check_name
from quepu.tournament.desk_log import RECORD, WHOLE, DeskLog, read_log
from quepu.tournament.desk_records import Cut, DeskRecord, DeskSpec, Enter, Fine, Ruling, Slip, Substitute
from quepu.tournament.desk_standings import place_shares, standings, team_standings
from quepu.tournament.desk_state import Desk, DeskError, DeskTable, HandPoints, Outcome, Stage
from quepu.tournament.desk_words import describe_line
from quepu.tournament.schedule import Round, measure, twice
from quepu.tournament.seat_list import read_seating, wrong_lines

Json = dict[str, Any]
BY_HAND = "by_hand"
"""The key of hands by table or room among the results of a tournament; ids are longer."""


def _log(entries: Sequence[Entry]) -> DeskLog:
    return read_log((entry.at, entry.body) for entry in entries)


def desk_of(entries: Sequence[Entry], results: Mapping[str, Json] | None = None) -> Desk:
    """Return the tournament of a log; `results` are those of its score tables, by id."""
    return _desk_of(DeskSpec.model_validate(entries[0].body["spec"]), _log(entries), results or {})


def _desk_of(spec: DeskSpec, log: DeskLog, results: Mapping[str, Json]) -> Desk:
    desk = fold(spec, log.written, checked=True)
    of_rooms = {id: data for id, data in results.items() if "totals" in data}
    tables = {id: Result.from_json(data) for id, data in results.items() if id not in of_rooms and id != BY_HAND}
    live = outcomes(desk, tables)
    live |= {id: Outcome(tuple(data["totals"]), data["hands"], 0.0) for id, data in of_rooms.items()}
    for id, hands in results.get(BY_HAND, {}).items():
        if id in live:
            live[id] = live[id]._replace(by_hand=tuple(HandPoints(tuple(w), tuple(p)) for w, p in hands))
    add_live(desk, live)
    return desk


def list_opened(entries: Sequence[Entry], *, online: bool) -> list[str]:
    """Return the ids of all score tables, or of all rooms, opened for a tournament."""
    records = [record for entry in entries for record in entry.body.get("records", ())]
    begun = [record for record in records if record.get("opened") and bool(record.get("online")) == online]
    return [id for record in begun for id in record["opened"] if id]


def list_duplicate(entries: Sequence[Entry]) -> list[str]:
    """Return the ids of the score tables and rooms of rounds in which each seat has its own wall."""
    records = [record for entry in entries for record in entry.body.get("records", ())]
    return [id for record in records if record.get("own") for id in record.get("opened", ()) if id]


def table_hands(stored: Stored) -> list[list[Sequence[int]]]:
    """Return the winds and points of each seat of a score table, hand by hand."""
    return [[one.winds, one.points] for one in points_by_hand(compute_table(stored).ledger)]


def room_hands(lines: Sequence[str]) -> list[list[Sequence[int]]]:
    """Return the winds and points of each seat of a room, hand by hand, from the lines of its log."""
    found: list[list[Sequence[int]]] = []
    winds, before = (0, 1, 2, 3), [0, 0, 0, 0]
    for line in lines:
        if line.startswith('{"hand":'):
            winds = winds_at(RoundPosition(*json.loads(line)["place"]))
        elif line.startswith('{"result":'):
            totals = json.loads(line)["totals"]
            found.append([winds, [now - then for now, then in zip(totals, before, strict=True)]])
            before = totals
    return found


def over_rooms(entries: Sequence[Entry], results: Mapping[str, Json]) -> list[str]:
    """Return the rooms of finished rounds with shared walls."""
    desk = desk_of(entries, results)
    rounds = [one for one in desk.begun if one.over and one.commitment]
    return [table.opened for one in rounds for table in one.tables if table.online and table.opened]


def ends(body: Json) -> bool:
    """Return whether an entry of a room's log comes after its match."""
    return str(body.get("line", "")).startswith('{"end":') or bool(body.get("released"))


def room_result(lines: Sequence[str], hands: int) -> Json | None:
    """Return the result of a match in a room from the last lines of its log; None while it is being played."""
    if not lines or not lines[-1].startswith('{"end":'):
        return None
    last = next((line for line in reversed(lines) if line.startswith('{"result":')), None)
    return None if last is None else {"totals": json.loads(last)["totals"], "hands": hands}


def play_rules_of(desk: Desk) -> PlayRules:
    """Return the rules of play of a tournament's book."""
    return play_rules(book_of(desk.spec.rules, desk.spec.house))


def check_change(entries: Sequence[Entry], results: Mapping[str, Json], body: Json) -> Json:
    """Check an entry that would be added to a log.

    Return the tables that it would open, whether seats have own walls, the number of their round, and the tournament's
    settings after it.

    Raises:
        Error: it is impossible, or makes a later record impossible.
    """
    desk = desk_of(entries, results)
    tables: list[list[str | None]] = []
    own = False
    if body.get("do", "add") == "add":
        for data in body["records"]:
            record = RECORD.validate_python(data)
            _check_points(desk, record)
            _check_entering(desk, record)
            step(desk, time.time(), record)
        if body["records"][-1]["do"] == "begin":
            tables = [list(table.names) for table in desk.begun[-1].tables]
            own = desk.begun[-1].own
    else:
        if body["do"] == "correct":
            _check_points(desk, RECORD.validate_python(body["record"]))
        spec = DeskSpec.model_validate(entries[0].body["spec"])
        after = _desk_of(spec, _log([*entries, Entry(len(entries), time.time(), body)]), results)
        if body["do"] != "undo":
            _check_named(desk, fold(spec, _log(entries).written, checked=True), after)
        desk = after
    return {"tables": tables, "own": own, "number": len(desk.begun), "spec": desk.spec.model_dump()}


def _check_named(before: Desk, entered: Desk, after: Desk) -> None:
    """Check that a correction leaves no record that names an unknown player.

    `entered` is the tournament before it without the results of score tables, whose substitutes are known, too.
    """
    for name in sorted(after.assumed - before.assumed, key=natural_order):
        if name in entered.teams:
            raise DeskError(
                f"后面的记录还提到“{name}”，请先改那些，或让他离场、改名。",
                f"later records still name {name!r}; change those first, or mark the player as absent or rename them.",
            )
        check_name(before, name)


def _check_points(desk: Desk, record: DeskRecord) -> None:
    total = sum(n for n in record.points if n is not None) if isinstance(record, Slip) else 0
    if total > 0 and play_rules_of(desk).zero_sum:
        raise DeskError(
            f"四家的分合计 +{total}：应为 0，有罚分不归人的才小于 0。",
            f"the points add up to +{total}; they must add up to 0, or less if penalties are paid to no one.",
        )


def _check_entering(desk: Desk, record: DeskRecord) -> None:
    """Check that a player who enters is not taken for another one of the same name."""
    if not isinstance(record, Enter) or record.name not in desk.present:
        return
    same = record.team in ("", desk.teams[record.name])
    if same and record.number in ("", desk.numbers.get(record.name, "")):
        raise DeskError(
            f"“{record.name}”已经在场；同名的另一个人请加备注，如“{record.name}（小）”。",
            f"{record.name!r} is here already; for another player of this name add a note: '{record.name} (2)'.",
        )


def parse_players(lines: Sequence[str]) -> list[Json]:
    """Parse players, one per line: name; name and team; or name, team and number (see `read_cells`).

    Players of one name are told apart by their teams, or else by their numbers, in the form of a roster's notes:
    林清（甲队）.

    Raises:
        HandError: names that occur twice without a distinction, or are not allowed, each with its line.
    """
    given = []
    for at, line in enumerate(lines, 1):
        name, team, number = (*read_cells(line), "", "", "")[:3]
        if name or team or number:
            given.append((at, name, team, number))
    bearers = Counter(name for _, name, _, _ in given)
    in_team = Counter((name, team) for _, name, team, _ in given)
    found: dict[str, Json] = {}
    first: dict[str, int] = {}
    wrong: list[Text] = []
    for at, name, team, number in given:
        note = "" if bearers[name] == 1 else team if team and in_team[name, team] == 1 else number or team
        label = f"{name}（{note}）" if note else name
        try:
            if not name:
                raise HandError("没写名字。", "the name is missing.")
            if label in found:
                said = twice(name)
                raise HandError(f"第 {first[label]} 行已有：{said.zh}", f"already on line {first[label]}: {said.en}")
            found[label], first[label] = _parse_player(label, team, number), at
        except HandError as problem:
            wrong.append(Text(f"第 {at} 行：{problem.text.zh}", f"line {at}: {problem.text.en}"))
    if wrong:
        raise wrong_lines(wrong)
    return list(found.values())


def _parse_player(name: str, team: str, number: str) -> Json:
    try:
        return Enter(name=name, team=team, number=number).model_dump()
    except ValidationError as wrong:
        first = wrong.errors()[0]
        at, limits = first["loc"][0], first.get("ctx", {})
        text = {"name": name, "team": team}.get(str(at), number)
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
        zh, en = {
            "name": (f"名字“{shown}”", f"the name “{shown}”"),
            "team": (f"“{name}”的队“{shown}”", f"the team “{shown}” of {name}"),
        }.get(str(at), (f"“{name}”的编号“{shown}”", f"the number “{shown}” of {name}"))
        if first["type"] == "string_too_long":
            most = limits["max_length"]
            zh, en = (
                f"{zh}有 {len(text)} 个字符，最多 {most} 个。",
                f"{en} has {len(text)} characters; the limit is {most}.",
            )
        else:
            zh, en = f"{zh}里有控制字符。", f"{en} contains a control character."
        raise HandError(zh, en) from wrong


def resolve(entries: Sequence[Entry], results: Mapping[str, Json], wanted: Json, seed: int) -> list[Json]:
    """Return the records of a request that depends on the standings or the players: a draw, a cut, seating, a table.

    Raises:
        Error: it cannot be done.
    """
    desk = desk_of(entries, results)
    match wanted["do"]:
        case "draw":
            absent = {name: set(numbers) for name, numbers in wanted["absent"].items() if numbers}
            made = desk_draw.draw_rounds(
                desk, wanted["rounds"], by=wanted["by"], group=wanted["group"], absent=absent, seed=seed
            )
        case "import":
            rounds = read_seating(wanted["text"], desk.present, threes=desk.spec.odd == "three")
            made = desk_draw.to_draw(rounds)
        case "next_table":
            made = desk_draw.draw_next_table(desk, seed)
        case _:
            return [_cut(desk, wanted["top"], wanted["carry"]).model_dump()]
    return [made.model_dump()]


def _cut(desk: Desk, top: int, carry: Any) -> Cut:
    if desk.coming and desk.begun and not desk.begun[-1].over:
        number = len(desk.begun)
        raise DeskError(f"第 {number} 轮还没有打完。", f"session {number} is not over.")
    names = [line.name for line in standings(desk) if line.name not in desk.away]
    if top > len(names):
        raise DeskError(f"现在只有 {len(names)} 人在场。", f"only {many(len(names), 'player')} here.")
    return Cut(names=names[:top], carry=carry)


def list_swaps(entries: Sequence[Entry], results: Mapping[str, Json], round: int, name: str) -> list[Json]:
    """Return with whom a player could exchange seats in a round, and what that costs.

    Raises:
        DeskError: the round is not drawn, or the player is not in it.
    """
    return [one._asdict() for one in desk_draw.list_swaps(desk_of(entries, results), round, name)]


def view(id: str, created: float, entries: Sequence[Entry], results: Mapping[str, Json], readonly: bool) -> Json:
    """Return the public view of a tournament."""
    spec, log = DeskSpec.model_validate(entries[0].body["spec"]), _log(entries)
    desk = _desk_of(spec, log, results)
    lines = standings(desk)
    even = measure([*desk.list_begun(), *_coming(desk)], desk.teams)
    rules = play_rules_of(desk)
    return {
        "id": id,
        "readonly": readonly,
        "length": len(entries),
        "created": created,
        "spec": desk.spec.model_dump(),
        "players": [
            {
                "name": name,
                "team": team,
                "number": desk.numbers.get(name, ""),
                "here": name not in desk.away,
                "checked": name in desk.checked,
            }
            for name, team in desk.teams.items()
        ],
        "number": len(desk.begun),
        "rounds": [
            {
                "number": number,
                "at": one.at,
                "over": one.over,
                "annulled": one.annulled,
                "commitment": one.commitment,
                "own": one.own,
                "tables": [
                    {
                        "number": at,
                        "names": list(table.names),
                        "opened": "" if readonly and not table.online else table.opened,
                        "online": table.online,
                        "results": [_encode_outcome(outcome, readonly) for outcome in table.results],
                        "scores": _encode_scores(table),
                    }
                    for at, table in enumerate(one.tables, 1)
                ],
                "resting": list(one.resting),
            }
            for number, one in enumerate([*desk.begun, *desk.coming], 1)
        ],
        "standings": [line.model_dump() for line in lines],
        "teams": [line.model_dump() for line in team_standings(desk, lines)],
        "fines": [{**one.fine.model_dump(exclude={"do"}), "record": one.record} for one in desk.fines],
        "stages": [_encode_stage(desk, stage) for stage in desk.stages],
        "clock": None
        if desk.clock is None
        else {"at": desk.clock[0], "left": desk.clock[1], "running": desk.clock[2], "now": time.time()},
        "evenness": {
            "repeats": even.repeats,
            "unavoidable": even.unavoidable,
            "seats": even.seats,
            "rests": list(even.rests),
        },
        "zero_sum": rules.zero_sum,
        "ema_rules": rules.ema_rules,
        "undo": None if readonly else _describe_undo(log),
    }


def _encode_outcome(outcome: Outcome, readonly: bool) -> Json:
    return {
        "points": list(outcome.points),
        "hands": outcome.hands,
        "at": outcome.at,
        "note": outcome.note,
        "standard": None if outcome.standard is None else list(outcome.standard),
        "record": outcome.record,
        "photo": "" if readonly else outcome.photo,
    }


def _encode_scores(table: DeskTable) -> list[Json]:
    shares = place_shares(table)
    return [{"name": name, "points": points, "standard": shares[name]} for name, points in table.scores()]


def _encode_stage(desk: Desk, stage: Stage) -> Json:
    """Return a cut, with those who would go on instead by the results as they are now."""
    ranked = [line.name for line in standings(desk, stage.after) if line.name in stage.eligible]
    others = [name for name in ranked[: len(stage.names)] if name not in stage.names]
    return {"after": stage.after, "names": list(stage.names), "carry": stage.carry, "others": others}


def _describe_undo(log: DeskLog) -> Json | None:
    lines = log.last()
    return bilingual(describe_line(lines[-1])).model_dump() if lines else None


def history(entries: Sequence[Entry]) -> Json:
    """Return everything that was written, in order, in words."""
    log = _log(entries)
    newest = {line.number: line for line in log.lines if not line.undone}
    title = desk_of(entries).spec.title
    lines = [
        {
            "entry": line.entry,
            "at": line.at,
            "do": line.do,
            "number": line.number,
            "text": bilingual(describe_line(line)).model_dump(),
            "note": line.note,
            "stands": log.records[line.number] is not None and newest.get(line.number) is line,
            "undone": line.undone,
            "whole": isinstance(line.record, WHOLE),
            "kind": line.record.do,
            "record": line.record.model_dump() if isinstance(line.record, _EDITABLE) else None,
        }
        for line in log.lines
    ]
    return {"title": title, "lines": lines}


_EDITABLE = (Slip, Fine, Ruling, Substitute, Enter)
"""Records that the page has a form for."""


def _coming(desk: Desk) -> list[Round]:
    return [Round(tuple(table.names for table in one.tables), one.resting) for one in desk.coming]
