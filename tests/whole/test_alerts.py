"""Alert rules and the dashboard read what a server really exposes; each alert fires, and none at a healthy server."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.server.store.database import FILE
from tests.server.serving import Server, unlimited

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = dict(re.findall(r"- alert: (\w+)\n\s+expr: (.+)", (DEPLOY / "alerts.yml").read_text()))
"""The expression of each alert."""
PROMTOOL = os.environ.get("PROMTOOL") or shutil.which("promtool")
TOKEN = "a long token for metrics"
SERIES = re.compile(r"\b((?:quepu|process)_[a-z_]+)\b")
OF_SCRAPES = {"up"}
"""Series that Prometheus makes by itself."""
FIRES: dict[str, list[tuple[str, str]]] = {
    "QuepuDown": [('up{job="quepu"}', "0x30")],
    "QuepuStoreDown": [("quepu_store_up", "0x30")],
    "QuepuStoreUnsynced": [("quepu_store_unsynced", "1x30")],
    "QuepuStoreFailing": [("quepu_store_failures_total", "0+2x30")],
    "QuepuActionsSlow": [
        ('quepu_action_seconds_bucket{by="person",le="0.1"}', "0+98x30"),
        ('quepu_action_seconds_bucket{by="person",le="0.15"}', "0+100x30"),
        ('quepu_action_seconds_bucket{by="person",le="+Inf"}', "0+100x30"),
    ],
    "QuepuLoopBusy": [
        ('quepu_loop_late_seconds_bucket{le="0.05"}', "0+98x30"),
        ('quepu_loop_late_seconds_bucket{le="0.075"}', "0+100x30"),
        ('quepu_loop_late_seconds_bucket{le="+Inf"}', "0+100x30"),
    ],
    "QuepuLogNotCheckpointed": [('quepu_store_bytes{file="log"}', "536870913x30")],
    "QuepuServerErrors": [('quepu_requests_total{status="503"}', "0+2x30")],
    "QuepuRoomsBroken": [("quepu_rooms_broken", "1x30")],
    "QuepuRoomsLost": [("quepu_rooms_lost_total", "0x25 1x5")],
    "QuepuQueueStuck": [('quepu_waiting{queue="work"}', "1x30")],
    "QuepuBotsFailing": [("quepu_bot_failures_total", "0+1x30")],
    "QuepuDescriptors": [("process_open_fds", "81x30"), ("process_max_fds", "100x30")],
}
"""What makes each alert fire, and nothing less would: half an hour of its series, a value a minute."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path, metrics_token=TOKEN)), raise_server_exceptions=False) as made:
        yield made


def samples_in(text: str) -> list[Any]:
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def scraped(client: TestClient) -> list[Any]:
    return samples_in(client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).text)


def names_in(expressions: list[str]) -> set[str]:
    return {name for text in expressions for name in SERIES.findall(text)}


def test_the_rules_and_the_dashboard_name_series_that_a_server_exposes(client: TestClient) -> None:
    client.get("/api/books")
    exposed = {sample.name for sample in scraped(client)} | OF_SCRAPES
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text())
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(shown) > 20 and len(RULES) > 10
    without = {"quepu_connections_open"}  # only a server that listens counts them
    assert names_in(shown) - exposed <= without
    assert names_in(list(RULES.values())) <= exposed


def test_every_alert_is_tried() -> None:
    assert set(FIRES) == set(RULES)


def fired(tmp_path: Path, series: list[tuple[str, str]], expected: set[str]) -> None:
    """Let Prometheus' own evaluator say which alerts fire after 25 minutes."""
    tests = {
        "rule_files": [str(DEPLOY / "alerts.yml")],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": name, "values": values} for name, values in series],
                "promql_expr_test": [
                    {
                        "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}}) or vector(0)',
                        "eval_time": "26m",
                        "exp_samples": [{"labels": "{}", "value": int(alert in expected)}],
                    }
                    for alert in RULES
                ],
            }
        ],
    }
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps(tests))  # JSON is YAML
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool (PROMTOOL names it)")
@pytest.mark.parametrize("alert", RULES)
def test_an_alert_fires_alone(tmp_path: Path, alert: str) -> None:
    fired(tmp_path, FIRES[alert], {alert})


def as_series(samples: list[Any]) -> list[tuple[str, str]]:
    """What was scraped, as if it had stayed so for half an hour."""
    found = []
    for sample in samples:
        labels = ",".join(f"{name}={json.dumps(value)}" for name, value in sorted(sample.labels.items()))
        value = int(sample.value) if float(sample.value).is_integer() else sample.value
        found.append((f"{sample.name}{{{labels}}}", f"{value}x30"))
    return found


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool (PROMTOOL names it)")
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Linux only")
def test_a_healthy_server_fires_nothing_and_one_with_a_full_disk_the_alert_about_its_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a real process exposes, in both states."""
    monkeypatch.setenv("QUEPU_SERVE_METRICS_TOKEN", TOKEN)
    server = Server(tmp_path / "data")

    def exposed() -> list[Any]:
        request = urllib.request.Request(f"{server.address}metrics", headers={"authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return samples_in(answer.read().decode())

    try:
        table = {"rules": "lingque-29", "names": ["林", "周", "何", "许"], "who": "somebody-1234"}
        server.fetch("api/tables", table)
        fired(tmp_path, as_series(exposed()), set())
        log = tmp_path / "data" / f"{FILE}-wal"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, -1))
        with pytest.raises(urllib.error.HTTPError, match="503"):
            server.fetch("api/tables", table)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, -1))  # not even a look for readiness has room
        until = time.monotonic() + 30
        while (now := exposed()) and time.monotonic() < until:  # the store is looked at once a second
            if any(one.name == "quepu_store_up" and not one.value for one in now):
                break
            time.sleep(0.1)
        fired(tmp_path, as_series(now), {"QuepuStoreDown"})
    finally:
        server.kill()
