"""Changes the program a little, many times, and says which changes no test notices.

    python .ci/mutants rows [BOOK…] [--only rows|table|figures]
    python .ci/mutants code [AREA…] [--sample N] [--seed S] [--only PART-OF-PATH] [--most SECONDS] [--again]
    python .ci/mutants list | all

`rows` changes the values, relations, limits and payments of rulebooks, `code` operators and numbers inside functions.
Survivors that change nothing are in equivalent.toml with the reason. See docs/decisions/mutation.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import code_mutants
from areas import AREAS

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def equivalents() -> set[tuple[str, str, str]]:
    """Return the listed equivalents: file, line before, line after."""
    listed: list[dict[str, Any]] = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("code", [])
    return {(one["file"], one["was"], new) for one in listed for new in one["becomes"]}


def report(area: str, lines: list[dict[str, Any]]) -> int:
    """Print survivors and a row of the table; return how many survive."""
    same = equivalents()
    alive = [one for one in lines if one["status"] == "survived"]
    equal = [one for one in alive if (one["file"], one["was"], one["becomes"]) in same]
    left = [one for one in alive if one not in equal]
    for one in left:
        print(f"{one['file']}:{one['line']} {one['function']} ({one['by']})\n  - {one['was']}\n  + {one['becomes']}")
    tried = [one for one in lines if one["status"] in ("killed", "survived")]
    killed = len(tried) - len(alive)
    share = 100 * killed / max(1, len(tried) - len(equal))
    print(f"| {area} | {len(tried)} | {killed} | {len(equal)} | {len(left)} | {share:.1f} % |")
    return len(left)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rows", "code", "list", "all"))
    parser.add_argument("names", nargs="*", help="areas (code) or ids of books (rows); all if none is named")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each area; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="part of the path of a module (code) or of a kind of mutants (rows)")
    parser.add_argument("--most", type=float, default=0, help="seconds of tests for each mutant; 0: all that call it")
    parser.add_argument(
        "--again", action="store_true", help="go on with the last run of the area, and try again what it did not kill"
    )
    given = parser.parse_args()
    if given.what == "list":
        for name, area in AREAS.items():
            print(f"{name}: {' '.join(area.modules)} by {' '.join(area.tests)}")
        return
    if given.what == "all":
        raise SystemExit(max(_run("rows"), _run("code", f"--sample={given.sample}", f"--seed={given.seed}")))
    if given.what == "rows":
        import row_mutants

        raise SystemExit(1 if row_mutants.run(given.names, given.only) else 0)
    if unknown := [name for name in given.names if name not in AREAS]:
        parser.error(f"unknown area {unknown[0]}; there are: {', '.join(AREAS)}")
    names = given.names or list(AREAS)
    if len(names) > 1:  # each in a process of its own, whose imports are its own
        options = [f"--{key}={getattr(given, key)}" for key in ("sample", "seed", "only", "most")]
        options += ["--again"] if given.again else []
        raise SystemExit(max(_run("code", name, *options) for name in names))
    lines = code_mutants.run(names[0], AREAS[names[0]], given.sample, given.seed, given.only, given.most, given.again)
    raise SystemExit(1 if report(names[0], lines) else 0)


def _run(*arguments: str) -> int:
    return subprocess.run([sys.executable, str(Path(__file__).parent), *arguments], check=False).returncode


if __name__ == "__main__":
    main()
