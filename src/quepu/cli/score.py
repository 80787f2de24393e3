"""`quepu score`: explain one hand, or answer lines of JSON one by one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, Unpack

from quepu.cli import parameters
from quepu.cli.inputs import HandOptions, apply_situation, each_hand, error_source, hand_of, rulebook, settings_of
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import HandError, NotAWin, cannot_read
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook


@parameters.command(
    "score",
    parameters.hand(piped=True),
    parameters.rules(),
    *parameters.winds(),
    parameters.self_draw(),
    parameters.luck(),
    parameters.flowers(),
    parameters.json(),
    parameters.flag("--jsonl", help="opt.jsonl"),
    parameters.jobs(),
    parameters.flag("--explain", "-x", help="opt.explain"),
)
def command(
    hand: str,
    rules: str,
    json: bool,
    jsonl: bool,
    jobs: int,
    explain: bool,
    **options: Unpack[HandOptions],
) -> int:
    """Score."""
    if jsonl:
        if json:
            raise HandError(
                "--jsonl 一次回答一行，不与 --json 同用。",
                "--jsonl answers line by line; it cannot be combined with --json.",
            )
        if any(options[key] for key in ("self_draw", "with_", "flowers")) or {options["seat"], options["round"]} != {
            "E"
        }:
            raise HandError(
                "--jsonl 时每行自带门风、情形与花牌，只可另加 --rules 和 --explain。",
                "with --jsonl each line has its own winds, circumstances and flowers; only --rules and "
                "--explain can be added.",
            )
        return stream(hand, rulebook(rules), explain, jobs)
    settings = settings_of(options)
    return each_hand(hand, lambda text: one(text, rules, settings, json=json, explain=explain), json=json)


def one(text: str, rules: str, settings: dict[str, object], *, json: bool, explain: bool) -> int:
    """Score one hand and show it; with `json`, even an error is one document on standard output."""
    from quepu.cli.screen import print_json
    from quepu.scoring.score import score_hand

    if not text.strip():
        raise HandError(
            "请写一手牌，例如：quepu score '11223sCC(NNNN)(123s)+3s'。",
            "give a hand, for example: quepu score '11223sCC(NNNN)(123s)+3s'.",
        )
    book = rulebook(rules)
    with error_source(text):
        hand = apply_situation(hand_of(text), book, settings)
        if hand.winning is None and len(hand.concealed) % 3 == 2:
            return show_unmarked(hand, book, json=json)
    try:
        score = score_hand(hand, book)
    except NotAWin as error:
        if not json:
            error.hint = _hint(hand, book)
        raise
    if json:
        print_json(score.to_json(explain=explain, lang=Chosen.lang))
        return 0
    from quepu.cli.score_view import show_score

    show_score(score, explain=explain)
    return 0


def show_unmarked(hand: Hand, book: Rulebook, *, json: bool) -> int:
    """Show each kind's score as the last of fourteen tiles without `+`.

    Raises:
        NotAWin: they are not a win.
    """
    from quepu.cli.screen import print_json
    from quepu.scoring.completion import completion

    found = completion(hand, book)
    if json:
        print_json(found.to_json(Chosen.lang))
        return 0
    if not found.tiles:
        raise NotAWin(*found.headline())
    from quepu.cli.waits import show_completion

    show_completion(found, book)
    return 0


def _hint(hand: Hand, book: Rulebook) -> str:
    """Say how the hand stands if it is not a win: its waits, or how far it is from ready."""
    from quepu.hands.notation import tiles_text
    from quepu.scoring.waits import outlook
    from quepu.shapes.distance import readiness_text

    if len(hand.concealed) % 3 != 1:
        return ""
    look = outlook(hand._replace(winning=None, luck=0), book)
    if look.waits:
        return say("hint.waits", tiles=" ".join(tiles_text([wait.tile]) for wait in look.waits))
    return say("hint.steps", distance=spoken(readiness_text(look.missing)))


def stream(path: str, book: Rulebook, explain: bool, jobs: int = 1) -> int:
    """Score every line of a file or of standard input in constant memory."""
    from quepu.json_lines.answers import score_lines

    write, flush = sys.stdout.write, sys.stdout.flush
    wrong = _Wrong()
    with _lines(path) as lines:
        eager = not path or path == "-"  # the other end of a pipe waits for the answer
        source = _watch(lines)
        if jobs == 1 and eager:
            answers = score_lines(source, book, explain=explain, lang=Chosen.lang)
        else:
            from quepu.json_lines.parallel import answer_in_parallel

            answers = answer_in_parallel(source, book, jobs=jobs, explain=explain, lang=Chosen.lang)
        for number, answer in enumerate(answers, 1):  # one answer per line
            wrong.look(number, answer)
            write(answer + "\n")
            if eager:
                flush()
    flush()
    wrong.report()
    return 0


class _Wrong:
    """Refused lines, by their line number in the file (the reasons are in the responses)."""

    MOST = 10

    def __init__(self) -> None:
        self.n = 0
        self.first: list[int] = []

    def look(self, number: int, answer: str) -> None:
        if answer.startswith('{"valid": false'):
            self.n += 1
            if self.n <= self.MOST:
                self.first.append(number)

    def report(self) -> None:
        if self.n:
            listed = ", ".join(map(str, self.first)) + (" …" if self.n > self.MOST else "")
            print(say("jsonl.wrong", n=self.n, lines=listed), file=sys.stderr)


@contextmanager
def _lines(path: str) -> Iterator[TextIO]:
    try:
        name: str | int = 0 if path in ("", "-") else path
        file = open(name, encoding="utf-8-sig", errors="replace", closefd=name != 0)  # noqa: SIM115  # 0 is stdin
    except OSError as error:
        raise cannot_read(path, error) from None
    try:
        yield file
    finally:
        file.close()


def _watch(lines: Iterable[str]) -> Iterator[str]:
    """Yield the same lines; show progress on standard error if it is a terminal."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from lines
        return
    begun = shown = time.monotonic()
    n = 0
    for n, line in enumerate(lines, 1):
        yield line
        if n % 256 == 0 and (now := time.monotonic()) - shown > 0.2:
            shown = now
            rate = int(n / (now - begun))
            print(f"\r{say('jsonl.progress', n=n, rate=rate)}", end="", file=sys.stderr, flush=True)
    seconds = f"{time.monotonic() - begun:.1f}"
    print(f"\r\033[K{say('jsonl.done', n=n, seconds=seconds)}", file=sys.stderr)
