"""Files that tables, drawings and pages are written to."""

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
    """Refuse a file that cannot be written before the work is done; an empty name is none, "-" standard output.

    With `json` standard output is for one JSON document.

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


def already_more(stored: int, wanted: int) -> None:
    """Say so where a record had more hands or walls than are wanted: all of them are shown."""
    if stored > wanted:
        note(say("already_more", stored=stored, wanted=wanted))


def ending(path: str, *allowed: str) -> str:
    """The ending of a file's name, in small letters; standard output has the first of those allowed.

    Raises:
        HandError: the name ends otherwise.
    """
    end = allowed[0] if path == "-" else Path(path).suffix.lower()
    if end not in allowed:
        raise HandError(
            f"{path}：文件名应以 {' 或 '.join(allowed)} 结尾。",
            f"{path}: the file name must end in {' or '.join(allowed)}.",
        )
    return end


def write(text: str, path: str) -> None:
    """Write a file, or standard output for "-".

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
    """Write the JSON of a model in the place of a file, whole or not at all; the text that was written.

    Raises:
        HandError: it cannot be written; what was there before stays.
    """
    path = path.resolve()  # a link stays one
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
    """Be the only one of those who ask for it that reads and writes a file; the others wait.

    The system frees what a killed program held. Where it has no locks, or the folder cannot be written, nobody waits.
    """
    path = path.resolve()  # a link and its file are one
    lock = path.with_name(f".{path.name}.lock")
    held = None
    with suppress(OSError):
        held = _locked(lock)
    try:
        yield
    finally:
        if held is not None:
            _free(held, lock)


def hold(file: IO[Any], path: Path) -> None:
    """Hold an open file until it is closed, or refuse it where another program holds it. Everybody may read it.

    Raises:
        HandError: another program holds it.
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


_NO_BYTE = 1 << 30  # behind all that a log has: Windows lets nobody read a byte that is held


def _locked(lock: Path) -> BinaryIO:
    """The open file of a lock that is held now. Whoever held it before took the file away, so another may be there."""
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
    """Let the next one go on, and leave no file. Windows takes away none that is open, as while another waits."""
    if sys.platform != "win32":
        lock.unlink(missing_ok=True)
    held.close()
    if sys.platform == "win32":
        with suppress(OSError):
            lock.unlink()
