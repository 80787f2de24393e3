"""Write tables, drawings and pages to files."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from quepu.cli.screen import note
from quepu.cli.texts import say
from quepu.errors import HandError, cannot_write

if TYPE_CHECKING:
    from pydantic import BaseModel


def writable(*paths: str, json: bool = False) -> None:
    """Refuse an unwritable file before the work is done; an empty name means no file, "-" standard output.

    With `json`, standard output is reserved for one JSON document.

    Raises:
        HandError: the folder is missing, the file is one that may not be written, or standard output is taken.
    """
    if json and "-" in paths:
        raise HandError(
            "--json 时标准输出上只有一个 JSON 文档，表格请写到文件，不写 -。",
            "with --json, standard output carries only the JSON document: write the table to a file, not to -.",
        )
    if paths.count("-") > 1:
        raise HandError(
            "标准输出只能放一样：另一样请写到文件。",
            "standard output can take only one of them: write the other to a file.",
        )
    for path in paths:
        if not path or path == "-":
            continue
        folder = os.path.dirname(path) or "."
        if os.path.isdir(path):
            wrong = errno.EISDIR
        elif not os.path.isdir(folder):
            raise HandError(f"写不了 {path}：没有目录 {folder}。", f"cannot write {path}: there is no folder {folder}.")
        elif not os.access(path if os.path.exists(path) else folder, os.W_OK):
            wrong = errno.EACCES
        else:
            continue
        raise cannot_write(path, OSError(wrong, os.strerror(wrong)))


def report_more(stored: int, wanted: int) -> None:
    """Say that a record has more hands or walls than requested, and that all of them are shown."""
    if stored > wanted:
        note(say("already_more", stored=stored, wanted=wanted))


def ending(path: str, *allowed: str) -> str:
    """Return a file name's extension in lower case; standard output has the first one allowed.

    Raises:
        HandError: the extension is not allowed.
    """
    end = allowed[0] if path == "-" else Path(path).suffix.lower()
    if end not in allowed:
        raise HandError(
            f"{path}：文件名应以 {' 或 '.join(allowed)} 结尾。",
            f"{path}: the file name must end in {' or '.join(allowed)}.",
        )
    return end


def write(text: str, path: str) -> None:
    """Write a file, or to standard output for "-".

    Raises:
        HandError: it cannot be written.
    """
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise cannot_write(path, error) from None
    note(say("lab.written", path=path))


def write_whole(path: Path, made: BaseModel) -> str:
    """Write the JSON of a model to a file atomically; return the text written.

    Raises:
        HandError: it cannot be written; the old file stays.
    """
    path = path.resolve()  # a link stays a link
    part = path.with_name(f".{path.name}.{os.getpid()}")
    text = json.dumps(made.model_dump(), ensure_ascii=False, indent=1) + "\n"
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as wrong:
        raise cannot_write(path, wrong) from wrong
    return text


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock for reading and writing a file; others wait.

    The system frees the locks of a killed program. Without locks, or in a read-only folder, nothing waits.
    """
    path = path.resolve()  # a link and its file share a lock
    lock = path.with_name(f".{path.name}.lock")
    held = None
    with suppress(OSError):
        held = _lock(lock)
    try:
        yield
    finally:
        if held is not None:
            _free(held, lock)


def hold(file: IO[Any], path: Path) -> None:
    """Lock an open file until it is closed; refuse it if another program has locked it. Reading stays possible.

    Raises:
        HandError: another program has locked it.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            at = os.lseek(file.fileno(), _NO_BYTE, os.SEEK_SET)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            os.lseek(file.fileno(), at, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as wrong:
        if wrong.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            file.close()
            raise HandError(f"{path} 正在别的窗口里使用。", f"{path} is open in another window.") from None


_NO_BYTE = 1 << 30  # beyond the end of any log: on Windows, locked bytes cannot be read


def _lock(lock: Path) -> BinaryIO:
    """Return the open file of a lock held now. The previous holder removed the file, so a new one may exist."""
    while True:
        file = lock.open("ab")
        try:
            if sys.platform == "win32":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return file
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                    return file
        except BaseException:
            file.close()
            raise
        file.close()


def _free(held: BinaryIO, lock: Path) -> None:
    """Release the lock and remove its file. Windows does not remove files that another process has open."""
    if sys.platform != "win32":
        lock.unlink(missing_ok=True)
    held.close()
    if sys.platform == "win32":
        with suppress(OSError):
            lock.unlink()
