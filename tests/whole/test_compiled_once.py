"""Processes that run tests compile one after the other."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests.compiled_once import Turn

fcntl = pytest.importorskip("fcntl")


def test_a_turn_is_of_one_process_and_one_thread_and_ends(tmp_path: Path) -> None:
    turn, file = Turn(tmp_path / "compiling"), tmp_path / "compiling"

    def is_free() -> bool:
        with file.open("w") as other:
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    order: list[str] = []
    reading, writing = os.pipe()

    def second() -> None:
        with turn.taken():
            order.append("second")

    with turn.taken():
        with turn.taken():
            assert not is_free()
        assert not is_free(), "the outer one goes on"
        thread = threading.Thread(target=second)
        thread.start()
        child = os.fork()
        if child == 0:
            os.read(reading, 1)  # it lives on, with every file that was open
            os._exit(0)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert is_free()
    os.write(writing, b".")
    assert os.waitpid(child, 0)[1] == 0
    with pytest.raises(ValueError, match="stopped"), turn.taken():
        raise ValueError("stopped")
    assert is_free()
