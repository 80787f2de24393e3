"""Rulebooks from installed packages: entry points of the group `quepu.rulebooks`, checked before they are listed.

The contract is docs/reference/rulebook-api.md. A package that cannot be used is skipped, and the reason is kept.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from quepu.errors import Error, Text
from quepu.folding import fold
from quepu.hands.planes import Planes
from quepu.rules.rulebook import Rulebook

GROUP: Final = "quepu.rulebooks"
CONTRACT: Final = (1, 2)
"""Version of the contract: a package written for another first number, or a greater second one, is not used.

Changes of each version are in docs/reference/rulebook-api.md, the names of this one in `tests/rulebook_contract.json`.
"""
_VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,4})")
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class PackageProblem(NamedTuple):
    """A package that is not used, and why."""

    package: str
    name: str
    why: Text


class Packages(NamedTuple):
    """Modules of installed rulebooks by id, and the packages that are skipped."""

    modules: Mapping[str, str]
    problems: tuple[PackageProblem, ...]


class _Unusable(Error):
    """A reason not to use a package."""


@cache
def find_installed(taken: frozenset[str]) -> Packages:
    """Return the rulebooks of installed packages; `taken`: ids and aliases (folded) that other books have."""
    modules: dict[str, str] = {}
    problems = []
    used = set(taken)
    for point in sorted(_points(), key=lambda point: (point.name, point.value)):
        package = point.dist.name if point.dist else point.module
        try:
            book = _check_book(point, used)
        except Error as error:
            problems.append(PackageProblem(package, point.name, error.text))
            continue
        modules[point.name] = point.module
        used |= {point.name, *map(fold, book.aliases)}
    return Packages(modules, tuple(problems))


@cache
def has_packages() -> bool:
    """Whether any installed package has rulebooks; other books need not be loaded to know."""
    return any(True for _ in _points())


def _points() -> Iterable[EntryPoint]:
    return entry_points(group=GROUP)


def _check_book(point: EntryPoint, used: set[str]) -> Rulebook:
    """Return the book of an entry point.

    Raises:
        _Unusable: it cannot be used.
    """
    if not _ID.fullmatch(point.name):
        raise _Unusable("编号只能有小写字母、数字和连字符。", "its id must be small letters, digits and hyphens.")
    if point.name in used:
        raise _Unusable("已经有这个编号的规则。", "there is a rulebook of this id already.")
    try:
        module = importlib.import_module(point.module)
    except Exception as error:  # noqa: BLE001 - a package is anybody's code and may raise anything
        said = f"{type(error).__name__}: {error}"[:200]
        raise _Unusable(
            f"{point.module} 不能导入（{said}）。", f"{point.module} cannot be imported ({said})."
        ) from None
    _check_version(str(getattr(module, "QUEPU_RULEBOOKS", "")))
    books = getattr(module, "BOOKS", ())
    found = [book for book in books if isinstance(book, Rulebook)] if isinstance(books, (list, tuple)) else []
    book = next((one for one in found if one.id == point.name), None)
    if book is None:
        raise _Unusable(
            f"{point.module} 的 BOOKS 里没有编号是 {point.name} 的 Rulebook。",
            f"BOOKS of {point.module} has no Rulebook with the id {point.name}.",
        )
    clash = next((alias for alias in book.aliases if fold(alias) in used), None)
    if clash is not None:
        raise _Unusable(f"别名“{clash}”已是别的规则的。", f"its alias {clash!r} belongs to another rulebook.")
    nothing = Planes(*[0] * len(Planes._fields))
    try:
        named = (book.fingerprint, [int(fan.when(nothing)) for fan in book.fans], book.reads)
    except Exception as error:  # noqa: BLE001 - its conditions are anybody's code as well
        said = f"{type(error).__name__}: {error}"[:200]
        raise _Unusable(f"各行不能计算（{said}）。", f"its rows cannot be worked out ({said}).") from None
    if not named[1]:
        raise _Unusable("一个番种也没有。", "it has no fans.")
    return book


def _check_version(said: str) -> None:
    written = _VERSION.fullmatch(said)
    ours = ".".join(map(str, CONTRACT))
    if written is None:
        raise _Unusable(
            f'没有写明所依的约定：QUEPU_RULEBOOKS = "{ours}"。',
            f'it does not say its contract: QUEPU_RULEBOOKS = "{ours}".',
        )
    major, minor = int(written[1]), int(written[2])
    if (major, minor) > CONTRACT:
        raise _Unusable(
            f"它依约定 {said}，这里是 {ours}：要用更新的 quepu。",
            f"it is written for contract {said}; here it is {ours}: it needs a newer quepu.",
        )
    if major < CONTRACT[0]:
        raise _Unusable(
            f"它依约定 {said}，这里是 {ours}，不再支持 {CONTRACT[0]}.0 以前的：要用更新的包。",
            f"it is written for contract {said}; here it is {ours}, and versions before {CONTRACT[0]}.0 "
            "are no longer supported: it needs an update.",
        )
