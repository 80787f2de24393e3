"""Score is kept in a terminal without the web server's libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_WEB = {"fastapi", "starlette", "uvicorn", "sqlalchemy", "aiosqlite", "websockets", "argon2"}
_PROGRAM = """
import io, json, sys
from quepu.cli import main
sys.stdin = io.StringIO({typed!r})
sys.argv = ["quepu", "match", {path!r}]
try:
    code = main()
except SystemExit as end:
    code = end.code
print()
print(json.dumps([code, sorted(sys.modules)]))
"""


def test_an_evening_in_the_terminal_loads_no_web_framework(tmp_path: Path) -> None:
    typed = "和 甲 乙 2344567s234m234p+4s\n罚 丁 错和\n自摸 丙 30 供 乙4\n局\n放弃\n"
    program = _PROGRAM.format(typed=typed, path=str(tmp_path / "m.json"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0
    assert len(json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["records"]) == 3
    loaded = {name.partition(".")[0] for name in modules} & _WEB
    assert not loaded
    assert not [name for name in modules if name.startswith("quepu.server")]
