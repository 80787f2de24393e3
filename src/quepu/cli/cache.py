"""`quepu cache`: show the cache folder and its size, or empty it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from quepu.cli import parameters
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import say
from quepu.errors import cannot_write
from quepu.folders import cache_folder


@parameters.command(
    "cache",
    parameters.flag("--clear", help="opt.clear"),
    parameters.json(),
)
def command(clear: bool, json: bool) -> int:
    """Cache."""
    folder = cache_folder()
    sizes = {path: path.stat().st_size for path in _files(folder)}
    if clear:
        _empty(folder)
    parts: dict[str, tuple[int, int]] = {}
    for path, size in sizes.items():
        part = path.relative_to(folder).parts[0] if path.parent != folder else path.suffix.lstrip(".") or path.name
        n, total = parts.get(part, (0, 0))
        parts[part] = n + 1, total + size
    files, total = len(sizes), sum(sizes.values())
    if json:
        print_json({"path": str(folder), "files": files, "bytes": total, "cleared": clear})
        return 0
    if parts and not clear:
        grid = table([say("head.cache"), say("head.files"), say("head.size")], right=[1, 2])
        for part, (n, size) in sorted(parts.items(), key=lambda item: -item[1][1]):
            grid.add_row(part, str(n), _megabytes(size))
        show(grid, "")
    show(say("cache.cleared" if clear else "cache.holds", path=folder, files=files, size=_megabytes(total)))
    return 0


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


def _empty(folder: Path) -> None:
    """Empty the folder but keep the folder itself, whoever created it.

    Raises:
        HandError: the system refuses.
    """
    try:
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    except OSError as error:
        raise cannot_write(error.filename or folder, error) from None


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
