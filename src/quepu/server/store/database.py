"""A database, opened on first use and migrated then."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.pool import QueuePool

from quepu.errors import Text
from quepu.server.operations.metrics import STORE_FAILURES, STORE_SECONDS
from quepu.server.store.failures import cannot_open, failures, first_line, is_connection_failure, is_query_error
from quepu.server.store.models import Base, Move, ServerProcess
from quepu.server.store.sqlite import MOVES, READS, LogKeeper, begin, open_durable, open_quick
from quepu.server.store.values import Moving, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
T = TypeVar("T")
_READ, _WRITE = STORE_SECONDS.labels("read"), STORE_SECONDS.labels("write")
_log = logging.getLogger("quepu.server")
_LOCK = 0x7175_6570_75  # "quepu": the advisory lock under which PostgreSQL is migrated
FILE = "quepu.sqlite3"
"""File name of an SQLite database in its folder."""


class StoreAway(StoreError):
    """A database server does not respond; it may do so a moment later."""


class NewerSchema(StoreError):
    """The database was written by a newer version."""

    def __init__(self) -> None:
        super().__init__(
            "数据库是更新版本的 quepu 写的：请升级 quepu，或恢复升级前的备份。",
            "the database was written by a newer quepu: upgrade quepu, or restore a backup from before.",
        )


def no_database(where: object) -> Text:
    """Say that no database was found in this place."""
    return Text(
        f"{where} 里没有数据库；服务器的数据在别处时，请写明是哪里（--data 或 --database）。",
        f"there is no database in {where}; if the server keeps its data elsewhere, say where (--data or --database).",
    )


class BrokenSchema(StoreError):
    """The database differs from its declared revision."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"数据库缺少 {missing}：它不是 quepu 的，或已损坏；请恢复备份。",
            f"the database has no {missing}: it is not one of quepu's, or it is damaged; restore a backup.",
        )


class Database:
    """A database by its URL; None means SQLite in `folder`.

    With `sync`, everything is on disk before it is acknowledged (SQLite); without, some data follows a moment later.
    One that is only half moved, or was moved to another, is refused unless `moves` is set.
    """

    def __init__(self, folder: Path, address: str | None = None, *, sync: bool = False, moves: bool = False) -> None:
        self.folder = folder
        self.address = address
        self.sync = sync
        self._moves = moves
        self._opening = asyncio.Lock()
        self._engine: AsyncEngine | None = None
        self._writers: dict[bool, Engine] = {}  # of SQLite: synchronous, or a moment later
        self._keeper: LogKeeper | None = None
        self._sessions: dict[bool, async_sessionmaker[AsyncSession]] = {}
        self._failing: set[bool] = set()  # whether the last write, or the last read, failed

    @property
    def trouble(self) -> bool:
        """Whether the store failed on its last use."""
        return bool(self._failing)

    @property
    def unsynced(self) -> bool:
        """Whether played data currently fails to reach SQLite's disk."""
        return self._keeper is not None and self._keeper.failed

    @property
    def in_use(self) -> int:
        """Connections in use."""
        pools = [] if self._engine is None else [self._engine.pool, *(one.pool for one in self._writers.values())]
        return sum(pool.checkedout() for pool in pools if isinstance(pool, QueuePool))

    def sizes(self) -> dict[str, int]:
        """Sizes in bytes of the files of an SQLite database; empty for another one."""
        if not self._writers:
            return {}
        path = self.folder / FILE
        files = {"database": path, "log": path.with_name(f"{FILE}-wal")}
        return {name: file.stat().st_size for name, file in files.items() if file.exists()}

    async def answers(self) -> None:
        """Use the store once: read, or write if the last write failed.

        Raises:
            StoreError: it does not respond.
        """
        if True in self._failing:
            probe = f"probe-{secrets.token_hex(8)}"  # another server may do the same at the same time
            async with self.writing() as session:
                await session.execute(insert(ServerProcess).values(id=probe, alive_until=0.0))
                await session.execute(delete(ServerProcess).where(ServerProcess.id == probe))
        async with self.reading() as session:
            await session.execute(text("SELECT version_num FROM alembic_version"))

    @property
    def shared(self) -> bool:
        """Whether several processes can use it at once (once it is open)."""
        return self._engine is not None and self._engine.dialect.name == "postgresql"

    @property
    def plain_address(self) -> str:
        """The URL as PostgreSQL's own tools take it."""
        return make_url(self.address or "").set(drivername="postgresql").render_as_string(hide_password=False)

    async def revision(self) -> Literal["new", "older", "current"]:
        """Return the state of the schema without changing anything.

        Raises:
            StoreError: it does not respond, is damaged, or was written by a newer version.
        """
        address = self._engine_address()
        if address.startswith("sqlite"):
            path = Path(make_url(address).database or "")
            if not path.exists():
                return "new"
            address = f"sqlite+aiosqlite:///{path.absolute().as_uri()}?mode=ro&uri=true"
        try:
            engine = create_async_engine(address, hide_parameters=True)
            async with engine.connect() as connection:
                found = await connection.run_sync(_revisions)
                if not found:
                    return "new"
                if found == newest_revisions():
                    await connection.run_sync(_complete)
                    if not self._moves:
                        await connection.run_sync(_refuse_moved)
                    return "current"
                return "older"
        except (ImportError, SQLAlchemyError, *failures()) as error:  # type: ignore[misc]  # classes of errors
            raise StoreError(*cannot_open(error)) from error
        finally:
            with suppress(UnboundLocalError):
                await engine.dispose()

    def _engine_address(self) -> str:
        """The URL as SQLAlchemy takes it."""
        if self.address is None:
            return f"sqlite+aiosqlite:///{self.folder / FILE}"
        if self.address.startswith(("postgres://", "postgresql://")):
            return "postgresql+asyncpg://" + self.address.split("://", 1)[1]
        if self.address.startswith("sqlite://"):
            return "sqlite+aiosqlite://" + self.address.split("://", 1)[1]
        return self.address

    async def open(self) -> None:
        """Open it, unless it is open.

        Raises:
            StoreError: the database cannot be opened.
        """
        if not self._sessions:
            async with self._opening:
                if not self._sessions:
                    await self._open()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Yield a read-only session: a consistent snapshot that blocks no writers.

        Raises:
            StoreError: the database cannot be opened.
        """
        async with self._session(writes=False) as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """Yield a session in a transaction: committed at the end, rolled back by an exception.

        Raises:
            StoreError: the database cannot be opened.
        """
        async with self._session(writes=True) as session:
            yield session

    async def write(self, work: Callable[[Connection], T], *, sync: bool = True) -> T:
        """Run `work` in a single transaction and return its result.

        On SQLite it runs in a thread: switching threads for each statement would cost more than the work. Without
        `sync`, it survives a killed server at once, and a power cut a moment later (see `sqlite`).

        Raises:
            StoreError: the database cannot be opened.
        """
        await self.open()
        assert self._engine is not None  # noqa: S101  # open sets it or raises
        with self._watch(writes=True):
            if not self._writers:
                async with self._engine.begin() as connection:
                    return await connection.run_sync(work)
            return await asyncio.to_thread(self._write, self._writers[sync or self.sync], work)

    @staticmethod
    def _write(writer: Engine, work: Callable[[Connection], T]) -> T:
        with writer.begin() as connection:
            return work(connection)

    @asynccontextmanager
    async def _session(self, *, writes: bool) -> AsyncIterator[AsyncSession]:
        await self.open()
        with self._watch(writes=writes):
            async with self._sessions[writes]() as session, session.begin():
                yield session

    @contextmanager
    def _watch(self, *, writes: bool) -> Iterator[None]:
        """Time a transaction; turn an unresponsive or unwritable store into one kind of error."""
        began = time.perf_counter()
        try:
            yield
        except (IntegrityError, DataError, ProgrammingError):  # the query is at fault
            raise
        except (Moving, *failures()) as error:  # type: ignore[misc]  # classes of errors
            if is_query_error(error):
                raise
            STORE_FAILURES.inc()
            if writes not in self._failing:
                self._failing.add(writes)
                _log.error("the store fails: %s", first_line(error))
            if isinstance(error, Moving):
                raise
            raise StoreError(
                "数据库现在不能用，请稍后再试。", "the database is unavailable right now: please try again later."
            ) from error
        (_WRITE if writes else _READ).observe(time.perf_counter() - began)
        if writes in self._failing:
            self._failing.discard(writes)
            _log.warning("the store %s again", "takes writes" if writes else "answers")

    async def close(self) -> None:
        """Close every connection."""
        if self._keeper is not None:
            self._keeper.stop()
            self._keeper = None
        if self._engine is not None:
            await self._engine.dispose()
        for writer in self._writers.values():
            writer.dispose()
        self._writers = {}
        self._engine = None
        self._sessions = {}

    async def _open(self) -> None:
        address = self._engine_address()
        try:
            if self.address is None:
                self.folder.mkdir(parents=True, exist_ok=True)
            # stored data (names, digests) must not appear in error messages
            engine = create_async_engine(
                address,
                pool_pre_ping=not address.startswith("sqlite"),
                hide_parameters=True,
                execution_options={MOVES: self._moves},
            )
            sqlite = engine.dialect.name == "sqlite"
            if sqlite:
                event.listen(engine.sync_engine, "connect", open_durable)
                event.listen(engine.sync_engine, "begin", begin)
            try:
                async with engine.begin() as connection:
                    await _migrate(connection)
                    if not self._moves:
                        await connection.run_sync(_refuse_moved)
            except BaseException:
                await engine.dispose()  # its connections are not known elsewhere
                raise
            if sqlite:
                _only_ours(Path(str(engine.url.database)))
        except (ImportError, SQLAlchemyError, *failures()) as error:  # type: ignore[misc]  # classes of errors
            kind = StoreError if address.startswith("sqlite") or not is_connection_failure(error) else StoreAway
            raise kind(*cannot_open(error)) from error
        if sqlite:
            for sync, prepared in ((True, open_durable), (False, open_quick)):
                self._writers[sync] = writer = create_engine(
                    make_url(address).set(drivername="sqlite"), hide_parameters=True
                )
                event.listen(writer, "connect", prepared)
                event.listen(writer, "begin", begin)
            self._keeper = LogKeeper(writer, Path(str(writer.url.database)))
        self._engine = engine
        # reads from PostgreSQL are a consistent snapshot, too, and cannot write
        looks = {READS: True} | ({} if sqlite else {"postgresql_readonly": True, "isolation_level": "REPEATABLE READ"})
        self._sessions = {
            True: async_sessionmaker(engine, expire_on_commit=False),
            False: async_sessionmaker(engine.execution_options(**looks), expire_on_commit=False),
        }


def _only_ours(path: Path) -> None:
    """Make a database private: it has walls of running hands and password hashes."""
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with suppress(OSError):
            file.chmod(0o600)


async def _migrate(connection: AsyncConnection) -> None:
    if connection.dialect.name == "postgresql":
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    if _revisions(connection) != newest_revisions():
        from alembic import command

        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")  # parts of the schema evolve in parallel
    _complete(connection)


def _revisions(connection: Connection) -> set[str]:
    """Return the revisions of a database."""
    from alembic.runtime.migration import MigrationContext

    found = set(MigrationContext.configure(connection).get_current_heads())
    if found - own_revisions():
        raise NewerSchema
    return found


def _complete(connection: Connection) -> None:
    """Refuse a database with today's revision but without today's tables."""
    found = inspect(connection)
    tables = set(found.get_table_names())
    for table in Base.metadata.sorted_tables:
        if table.name not in tables:
            raise BrokenSchema(table.name)
        columns = {column["name"] for column in found.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                raise BrokenSchema(f"{table.name}.{column.name}")


def _refuse_moved(connection: Connection) -> None:
    """Refuse a database that is only half filled, or whose rows are elsewhere now."""
    found = connection.execute(select(Move.state, Move.other)).one_or_none()
    if found is not None:
        raise Moving(found.state, found.other)


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def own_revisions() -> frozenset[str]:
    """Return the schema revisions that this version knows."""
    from alembic.script import ScriptDirectory

    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


@cache
def newest_revisions() -> frozenset[str]:
    """Return the revisions of an up-to-date database."""
    from alembic.script import ScriptDirectory

    return frozenset(ScriptDirectory.from_config(_config()).get_heads())
