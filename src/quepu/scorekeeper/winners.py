"""Several winners in one record, and the facts of a win on which liability for it (包) depends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product, zip_longest

from quepu.errors import HandError, Text
from quepu.hands.hand import Meld, MeldKind
from quepu.match.match import Match
from quepu.rules.play_rules import SEATS, Ending, SeatWin, WinFacts
from quepu.scorekeeper.records import Entered, HandRecord

_GIVERS = {"right": 1, "across": 2, "left": 3}


def separate_winners(record: HandRecord) -> list[HandRecord]:
    """Return a record of each winner alone.

    Raises:
        HandError: further winners are given, but not the first.
    """
    if record.winner is None:
        raise HandError(
            "写了同一张牌上另外和牌的人，没有写第一个和牌的人。",
            "further winners are given without a first one: enter the winner.",
        )
    first = record.model_copy(update={"also": []})
    return [first, *(first.model_copy(update=dict(other)) for other in record.also)]


def join_wins(match: Match, each: Sequence[Entered]) -> Entered:
    """Return one ending of several winners of the same tile, in turn order from the discarder."""
    discarder = each[0].ending.discarder or 0
    wins = [(one.ending.winners[0], one.how) for one in each]
    wins.sort(key=lambda one: (one[0].seat - discarder) % SEATS)
    names = [match.names[match.place.seats[win.seat]] for win, _ in wins]
    how = [(name, one) for name, (_, one) in zip(names, wins, strict=True) if one is not None]
    text = Text(
        "；".join(f"{name}：{one.zh}" for name, one in how), "; ".join(f"{name}: {one.en}" for name, one in how)
    )
    ending = each[0].ending._replace(winners=tuple(win for win, _ in wins))
    remarks = tuple(dict.fromkeys(remark for one in each for remark in one.remarks))
    problems = tuple(dict.fromkeys(problem for one in each for problem in one.problems))
    return Entered(ending, text if how else None, each[0].ready, remarks, problems)


def possible_liable(
    win: SeatWin, givers: Sequence[str | None], discarder: int | None, find: Callable[[WinFacts], int | None]
) -> set[int | None]:
    """Return the seats that may be liable for a win, one if all givers are known; empty if its tiles are unknown."""
    if win.score is None:
        return set()
    melds = win.score.hand.melds
    others = [seat for seat in range(SEATS) if seat != win.seat]
    sources = [_source(win.seat, *one) for one in zip_longest(melds, givers[: len(melds)])]
    choices = [
        others if giver is None and meld.exposed else [giver] for meld, giver in zip(melds, sources, strict=True)
    ]
    ways = (tuple(zip(melds, way, strict=True)) for way in product(*choices))
    return {find(WinFacts(win.seat, way, discarder, hand=win.score.hand)) for way in ways}


def remark_on_liable(match: Match, ending: Ending) -> tuple[Text, ...]:
    """Say that the player liable for a win pays no more than without it: another seat discarded the tile."""
    win = ending.winners[0]
    if win.liable in (None, ending.discarder):
        return ()
    without = ending._replace(winners=(win._replace(liable=None),))
    with_it, without_it = ([flow[:3] for flow in match.rules.settle(one, match.book)] for one in (ending, without))
    if with_it != without_it:
        return ()
    name = match.names[match.place.seats[win.liable]]
    return (
        Text(
            f"由别家出冲，照出冲付，{name}不另付。", f"another player discarded the tile: {name} pays no more for it."
        ),
    )


def _source(winner: int, meld: Meld, giver: str | None) -> int | None:
    """Return the seat that gave the tile of a meld; None if none did or it is unknown."""
    if meld.kind is MeldKind.CHOW:
        return (winner - 1) % SEATS
    return None if giver is None or not meld.exposed else (winner + _GIVERS[giver]) % SEATS
