"""Compute tables from their logs in another process: plain data in and out."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from quepu.errors import Text
from quepu.figures.log_figures import figures_of
from quepu.match.terms import find_needed_facts
from quepu.match.words import place_name
from quepu.rules.play_rules import Words
from quepu.scorekeeper.club import result_of
from quepu.scorekeeper.ledger import (
    Ledger,
    LedgerError,
    Row,
    Unanswered,
    accept,
    as_settled,
    fold,
    likely,
    with_record,
)
from quepu.scorekeeper.ledger import open_spec as opened_spec
from quepu.scorekeeper.records import TABLE_VERSION, Record, TableFile, TableSpec, find_result, then
from quepu.scorekeeper.roster import ids_at
from quepu.scorekeeper.transfers import people, summary, transfers
from quepu.server.http.rendering import bilingual, book_words
from quepu.server.payments import flows
from quepu.server.store.values import Entry, LogHead, TableResult
from quepu.spreadsheets import encode
from quepu.tiles import WINDS

Json = dict[str, Any]
_RECORD: TypeAdapter[Record] = TypeAdapter(Record)
_ROWS = 4000
"""Rows of tables cached per process."""


class Stored(NamedTuple):
    """A table's log as stored."""

    head: LogHead
    entries: Sequence[Entry]
    readonly: bool = False
    """Whether it was found under its read-only id, which is then in `head`."""


class Worked(NamedTuple):
    """The result of folding a log."""

    ledger: Ledger
    records: list[Record]
    undoable: int


_worked: OrderedDict[tuple[str, int, str, str], Worked] = OrderedDict()


def compute_table(stored: Stored, new: int | None = None) -> Worked:
    """Return a table's state, from an LRU cache. Errors about the record at `new` do not give a number.

    Raises:
        Error: a record is impossible.
    """
    # unwritten entries may never be stored: a log that only grows is identified by its length and last entry; an
    # operator who erases a name marks the first one
    ends = json.dumps(stored.entries[0].body), json.dumps(stored.entries[-1].body)
    key = stored.head.id, stored.head.length, *ends
    if key not in _worked:
        spec, records, undoable = records_of(stored.entries)
        _worked[key] = Worked(fold(spec, records, new), records, undoable)
        while len(_worked) > 1 and sum(10 + len(one.records) for one in _worked.values()) > _ROWS:
            _worked.popitem(last=False)
    _worked.move_to_end(key)
    return _worked[key]


def view(stored: Stored) -> bytes:
    """Return a table with everything derived from its records, as JSON."""
    found = compute_table(stored)
    return _json(_view(stored, found))


def write_record(stored: Stored, at: int | None) -> tuple[bytes, list[tuple[int, Json]], TableResult]:
    """Return a table with a change that is not stored yet; `at` is the new record, if there is one.

    Return also results of records not stored yet: (index, `CameTo` as plain data), and the table's result.

    Raises:
        Error: the record is impossible, or makes a later one impossible.
    """
    found = compute_table(stored, at)
    if at is not None:
        try:
            accept(found.ledger.rows[at])
        except Unanswered as lacking:
            raise LedgerError(*lacking.text) from None
    new = [
        (i, row.came_to.model_dump(mode="json"))
        for i, (row, record) in enumerate(zip(found.ledger.rows, found.records, strict=True))
        if row.came_to is not None and row.came_to != find_result(record)
    ]
    return _json(_view(stored, found)), new, _result(stored.head, found.ledger)


def open_table(spec: TableSpec, records: Sequence[Record]) -> tuple[Json, list[Json]]:
    """Return a table as opened, with its book's revision and the results of its first records.

    Raises:
        Error: a record is impossible; the sentence names its number.
    """
    spec = opened_spec(spec)
    ledger = fold(spec, records)
    return spec.model_dump(), [record.model_dump() for record in as_settled(records, ledger)]


def open_file(table: TableFile) -> tuple[Json, list[Json], list[Json]]:
    """Open a table from a file; the last value lists how its totals or scoring digest differ, in sentences.

    Raises:
        Error: a record is impossible; the sentence names its number.
    """
    spec, records = open_table(table.spec, table.records)
    ledger = fold(TableSpec.model_validate(spec), [_RECORD.validate_python(record) for record in records])
    totals, differing = list(ledger.match.totals), []
    if table.totals is not None and table.totals != totals:
        theirs, ours = (" ".join(f"{n:+d}" for n in all_) for all_ in (table.totals, totals))
        differing.append(
            Text(
                f"文件里写的总分是 {theirs}，照它的记录是 {ours}。",
                f"the file says the totals are {theirs}; by its records they are {ours}.",
            )
        )
    if table.fingerprint is not None and table.fingerprint != ledger.match.book.fingerprint:
        differing.append(
            Text(
                "文件是在规则的另一版下写的：记下的结算照旧，新的照今天的规则。",
                "the file was written under another state of the rules: what was settled stays, what is new is "
                "settled by today's.",
            )
        )
    return spec, records, [text._asdict() for text in differing]


def results(several: Sequence[Stored]) -> list[TableResult]:
    """Return the results of tables, as stored beside their logs."""
    return [_result(stored.head, compute_table(stored).ledger) for stored in several]


def _result(head: LogHead, ledger: Ledger) -> TableResult:
    figures = figures_of(ledger, at=head.id, when=head.created)
    return TableResult(
        head.id,
        head.length,
        ledger.spec.club or "",
        ledger.match.book.fingerprint,
        head_shape(head, ledger),
        result_of(ledger)._replace(players=ids_at(ledger.spec, [row.record for row in ledger.rows])).to_json(),
        {name: one.to_json() for name, one in figures.items()},
    )


def trial(stored: Stored, at: int, record: Record) -> Json:
    """Return the effect of a record in place of record `at`, or after the last; or the facts it lacks."""
    found = compute_table(stored)
    try:
        ledger = with_record(found.ledger.spec, found.records[:at], at, record)
    except Unanswered as lacking:
        question = lacking.question
        assert question is not None  # noqa: S101  # that is what it is raised for
        shape = {"text": lacking.text._asdict(), **question._asdict()}
        return {"row": None, "news": [], "totals": [], "question": shape}
    return {
        "row": _row(at, ledger.rows[-1], ledger.match.rules.words),
        "news": [text._asdict() for text in ledger.news],
        "totals": list(ledger.match.totals),
        "question": None,
    }


def export_table(stored: Stored, format: Literal["json", "csv"], lang: str) -> bytes:
    """Return a table as a file."""
    found = compute_table(stored)
    if format == "csv":
        return _csv(found.ledger, lang)
    return _json(
        {
            "quepu": "table",
            "version": TABLE_VERSION,
            "spec": found.ledger.spec.model_dump(),
            "records": [record.model_dump() for record in as_settled(found.records, found.ledger)],
            "fingerprint": found.ledger.match.book.fingerprint,
            "totals": list(found.ledger.match.totals),
        }
    )


def _json(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8", "backslashreplace")


# ---- from the log to the records


def records_of(entries: Sequence[Entry]) -> tuple[TableSpec, list[Record], int]:
    """Return the table's spec, its records after all changes, and how many changes can be undone."""
    spec = then(TableSpec.model_validate(entries[0].body["spec"]))
    now: list[Record] = []
    named: list[TableSpec] = []  # before each renaming
    done: list[tuple[str, int, Record | None]] = []  # each change with what it replaced
    for entry in entries[1:]:
        body = entry.body
        spec = _change(spec, now, named, done, body)
        for at, came_to in body.get("came_to", ()):
            now[at] = _RECORD.validate_python({**now[at].model_dump(), "came_to": came_to})
    return spec, now, len(done)


def _change(
    spec: TableSpec,
    now: list[Record],
    named: list[TableSpec],
    done: list[tuple[str, int, Record | None]],
    body: Json,
) -> TableSpec:
    """Apply one entry of a table's log; return the spec after it."""
    if body["do"] == "undo":
        if done and done[-1][0] == "rename":
            done.pop()
            return named.pop()
        if done:
            _take_back(now, *done.pop())
        return spec
    record = _RECORD.validate_python(body["record"]) if body.get("record") else None
    at: Any = body.get("at")
    if body["do"] == "add" and record is not None:
        now.append(record)
        done.append(("add", len(now) - 1, None))
    elif body["do"] == "correct" and record is not None:
        done.append(("correct", at, now[at]))
        now[at] = record
    elif body["do"] == "insert" and record is not None:
        now.insert(at, record)
        done.append(("add", at, None))
    elif body["do"] == "remove":
        done.append(("remove", at, now.pop(at)))
    elif body["do"] == "rename":
        named.append(spec)
        spec = rename_player(spec, at, body["name"], body.get("player"))
        done.append(("rename", at, None))
    elif body["do"] == "club":  # its round, or that it left its club: undo does not concern it
        moved = body["round"], body.get("club")
        spec = _in_round(spec, *moved)
        named[:] = [_in_round(one, *moved) for one in named]
    return spec


def _in_round(spec: TableSpec, number: int | None, club: str | None) -> TableSpec:
    """Return the table in another round of its club night, or of another one, or in none."""
    if number is None:
        return spec.model_copy(update={"club": None})
    return spec.model_copy(update={"club_round": number} | ({"club": club} if club else {}))


def rename_player(spec: TableSpec, player: int, name: str, id: str | None = None) -> TableSpec:
    """Return the table with another name, and id, for one of its first four players."""
    names = [name if i == player else old for i, old in enumerate(spec.names)]
    ids = [id if i == player else old for i, old in enumerate(spec.players or [None] * len(names))]
    return spec.model_copy(update={"names": names, "players": ids})


def _take_back(now: list[Record], do: str, at: int, before: Record | None) -> None:
    """Undo a change."""
    if before is None:
        del now[at]
    elif do == "correct":
        now[at] = before
    else:
        now.insert(at, before)


# ---- rendering


def _place(row: Any, words: Words) -> dict[str, Any]:
    return {
        "name": bilingual(place_name(row, words)).model_dump(),
        "round": row.round,
        "dealership": row.dealership,
        "repeat": row.repeat,
        "round_wind": WINDS[row.round_wind],
        "seats": list(row.seats),
    }


def _row(at: int, row: Row, words: Words) -> dict[str, Any]:
    return {
        "at": at,
        "kind": row.record.kind,
        "names": list(row.names),
        "place": _place(row.place, words),
        "text": row.text._asdict(),
        "how": row.how._asdict() if row.how else None,
        "payments": flows(row.payments),
        "gains": list(row.gains),
        "totals": list(row.totals),
        "pool": row.pool,
        "announced": [{"seat": WINDS[one.seat], "text": one.text._asdict()} for one in row.announced],
        "remarks": [text._asdict() for text in (*row.remarks, *(problem.text for problem in row.problems))],
        "record": row.record.model_dump(exclude={"came_to"}),
    }


def _view(stored: Stored, found: Worked) -> dict[str, Any]:
    head, ledger, readonly = stored.head, found.ledger, stored.readonly
    match = ledger.match
    rules = match.rules
    return {
        "id": head.id,
        "readonly": readonly,
        "length": head.length,
        "title": head.title,
        "created": head.created,
        "updated": head.updated,
        "spec": ledger.spec.model_dump(),
        "book": bilingual(match.book.title).model_dump(),
        "unit": bilingual(match.book.unit).model_dump(),
        "words": book_words(rules.words).model_dump(),
        "rows": [_row(at, row, rules.words) for at, row in enumerate(ledger.rows)],
        "names": list(match.names),
        "totals": list(match.totals),
        "pool": match.pool,
        "standings": [s._asdict() for s in match.standings()],
        "people": [person._asdict() for person in people(ledger)],
        "transfers": [one._asdict() for one in transfers(ledger.people, rules.match.start)],
        "summary": summary(ledger)._asdict(),
        "place": _place(match.place, rules.words),
        "over": ledger.over,
        "news": [text._asdict() for text in ledger.news],
        "faults": [
            {
                "key": f.key,
                "name": f.name._asdict(),
                "text": f.text._asdict(),
                "points": f.points,
                "to": f.to,
                "again": list(f.again),
                "price": f.price._asdict(),
                "barred": f.barred,
                "remedies": [text._asdict() for text in f.remedies],
            }
            for f in rules.faults
        ],
        "notes": [text._asdict() for text in rules.notes],
        "imported": stored.entries[0].body.get("imported", []),
        "needs": find_needed_facts(match.book),
        "usual": [{"value": value, "points": points} for value, points in likely(ledger)],
        "can_undo": found.undoable > 0 and not readonly,
        "barred": sorted(ledger.barred),
    }


def head_shape(head: LogHead, ledger: Ledger) -> dict[str, Any]:
    """Return a table as a line of a list."""
    return {
        "id": head.id,
        "title": head.title,
        "rules": ledger.match.book.id,
        "names": list(ledger.match.names),
        "totals": list(ledger.match.totals),
        "hands": len(ledger.match.hands),
        "over": ledger.over,
        "place": place_name(ledger.match.place, ledger.match.rules.words)._asdict(),
        "updated": head.updated,
    }


def _csv(ledger: Ledger, lang: str) -> bytes:
    """Return one CSV line per record."""
    names, words, unit = ledger.match.names, ledger.match.rules.words, ledger.match.book.unit
    heads = (words.hand.zh, "结果", "合计") if lang != "en" else ("hand", "result", "total")
    won = ("和家", words.discarded.zh, f"{unit.zh}数") if lang != "en" else ("winner", "discarder", unit.en)
    rows: list[list[Any]] = [[heads[0], heads[1], *names, *(f"{name} {heads[2]}" for name in names), *won]]
    for row in ledger.rows:
        place = place_name(row.place, words).say(lang)
        rows.append([place, row.text.say(lang), *row.gains, *row.totals, *_describe_win(row)])
    return encode(rows)


def _describe_win(row: Row) -> tuple[str, str, int | str]:
    """Return the winner's name, the discarder's and the points; empty without a winner."""
    ended = row.came_to
    if ended is None or ended.winner is None:
        return "", "", ""
    names = [row.names[player] for player in row.place.seats]
    discarder = "" if ended.discarder is None else names[ended.discarder]
    if not ended.also:
        return names[ended.winner], discarder, "" if ended.points is None else ended.points
    won = [(ended.winner, ended.points), *ended.also]
    return "、".join(names[seat] for seat, _ in won), discarder, "、".join(str(points) for _, points in won)
