"""Whatever a client sends that the OpenAPI document allows, or does not: no 5xx, no hang, a sentence with every 4xx."""

import tempfile
from pathlib import Path

import pytest

from quepu.server.app import Settings, create_app

schemathesis = pytest.importorskip("schemathesis")
hypothesis = pytest.importorskip("hypothesis")


FOLDER = tempfile.TemporaryDirectory(prefix="quepu-openapi-")  # schemathesis wants the application when it collects
schema = schemathesis.openapi.from_asgi(
    "/api/openapi.json", create_app(Settings(data=Path(FOLDER.name), rate=1e9, burst=10**9))
)


@schema.parametrize()
@hypothesis.settings(
    max_examples=6, deadline=20_000, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_no_request_breaks_the_server(case):
    answer = case.call()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        refused = answer.json()
        assert refused["valid"] is False
        assert refused["error"]
