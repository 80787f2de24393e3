"""One hand through a table's socket, the REST API and the command line: the same itemisation, byte for byte.

What the page shows is what the API says; `tests/browser/test_pages.py` looks at that.
"""

import json

import pytest
from starlette.testclient import TestClient

from quepu.cli import run
from quepu.server.app import create_app
from quepu.server.store.logs import Logs
from tests.server.serving import unlimited
from tests.server.winning import TABLE, first_win, score_request


class Socket:
    """A socket of the test client, spoken to as `websockets` is."""

    def __init__(self, socket):
        self.send, self.recv = socket.send_text, socket.receive_text


def by_command(request, capsys, lang):
    options = ["-r", request["rules"], "-s", request["seat"], "-R", request["round"], "--lang", lang]
    options += ["-z"] * request["self_draw"] + [part for name in request["circumstances"] for part in ("-w", name)]
    if request["flowers"]:
        options += ["-f", "".join(request["flowers"])]
    assert run(["score", request["hand"], *options, "--json", "--explain"]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


@pytest.mark.parametrize(
    "rules",
    ["lingque-29", *(pytest.param(rules, marks=pytest.mark.long) for rules in ("yuque-54", "guobiao", "canton"))],
)
def test_the_table_says_what_the_api_and_the_command_line_say(rules, client, capsys):
    me = client.post("/api/rooms", json={**TABLE, "rules": rules}).json()
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        frame = first_win(Socket(socket), me["token"])
    _, entries = client.portal.call(Logs(client.app.state.database).read, me["room"])
    request = score_request([entry.body["line"] for entry in entries if "line" in entry.body])
    for lang in ("zh", "en"):
        shown = json.loads(frame)["over"]["score"][lang]
        same = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        assert same in frame  # nothing was lost on the way through Python
        answer = client.post(f"/api/score?explain=true&lang={lang}", json=request).text
        assert answer == json.dumps(shown, ensure_ascii=False)
        assert by_command(request, capsys, lang) == json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
