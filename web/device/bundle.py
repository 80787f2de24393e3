"""Puts together what answers in the browser itself: Pyodide, the libraries of the routes, and quepu's own modules.

`python web/device/bundle.py` after `npm ci` in web/; writes src/quepu/server/static/device/. With `--changed` only what
is older than what it is made of, so that after a change of quepu alone nothing is downloaded. The names of the two
archives, of libraries that are WebAssembly, and of Pyodide's folder carry a digest of what is in them, so that browsers
and the service worker may keep them for good.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TARGET = ROOT / "src" / "quepu" / "server" / "static" / "device"
PYODIDE = HERE.parent / "node_modules" / "pyodide"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
UNUSED = ("pydantic/v1/", "pydantic/mypy.py", "anyio/pytest_plugin.py", "fastapi/testclient.py")
UNNEEDED = (
    "arena/", "batch.py", "cli/", "data/classes/", "data/gains/", "fast/arrays/", "fast/compiled/", "fast/weighing/",
    "lab/", "rl/", "server/static/", "server/store/migrations/",
)  # fmt: skip
STAMP = (1980, 1, 1, 0, 0, 0)


def main(*, changed: bool = False) -> int:
    """Write the folder, or only what changed; 1 where the libraries cannot be had."""
    if changed and not newer((Path(__file__), HERE / "requirements.txt", PYODIDE / "package.json")):
        if newer(path for _, path in own()) or set(packed()) != {name for name, _ in own()}:
            replace_own()
        return 0
    abi = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder)
        if not downloaded(wheels, abi["abi_version"], abi["python"]):
            return 1
        parts = dict(unpacked(wheels))
    extensions = {name: parts.pop(name) for name in sorted(parts) if name.endswith(".so")}
    libraries = archive(iter(parts.items()))
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    names = {
        "pyodide": copied(),
        "libraries": written("libraries", libraries),
        "quepu": written("quepu", archive(read(own()))),
        "extensions": {name: written("extension", content, "wasm") for name, content in extensions.items()},
    }
    describe(names)
    return 0


def newer(paths: Iterable[Path]) -> bool:
    """Whether one of these files is newer than what was written, or nothing was."""
    description = TARGET / "bundle.json"
    return not description.is_file() or any(path.stat().st_mtime > description.stat().st_mtime for path in paths)


def packed() -> list[str]:
    """The names in quepu's archive."""
    with zipfile.ZipFile(TARGET / json.loads((TARGET / "bundle.json").read_text("utf-8"))["quepu"]) as opened:
        return opened.namelist()


def replace_own() -> None:
    """Write quepu's archive anew, and no other."""
    names = json.loads((TARGET / "bundle.json").read_text("utf-8"))
    (TARGET / names["quepu"]).unlink()
    describe({**names, "quepu": written("quepu", archive(read(own())))})


def describe(names: dict[str, Any]) -> None:
    """Write what there is: the names of the parts, and the size of every file."""
    description = TARGET / "bundle.json"
    sizes = {path.relative_to(TARGET).as_posix(): path.stat().st_size for path in files() if path != description}
    description.write_text(json.dumps({**names, "files": sizes}), "utf-8")


def downloaded(folder: Path, abi: str, python: str) -> bool:
    """Whether every wheel came from the package index."""
    digits = "".join(python.split(".")[:2])
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--only-binary=:all:", "--platform", f"pyemscripten_{abi}_wasm32", "--python-version", digits,
        "--implementation", "cp", "--abi", f"cp{digits}", "--abi", "none",
        "--dest", str(folder), "--requirement", str(HERE / "requirements.txt"),
    ]  # fmt: skip
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603  # our own words only


def unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the wheels."""
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                if not name.endswith("/") and not name.startswith(UNUSED):
                    yield name, opened.read(name)


def own() -> Iterator[tuple[str, Path]]:
    """Quepu's modules and data, without what only a server or a terminal uses."""
    source = ROOT / "src" / "quepu"
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and not name.startswith(UNNEEDED):
            yield f"quepu/{name}", path
    yield from packages()


def packages() -> Iterator[tuple[str, Path]]:
    """Rulebooks of packages that are installed here, with what tells that they are: they are in the browser as well."""
    for point in sorted(entry_points(group="quepu.rulebooks")):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        if spec is None or point.dist is None:
            continue
        folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
        site = Path(str(point.dist.locate_file("")))
        folders += site.glob(f"{point.dist.name.replace('-', '_')}-*.dist-info")
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path.relative_to(folder.parent).as_posix(), path


def read(paths: Iterable[tuple[str, Path]]) -> Iterator[tuple[str, bytes]]:
    """Each file with what is in it."""
    return ((name, path.read_bytes()) for name, path in paths)


def archive(files: Iterator[tuple[str, bytes]]) -> bytes:
    """A zip whose bytes depend on the files alone."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened:
        for name, content in files:
            opened.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def copied() -> str:
    """The folder, with a slash, into which Pyodide was copied; its files know each other by their own names."""
    digest = hashlib.sha256()
    for name in FILES:
        digest.update(hashlib.sha256((PYODIDE / name).read_bytes()).digest())
    folder = f"pyodide-{digest.hexdigest()[:12]}"
    (TARGET / folder).mkdir()
    for name in FILES:
        shutil.copyfile(PYODIDE / name, TARGET / folder / name)
    return f"{folder}/"


def files() -> list[Path]:
    """Everything that was written."""
    return sorted(path for path in TARGET.rglob("*") if path.is_file())


def written(name: str, content: bytes, suffix: str = "zip") -> str:
    """The name under which this archive or library was written."""
    full = f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"
    (TARGET / full).write_bytes(content)
    return full


if __name__ == "__main__":
    sys.exit(main(changed="--changed" in sys.argv[1:]))
