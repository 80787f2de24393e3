"""Put cases to quepu or to another program, and report where the answers agree.

A case is a request as `quepu score --jsonl` reads it, the answer that is expected, and the sentence it rests on.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from quepu.errors import Error, HandError, many
from quepu.json_lines.answers import score_object
from quepu.match.settle import settle
from quepu.rulebooks import book as find
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.tiles import WINDS
from quepu.version import __version__

KINDS: Final = ("example", "positive", "near miss", "clause", "ruling", "payment")


class Case(NamedTuple):
    """One case. `expect` has points, total and fans (names and counts), or seats and pool of a payment."""

    id: str
    kind: str
    """example (of the book itself), positive and near miss (of `fan`), clause (`fan` holds and is not counted), ruling
    (a hand that a ruling decides), payment (who pays: `request` has `pay` instead of a hand)."""
    fan: str | None
    request: dict[str, Any]
    expect: dict[str, Any]
    sentence: str
    rulings: tuple[str, ...] = ()

    def line(self) -> str:
        """Return the case as a line of JSON."""
        return json.dumps(self._asdict(), ensure_ascii=False)


def _text(name: str) -> str | None:
    file = resources.files("quepu").joinpath(f"data/{name}")
    return file.read_text("utf-8") if file.is_file() else None


def cases(book_id: str) -> list[Case]:
    """Return the cases of a registered book; none for a house rule.

    Raises HandError where the package with the cases, quepu-data, is not installed.
    """
    if not resources.files("quepu").joinpath("data/conformance").is_dir():
        install = f"pip install quepu-data=={__version__}"
        raise HandError(
            f"对照例随 quepu-data 安装：{install}", f"the conformance cases come with quepu-data: {install}"
        )
    text = _text(f"conformance/{book_id}.jsonl") or ""
    return [Case(**{**data, "rulings": tuple(data["rulings"])}) for data in map(json.loads, text.splitlines())]


@cache
def _results() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_text("agreement.json") or "{}")
    return found


def load_agreement(book_id: str, digest: str) -> tuple[int, int] | None:
    """Return how many cases passed, of how many, when this book was last run.

    None if its scores may have changed since. digest: the book's fingerprint, which changes with its scores
    (`Rulebook.fingerprint`).
    """
    one = _results().get(book_id)
    return (one["passing"], one["cases"]) if one and one["digest"] == digest else None


_LONGEST = 600.0


class CaseVerdict(NamedTuple):
    """A case, the answer, and whether it is right in points and in fans (a payment has no fans)."""

    case: Case
    answer: dict[str, Any]
    points: bool
    fans: bool

    @property
    def agrees(self) -> bool:
        """Whether the answer has everything expected."""
        return self.points and self.fans


class Agreement(NamedTuple):
    """Agreement of the cases of a fan (or of a kind): how many agree."""

    name: str
    cases: int
    points: int
    fans: int


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return quepu's own answer to a request of a case."""
    if "pay" not in request:
        return score_object(request)
    try:
        return _pay(request)
    except Error as error:
        return {"valid": False, "error": error.say("zh")}


def _pay(request: dict[str, Any]) -> dict[str, Any]:
    book, pay = find(request["rules"]), request["pay"]
    ready = pay.get("ready", [None] * 4)
    ending = Ending(
        (SeatWin(WINDS.index(pay["winner"]), pay["points"], tuple(pay.get("supplied", (0, 0, 0, 0)))),),
        self_draw=pay["discarder"] is None,
        discarder=None if pay["discarder"] is None else WINDS.index(pay["discarder"]),
        ready=(ready[0], ready[1], ready[2], ready[3]),
    )
    made = settle(ending, book, play_rules(book))
    return {"valid": True, "seats": list(made.seats), "pool": made.pool}


def of_quepu(some: Iterable[Case]) -> list[CaseVerdict]:
    """Put the cases to quepu."""
    return [compare(case, answer(case.request)) for case in some]


def of_program(some: Sequence[Case], command: str) -> list[CaseVerdict]:
    """Put the cases to a program that reads and answers one JSON object per line; payments are left out.

    Raises:
        HandError: it cannot be started, takes more than ten minutes, or answers too few lines or no JSON.
    """
    sent = [case for case in some if case.kind != "payment"]
    text = "".join(json.dumps(case.request, ensure_ascii=False) + "\n" for case in sent)
    try:
        done = subprocess.run(  # noqa: S603  # the user names the program
            shlex.split(command), input=text, capture_output=True, text=True, timeout=_LONGEST, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise HandError(f"程序运行失败：{error}", f"the program failed: {error}") from None
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    if len(lines) < len(sent):
        raise HandError(
            f"问了 {len(sent)} 手，只答了 {len(lines)} 行。",
            f"{many(len(sent), 'hand')} sent, but {many(len(lines), 'line')} came back.",
        )
    found = []
    for number, (case, line) in enumerate(zip(sent, lines, strict=False), 1):
        try:
            response = json.loads(line)
        except ValueError:
            raise HandError(f"第 {number} 行不是 JSON。", f"line {number} of the answers is not valid JSON.") from None
        found.append(compare(case, response if isinstance(response, dict) else {}))
    return found


def compare(case: Case, response: dict[str, Any]) -> CaseVerdict:
    """Compare an answer with the case."""
    expect = case.expect
    if "seats" in expect:
        right = response.get("seats") == expect["seats"] and response.get("pool", 0) == expect["pool"]
        return CaseVerdict(case, response, right, True)
    if not expect["valid"]:
        right = response.get("valid") is False
        return CaseVerdict(case, response, right, right)
    points = response.get("valid") is True and all(response.get(key) == expect[key] for key in ("points", "total"))
    return CaseVerdict(case, response, points, points and _fans(response.get("fans")) == _fans(expect["fans"]))


def _fans(fans: Any) -> list[tuple[str, int]]:
    try:
        return sorted((str(fan["name"]), int(fan.get("count", 1))) for fan in fans)
    except (TypeError, KeyError, ValueError, AttributeError):
        return []


def by_fan(verdicts: Iterable[CaseVerdict]) -> list[Agreement]:
    """Group the agreement by fan; cases without a fan by kind."""
    groups: dict[str, list[CaseVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.case.fan or verdict.case.kind, []).append(verdict)
    return [
        Agreement(name, len(some), sum(v.points for v in some), sum(v.agrees for v in some))
        for name, some in groups.items()
    ]
