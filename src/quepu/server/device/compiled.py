"""Modules compiled on this device, for its next start: compiling them is half of what a start in a browser costs.

They stand in a copy of the archive of the standard library, from which Python starts: its own modules beside their
sources, where Python looks for them first, and those that are unpacked at each start in a folder of their own.
"""

from __future__ import annotations

import asyncio
import io
import marshal
import sys
import zipfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType, ModuleType
from zipimport import zipimporter

FOLDER = "compiled/"
_HEAD = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # PEP 552: by digest, and the source need not be looked at


def library() -> str:
    """The archive from which this Python imports its standard library."""
    return next(path for path in sys.path if path.endswith(".zip"))


def use(archive: str) -> None:
    """Import what this archive has compiled, from now on."""
    opened = zipfile.ZipFile(archive)
    if any(name.startswith(FOLDER) for name in opened.namelist()):
        sys.meta_path.insert(0, _Finder(opened))


async def pack(archive: str, target: str) -> bool:
    """Write `target`: this archive with everything compiled that has been imported; whether there was anything new.

    Others have their turn between two modules.
    """
    out = io.BytesIO(Path(archive).read_bytes())
    new = False
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as opened:
        there = set(opened.namelist())
        for name, module in list(sys.modules.items()):
            place = _place(name, module, archive)
            if place is None or place in there:
                continue
            await asyncio.sleep(0)
            code = module.__spec__.loader.get_code(name)  # type: ignore[union-attr]  # see _place
            opened.writestr(zipfile.ZipInfo(place), _HEAD + marshal.dumps(code), zipfile.ZIP_DEFLATED, 1)
            new = True
    if new:
        Path(target).write_bytes(out.getvalue())
    return new


def _place(name: str, module: ModuleType, archive: str) -> str | None:
    """Return where in the archive this module stands when it is compiled; None for one that has no source."""
    spec = getattr(module, "__spec__", None)
    if spec is None or spec.name != name or not (spec.origin or "").endswith(".py"):
        return None
    if isinstance(spec.loader, zipimporter) and spec.origin.startswith(f"{archive}/"):
        return f"{spec.origin.removeprefix(f'{archive}/')}c"
    return f"{FOLDER}{name}" if isinstance(spec.loader, SourceFileLoader) else None


class _Finder(MetaPathFinder):
    """Finds modules where they are, and their code in the archive."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module as it would be found anyway, with a loader that need not compile it."""
        place = FOLDER + fullname
        if place not in self._names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self._archive.read(place)[len(_HEAD) :])
        return spec


class _Loader(SourceFileLoader):
    """A module with its source beside it and its code at hand."""

    def __init__(self, name: str, path: str, code: bytes) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        """The code that was compiled before."""
        code: CodeType = marshal.loads(self._code)  # noqa: S302  # of this device, for this very bundle
        return code
