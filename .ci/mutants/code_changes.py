"""Mutants of functions: where cosmic-ray can change a module, and what its functions are then."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from areas import ROOT

OPERATORS = re.compile(
    r"core/(NumberReplacer|AddNot|Replace(True|False|And|Or|Break|Continue)With\w+|ZeroIterationForLoop"
    r"|ReplaceUnaryOperator_Delete_\w+"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Lt_GtE|Gt_LtE|Is_IsNot|IsNot_Is)"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|Pow_Mul|BitAnd_BitOr|BitOr_BitAnd"
    r"|BitXor_BitOr|LShift_RShift|RShift_LShift))"
)
"""Of cosmic-ray's 213 operators, one opposite and one neighbour of everything."""
NOTE = "_note_call_of_a_mutant"
"""Builtin by which functions note that they are called."""

Key = tuple[str, str, int]  # file, qualified name, first line


class Mutant(NamedTuple):
    """A changed module: where, and the line before and after."""

    file: str
    function: str
    line: int
    was: str
    becomes: str
    source: str

    @property
    def name(self) -> str:
        """Short name for lists."""
        return f"{self.file}:{self.line} {self.function}: `{self.was}` -> `{self.becomes}`"


def key_of(code: CodeType) -> Key:
    """Return what a function is known by."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of every function and class body below `code`."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from functions_in(part)


def same(one: CodeType, other: CodeType) -> bool:
    """Return whether two codes do the same, wherever their constants stand."""
    return one.replace(co_linetable=b"", co_exceptiontable=b"") == other.replace(
        co_linetable=b"", co_exceptiontable=b""
    )


def places_in(path: Path) -> list[tuple[str, int]]:
    """Return every place where an operator could change a function of this module."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import operator_names

    source = path.read_text("utf-8")
    nodes = [node for node in ast_nodes(get_ast(source)) if node.type not in ("name", "string", "newline")]
    spans = _spans(source)
    found = []
    for name in sorted(operator_names()):
        if OPERATORS.fullmatch(name):
            starts = [start for node in nodes for start, _ in _operator(name).mutation_positions(node)]
            found += [(name, i) for i, start in enumerate(starts) if _function_at(spans, start[0])]
    return found


def _operator(name: str) -> Any:
    from cosmic_ray.plugins import get_operator

    return get_operator(name)()


def mutant_at(path: Path, name: str, occurrence: int) -> Mutant | None:
    """Return the mutant of one place; None if nothing changes there."""
    from cosmic_ray.mutating import mutate_code

    source = path.read_text("utf-8")
    changed = mutate_code(source, _operator(name), occurrence)
    lines, new = source.split("\n"), (changed or source).split("\n")
    at = next((i for i, (a, b) in enumerate(zip(lines, new, strict=False)) if a != b), None)
    if changed is None or at is None:
        return None
    function = _function_at(_spans(source), at + 1) or ""
    return Mutant(str(path.relative_to(ROOT)), function, at + 1, lines[at].strip(), new[at].strip(), changed)


def _spans(source: str) -> list[tuple[int, int, str]]:
    found = []

    def walk(node: ast.AST, above: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = above
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{above}.{child.name}".lstrip(".")
                found.append((child.body[0].lineno, child.end_lineno or 0, name))
            elif isinstance(child, ast.ClassDef):
                name = f"{above}.{child.name}".lstrip(".")
            walk(child, name)

    walk(ast.parse(source), "")
    return found


def _function_at(spans: list[tuple[int, int, str]], line: int) -> str | None:
    inside = [span for span in spans if span[0] <= line <= span[1]]
    return max(inside)[2] if inside else None


def changed_functions(path: Path, mutant: Mutant) -> list[tuple[Key, CodeType]]:
    """Return the functions that a mutant changes, outermost first, with their new code."""
    source = path.read_text("utf-8")
    old = list(functions_in(compile(source, str(path), "exec", dont_inherit=True)))
    try:
        new = list(functions_in(compile(mutant.source, str(path), "exec", dont_inherit=True)))
        if _unannotated(source) == _unannotated(mutant.source):
            return []
    except SyntaxError:  # `**` of a dictionary is not an operator
        return []
    if len(old) != len(new):
        return []
    return [(key_of(a), b) for a, b in zip(old, new, strict=True) if a.co_name != "<module>" and not same(a, b)]


@functools.lru_cache(256)
def noting_functions(path: Path, source: str) -> list[tuple[Key, CodeType]]:
    """Return every function of a module, with code that first notes that it is called (see `_Notes`).

    `source` is that of the module or of a mutant; keys are those of the module. A trace function would be told of
    every call in the program, which takes two to three times as long.
    """
    old = list(functions_in(compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)))
    tree = ast.parse(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))]
    for node in nodes:
        place = ast.Constant(f"{NOTE}{path}:{node.lineno}:{node.col_offset}")
        call = ast.Call(ast.Name(NOTE, ast.Load()), [place], [])
        if isinstance(node, ast.Lambda):
            node.body = ast.Subscript(ast.Tuple([call, node.body], ast.Load()), ast.Constant(1), ast.Load())
        else:
            node.body.insert(int(ast.get_docstring(node) is not None), ast.Expr(call))
    new = list(functions_in(compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)))
    return [(key_of(a), b) for a, b in zip(old, new, strict=True) if a.co_name != "<module>"]


def _unannotated(source: str) -> str:
    """Return the syntax tree of a module without its annotations, which are never evaluated, as text."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)
