"""Mutants of functions: cosmic-ray makes them, and one warm pytest tries each in a fork of its own.

The tests of an area are collected once. A mutant is put in the place of its function (`__code__`) in a fork, and the
tests that are known to call it are run, the quickest first, until one fails. If none does, each test about which
nothing is known is tried, and what it calls is kept. A test that fails without a mutant too is left out.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import gc
import hashlib
import json
import os
import random
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from areas import ROOT, WORK, Area
from code_changes import NOTE, Key, Mutant, changed_functions, key_of, mutant_at, noting_functions, places_in

SECONDS_MORE = 12
"""Seconds of a processor for a test about which nothing is known."""
BATCH = 12
"""How many of those run in one fork at most."""


class Loop:
    """A pytest plugin that runs tests of an area for each mutant in place of running them once."""

    def __init__(self, area: str, spec: Area, sample: int, seed: int, only: str, most: float, again: bool) -> None:
        self.spec, self.sample, self.seed, self.only, self.most = spec, sample, seed, only, most
        self.again = again
        self.files = {str(path) for path in spec.files()}
        self.kept, self.out = WORK / f"{area}-calls.json", WORK / f"{area}.jsonl"
        self.killers: dict[str, dict[int, int]] = {}
        self.results: list[dict[str, Any]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant of the sample."""
        gc.unfreeze()  # what is frozen is not among the objects
        gc.collect()
        self.items = session.items
        self.imported = _CALLED.copy()
        sys.settrace(None)
        self.functions: dict[Key, list[FunctionType]] = {}
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in self.files:
                self.functions.setdefault(key_of(thing.__code__), []).append(thing)
        _forget(self.files)
        for file in self.files:
            noting_functions(Path(file), _text(file))
        gc.freeze()
        self.calls, self.sound, self.broken = self._remembered(), set[int](), set[int]()
        every = [(path, *place) for path in self.spec.files() if self.only in str(path) for place in places_in(path)]
        random.Random(self.seed).shuffle(every)
        tried, before = 0, self._before() if self.again else {}
        for path, name, occurrence in every:
            if self.sample and tried == self.sample:
                break
            mutant = mutant_at(path, name, occurrence)
            if not mutant:
                continue
            line = before.pop(mutant.name, None)
            if line is None or not (line["status"] == "killed" or line.get("tests") == self.state):
                status, by = self._try(path, mutant)
                line = {**mutant._asdict(), "status": status, "by": by, "of": len(every), "tests": self.state}
                del line["source"]
            if line["status"]:
                tried += line["status"] != "import"
                self.results.append(line)
                self._store([*self.results, *before.values()])
                self._remember()
        self._store(self.results)
        return True

    def _store(self, lines: list[dict[str, Any]]) -> None:
        _replace(self.out, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines))

    def _try(self, path: Path, mutant: Mutant) -> tuple[str, str]:
        """Return what became of a mutant, and by which test."""
        changed = changed_functions(path, mutant)
        if not changed:
            return "", ""  # the same code: an annotation, or a number nobody keeps
        noting_functions(path, mutant.source)  # worked out once, not in every fork
        killers = self.killers.setdefault(mutant.file, {})
        keys = {key for key, _ in changed}
        calling = [i for i in range(len(self.items)) if keys & self._calls(i) and i not in self.broken]
        nth = self._nth(calling)
        calling.sort(key=lambda i: (-killers.get(i, 0), self._rank(i, mutant)[0], (1 + nth[i]) * self._seconds(i)))
        unknown = self._unknown(killers, mutant)
        # what survived the tests that are known is tried on new ones first
        batches = [*unknown, calling] if self.again else [calling, *unknown]
        killer, seconds, some = "", 0.0, list[int]()
        for batch in batches:
            tests = []
            for i in batch:
                if not self.most or seconds < self.most:
                    tests.append(i)
                    seconds += self._seconds(i)
            killer = self._killer(mutant, changed, tests)
            if batch is not calling:
                seconds += sum(map(self._seconds, tests))
            some += [i for i in tests if keys & self._calls(i)]
            if killer:
                break
        if not killer:
            if not some and keys <= self.imported:
                return "import", ""  # only called while modules are imported
            return "survived", f"{len(some)} tests"
        if killer.isdigit():
            killers[int(killer)] = killers.get(int(killer), 0) + 1
            return "killed", self.items[int(killer)].nodeid
        return "killed", killer

    def _killer(self, mutant: Mutant, changed: list[tuple[Key, CodeType]], tests: list[int]) -> str:
        """Return what kills a mutant, "" if nothing does; take tests that fail without it too out of `tests`."""
        while killer := self._run(mutant, changed, tests):
            suspects = (
                [int(killer)] if killer.isdigit() else [i for i in tests if self.items[i].nodeid not in self.calls]
            )
            wrong = {i for i in suspects if not self._is_sound(i)}
            if not wrong:
                break
            tests[:] = [i for i in tests if i not in wrong]
        return killer

    def _run(self, mutant: Mutant, changed: list[tuple[Key, CodeType]], tests: list[int]) -> str:
        """Return the first of these tests that fails with a mutant, and keep what they call if nothing is known."""
        if not tests:
            return ""

        def work() -> str:
            for key, code in changed:
                for function in self.functions.get(key, ()):
                    function.__code__ = code
            if self.items[tests[0]].nodeid not in self.calls:
                return self._traced(tests, mutant)
            for i in tests:
                _limit(5 * self._seconds(i) + SECONDS_MORE / 2)
                if not _passes(self.items[i]):
                    return str(i)
            return ""

        done = forked(work)
        if done is None:
            return "did not end"
        if done.startswith("["):
            self._keep(tests, done)
            return ""
        return done

    def _unknown(self, killers: dict[int, int], mutant: Mutant) -> list[list[int]]:
        """Return the tests about which nothing is known, those with the same name and other parameters together."""
        batches: dict[str, list[int]] = {}
        for i, item in enumerate(self.items):
            if i not in self.broken and item.nodeid not in self.calls:
                batches.setdefault(item.nodeid.partition("[")[0], []).append(i)
        first = sorted(
            batches.values(), key=lambda batch: (-max(killers.get(i, 0) for i in batch), self._rank(batch[0], mutant))
        )
        return [batch[at : at + BATCH] for batch in first for at in range(0, len(batch), BATCH)]

    def _keep(self, tests: list[int], done: str) -> None:
        """Keep what tests call that ran in one fork: each is taken to call what all of them do."""
        seconds, keys = json.loads(done)
        called = {(file, name, line) for file, name, line in keys}
        self.calls.update({self.items[i].nodeid: (seconds / len(tests), called) for i in tests})
        self._remember()

    def _is_sound(self, i: int) -> bool:
        """Return whether a test passes without a mutant, and keep what it calls; leave it out if it does not."""
        if i not in self.sound | self.broken:
            done = forked(lambda: self._traced([i])) or ""
            if done.startswith("["):
                self.sound.add(i)
                self._keep([i], done)
            else:
                self.broken.add(i)
                self.calls.pop(self.items[i].nodeid, None)
                print(
                    f"left out, for it fails (or takes too long) without a mutant: {self.items[i].nodeid}",
                    file=sys.stderr,
                    flush=True,
                )
        return i in self.sound

    def _traced(self, tests: list[int], mutant: Mutant | None = None) -> str:
        """Run tests and return their seconds and the functions they call, or the number of the first that fails."""
        called, places = set[str](), dict[str, Key]()
        setattr(builtins, NOTE, called.add)
        for file in self.files:
            changed = mutant and ROOT / mutant.file == Path(file)
            source = mutant.source if mutant and changed else _text(file)
            for key, code in noting_functions(Path(file), source):
                places |= {one: key for one in code.co_consts if isinstance(one, str) and one.startswith(NOTE)}
                for function in self.functions.get(key, ()):
                    function.__code__ = code
        begun = time.process_time()
        for i in tests:
            _limit(SECONDS_MORE)
            if not _passes(self.items[i]):
                return str(i)
        return json.dumps([time.process_time() - begun, sorted(places[one] for one in called)])

    def _calls(self, i: int) -> set[Key]:
        return self.calls.get(self.items[i].nodeid, (0.0, set[Key]()))[1]

    def _seconds(self, i: int) -> float:
        return self.calls.get(self.items[i].nodeid, (0.0, set[Key]()))[0]

    def _nth(self, tests: list[int]) -> dict[int, int]:
        """Number the tests of each function: the first parameters of all of them see more than all of one."""
        seen: dict[str, int] = {}
        found = {}
        for i in tests:
            function = self.items[i].nodeid.partition("[")[0]
            found[i] = seen[function] = seen.get(function, -1) + 1
        return found

    def _rank(self, item: int, mutant: Mutant) -> tuple[int, int]:
        """Return when to run a test: first in files that name function or module, then in the order of the list."""
        file = self.items[item].nodeid.partition("::")[0]
        names = (mutant.function.rpartition(".")[2], Path(mutant.file).stem)
        named = sum(re.search(rf"\b{name}\b", _text(file)) is not None for name in names)
        return -named, self.spec.tests.index(file) if file in self.spec.tests else len(self.spec.tests)

    def _before(self) -> dict[str, dict[str, Any]]:
        """Return the results of the last run of this area, by name.

        What was killed is not tried again, nor what survived as many seconds of the same tests.
        """
        lines = [json.loads(line) for line in self.out.read_text("utf-8").splitlines()] if self.out.exists() else []
        return {Mutant(**{key: one.get(key, "") for key in Mutant._fields}).name: one for one in lines}

    @property
    def state(self) -> str:
        """Digest of the tests and modules of the area and of the seconds for each mutant."""
        return hashlib.sha256(repr((self.most, sorted(self.digests.items()))).encode()).hexdigest()

    def _digests(self) -> dict[str, str]:
        """Return a digest of each file of tests with the modules: what tests call is forgotten when these change."""
        modules = b"".join(Path(one).read_bytes() for one in sorted(self.files))
        files = {item.nodeid.partition("::")[0] for item in self.items}
        return {file: hashlib.sha256(modules + _text(file).encode()).hexdigest() for file in files}

    def _remembered(self) -> dict[str, tuple[float, set[Key]]]:
        self.digests = self._digests()
        with contextlib.suppress(OSError, ValueError, KeyError):
            found = json.loads(self.kept.read_text())
            same = {file for file, digest in self.digests.items() if found["digests"].get(file) == digest}
            return {
                test: (seconds, {tuple(key) for key in keys})
                for test, (seconds, keys) in found["calls"].items()
                if test.partition("::")[0] in same
            }
        return {}

    def _remember(self) -> None:
        calls = {test: (seconds, sorted(keys)) for test, (seconds, keys) in self.calls.items()}
        _replace(self.kept, json.dumps({"digests": self.digests, "calls": calls}))


def _replace(path: Path, text: str) -> None:
    """Write a file that is whole whenever the run is stopped."""
    new = path.with_suffix(".new")
    new.write_text(text, "utf-8")
    new.replace(path)


@functools.cache
def _text(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def _forget(files: set[str]) -> None:
    """Drop what was remembered while tests were collected: a mutant in what made it would not be called again."""
    from row_changes import forget

    from quepu.rules import play_rules
    from quepu.rules.rulebook import Rulebook

    play_rules._MADE.clear()
    for thing in gc.get_objects():
        if isinstance(thing, Rulebook):
            forget(thing)
        elif isinstance(thing, functools._lru_cache_wrapper):
            code = getattr(thing.__wrapped__, "__code__", None)
            if code and code.co_filename in files:
                thing.cache_clear()


def _limit(seconds: float) -> None:
    """Let this process have so many more seconds of a processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, resource.RLIM_INFINITY))


_CALLED: set[Key] = set()


def note_imports(files: set[str]) -> None:
    """Note every function of these files that is called before tests run."""

    def note(frame: Any, *_: Any) -> None:
        if frame.f_code.co_filename in files:
            _CALLED.add(key_of(frame.f_code))

    sys.settrace(note)


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


def run(name: str, spec: Area, sample: int, seed: int, only: str, most: float, again: bool) -> list[dict[str, Any]]:
    """Try mutants of an area: all, or `sample` of them by this seed; return a line for each."""
    import hypothesis

    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    WORK.mkdir(parents=True, exist_ok=True)
    found = [
        hypothesis.Phase.explicit,
        hypothesis.Phase.generate,
    ]  # the smallest example of a failure helps nobody here
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True, deadline=None, phases=found)
    hypothesis.settings.load_profile("mutants")
    note_imports({str(path) for path in spec.files()})
    loop = Loop(name, spec, sample, seed, only, most, again)
    options = ["-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=native", "--assert=plain"]
    code = pytest.main([*options, *spec.tests], plugins=[loop])
    sys.settrace(None)
    if code not in (0, 5) and not loop.results:
        raise SystemExit(f"the tests of {name} could not be collected")
    return loop.results
