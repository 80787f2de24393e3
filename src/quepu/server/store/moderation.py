"""An operator's moderation of stored logs (tables, tournaments, replays, rooms), and the erasure of a person's name."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from quepu.errors import UnknownName
from quepu.match.log import chain_hash
from quepu.match.log_lines import WHOLE
from quepu.server.names import visible
from quepu.server.store.accounts import key
from quepu.server.store.administration import Administration
from quepu.server.store.database import Database
from quepu.server.store.models import Audit, Log, LogEntry, ReplayRow, Review, ScoreTableRow
from quepu.server.store.values import PHOTO

_TAKEN = "taken-"
"""Prefix of the kind of a log that has been taken down: pages and lists look for other kinds."""
_MODERATED = ("table", "desk", "replay", "room", "closed", "roster", "league", "fees")
_CHUNK = 200
_OVER = '{"end":'
_FREE = ("title", "note")
"""Fields whose text may contain names."""


class Found(NamedTuple):
    """A stored log. `kind`: table, desk, replay, room; `state`: public, private or taken (down)."""

    id: str
    kind: str
    state: str
    updated: float
    title: str


class Erased(NamedTuple):
    """The result of an erasure: the name's replacement, the logs that had it, and matches still being played.

    `photos` is the number of pictures of paper slips that were deleted with it.
    """

    pseudonym: str
    logs: list[str]
    playing: list[str]
    photos: int = 0


class Moderation:
    """The operator's moderation of one database. Every change is recorded with its author."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._write_down = Administration(database).write_down

    # ---- finding

    async def find(self, words: str, most: int = 100) -> list[Found]:
        """List logs whose title or content has these words, latest first; all of them if there are none."""
        wanted = key(words)
        found: list[Found] = []
        async for id, title in self._ids():
            if not wanted or wanted in key(title) or await self._contains(id, wanted):
                found.append(await self.one(id))
                if len(found) == most:
                    break
        return found

    async def one(self, id: str) -> Found:
        """Return a log as an operator sees it.

        Raises:
            UnknownName: the log does not exist.
        """
        async with self.database.reading() as session:
            log = await _log(session, id)
            listed = (await session.execute(select(ReplayRow.listed).where(ReplayRow.log == id))).scalar_one_or_none()
            state = "taken" if log.kind.startswith(_TAKEN) else "public" if listed else "private"
            return Found(log.id, log.kind.removeprefix(_TAKEN), state, log.updated, log.title)

    async def export(self, id: str) -> dict[str, Any]:
        """Return everything stored in a log, without tokens of seats.

        Raises:
            UnknownName: the log does not exist.
        """
        async with self.database.writing() as session:
            log = await _log(session, id)
            self._write_down(session, "export-log", id)
            entries = await session.execute(select(LogEntry).where(LogEntry.log == id).order_by(LogEntry.n))
            return {
                "id": log.id,
                "kind": log.kind,
                "title": log.title,
                "created": log.created,
                "updated": log.updated,
                "entries": [
                    {"at": entry.at, **{name: value for name, value in entry.body.items() if name != "token"}}
                    for entry in entries.scalars()
                ],
            }

    # ---- hiding

    async def list_publicly(self, id: str, listed: bool) -> None:
        """Put a replay on the public list, or take it off; whoever has its address can still open it.

        Raises:
            UnknownName: the replay does not exist.
        """
        async with self.database.writing() as session:
            await _log(session, id)
            first = await session.execute(select(LogEntry.body).where(LogEntry.log == id, LogEntry.n == 0))
            if listed and not (first.scalar_one().get("room") or {}).get("listed"):
                raise UnknownName(f"{id} 从来没有公开过。", f"{id} has never been public.")
            changed = await session.execute(
                update(ReplayRow).where(ReplayRow.log == id).values(listed=listed).returning(ReplayRow.log)
            )
            if changed.first() is None:
                raise UnknownName(
                    f"{id} 不在公开的牌谱列表里；要让它打不开，用 take-down。",
                    f"{id} is not on the public list of replays; to make it inaccessible, use take-down.",
                )
            self._write_down(session, "show" if listed else "hide", id)

    async def take_down(self, id: str) -> None:
        """Make a log inaccessible for everyone; nothing of it is deleted.

        Raises:
            UnknownName: the log does not exist, or is already taken down.
        """
        async with self.database.writing() as session:
            log = await _log(session, id)
            if log.kind.startswith(_TAKEN):
                raise UnknownName(f"{id} 已经撤下。", f"{id} is already taken down.")
            await self._set_kind(session, log, _TAKEN + log.kind)
            await session.execute(update(ReplayRow).where(ReplayRow.log == id).values(finished=False))
            self._write_down(session, "take-down", f"{id} {log.title}")

    async def put_back(self, id: str) -> None:
        """Make a log accessible again.

        Raises:
            UnknownName: the log does not exist, or is not taken down.
        """
        async with self.database.writing() as session:
            log = await _log(session, id)
            if not log.kind.startswith(_TAKEN):
                raise UnknownName(f"{id} 没有撤下。", f"{id} is not taken down.")
            kind = log.kind.removeprefix(_TAKEN)
            await self._set_kind(session, log, kind)
            if kind == "room":
                await session.execute(delete(ReplayRow).where(ReplayRow.log == id))  # listed again from its log
            else:
                await session.execute(update(ReplayRow).where(ReplayRow.log == id).values(finished=True))
            self._write_down(session, "put-back", f"{id} {log.title}")

    @staticmethod
    async def _set_kind(session: AsyncSession, log: Log, kind: str) -> None:
        await session.execute(update(Log).where(Log.id == log.id).values(kind=kind, process=None, fence=Log.fence + 1))

    # ---- erasing a name

    async def erase(self, name: str, only: str = "") -> Erased:
        """Replace a person's name by a pseudonym in all logs, or in one; results and moves stay.

        Pictures of paper slips of a tournament that had it are deleted: names and signatures are on them. Matches that
        are being played are left out and named.

        Raises:
            UnknownName: no log has this name, or the one log does not exist.
        """
        name = visible(name)
        if not name:
            raise UnknownName("名字是空的。", "the name is empty.")
        pseudonym = f"某人{secrets.token_hex(2)}"
        done: list[str] = []
        playing: list[str] = []
        photos = 0
        if only:
            await self.one(only)
        ids = [only] if only else [id async for id, _ in self._ids()]
        for id in ids:
            changed = await self._erase_in(id, name, pseudonym)
            if changed is None:
                playing.append(id)
            elif changed:
                done.append(id)
                photos += await self._delete_photos(id)
        if not done and not playing:
            raise UnknownName(f"没有记录里有“{name}”。", f"no log has the name {name!r}.")
        return Erased(pseudonym, done, playing, photos)

    async def _erase_in(self, id: str, name: str, pseudonym: str) -> bool | None:
        """Replace a name in a log and all that is derived from it; None if it is being played."""
        replace = _replacer(name, pseudonym)
        async with self.database.writing() as session:
            log = await _log(session, id)
            rows = list(
                (await session.execute(select(LogEntry).where(LogEntry.log == id).order_by(LogEntry.n))).scalars()
            )
            before = [row.body for row in rows]
            after = [replace(body) for body in before]
            if after != before:
                after = [_without_photos(body) for body in after] if log.kind.endswith("desk") else after
                after[0] = {**after[0], "erased": pseudonym}  # so that what is cached is known to be older
            title = _replace_within(log.title, name, pseudonym)[:200]
            if after == before and title == log.title:
                return False
            changed = [(row, body) for row, body in zip(rows, _chain(before, after), strict=True) if body != row.body]
            if log.kind == "room" and log.process and not str(rows[-1].body.get("line", "")).startswith(_OVER):
                return None
            for row, body in changed:
                await session.execute(update(LogEntry).where(LogEntry.log == id, LogEntry.n == row.n).values(body=body))
            await session.execute(update(Log).where(Log.id == id).values(title=title, fence=Log.fence + 1))
            await session.execute(update(Log).where(Log.owner == id).values(title=title))  # links and pictures
            await session.execute(delete(Review).where(Review.log == id))  # made again from the log
            await session.execute(delete(ScoreTableRow).where(ScoreTableRow.log == id))
            shown = (await session.execute(select(ReplayRow).where(ReplayRow.log == id))).scalar_one_or_none()
            if shown is not None:
                shown.shown = replace(shown.shown)
                shown.words = _replace_within(shown.words, name.lower(), pseudonym)[:1000]
            await _erase_in_trail(session, id, name, pseudonym)
            self._write_down(session, "erase", f"{id} → {pseudonym}")
        return True

    async def _delete_photos(self, id: str) -> int:
        """Delete the pictures of a tournament; return how many there were."""
        async with self.database.writing() as session:
            found = await session.execute(select(Log.id).where(Log.kind == PHOTO, Log.owner == id))
            photos = list(found.scalars())
            await session.execute(delete(LogEntry).where(LogEntry.log.in_(photos)))
            await session.execute(delete(Log).where(Log.id.in_(photos)))
        return len(photos)

    # ---- reading

    async def _ids(self) -> AsyncIterator[tuple[str, str]]:
        """Yield the id and title of every log, latest first."""
        kinds = (*_MODERATED, *(_TAKEN + kind for kind in _MODERATED))
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log.id, Log.title).where(Log.kind.in_(kinds)).order_by(Log.updated.desc())
            )
            all_of_them = [(row.id, row.title) for row in found]
        for id, title in all_of_them:
            yield id, title

    async def _contains(self, id: str, wanted: str) -> bool:
        after = -1
        while True:
            async with self.database.reading() as session:
                query = select(LogEntry.n, LogEntry.body).where(LogEntry.log == id, LogEntry.n > after)
                rows = list(await session.execute(query.order_by(LogEntry.n).limit(_CHUNK)))
            if any(wanted in key(json.dumps(row.body, ensure_ascii=False)) for row in rows):
                return True
            if len(rows) < _CHUNK:
                return False
            after = rows[-1].n


async def _log(session: AsyncSession, id: str) -> Log:
    log = (await session.execute(select(Log).where(Log.id == id))).scalar_one_or_none()
    if log is None:
        raise UnknownName(f"没有编号为 {id} 的记录。", f"there is no log {id}.")
    return log


async def _erase_in_trail(session: AsyncSession, id: str, name: str, pseudonym: str) -> None:
    """Replace a name in the titles that the audit trail names beside the id of a log."""
    for line in (
        await session.execute(select(Audit).where(Audit.about.startswith(f"{id} ", autoescape=True)))
    ).scalars():
        about = f"{id} {_replace_within(line.about.removeprefix(f'{id} '), name, pseudonym)}"
        line.about = about[:200]


def _without_photos(value: Any) -> Any:
    """Return a value of JSON with the id of every picture left empty."""
    if isinstance(value, dict):
        return {key: "" if key == "photo" else _without_photos(one) for key, one in value.items()}
    return [_without_photos(one) for one in value] if isinstance(value, list) else value


def _replacer(name: str, pseudonym: str) -> Callable[[Any], Any]:
    """Return a function that replaces a name wherever it is a whole text in JSON, also in texts that are JSON lines.

    In titles and notes it is replaced within the text, too.
    """
    ways = (False, True)
    quoted = [(json.dumps(name, ensure_ascii=way), json.dumps(pseudonym, ensure_ascii=way)) for way in ways]
    of_key = key(name)

    def replace(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                replace(one): _replace_within(other, name, pseudonym)
                if one in _FREE and isinstance(other, str)
                else replace(other)
                for one, other in value.items()
            }
        if isinstance(value, list):
            return [replace(one) for one in value]
        if not isinstance(value, str):
            return value
        if key(value) == of_key:
            return pseudonym
        for before, after in quoted if value.startswith(("{", "[")) else ():
            value = value.replace(before, after)
        return value

    return replace


def _replace_within(text: str, name: str, pseudonym: str) -> str:
    """Replace a name within a text; a single letter only if it is the whole text."""
    return text.replace(name, pseudonym) if len(name) > 1 else pseudonym if text == name else text


def _chain(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Compute again the hashes that chain the lines of a changed match; lines with a wrong hash keep it."""
    was = now = 0

    def again(old: str, new: str) -> str:
        nonlocal was, now
        there, here = WHOLE.fullmatch(old), WHOLE.fullmatch(new)
        if there is None or here is None:
            return new
        was, now = chain_hash(was, there[1]), chain_hash(now, here[1])
        return f'{here[1]},"h":{now}}}' if there[2] == str(was) else new

    made = []
    for old, new in zip(before, after, strict=True):
        if isinstance(old.get("line"), str):
            made.append({**new, "line": again(old["line"], new["line"])})
        elif isinstance(old.get("lines"), list):
            pairs = zip(old["lines"], new["lines"], strict=True)
            made.append({**new, "lines": [again(one, other) for one, other in pairs]})
        else:
            made.append(new)
    return made
