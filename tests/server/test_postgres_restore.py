"""PostgreSQL's own tools, by the commands that `quepu admin` names: copied in play, lost, put back, read through."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from quepu.cli import run as command
from tests.loop import run
from tests.server.serving import Server
from tests.server.test_faults import Player

BIN = next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_amcheck"))), None)
USER = "postgres" if hasattr(os, "getuid") and os.getuid() == 0 else None
"""PostgreSQL does not run as root."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BIN is None, reason="no PostgreSQL of the system")]


class Cluster:
    """A PostgreSQL of the system in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        assert BIN is not None
        self.folder, self.bin = folder, BIN
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port = taken.getsockname()[1]
        self.address = f"postgresql://quepu@127.0.0.1:{self.port}/quepu"
        self.run("initdb", "--username=quepu", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")

    def run(self, tool: str, *words: str) -> None:
        self._do([str(self.bin / tool), "--pgdata", str(self.folder / "data"), *words])

    def _do(self, words: list[str]) -> None:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, user=USER)

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run("pg_ctl", "start", "-w", "-o", options, "-l", str(self.folder / "log"))

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-m", "fast")

    def sql(self, text: str, database: str = "postgres") -> str:
        words = [self.bin / "psql", f"--dbname={self.address.removesuffix('quepu')}{database}", "-Atqc", text]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def tool(self, what: str, capsys: pytest.CaptureFixture[str]) -> subprocess.CompletedProcess[str]:
        """Run what `quepu admin` says has to be run instead."""
        words = [] if what == "check" else [str(self.folder / "unused")]
        assert command(["admin", what, *words, "--database", self.address]) == 2
        found = re.search(r"pg_\w+ --.*", capsys.readouterr().err)
        assert found is not None
        path = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        return subprocess.run(["sh", "-c", found[0]], env=path, cwd=self.folder, capture_output=True, text=True)  # noqa: PLW1510  # looked at by who asks


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp())
    if USER is not None:
        shutil.chown(folder, USER)
    made = Cluster(folder)
    made.start()
    try:
        made.sql("CREATE DATABASE quepu")
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


def test_copied_in_play_lost_put_back_and_read_through(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server(tmp_path / "data", "--database", cluster.address)
    player = Player(server)
    try:
        run(player.play(server, 15))
        before = dict(player.messages)

        async def both() -> subprocess.CompletedProcess[str]:
            playing = asyncio.create_task(player.play(server, 10))
            copied = await asyncio.to_thread(cluster.tool, "backup", capsys)
            await playing
            return copied

        copied = run(both())
        assert copied.returncode == 0, copied.stderr
    finally:
        server.kill()
    assert len(before) > 10
    cluster.sql("DROP DATABASE quepu")
    cluster.sql("CREATE DATABASE quepu")
    put_back = cluster.tool("restore", capsys)
    assert put_back.returncode == 0, put_back.stderr
    checked = cluster.tool("check", capsys)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
    player.messages, player.over = before, False
    server = Server(tmp_path / "again", "--database", cluster.address)
    try:
        player.check(server)
    finally:
        server.kill()
    assert "Traceback" not in server.errors
    checked = cluster.tool("check", capsys)
    assert checked.returncode == 0, checked.stdout

    page = cluster.folder / "data" / cluster.sql("SELECT pg_relation_filepath('log_entry')", "quepu")
    cluster.stop()
    content = bytearray(page.read_bytes())
    content[4096:8192] = b"\xff" * 4096  # rows of the first page
    page.write_bytes(content)
    cluster.start()
    checked = cluster.tool("check", capsys)
    assert checked.returncode != 0
    assert "log_entry" in checked.stdout + checked.stderr
