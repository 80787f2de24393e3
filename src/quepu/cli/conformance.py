"""`quepu conformance`: run each rulebook's cases on quepu or on another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import pick, say, spoken
from quepu.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from quepu.conformance.agreement import CaseVerdict

_MOST = 20
_KINDS = {
    "example": "conformance.example", "positive": "conformance.positive", "near miss": "conformance.near_miss",
    "clause": "conformance.clause", "ruling": "conformance.ruling", "payment": "conformance.payment",
}  # fmt: skip


@parameters.command(
    "conformance",
    parameters.book_argument("name", "arg.conformance.book", default=""),
    parameters.text("--against", help="opt.program", metavar="COMMAND"),
    parameters.json(),
)
def command(name: str, against: str, json: bool) -> int:
    """Conformance."""
    from quepu.conformance.agreement import cases, of_program, of_quepu
    from quepu.errors import HandError
    from quepu.rulebooks import books, readings

    wrong = 0
    result: list[dict[str, Any]] = []
    for book in [rulebook(name)] if name else (*books(), *readings()):
        some = cases(book.id)
        if not some:
            raise HandError(f"{book.title.zh}没有对照例。", f"{book.title.en} has no conformance cases.")
        verdicts = of_program(some, against) if against else of_quepu(some)
        wrong += sum(not verdict.agrees for verdict in verdicts)
        if json:
            result.append(_to_data(book, verdicts))
        else:
            _show(book, verdicts)
    if json:
        print_json(result[0] if name else result)
    return 1 if wrong else 0


def _to_data(book: Rulebook, verdicts: list[CaseVerdict]) -> dict[str, Any]:
    from quepu.conformance.agreement import by_fan

    return {
        "rules": book.id,
        "cases": len(verdicts),
        "agreeing": sum(verdict.agrees for verdict in verdicts),
        "by_fan": [agreement._asdict() for agreement in by_fan(verdicts)],
        "differing": [
            {"id": v.case.id, "request": v.case.request, "expect": v.case.expect, "answer": v.answer}
            for v in verdicts
            if not v.agrees
        ],
    }


def _show(book: Rulebook, verdicts: list[CaseVerdict]) -> None:
    from quepu.conformance.agreement import by_fan

    right = sum(verdict.agrees for verdict in verdicts)
    show(f"{spoken(book.title)}  {say('conformance.sum', right=right, cases=len(verdicts))}")
    parts = []
    for kind, name in _KINDS.items():
        some = [verdict for verdict in verdicts if verdict.case.kind == kind]
        if some:
            parts.append(f"{say(name)} {sum(verdict.agrees for verdict in some)}/{len(some)}")
    show("  " + pick("，", ", ").join(parts))
    off = [one for one in by_fan(verdicts) if one.fans < one.cases]
    if not off:
        return
    heads = ["head.fan", "conformance.cases", "conformance.points", "conformance.fans"]
    grid = table([say(head) for head in heads], right=[1, 2, 3])
    for one in off:
        grid.add_row(one.name, str(one.cases), str(one.points), str(one.fans))
    show(grid)
    for verdict in [v for v in verdicts if not v.agrees][:_MOST]:
        requested, expect, line = verdict.case.request, verdict.case.expect, verdict.answer
        what = requested.get("hand") or requested.get("pay")
        wanted, found = (x.get("points", x.get("seats", "-")) for x in (expect, line))
        show(f"  {verdict.case.id}  {what}  {say('conformance.differs', expect=wanted, answer=found)}")
