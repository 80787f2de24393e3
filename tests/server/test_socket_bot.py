"""The bot of docs/reference/protocol.md, as it stands there, plays at a real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import Server

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"


@pytest.mark.long
def test_the_bot_of_the_documents_plays_a_hand(tmp_path: Path) -> None:
    found = re.search(r"<!-- example: socket bot -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    bot = tmp_path / "bot.py"
    bot.write_text(found[1], encoding="utf-8")
    server = Server(tmp_path / "data")
    try:
        spec = {"name": "bot", "bots": ["", "plain", "plain", "plain"], "think": 0, "move": 0, "bank": 0, "seed": 3}
        sat = server.fetch("api/rooms", spec)
        command = [
            sys.executable,
            str(bot),
            server.address.replace("http", "ws").rstrip("/"),
            sat["room"],
            sat["token"],
        ]
        playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert playing.stdout is not None and playing.stderr is not None
        line = playing.stdout.readline()
        playing.kill()
        playing.wait()
        assert "'name': 'bot'" in line, playing.stderr.read()
        playing.stdout.close()
        playing.stderr.close()
        assert server.fetch(f"api/rooms/{sat['room']}")["places"][0]["name"] == "bot"
    finally:
        server.kill()
