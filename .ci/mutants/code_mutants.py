"""Mutants of functions: cosmic-ray makes them, and one warm pytest tries each in a fork of its own.

The tests of an area are collected once. Each test is first run alone in a fork, which says what functions it calls with
nothing remembered from other tests; a mutant is then put in the place of its function (`__code__`), in a fork again,
and the tests that call it are run, the quickest first, until one fails.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import hashlib
import json
import os
import random
import re
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from areas import ROOT, WORK, Area

OPERATORS = re.compile(
    r"core/(NumberReplacer|AddNot|Replace(True|False|And|Or|Break|Continue)With\w+|ZeroIterationForLoop"
    r"|ReplaceUnaryOperator_Delete_\w+"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Lt_GtE|Gt_LtE|Is_IsNot|IsNot_Is)"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|Pow_Mul|BitAnd_BitOr|BitOr_BitAnd"
    r"|BitXor_BitOr|LShift_RShift|RShift_LShift))"
)
"""Of cosmic-ray's 213 operators, one opposite and one neighbour of everything."""
SECONDS_MORE = 10

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
    nodes = list(ast_nodes(get_ast(source)))
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
    old = list(functions_in(compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)))
    try:
        new = list(functions_in(compile(mutant.source, str(path), "exec", dont_inherit=True)))
    except SyntaxError:  # `**` of a dictionary is no operator
        return []
    if len(old) != len(new):
        return []
    return [(key_of(a), b) for a, b in zip(old, new, strict=True) if a.co_name != "<module>" and not same(a, b)]


class Loop:
    """A pytest plugin that runs tests of an area for each mutant in place of running them once."""

    def __init__(self, area: str, spec: Area, sample: int, seed: int, only: str, most: float) -> None:
        self.area, self.spec, self.sample, self.seed, self.only = area, spec, sample, seed, only
        self.most = most
        self.killers: dict[str, dict[int, int]] = {}
        self.results: list[dict[str, Any]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant of the sample."""
        gc.collect()
        gc.freeze()
        self.items = session.items
        self.imported = _CALLED.copy()
        sys.setprofile(None)
        calls = self._coverage()
        by_function: dict[Key, list[tuple[float, int]]] = {}
        for i, item in enumerate(self.items):
            seconds, called = calls[item.nodeid]
            for one in called:
                by_function.setdefault(tuple(one), []).append((seconds, i))  # type: ignore[arg-type]
        known: dict[Key, list[FunctionType]] = {}
        gc.unfreeze()
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                known.setdefault(key_of(thing.__code__), []).append(thing)
        gc.freeze()
        out = (WORK / f"{self.area}.jsonl").open("w", encoding="utf-8")
        for path in self.spec.files():
            if self.only and self.only not in str(path):
                continue
            every = places_in(path)
            random.Random(f"{self.seed} {path.relative_to(ROOT)}").shuffle(every)
            tried = 0
            for name, occurrence in every:
                if self.sample and tried == self.sample:
                    break
                mutant = mutant_at(path, name, occurrence)
                status, by = self._try(path, mutant, by_function, known) if mutant else ("", "")
                if mutant and status:
                    tried += status != "import"
                    line = {**mutant._asdict(), "status": status, "by": by, "of": len(every)}
                    del line["source"]
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
                    out.flush()
                    self.results.append(line)
        return True

    def _try(
        self, path: Path, mutant: Mutant, by_function: dict[Key, list[tuple[float, int]]], known: dict[Key, Any]
    ) -> tuple[str, str]:
        changed = changed_functions(path, mutant)
        if not changed:
            return "", ""  # the same code: an annotation, or a number nobody keeps
        if all(key in self.imported and key not in by_function for key, _ in changed):
            return "import", ""  # only called while modules are imported
        tests = sorted({place for key, _ in changed for place in by_function.get(key, ())})
        killers = self.killers.setdefault(mutant.file, {})
        tests.sort(key=lambda test: (-killers.get(test[1], 0), self._rank(test[1]), test[0]))
        seconds, some = 0.0, []
        for second, i in tests:
            if not self.most or seconds < self.most:
                some.append(i)
                seconds += second

        def work() -> str:
            resource.setrlimit(resource.RLIMIT_CPU, (int(5 * seconds) + SECONDS_MORE,) * 2)
            for key, code in changed:
                for function in known.get(key, ()):
                    function.__code__ = code
            return next((str(i) for i in some if not _passes(self.items[i])), "")

        done = forked(work)
        if done is None:
            return "killed", "did not end"
        if not done:
            return "survived", f"{len(some)} of {len(tests)} tests"
        if done.isdigit():
            killers[int(done)] = killers.get(int(done), 0) + 1
            return "killed", self.items[int(done)].nodeid
        return "killed", done

    def _rank(self, item: int) -> int:
        """Return where the file of a test stands in the list of the area: those named come before whole folders."""
        file = self.items[item].nodeid.partition("::")[0]
        return self.spec.tests.index(file) if file in self.spec.tests else len(self.spec.tests)

    def _coverage(self) -> dict[str, tuple[float, list[Key]]]:
        """Return how long each test takes by itself, and the functions of this area that it calls."""
        files = {str(path) for path in self.spec.files()}
        digest = hashlib.sha256(b"".join(Path(one).read_bytes() for one in sorted(files))).hexdigest()
        kept = WORK / f"{self.area}-calls.json"
        calls: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError, KeyError):
            found = json.loads(kept.read_text())
            calls = found["calls"] if found["digest"] == digest else {}
        for item in self.items:
            if item.nodeid in calls:
                continue

            def work(item: pytest.Item = item) -> str:
                called: set[Key] = set()

                def note(frame: Any, event: str, _: Any) -> None:
                    if event == "call" and frame.f_code.co_filename in files:
                        called.add(key_of(frame.f_code))

                threading.setprofile(note)
                sys.setprofile(note)
                begun = time.process_time()
                passed = _passes(item)
                sys.setprofile(None)
                if not passed:
                    raise RuntimeError(f"{item.nodeid} fails without any mutant")
                return json.dumps([time.process_time() - begun, sorted(called)])

            done = forked(work)
            calls[item.nodeid] = json.loads(done) if done else [0.0, []]
        WORK.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({"digest": digest, "calls": calls}))
        return calls


_CALLED: set[Key] = set()


def note_imports(files: set[str]) -> None:
    """Note every function of these files that is called before tests run."""

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in files:
            _CALLED.add(key_of(frame.f_code))

    sys.setprofile(note)


def _passes(item: pytest.Item) -> bool:
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)


def forked(work: Callable[[], str]) -> str | None:
    """Do some work in a fork and return its word; None if it was killed or raised."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.close(here)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.setpgid(0, 0)
        try:
            word = b"1" + work().encode()
        except BaseException as wrong:  # noqa: BLE001  # whatever a mutant raises
            word = f"1raised {wrong!r}".encode() if not isinstance(wrong, AssertionError) else b""
        os.write(there, word)
        os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        word = pipe.read()
    os.waitpid(child, 0)
    return word[1:].decode() if word else None


def run(name: str, spec: Area, sample: int, seed: int, only: str, most: float) -> list[dict[str, Any]]:
    """Try mutants of an area: all, or `sample` of each module by this seed; return a line for each."""
    import hypothesis

    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    WORK.mkdir(parents=True, exist_ok=True)
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True, deadline=None)
    hypothesis.settings.load_profile("mutants")
    note_imports({str(path) for path in spec.files()})
    loop = Loop(name, spec, sample, seed, only, most)
    code = pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *spec.tests], plugins=[loop])
    sys.setprofile(None)
    if code not in (0, 5) and not loop.results:
        raise SystemExit(f"the tests of {name} could not be collected")
    return loop.results
