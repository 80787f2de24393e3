"""Generate the tables of docs/reference/protocol.md from the messages of rooms.

`python -m quepu.server.protocol_tables docs/reference/protocol.md` writes them. A test compares the document with the
generated parts.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from quepu.server.http.messages import Schema
from quepu.server.rooms.client_messages import CLIENT
from quepu.server.rooms.socket_messages import SOCKET
from quepu.server.typescript import kind

Shapes = dict[str, dict[str, Any]]

_ANSWERS = {"ScoreAnswer": "score", "ExplainedScore": "score", "OutlookAnswer": "waits", "ChoiceShape": "waits"}
"""Types that are also answers of the HTTP API, by route."""


def _keys(schema: dict[str, Any]) -> str:
    """Write the keys of a message with their types; optional ones get a question mark."""
    required = set(schema.get("required", ()))
    return "<br>".join(
        f"`{name}{'' if name in required else '?'}`: `{_in_a_cell(kind(value))}`"
        for name, value in schema.get("properties", {}).items()
    )


def _in_a_cell(text: str) -> str:
    return text.replace("|", "\\|")


def _about(schema: dict[str, Any]) -> str:
    return _in_a_cell(" ".join(schema.get("description", "").split()))


def _table(first: str, names: list[str], shapes: Shapes) -> str:
    rows = [f"| `{name}` | {_keys(shapes[name])} | {_about(shapes[name])} |" for name in names]
    return "\n".join([f"| {first} | keys | |", "|---|---|---|", *rows])


def _find_reached(names: list[str], shapes: Shapes) -> list[str]:
    """Return the types inside those named, in order of appearance, without answers of the HTTP API."""
    found: list[str] = []
    left = list(names)
    for name in left:
        for inner in re.findall(r'"#/\$defs/(\w+)"', str(shapes[name]).replace("'", '"')):
            if inner not in left and inner not in _ANSWERS:
                left.append(inner)
                found.append(inner)
    return found


def tables() -> dict[str, str]:
    """Return the generated parts of the document by name: the messages in each direction, and the types inside."""
    both: tuple[type[Schema], ...] = (*CLIENT, *SOCKET)
    shapes: Shapes = models_json_schema([(shape, "validation") for shape in both])[1]["$defs"]
    sent, received = [shape.__name__ for shape in CLIENT], [shape.__name__ for shape in SOCKET]
    return {
        "to the server": _table("message", sent, shapes),
        "from the server": _table("message", received, shapes),
        "shapes": _table("shape", _find_reached([*sent, *received], shapes), shapes),
    }


def fill_document(document: str) -> str:
    """Return the document with its generated parts replaced."""
    for name, table in tables().items():
        part = re.compile(rf"(<!-- generated: {name} -->\n).*?(\n<!-- end of {name} -->)", re.DOTALL)
        if not part.search(document):
            raise ValueError(f"no part {name!r}")
        document = part.sub(lambda found, table=table: f"{found[1]}{table}{found[2]}", document)  # type: ignore[misc]
    return document


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(fill_document(path.read_text(encoding="utf-8")), encoding="utf-8")
