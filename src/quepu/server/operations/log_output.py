"""The log of a server on standard error: lines for people, or one JSON object per line."""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar
from typing import Any, Final, Literal

Format = Literal["text", "json"]
REQUEST: Final[ContextVar[str]] = ContextVar("quepu_request", default="")
"""The number of the request being answered."""


class _Numbered(logging.Filter):
    """Adds the request's number to every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always."""
        record.request = REQUEST.get()
        return True


class JsonLines(logging.Formatter):
    """One JSON object: time, level, logger, message; also request, extra fields (`more`), and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if number := getattr(record, "request", ""):
            line["request"] = number
        line |= getattr(record, "more", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class TextLines(logging.Formatter):
    """Time, level, message, and the request's number if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback follows on lines of its own."""
        number = getattr(record, "request", "")
        record.message = record.getMessage()
        line = f"{moment(record.created)} {record.levelname} {record.message}" + (f" [{number}]" if number else "")
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class _StandardError(logging.Handler):
    """Writes to the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            print(self.format(record), file=sys.stderr, flush=True)  # noqa: T201  # the log is what this writes
        except Exception:  # noqa: BLE001  # as of every handler: a line that cannot be written ends nothing
            self.handleError(record)


def moment(at: float) -> str:
    """Return a time in UTC to the millisecond."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03}Z"


def install(format: Format) -> None:
    """Write the log to standard error in this format. Requests get a line each in the JSON format."""
    handler = _StandardError()
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    handler.addFilter(_Numbered())
    root = logging.getLogger()
    root.handlers[:] = [*(other for other in root.handlers if not isinstance(other, _StandardError)), handler]
    logging.getLogger("quepu").setLevel(logging.INFO)
    logging.getLogger("quepu.requests").setLevel(logging.INFO if format == "json" else logging.WARNING)
