"""Enter a hand event by event in `quepu match`: a table follows the events, with unknown tiles where unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.cli.board import show_board
from quepu.cli.hand_words import player
from quepu.cli.inputs import natural
from quepu.cli.record_lines import record
from quepu.cli.screen import show
from quepu.cli.texts import join_words, pick, say, spoken
from quepu.errors import Error, HandError
from quepu.folding import fold
from quepu.tiles import WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.cli.scorekeeper import Scorekeeper
    from quepu.table.facts import Fact
    from quepu.table.referee import Reconstruction


def follow(keeper: Scorekeeper) -> Reconstruction:
    """Return the hand as far as it was entered."""
    from quepu.table.facts import read_fact
    from quepu.table.referee import reconstruct

    match = keeper.ledger.match
    return reconstruct(match.book, [read_fact(line) for line in keeper.unfinished or ()], round=match.place.round_wind)


def begin(keeper: Scorekeeper) -> None:
    """Begin to enter the next hand; players already barred from it stay barred."""
    from quepu.table.events import Barred
    from quepu.table.facts import Fact

    if keeper.ledger.over:
        raise HandError(f"这一{keeper.own['match']}已经打完了。", "this match is finished.")
    seats = keeper.ledger.match.place.seats
    keeper.unfinished = [Fact(Barred, seats.index(player)).write() for player in sorted(keeper.ledger.barred)]
    keeper.save()
    show(say("told.help", **keeper.own))
    show_turn(keeper, follow(keeper))


def answer(keeper: Scorekeeper, words: list[str]) -> None:
    """Carry out one line while a hand is being entered.

    Raises:
        Error: it was not understood, or is impossible; nothing has changed then.
    """
    assert keeper.unfinished is not None  # noqa: S101  # called only while a hand is being entered
    word = fold(words[0]) if len(words) == 1 else ""
    if not words or word in ("完", "end"):
        finish(keeper)
    elif word in ("?", "？", "help", "帮助"):
        show(say("told.help", **keeper.own))
    elif word in ("b", "board", "桌"):
        _show_board(keeper)
    elif word in ("cancel", "弃", "放弃"):
        keeper.unfinished = None
        keeper.save()
        keeper.show_standings()
    elif word in ("u", "undo", "撤"):
        _undo(keeper)
    elif fold(words[0]) in ("罚", "f", "fault"):
        _fault(keeper, words)
    elif fold(words[0]) in ("免", "revoke") and len(words) == 2 and natural(words[1]) is not None:
        keeper.revoke(keeper.number(words[1:]))
        _free(keeper)
    else:
        add(keeper, read(keeper, words))


def read(keeper: Scorekeeper, words: list[str]) -> Fact:
    """Read a fact: who (a name, a wind; by default the seat to act), what, which tile; a tile alone is a discard.

    Raises:
        Error: it was not understood.
    """
    from quepu.table.events import ChowClaimed, Discarded, Exhausted, HandShown
    from quepu.table.facts import event_of, read_fact
    from quepu.table.referee import let_pass

    match = keeper.ledger.match
    if event_of(words[0]) is Exhausted:
        return read_fact(words[0])
    if event_of(words[0]) is HandShown and len(words) > 2:
        words = [words[1], words[0], *words[2:]]  # 亮 南 …
    rest = words
    seat: int | None = None
    if len(words) > 1 and event_of(words[0]) is None:
        try:
            seat = match.place.seats.index(player(match, words[0]))
            rest = words[1:]
        except Error:
            if event_of(words[1]) is None and fold(words[1]) not in ("drawn", "hand", "摸切", "手切", "ready"):
                raise
    if seat is None:
        table = follow(keeper).table.copy()
        let_pass(table)
        seat = table.turn
        if event_of(words[0]) is ChowClaimed:
            seat = (next((e.seat for e in reversed(table.events) if isinstance(e, Discarded)), 3) + 1) % 4
    if event_of(rest[0]) is None:
        rest = ["discard", *rest]
    return read_fact(" ".join([WINDS[seat], *rest]))


def add(keeper: Scorekeeper, fact: Fact) -> None:
    """Add one more fact.

    Raises:
        Error: it is impossible.
    """
    lines = keeper.unfinished or []
    keeper.unfinished = [*lines, fact.write()]
    found = follow(keeper)
    wrong = [problem.text for problem in found.problems if problem.at == len(lines)]
    if wrong:
        keeper.unfinished = lines
        raise HandError(*wrong[0])
    keeper.save()
    show(f"  {spoken(fact.text(keeper.ledger.match.rules.words))}")
    if found.ending is None:
        show_turn(keeper, found)
    elif found.table.rules.ready_value is not None and fact.seat is not None and len(_find_shown(keeper)) < 4:
        left = [seat for seat in range(4) if WINDS[seat] not in _find_shown(keeper)]
        match = keeper.ledger.match
        listed = join_words(match.names[match.place.seats[seat]] for seat in left)
        wind = pick(WINDS_CHINESE[left[0]], WINDS[left[0]])
        show(say("told.show", names=listed, wind=wind))
    else:
        finish(keeper)


def finish(keeper: Scorekeeper) -> None:
    """Turn the finished hand into a record.

    Raises:
        Error: it has not ended.
    """
    from quepu.cli.score_view import show_wins
    from quepu.scorekeeper.records import HandRecord

    found, match = follow(keeper), keeper.ledger.match
    if found.ending is None:
        raise HandError(f"这一{keeper.own['word']}还没有完。", "this hand is not finished.")
    lines = keeper.unfinished or []
    keeper.unfinished = None
    try:
        keeper.put(len(keeper.records), HandRecord(facts=lines))
    except Error:
        keeper.unfinished = lines
        raise
    for doubt in found.doubts:
        show(f"  {_in_words(keeper, lines[doubt.at])}{pick('：', ': ')}{spoken(doubt.text)}")
    show_wins(found.ending, [match.names[player] for player in match.place.seats])
    keeper.show_last()


def show_turn(keeper: Scorekeeper, found: Reconstruction) -> None:
    """Show whose turn it is, and how many tiles are left."""
    from quepu.cli.board import wind_name
    from quepu.table.referee import let_pass

    table = found.table.copy()
    let_pass(table)
    match = keeper.ledger.match
    name = match.names[match.place.seats[table.turn]]
    if table.ending is None:
        show(say("told.turn", wind=wind_name(table.turn), name=name, left=table.board.left))
    else:
        show(say("told.drawn", **keeper.own))


def _find_shown(keeper: Scorekeeper) -> set[str]:
    return {line.split()[0] for line in keeper.unfinished or () if line.split()[1:2] in (["win"], ["show"])}


def _show_board(keeper: Scorekeeper) -> None:
    from quepu.table.referee import let_pass

    table = follow(keeper).table.copy()
    let_pass(table)
    match = keeper.ledger.match
    seats = match.place.seats
    show_board(table, [match.names[p] for p in seats], [match.totals[p] for p in seats], set())
    for number, line in enumerate(keeper.unfinished or (), 1):
        show(f"  {number:3d} {_in_words(keeper, line)}")


def _in_words(keeper: Scorekeeper, line: str) -> str:
    """Return a line of the hand in the words of the book."""
    from quepu.table.facts import read_fact

    return spoken(read_fact(line).text(keeper.ledger.match.rules.words))


def _undo(keeper: Scorekeeper) -> None:
    if not keeper.unfinished:
        raise HandError(
            f"还没有输入；“弃”不再记这一{keeper.own['word']}。",
            "nothing has been entered yet; “cancel” leaves this hand.",
        )
    gone = keeper.unfinished.pop()
    if gone.endswith(" barred") and keeper.records[-1].kind == "penalty":
        keeper.change(keeper.records[:-1])  # it was added with the fault
    keeper.save()
    words = _in_words(keeper, gone)
    show(pick(f"  撤销：{words}", f"  undone: {words}"))
    show_turn(keeper, follow(keeper))


def _fault(keeper: Scorekeeper, words: list[str]) -> None:
    """Record a penalty in the middle of a hand; it may bar the player from wins and claims."""
    from quepu.match.penalties import Penalty, bars
    from quepu.scorekeeper.records import PenaltyRecord
    from quepu.table.events import Barred
    from quepu.table.facts import Fact

    match = keeper.ledger.match
    made = record(match, words)
    assert isinstance(made, PenaltyRecord)  # noqa: S101  # the word was one for a fault
    keeper.put(len(keeper.records), made)
    keeper.show_last()
    seat = match.place.seats.index(made.player)
    if bars(match.rules, Penalty(made.player, made.fault, remedied=made.remedied)):
        add(keeper, Fact(Barred, seat))


def _free(keeper: Scorekeeper) -> None:
    """Lift the bar of a player whose penalty was revoked, unless another penalty bars the player."""
    from quepu.table.events import BarLifted
    from quepu.table.facts import Fact

    barred = _find_barred(keeper)
    board = follow(keeper).table.board
    for seat, one in enumerate(keeper.ledger.match.place.seats):
        if board.barred[seat] and one not in barred:
            add(keeper, Fact(BarLifted, seat))


def _find_barred(keeper: Scorekeeper) -> set[int]:
    """Return the players barred from wins and claims by faults in this hand."""
    from quepu.match.penalties import Penalty, bars

    match = keeper.ledger.match
    found: set[int] = set()
    for entry in reversed(match.entries):
        if not isinstance(entry, Penalty):
            break
        if bars(match.rules, entry):
            found.add(entry.player)
    return found
