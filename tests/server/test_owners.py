"""Who owns a log: one at a time, taken from the dead, and a late owner cannot write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.owners import Owners
from quepu.server.store.values import Conflict
from tests.loop import run


def test_a_log_has_one_owner_and_a_dead_one_is_fenced(tmp_path: Path, postgres_address: str) -> None:
    async def both() -> None:
        bases = [Database(tmp_path, postgres_address) for _ in range(2)]
        one, two = (Owners(base) for base in bases)
        logs = [Logs(base) for base in bases]
        await one.beat()
        await two.beat()
        assert await one.alive() == {one.me, two.me}
        head = await logs[0].create("room", "", "t", {"n": 0}, process=one.me)
        assert (await two.take(head.id))[:2] == (one.me, 0)
        assert await logs[0].append(head.id, 1, [{"n": 1}], fence=0) == 2
        assert await two.orphans(5) == []
        async with bases[0].writing() as session:  # the first one is silent for too long
            await session.execute(text("UPDATE process SET alive_until = 0 WHERE id = :id"), {"id": one.me})
        assert await two.alive() == {two.me}
        assert await two.orphans(5) == [head.id]
        assert (await two.take(head.id))[:2] == (two.me, 1)
        with pytest.raises(Conflict):  # it still believes that the log is its own, and has seen all of it
            await logs[0].append(head.id, 2, [{"n": "late"}], fence=0)
        assert await logs[1].append(head.id, 2, [{"n": 2}], fence=1) == 3
        await one.beat()
        assert (await one.take(head.id))[:2] == (two.me, 1)
        assert await one.take("unknown") is None
        await two.let_go(head.id, 1)
        assert await one.orphans(5) == []
        assert (await one.take(head.id))[:2] == (one.me, 2)
        found: Any = await logs[0].read(head.id)
        assert [entry.body["n"] for entry in found[1]] == [0, 1, 2]
        for base in bases:
            await base.close()

    run(both())


def test_on_sqlite_whoever_started_last_owns_everything(tmp_path: Path) -> None:
    async def both() -> None:
        base = Database(tmp_path)
        first, second = Owners(base), Owners(base)
        logs = Logs(base)
        head = await logs.create("room", "", "t", {"n": 0}, process=first.me)
        assert await first.orphans(5) == []
        assert await second.orphans(5) == [head.id]
        assert (await second.take(head.id))[:2] == (second.me, 1)
        with pytest.raises(Conflict):
            await logs.append(head.id, 1, [{"n": 1}], fence=0)
        assert await logs.append(head.id, 1, [{"n": 1}], fence=1) == 2
        await base.close()

    run(both())


def test_appends_that_come_together_stand_or_fall_alone(tmp_path: Path) -> None:
    import asyncio

    async def many() -> list[Any]:
        base = Database(tmp_path)
        logs = Logs(base)
        ids = [(await logs.create("room", "", "t", {"n": 0})).id for _ in range(20)]
        wanted = [logs.append(id, 1, [{"n": 1}, {"n": 2}]) for id in ids]
        wanted.append(logs.append(ids[0], 1, [{"n": "late"}]))
        wanted.append(logs.append(ids[0], 3, [{"n": 3}], title="new"))
        wanted.append(logs.append("unknown", 1, [{"n": 1}]))
        wanted.append(logs.append(ids[1], 3, [{"n": object()}]))  # no JSON: the others do not pay for it
        done = await asyncio.gather(*wanted, return_exceptions=True)
        found: Any = await logs.read(ids[0])
        assert [entry.body["n"] for entry in found[1]] == [0, 1, 2, 3]
        assert found[0].title == "new"
        await base.close()
        return done

    done = run(many())
    assert done[:20] == [3] * 20
    assert isinstance(done[20], Conflict)
    assert done[21:23] == [4, None]
    assert isinstance(done[23], Exception)
