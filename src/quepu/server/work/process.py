"""A process that runs functions on request, within limits of CPU, time and memory."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from quepu.errors import Error
from quepu.server.http.responses import Refusal

try:
    import resource
except ImportError:  # Windows: only wall time is limited
    resource = None  # type: ignore[assignment]


class Allowed(NamedTuple):
    """Limits of one piece of work: CPU seconds, wall seconds, MiB of memory (0: unlimited)."""

    cpu: float
    wall: float
    memory: int = 0


class Broken(Exception):
    """A process ended, or the work failed unexpectedly; the text says how."""


class Stopped(Broken):
    """A process was stopped from here before it had begun."""


_PRELOADED = (
    "quepu.rulebooks",
    "quepu.server.replays.review_worker",
    "quepu.server.rooms.bot_pool",
    "quepu.server.score_tables.working",
)
"""Heavy modules, imported before forking so that every process shares them."""
_BEGINS = 300.0
"""Wall seconds for a process to start: imports and compiled loops, however busy the machine."""


class _TooLong(BaseException):
    """Raised inside the process, wherever the work is, when its CPU time is used up."""


def too_much() -> Refusal:
    """Build the refusal of work that exceeded its limits."""
    return Refusal(413, "这项请求要算太久，已停止。", "this request takes too long to compute; it was stopped.")


class Process:
    """A separate process, started with the first piece of work, used by one thread at a time."""

    def __init__(
        self, allowed: Allowed, nice: int = 5, *, fresh: bool = False, begin: Callable[[], object] | None = None
    ) -> None:
        """`fresh`: a new interpreter instead of a fork with quepu imported; `begin`: its initialisation."""
        self.allowed = allowed
        self.nice = nice
        self.fresh = fresh
        self.begin = begin
        self.used = 0.0
        self._process: Any = None
        self._pipe: Connection[Any, Any] | None = None
        self._begun = False
        self._stopped = False
        self._killed = False

    @property
    def begun(self) -> bool:
        """Whether it is initialised and has not been stopped since."""
        return self._begun and not self._killed

    def expect(self) -> None:
        """Announce the next piece of work: from now on, `stop` refers to that one."""
        self._stopped = False

    def do(self, what: Callable[..., Any], given: tuple[Any, ...], allowed: Allowed | None = None) -> Any:
        """Run a function and return its result; blocks. `used` is then its CPU time. `allowed`: other limits.

        Raises:
            Refusal: it took too long, or the work refused.
            Error: the work raised it.
            Broken: the process ended, or the work failed.
        """
        if self._killed:  # it may still look alive
            self.kill()
        if self._process is None or not self._process.is_alive():
            self._start()
        if not self._begun:
            self._wait_for_begin()
        assert self._pipe is not None  # noqa: S101  # just started
        if self._stopped:
            self.used = 0.0
            raise Stopped("it was stopped before it began")
        began, cpu, wall = time.monotonic(), *(allowed or self.allowed)[:2]
        try:
            self._pipe.send((what, given, cpu))
            if not self._pipe.poll(wall):
                self.kill()
                self.used = cpu
                raise too_much()
            kind, answer, self.used = self._pipe.recv()
        except (EOFError, OSError) as error:
            self.kill()
            self.used = min(cpu, time.monotonic() - began)  # stopped: it cannot have been more
            raise Broken("the process ended") from error
        if kind == "torn":
            self.kill()
            raise Refusal(*answer)
        if kind == "broken":
            raise Broken(answer)
        if kind == "raised":
            raise answer
        if kind == "refused":
            raise Refusal(*answer)
        return answer

    def _start(self) -> None:
        context = start_method(fresh=self.fresh)
        self._pipe, other = context.Pipe()
        process = context.Process(target=_serve, args=(other, self.allowed, self.nice, self.begin), daemon=True)
        process.start()
        self._process = process  # only now: a process that has not started cannot be killed
        other.close()

    def _wait_for_begin(self) -> None:
        """Wait for initialisation, which is not charged: on a busy machine it can exceed the limits of work."""
        assert self._pipe is not None  # noqa: S101  # just started
        self.used = 0.0
        try:
            failed = self._pipe.recv() if self._pipe.poll(_BEGINS) else "it did not begin"
        except (EOFError, OSError):
            failed = "the process ended as it began"
        if failed:
            error = (Stopped if self._killed else Broken)(failed)
            self.kill()
            raise error
        self._begun = True

    def stop(self, *, beginning: bool = False) -> None:
        """End its current or next piece of work, from any thread; the next one starts another process.

        A process that is still starting continues, for the next piece of work, unless `beginning` is set.
        """
        self._stopped = True
        process = self._process
        if process is not None and (self._begun or beginning):
            self._killed = True
            process.kill()

    def kill(self) -> None:
        """Kill it, in the thread that uses it."""
        process, self._process, self._begun = self._process, None, False
        if process is not None:
            process.kill()
            process.join()
        self._killed = False
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def start_method(*, fresh: bool = False) -> Any:
    """Return how processes are started: as forks with quepu imported, or (`fresh`) as new interpreters."""
    if fresh or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_PRELOADED))
    return context


def end_with_parent() -> None:
    """End with the parent: a killed server cannot end its processes, so they check for it."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _serve(pipe: Connection[Any, Any], allowed: Allowed, nice: int, begin: Callable[[], object] | None) -> None:
    """Serve the other end of the pipe until it closes."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(nice)  # players have priority over background work
    if resource is not None and allowed.memory:
        most = allowed.memory << 20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    failed = ""
    try:
        if begin is not None:
            begin()
    except Exception:  # noqa: BLE001  # the parent is sent whatever it was
        failed = traceback.format_exc()
    try:
        pipe.send(failed)
    except OSError:
        return
    while True:
        try:
            what, given, cpu = pipe.recv()
        except (EOFError, OSError):
            return
        began = time.process_time()
        answer = _call(what, given, cpu)
        used = time.process_time() - began
        try:
            pipe.send((*answer, used))
        except OSError:
            return
        except Exception:  # noqa: BLE001  # what cannot be pickled raises anything
            pipe.send(("broken", traceback.format_exc(), used))
        if answer[0] == "refused" and answer[1][0] == too_much().status:
            gc.collect()


def _call(what: Callable[..., Any], given: tuple[Any, ...], cpu: float) -> tuple[str, Any]:
    try:
        _limit(cpu)
        try:
            return "done", what(*given)
        finally:
            _limit(0.0)
    except (_TooLong, MemoryError) as error:
        refusal = too_much()
        return "torn" if _importing(error) else "refused", (refusal.status, *refusal.text)
    except Refusal as refusal:
        return "refused", (refusal.status, *refusal.text)
    except Error as error:
        error.__cause__ = error.__context__ = None
        return "raised", error
    except Exception:  # noqa: BLE001  # the parent is sent whatever it was
        return "broken", traceback.format_exc()


def _importing(error: BaseException) -> bool:
    """Return whether an import was interrupted: C modules cannot be loaded twice, so the process must end."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]  # importlib omits some frames
    return any(code.co_name == "<module>" or "importlib" in code.co_filename for code in codes)


def _limit(seconds: float) -> None:
    """Raise `_TooLong` after `seconds` of CPU time; 0: never."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.1 if seconds else 0.0)  # repeated, in case the first is lost


def _too_long(_signal: int, _frame: object) -> None:
    raise _TooLong
