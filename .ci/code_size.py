"""Print the size and shape of the code, now and at an earlier commit: `python .ci/code_size.py [COMMIT]`.

Everything is counted from the source alone, so any commit can be measured. Without an argument the commit is the one
before the fast side became one package.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SINCE = "4ee84999"
FAST = ("fast", "batch", "fast_table", "enumeration", "efficiency")
"""The fast side: one package now, four before."""
GENERATED = ("src/quepu/data", "data", "docs/study")
PARAMETERS = 8
SMALL = 60
"""Lines below which a module counts as small."""


class Tree:
    """A checkout, read once."""

    def __init__(self, root: Path, tracked: list[str]) -> None:
        self.root = root
        self.tracked = tracked

    @cache  # noqa: B019  # two trees live as long as the process
    def modules(self, folder: str) -> dict[str, str]:
        """Return the source of every Python module under a folder, by path."""
        names = [name for name in self.tracked if name.startswith(f"{folder}/") and name.endswith(".py")]
        return {name: (self.root / name).read_text(encoding="utf-8") for name in names}

    @cache  # noqa: B019
    def parsed(self) -> dict[str, ast.Module]:
        """Return every module of src/, by path."""
        return {path: ast.parse(text) for path, text in self.modules("src").items()}

    @cache  # noqa: B019
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return every function of src/."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return [node for tree in self.parsed().values() for node in walk(tree) if isinstance(node, kinds)]

    @cache  # noqa: B019
    def docstrings(self) -> str:
        """Return the docstrings of src/, one after the other."""
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = (node for tree in self.parsed().values() for node in walk(tree) if isinstance(node, kinds))
        found = (ast.get_docstring(node) for node in nodes)
        return "\n\n".join(filter(None, found))

    def read(self, name: str) -> str:
        """Return a tracked file's text, "" if it does not exist."""
        return (self.root / name).read_text(encoding="utf-8") if name in self.tracked else ""


def count_lines(sources: dict[str, str]) -> int:
    """Count the lines of some modules."""
    return sum(text.count("\n") for text in sources.values())


def describe(sources: dict[str, str]) -> str:
    """Return lines and modules, as `16.6 k / 98`."""
    return f"{count_lines(sources) / 1000:.1f} k / {len(sources)}"


def fast(tree: Tree) -> str:
    """Measure the fast side."""
    return describe({path: text for name in FAST for path, text in tree.modules(f"src/quepu/{name}").items()})


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's parameters, without self and cls."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all but expressions, which hold most nodes; what is for type checkers alone is left out."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.If) or "TYPE_CHECKING" not in ast.dump(node.test):
            yield node
            todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def imported(tree: ast.Module, known: set[str]) -> Iterator[str]:
    """Yield the modules that a module imports, inside functions too, but not those for type checkers alone."""
    for node in walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                yield whole if whole in known else node.module


def circles(tree: Tree) -> list[list[str]]:
    """Return the groups of modules that import one another, directly or through others."""

    def name(path: str) -> str:
        return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    known = {name(path) for path in tree.parsed()}
    arrows = {name(path): set(imported(one, known)) & known - {name(path)} for path, one in tree.parsed().items()}
    while ends := {one for one in arrows if not arrows[one] & arrows.keys()}:  # none of them is in a circle
        arrows = {one: to - ends for one, to in arrows.items() if one not in ends}

    def reached(start: str) -> frozenset[str]:
        seen: set[str] = set()
        todo = [*arrows[start]]
        while todo:
            if (one := todo.pop()) not in seen:
                seen.add(one)
                todo += arrows[one]
        return frozenset(seen)

    reach = {one: reached(one) for one in arrows}
    groups = {frozenset(b for b in reach[a] if a in reach[b]) for a in reach if a in reach[a]}
    return sorted(map(sorted, groups))


def small(tree: Tree) -> int:
    """Count modules of fewer than sixty lines, packages' __init__.py included."""
    return sum(text.count("\n") < SMALL for text in tree.modules("src").values())


def generated(tree: Tree) -> str:
    """Measure the generated files in git."""
    names = [name for name in tree.tracked if name.startswith(tuple(f"{one}/" for one in GENERATED))]
    return f"{sum((tree.root / name).stat().st_size for name in names) / 1e6:.1f} MB"


def matches(pattern: str) -> Callable[[Tree], str]:
    """Count how often a pattern occurs in the docstrings."""
    return lambda tree: str(len(re.findall(pattern, tree.docstrings(), re.IGNORECASE)))


ROWS: dict[str, tuple[Callable[[Tree], object], str]] = {
    "fast side: lines / modules": (fast, "≤ 10.5 k / ≤ 55"),
    "rl: lines / modules": (lambda tree: describe(tree.modules("src/quepu/rl")), "≤ 2.7 k"),
    "bench: lines / modules": (lambda tree: describe(tree.modules("bench")), "≤ 1.5 k / 6 + runner"),
    "src: lines / modules": (lambda tree: describe(tree.modules("src")), "≤ 78 k"),
    "import circles": (lambda tree: len(circles(tree)), "0"),
    "functions with more than 8 parameters": (
        lambda tree: sum(parameters(one) > PARAMETERS for one in tree.functions()),
        "0",
    ),
    "modules with `Array = Any`": (
        lambda tree: sum(bool(re.search(r"^Array = Any", text, re.M)) for text in tree.modules("src").values()),
        "0",
    ),
    "modules under 60 lines": (small, "≤ 60"),
    'docstrings: free "what …"': (matches(r"\bwhat (?:is|was|are|there|it|has|can|cannot|a|an|the|each)\b"), "< 60"),
    "docstrings: nobody, somebody": (matches(r"\b(?:nobody|somebody)\b"), "< 30"),
    'docstrings: "is no"': (matches(r"\b(?:is|are) no\b"), "< 10"),
    "generated bytes in git": (generated, "≤ 7 MB"),
    "lines of CHANGELOG.md": (lambda tree: tree.read("CHANGELOG.md").count("\n"), "2 screens"),
    "pictures in README.md": (lambda tree: tree.read("README.md").count("<img "), "≥ 2"),
}


def measure(tree: Tree) -> list[str]:
    """Return every number of ROWS for a checkout."""
    return [str(count(tree)) for count, _ in ROWS.values()]


def main(commit: str = SINCE) -> int:
    """Print the table; returns the exit status."""
    git = ["git", "-C", str(ROOT)]
    tracked = subprocess.run([*git, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    now = measure(Tree(ROOT, [name for name in tracked if (ROOT / name).is_file()]))
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "then.tar"
        subprocess.run([*git, "archive", "-o", str(archive), commit], check=True)
        with tarfile.open(archive) as packed:
            names = [one.name for one in packed if one.isfile()]
            packed.extractall(folder, filter="data")
        then = measure(Tree(Path(folder), names))
    print(f"| | {commit} | now | target |\n|---|---|---|---|")
    for (name, (_, target)), old, new in zip(ROWS.items(), then, now, strict=True):
        print(f"| {name} | {old} | {new} | {target} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
