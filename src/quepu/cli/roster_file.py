"""The file of a roster: read whole or refused, written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from quepu.errors import HandError, cannot_read, cannot_write

if TYPE_CHECKING:
    from quepu.scorekeeper.roster import RosterFile


def read(path: Path) -> RosterFile:
    """The roster in a file.

    Raises:
        Error: it cannot be read, or is no roster.
    """
    from pydantic import ValidationError

    from quepu.scorekeeper.roster import RosterFile

    try:
        return RosterFile.model_validate_json(path.read_bytes())
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except ValidationError as wrong:
        raise HandError(f"{path.name} 不是名册文件。", f"{path.name} is no roster.") from wrong


def write(path: Path, file: RosterFile) -> None:
    """Write the file anew.

    Raises:
        Error: it cannot be written; what was there before stays.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(json.dumps(file.model_dump(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as wrong:
        raise cannot_write(path, wrong) from wrong
