"""The public form of observations and actions: both ways on many decisions, fresh and stale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from quepu.arena import follow_hand
from quepu.bots import public_form
from quepu.match.botzone_record import tile_name
from quepu.rulebooks import book
from quepu.table import Action, ActionKind, Event, View, make_wall, seen_by
from quepu.table.actions import find_option
from quepu.table.events import Discarded
from quepu.tiles import PLAIN

MCR = book("guobiao-mcr")
Decision = tuple[View, tuple[Action, ...], Action, public_form.Memory, list[Event]]


def decisions(hands: int, level: str = "random") -> Iterator[Decision]:
    """Every decision of some hands, with the memory of its seat and all events."""
    for seed in range(hands):
        wall = make_wall(seed, 0, PLAIN, own=seed % 2 == 0)
        memories = [public_form.Memory(seat) for seat in range(4)]
        shown = 0
        for table, acting, chosen in follow_hand(MCR, wall, [level] * 4, round=seed % 4, seed=seed):
            for number, event in enumerate(table.events_from(shown), shown):
                for seat, memory in enumerate(memories):
                    memory.add(seen_by(event, seat, number, hidden=True))
            shown = table.event_count
            yield table.view(acting), tuple(table.options(acting)), chosen, memories[acting], list(table.events)


def check(hands: int) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for view, options, chosen, memory, events in decisions(hands):
        numbers = public_form.number_options(options)
        mask = public_form.action_mask(options)
        assert set(np.flatnonzero(mask)) == set(numbers)
        assert len(numbers) == len({option[:3] for option in options})
        for number, option in numbers.items():
            again = public_form.action_of(number)
            assert public_form.action_number(again) == public_form.action_number(option) == number
            assert again.do is option.do
            assert find_option(options, again) is not None or again.do in (ActionKind.DISCARD, ActionKind.WIN)
        number = public_form.action_number(chosen)
        assert number is not None and numbers[number][:3] == chosen[:3]
        kinds[chosen.do] += 1
        planes = public_form.observe(view)
        seen = public_form.see(view)
        assert public_form.read_planes(planes) == seen
        assert seen.hand == Counter(view.tiles)
        for step in range(4):
            seat = (view.seat + step) % 4
            thrown = Counter(one.tile for one in events if isinstance(one, Discarded) and one.seat == seat)
            assert seen.discards[step] == thrown, (view.seat, step)
        stale = public_form.read_planes(public_form.observe(view, memory))
        if view.drawn is not None:
            assert stale == seen
        elif view.board.offer is not None and view.board.offerer is not None:
            step = (view.board.offerer - view.seat) % 4
            assert stale.hand == seen.hand
            own = max((at for at, one in enumerate(events) if getattr(one, "seat", None) == view.seat), default=0)
            since = [one for one in events[own + 1 :] if getattr(one, "seat", None) == view.board.offerer]
            thrown = Counter(one.tile for one in since if isinstance(one, Discarded))
            assert stale.discards[step] == seen.discards[step] - thrown
            if not isinstance(events[-1], Discarded):  # a kong that may be robbed
                assert stale.melds[step][view.board.offer] == seen.melds[step][view.board.offer] - 1
            assert stale.discards[0] == seen.discards[0]
            kinds["claims"] += 1
    return kinds


def test_observations_and_actions_go_both_ways() -> None:
    kinds = check(10)
    assert kinds["claims"] > 40
    assert {"discard", "chow", "pung", "pass"} <= set(kinds)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_observations_and_actions_go_both_ways_on_a_hundred_thousand_decisions() -> None:
    kinds = check(1100)
    assert sum(kinds.values()) - kinds["claims"] > 100_000
    assert {"discard", "chow", "pung", "pass", "kong", "concealed", "added"} <= set(kinds)


def test_numbers_are_those_of_the_published_form() -> None:
    def number(do: str, *tiles: int) -> int | None:
        return public_form.action_number(Action(do, *tiles))

    w1, b1, t1, east, red = 0, 9, 18, 27, 31
    assert [tile_name(kind) for kind in (w1, b1, t1, east, red)] == ["W1", "B1", "T1", "F1", "J1"]
    assert number("pass") == 0 and number("win") == 1
    assert [number("discard", kind) for kind in (w1, t1, b1, east, red)] == [2, 11, 20, 29, 33]
    assert number("chow", w1, w1) == 36  # lowest of 123 characters
    assert number("chow", w1 + 2, w1) == 38
    assert number("chow", t1 + 8, t1 + 6) == 36 + 21 + 3 * 6 + 2
    assert number("chow", b1, b1) == 36 + 42
    assert number("pung", t1) == 99 + 9 and number("kong", b1) == 133 + 18
    assert number("concealed", red) == 167 + 31 and number("added", red + 2) == 201 + 33 == 234
    assert {public_form.action_number(public_form.action_of(n)) for n in range(235)} == set(range(235))
    for wrong in (-1, 235):
        with pytest.raises(ValueError, match="234"):
            public_form.action_of(wrong)
    for shape in ((38, 36), (37, 4, 9), (4, 9, 38)):
        with pytest.raises(ValueError, match="shape"):
            public_form.read_planes(np.zeros(shape, np.int8))
    with pytest.raises(ValueError, match="wind"):
        public_form.read_planes(np.zeros((38, 4, 9), np.int8))
