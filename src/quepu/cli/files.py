"""Files that tables, drawings and pages are written to."""

from __future__ import annotations

import errno
import os
import sys

from quepu.cli.screen import note
from quepu.cli.texts import say
from quepu.errors import HandError, cannot_write


def writable(*paths: str) -> None:
    """Refuse a file that cannot be written before the work is done; an empty name is none, "-" standard output.

    Raises:
        HandError: the folder is missing, or the file is one that may not be written.
    """
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
