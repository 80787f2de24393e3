"""Files saved by the terminal's scorekeeper, a table or a roster: read completely or refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from quepu.errors import HandError, cannot_read

if TYPE_CHECKING:
    from quepu.scorekeeper.records import TableFile
    from quepu.scorekeeper.roster import RosterFile


def text_of(path: Path) -> str:
    """Return the text in a file.

    Raises:
        Error: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except UnicodeDecodeError as wrong:
        raise HandError(f"{path} 不是文本文件。", f"{path} is not a text file.") from wrong


def table_in(text: str, path: Path) -> TableFile:
    """Return the table in the text of a file.

    Raises:
        Error: it is not a score file.
    """
    from pydantic import ValidationError

    from quepu.scorekeeper.records import TableFile

    try:
        return TableFile.model_validate_json(text)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise HandError(
            f"{path.name} 不是记分文件：{where or 'JSON'} 有误。",
            f"{path.name} is not a score file: {where or 'JSON'} is invalid.",
        ) from wrong


def read_roster(path: Path) -> RosterFile:
    """Return the roster in a file.

    Raises:
        Error: it cannot be read, or is not a roster.
    """
    from pydantic import ValidationError

    from quepu.scorekeeper.roster import RosterFile

    try:
        return RosterFile.model_validate_json(path.read_bytes())
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except ValidationError as wrong:
        raise HandError(f"{path.name} 不是名册文件。", f"{path.name} is not a roster.") from wrong
