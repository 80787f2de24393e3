"""Install quepu with the oldest dependencies that pyproject.toml allows, or the newest, and check that it works.

    python .ci/bounds.py lowest|newest [--extras cli,server,…] [--python PYTHON] [--wheels FOLDER]

In a new environment of that Python: the wheels of dist/ (`make dist`) or of FOLDER, a score, a batch of hands, an
environment, ratings, an address and a preview as pictures, a workbook, the first page of the server. What each extra
lacks elsewhere is said by `quepu.errors.missing_extra`.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = "cli,batch,fast,server,rl,lab"
HAND = "123m456p789sCCEE+E"
CHECKS = {
    "": f"import quepu; assert quepu.score({HAND!r}, 'guobiao').points == 20; import quepu.table, quepu.match",
    "cli": f"from quepu.cli import run; assert run(['score', {HAND!r}]) == 0 and run(['books']) == 0",
    "batch": f"import quepu; assert quepu.score_many([{HAND!r}], 'guobiao').points.tolist() == [20]; "
    "from quepu.fast.nearest.gain_files import is_shipped; assert is_shipped(quepu.book('guobiao'))",
    "lab": "from quepu.cli import run; assert run(['lab', '--help']) == 0; import quepu.lab.canvas",
    "rl": "import quepu.rl; env = quepu.rl.env('guobiao'); env.reset(seed=1); env.close()",
    "server": "from quepu.figures.player_report import ratings; "
    "one, other, last = ratings([{'a': 1, 'b': 1, 'c': 0}]).values(); assert one.mean == other.mean > last.mean; "
    "from quepu.server.http.run import qr_code; assert qr_code('http://192.168.1.2:8000/').count('\\n') > 9; "
    "from quepu.server.previews.pictures import Shown, draw; assert draw(Shown('雀谱')).startswith(b'\\x89PNG'); "
    "from quepu.spreadsheets import workbook; assert workbook([['+1', 8]], 'a').startswith(b'PK')",
    "fast": f"import quepu, numba; assert quepu.score_many([{HAND!r}], 'guobiao').points.tolist() == [20]",
}
START_SECONDS, PAGE_SECONDS = 300, 60
"""Until a server says its address, which took minutes on a crowded machine, and then until it shows its page."""


def lowest(extras: list[str]) -> Iterator[str]:
    """A pin for the lower bound of everything these extras need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted, seen = list(extras), set()
    while wanted:
        extra = wanted.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for line in project["optional-dependencies"][extra]:
            name, inner, version = re.match(r"([\w-]+)(?:\[([\w,]+)\])?(?:>=([\w.]+))?", line).groups()
            if name == "quepu":
                wanted += inner.split(",")
            elif version:
                yield f"{name}=={version}"


def page(address: str) -> bool:
    """Whether a server that has said its address shows its page, within a minute."""
    until = time.perf_counter() + PAGE_SECONDS
    while time.perf_counter() < until:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if b"<title>" in answer.read():
                    return True
        except OSError:
            pass
        time.sleep(0.1)
    return False


def first_page(quepu: Path) -> float:
    """Seconds until the server answers with its page."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment["QUEPU_CACHE"] = f"{folder}/cache"
        command = [str(quepu), "serve", "--no-browser", "--port", "0", "--data", folder]
        begun = time.perf_counter()
        server = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        watch = threading.Timer(START_SECONDS, server.kill)  # ends the lines of one that never says where it is
        watch.start()
        try:
            said = ""
            for line in server.stdout or ():
                said += line
                if found := re.search(r"http://[\w.:]+", line):
                    if page(found[0]):
                        return time.perf_counter() - begun
                    break
            raise SystemExit(f"no page:\n{said}")
        finally:
            watch.cancel()
            server.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
            server.wait(30)


def main() -> None:
    """Install and check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=("lowest", "newest"))
    parser.add_argument("--extras", default=EXTRAS)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--wheels", default=str(ROOT / "dist"))
    given = parser.parse_args()
    extras = [extra for extra in given.extras.split(",") if extra]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run([given.python, "-m", "venv", str(home)], check=True)
        programs = home / ("Scripts" if sys.platform == "win32" else "bin")
        pins = home / "pins.txt"
        pins.write_text("\n".join(lowest(extras)) if given.which == "lowest" else "", encoding="utf-8")
        install = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wanted = f"quepu[{','.join(extras)}]" if extras else "quepu"
        begun = time.perf_counter()
        subprocess.run([*install, "--find-links", given.wheels, "--constraint", str(pins), wanted], check=True)
        print(f"{given.which}: {wanted} installed in {time.perf_counter() - begun:.1f} s")
        for extra in ["", *extras]:
            if extra in CHECKS:
                subprocess.run([str(programs / "python"), "-c", CHECKS[extra]], check=True, stdout=subprocess.DEVNULL)
                print(f"  {extra or 'core'}: works")
        if "server" in extras:
            print(f"  server: first page after {first_page(programs / 'quepu'):.1f} s")


if __name__ == "__main__":
    main()
