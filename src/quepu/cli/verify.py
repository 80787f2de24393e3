"""`quepu verify LOG`: check a log by replaying it, including the walls committed to before each deal.

Exit 0: the replay agrees, or differs only under other rules than those of the log. Exit 1: the log's own rules give
another result. Exit 2: it cannot be read, or contradicts itself.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from quepu.cli import parameters
from quepu.cli.screen import print_json, show
from quepu.cli.texts import Chosen, in_words_of, join_items, join_words, say, spoken
from quepu.errors import Error, HandError, cannot_read

if TYPE_CHECKING:
    from quepu.match.imports import ImportedLog
    from quepu.match.log import Replay
    from quepu.rules.rulebook import Rulebook


def read(path: str, rules: str = "", *, unfinished: bool = True) -> Replay:
    """Read and check the log in a file.

    Raises:
        Error: the file cannot be read, is another program's record, or has an invalid line.
    """
    from quepu.cli.inputs import rulebook
    from quepu.match.imports import foreign_source
    from quepu.match.log import LogError
    from quepu.match.reader import read_log

    text, book = _text(path), rulebook(rules, recorded=True) if rules else None
    try:
        return read_log(text.splitlines(), book, unfinished=unfinished)
    except LogError:
        if (source := foreign_source(text)) is None:
            raise
        raise HandError(
            f"{path} 是 {source} 的记录，这里只核对雀谱自己的牌谱；quepu replay 和 quepu review 能读它。",
            f"{path} is a {source} record; only quepu's own logs can be verified. quepu replay and "
            "quepu review can read it.",
        ) from None


def load_log(path: str, rules: str = "") -> ImportedLog:
    """Read a log, quepu's own or another program's; everything that could not be imported is printed as notes.

    Raises:
        Error: the file cannot be read, or is not a log.
    """
    from quepu.cli.inputs import rulebook
    from quepu.cli.screen import note
    from quepu.cli.texts import spoken
    from quepu.match.imports import read_any

    imported = read_any(_text(path), rulebook(rules, recorded=True) if rules else None)
    for text in (*imported.lost, *imported.replay.remarks):
        note(spoken(text))
    return imported


_LONGEST = 32 << 20
"""Characters of the longest log accepted: a match of a hundred hands has a fiftieth of that."""


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_LONGEST + 1)
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except UnicodeDecodeError as wrong:
        raise HandError(f"{path} 不是文本文件。", f"{path} is not a text file.") from wrong
    if len(text) > _LONGEST:
        raise HandError(f"{path} 太大，不像牌谱。", f"{path} is too large for a log.")
    return text


@parameters.command(
    "verify",
    parameters.argument("log", "arg.log", default=None),
    parameters.text("--rules", "-r", help="opt.log_rules", metavar="RULES"),
    parameters.json(),
)
def command(log: str, rules: str, json: bool) -> int:
    """Verify."""
    from quepu.match.verdict import judge

    text = _text(log)
    if '"quepu": "walls"' in text[:_HEAD] or '"quepu":"walls"' in text[:_HEAD]:
        return _walls(text, json)
    replay = read(log, rules)
    promised = sum(bool(hand.commitment) for hand in replay.hands)
    shown, withheld = _salts(replay)
    today = _today(replay)
    otherwise = judge(replay, today) if today is not None else []
    verdict = "damaged" if replay.same_rules and replay.problems else "same"
    if verdict == "same" and (replay.problems or otherwise):
        verdict = "differs"
    data = {
        "valid": verdict != "damaged",
        "verdict": verdict,
        "rules": replay.book.id,
        "revision": replay.book.revision,
        "fingerprint": replay.book.fingerprint,
        "played_by": {key: replay.header.get(key) for key in ("rules", "revision", "fingerprint", "quepu")},
        "players": list(replay.match.names),
        "hands": len(replay.hands),
        "lines": replay.lines,
        "finished": replay.finished,
        "commitments": promised,
        "mixed": sum(any(hand.salts) for hand in replay.hands),
        "salts": shown,
        "withheld": withheld,
        "totals": list(replay.match.totals),
        "notes": [text.say(Chosen.lang) for text in replay.notes],
        "problems": [{"line": line, "text": text.say(Chosen.lang)} for line, text in replay.problems],
        "today": [
            {"hand": one.hand, "line": one.line, "then": one.then, "now": one.now, "text": one.text.say(Chosen.lang)}
            for one in otherwise
        ],
    }
    if json:
        print_json(data)
        return int(verdict == "damaged")
    own = in_words_of(replay.match.rules.words)
    show(say(f"verify.{verdict}", lines=replay.lines, hands=len(replay.hands), rules=replay.book.id, **own))
    for remark in replay.remarks:
        show(f"  {spoken(remark)}")
    for one in otherwise:
        show(say("verify.otherwise", hand=one.hand, line=one.line, text=spoken(one.text), **own))
    show(say("verify.promised" if promised else "verify.no_promise", n=promised, **own))
    if shown:
        show(say("verify.mixed", n=data["mixed"], salts=_list_salts(shown, own), **own))
    if withheld:
        show(say("verify.withheld", salts=_list_salts(withheld, own)))
    if not replay.finished:
        show(say("verify.unfinished"))
    standings = join_items(f"{s.rank} {s.name} {s.total:+d}" for s in replay.match.standings())
    show(f"  {standings}")
    return int(verdict == "damaged")


_HEAD = 200
"""Number of characters within which a file of walls identifies itself."""


def _walls(text: str, json: bool) -> int:
    """Check the walls shared by all tables of a round."""
    import json as json_

    from quepu.table.wall import WallError
    from quepu.tournament.walls import verify_walls

    try:
        data = json_.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise HandError("牌墙文件不是 JSON。", "the wall file is not valid JSON.") from wrong
    try:
        count, problem = verify_walls(data), ""
    except WallError as wrong:
        count, problem = 0, spoken(wrong.text)
    if json:
        print_json({"valid": not problem, "walls": count, "commitment": data.get("commitment"), "problem": problem})
    elif problem:
        show(problem)
    else:
        show(say("verify.walls", n=count, round=data.get("round"), commitment=data["commitment"]))
    return int(bool(problem))


def _salts(replay: Replay) -> tuple[dict[str, int], dict[str, int]]:
    """Count the walls with each player's salt, and those where the player committed to a salt and did not reveal it."""
    shown: Counter[str] = Counter()
    withheld: Counter[str] = Counter()
    for hand in replay.hands:
        if hand.sealed is not None:
            for name, commitment, salt in zip(replay.match.names, hand.sealed.commitments, hand.salts, strict=True):
                shown[name] += bool(salt)
                withheld[name] += bool(commitment) and not salt
    return dict(+shown), dict(+withheld)


def _list_salts(hands: dict[str, int], own: dict[str, str]) -> str:
    return join_words(say("verify.salts", name=name, n=n, **own) for name, n in hands.items())


def _today(replay: Replay) -> Rulebook | None:
    """Return the newest revision of the book if the log is of an earlier one."""
    from quepu.rulebooks import book

    try:
        newest = book(replay.book.id.partition("@")[0])
    except Error:  # house rules, or a book that no longer exists
        return None
    if replay.book.chosen:
        newest = newest.having(options=replay.book.chosen)
    return newest if newest.fingerprint != replay.book.fingerprint else None
