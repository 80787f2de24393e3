"""What a device answers by itself: the very bytes of the server, and nothing lost between two visits."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from quepu.rulebooks import book_ids
from quepu.server.app import create_app
from quepu.server.device.app import Device
from tests.server.serving import unlimited

HAND = "123456789m1p(234p)+1p"
WHO = "who-of-a-device"
HOUSE = "[rules]\nbase = 'lingque-29'\nminimum = 1\n"
DRAFT = 'base = "guobiao-mcr"\nminimum = 6\n[fans."双龙刻"]\nwhen = "有(相连(刻子, 2))"\nvalue = 2\n'
"""A draft with a fan in words."""
REQUESTS: list[tuple[str, str, Any]] = [
    *(("GET", f"/api/books/{name}", None) for name in book_ids()),
    *(("GET", f"/api/books/{name}/rules", None) for name in book_ids()),
    ("GET", "/api/books", None),
    ("GET", "/api/books/" + quote("没有"), None),
    ("GET", "/api/questions", None),
    ("GET", "/api/diff?old=lingque-26&new=lingque-29", None),
    ("GET", "/api/nowhere", None),
    ("POST", "/api/hand", {"hand": "123m4"}),
    ("POST", "/api/tiles", {"tiles": "11111m"}),
    ("POST", "/api/score?explain=true", {"hand": HAND, "rules": "guobiao-mcr"}),
    ("POST", "/api/score", {"hand": "123m", "rules": "yuque-54"}),
    ("POST", "/api/score", {"hand": HAND, "rules": "lingque-29", "house": HOUSE}),
    ("POST", "/api/waits?lang=en", {"hand": "1112345678999m", "rules": "canton"}),
    ("POST", "/api/waits", {"hand": "11123456789991m", "rules": "lingque-29"}),
    ("POST", "/api/circumstances", {"hand": HAND, "rules": "guobiao"}),
    ("POST", "/api/pay", {"hand": HAND, "rules": "guobiao", "discarder": "S", "seat": "E", "round": "E"}),
    ("POST", "/api/practice/question", {"rules": "yuque-54", "kind": "fans", "level": 1, "seed": 7}),
    *(("POST", f"/api/house/{what}", {"house": DRAFT}) for what in ("page", "rules", "diff")),
    ("POST", "/api/house/diff", {"house": DRAFT, "old": "guobiao"}),
    ("POST", "/api/house/page", {"house": "base = 'nothing'"}),
    ("POST", "/api/score", {"hand": "222333m456p78s11m+9s", "house": DRAFT}),
    ("POST", "/api/practice/question", {"house": DRAFT, "kind": "fans", "level": 2, "seed": 11}),
    ("POST", "/api/score", {"hand": 7}),
    ("POST", "/api/score", "[[["),
]  # fmt: skip


def both(client: TestClient, device: Device, method: str, address: str, body: Any) -> tuple[Any, Any]:
    data = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    headers = {"accept-language": "zh", "content-type": "application/json", "x-who": WHO}
    there = client.request(method, address, content=data, headers=headers)
    status, sent, answer = asyncio.run(device.request(method, address, headers, data))
    assert sent.get("content-type", "") == there.headers.get("content-type", ""), address
    return (there.status_code, there.content), (status, answer)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: f"{one[0]} {one[1]}")
def test_a_device_answers_with_the_bytes_of_the_server(request_: tuple[str, str, Any], tmp_path: Path) -> None:
    client, device = TestClient(create_app(unlimited(tmp_path))), Device()
    there, here = both(client, device, *request_)
    assert here == there


WRONG = {"discard": "1z", "points": -1, "waits": ["1z"], "aim": "-", "payable": False, "fans": []}
"""An answer to each kind of puzzle, as a person may give it."""


def test_the_puzzle_of_every_kind_is_asked_and_judged_without_a_server(tmp_path: Path) -> None:
    client, device = TestClient(create_app(unlimited(tmp_path))), Device()
    found = set()
    for n in range(len(WRONG)):
        asked = {"rules": "guobiao", "day": (date(2026, 12, 1) + timedelta(n)).isoformat()}
        there, here = both(client, device, "POST", "/api/practice/question", asked)
        assert here == there
        question = json.loads(here[1])
        found.add(question["kind"])
        reply = {key: question[key] for key in ("rules", "kind", "level", "seed")}
        reply[question["kind"]] = WRONG[question["kind"]]
        there, here = both(client, device, "POST", "/api/practice/answer", reply)
        assert here == there and here[0] == 200
        assert json.loads(here[1])[question["kind"]] is not None, "the right answer is told"
    assert found == set(WRONG)


def plain(answer: bytes) -> Any:
    """An answer without ids and times, which are its own everywhere."""
    text = re.sub(rb'"(id|created|updated|at)": ("[^"]*"|[0-9.]+)', rb'"\1": 0', answer)
    return json.loads(text)


def test_an_evening_stored_on_a_device_is_the_evening_stored_on_a_server(tmp_path: Path) -> None:
    with TestClient(create_app(unlimited(tmp_path))) as client:
        device = Device()
        spec = {"who": WHO, "rules": "guobiao-mcr", "names": ["甲", "乙", "丙", "丁"], "title": "周五"}
        there, here = both(client, device, "POST", "/api/tables", spec)
        assert (here[0], plain(here[1])) == (there[0], plain(there[1])) == (201, plain(there[1]))
        ids = json.loads(there[1])["id"], json.loads(here[1])["id"]
        for seen, change in enumerate(
            [
                {"do": "add", "record": {"kind": "hand", "winner": 0, "points": 24, "self_draw": True}},
                {"do": "add", "record": {"kind": "hand", "winner": 1, "discarder": 2, "points": 8}},
                {"do": "add", "record": {"kind": "hand", "winner": 1, "discarder": 1, "points": 8}},
                {"do": "undo"},
            ],
            1,
        ):
            body = json.dumps({"seen": min(seen, 3), **change}).encode()
            headers = {"content-type": "application/json", "x-who": WHO}
            one = client.post(f"/api/tables/{ids[0]}", content=body, headers=headers)
            status, _, answer = asyncio.run(device.request("POST", f"/api/tables/{ids[1]}", headers, body))
            assert (status, plain(answer)) == (one.status_code, plain(one.content)), change
        stale = asyncio.run(device.request("POST", f"/api/tables/{ids[1]}", headers, body))
        assert stale[0] == 409
        there, here = both(client, device, "GET", "/api/tables", None)
        assert plain(here[1]) == plain(there[1])


def test_what_a_device_wrote_is_there_on_the_next_visit() -> None:
    device = Device()
    spec = json.dumps({"who": WHO, "rules": "canton", "names": ["a", "b", "c", "d"]}).encode()
    headers = {"content-type": "application/json", "x-who": WHO}
    _, _, made = asyncio.run(device.request("POST", "/api/tables", headers, spec))
    reply = {"rules": "canton", "kind": "fans", "level": 1, "seed": 7, "fans": [], "who": WHO, "seconds": 3}
    status, _, _ = asyncio.run(device.request("POST", "/api/practice/answer", headers, json.dumps(reply).encode()))
    assert status == 200
    read = {"rules": "canton", "kind": "tiles", "level": 1, "seed": 0, "who": WHO}
    asyncio.run(device.request("POST", "/api/practice/answer", headers, json.dumps(read).encode()))
    written = json.loads(device.changes())
    assert json.loads(device.changes()) == {"logs": {}, "answers": None}
    again = Device()
    again.put_back(json.dumps({"logs": list(written["logs"].values()), "answers": written["answers"]}))
    address = f"/api/tables/{json.loads(made)['id']}"
    assert (
        asyncio.run(again.request("GET", address, headers))[2]
        == asyncio.run(device.request("GET", address, headers))[2]
    )
    history = asyncio.run(again.request("GET", "/api/practice/history?rules=canton", headers))
    assert json.loads(history[2])["answered"] == 1
    request = json.dumps({"rules": "canton", "who": WHO}).encode()
    lessons = json.loads(asyncio.run(again.request("POST", "/api/practice/lessons", headers, request))[2])["lessons"]
    assert [lesson["key"] for lesson in lessons if lesson["passed"]] == ["tiles"]
    asyncio.run(again.request("DELETE", address, headers))
    assert json.loads(again.changes())["logs"] == {json.loads(made)["id"]: None}


NOT_THERE = ("sqlalchemy", "alembic", "aiosqlite", "uvicorn", "numpy", "numba", "click", "rich", "prometheus_client")


def bundle_module() -> ModuleType:
    """What puts together the files of a device."""
    spec = importlib.util.spec_from_file_location("bundle", Path(__file__).parents[2] / "web" / "device" / "bundle.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_device_needs_only_what_is_in_the_bundle(tmp_path: Path) -> None:
    made = bundle_module()
    data = made.archive(made.read(made.own()))
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        names = opened.namelist()
        opened.extractall(tmp_path)
    assert not [name for name in names if name.removeprefix("quepu/").startswith(made.UNNEEDED)]
    assert len(data) < 3 << 20  # fetched by phones, after each change of the program
    code = f"""
import asyncio, json, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {NOT_THERE!r}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import quepu
from quepu.server.device.app import PARTS, Device

assert quepu.__file__.startswith({str(tmp_path)!r}), quepu.__file__
device = Device()
for words in PARTS.values():  # tables with bots and replays, too
    assert asyncio.run(device.request("GET", f"/api/{{words[0]}}", {{"x-who": "a-browser"}}))[0] < 500, words
for method, address, body in {REQUESTS!r}:
    data = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    status, _, answer = asyncio.run(device.request(method, address, {{"content-type": "application/json"}}, data))
    assert status < 500, (address, answer)
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What puts together the files of a device, in a folder of the test, without libraries."""
    made = bundle_module()
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    for name in made.FILES:
        (pyodide / name).write_text(f"{name} 1", "utf-8")
    (pyodide / "pyodide-lock.json").write_text('{"info": {"abi_version": "1", "python": "3.14"}}', "utf-8")
    monkeypatch.setattr(made, "PYODIDE", pyodide)
    monkeypatch.setattr(made, "TARGET", tmp_path / "device")
    monkeypatch.setattr(made, "downloaded", lambda *given: True)
    (pyodide / "package.json").write_text("{}", "utf-8")
    (tmp_path / "one.py").write_text("1", "utf-8")
    monkeypatch.setattr(made, "own", lambda: iter([("quepu/one.py", tmp_path / "one.py")]))
    return made


def test_another_pyodide_has_another_address(bundle: ModuleType) -> None:
    """Browsers keep what is under /device/ for good, so nothing there may change but bundle.json."""

    def files() -> dict[str, int]:
        assert bundle.main() == 0
        found: dict[str, int] = json.loads((bundle.TARGET / "bundle.json").read_text("utf-8"))["files"]
        assert all((bundle.TARGET / name).stat().st_size == size for name, size in found.items())
        return found

    first = files()
    assert files() == first
    (bundle.PYODIDE / "pyodide.asm.wasm").write_text("pyodide.asm.wasm 2", "utf-8")
    second = files()
    assert {name for name in first if "pyodide" in name or "stdlib" in name}.isdisjoint(second)
    assert len(first) == len(second) == len(bundle.FILES) + 2


def test_only_what_changed_is_put_together_again(bundle: ModuleType, tmp_path: Path, monkeypatch: Any) -> None:
    def made(source: str, seconds: int) -> dict[str, int]:
        """The files after the source was written so long after the bundle."""
        (tmp_path / "one.py").write_text(source, "utf-8")
        described = bundle.TARGET / "bundle.json"
        if described.is_file():
            then = described.stat().st_mtime_ns + seconds * 10**9
            os.utime(tmp_path / "one.py", ns=(then, then))
        assert bundle.main(changed=True) == 0
        found: dict[str, int] = json.loads(described.read_text("utf-8"))["files"]
        assert {path.relative_to(bundle.TARGET).as_posix() for path in bundle.files()} == {*found, "bundle.json"}
        return found

    first = made("1", 0)
    monkeypatch.setattr(bundle, "downloaded", lambda *given: pytest.fail("nothing of others changed"))
    assert made("2", -10) == first, "as old as it is, it is in the bundle"
    second = made("2", 10)
    assert len(first.keys() & second.keys()) == len(first) - 1
    assert [name for name in second.keys() - first.keys() if name.startswith("quepu-")]
