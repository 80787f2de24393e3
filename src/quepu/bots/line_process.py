"""A program in another process that reads lines and writes lines, with limited patience and memory."""

from __future__ import annotations

import os
import shlex
import subprocess
import weakref
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from shutil import which
from threading import Thread

from quepu.errors import Error

_MOST_IN_LINE = 1 << 20
_MOST_LINES = 1000  # lines that nobody has read yet: a program that writes more waits
_MEMORY = 2048
"""MiB of data that a program may have, unless QUEPU_GUEST_MEMORY says otherwise (0: no limit)."""


class BotError(Error):
    """A bot in another process died, took too long, or returned an action that is not allowed."""


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command.

    Raises:
        BotError: there are none, quotes do not match, or the program does not exist.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        raise BotError(f"机器人的命令引号不成对：{command}", f"quotes do not match in {command!r}.") from None
    if not words:
        raise BotError(
            "没有写机器人的命令，如 exec:python my_bot.py。",
            "give a command for the bot, for example exec:python my_bot.py.",
        )
    if which(words[0]) is None:
        raise _cannot_run(words[0])
    return words


def _cannot_run(name: str) -> BotError:
    return BotError(f"运行不了机器人“{name}”。", f"cannot run the bot {name!r}.")


class LineProcess:
    """The process of a command; `patience` is in seconds.

    Raises:
        BotError: the command cannot be run.
    """

    def __init__(self, command: str | Sequence[str], patience: float = 10.0) -> None:
        """Start it."""
        self.command = split_command(command)
        self.patience = patience
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the user names the command
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as wrong:
            raise _cannot_run(self.command[0]) from wrong
        self.memory = _limit_memory(self._process.pid)
        self._end = weakref.finalize(self, _kill, self._process)  # also when our program ends
        self._lines: Queue[str] = Queue(_MOST_LINES)
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        out = self._process.stdout
        assert out is not None  # noqa: S101  # there is a pipe
        while line := out.readline(_MOST_IN_LINE):
            if len(line) == _MOST_IN_LINE and not line.endswith("\n"):
                self._process.kill()
                break
            self._lines.put(line)
        self._lines.put("")

    def send(self, text: str) -> None:
        """Write a line.

        Raises:
            BotError: the process has ended.
        """
        pipe = self._process.stdin
        assert pipe is not None  # noqa: S101  # there is a pipe
        try:
            pipe.write(f"{text}\n")
            pipe.flush()
        except (OSError, ValueError) as wrong:
            raise self.exited() from wrong

    def exited(self) -> BotError:
        """Build the error for a program that has ended: with its exit status and its limit, if it has one."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        status = self._process.returncode
        zh, en = ("", "") if status is None else (f"（状态 {status}", f" (status {status}")
        if status and self.memory:
            zh, en = f"{zh}，内存上限 {self.memory} MiB", f"{en}, memory limit {self.memory} MiB"
        if status is not None:
            zh, en = f"{zh}）", f"{en})"
        return BotError(f"机器人没有回答就退出了{zh}。", f"the bot exited without a response{en}.")

    def end_input(self) -> None:
        """Close the program's input."""
        with suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def line(self, patience: float | None = None) -> str:
        """Return the next line with its newline; "" if the process has ended its output, or a line was too long.

        `patience` is for this line alone, in place of the usual one.

        Raises:
            BotError: there was none in time.
        """
        try:
            return self._lines.get(timeout=self.patience if patience is None else patience)
        except Empty:
            raise BotError(
                f"机器人 {self.patience:g} 秒没有回答。", f"the bot did not answer within {self.patience:g} seconds."
            ) from None

    def close(self) -> None:
        """End the process."""
        self.end_input()
        self._process.terminate()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._end()


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a process that is still there."""
    if process.poll() is None:
        process.kill()
        process.wait()


def _limit_memory(pid: int) -> int:
    """Limit the memory of a process that has just begun; return the limit in MiB, 0 for none.

    Only Linux can limit another process. Memory that the process mapped before is counted, so the limit holds from its
    start.
    """
    given = os.environ.get("QUEPU_GUEST_MEMORY", "").strip()
    most = int(given) if given.isascii() and given.isdigit() else _MEMORY
    try:
        from resource import RLIMIT_DATA, prlimit
    except ImportError:
        return 0
    if most:
        with suppress(OSError, ValueError):  # it has ended already, or has a lower limit
            prlimit(pid, RLIMIT_DATA, (most << 20, most << 20))
    return most
