"""`quepu lab rarity|points|implications|overlap|redundant|report`: measure one rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

from quepu.cli import parameters
from quepu.cli.files import ending, writable, write
from quepu.cli.lab_output import (
    Outputs,
    book_of_rules,
    deliver,
    open_book,
    outputs,
    progress,
    state_option,
    states_of,
    steps,
)
from quepu.cli.screen import note
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import HandError

if TYPE_CHECKING:
    from quepu.fast.universe.census import Census
    from quepu.fast.universe.standard_hands import HandState
    from quepu.lab.sheet import Sheet
    from quepu.rules.rulebook import Rulebook

    Make = Callable[[Census], list[Sheet]]
    Maker = Callable[[], Make]

_CLOSED = "closed-discard"


def take_census(book: Rulebook, key: str, fresh: bool = False) -> Census:
    """Take the census of a book in a state, with a progress bar.

    Raises:
        HandError: there is not enough memory.
    """
    from quepu.fast.universe.valued import census
    from quepu.lab.states import state

    try:
        with progress(f"{book.id} {spoken(state(key).text)}") as step:
            return census(book, state(key), progress=step, fresh=fresh)
    except MemoryError:
        raise too_little_memory() from None


def too_little_memory() -> HandError:
    """Build the error about too little memory."""
    return HandError(
        "内存不足：枚举约需 500 MB，逐张作和张的状态（closed-each、open-each）约需 800 MB。",
        "not enough memory: an enumeration needs about 500 MB, or 800 MB for every winning "
        "tile in turn (closed-each, open-each).",
    )


def at_once(book: Rulebook, states: list[HandState], jobs: int, cluster: str, fresh: bool) -> None:
    """Take the censuses of several states in parallel (0: all cores) or on a cluster, before they are shown."""
    from quepu.fast.universe.classed_cache import prepare

    if jobs == 1 and not cluster:
        return
    try:
        prepare((book,), states, jobs, cluster, fresh=fresh)
    except MemoryError:
        raise too_little_memory() from None


def of_states(
    book: Rulebook, states: str, default: str, fresh: bool, make: Make, jobs: int = 1, cluster: str = ""
) -> list[Sheet]:
    """Return the tables of every named state; if the work is interrupted, the finished ones, marked partial.

    Raises:
        KeyboardInterrupt: it was interrupted before anything was finished.
    """
    from quepu.lab.states import state as state_of

    found: list[Sheet] = []
    keys = states_of(states, (default,))
    at_once(book, [state_of(key) for key in keys], jobs, cluster, fresh)
    for key in keys:
        try:
            found += make(take_census(book, key, fresh and jobs == 1 and not cluster))
        except KeyboardInterrupt:
            if not found:
                raise
            for sheet in found:
                sheet.partial = True
            break
    return found


def _command(name: str, *more: Any, default: str = _CLOSED, whole: bool = False) -> Callable[[Maker], Any]:
    """Build a command that prints the tables of a book in one state or several."""

    def wrap(tables: Maker) -> Any:
        @parameters.command(
            name, book_of_rules(), state_option(default), *more, parameters.flag("--fresh", help="opt.fresh"),
            parameters.jobs(), parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"), *outputs(),
        )  # fmt: skip
        def command(rules: str, state: str, fresh: bool, jobs: int, cluster: str, **where: Unpack[Outputs]) -> int:
            book = open_book(rules, where)
            sheets = of_states(book, state, default, fresh, tables(), jobs, cluster)
            return deliver(sheets, where, whole=whole)

        return command

    return wrap


@parameters.command(
    "lab.rarity",
    book_of_rules(),
    state_option(),
    parameters.flag("--least", help="opt.least"),
    parameters.flag("--publish", help="opt.publish"),
    parameters.flag("--fresh", help="opt.fresh"),
    parameters.jobs(),
    parameters.text("--cluster", help="opt.cluster", metavar="ADDRESS"),
    *outputs(),
)
def rarity(
    rules: str, state: str, least: bool, publish: bool, fresh: bool, jobs: int, cluster: str, **where: Unpack[Outputs]
) -> int:
    """Rarity."""
    book = open_book(rules, where)
    from quepu.lab.rarity import rarity_sheet

    if publish:
        return _publish(book)
    if least:
        sheets = [_least(book, state, fresh, jobs, cluster)]
    else:
        sheets = of_states(book, state, _CLOSED, fresh, lambda census: [rarity_sheet(census)], jobs, cluster)
    return deliver(sheets, where, whole=True)


def _publish(book: Rulebook) -> int:
    from quepu.lab.published_figures import publish

    def watch(state: HandState, n: int, all_: int) -> None:
        note(f"{n + 1}/{all_} {spoken(state.text)}")

    note(say("lab.written", path=publish(book, watch)))
    return 0


def _least(book: Rulebook, states: str, fresh: bool, jobs: int, cluster: str) -> Sheet:
    from quepu.fast.universe.valued import census
    from quepu.lab.rarity import least_sheet
    from quepu.lab.states import all_states, state

    wanted = [state(key) for key in states_of(states, ())] if states else list(all_states(book))
    at_once(book, wanted, jobs, cluster, fresh)
    fresh = fresh and jobs == 1 and not cluster
    done: list[Census] = []
    cut = False
    for at, one in enumerate(wanted):
        try:
            with progress(f"{at + 1}/{len(wanted)} {spoken(one.text)}") as step:
                done.append(census(book, one, progress=step, fresh=fresh))
        except MemoryError:
            raise too_little_memory() from None
        except KeyboardInterrupt:
            if not done:
                raise
            cut = True
            break
    sheet = least_sheet(book, done)
    sheet.partial = cut
    return sheet


@_command("lab.points")
def points() -> Make:
    """Points."""
    from quepu.lab.points import biggest, distribution

    return lambda census: [distribution(census), biggest(census)]


@_command("lab.implications")
def implications() -> Make:
    """Implications."""
    from quepu.lab.relations import compare_declared
    from quepu.lab.relations import implications as implied

    return lambda census: [implied(census), compare_declared(census)]


@_command("lab.overlap")
def overlap() -> Make:
    """Overlap."""
    from quepu.lab.relations import overlap as overlapping

    return lambda census: [overlapping(census)]


@_command("lab.redundant", whole=True)
def redundant() -> Make:
    """Redundant."""
    from quepu.lab.relations import redundant as striking

    def make(census: Census) -> list[Sheet]:
        with progress(say("lab.striking")) as step:
            return [striking(census, step)]

    return make


@parameters.command(
    "lab.report",
    book_of_rules(),
    parameters.text("--output", "-o", help="opt.output", metavar="FILE"),
    parameters.text("--played", help="opt.played", metavar="FILE"),
)
def report(rules: str, output: str, played: str) -> int:
    """Report."""
    book = open_book(rules, page=True)
    from quepu.lab.played import read_played
    from quepu.lab.report import report as made

    sources = [read_played(name) for name in played.split(",") if name]
    path = output or f"{book.id}.html"
    writable(path)
    ending(path, ".html")
    try:
        with steps() as watch:
            page, cut = made(book, Chosen.lang, lambda text: watch(spoken(text)), sources, rules)
    except MemoryError:
        raise too_little_memory() from None
    write(page, path)
    if cut:
        note(say("lab.partial"))
    return int(cut)
