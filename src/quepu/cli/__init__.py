"""The command line: one module per command, imported when it is called.

A command's module has `command`, a `quepu.cli.declared.Declared` (or a `quepu.cli.program.CommandGroup` with commands
of its own); see `quepu.cli.parameters` for the decorator that makes one and the options that commands share.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

_TILES = ("cells", "unicode", "ascii")


def main(argv: Sequence[str] | None = None) -> None:
    """Run `quepu` with these arguments and leave with 0 (done), 2 (bad input) or 1 (anything else)."""
    sys.exit(run(list(sys.argv[1:] if argv is None else argv)))


def run(args: list[str]) -> int:
    """Run `quepu` and return its exit code; no user input leads to a traceback."""
    from quepu.cli import screen
    from quepu.errors import describe_system_refusal

    screen.console.cache_clear()  # width and colour belong to this run
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        code = _run_and_report(args)
        sys.stdout.flush()
        return code
    except OSError as error:
        if os.environ.get("QUEPU_DEBUG"):
            raise
        if error.filename is None:  # output of the program itself: the flush at exit must not fail either
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        else:
            screen.refuse(describe_system_refusal(error), args)
        if not isinstance(error, BrokenPipeError):  # the reader has closed the pipe, which is not an error
            screen.complain(describe_system_refusal(error))
        return 1


def _open_streams() -> None:
    """Replace closed standard streams by streams that lead nowhere."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # as long as the program
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _run_and_report(args: list[str]) -> int:
    """Run the command and print its errors; returns the exit code."""
    from quepu.cli import screen
    from quepu.cli.texts import say, spoken
    from quepu.errors import EXTRAS, Error, missing_extra

    try:
        return _dispatch(_everywhere(args))
    except Error as error:
        screen.refuse(error, args)
        screen.complain(error, source=error.source)
        return 1 if isinstance(error, ImportError) else 2
    except KeyboardInterrupt:
        return 130
    except OSError:
        raise
    except Exception as error:  # the last line of defence: a sentence instead of a traceback
        if os.environ.get("QUEPU_DEBUG"):
            raise
        if isinstance(error, MemoryError):
            text = say("error") + say("bad.memory")
        elif (
            isinstance(error, ModuleNotFoundError)
            and error.name
            and (error.name in EXTRAS or not error.name.startswith("quepu"))
        ):
            from quepu.cli.declared import EXTRAS_OF

            extra = missing_extra(error.name, next((EXTRAS_OF[word] for word in args if word in EXTRAS_OF), ""))
            text = say("error") + (spoken(extra.text) if extra else say("bad.module", name=error.name))
        else:
            text = say("bad.internal", what=f"{type(error).__name__}: {error}")
        screen.refuse(Error(text, text), args)
        print(text, file=sys.stderr)
        return 1


def _everywhere(args: list[str]) -> list[str]:
    """Extract --lang and --tiles from anywhere on the line; they apply to the whole program."""
    from quepu.cli.texts import Chosen, language
    from quepu.errors import UnknownName

    given: dict[str, str] = {}
    rest: list[str] = []
    at = 0
    while at < len(args):
        word = args[at]
        if word == "--":
            rest += args[at:]
            break
        name, equals, value = word.partition("=")
        if name in ("--lang", "--tiles"):
            if not equals:
                at += 1
                value = args[at] if at < len(args) else ""
            given[name] = value.lower()
        else:
            rest.append(word)
        at += 1
    Chosen.lang = language(given.get("--lang"))
    Chosen.tiles = given.get("--tiles", os.environ.get("QUEPU_TILES") or "cells")
    if given.get("--lang", "zh") not in ("zh", "en"):
        raise UnknownName("--lang 只能是 zh 或 en。", "--lang must be zh or en.")
    if Chosen.tiles not in _TILES:
        raise UnknownName("--tiles 只能是 cells、unicode 或 ascii。", "--tiles must be cells, unicode or ascii.")
    return rest


def _dispatch(args: list[str]) -> int:
    if not args and not os.environ.get("_QUEPU_COMPLETE"):
        args = ["shell"]
    if args in (["--version"], ["-V"]):
        import quepu

        print(f"quepu {quepu.__version__}")
        return 0
    if not os.environ.get("_QUEPU_COMPLETE"):
        from importlib import import_module

        from quepu.cli.declared import COMMANDS, Declared

        command = import_module(COMMANDS[args[0]]).command if args[0] in COMMANDS else None
        values = command.read(args[1:]) if isinstance(command, Declared) else None
        if isinstance(command, Declared) and values is not None:
            return command.function(**values)
    from quepu.cli.program import invoke

    if os.environ.get("_QUEPU_COMPLETE", "").startswith("powershell"):
        import quepu.cli.completion  # makes it known to click
    return invoke(args)
