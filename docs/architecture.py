"""Draws docs/architecture.svg: the packages of quepu and who imports whom. `python docs/architecture.py` writes it.

The packages are those of the layers that import-linter checks (pyproject.toml). Arrows are the real imports between
them, left out where a longer way says the same; the row of a package is its longest way down. A test compares the file
with what this draws, so the picture stays true.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "quepu"
PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, ROW, BOX, EDGE = 1040, 92, 40, 36
COLOURS = {  # wing → fill
    "#e6efe4": ("tiles errors folders schema hands automaton shapes readings distance tile_sets", "hands and shapes"),
    "#f3ead7": ("rules scoring rulebooks", "rules and scores"),
    "#dfeaf2": ("table match scorekeeper", "play"),
    "#ece4f0": ("fast batch json_lines lab", "many hands, every hand"),
    "#f2e2dc": ("bots arena review rl", "programs that play"),
    "#e9e9e4": ("server cli", "in front of people"),
}


def packages() -> list[str]:
    """The packages that the layers name, the highest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [name for row in rows for name in re.findall(r"\w+", row) if name != "__main__"]


def executed(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of `body` and those within them; without what only type checkers run."""
    for node in body:
        yield node
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from executed(getattr(node, "body", []))
        for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from executed(inner.body)
        yield from executed(getattr(node, "orelse", []))
        yield from executed(getattr(node, "finalbody", []))


def imports() -> dict[str, set[str]]:
    """Package → the other packages that it imports; what only type checkers import is left out."""
    found: dict[str, set[str]] = {name: set() for name in packages()}
    for path in sorted(SOURCE.rglob("*.py")):
        home = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if home not in found:
            continue
        for node in executed(ast.parse(path.read_text(encoding="utf-8")).body):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            targets = {name.split(".")[1] for name in names if name.startswith("quepu.")}
            found[home] |= {target for target in targets if target in found and target != home}
    return found


def levels(edges: dict[str, set[str]]) -> dict[str, int]:
    """Package → the length of its longest way down."""
    depth: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((level(below) for below in edges[name]), default=-1)
        return depth[name]

    return {name: level(name) for name in edges}


def needed(edges: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The arrows that no longer way replaces."""
    below: dict[str, set[str]] = {}
    for name in sorted(edges, key=levels(edges).__getitem__):
        below[name] = edges[name].union(*(below[other] for other in edges[name]))
    return sorted((a, b) for a in edges for b in edges[a] if not any(b in below[c] for c in edges[a] - {b}))


def placed(edges: dict[str, set[str]]) -> dict[str, tuple[float, float]]:
    """Package → the middle of its box; rows are ordered so that arrows are short."""
    level = levels(edges)
    top = max(level.values())
    rows = [[name for name in sorted(edges) if level[name] == at] for at in range(top + 1)]
    arrows = needed(edges)
    middle: dict[str, float] = {}
    for row in rows:
        for at, name in enumerate(row):
            middle[name] = WIDTH * (at + 1) / (len(row) + 1)
    for _ in range(24):
        for row in rows:

            def pull(name: str) -> float:
                near = [middle[b if a == name else a] for a, b in arrows if name in (a, b)]
                return sum(near) / len(near) if near else middle[name]

            wanted = {name: (pull(name), name) for name in row}
            for at, name in enumerate(sorted(row, key=wanted.__getitem__)):
                middle[name] = WIDTH * (at + 1) / (len(row) + 1)
    return {name: (middle[name], EDGE + (top - level[name]) * ROW) for name in edges}


def drawn() -> str:
    """The picture as SVG text."""
    edges = imports()
    places = placed(edges)
    height = max(y for _, y in places.values()) + BOX + EDGE
    fills = {name: fill for fill, (names, _) in COLOURS.items() for name in names.split()}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height + 40}" font-family="sans-serif">',
        "<title>quepu: its packages; each imports only what stands below it</title>",
        '<rect width="100%" height="100%" fill="#fdfcf8"/>',
    ]
    for a, b in needed(edges):
        (x, y), (u, v) = places[a], places[b]
        y += BOX
        bend = (v - y) / 2
        side = 0.0 if v - y < ROW else (1 if u + x >= WIDTH else -1) * (v - y) / 3.5
        curve = f"M{x:.0f} {y:.0f}C{x + side:.0f} {y + bend:.0f} {u + side:.0f} {v - bend:.0f} {u:.0f} {v:.0f}"
        parts.append(f'<path d="{curve}" fill="none" stroke="#8a948c"><title>{a} imports {b}</title></path>')
    for name, (x, y) in places.items():
        width = 26 + 9.0 * len(name)
        box = f'x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{BOX}" rx="8"'
        text = f'x="{x:.0f}" y="{y + 25:.0f}" font-size="15" text-anchor="middle"'
        parts.append(f'<rect {box} fill="{fills.get(name, "#fff")}" stroke="#46564b"/><text {text}>{name}</text>')
    for at, (fill, (_, words)) in enumerate(COLOURS.items()):
        x = 24 + at * (WIDTH - 30) / len(COLOURS)
        parts.append(f'<rect x="{x:.0f}" y="{height}" width="14" height="14" fill="{fill}" stroke="#46564b"/>')
        parts.append(f'<text x="{x + 20:.0f}" y="{height + 12}" font-size="12">{words}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
    sys.exit(0)
