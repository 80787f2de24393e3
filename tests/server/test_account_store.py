"""Accounts in their store: codes, logins and names on both sides of their limits, and nothing of anybody else's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from quepu.errors import HandError
from quepu.server.limits import Limits
from quepu.server.store import accounts as module
from quepu.server.store.accounts import STAYS, Accounts, NameTaken, Seat, code_digest, key
from quepu.server.store.administration import Administration
from quepu.server.store.belongings import BelongingsStore
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.models import AccountCode, AccountRow, AccountSeatRow, AccountSession, Log, LogEntry
from quepu.server.store.values import LoggedIn
from tests.loop import run

OLD, NEW = "correct horse 马", "another 密码 1"
START = 1.8e9


class Bench:
    """A store with two accounts, at a time that is set."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.now = START
        patch.setattr(time, "time", lambda: self.now)
        self.database = Database(folder)
        self.accounts = Accounts(self.database)
        self.logs = Logs(self.database)
        self.admin = Administration(self.database, Limits(code_hours=24))
        self.me = self.other = LoggedIn("", "", 0.0)

    async def fill(self) -> None:
        self.me = await self.accounts.register("林清", OLD)
        self.other = await self.accounts.register("周", OLD)

    async def count(self, table: type[Any]) -> int:
        async with self.database.reading() as session:
            found: int = (await session.execute(select(func.count()).select_from(table))).scalar_one()
            return found

    async def tables(self, *names: str) -> list[str]:
        made = []
        for name in names:
            self.now += 1
            made.append((await self.logs.create("room", "", name, {"room": {}})).id)
        return made


Play = Callable[[Callable[[Bench], Awaitable[None]]], None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    def played(work: Callable[[Bench], Awaitable[None]]) -> None:
        async def go() -> None:
            bench = Bench(tmp_path, monkeypatch)
            await bench.fill()
            try:
                await work(bench)
            finally:
                await bench.database.close()

        run(go())

    return played


@pytest.mark.parametrize(
    ("hours", "good"), [(0, True), (24 - 1e-3, True), (24, False), (24 + 1e-3, False), (900, False)]
)
def test_a_code_for_another_password_is_good_until_its_time_and_no_longer(play: Play, hours: float, good: bool) -> None:
    async def work(bench: Bench) -> None:
        code = await bench.admin.code("林清")
        bench.now = START + hours * 3600
        found = await bench.accounts.reset("林清", code, NEW)
        assert found == (bench.me if good else None)
        assert await bench.accounts.check("林清", NEW if good else OLD) == bench.me
        assert await bench.accounts.check("林清", OLD if good else NEW) is None
        assert await bench.accounts.check("周", OLD) == bench.other

    play(work)


def test_a_code_is_its_accounts_is_good_once_and_may_be_typed_in_any_form(play: Play) -> None:
    async def work(bench: Bench) -> None:
        code, others = await bench.admin.code("林清"), await bench.admin.code("周")
        token, theirs = await bench.accounts.log_in(bench.me.id), await bench.accounts.log_in(bench.other.id)
        assert await bench.accounts.reset("周", code, NEW) is None, "another account's"
        assert await bench.accounts.reset("nobody", code, NEW) is None
        assert await bench.accounts.reset("林清", others, NEW) is None
        assert await bench.accounts.reset("林清", code[:-1], NEW) is None
        assert await bench.accounts.who(token) == bench.me, "what was wrong did nothing"
        assert await bench.accounts.check("林清", OLD) == bench.me
        typed = f" {code.upper().replace('-', '  ')} "
        assert await bench.accounts.reset(" 林清 ", typed, NEW) == bench.me
        assert await bench.accounts.who(token) is None, "whoever was logged in with the old password"
        assert await bench.accounts.who(theirs) == bench.other
        assert await bench.accounts.reset("林清", code, OLD) is None
        assert await bench.accounts.reset("周", others, NEW) == bench.other

    play(work)


def test_codes_are_digested_without_regard_to_how_they_are_typed() -> None:
    assert code_digest("abcd-efgh") == code_digest(" AB CD EF-GH\n") == code_digest("abcdefgh")
    assert len(code_digest("x")) == 64 and code_digest("abcd-efgh") != code_digest("abcd-efgi")
    assert code_digest("\ud800"), "what JSON can carry and UTF-8 cannot"


@pytest.mark.parametrize(("seconds", "good"), [(0, True), (STAYS - 1, True), (STAYS, False), (STAYS + 1, False)])
def test_a_login_lasts_ninety_days(play: Play, seconds: float, good: bool) -> None:
    async def work(bench: Bench) -> None:
        token = await bench.accounts.log_in(bench.me.id)
        bench.now += seconds
        assert await bench.accounts.who(token) == (bench.me if good else None)

    assert STAYS == 90 * 24 * 3600
    play(work)


def test_a_login_clears_away_those_that_are_over_and_no_others(play: Play) -> None:
    async def work(bench: Bench) -> None:
        first = await bench.accounts.log_in(bench.me.id)
        bench.now += 1
        second = await bench.accounts.log_in(bench.other.id)
        assert first != second
        bench.now = START + STAYS  # the first is over now; one that is cleared away has been over for a moment
        await bench.accounts.log_in(bench.me.id)
        assert await bench.count(AccountSession) == 3
        assert await bench.accounts.who(second) == bench.other
        bench.now += 0.5
        await bench.accounts.log_in(bench.me.id)
        assert await bench.count(AccountSession) == 3
        assert await bench.accounts.who(second) == bench.other
        async with bench.database.reading() as session:
            stored = list((await session.execute(select(AccountSession.token))).scalars())
        assert all(len(one) == 64 and second not in one for one in stored), "only digests are kept"

    play(work)


def test_logging_out_forgets_one_token(play: Play) -> None:
    async def work(bench: Bench) -> None:
        here, there = await bench.accounts.log_in(bench.me.id), await bench.accounts.log_in(bench.me.id)
        await bench.accounts.log_out("nothing")
        await bench.accounts.log_out(here)
        assert await bench.accounts.who(here) is None
        assert await bench.accounts.who(there) == bench.me
        assert await bench.accounts.who("nothing") is None

    play(work)


def test_another_password_logs_everybody_of_the_account_out_and_nobody_else(play: Play) -> None:
    async def work(bench: Bench) -> None:
        tokens = [await bench.accounts.log_in(one.id) for one in (bench.me, bench.me, bench.other)]
        await bench.accounts.change_password(bench.me.id, NEW)
        assert [await bench.accounts.who(token) for token in tokens] == [None, None, bench.other]
        assert await bench.accounts.check("林清", NEW) == bench.me
        assert await bench.accounts.check("林清", OLD) is None
        assert await bench.accounts.check("周", OLD) == bench.other
        assert await bench.accounts.check("周", NEW) is None

    play(work)


def test_a_password_is_checked_at_the_same_cost_for_a_name_that_nobody_has(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    matches = module._matches

    def noted(secret: str, password: str) -> bool:
        checked.append(secret)
        return matches(secret, password)

    monkeypatch.setattr(module, "_matches", noted)

    async def work(bench: Bench) -> None:
        assert await bench.accounts.check("nobody", OLD) is None
        assert await bench.accounts.check("nobody", NEW) is None
        assert await bench.accounts.check(" 林清 ", OLD) == LoggedIn(bench.me.id, "林清", START)
        assert len(checked) == 3
        assert all(secret.startswith("$argon2id$") for secret in checked)
        assert checked[0] == checked[1] != checked[2]

    play(work)
    assert not matches("not a hash", OLD), "a row that was damaged lets nobody in"


def test_two_passwords_are_hashed_at_a_time(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes memory on purpose: those of many visitors at once must not take all there is."""
    now, most, together = 0, [0], asyncio.Event()
    in_thread = asyncio.to_thread

    async def counted(work: Callable[..., Any], *given: Any) -> Any:
        nonlocal now
        if getattr(work, "__name__", "") not in ("hash", "_matches", "_nobodys"):
            return await in_thread(work, *given)
        now += 1
        most[0] = max(most[0], now)
        if now > 1:
            together.set()
        await asyncio.wait_for(together.wait(), 60)  # for the second, however slow the store is
        for _ in range(50):
            await asyncio.sleep(0)
        try:
            return await in_thread(work, *given)
        finally:
            now -= 1

    async def work(bench: Bench) -> None:
        code = await bench.admin.code("周")
        monkeypatch.setattr(module.asyncio, "to_thread", counted)
        for kind in (
            lambda n: bench.accounts.check("林清", f"{n}"),
            lambda n: bench.accounts.register(f"name {n}", OLD),
            lambda _: bench.accounts.change_password(bench.me.id, OLD),
            lambda _: bench.accounts.reset("周", code, NEW),
        ):
            most[0] = 0
            together.clear()
            await asyncio.gather(*(kind(n) for n in range(5)))
            assert most[0] == 2
        monkeypatch.setattr(module.asyncio, "to_thread", in_thread)

    play(work)


@pytest.mark.parametrize(
    "name", ["林清", " 林清", "林\u200b清", "ＡＮＮＡ", "anna", "Аnna", "ANNA ", "an na", "A\u0301nna"]
)  # fmt: skip
def test_a_name_that_looks_like_anothers_is_taken(play: Play, name: str) -> None:
    async def work(bench: Bench) -> None:
        await bench.accounts.register("anna", OLD)
        assert await bench.accounts.is_taken(name)
        with pytest.raises(NameTaken):
            await bench.accounts.register(name, OLD)
        assert await bench.count(AccountRow) == 3

    play(work)


def test_a_name_that_looks_like_nobodys_is_free(play: Play) -> None:
    async def work(bench: Bench) -> None:
        for name in ("林", "清林", "林清 2", "周明"):
            assert not await bench.accounts.is_taken(name)
            assert (await bench.accounts.register(f" {name}\u200b ", OLD)).name == name

    play(work)


def test_a_banned_name_and_those_like_it_are_free_for_nobody(play: Play) -> None:
    async def work(bench: Bench) -> None:
        await bench.admin.ban("Admin")
        for name in ("admin", "АDMIN", "ad min"):
            assert await bench.accounts.is_banned(name)
            with pytest.raises(NameTaken):
                await bench.accounts.register(name, OLD)
        for name in ("admins", "dmin", ""):
            assert not await bench.accounts.is_banned(name)
        for long in ("长" * 24, "ﷺ" * 24):  # the latter has 360 letters as it is compared
            await bench.admin.ban(long)
            assert await bench.accounts.is_banned(long)
        assert not await bench.accounts.is_banned("ﷺ" * 3)

    play(work)


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "电脑1", "Bot 2", "a" * 81, "ﷺ" * 5])
def test_a_name_that_cannot_be_is_refused(play: Play, name: str) -> None:
    async def work(bench: Bench) -> None:
        with pytest.raises(HandError, match="不能叫"):
            await bench.accounts.register(name, OLD)
        assert await bench.count(AccountRow) == 2

    play(work)


def test_the_longest_name_there_may_be(play: Play) -> None:
    async def work(bench: Bench) -> None:
        made = await bench.accounts.register("a" * 80, OLD)
        assert await bench.accounts.check("A" * 80, OLD) == made
        assert len(key("ﷺ" * 4)) == 72  # one character may be many as it is compared
        assert (await bench.accounts.register("ﷺ" * 4, OLD)).name == "ﷺ" * 4

    play(work)


def test_of_two_who_take_a_name_at_once_one_has_it(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never_named(_self: Accounts, _name: str) -> bool:
        return False

    async def work(bench: Bench) -> None:
        monkeypatch.setattr(Accounts, "is_taken", never_named)  # as if the other came between the look and the entry
        with pytest.raises(NameTaken):
            await bench.accounts.register("林清", NEW)
        assert await bench.accounts.check("林清", OLD) == bench.me

    play(work)


def test_seats_are_their_accounts_latest_first_and_over_when_the_last_line_says_so(play: Play) -> None:
    async def work(bench: Bench) -> None:
        one, two, three = await bench.tables("t1", "t2", "t3")
        for room, place in ((one, 0), (two, 2), (three, 1)):
            await bench.accounts.took(bench.me.id, room, place)
        await bench.accounts.took(bench.other.id, one, 1)
        bench.now += 10
        await bench.logs.append(one, 1, [{"line": '{"x": 1}'}, {"line": '{"end": {}}'}])
        bench.now += 10
        await bench.logs.append(two, 1, [{"line": '{"end": {}}'}, {"line": '{"x": 1}'}])
        assert await bench.accounts.seats(bench.me.id) == [
            Seat(two, 2, "t2", START + 2, START + 23, False),
            Seat(one, 0, "t1", START + 1, START + 13, True),
            Seat(three, 1, "t3", START + 3, START + 3, False),
        ]
        assert [seat.room for seat in await bench.accounts.seats(bench.me.id, 2)] == [two, one]
        assert [seat.room for seat in await bench.accounts.seats(bench.other.id)] == [one]
        await bench.accounts.took(bench.me.id, one, 3)  # another place at the same table
        assert {seat.room: seat.place for seat in await bench.accounts.seats(bench.me.id)}[one] == 3
        await bench.accounts.gave_back(bench.me.id, one)
        assert [seat.room for seat in await bench.accounts.seats(bench.me.id)] == [two, three]
        assert [seat.room for seat in await bench.accounts.seats(bench.other.id)] == [one], "another's place there"

    play(work)


def test_two_hundred_seats_are_listed_unless_the_caller_wants_more(play: Play) -> None:
    async def work(bench: Bench) -> None:
        async with bench.database.writing() as session:
            for n in range(201):
                session.add(Log(id=f"t{n}", kind="room", owner="", title="", created=0, updated=0, length=0, fence=0))
            await session.flush()
            session.add_all(AccountSeatRow(account=bench.me.id, log=f"t{n}", place=0) for n in range(201))
        assert [len(await bench.accounts.seats(bench.me.id, *most)) for most in ((), (201,))] == [200, 201]

    play(work)


def test_an_export_has_all_of_an_account_and_of_matches_only_what_is_over(play: Play) -> None:
    async def work(bench: Bench) -> None:
        over, runs, others = await bench.tables("over", "runs", "others")
        await bench.logs.append(over, 1, [{"line": "a"}, {"phase": 1}, {"line": "b"}, {"line": '{"end": {}}'}])
        bench.now += 1
        await bench.logs.append(runs, 1, [{"line": "secret"}])
        await bench.accounts.took(bench.me.id, over, 1)
        await bench.accounts.took(bench.me.id, runs, 0)
        await bench.accounts.took(bench.other.id, others, 0)
        await bench.accounts.log_in(bench.me.id)
        bench.now += 1
        await bench.accounts.log_in(bench.other.id)
        mine = await BelongingsStore(bench.database).of_account(bench.me.id)
        late, early = bench.now + 2, bench.now + 1
        for kind, owner, title, bench.now in (  # the time is set
            ("desk", mine, "late", late), ("table", mine, "early", early), ("roster", mine, "r", early),
            ("table", "somebody", "theirs", early),
        ):  # fmt: skip
            await bench.logs.create(kind, owner, title, {"n": 0})
        found = await bench.accounts.export(bench.me.id)
        assert found["account"] == {"name": "林清", "created": START, "logged_in_until": [START + 4 + STAYS]}
        assert [(one["room"], one["place"], one["over"], one.get("log")) for one in found["matches"]] == [
            (runs, 0, False, None), (over, 1, True, ["a", "b", '{"end": {}}']),
        ]  # fmt: skip
        assert "secret" not in str(found)
        assert [(one["kind"], one["title"], one["created"], one["updated"]) for one in found["belongings"]] == [
            ("table", "early", early, early), ("desk", "late", late, late),
        ]  # fmt: skip
        assert all(set(one) == {"kind", "id", "title", "created", "updated"} for one in found["belongings"])
        assert (await bench.accounts.export(bench.other.id))["belongings"] == []

    play(work)


def test_an_account_that_goes_takes_its_own_and_the_tables_where_nobody_else_sat(play: Play) -> None:
    async def work(bench: Bench) -> None:
        alone, renewed, shared, empty, foreign = await bench.tables("alone", "renewed", "shared", "empty", "foreign")
        sat = {"line": "x"}
        await bench.logs.append(alone, 1, [{"token": "a", "place": 0}, {"place": 3}, sat])
        await bench.logs.append(renewed, 1, [{"token": "a", "place": 2}, {"token": "b", "place": 2}, sat])
        await bench.logs.append(shared, 1, [{"token": "a", "place": 0}, {"token": "b", "place": 1}, {"place": 2}])
        await bench.logs.append(foreign, 1, [{"token": "c", "place": 0}])
        for room in (alone, renewed, shared, empty):
            await bench.accounts.took(bench.me.id, room, 0)
        await bench.accounts.took(bench.other.id, shared, 1)
        await bench.accounts.took(bench.other.id, foreign, 0)
        tokens = [await bench.accounts.log_in(one.id) for one in (bench.me, bench.other)]
        code, others = await bench.admin.code("林清"), await bench.admin.code("周")
        things = BelongingsStore(bench.database)
        mine, theirs = await things.of_account(bench.me.id), await things.of_account(bench.other.id)

        assert set(await bench.accounts.delete(bench.me.id)) == {alone, renewed, empty}
        assert [await bench.logs.read(room) is None for room in (alone, renewed, shared, empty, foreign)] == [
            True, True, False, True, False,
        ]  # fmt: skip
        assert await bench.count(LogEntry) == 4 + 2, "those of the two tables that stay"
        assert [await bench.accounts.who(token) for token in tokens] == [None, bench.other]
        assert await bench.accounts.check("林清", OLD) is None and not await bench.accounts.is_taken("林清")
        assert await bench.accounts.seats(bench.me.id) == []
        assert {seat.room for seat in await bench.accounts.seats(bench.other.id)} == {foreign, shared}
        assert await bench.count(AccountCode) == await bench.count(AccountSession) == 1
        assert await bench.accounts.reset("林清", code, NEW) is None
        assert await things.of_account(bench.other.id) == theirs != mine
        assert await bench.accounts.reset("周", others, NEW) == bench.other
        again = await bench.accounts.register("林清", NEW)
        assert again.id != bench.me.id and await things.of_account(again.id) != mine

    play(work)


@pytest.mark.parametrize(("minutes", "good"), [(0, True), (15 - 1e-3, True), (15, False), (15 + 1e-3, False)])
def test_a_code_for_another_browser_is_good_until_its_time_and_no_longer(
    play: Play, minutes: float, good: bool
) -> None:
    async def work(bench: Bench) -> None:
        things = BelongingsStore(bench.database)
        code, until = await things.code("somebody", 15)
        assert until == START + 900
        bench.now = START + minutes * 60
        assert await things.use_code(code) == ("somebody" if good else None)
        assert await things.use_code(code) is None, "good once"

    play(work)
