"""Loops compiled by one of several processes that run tests: the others wait, and load what it stored."""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

try:
    import fcntl
except ModuleNotFoundError:  # Windows: everyone compiles
    fcntl = None  # type: ignore[assignment]


class Turn:
    """The turn to compile: of one process, and there of one thread, which may take it again."""

    def __init__(self, file: Path) -> None:
        self._file, self._of_threads, self._depth = file, threading.RLock(), 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        with self._of_threads, self._file.open("w") as file:
            self._depth += 1
            if self._depth == 1:
                fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    fcntl.flock(file, fcntl.LOCK_UN)  # a process that was forked meanwhile has the file open, too


def compile_in_turn(patch: pytest.MonkeyPatch, file: Path) -> None:
    """Let this process compile only in its turn; both functions look for a file first, and find what another stored."""
    if fcntl is None or importlib.util.find_spec("numba") is None:
        return
    from numba.core.dispatcher import Dispatcher

    from quepu.fast.compiled.code_cache import MachineCode

    turn = Turn(file)

    def in_turn(function: Any) -> Any:
        @functools.wraps(function)
        def called(*given: Any, **named: Any) -> Any:
            with turn.taken():
                return function(*given, **named)

        return called

    load = MachineCode.load
    alone = in_turn(load)
    patch.setattr(MachineCode, "load", lambda code: (load if code.there else alone)(code))
    patch.setattr(Dispatcher, "compile", in_turn(Dispatcher.compile))
