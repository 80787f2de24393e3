"""`quepu verify LOG`: play a log again and check everything in it, the walls promised before each deal included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.cli import options
from quepu.cli.screen import print_json, show
from quepu.cli.texts import say
from quepu.errors import HandError, cannot_read

if TYPE_CHECKING:
    from quepu.match.importing import Brought
    from quepu.match.log import Replay


def read(path: str, rules: str = "", *, unfinished: bool = True) -> Replay:
    """The log in a file, checked.

    Raises:
        Error: the file cannot be read, or a line of it is wrong.
    """
    from quepu.cli.inputs import rulebook
    from quepu.match.reader import read_log

    return read_log(_text(path).splitlines(), rulebook(rules) if rules else None, unfinished=unfinished)


def bring(path: str, rules: str = "") -> Brought:
    """The log in a file, quepu's own or another program's; what of it could not be kept is noted.

    Raises:
        Error: the file cannot be read, or it is no log.
    """
    from quepu.cli.inputs import rulebook
    from quepu.cli.screen import note
    from quepu.cli.texts import spoken
    from quepu.match.importing import read_any

    brought = read_any(_text(path), rulebook(rules) if rules else None)
    for text in brought.lost:
        note(spoken(text))
    return brought


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except UnicodeDecodeError as wrong:
        raise HandError(f"{path} 不是文本文件。", f"{path} is no text file.") from wrong


@options.command(
    "verify",
    options.argument("log", "arg.log", default=None),
    options.text("--rules", "-r", help="opt.log_rules", metavar="BOOK"),
    options.json(),
)
def command(log: str, rules: str, json: bool) -> int:
    """Verify."""
    replay = read(log, rules)
    promised = sum(bool(hand.commitment) for hand in replay.hands)
    told = {
        "valid": True,
        "rules": replay.book.id,
        "fingerprint": replay.book.fingerprint,
        "players": list(replay.match.names),
        "hands": len(replay.hands),
        "lines": replay.lines,
        "finished": replay.finished,
        "commitments": promised,
        "totals": list(replay.match.totals),
    }
    if json:
        print_json(told)
        return 0
    show(say("verify.good", lines=replay.lines, hands=len(replay.hands), rules=replay.book.id))
    show(say("verify.promised" if promised else "verify.no_promise", n=promised))
    if not replay.finished:
        show(say("verify.unfinished"))
    standings = "　".join(f"{s.rank} {s.name} {s.total:+d}" for s in replay.match.standings())
    show(f"  {standings}")
    return 0
