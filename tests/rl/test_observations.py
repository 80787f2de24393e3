"""Observations lose nothing that a player sees, and show nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from quepu.bots import make_bot
from quepu.hands.hand import MeldKind
from quepu.rl.encodings import ENCODINGS, PLANES
from quepu.rl.layout import HAND, RIVER, ROWS, SLOT_WIDTH, SLOTS, row_names
from quepu.rl.tokens import NAMES
from quepu.rl.writer import TableWriter, observe
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall, seen_by
from quepu.table.events import (
    ChowClaimed,
    Claimed,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReplacementDrawn,
)
from quepu.table.sampling import sample_table
from tests.books import PLAYED


def positions(rules: str, hands: int, seed: int, level: str = "random") -> Iterator[tuple[Table, int]]:
    """Every position of some hands where a seat is to act, and the seat."""
    own = book(rules)
    for hand in range(hands):
        bots = [make_bot(level, seed + 7 * hand + seat) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(own, seat)
        table = Table(own, make_wall(seed, hand, play_rules(own).table.tiles), round=hand % 4)
        while table.to_act:
            seat = table.to_act[0]
            yield table, seat
            table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))


def seen(table: Table, seat: int) -> Any:
    """All that a seat has seen: its events (what others draw without the tile), its answers, what is offered."""
    hidden = table.rules.table.concealed_kongs_hidden
    events: list[Any] = []
    for event in table.events:
        shown = seen_by(event, seat, 0, hidden)
        events.append((type(event).__name__, event.seat) if isinstance(shown, int) else shown)  # type: ignore[attr-defined]
    answers = [(n, who, action[:5]) for n, who, action in table.answers if who == seat]
    return str((seat, table.board.round, events, answers, table.offered))


def on_the_table(table: Table, seat: int) -> Any:
    """All that lies before a seat now, with the order, marks and takers of discards, but not when which tile came."""
    board = table.view(seat).board._replace(open_counts=None)
    hidden = table.rules.table.concealed_kongs_hidden
    discards: list[Any] = []
    flowers = []
    melds: list[Any] = []
    for event in table.events:
        if isinstance(event, Discarded):
            discards.append([event])
        elif isinstance(event, Claimed):
            discards[-1].append(event)
        elif isinstance(event, FlowerSetAside):
            flowers.append(event)
        if type(event).__name__.startswith("Kong"):
            tile = None if isinstance(event, KongConcealed) and hidden and event.seat != seat else event.tile  # type: ignore[attr-defined]
            melds.append((type(event), tile, event.seat, len(discards)))  # type: ignore[attr-defined]
    passes = sum(who == seat and action.do == "pass" for _, who, action in table.answers)
    last = seen_by(table.events[-1], seat, 0, hidden)
    view = table.view(seat)
    return str((seat, board, view.hand, view.drawn, discards, flowers, melds, passes, type(last) is int or last))


@pytest.mark.parametrize("rules", PLAYED)
@pytest.mark.parametrize("name", ENCODINGS)
def test_observations_are_what_is_seen(rules: str, name: str) -> None:
    """Two positions have one observation if and only if they look alike."""
    look = seen if name == "tokens" else on_the_table
    by_look: dict[str, bytes] = {}
    by_bytes: dict[bytes, str] = {}
    number = 0
    for table, _ in positions(rules, 2, 11, "plain"):
        number += 1
        if number % 4:
            continue
        for who in range(4):
            looks, code = look(table, who), observe(table, who, name).tobytes()  # type: ignore[arg-type]
            assert by_look.setdefault(looks, code) == code
            assert by_bytes.setdefault(code, looks) == looks
    assert len(by_look) > 60


@pytest.mark.parametrize("rules", PLAYED)
def test_writing_on_is_writing_anew(rules: str) -> None:
    """What was written as it happened is what is written afterwards of the whole hand."""
    writers: dict[str, Any] = {}
    now: Table | None = None
    for n, (table, seat) in enumerate(positions(rules, 2, 5)):
        if table is not now:
            now = table
            writers = {name: TableWriter(code.name, table) for name, code in ENCODINGS.items()}
        for name, writer in writers.items():
            writer.follow()
            code = ENCODINGS[name]
            if n % 9 == 0:
                out = np.full(code.shape, 77, code.dtype)
                assert np.shares_memory(writer.observe(seat, out), out)
                assert np.array_equal(out, observe(table, seat, name))  # type: ignore[arg-type]
                assert out.min() >= code.low and out.max() <= code.high


@pytest.mark.parametrize("rules", PLAYED)
def test_nothing_hidden_is_shown(rules: str) -> None:
    """Other hands and another wall, as they may be: the same observation and the same options."""
    rng = random.Random(3)
    others = 0
    for n, (table, seat) in enumerate(positions(rules, 3, 29, "plain")):
        if n % 11:
            continue
        made = sample_table(table, seat, rng.randrange(1000))
        others += made.hands != table.hands
        for name in ENCODINGS:
            assert np.array_equal(observe(made, seat, name), observe(table, seat, name))  # type: ignore[arg-type]
        if made.to_act[0] == seat or seat in made.to_act:
            assert [option[:5] for option in made.options(seat)] == [option[:5] for option in table.options(seat)]
    assert others > 10


class Heard:
    """A table of which only the record is known."""

    def __init__(self, table: Table, events: list[Event]) -> None:
        self.rules, self.wall, self.board = table.rules, table.wall, SimpleNamespace(round=0)
        self.events, self.answers, self.answer_count, self.event_count = events, (), 0, len(events)
        self.over, self.offered = False, (None, None)

    def events_from(self, first: int) -> list[Event]:
        return self.events[first:]


def heard(events: list[Event], name: str, seat: int = 0) -> bytes:
    own = book("guobiao-mcr")
    table: Any = Heard(Table(own, make_wall(1)), events)
    return observe(table, seat, name).tobytes()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ENCODINGS)
def test_what_looked_alike_in_the_first_version(name: str) -> None:
    """Chows and pungs of the same tiles, kinds of kongs, the order of a river, who gave, marks, declarations."""
    chows: list[Event] = [ChowClaimed(1, 0, 0, 0)] * 3
    pungs: list[Event] = [PungClaimed(1, 0, 0), PungClaimed(1, 1, 0), PungClaimed(1, 2, 0)]

    def given(claims: list[Event]) -> list[Event]:
        return [one for claim in claims for one in (Discarded(0, claim.tile, True), claim)]  # type: ignore[attr-defined]

    pairs: list[tuple[list[Event], list[Event]]] = [
        (given(chows), given(pungs)),
        (given([KongClaimed(1, 5, 0)]), [Discarded(0, 5, True), KongConcealed(1, 5)]),
        ([Discarded(1, 3, True), Discarded(1, 4, True)], [Discarded(1, 4, True), Discarded(1, 3, True)]),
        ([Discarded(1, 3, True), Discarded(2, 4, True)], [Discarded(2, 4, True), Discarded(1, 3, True)]),
        ([Discarded(1, 3, True)], [Discarded(1, 3, False)]),
        ([Discarded(1, 3, True)], [Discarded(1, 3, True, True)]),
        ([Discarded(2, 3, True), PungClaimed(1, 3, 2)], [Discarded(3, 3, True), PungClaimed(1, 3, 3)]),
        ([Drawn(0, 3)], [Drawn(0, 4)]),
    ]
    for first, second in pairs:
        drawn: list[Event] = [Drawn(1, 30)]
        assert heard(drawn + first, name) != heard(drawn + second, name), (first, second)
    assert heard([Drawn(2, 3)], name) == heard([Drawn(2, 4)], name)
    assert heard([ReplacementDrawn(2, 3)], name) != heard([Drawn(2, 3)], name)


def test_rows_say_what_the_layout_says() -> None:
    assert len(row_names()) == ROWS and len(set(row_names())) == ROWS
    assert ENCODINGS["planes"].shape == (PLANES, 42)
    for table, seat in positions("lingque-29", 1, 2):
        counts = observe(table, seat)
        assert [int(n) for n in counts[HAND, :34]] == [table.hands[seat].count(kind) for kind in range(34)]
        for step in range(4):
            other = (seat + step) % 4
            rows = counts[RIVER + 4 * step : RIVER + 4 * step + 4]
            assert (rows > 0).sum() == sum(isinstance(e, Discarded) and e.seat == other for e in table.events)
            slots = counts[SLOTS + step].reshape(-1)[: 4 * SLOT_WIDTH].reshape(4, SLOT_WIDTH)
            kinds = [1 if m.kind is MeldKind.CHOW else 2 if m.kind is MeldKind.PUNG else 3 for m in table.melds[other]]
            assert [min(3, int(n)) for n in slots[:, 0] if n] == kinds
    tokens = observe(table, 0, "tokens")
    assert {NAMES[n] for n in tokens[:, 0]} >= {"", "place", "points", "dice", "deal", "draw", "discard"}


def test_what_has_no_room_is_left_out_of_tokens() -> None:
    """A referee bars a seat again and again: the first 512 tokens stay as they are, and nothing fails."""
    table = Table(book("lingque-29"), make_wall(8))
    writer = TableWriter("tokens", table)
    for n in range(600):
        table.bar(1, n % 2 == 0)
        if n == 400:
            writer.follow()
            before = writer.observe(0)
    after = observe(table, 0, "tokens")
    written = int((before[:, 0] > 0).sum())
    assert 400 < written < len(after) and np.array_equal(after[:written], before[:written])
    assert {NAMES[n] for n in after[written:, 0]} == {"barred", "freed"}
    writer.follow()
    assert np.array_equal(writer.observe(0), after)
