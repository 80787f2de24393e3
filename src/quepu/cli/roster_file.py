"""The file of a roster: read whole or refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from quepu.errors import HandError, cannot_read

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
