"""Record the names that rulebook packages may use, and the parts of each: `python -m tests.rulebook_contract`.

The modules and names are those of the table in docs/reference/rulebook-api.md.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any

from quepu.rules.packages import CONTRACT

DOCUMENT = Path(__file__).parents[1] / "docs" / "reference" / "rulebook-api.md"
RECORD = Path(__file__).with_suffix(".json")
_ROW = re.compile(r"^\| `(quepu[\w.]*)` \| (.+) \|$", re.MULTILINE)


def surface() -> dict[str, list[str]]:
    """Return the parts of every name: the parameters of a function, the fields and methods of a class."""
    found = {}
    for module, cell in _ROW.findall(DOCUMENT.read_text(encoding="utf-8")):
        loaded = importlib.import_module(module)
        names = set(re.findall(r"`(\w+)`", cell))
        if "protocols" in cell or "words" in cell:
            names |= {name for name, value in vars(loaded).items() if _is_own(name, value, module)}
        found |= {f"{module}.{name}": _parts(getattr(loaded, name)) for name in sorted(names)}
    return found


def _is_own(name: str, value: Any, module: str) -> bool:
    return not name.startswith("_") and (getattr(value, "__module__", None) == module or isinstance(value, int))


def _parts(value: Any) -> list[str]:
    if inspect.isclass(value):
        annotated = [name for one in reversed(value.__mro__) for name in vars(one).get("__annotations__", ())]
        own = [name for name in vars(value) if name not in annotated]
        return [name for name in dict.fromkeys((*annotated, *sorted(own))) if not name.startswith("_")]
    return list(inspect.signature(value).parameters) if inspect.isfunction(value) else []


def main() -> None:
    """Write the names of this version."""
    record = {"version": ".".join(map(str, CONTRACT)), "names": surface()}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
