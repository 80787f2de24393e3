"""docs/reference/glossary.md against the code: every row points to code, and no identifier uses an excluded word.

Of the client, the tests and the benchmarks, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from quepu.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quepu"
GLOSSARY = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.splitlines()
    if line.startswith("| ") and not line.startswith(("| 中文", "| stem", "| `"))
]
ROLES = [
    [set(re.findall(r"`([^`]+)`", cell)) for cell in (cells[1], cells[3])]
    for cells in (line.split("|") for line in GLOSSARY.splitlines() if line.startswith("| `"))
]
"""Stems that modules of several folders share, and the folders (`server/*`: the parts of it)."""

EXCLUDED = re.compile(
    r"(?:^|_)(?:tell|tells|telling|told|say|says|saying|said|ask|asks|asked|asking|keep|keeps|keeping|kept|lie|lies|lying"
    r"|lay|laid|shelf|elsewhere|bring|brings|brought|withal|dear|dearer|dearest|speak|speaks|speaking|spoken|known|worth"
    r"|around|nobody)(?:_|$)"
)
ALLOWED = {
    "say": "Text.say and Error.say are public API; the client's for a text in two languages",
    "spoken": "the command line's short form of Text.say",
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:30])
def test_a_row_points_to_code(row: list[str]) -> None:
    """Every place of a row is there, and its names occur in one of the places."""
    places = [SOURCE / place for place in re.findall(r"`([\w/]+(?:\.py|/))`", row[-1])]
    assert places
    files: list[Path] = []
    for place in places:
        assert place.exists(), place
        files += [place] if place.is_file() else sorted(place.rglob("*.py"))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for name in re.findall(r"`([A-Za-z_]+)\b", row[2]):
        assert re.search(rf"\b{name}\b", text), name


class Read(NamedTuple):
    """What these tests ask of a module: read once, since the trees of all modules together are large."""

    names: tuple[tuple[str, int], ...]
    """Names that it defines (classes, functions, parameters, variables, attributes), with their lines."""
    docstrings: tuple[tuple[str, int], ...]
    classes: tuple[str, ...]
    functions: tuple[tuple[str, int], ...]


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but constants, operators and contexts; five times as fast as `ast.walk`, in an order of its own."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for value in vars(node).values():
            if type(value) is list:
                todo += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST) and type(value) not in LEAVES:
                todo.append(value)


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
LEAVES = {ast.Constant, ast.Load, ast.Store, ast.Del, *ast.operator.__subclasses__(), *ast.unaryop.__subclasses__()}


@cache
def read(path: Path) -> Read:
    names, docstrings, classes, functions = [], [], [], []
    for node in nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, DOCUMENTED):
            docstrings.append((ast.get_docstring(node) or "", node.body[0].lineno if node.body else 0))
            if isinstance(node, ast.ClassDef):
                classes.append(node.name)
            elif not isinstance(node, ast.Module):
                functions.append((node.name, node.lineno))
            if not isinstance(node, ast.Module):
                names.append((node.name, node.lineno))
        elif isinstance(node, ast.arg):
            names.append((node.arg, node.lineno))
        elif isinstance(node, ast.Name):
            names += [(node.id, node.lineno)] * isinstance(node.ctx, ast.Store)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.append((node.attr, node.lineno))
    return Read(tuple(names), tuple(docstrings), tuple(classes), tuple(functions))


def words(name: str) -> str:
    """A name in small letters with underscores between its words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def named(place: str, names: Iterator[tuple[str, int]]) -> list[str]:
    """Names with an excluded word, and the file itself if its name has one; `names` with their lines."""
    stem = Path(place).name.partition(".")[0]
    return [
        f"{place}:{line} {name}"
        for name, line in [(stem, 0), *names]
        if EXCLUDED.search(words(name)) and name not in ALLOWED
    ]


def test_no_identifier_has_an_excluded_word() -> None:
    wrong = []
    others = [*(ROOT / "bench").glob("*.py"), *(ROOT / "web" / "device").glob("*.py")]
    for path in [*sorted(SOURCE.rglob("*.py")), *own_tests(), *sorted(others)]:
        names = (one for one in read(path).names if not one[0].startswith("test_"))
        wrong += named(path.relative_to(ROOT).as_posix(), names)
    assert not wrong, "\n".join(wrong)


def own_tests() -> list[Path]:
    """All tests but the programs that made golden data, which stay as they ran."""
    return [path for path in sorted((ROOT / "tests").rglob("*.py")) if not path.name.startswith("make_")]


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|<!--.*?-->", re.DOTALL)
DECLARED = re.compile(r"\b(?:const|let|var|function\*?|class|interface|type|enum|snippet|@const)\s+([A-Za-z_$][\w$]*)")
TAKEN_APART = re.compile(r"\b(?:const|let|var)\s*([\[{][^=]*?[\]}])\s*(?::[^=]+)?=")
PARAMETERS = re.compile(r"\(([^()]*)\)\s*(?::[^={}()]*)?(?:=>|\{)|\b([a-z]\w*)\s*=>|#each [^}]* as ([^}]+)\}")
NAME = re.compile(r"(?:^|[\[{(,])\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)\s*\??\s*(?=[,:=)}\]]|$)")


def declared(text: str) -> Iterator[tuple[str, int]]:
    """Names that a module of the client declares: constants, variables, functions, types, parameters."""
    text = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for pattern in (DECLARED, TAKEN_APART, PARAMETERS):
        for found in pattern.finditer(text):
            part = next((one for one in found.groups() if one), "")
            names = [part] if part.isidentifier() else NAME.findall(part)
            yield from ((name, text.count("\n", 0, found.start()) + 1) for name in names)


def test_no_identifier_of_the_client_has_an_excluded_word() -> None:
    wrong = []
    tiles = sorted((ROOT / "web" / "tiles").glob("*.mjs"))
    for path in [*sorted((ROOT / "web" / "src").rglob("*")), *tiles]:
        if (
            path.suffix in (".ts", ".svelte", ".mjs") and path.name != "types.ts"
        ):  # which has the fields of recorded tables
            text = path.read_text(encoding="utf-8")
            wrong += named(path.relative_to(ROOT).as_posix(), declared(text))
    assert not wrong, "\n".join(wrong)


def test_names_of_the_client_are_found() -> None:
    """What the pattern above reads: else it could find nothing for ever."""
    text = """
    const told = 1; // let said = 2
    let { move, asked }: { move: number; asked: boolean } = $props();
    const [hand, kept] = f((spoken: string, n) => n);
    {#each list as laid, i (laid.id)}{@const worth = laid}
    export async function bring(event: Event): Promise<void> {}
    known.map((shelf) => shelf.x)
    """
    assert {name for name, _ in declared(text) if EXCLUDED.search(name)} == {
        "told", "asked", "kept", "spoken", "laid", "worth", "bring", "shelf",
    }  # fmt: skip


IN_TEST_NAMES = re.compile(
    r"(?:^|_)(?:tell|tells|telling|told|said|ask|asks|asked|asking|kept|shelf|elsewhere|withal|dear|dearer|dearest|spoken)"
    r"(?:_|$)"
)
"""The name of a test is a sentence about what people see ("the page says so"): only these words are left out of it."""


def test_no_name_of_a_test_has_an_excluded_word() -> None:
    wrong = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, line in read(path).functions:
            if name.startswith("test_"):
                wrong += [f"{path.name}:{line} {name}"] * bool(IN_TEST_NAMES.search(name))
    assert not wrong, "\n".join(wrong)


QUESTION = re.compile(r"(?:What|Who|Whom|Whose|How|Where|When|Which|Why)\b")


def test_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    wrong = [
        f"{path.relative_to(ROOT).as_posix()}:{line} {text.splitlines()[0]}"
        for path in sorted(SOURCE.rglob("*.py"))
        for text, line in read(path).docstrings
        if QUESTION.match(text)
    ]
    assert not wrong, "\n".join(wrong)


def test_a_class_name_is_of_one_class() -> None:
    """Public class names are unique in the whole tree."""
    places: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for name in read(path).classes:
            if not name.startswith("_"):
                places.setdefault(name, []).append(path.relative_to(SOURCE).as_posix())
    assert len(places) > 500
    assert {name: at for name, at in places.items() if len(at) > 1} == {}


def in_role(stem: str, folder: str) -> bool:
    """Whether a module of this folder has a role that several folders have, by the glossary or as a command's."""
    if folder in ("cli", "cli/texts") and (stem in COMMANDS or stem == "shell"):
        return True
    return any(
        stem in stems and (folder in places or f"{folder.rpartition('/')[0]}/*" in places or "*" in places)
        for stems, places in ROLES
    )


def test_a_module_stem_means_one_thing() -> None:
    """Two modules have one stem only where the glossary has it as a role of theirs."""
    folders: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        if path.stem not in ("__init__", "__main__"):
            folders.setdefault(path.stem, set()).add(path.parent.relative_to(SOURCE).as_posix())
    several = {stem: at for stem, at in folders.items() if len(at) > 1}
    roleless = {stem: {at for at in places if not in_role(stem, at)} for stem, places in several.items()}
    assert {stem: at for stem, at in roleless.items() if len(at) > 1} == {}
    assert {stem for stems, _ in ROLES for stem in stems} <= set(several), "a role that nothing shares any more"
