"""One database, opened when it is first needed and brought up to date then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from quepu.errors import Error
from quepu.server.store.sqlite import READS, Tending, begin, careful, quick

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
T = TypeVar("T")
_LOCK = 0x7175_6570_75  # "quepu": the advisory lock under which PostgreSQL is migrated


FILE = "quepu.sqlite3"
"""The name of an SQLite database in its folder."""


class StoreError(Error):
    """The database cannot be opened."""


class NewerSchema(StoreError):
    """A newer program wrote the database."""

    def __init__(self) -> None:
        super().__init__(
            "数据库是更新版本的 quepu 写的：请升级 quepu，或恢复升级前的备份。",
            "the database was written by a newer quepu: upgrade quepu, or restore a backup from before.",
        )


class Database:
    """A database by its address; None for the address means SQLite in `folder`.

    With `sync`, everything is on SQLite's disk before it is answered; without, what may follow a moment later does.
    """

    def __init__(self, folder: Path, address: str | None = None, *, sync: bool = False) -> None:
        self.folder = folder
        self.address = address
        self.sync = sync
        self._opening = asyncio.Lock()
        self._engine: AsyncEngine | None = None
        self._writers: dict[bool, Engine] = {}  # SQLite's: on the disk at once, or a moment later
        self._tending: Tending | None = None
        self._sessions: dict[bool, async_sessionmaker[AsyncSession]] = {}

    @property
    def shared(self) -> bool:
        """Whether several processes may use it at once (once it is open)."""
        return self._engine is not None and self._engine.dialect.name == "postgresql"

    @property
    def plain_address(self) -> str:
        """The address as PostgreSQL's own tools take it."""
        return make_url(self.address or "").set(drivername="postgresql").render_as_string(hide_password=False)

    async def open(self) -> None:
        """Open it, if it is not yet.

        Raises:
            StoreError: the database cannot be opened.
        """
        if not self._sessions:
            async with self._opening:
                if not self._sessions:
                    await self._open()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that only looks: one moment of the database, and nobody waits for it.

        Raises:
            StoreError: the database cannot be opened.
        """
        async with self._session(writes=False) as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A session in a transaction: committed at the end, rolled back by an exception.

        Raises:
            StoreError: the database cannot be opened.
        """
        async with self._session(writes=True) as session:
            yield session

    async def write(self, work: Callable[[Connection], T], *, sync: bool = True) -> T:
        """What `work` gives in a transaction of its own, which every statement of it reaches in one go.

        On SQLite it runs in a thread: going there and back once for each statement would cost more than the work.
        Without `sync` it survives a killed server at once, and a power cut a moment later (see `sqlite`).

        Raises:
            StoreError: the database cannot be opened.
        """
        await self.open()
        assert self._engine is not None  # noqa: S101  # open sets it or raises
        if not self._writers:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)
        return await asyncio.to_thread(self._written, self._writers[sync or self.sync], work)

    @staticmethod
    def _written(writer: Engine, work: Callable[[Connection], T]) -> T:
        with writer.begin() as connection:
            return work(connection)

    @asynccontextmanager
    async def _session(self, *, writes: bool) -> AsyncIterator[AsyncSession]:
        await self.open()
        async with self._sessions[writes]() as session, session.begin():
            yield session

    async def close(self) -> None:
        """Close every connection."""
        if self._tending is not None:
            self._tending.stop()
            self._tending = None
        if self._engine is not None:
            await self._engine.dispose()
        for writer in self._writers.values():
            writer.dispose()
        self._writers = {}
        self._engine = None
        self._sessions = {}

    async def _open(self) -> None:
        address = self.address
        try:
            if address is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                address = f"sqlite+aiosqlite:///{self.folder / FILE}"
            elif address.startswith(("postgres://", "postgresql://")):
                address = "postgresql+asyncpg://" + address.split("://", 1)[1]
            engine = create_async_engine(address, pool_pre_ping=not address.startswith("sqlite"))
            sqlite = engine.dialect.name == "sqlite"
            if sqlite:
                event.listen(engine.sync_engine, "connect", careful)
                event.listen(engine.sync_engine, "begin", begin)
            async with engine.begin() as connection:
                await _migrate(connection)
            if sqlite:
                _only_ours(Path(str(engine.url.database)))
        except (OSError, SQLAlchemyError, ImportError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreError(f"数据库打不开：{why}", f"the database cannot be opened: {why}") from error
        if sqlite:
            for sync, prepared in ((True, careful), (False, quick)):
                self._writers[sync] = writer = create_engine(make_url(address).set(drivername="sqlite"))
                event.listen(writer, "connect", prepared)
                event.listen(writer, "begin", begin)
            self._tending = Tending(writer, Path(str(writer.url.database)))
        self._engine = engine
        # a look at PostgreSQL sees one moment too, and may not write
        looks = {READS: True} | ({} if sqlite else {"postgresql_readonly": True, "isolation_level": "REPEATABLE READ"})
        self._sessions = {
            True: async_sessionmaker(engine, expire_on_commit=False),
            False: async_sessionmaker(engine.execution_options(**looks), expire_on_commit=False),
        }


def _only_ours(path: Path) -> None:
    """Let nobody else of this machine read a database: walls of running hands and digests of passwords are in it."""
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with suppress(OSError):
            file.chmod(0o600)


async def _migrate(connection: AsyncConnection) -> None:
    if connection.dialect.name == "postgresql":
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.runtime.migration import MigrationContext

    if set(MigrationContext.configure(connection).get_current_heads()) - known_revisions():
        raise NewerSchema
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "heads")  # parts of the schema grow side by side


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def known_revisions() -> set[str]:
    """The revisions of the schema that this program knows."""
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def newest_revisions() -> set[str]:
    """The revisions that an up to date database has."""
    from alembic.script import ScriptDirectory

    return set(ScriptDirectory.from_config(_config()).get_heads())
