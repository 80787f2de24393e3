"""The server stores with every record what it came to, so that rules that change later change no evening of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quepu.scorekeeper import ledger
from quepu.scorekeeper.ledger import fold
from quepu.scorekeeper.records import TableFile
from quepu.server.app import create_app
from quepu.server.score_tables import working
from tests.scorekeeper.test_later_rules import EVENING, NAMES, higher
from tests.server.serving import unlimited


def test_the_server_stores_what_records_came_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(unlimited(tmp_path))) as client:
        made = client.post("/api/tables", json={"who": "somebody-1234", "rules": "lingque-29", "names": NAMES}).json()
        for record in EVENING:
            body = {"seen": made["length"], "do": "add", "record": record.model_dump()}
            answer = client.post(f"/api/tables/{made['id']}", json=body)
            assert answer.status_code == 200, answer.text
            made = answer.json()
        file = client.get(f"/api/tables/{made['id']}/export").json()
        assert "came_to" not in made["rows"][1]["record"]
        stored = client.portal.call(client.app.state.tables.read, made["id"])
    spec, records, _ = working.records_of(stored.entries)
    assert spec.revision is not None
    assert all(getattr(record, "came_to", None) is not None for record in records)
    assert TableFile.model_validate(file).records == records
    real = ledger.book_of
    monkeypatch.setattr(ledger, "book_of", lambda rules, house: higher(real(rules, house)))
    assert list(fold(spec, records).match.totals) == made["totals"]
