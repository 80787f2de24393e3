"""Whatever a client sends that the OpenAPI document allows, or does not: no 5xx, no hang, a sentence with every 4xx."""

import pytest

from quepu.server.app import create_app
from tests.server.serving import unlimited

PATIENCE = 600
"""Seconds for an answer. The first hint waits for imports and compiled loops in a process that is nice to others, which
beside busy loops is more than the ten seconds that schemathesis gives."""

schemathesis = pytest.importorskip("schemathesis")
hypothesis = pytest.importorskip("hypothesis")


def opened(folder):
    """The OpenAPI document of an application, as schemathesis reads it."""
    settings = unlimited(folder)
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(settings))


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The document, of which requests are made at random."""
    made = opened(tmp_path_factory.mktemp("openapi"))
    made.config.phases.coverage.enabled = False
    return made


@pytest.fixture(scope="module")
def whole_document(tmp_path_factory):
    """The document, of which requests are made at every bound, too: dozens for each operation."""
    return opened(tmp_path_factory.mktemp("openapi"))


schema = schemathesis.pytest.from_fixture("document")  # read by the one worker that needs it, not at collection
whole_schema = schemathesis.pytest.from_fixture("whole_document")


@pytest.fixture(autouse=True)
def _identity(request):
    """The attribute of a test in which schemathesis 4.32 looks for its id; pytest 9.2 has it no more."""
    if not hasattr(request.node, "_nodeid"):
        request.node._nodeid = request.node.nodeid


def examples(number):
    """So many requests of each operation, the same in every run."""
    return hypothesis.settings(
        max_examples=number, deadline=20_000, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
    )


def check(case):
    """No failure of the server, and a sentence where it refuses."""
    answer = case.call(timeout=PATIENCE)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        refused = answer.json()
        assert refused["valid"] is False
        assert refused["error"]


@pytest.mark.long
@pytest.mark.timeout(1200)  # one test for all operations
@schema.parametrize()
@examples(3)
def test_no_request_breaks_the_server(case):
    check(case)


@pytest.mark.slow
@whole_schema.parametrize()
@examples(40)
def test_none_of_many_requests_breaks_the_server(case):
    check(case)
