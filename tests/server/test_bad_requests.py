"""Oversized, malformed and concurrent requests over a real socket: a sentence for each, and the rest go on."""

import http.client
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
import uvicorn

import quepu
from quepu.cli import run
from quepu.server.app import create_app
from tests.server.serving import unlimited

HAND = {"rules": "guobiao", "hand": "123m456p789s(EEE)C+C"}
JSON = {"content-type": "application/json"}
WHO = "somebody-1234"


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    settings = unlimited(tmp_path_factory.mktemp("data"), body=20_000)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="critical", access_log=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)


def answer_to(port, method, path, body=None, headers=JSON):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def chunks():
    for _ in range(64):
        yield b"1" * 1000


BAD = {
    "too large": ("POST", "/api/score", b"1" * 30_000, JSON, 413),
    "too large, in chunks of no told length": ("POST", "/api/score", chunks, JSON, 413),
    "a length that is none": ("POST", "/api/score", b"{}", {**JSON, "content-length": "2", "x-y": "z" * 4000}, 422),
    "broken off": ("POST", "/api/score", b'{"hand": "12', JSON, 422),
    "no UTF-8": ("POST", "/api/score", b'{"hand": "\xff\xfe"}', JSON, 400),
    "nested a thousand deep": ("POST", "/api/score", b"[" * 5000 + b"]" * 5000, JSON, (400, 422)),
    "not a number": ("POST", "/api/practice/question", b'{"rules": "guobiao", "seed": NaN}', JSON, 422),
    "a number without end": ("POST", "/api/practice/question", b'{"rules": "guobiao", "seed": 1e999}', JSON, 422),
    "another type": ("POST", "/api/score", b"hand=1", {"content-type": "text/plain"}, 422),
    "no type": ("POST", "/api/pay", json.dumps(HAND).encode(), {}, (400, 422)),
    "another method": ("PATCH", "/api/score", b"{}", JSON, 405),
    "no such thing": ("GET", "/api/tables/%00%ff", None, {}, 404),
    "a zero in an address": ("GET", "/api/books/guo%00biao", None, {}, (400, 404)),
    "a query that is none": ("GET", "/api/tables?who=" + "x" * 3000, None, {}, 422),
}


@pytest.mark.parametrize("what", BAD)
def test_whatever_is_wrong_gets_a_sentence(port, what):
    method, path, body, headers, wanted = BAD[what]
    status, text = answer_to(port, method, path, body() if callable(body) else body, headers)
    assert status in (wanted if isinstance(wanted, tuple) else (wanted,)), text
    refused = json.loads(text)
    assert refused["valid"] is False
    assert refused["error"].rstrip()
    assert "Traceback" not in refused["error"]
    assert str(status) not in refused["error"]  # a reason, not a number


def test_no_file_of_the_server_is_read_as_a_rulebook(port, tmp_path):
    """A name that comes from outside is the name of a book, even where a file of house rules has it."""
    path = tmp_path / "own.toml"
    path.write_text("base = 'canton'\nminimum = 3\n", encoding="utf-8")
    quoted = quote(str(path), safe="")
    hand = {"rules": str(path), "hand": HAND["hand"]}
    reply = {"rules": str(path), "kind": "fans", "level": 1, "seed": 7, "fans": [], "seconds": 1}
    for method, address, body in (
        ("GET", f"/api/books/{quoted}", None),
        ("GET", f"/api/books/{quoted}/rules", None),
        ("GET", f"/api/diff?old=canton&new={quoted}", None),
        ("GET", f"/api/diff?old={quoted}&new=canton", None),
        ("GET", f"/api/workshop/words?rules={quoted}", None),
        ("GET", f"/api/practice/history?rules={quoted}", None),
        ("POST", "/api/practice/question", {"rules": str(path), "kind": "fans", "level": 1}),
        ("POST", "/api/practice/answer", reply),
        ("POST", "/api/score", hand),
        ("POST", "/api/waits", hand),
        ("POST", "/api/pay", hand),
        ("POST", "/api/rooms", {"rules": str(path), "name": "我"}),
        ("POST", "/api/tables", {"who": WHO, "rules": str(path), "names": list("甲乙丙丁")}),
    ):
        status, text = answer_to(port, method, address, body and json.dumps(body), {**JSON, "x-who": WHO})
        assert status in (400, 404), (address, status, text[:200])
        assert "没有规则" in json.loads(text)["error"] or "/books/" in address, (address, text)


def test_what_is_no_http_at_all_disturbs_nobody(port):
    for line in (
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/score HTTP/1.1\r\nContent-Length: 99\r\n\r\n{",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            plain.sendall(line)
            plain.shutdown(socket.SHUT_WR)
            while plain.recv(4096):
                pass
    assert answer_to(port, "POST", "/api/score", json.dumps(HAND))[0] == 200


def test_many_at_once_get_each_their_own_answer(port):
    """Right and wrong requests mixed; writers of one table are told who was first."""
    expected = json.dumps(quepu.score(HAND["hand"], HAND["rules"]).to_json(), ensure_ascii=False).encode()
    table = json.loads(
        answer_to(port, "POST", "/api/tables", json.dumps({"who": WHO, "rules": "guobiao", "names": list("甲乙丙丁")}))[
            1
        ]
    )["id"]
    change = json.dumps({"seen": 1, "do": "add", "record": {"kind": "hand"}})

    def one(n):
        if n % 3 == 0:
            return answer_to(port, "POST", f"/api/tables/{table}", change)
        if n % 3 == 1:
            return answer_to(port, "POST", "/api/score", json.dumps(HAND))
        method, path, body, headers, _ = list(BAD.values())[n % len(BAD)]
        return answer_to(port, method, path, body() if callable(body) else body, headers)

    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(one, range(120)))
    assert sorted(status for status, _ in answers[::3]) == [200] + [409] * 39
    assert all(answer == (200, expected) for answer in answers[1::3])
    assert all(400 <= status < 500 and json.loads(text)["error"] for status, text in answers[2::3])
    assert len(json.loads(answer_to(port, "GET", f"/api/tables/{table}")[1])["rows"]) == 1


def test_an_exported_table_opens_at_the_command_line(port, tmp_path, capsys):
    body = {"who": WHO, "rules": "lingque-29", "names": ["林", "周", "何", "许"]}
    view = json.loads(answer_to(port, "POST", "/api/tables", json.dumps(body))[1])
    for record in (
        {"kind": "hand", "winner": 0, "points": 48, "discarder": 1},
        {"kind": "penalty", "player": 2, "fault": "错和"},
        {"kind": "hand", "winner": 3, "points": 30, "self_draw": True, "supplied": [0, 0, 4, 0]},
    ):
        change = json.dumps({"seen": view["length"], "do": "add", "record": record})
        view = json.loads(answer_to(port, "POST", f"/api/tables/{view['id']}", change)[1])
    path = tmp_path / "evening.json"
    path.write_bytes(answer_to(port, "GET", f"/api/tables/{view['id']}/export")[1])
    assert run(["match", str(path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [line["total"] for line in sorted(printed["standings"], key=lambda line: line["player"])] == view["totals"]
