"""`quepu rules new NAME`: a package with a small rulebook of its own, which an installed quepu finds."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

from quepu.cli.screen import show
from quepu.cli.texts import say
from quepu.errors import HandError
from quepu.rulebooks import book_ids
from quepu.rules.packages import CONTRACT

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_FILES: Final = {
    "pyproject.toml.txt": "pyproject.toml",
    "readme.md.txt": "README.md",
    "book.py.txt": "src/{module}/__init__.py",
    "play_rules.py.txt": "src/{module}/play_rules.py",
    "test_book.py.txt": "tests/test_book.py",
}
"""Templates in `quepu/data/new_book/`, and the files that they make."""


class _Template(NamedTuple):
    """An arithmetic of a new book: its class, and the points of a hand of one suit that is all pungs."""

    name: str
    both: int


ARITHMETICS: Final = {
    "additive": _Template("Added", 6),
    "product": _Template("Multiplied", 8),
    "residue": _Template("Residues", 5),
    "custom": _Template("Own", 5),
}
"""Templates of arithmetics in `quepu/data/new_book/`: fans add up, multiply, leave each other a share, or are yours."""


def make(name: str, where: Path = Path(), arithmetic: str = "additive") -> list[Path]:
    """Write the package into a new folder of that name.

    Raises:
        HandError: the name cannot be an id, is taken, or the folder exists already; or the arithmetic is unknown.
    """
    if arithmetic not in ARITHMETICS:
        listed = ", ".join(ARITHMETICS)
        raise HandError(
            f"--arithmetic 可取：{listed}，不能是“{arithmetic}”。",
            f"--arithmetic must be one of: {listed}; not {arithmetic!r}.",
        )
    if not _NAME.fullmatch(name):
        raise HandError(
            f"“{name}”不能作编号：小写字母开头，只有小写字母、数字和连字符，最多 40 个。",
            f"{name!r} cannot be an id: small letters, digits and hyphens, beginning with a letter, 40 at most.",
        )
    if name in book_ids():
        raise HandError(f"已经有编号是“{name}”的规则。", f"there is a rulebook {name!r}.")
    folder = where / f"quepu-{name}"
    if folder.exists():
        raise HandError(f"已经有 {folder} 了。", f"{folder} is there already.")
    module = f"quepu_{name.replace('-', '_')}"
    kind = ARITHMETICS[arithmetic]
    words = {
        "@ARITHMETIC@": _template(f"{arithmetic}.py.txt").rstrip(),
        "@CLASS@": kind.name,
        "@BOTH@": str(kind.both),
        "@NAME@": name,
        "@MODULE@": module,
        "@CONTRACT@": ".".join(map(str, CONTRACT)),
    }
    made = []
    for template, target in _FILES.items():
        text = _template(template)
        for word, meant in words.items():
            text = text.replace(word, meant)
        path = folder / target.format(module=module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        made.append(path)
    return made


def _template(file: str) -> str:
    return resources.files("quepu").joinpath(f"data/new_book/{file}").read_text("utf-8")


def tell(name: str, arithmetic: str) -> int:
    """Make the package and say what to do next."""
    for path in make(name, arithmetic=arithmetic):
        show(f"  {path}")
    show("", say("rules.new", folder=f"quepu-{name}", name=name))
    return 0
