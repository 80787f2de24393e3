"""The store: readers never wait; writers queue."""

import asyncio
import sys

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.values import StoreError, new_log_id
from tests.loop import run


def test_reading_waits_for_no_writer_and_sees_what_was_committed(tmp_path):
    async def both():
        mine, other = Database(tmp_path), Database(tmp_path)
        head = await Logs(mine).create("table", "somebody-1234", "t", {"n": 0})
        assert await Logs(other).read("opened, and brought up to date") is None
        async with mine.writing() as session:
            await session.execute(text("UPDATE log SET length = 7"))
            seen = [await Logs(base).read(head.id) for base in (mine, other)]
            listed = await Logs(other).list("table", "somebody-1234")
        after = await Logs(other).read(head.id)
        await mine.close()
        await other.close()
        return [found[0].length for found in (*seen, after)], [head.length for head in listed]

    lengths, listed = run(both())  # a blocked reader gives up after the five seconds of busy_timeout
    assert lengths == [1, 1, 7]
    assert listed == [1]


def test_no_id_looks_like_an_option_to_a_shell(monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: "-_" * (length * 2 // 3))
    made = [new_log_id() for _ in range(100)]
    assert {len(id) for id in made} == {12}
    assert all(id[0].isalpha() for id in made)


def test_a_look_is_one_moment_though_somebody_writes_meanwhile(tmp_path):
    async def looked():
        base = Database(tmp_path)
        head = await Logs(base).create("table", "somebody-1234", "t", {"n": 0})
        async with base.reading() as session:
            first = (await session.execute(text("SELECT length FROM log"))).scalar_one()
            assert await Logs(base).append(head.id, 1, [{"n": 1}]) == 2
            second = (await session.execute(text("SELECT length FROM log"))).scalar_one()
        now = (await Logs(base).read(head.id))[0].length
        await base.close()
        return first, second, now

    assert run(looked()) == (1, 1, 2)


def test_writers_queue_and_none_fails(tmp_path):
    async def many():
        bases = [Database(tmp_path) for _ in range(3)]
        heads = [await Logs(base).create("table", "somebody-1234", "t", {"n": 0}) for base in bases]

        async def write(base, id):
            for n in range(1, 8):
                assert await Logs(base).append(id, n, [{"n": n}]) == n + 1

        await asyncio.gather(*(write(base, head.id) for base, head in zip(bases, heads, strict=True)))
        lengths = [(await Logs(bases[0]).read(head.id))[0].length for head in heads]
        for base in bases:
            await base.close()
        return lengths

    assert run(many()) == [8, 8, 8]


def test_a_file_that_is_no_database_is_a_sentence(tmp_path):
    (tmp_path / "quepu.sqlite3").write_bytes(b"not a database, but long enough to be looked at" * 30)

    async def opened():
        await Logs(Database(tmp_path)).list("table", "somebody-1234")

    with pytest.raises(Exception, match=r"数据库打不开") as refused:
        run(opened())
    assert not isinstance(refused.value, DBAPIError)


@pytest.mark.parametrize("address", ["nonsense", "nosuch://x", "mysql://x"])
def test_an_address_that_is_none_is_a_sentence(tmp_path, address):
    async def opened():
        await Logs(Database(tmp_path, address)).list("table", "somebody-1234")

    with pytest.raises(StoreError, match=r"数据库打不开"):
        run(opened())


@pytest.mark.parametrize("work", ["open", "revision"])
def test_a_database_without_its_driver_says_which_extra_to_install(tmp_path, monkeypatch, work):
    monkeypatch.setitem(sys.modules, "asyncpg", None)  # as if it were not installed
    with pytest.raises(StoreError, match=r"pip install 'quepu\[postgres\]'") as refused:
        run(getattr(Database(tmp_path, "postgresql://u:secret@h/x"), work)())
    assert "secret" not in str(refused.value)
    assert refused.value.text.en.count("pip install 'quepu[postgres]'") == 1


@pytest.mark.parametrize("address", ["mysql://u@h/x", "mysql+aiomysql://u@h/x", "oops://h/x", "nonsense"])
def test_a_database_of_another_kind_is_refused_with_the_two_there_are(tmp_path, address):
    with pytest.raises(StoreError, match="SQLite 或 PostgreSQL") as refused:
        run(Database(tmp_path, address).open())
    assert "postgresql://user@host/name" in refused.value.text.en


def test_sqlite_may_be_named_by_its_address_alone(tmp_path):
    async def opened():
        base = Database(tmp_path, f"sqlite:///{tmp_path / 'x.db'}")
        await base.open()
        await base.close()

    run(opened())
    assert (tmp_path / "x.db").exists()
