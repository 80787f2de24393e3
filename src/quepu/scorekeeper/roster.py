"""The roster of a club: its players by id, so that players can be renamed and share names.

Tables and logs have names, some of them with ids. `Roster.player` resolves a name: to the player seated there by a
change, else the id stored with it, else the first player with the name. Nothing has to be entered: an unknown name is a
player with an id of its own (`id_of`), the same on every device. Changes are never removed from a roster but undone, so
the history stays readable.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from quepu.errors import Error, Text
from quepu.schema import PlayerId, Schema, Short
from quepu.scorekeeper.records import Name, Record, SubstituteRecord, TableSpec

Note = Annotated[str, Field(max_length=40)]
Key = Annotated[str, Field(pattern="^[0-9a-zA-Z_-]{1,40}$")]
ROSTER_VERSION: Literal[1] = 1
_FILE_OF_TABLE = re.compile(r"(?:quepu-)?([\w-]+?)(?: ?\(\d+\))?\.jsonl?", re.ASCII)  # (2): saved a second time


class RosterError(Error):
    """An impossible change; the sentence says why."""


def no_such_change() -> RosterError:
    """Build the error for undoing a change that does not exist."""
    return RosterError("没有这条改动。", "there is no such change.")


class AddPlayer(Schema):
    """Add a new player, even if another has the same name; `note` tells them apart."""

    do: Literal["add"] = "add"
    id: PlayerId
    name: Name
    note: Note = ""


class RenamePlayer(Schema):
    """Rename a player (`was`). `shared`: another player has that name, too, and this one gets the bare name."""

    do: Literal["rename"] = "rename"
    id: PlayerId
    was: Name
    name: Name
    note: Note = ""
    shared: bool = False


class MergePlayers(Schema):
    """Merge two entries of one person: the results of `id` (called `name`) go to `into` (called `into_name`)."""

    do: Literal["merge"] = "merge"
    id: PlayerId
    name: Name
    into: PlayerId
    into_name: Name


class SeatPlayer(Schema):
    """Set whom a name at a table (its id, or its file) refers to: the player `id`, called `player_name`."""

    do: Literal["seat"] = "seat"
    table: Short
    name: Name
    id: PlayerId
    player_name: Name


class UndoChange(Schema):
    """Undo a change; it stays in the history."""

    do: Literal["undo"] = "undo"
    change: Key


RosterRecord = Annotated[AddPlayer | RenamePlayer | MergePlayers | SeatPlayer | UndoChange, Field(discriminator="do")]


class RosterEdit(Schema):
    """A change to a roster under its own key; `at` is when it was written (seconds since 1970)."""

    key: Key
    at: float = 0.0
    record: RosterRecord


class RosterFile(Schema):
    """A roster as a file."""

    quepu: Literal["roster"]
    version: Literal[1] = ROSTER_VERSION
    changes: list[RosterEdit] = Field(default=[], max_length=20_000)


class Player(NamedTuple):
    """A player in the roster. `names` are all names used here, the first one first."""

    id: str
    name: str
    note: str = ""
    names: tuple[str, ...] = ()


@dataclass
class Roster:
    """The roster. `players` are those with entries; `undone` are the keys of undone changes."""

    players: dict[str, Player] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    bearers: dict[str, str] = field(default_factory=dict)
    """Owner of a bare name, if it is not the one of `id_of`."""
    seated: dict[tuple[str, str], str] = field(default_factory=dict)
    undone: set[str] = field(default_factory=set)
    noted: dict[str, str] = field(default_factory=dict)
    """Players by name and note, written as `labels` shows them: 林清（小）."""

    def resolve(self, id: str) -> str:
        """Return the player that an id stands for after merging."""
        while id in self.merged:
            id = self.merged[id]
        return id

    def player(self, name: str, table: str = "", id: str | None = None) -> str:
        """Return the id of the player with this `name` at a table or in its file; `id`: as stored with the name."""
        seated = self.seated.get((table, name)) or self.seated.get((_table_in(table), name))
        return self.resolve(seated or id or self.bearers.get(name) or self._find_noted(name) or id_of(name))

    def _find_noted(self, name: str) -> str | None:
        """Return the player with a name and note, unless another player owns that whole name."""
        return None if id_of(name) in self.players else self.noted.get(name)

    def at_table(self, names: Sequence[str], table: str, ids: Mapping[str, str]) -> dict[str, str]:
        """Return the ids of everyone at a table by their names there; two people never get the same id."""
        found: dict[str, str] = {}
        for name in names:
            id = self.player(name, table, ids.get(name))
            found[name] = id if id not in found.values() else f"{id_of(name)}x"
        return found

    def current(self, name: str) -> str | None:
        """Return the only player with this name now; None if there are two, or none."""
        found = {id for id, one in self.players.items() if id not in self.merged and one.name == name}
        return found.pop() if len(found) == 1 else None

    def name(self, id: str, otherwise: str) -> str:
        """Return a player's name; `otherwise` if the roster has no entry."""
        one = self.players.get(id)
        return otherwise if one is None else one.name


def _table_in(file: str) -> str:
    """Return the id of the table in a file exported under a page's default name; else the name."""
    found = _FILE_OF_TABLE.fullmatch(file)
    return found[1] if found else file


def id_of(name: str) -> str:
    """Return the id of the first player with a name: derived from the name, so that it need not be assigned."""
    return "n" + sha256(name.strip().encode()).hexdigest()[:15]


def ids_at(spec: TableSpec, records: Sequence[Record] = ()) -> dict[str, str]:
    """Return the ids stored with the names of a table."""
    found = {name: id for name, id in zip(spec.names, spec.players, strict=False) if id is not None}
    substitutes = [record for record in records if isinstance(record, SubstituteRecord)]
    return found | {record.name: record.id for record in substitutes if record.id is not None}


def fold(changes: Sequence[RosterEdit]) -> Roster:
    """Build a roster from its changes, the earliest first.

    Raises:
        RosterError: one of them is impossible.
    """
    roster = Roster()
    there = {change.key for change in changes if not isinstance(change.record, UndoChange)}
    for change in changes:
        if isinstance(change.record, UndoChange):
            if change.record.change not in there:
                raise no_such_change()
            roster.undone.add(change.record.change)
    for change in changes:
        if change.key not in roster.undone:
            _carry_out(roster, change.record)
    players = [one for one in roster.players.values() if one.note and one.id not in roster.merged]
    roster.noted = {f"{one.name}（{one.note}）": one.id for one in players}
    return roster


def _carry_out(roster: Roster, record: RosterRecord) -> None:
    if isinstance(record, AddPlayer):
        if record.id in roster.players:
            raise RosterError("这个人已经在名册里。", "this player is in the roster already.")
        if record.id != id_of(record.name):  # another player has that name
            _entry(roster, roster.bearers.get(record.name) or id_of(record.name), record.name)
        roster.players[record.id] = Player(record.id, record.name, record.note, (record.name,))
    elif isinstance(record, RenamePlayer):
        one = _entry(roster, record.id, record.was)
        names = one.names if record.name in one.names else (*one.names, record.name)
        roster.players[one.id] = Player(one.id, record.name, record.note, names)
        if not record.shared and record.name != record.was:
            roster.bearers.setdefault(record.name, one.id)
    elif isinstance(record, MergePlayers):
        one, other = _entry(roster, record.id, record.name), _entry(roster, record.into, record.into_name)
        if one.id == other.id:
            raise RosterError("已经是同一个人。", "these are already the same player.")
        roster.merged[one.id] = other.id
        names = (*other.names, *(name for name in one.names if name not in other.names))
        roster.players[other.id] = other._replace(names=names)
    elif isinstance(record, SeatPlayer):
        _entry(roster, record.id, record.player_name)
        roster.seated[record.table, record.name] = record.id


def _entry(roster: Roster, id: str, name: str) -> Player:
    """Return a player, after merging; one without an entry gets one under the current name."""
    id = roster.resolve(id)
    return roster.players.setdefault(id, Player(id, name, "", (name,)))


def labels(players: Sequence[Player]) -> dict[str, str]:
    """Label players on a page, by id: the name, with the note or a number if others share it."""
    shared = {name for name, count in Counter(one.name for one in players).items() if count > 1}
    found: dict[str, str] = {}
    for one in players:
        label = beginning = f"{one.name}（{one.note}）" if one.note and one.name in shared else one.name
        number = 1
        while label in found.values():
            number += 1
            label = f"{beginning} {number}"
        found[one.id] = label
    return found


def text_of(record: RosterRecord) -> Text:
    """Describe a change in a sentence."""
    if isinstance(record, AddPlayer):
        note = (f"（{record.note}）", f" ({record.note})") if record.note else ("", "")
        return Text(f"新的人：{record.name}{note[0]}", f"new player: {record.name}{note[1]}")
    if isinstance(record, RenamePlayer):
        if record.was == record.name:
            return Text(
                f"{record.name} 的备注：{record.note or '无'}", f"note of {record.name}: {record.note or 'none'}"
            )
        return Text(f"{record.was} 改名 {record.name}", f"{record.was} renamed to {record.name}")
    if isinstance(record, MergePlayers):
        return Text(f"{record.name} 并入 {record.into_name}", f"{record.name} merged into {record.into_name}")
    if isinstance(record, SeatPlayer):
        return Text(
            f"有一桌的 {record.name} 是 {record.player_name}", f"{record.name} at one table is {record.player_name}"
        )
    return Text("撤回一条改动", "a change was undone")
