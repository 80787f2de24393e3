"""`quepu roster`: manage who is who in the logs and tables of a club."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING

from quepu.cli import parameters, saved_files
from quepu.cli.files import alone, write_whole
from quepu.cli.inputs import bad_name
from quepu.cli.program import Argument
from quepu.cli.screen import show, table
from quepu.cli.texts import TEXTS, join_words, say, spoken
from quepu.errors import HandError, join_list

if TYPE_CHECKING:
    from quepu.scorekeeper.roster import Player, Roster, RosterEdit, RosterRecord


@parameters.command(
    "roster",
    parameters.argument("file", "arg.roster", default=None),
    Argument(["change"], nargs=-1, metavar="[CHANGE]...", help=say("arg.roster.change")),
)
def command(file: str, change: tuple[str, ...]) -> int:
    """The roster."""
    from quepu.scorekeeper.roster import RosterEdit, RosterFile, fold

    path = Path(file)
    if not change:
        _show(saved_files.read_roster(path).changes)
        return 0
    with alone(path):
        before = saved_files.read_roster(path).changes if path.exists() else []
        record = _record(fold(before), list(change))
        made = RosterEdit(key=secrets.token_hex(4), at=time.time(), record=record)
        after = [*before, made]
        fold(after)  # refuse impossible changes before anything is written
        write_whole(path, RosterFile(quepu="roster", changes=after))
    _show(after)
    return 0


def _record(roster: Roster, words: list[str]) -> RosterRecord:
    """Return a change from its words."""
    from pydantic import ValidationError

    from quepu.scorekeeper.roster import (
        AddPlayer,
        MergePlayers,
        RenamePlayer,
        SeatPlayer,
        UndoChange,
        id_of,
        no_such_change,
    )

    try:
        match words:
            case ["add", name, *note] if len(note) < 2:
                new = id_of(name) if id_of(name) not in roster.players else secrets.token_hex(8)
                return AddPlayer(id=new, name=name, note="".join(note))
            case ["rename", name, other, *note] if len(note) < 2:
                one = _one(roster, name)
                shared = any(p.id != one.id and other in p.names for p in roster.players.values())
                words_of = "".join(note) or one.note
                return RenamePlayer(id=one.id, was=one.name, name=other, note=words_of, shared=shared)
            case ["merge", name, into]:
                one, two = _one(roster, name), _one(roster, into)
                return MergePlayers(id=one.id, name=one.name, into=two.id, into_name=two.name)
            case ["seat", log, name, who]:
                if not Path(log).name:
                    raise HandError("请写明是哪一桌的文件。", "name the score file of the table.")
                one = _one(roster, who)
                return SeatPlayer(table=Path(log).name, name=name, id=one.id, player_name=one.name)
            case ["undo", key]:
                return UndoChange(change=key)
    except ValidationError as wrong:
        where = wrong.errors()[0]["loc"][0]
        if where == "change":
            raise no_such_change() from wrong
        raise bad_name(wrong, *(("备注", "the note") if where == "note" else ())) from wrong
    changes = TEXTS["roster.changes"]
    raise HandError(
        f"看不懂“{' '.join(words)}”，可写：{changes.zh}。",
        f"unknown change {' '.join(words)!r}; use one of: {changes.en}.",
    )


def _one(roster: Roster, given: str) -> Player:
    """Return a player by id or name; a name that is not in the roster is one from the logs.

    Raises:
        HandError: two players have that name.
    """
    from quepu.scorekeeper.roster import Player

    if (id := roster.resolve(given)) in roster.players:
        return roster.players[id]
    named = [one for one in roster.players.values() if one.id not in roster.merged and one.name == given]
    if len(named) > 1:
        ids = join_list(one.id for one in named)
        raise HandError(
            f"有几个“{given}”，请写编号：{ids.zh}。", f"several players are called {given!r}; use an id: {ids.en}."
        )
    if named:
        return named[0]
    id = roster.player(given)
    return roster.players.get(id) or Player(id, given, "", (given,))


def _show(changes: list[RosterEdit]) -> None:
    from quepu.scorekeeper.roster import UndoChange, fold, labels, text_of

    if not changes:
        show(say("roster.empty"))
        return
    roster = fold(changes)
    there = [one for one in roster.players.values() if one.id not in roster.merged]
    called = labels(there)
    grid = table([say("stats.player"), say("roster.id"), say("roster.names")])
    for one in there:
        grid.add_row(called[one.id], one.id, join_words(one.names))
    show(grid)
    grid = table([say("roster.id"), say("roster.change")])
    for change in changes:
        if not isinstance(change.record, UndoChange):
            undone = say("roster.undone") if change.key in roster.undone else ""
            grid.add_row(change.key, spoken(text_of(change.record)) + undone)
    show(grid)
