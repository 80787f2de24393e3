"""A process with the whole program in it, which starts servers as copies of itself, each within half a second.

Run as a program it reads lines, each the arguments of `quepu serve` as JSON, and prints for each the number of the
process that serves, which then prints its own line with the address. The process that servers copy their workers from
is started once, too. What a server knows beyond the program's code comes from its store, as in one started afresh.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path


def prepare() -> None:
    """Import what a server and its workers import, and start the process that workers are copies of."""
    from multiprocessing import forkserver

    import quepu.server.http.run  # noqa: F401  # for the copies
    from quepu.server.work.process import start_method

    start_method()
    forkserver.ensure_running()
    # a copy is no parent of that process and must not ask after it
    forkserver._forkserver.ensure_running = lambda: None


def serve(arguments: list[str]) -> None:
    """What a copy does: a group and session of its own, as a server that was started by hand."""
    from quepu.cli import main

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    sys.argv = ["quepu", "serve", *arguments]
    main()


def copies() -> None:
    """One server for each line read, until there are no more."""
    prepare()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # killed copies are gone at once
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.close(0)
            os.open(os.devnull, os.O_RDONLY)
            serve(json.loads(line))
            os._exit(0)
        print(child, flush=True)


class Prepared:
    """That process, from outside."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.prepared"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        self.always = self._descendants(self.process.pid)

    @classmethod
    def _descendants(cls, process: int) -> set[int]:
        try:
            text = Path(f"/proc/{process}/task/{process}/children").read_text()
        except OSError:
            return set()
        children = set(map(int, text.split()))
        return children.union(*map(cls._descendants, children))

    def start(self, arguments: list[str]) -> tuple[int, str]:
        """The process number of another server and the line that it printed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(arguments), file=self.process.stdin, flush=True)
        lines = [self.process.stdout.readline() for _ in range(2)]
        lines.sort(key=lambda line: not line.strip().isdecimal())  # either may be the first
        return int(lines[0]), lines[1]

    def kill(self, server: int) -> None:
        """As `kill -9` does; its workers have to notice by themselves."""
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGKILL)
        until = time.monotonic() + 30
        while self._descendants(self.process.pid) != self.always:
            assert time.monotonic() < until, "a process of the server outlived it"
            time.sleep(0.01)

    def close(self) -> None:
        """End it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


if __name__ == "__main__":
    copies()
