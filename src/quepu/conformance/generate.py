"""Write the conformance files: `python -m quepu.conformance.generate`, from the root of the sources.

Positive cases and near misses are the rows' own; clauses are found among random wins, one for every two fans of which
one excludes the other; hands of rulings are those in their tests; examples are those of the books, each checked against
the printed figures.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import quepu
from quepu.conformance.agreement import KINDS, Case, answer, of_quepu
from quepu.errors import Error
from quepu.json_lines.answers import request_of
from quepu.rulebooks import books, readings
from quepu.rules.play_rules import play_rules
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook
from quepu.rules.rulings import recorded_hands
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

DATA = Path(quepu.__file__).parent / "data" / "conformance"
DOCUMENTS = {"en": Path("docs") / "guide" / "conformance.md", "zh": Path("docs") / "guide" / "conformance.zh.md"}
_KINDS_ZH = ("书中牌例", "成立", "差一点（不成立）", "不计", "裁定", "收付")
_WINS = 2500


def generate_cases(book: Rulebook) -> list[Case]:
    """Return every case of a book."""
    found = [*_examples(book), *_rows(book), *_clauses(book), *_rulings(book), *_payments(book)]
    return [case._replace(id=f"{book.id}-{number:04}") for number, case in enumerate(found, 1)]


def _expect(request: dict[str, Any]) -> dict[str, Any]:
    response = answer(request)
    if "seats" in response:
        return {"seats": response["seats"], "pool": response["pool"]}
    if not response["valid"]:
        return {"valid": False}
    fans = [{"name": fan["name"], "count": fan["count"]} for fan in response["fans"]]
    return {
        "valid": True,
        "points": response["points"],
        "total": response["total"],
        "can_win": response["can_win"],
        "fans": fans,
    }


def _request(book: Rulebook, example: Example) -> dict[str, Any]:
    return {"rules": book.id, **example._asdict()} | {
        "circumstances": list(example.circumstances), "flowers": list(example.flowers),
    }  # fmt: skip


def _of_family(book: Rulebook, name: str) -> str:
    """Return a file of the book's family, "" if it does not have one."""
    file = Path(quepu.__file__).parent / "rulebooks" / book.family / name
    return file.read_text("utf-8") if file.is_file() else ""


def _examples(book: Rulebook) -> Iterator[Case]:
    for one in tomllib.loads(_of_family(book, "examples.toml")).get("example", ()):
        printed = one.get(
            book.id, one if {"fan", "hand"} <= set(one) else None
        )  # 广东 names the fan that each hand shows
        if printed is None:
            continue
        request = {
            "rules": book.id, "hand": one["hand"], "seat": one.get("seat", "E"), "round": one.get("round", "E"),
            "self_draw": one.get("self_draw", False), "circumstances": one.get("circumstances", []), "flowers": [],
        }  # fmt: skip
        expect = _expect(request)
        if not expect["valid"]:
            continue
        names = {fan["name"] for fan in expect["fans"]}
        if printed["fan"] in names or expect["points"] in (printed.get("points"), printed["fan"]):
            at = one.get("at") or one.get("said") or f"例 {printed['number']}"
            ruling = (printed["ruling"],) if "ruling" in printed else ()
            yield Case("", "example", one.get("shows", one.get("fan")), request, expect, at, ruling)


def _rows(book: Rulebook) -> Iterator[Case]:
    for fan in book.fans:
        for kind, example in (("positive", fan.example), ("near miss", fan.near_miss)):
            if example is not None:
                request = _request(book, example)
                yield Case("", kind, fan.name, request, _expect(request), fan.sentence, fan.rulings)


def _clauses(book: Rulebook) -> Iterator[Case]:
    """Yield one hand for every two fans of which one is left out because the other counts."""
    met: set[tuple[str, str]] = set()
    flowers = book.counts_flowers
    for hand in wins(book, _WINS, seed=2026):
        plain = hand if flowers else hand._replace(flowers=())
        data = score_hand(plain, book).to_json(explain=True)
        names = {fan["name"] for fan in data["counted"]}
        out = [
            (fan["by"], fan["name"]) for fan in data["suppressed"] if fan["by"] in names and fan["name"] not in names
        ]
        new = set(out) - met
        if not new:
            continue
        request = {"rules": book.id, **request_of(plain, book)}
        expect = _expect(request)
        if not expect["valid"]:
            continue
        met |= new
        for by, name in sorted(new):
            yield Case("", "clause", name, request, expect, book.fan(by).sentence, book.fan(by).rulings)


def _rulings(book: Rulebook) -> Iterator[Case]:
    """Yield the hands in the tests of each ruling (`tests/ruling_hands.py` records them)."""
    sentences = {ruling.id: ruling.sentence for ruling in book.rulings}
    for id, request in recorded_hands(book):
        yield Case("", "ruling", None, request, _expect(request), sentences[id], (id,))


def _payments(book: Rulebook) -> Iterator[Case]:
    if not book.play:
        return
    rules = play_rules(book)
    points = tomllib.loads(_of_family(book, "examples.toml")).get("payment_points", 3 * max(book.minimum, 1))
    endings: list[dict[str, Any]] = [
        {"winner": winner, "discarder": discarder, "points": points}
        for winner, discarder in (("E", None), ("S", None), ("S", "E"), ("S", "W"), ("E", "N"))
    ]
    plain = {"winner": "N", "discarder": None, "points": points}
    alone = answer({"rules": book.id, "pay": plain})
    given = [plain | {"supplied": supplied} for supplied in ([0, 0, 4, 0], [0, 0, 3, 0])]
    endings += [pay for pay in given if answer({"rules": book.id, "pay": pay}) != alone]
    if rules.ready_value is not None:
        endings.append({"winner": "E", "discarder": None, "points": points, "ready": [None, 16, None, 84]})
    for ending in endings:
        request = {"rules": book.id, "pay": ending}
        try:
            expect = _expect(request)
        except Error:
            continue
        if "seats" in expect:
            yield Case("", "payment", None, request, expect, "收付", ())


def document(lang: str, all_cases: dict[str, list[Case]]) -> str:
    """Return the document of this language with the table of today's cases."""
    heads = {"zh": ["规则", *_KINDS_ZH, "用例"], "en": ["book", *KINDS, "cases"]}[lang]
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(KINDS) + 1)]
    for name, some in all_cases.items():
        counts = [str(sum(case.kind == kind for case in some)) for kind in KINDS]
        lines.append(f"| `{name}` | {' | '.join(counts)} | {len(some)} |")
    text = DOCUMENTS[lang].read_text("utf-8")
    return re.sub(r"^\|.*\n(?:\|.*\n)+", lambda _: "\n".join(lines) + "\n", text, count=1, flags=re.MULTILINE)


def main(arguments: Sequence[str]) -> None:
    """Write the files, the recorded results and the tables of the documents; refuse every argument."""
    argparse.ArgumentParser(prog="python -m quepu.conformance.generate", description=__doc__).parse_args(arguments)
    all_cases = {book.id: generate_cases(book) for book in (*books(), *readings())}
    results = {}
    DATA.mkdir(exist_ok=True)
    for book in (*books(), *readings()):
        some = all_cases[book.id]
        (DATA / f"{book.id}.jsonl").write_text("".join(case.line() + "\n" for case in some), "utf-8")
        passing = sum(verdict.agrees for verdict in of_quepu(some))
        results[book.id] = {"digest": book.fingerprint, "cases": len(some), "passing": passing}
    (DATA.parent / "agreement.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    for lang, path in DOCUMENTS.items():
        path.write_text(document(lang, all_cases), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
