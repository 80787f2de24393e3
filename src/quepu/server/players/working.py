"""Add up players over many matches, from the stored results of tables and the roster.

Sets of logs are read and added up in another process: plain data in and out.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from quepu.errors import Error, HandError
from quepu.figures import player_report
from quepu.figures.figures import Figures, by_id
from quepu.figures.log_figures import read_bytes
from quepu.figures.log_sets import LogSet, of_matches
from quepu.scorekeeper.roster import (
    ROSTER_VERSION,
    AddPlayer,
    MergePlayers,
    Player,
    RenamePlayer,
    Roster,
    RosterEdit,
    RosterError,
    RosterFile,
    RosterRecord,
    SeatPlayer,
    UndoChange,
    fold,
    id_of,
    labels,
    text_of,
)
from quepu.server.players.messages import AddNew, AddUp, Merge, ReadLogs, Rename, SeatAnother
from quepu.server.store.values import LogStore, TableResult

Json = dict[str, Any]
_CHANGES: TypeAdapter[list[RosterEdit]] = TypeAdapter(list[RosterEdit])


def changes_of(stored: Sequence[Json]) -> list[RosterEdit]:
    """Return stored changes, the earliest first: merged browsers have one roster."""
    return sorted(_CHANGES.validate_python(stored), key=lambda change: change.at)


class People:
    """Everyone at an owner's tables: `players` in order of appearance, `at` who sat where, by table."""

    def __init__(self, rows: Sequence[TableResult], changes: Sequence[RosterEdit]) -> None:
        self.roster: Roster = fold(changes)
        self.rows = sorted(rows, key=when_opened)
        there = {id: one for id, one in self.roster.players.items() if id not in self.roster.merged}
        self.at: dict[str, dict[str, str]] = {}
        for row in self.rows:
            names: Sequence[str] = list(row.result.get("people", row.figures))
            self.at[row.id] = ids = self.roster.at_table(names, row.id, row.result.get("players", {}))
            for name, id in ids.items():
                there.setdefault(id, Player(id, name, "", (name,)))
        self.players: list[Player] = list(there.values())
        self.labels: Mapping[str, str] = labels(self.players)

    def one(self, id: str) -> Player:
        """Return a player by id, even a merged one.

        Raises:
            RosterError: the player is unknown.
        """
        id = self.roster.resolve(id)
        found = next((player for player in self.players if player.id == id), None)
        if found is None:
            raise RosterError("名册里没有这个人。", "there is no such player in the roster.")
        return found

    def find_id(self, key: str) -> str:
        """Return the id of a player given by id, or by a present or former name."""
        ids = {player.id for player in self.players}
        return self.roster.resolve(key) if self.roster.resolve(key) in ids else self.roster.player(key)


def when_opened(row: TableResult) -> float:
    """Return when a table was opened; 0 for one without a hand."""
    return next((one["curve"][0][0] for one in row.figures.values() if one.get("curve")), 0.0)


def _several(people: People, since: float | None, until: float | None) -> list[player_report.AddedUp]:
    """Add up the tables of a period that have a hand, each book apart, the most played first."""
    by_book: dict[str, list[dict[str, Figures]]] = {}
    for row in people.rows:
        if (when := when_opened(row)) and (since is None or when >= since) and (until is None or when < until):
            figures = {name: Figures.from_json(data) for name, data in row.figures.items()}
            by_book.setdefault(row.shown["rules"], []).append(by_id(figures, people.at[row.id]))
    ordered = sorted(by_book.items(), key=lambda item: -len(item[1]))
    return [player_report.several(book, matches) for book, matches in ordered]


def players(
    rows: Sequence[TableResult], stored: Sequence[Json], since: float | None, until: float | None
) -> list[Json]:
    """Return a line for everyone in each book."""
    people = People(rows, changes_of(stored))
    return [line for found in _several(people, since, until) for line in player_report.lines(found, people.labels)]


def player(
    rows: Sequence[TableResult],
    stored: Sequence[Json],
    key: str,
    since: float | None,
    until: float | None,
    book: str | None = None,
) -> Json | None:
    """Return one player's page of a book (the one played most), by id or name; None for a person who did not play."""
    people = People(rows, changes_of(stored))
    return page_of(_several(people, since, until), people.find_id(key), people.labels, book)


def page_of(
    several: Sequence[player_report.AddedUp], id: str, labels: Mapping[str, str], book: str | None = None
) -> Json | None:
    """Return a player's page of a book, or of the one that he played most, with the other books of the player."""
    played = {
        found.book: one.matches
        for found in several
        if (one := found.figures.get(id)) is not None and one.hands and one.matches
    }
    chosen = book if book is not None else max(played, key=played.__getitem__, default="")
    found = next((one for one in several if one.book == chosen), None)
    page = None if found is None else player_report.page(found, id, labels)
    if page is None:
        return None
    return {**page, "books": [player_report.played_book(name, count) for name, count in played.items()]}


def names(rows: Sequence[TableResult], stored: Sequence[Json], key: str) -> list[str]:
    """Return a player's present and former names, given by id or name; only `key` for an unknown player."""
    people = People(rows, changes_of(stored))
    try:
        one = people.one(people.find_id(key))
    except RosterError:
        return [key]
    return list(dict.fromkeys([one.name, *one.names]))


def view(rows: Sequence[TableResult], stored: Sequence[Json]) -> Json:
    """Return the roster as its page shows it."""
    changes = changes_of(stored)
    people = People(rows, changes)
    tables = Counter(id for ids in people.at.values() for id in ids.values())
    return {
        "length": len(changes),
        "players": [
            {
                "id": one.id,
                "name": one.name,
                "note": one.note,
                "label": people.labels[one.id],
                "names": list(one.names),
                "tables": tables[one.id],
            }
            for one in people.players
        ],
        "changes": [
            {
                "key": change.key,
                "at": change.at,
                "text": text_of(change.record)._asdict(),
                "undone": change.key in people.roster.undone,
            }
            for change in reversed(changes)
            if not isinstance(change.record, UndoChange)
        ],
    }


def list_changes(
    rows: Sequence[TableResult],
    stored: Sequence[Json],
    key: str,
    wanted: AddNew | Rename | Merge | SeatAnother | UndoChange,
) -> list[Json]:
    """Return the changes to be stored for a request.

    Raises:
        Error: the change is impossible.
    """
    before = changes_of(stored)
    people = People(rows, before)
    records: list[RosterRecord] = []
    if isinstance(wanted, AddNew):
        records = [AddPlayer(id=_new_id(people, wanted.name), name=wanted.name, note=wanted.note)]
    elif isinstance(wanted, Rename):
        one = people.one(wanted.id)
        shared = any(other.id != one.id and wanted.name in other.names for other in people.players)
        records = [RenamePlayer(id=one.id, was=one.name, name=wanted.name, note=wanted.note, shared=shared)]
    elif isinstance(wanted, Merge):
        one, other = people.one(wanted.id), people.one(wanted.into)
        met = sum({one.id, other.id} <= set(ids.values()) for ids in people.at.values())
        if met:
            raise RosterError(
                f"{one.name} 与 {other.name} 同桌打过 {met} 次，不是同一个人。",
                f"cannot merge {one.name} and {other.name}: they sat at the same table {met} times.",
            )
        records = [MergePlayers(id=one.id, name=one.name, into=other.id, into_name=other.name)]
    elif isinstance(wanted, SeatAnother):
        seats = people.at.get(wanted.table, {})
        there = next((name for name, id in seats.items() if id == people.roster.resolve(wanted.player)), None)
        if there is None:
            raise RosterError("他不在这一桌。", "this player is not at that table.")
        if wanted.id is None:
            new = AddPlayer(id=_new_id(people, there), name=there)
            records.append(new)
            id, name = new.id, new.name
        else:
            one = people.one(wanted.id)
            id, name = one.id, one.name
            if id in seats.values():
                raise RosterError(f"{name} 已经在这一桌。", f"{name} is already at that table.")
        records.append(SeatPlayer(table=wanted.table, name=there, id=id, player_name=name))
    else:
        if wanted.change in people.roster.undone:
            raise RosterError("这条改动已经撤回。", "this change is already undone.")
        records = [wanted]
    now = time.time()
    made = [
        RosterEdit(key=key if i == len(records) - 1 else f"{key[:36]}-{i}", at=now, record=record)
        for i, record in enumerate(records)
    ]
    People(rows, [*before, *made])  # refuses impossible changes
    return [change.model_dump() for change in made]


def _new_id(people: People, name: str) -> str:
    """Return the id of a new player: that of the name, if it is free."""
    there = {one.id for one in people.players} | set(people.roster.merged)
    return id_of(name) if id_of(name) not in there else secrets.token_hex(8)


def find_seated(changes: Sequence[Json], names: Sequence[str], ids: Sequence[str | None]) -> list[str | None]:
    """Return the ids of seated players, if not given and unique by name in the roster."""
    try:
        roster = fold(changes_of(changes))
    except Error:
        return list(ids)
    return [id or roster.current(name) for name, id in zip(names, ids, strict=True)]


def export_roster(stored: Sequence[Json]) -> bytes:
    """Return the roster as a file for `quepu roster` and `quepu stats --roster`."""
    changes = [change.model_dump() for change in changes_of(stored)]
    return json.dumps({"quepu": "roster", "version": ROSTER_VERSION, "changes": changes}, ensure_ascii=False).encode()


KIND = "roster"


class Rosters:
    """Rosters by owner; merged browsers share one."""

    def __init__(self, logs: LogStore) -> None:
        self.logs = logs

    async def read(self, owner: str) -> list[dict[str, Any]]:
        """Return the stored changes of a roster; empty if there are none."""
        found: list[dict[str, Any]] = []
        for head in await self.logs.list(KIND, owner):
            log = await self.logs.read(head.id)
            found += [entry.body for entry in log[1][1:]] if log is not None else []
        return found

    async def append(self, owner: str, seen: int, changes: Sequence[dict[str, Any]]) -> None:
        """Append changes to the `seen` existing ones.

        Raises:
            Conflict: another change came first.
        """
        heads = await self.logs.list(KIND, owner)
        if not heads:
            heads = [await self.logs.create(KIND, owner, "", {"quepu": "roster"})]
        oldest = min(heads, key=lambda head: (head.created, head.id))
        others = sum(head.length - 1 for head in heads if head.id != oldest.id)
        await self.logs.append(oldest.id, seen - others + 1, list(changes))

    async def ids(self, owner: str, names: Sequence[str], ids: Sequence[str | None]) -> list[str | None]:
        """Return the ids of players seated at an owner's table (`named`)."""
        changes = await self.read(owner)
        return find_seated(changes, names, ids or [None] * len(names)) if changes else list(ids)


def _roster(given: RosterFile | None) -> Roster:
    return Roster() if given is None else fold(given.changes)


def read_files(given: ReadLogs) -> Json:
    """Read files as a set of logs."""
    found = [read_bytes(one.text.encode("utf-8", "replace"), one.name, one.when) for one in given.files]
    return of_matches(found, _roster(given.roster)).to_json()


def add_up_sets(given: AddUp) -> Json:
    """Add up sets: a line for each player, and one page if requested.

    Raises:
        HandError: one of them was not created by `read_files`.
    """
    roster, whole = _roster(given.roster), LogSet()
    try:
        whole.add([LogSet.from_json(one.model_dump()) for one in given.sets])
        labels, several = whole.labels(roster), whole.several()
        played = Counter(match.book for match in whole.matches)
        return {
            "matches": len(whole.matches),
            "hands": whole.hands,
            "books": [player_report.played_book(book, count) for book, count in played.most_common()],
            "players": [line for found in several for line in player_report.lines(found, labels)],
            "player": page_of(several, given.id, labels, given.book) if given.id else None,
            "unread": [{"path": one.path, "why": one.why._asdict()} for one in whole.unread],
            "lost": [{"text": text._asdict(), "files": count} for text, count in whole.lost.most_common()],
        }
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        raise HandError("这些不是读好的牌谱。", "these are not results of reading logs.") from wrong
