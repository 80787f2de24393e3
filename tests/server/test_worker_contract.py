"""What answers in the browser (Pyodide) against what answers on a server: the same bytes, hand after hand."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quepu.json_lines.answers import request_of
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import wins
from quepu.server.device.app import Device
from quepu.server.http.pages import STATIC

sys.path.insert(0, str(Path(__file__).parents[2]))
from hatch_build import tools

HANDS = int(os.environ.get("QUEPU_CONTRACT", "1000"))
"""Hands a book: `QUEPU_CONTRACT=100000` asks as many as it takes to be sure."""
TENTH = 10


def requests_about(name: str) -> list[tuple[str, str, str]]:
    """Scores of sample hands in both languages; of each tenth its waits and circumstances too."""
    found = []
    for i, hand in enumerate(wins(book(name), HANDS, seed=29)):
        request = {**request_of(hand, book(name)), "rules": name}
        body = json.dumps(request, ensure_ascii=False)
        lang = "en" if i % 2 else "zh"
        found.append(("POST", f"/api/score?explain={'true' if i % 4 else 'false'}&lang={lang}", body))
        if i % TENTH == 0:
            found.append(("POST", "/api/circumstances", body))
            waiting = json.dumps({"rules": name, "hand": request["hand"].partition("+")[0]}, ensure_ascii=False)
            found.append(("POST", f"/api/waits?lang={lang}", waiting))
    return found


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("start", ["plain", "snapshot"])
@pytest.mark.parametrize("name", book_ids())
def test_the_worker_answers_with_the_servers_bytes(name: str, start: str, tmp_path: Path) -> None:
    if not (STATIC / "device" / "bundle.json").is_file():
        pytest.skip("built without what answers in the browser (the package index was out of reach)")
    requests, device = requests_about(name), Device()
    file = tmp_path / "requests.json"
    file.write_text(json.dumps(requests, ensure_ascii=False), "utf-8")
    script = Path(__file__).parent / "pyodide_answers.mjs"
    command = [str(tools()[0]), str(script), str(STATIC / "device"), str(file), start]
    there = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(there) == len(requests)

    async def here() -> None:
        for (method, address, body), line in zip(requests, there, strict=True):
            status, _, answer = await device.request(
                method, address, {"content-type": "application/json"}, body.encode()
            )
            assert line == f"{status} {hashlib.sha256(answer).hexdigest()}", (address, body)

    asyncio.run(here())
