"""Check or write `src/quepu/data/manifest.json`, the list of generated tables: `python .ci/manifest.py [--write]`.

For each file: its size, the beginning of its SHA-256, and the command that makes it. `--write` after making one again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "src" / "quepu" / "data"
MANIFEST = DATA / "manifest.json"
MOST = 7_000_000
"""Bytes that the tables may take together."""
COMMANDS = {
    "gains/*": "python -m quepu.fast.nearest.ship",
    "classes/*": "python -m quepu.fast.universe.classed_cache",
    "conformance/*": "python -m quepu.conformance.generate",
    "agreement.json": "python -m quepu.conformance.generate",
    "distance.bin": "python -m quepu.lab.distance_tables",
    "rarity-*": "quepu lab rarity BOOK --publish",
    "usual.json": "python -m quepu.arena.usual",
    "seats-*": "quepu lab seats BOOK --resume FILE",
    "wins-*-people.json": "quepu simulate -r BOOK -b people,people,people,people --seed 1 --json",
    "wins-*": "quepu simulate -r BOOK -b gain,gain,gain,gain -n 1500 --seed 1 --json",
    "belief.json": "python .ci/fit_belief.py --hands 800 --write",
    "chances.json": "python .ci/fit_chances.py FOLDER --write",
    "calibration.json": "python .ci/fit_chances.py FOLDER --curve",
    "confidence.json": "python .ci/measure_verdicts.py FOLDER --write",
    "script.txt": "python .ci/script_table.py",
}
WRITTEN = ("lab.css", "manifest.json", "new_book/*", "people_wins.json", "platform_wins.json")
"""Files there that are written by hand: a style sheet, the package of a new book, and figures that others published."""


def entries() -> dict[str, Any]:
    """Return size, digest and command of every generated file."""
    found = {}
    for path in sorted(DATA.rglob("*")):
        name = path.relative_to(DATA).as_posix()
        if path.is_file() and not any(fnmatch(name, pattern) for pattern in WRITTEN):
            command = next((made for pattern, made in COMMANDS.items() if fnmatch(name, pattern)), None)
            if command is None:
                raise SystemExit(f"{name}: no command of .ci/manifest.py makes it; add one to COMMANDS")
            data = path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()[:16]
            found[name] = {"bytes": len(data), "sha256": digest, "command": command}
    return found


def text(found: dict[str, Any]) -> str:
    """Return the manifest, a line for each file."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in found.items())
    return f"{{\n{lines}\n}}\n"


def differing(found: dict[str, Any]) -> list[str]:
    """Return the files that are not as the manifest says."""
    stored = json.loads(MANIFEST.read_text("utf-8"))
    return sorted(name for name in found.keys() | stored.keys() if found.get(name) != stored.get(name))


def main(given: list[str]) -> int:
    """Write the manifest, or say what differs from it; return the exit status."""
    found = entries()
    if given == ["--write"]:
        MANIFEST.write_text(text(found), "utf-8")
    names = differing(found)
    for name in names:
        print(f"{name} is not as the manifest says: python .ci/manifest.py --write", file=sys.stderr)
    return int(bool(names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
