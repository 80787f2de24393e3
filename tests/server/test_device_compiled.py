"""What a device compiled once it need not compile again."""

from __future__ import annotations

import asyncio
import importlib
import sys
import zipfile
from pathlib import Path

import pytest

from quepu.server.device import compiled

MODULES = ("of_the_library", "unpacked", "unpacked.part")


def write(folder: Path, value: str) -> None:
    (folder / "unpacked").mkdir(exist_ok=True)
    (folder / "unpacked" / "__init__.py").write_text(f"value = {value}\n", "utf-8")
    (folder / "unpacked" / "part.py").write_text(f"value = {value} + 1\n", "utf-8")


def imported() -> list[int]:
    for name in MODULES:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return [importlib.import_module(name).value for name in MODULES]


def test_the_next_start_takes_what_was_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    first, second, third = (str(tmp_path / f"{name}.zip") for name in ("first", "second", "third"))
    with zipfile.ZipFile(first, "w") as opened:
        opened.writestr("of_the_library.py", "value = 7\n")
    write(tmp_path, "1")
    monkeypatch.setattr(sys, "path", [first, str(tmp_path), *sys.path])
    compiled.use(first)
    assert imported() == [7, 1, 2]
    monkeypatch.setattr(sys, "modules", {name: sys.modules[name] for name in ("sys", *MODULES)})
    assert asyncio.run(compiled.pack(first, second))
    with zipfile.ZipFile(second) as opened:
        assert set(opened.namelist()) == {
            "of_the_library.py", "of_the_library.pyc", "compiled/unpacked", "compiled/unpacked.part",
        }  # fmt: skip

    write(tmp_path, "'the source was read'")
    sys.path[0] = second
    compiled.use(second)
    assert imported() == [7, 1, 2]
    assert Path(str(sys.modules["unpacked"].__file__)).read_text("utf-8").startswith("value")  # data files stay found
    assert not asyncio.run(compiled.pack(second, third))
    assert not Path(third).exists()
