"""`quepu lab rarity|points|implications|overlap|redundant|report`: one rulebook by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.cli import options
from quepu.cli.lab_output import (
    book_of_rules,
    deliver,
    opened,
    outputs,
    progress,
    state_option,
    states_of,
    steps,
    writable,
    write,
)
from quepu.cli.screen import note
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import HandError

if TYPE_CHECKING:
    from quepu.lab.census import Census
    from quepu.lab.universe import State
    from quepu.rulebook import Rulebook

_CLOSED = "closed-discard"


def taken(book: Rulebook, key: str, fresh: bool = False) -> Census:
    """The census of a book in a state, with a progress bar.

    Raises:
        HandError: there is not enough memory.
    """
    from quepu.lab.states import state
    from quepu.lab.store import census

    try:
        with progress(f"{book.id} {spoken(state(key).text)}") as step:
            return census(book, state(key), progress=step, keep=not fresh)
    except MemoryError:
        raise HandError(
            "内存不足：枚举约需 500 MB。", "not enough memory: an enumeration needs about 500 MB."
        ) from None


@options.command(
    "lab.rarity",
    book_of_rules(),
    state_option(),
    options.flag("--least", help="opt.least"),
    options.flag("--publish", help="opt.publish"),
    options.flag("--fresh", help="opt.fresh"),
    *outputs(),
)
def rarity(
    rules: str,
    state: str,
    least: bool,
    publish: bool,
    fresh: bool,
    json: bool,
    csv: str,
    markdown: str,
    plot: str,
    every: bool,
) -> int:
    """Rarity."""
    book = opened(rules, plot)
    from quepu.lab.rarity import rarity_sheet

    if publish:
        return _publish(book)
    if least:
        return _least(book, state, fresh, json=json, csv=csv, markdown=markdown, plot=plot, every=every)
    sheets = []
    cut = False
    for key in states_of(state, (_CLOSED,)):
        try:
            sheets.append(rarity_sheet(taken(book, key, fresh)))
        except KeyboardInterrupt:
            if not sheets:
                raise
            cut = True
            break
    for sheet in sheets:
        sheet.partial = cut
    return deliver(sheets, json=json, csv=csv, markdown=markdown, plot=plot, every=every, whole=True)


def _publish(book: Rulebook) -> int:
    from quepu.lab.tables import publish

    def watch(state: State, n: int, all_: int) -> None:
        note(f"{n + 1}/{all_} {spoken(state.text)}")

    note(say("lab.written", path=publish(book, watch)))
    return 0


def _least(
    book: Rulebook, states: str, fresh: bool, *, json: bool, csv: str, markdown: str, plot: str, every: bool
) -> int:
    from quepu.lab.rarity import least_sheet
    from quepu.lab.states import all_states, state
    from quepu.lab.store import census

    asked = [state(key) for key in states_of(states, ())] if states else all_states(book)
    done: list[Census] = []
    cut = False
    for at, one in enumerate(asked):
        try:
            with progress(f"{at + 1}/{len(asked)} {spoken(one.text)}") as step:
                done.append(census(book, one, progress=step, keep=not fresh))
        except KeyboardInterrupt:
            if not done:
                raise
            cut = True
            break
    sheet = least_sheet(book, done)
    sheet.partial = cut
    return deliver([sheet], json=json, csv=csv, markdown=markdown, plot=plot, every=every, whole=True)


@options.command(
    "lab.points", book_of_rules(), state_option(_CLOSED), options.flag("--fresh", help="opt.fresh"), *outputs()
)
def points(rules: str, state: str, fresh: bool, json: bool, csv: str, markdown: str, plot: str, every: bool) -> int:
    """Points."""
    book = opened(rules, plot)
    from quepu.lab.points import biggest, distribution

    census = taken(book, states_of(state, (_CLOSED,))[0], fresh)
    return deliver(
        [distribution(census), biggest(census)], json=json, csv=csv, markdown=markdown, plot=plot, every=every
    )


@options.command(
    "lab.implications", book_of_rules(), state_option(_CLOSED), options.flag("--fresh", help="opt.fresh"), *outputs()
)
def implications(
    rules: str, state: str, fresh: bool, json: bool, csv: str, markdown: str, plot: str, every: bool
) -> int:
    """Implications."""
    book = opened(rules, plot)
    from quepu.lab.relations import declared
    from quepu.lab.relations import implications as implied

    census = taken(book, states_of(state, (_CLOSED,))[0], fresh)
    return deliver([implied(census), declared(census)], json=json, csv=csv, markdown=markdown, plot=plot, every=every)


@options.command(
    "lab.overlap", book_of_rules(), state_option(_CLOSED), options.flag("--fresh", help="opt.fresh"), *outputs()
)
def overlap(rules: str, state: str, fresh: bool, json: bool, csv: str, markdown: str, plot: str, every: bool) -> int:
    """Overlap."""
    book = opened(rules, plot)
    from quepu.lab.relations import overlap as overlapping

    census = taken(book, states_of(state, (_CLOSED,))[0], fresh)
    return deliver([overlapping(census)], json=json, csv=csv, markdown=markdown, plot=plot, every=every)


@options.command(
    "lab.redundant", book_of_rules(), state_option(_CLOSED), options.flag("--fresh", help="opt.fresh"), *outputs()
)
def redundant(rules: str, state: str, fresh: bool, json: bool, csv: str, markdown: str, plot: str, every: bool) -> int:
    """Redundant."""
    book = opened(rules, plot)
    from quepu.lab.relations import redundant as striking

    census = taken(book, states_of(state, (_CLOSED,))[0], fresh)
    with progress(say("lab.striking")) as step:
        sheet = striking(census, step)
    return deliver([sheet], json=json, csv=csv, markdown=markdown, plot=plot, every=every, whole=True)


@options.command(
    "lab.report",
    book_of_rules(),
    options.text("--output", "-o", help="opt.output", metavar="FILE"),
    options.text("--played", help="opt.played", metavar="FILE"),
)
def report(rules: str, output: str, played: str) -> int:
    """Report."""
    book = opened(rules, "report.html")
    from quepu.lab.played import read_played
    from quepu.lab.report import report as made

    sources = [read_played(name) for name in played.split(",") if name]
    path = output or f"{book.id}.html"
    writable(path)
    with steps() as watch:
        page = made(book, Chosen.lang, lambda text: watch(spoken(text)), sources)
    write(page, path)
    return 0
