"""Write the client's types from the pydantic models: `python -m quepu.server.typescript > web/src/lib/types.ts`.

Below them stand the words for distances, so that the pages show those of `quepu.shapes.distance`.

A test compares the file with what this writes, so the two sides cannot drift apart.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from quepu.server.accounts.messages import ACCOUNTS
from quepu.server.belongings import BELONGINGS
from quepu.server.books.messages import BOOKS
from quepu.server.desks.messages import DESKS
from quepu.server.hands.messages import HANDS
from quepu.server.http.messages import Refused, Schema
from quepu.server.payments import PAYMENTS
from quepu.server.players.friends_api import FRIENDS
from quepu.server.players.ladder_api import LADDERS
from quepu.server.players.messages import PLAYERS
from quepu.server.players.season_messages import SEASONS
from quepu.server.practice.messages import PRACTICE
from quepu.server.replays.asking_api import ASKING
from quepu.server.replays.explorer_api import EXPLORER
from quepu.server.replays.messages import REPLAYS
from quepu.server.replays.nets_api import NETS
from quepu.server.replays.review_messages import REVIEWS
from quepu.server.rooms.client_messages import CLIENT
from quepu.server.rooms.discard_values import VALUES
from quepu.server.rooms.messages import ROOMS
from quepu.server.rooms.socket_messages import SOCKET
from quepu.server.score_tables.messages import TABLES
from quepu.server.workshop.effects_messages import EFFECTS
from quepu.server.workshop.messages import WORKSHOP
from quepu.shapes.automaton import FAR
from quepu.shapes.distance import readiness_text, win_text

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def kind(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(kind(one) for one in schema["anyOf"]))
    if "oneOf" in schema:
        return " | ".join(dict.fromkeys(kind(one) for one in schema["oneOf"]))
    if schema.get("type") == "array":
        inside = kind(schema.get("items", {}))
        return f"({inside})[]" if " " in inside else f"{inside}[]"
    if schema.get("type") == "object":
        of = schema.get("additionalProperties", True)
        return f"Record<string, {kind(of) if isinstance(of, dict) else 'unknown'}>"
    return _PLAIN.get(schema.get("type", ""), "unknown")


def interface(name: str, shapes: dict[str, dict[str, Any]]) -> str:
    """Write a model as an interface; fields with a default are optional in requests.

    A model that extends others is written that way.
    """
    schema, bases = shapes[name], [base for base in _bases().get(name, ()) if base in shapes]
    lines = [f"/** {' '.join(schema['description'].split())} */"] if "description" in schema else []
    inherited: dict[str, Any] = {key: shape for base in bases for key, shape in shapes[base]["properties"].items()}
    lines.append(f"export interface {name}{' extends ' + ', '.join(bases) if bases else ''} {{")
    required = set(schema.get("required", ()))
    for key, value in schema.get("properties", {}).items():
        if inherited.get(key) != value:
            lines.append(f"  {key}{'' if key in required else '?'}: {kind(value)};")
    return "\n".join([*lines, "}"])


@cache
def _bases() -> dict[str, list[str]]:
    """Map each model to the models that it extends."""
    found: dict[str, list[str]] = {}
    left: list[type[Schema]] = [Schema]
    for shape in left:
        new = [one for one in shape.__subclasses__() if one not in left]
        left += new
        found |= {one.__name__: [base.__name__ for base in one.__bases__] for one in new}
    return found


def types() -> str:
    """Return the whole file."""
    shapes: tuple[type[Schema], ...] = (
        Refused, *HANDS, *BOOKS, *PAYMENTS, *PRACTICE, *TABLES, *PLAYERS, *FRIENDS, *LADDERS, *SEASONS, *DESKS, *ROOMS,
        *ACCOUNTS, *REPLAYS, *REVIEWS, *NETS, *ASKING, *EXPLORER, *SOCKET, *VALUES, *CLIENT, *WORKSHOP, *EFFECTS,
        *BELONGINGS,
    )  # fmt: skip
    _, schema = models_json_schema([(shape, "validation") for shape in shapes])
    parts = [interface(name, schema["$defs"]) for name in sorted(schema["$defs"])]
    union = " | ".join(shape.__name__ for shape in SOCKET)
    parts.append(f"/** Anything a room sends. */\nexport type SocketMessage = {union};")
    union = " | ".join(shape.__name__ for shape in CLIENT)
    parts.append(f"/** Anything a client sends to a room. */\nexport type ClientMessage = {union};")
    parts.append(distances())
    head = "// Generated from src/quepu/server/*messages.py by `python -m quepu.server.typescript`. Do not edit."
    return "\n\n".join([head, *parts]) + "\n"


def distances() -> str:
    """Return the words for every distance, by its number of missing tiles; the last are for farther ones."""
    lines = ["/** The words for a distance, by the number of missing tiles; the last are for whatever is farther. */"]
    for name, words in (("READINESS", readiness_text), ("TO_A_WIN", win_text)):
        lines.append(f"export const {name}: readonly Bilingual[] = [")
        for missing in range(FAR + 1):
            zh, en = words(missing)
            lines.append(f"  {{ zh: {json.dumps(zh, ensure_ascii=False)}, en: {json.dumps(en)} }},")
        lines.append("];")
    return "\n".join(lines)


if __name__ == "__main__":
    print(types(), end="")  # noqa: T201  # its output is the file
