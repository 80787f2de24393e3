"""Backups on another machine, which is a folder here: sent while a server runs, thinned, rehearsed; what goes wrong."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.server.app import create_app
from quepu.server.store.backup import restore
from quepu.server.store.database import FILE, Database
from quepu.server.store.offsite import load, rehearse, send
from tests.loop import run
from tests.server.serving import unlimited
from tests.server.test_admin import filled, rows

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """The other machine."""
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


@pytest.fixture
def config(tmp_path: Path, there: Path) -> Path:
    file = tmp_path / "offsite.toml"
    file.write_text(
        f"""
        put = ["cp", "{{file}}", "{there}/{{name}}"]
        get = ["cp", "{there}/{{name}}", "{{file}}"]
        list = ["ls", "-l", "{there}"]
        remove = ["rm", "{there}/{{name}}"]
        keep = 2
        """
    )
    return file


def stored(there: Path) -> list[str]:
    return sorted(path.name for path in there.glob("*.sqlite3"))


def test_a_backup_is_sent_while_a_server_runs_and_can_be_restored(tmp_path: Path, there: Path, config: Path) -> None:
    data = tmp_path / "data"
    with TestClient(create_app(unlimited(data))) as client:
        body = {"rules": "lingque-29", "title": "一", "names": ["林", "周", "何", "许"], "who": "somebody-1234"}
        assert client.post("/api/tables", json=body).status_code == 201
        assert command(["admin", "offsite", "--with", str(config), "--data", str(data)]) == 0
    (name,) = stored(there)
    assert re.fullmatch(r"quepu-\d{8}T\d{6}Z\.sqlite3", name)
    assert json.loads((there / f"{name}.json").read_text())["counts"]["log"] == 1
    restore(there / name, tmp_path / "again")
    assert rows(tmp_path / "again" / FILE)["log_entry"] == rows(data / FILE)["log_entry"]
    assert command(["admin", "rehearse", "--with", str(config), "--data", str(data)]) == 0


def test_a_store_on_postgresql_is_sent_as_a_file_that_any_server_opens(
    tmp_path: Path, there: Path, config: Path, postgres_address: str
) -> None:
    from quepu.server.store.moving import move, store_at

    run(filled(tmp_path / "data", logs=3, entries=700))
    before = rows(tmp_path / "data" / FILE)
    run(move(store_at(str(tmp_path / "data")), store_at(postgres_address)))
    base = Database(tmp_path, postgres_address)

    async def both() -> tuple[int, int]:
        sent = await send(base, load(config))
        done = await rehearse(base, load(config))
        await base.close()
        return sent.counts["log_entry"], done.counts["log_entry"]

    assert run(both()) == (2103, 2103)
    restore(there / stored(there)[0], tmp_path / "again")
    after = rows(tmp_path / "again" / FILE)
    assert {name: after[name] for name in ("log", "log_entry")} == {name: before[name] for name in ("log", "log_entry")}


def test_old_backups_go_and_the_newest_is_rehearsed(
    tmp_path: Path, there: Path, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    run(filled(data, logs=2))
    for day in range(4):
        monkeypatch.setattr("quepu.server.store.offsite._stamp", lambda day=day: f"2026010{day + 1}T000000Z")
        assert command(["admin", "offsite", "--with", str(config), "--data", str(data)]) == 0
    assert stored(there) == ["quepu-20260103T000000Z.sqlite3", "quepu-20260104T000000Z.sqlite3"]
    assert len(list(there.iterdir())) == 4
    run(filled(data, logs=1))
    capsys.readouterr()
    assert command(["admin", "rehearse", "--with", str(config), "--data", str(data)]) == 0
    out = capsys.readouterr().out
    assert "20260104T000000Z" in out and "log　备份 2　现在 3" in out
    assert not list(Path(config).parent.glob("quepu-*"))


def test_a_damaged_or_short_backup_is_noticed(
    tmp_path: Path, there: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    run(filled(data, logs=2))
    words = ["--with", str(config), "--data", str(data)]
    assert command(["admin", "offsite", *words]) == 0
    file = there / stored(there)[0]
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as base:
        base.execute("DELETE FROM account")
        base.execute("INSERT INTO banned_name VALUES ('x', 'x', 0)")
        base.commit()
    assert command(["admin", "rehearse", *words]) == 2
    assert "banned_name 0 → 1" in capsys.readouterr().err
    file.write_bytes(whole[: len(whole) // 2])
    assert command(["admin", "rehearse", *words]) == 2
    said = capsys.readouterr().err
    assert len(said.strip().splitlines()) == 1 and file.name in said  # not where it was fetched to
    file.write_bytes(whole)
    assert command(["admin", "rehearse", *words]) == 0


@pytest.mark.parametrize(
    ("change", "zh"),
    [
        (('["cp", "{file}"', '["nocommand", "{file}"'), "没有命令 nocommand"),
        (('["cp", "{file}"', '["false", "{file}"'), "失败：exit 1"),
        (('["ls", "-l"', '["true", "-l"'), "没有列出"),
        (("keep = 2", "keep = 0"), "keep"),
        (("keep = 2", "keeps = 2"), "keeps"),
        (("keep = 2", "keep ="), "不是 TOML"),
    ],
)
def test_what_goes_wrong_is_said_in_one_sentence(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], zh: str
) -> None:
    run(filled(tmp_path / "data", logs=1))
    text = config.read_text()
    assert change[0] in text
    config.write_text(text.replace(*change))
    assert command(["admin", "offsite", "--with", str(config), "--data", str(tmp_path / "data")]) == 2
    said = capsys.readouterr().err
    assert zh in said and len(said.strip().splitlines()) == 1, said


def test_nothing_there_and_no_configuration(tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(filled(tmp_path / "data", logs=1))
    assert command(["admin", "rehearse", "--with", str(config), "--data", str(tmp_path / "data")]) == 2
    assert "还没有备份" in capsys.readouterr().err
    assert command(["admin", "offsite", "--with", str(tmp_path / "no.toml"), "--data", str(tmp_path / "data")]) == 2
    assert "no.toml" in capsys.readouterr().err


def test_the_example_is_a_configuration() -> None:
    made = load(DEPLOY / "offsite.toml")
    assert made.put[0] == "rclone" and "{file}" in made.put and made.keep == 14
