"""Tournaments computed from their logs in another process: plain data in and out."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from quepu.errors import HandError
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import play_rules
from quepu.scorekeeper.club import Result, outcomes
from quepu.server.store.values import Entry
from quepu.spreadsheets import encode
from quepu.tournament.desk import Desk, DeskError, Outcome, add_live, fold, standings, step, team_standings
from quepu.tournament.desk import draw_rounds as draw
from quepu.tournament.desk_records import DeskRecord, DeskSpec, Enter
from quepu.tournament.schedule import Round, measure, twice
from quepu.tournament.walls import commitment_to, wall_file

Json = dict[str, Any]
_RECORD: TypeAdapter[DeskRecord] = TypeAdapter(DeskRecord)
KEYS = {
    "standard": ("标准分", "standard"), "total": ("总分", "points"), "reduced": ("约化分数", "reduced"),
    "wins": ("头名", "firsts"), "met": ("对手分", "opponents"),
}  # fmt: skip


def desk_of(entries: Sequence[Entry], results: Mapping[str, Json] | None = None) -> Desk:
    """Return the tournament of a log; `results` are those of its score tables, by id."""
    spec = DeskSpec.model_validate(entries[0].body["spec"])
    records = [
        (entry.body.get("at", entry.at), _RECORD.validate_python(record))
        for entry in entries
        for record in entry.body.get("records", ())
    ]
    desk = fold(spec, records, checked=True)
    of_rooms = {id: data for id, data in (results or {}).items() if "totals" in data}
    tables = {id: Result.from_json(data) for id, data in (results or {}).items() if id not in of_rooms}
    add_live(desk, outcomes(desk, tables))
    add_live(desk, {id: Outcome(tuple(data["totals"]), data["hands"], 0.0) for id, data in of_rooms.items()})
    return desk


def list_opened(entries: Sequence[Entry], *, online: bool) -> list[str]:
    """Return the ids of all score tables, or of all rooms, opened for a tournament."""
    records = [record for entry in entries for record in entry.body.get("records", ())]
    begun = [record for record in records if record.get("opened") and bool(record.get("online")) == online]
    return [id for record in begun for id in record["opened"] if id]


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


def _zero_sum(desk: Desk) -> bool:
    return play_rules(book_of(desk.spec.rules, desk.spec.house)).zero_sum


def check_record(entries: Sequence[Entry], results: Mapping[str, Json], record: Json) -> list[list[str | None]]:
    """Check a record and return the tables it would open.

    Raises:
        Error: the record is impossible.
    """
    desk = desk_of(entries, results)
    total = sum(n for n in record["points"] if n is not None) if record["do"] == "slip" else 0
    if total > 0 and _zero_sum(desk):
        raise DeskError(
            f"四家的分合计 +{total}：应为 0，有罚分不归人的才小于 0。",
            f"the points add up to +{total}; they must add up to 0, or less if penalties are paid to nobody.",
        )
    if (
        record["do"] == "enter"
        and record["name"] in desk.present
        and record["team"] in ("", desk.teams[record["name"]])
    ):
        raise DeskError(
            f"“{record['name']}”已经在场；同名的另一个人请加备注，如“{record['name']}（小）”。",
            f"{record['name']!r} is here already; for another player of this name add a note: “{record['name']}（2）”.",
        )
    step(desk, time.time(), _RECORD.validate_python(record))
    return [list(table.names) for table in desk.begun[-1].tables] if record["do"] == "begin" else []


def parse_players(lines: Sequence[str]) -> list[Json]:
    """Parse players, one per line: name, or name and team.

    Two players with one name are told apart by their teams, in the form of a roster's notes: 林清（甲队）.

    Raises:
        HandError: a name occurs twice without a distinction, or is not allowed.
    """
    given = []
    for line in lines:
        name, _, team = line.replace("，", ",").partition(",")
        given.append((name.strip(), team.strip()))
    bearers = Counter(name for name, _ in given)
    found: dict[str, str] = {}
    for name, team in given:
        label = f"{name}（{team}）" if bearers[name] > 1 and team else name
        if not name:
            continue
        if label in found:
            raise HandError(*twice(name))
        found[label] = team
    return [_parse_player(name, team) for name, team in found.items()]


def _parse_player(name: str, team: str) -> Json:
    try:
        return Enter(name=name, team=team).model_dump()
    except ValidationError as wrong:
        first = wrong.errors()[0]
        at, limits = first["loc"][0], first.get("ctx", {})
        text = name if at == "name" else team
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
        zh, en = (
            (f"名字“{shown}”", f"the name “{shown}”")
            if at == "name"
            else (f"“{name}”的队“{shown}”", f"the team “{shown}” of {name}")
        )
        if first["type"] == "string_too_long":
            most = limits["max_length"]
            zh, en = (
                f"{zh}有 {len(text)} 个字符，最多 {most} 个。",
                f"{en} has {len(text)} characters; the limit is {most}.",
            )
        else:
            zh, en = f"{zh}里有控制字符。", f"{en} contains a control character."
        raise HandError(zh, en) from wrong


def draw_rounds(
    entries: Sequence[Entry],
    results: Mapping[str, Json],
    rounds: int,
    by: str,
    absent: Mapping[str, Sequence[int]],
    seed: int,
) -> Json:
    """Return the record of rounds drawn for the players present.

    Raises:
        Error: no round can be drawn.
    """
    away = {name: set(numbers) for name, numbers in absent.items() if numbers}
    by_standings = by == "standings"
    return draw(desk_of(entries, results), rounds, by_standings=by_standings, absent=away, seed=seed).model_dump()


def view(id: str, created: float, entries: Sequence[Entry], results: Mapping[str, Json], readonly: bool) -> Json:
    """Return the public view of a tournament."""
    desk = desk_of(entries, results)
    lines = standings(desk)
    even = measure([*desk.list_begun(), *_coming(desk)], desk.teams)
    return {
        "id": id,
        "readonly": readonly,
        "length": len(entries),
        "created": created,
        "spec": desk.spec.model_dump(),
        "players": [{"name": n, "team": t, "here": n not in desk.away} for n, t in desk.teams.items()],
        "number": len(desk.begun),
        "rounds": [
            {
                "number": number,
                "at": one.at,
                "over": one.over,
                "commitment": one.commitment,
                "tables": [
                    {
                        "number": at,
                        "names": list(table.names),
                        "opened": "" if readonly and not table.online else table.opened,
                        "online": table.online,
                        "results": [_encode_outcome(outcome) for outcome in table.results],
                    }
                    for at, table in enumerate(one.tables, 1)
                ],
                "resting": list(one.resting),
            }
            for number, one in enumerate([*desk.begun, *desk.coming], 1)
        ],
        "standings": [line.model_dump() for line in lines],
        "teams": [line.model_dump() for line in team_standings(desk, lines)],
        "fines": [fine.model_dump() for fine in desk.fines],
        "clock": None
        if desk.clock is None
        else {"at": desk.clock[0], "left": desk.clock[1], "running": desk.clock[2], "now": time.time()},
        "evenness": {
            "repeats": even.repeats,
            "unavoidable": even.unavoidable,
            "seats": even.seats,
            "rests": list(even.rests),
        },
        "zero_sum": _zero_sum(desk),
    }


def _encode_outcome(outcome: Outcome) -> Json:
    return {"points": list(outcome.points), "hands": outcome.hands, "at": outcome.at, "note": outcome.note}


def walls(entries: Sequence[Entry], results: Mapping[str, Json], number: int, readonly: bool) -> bytes:
    """Return the walls of a round as a file.

    Raises:
        DeskError: there are none, or they are not public yet.
    """
    desk = desk_of(entries, results)
    one = desk.begun[number - 1] if 0 < number <= len(desk.begun) else None
    secret = next(
        (
            entry.body["secret"]
            for entry in entries
            if one is not None and one.commitment and commitment_to(entry.body.get("secret", "")) == one.commitment
        ),
        None,
    )
    if one is None or secret is None:
        raise DeskError("这一轮各桌自己砌牌。", "every table builds its own walls in this session.")
    if readonly and not one.over:
        raise DeskError("这一轮打完才揭示牌墙。", "the walls are revealed when the session is over.")
    rules = play_rules(book_of(desk.spec.rules, desk.spec.house)).table
    made = wall_file(desk.spec.title, number, secret, desk.spec.hands, rules.tiles.with_flowers(rules.flowers))
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _coming(desk: Desk) -> list[Round]:
    return [Round(tuple(table.names for table in one.tables), one.resting) for one in desk.coming]


def export_standings(entries: Sequence[Entry], results: Mapping[str, Json], lang: str) -> bytes:
    """Return the standings and every result as CSV."""
    desk = desk_of(entries, results)
    en = lang == "en"
    keys = [KEYS[key][en] for key in KEYS]
    rows: list[list[Any]] = [["rank", "name", "team", *keys, "tables"] if en else ["名次", "姓名", "队", *keys, "桌数"]]
    for line in standings(desk):
        values = line.model_dump()
        rows.append([line.rank, line.name, line.team, *(values[key] for key in KEYS), line.tables])
    rows += [[], ["round", "table", "name", "points"] if en else ["轮", "桌", "姓名", "分"]]
    for number, one in enumerate(desk.begun, 1):
        for at, table in enumerate(one.tables, 1):
            points = table.result.points if table.result else (None,) * 4
            for name, total in zip(table.names, points, strict=True):
                if name is not None:
                    rows.append([number, at, name, "" if total is None else total])
    return encode(rows)
