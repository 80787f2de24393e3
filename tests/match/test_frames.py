"""Pictures of a hand agree with the table after every step, in every book, flowers and kongs included."""

from __future__ import annotations

import pytest

from quepu.match import read_log
from quepu.match.frames import hand_frames
from tests.books import PLAYED
from tests.match.test_log import play_match


@pytest.mark.parametrize("hands", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", PLAYED)
def test_every_frame_is_what_the_table_says(name: str, hands: int) -> None:
    _, lines = play_match(name, 21)
    replay = read_log(lines)
    for hand in replay.hands[:hands]:
        made = hand_frames(hand, replay.book)
        assert made.frames[0].event is None
        happened = hand.table(replay.book).events
        assert [len(tiles) for tiles in made.frames[0].hands] == [13] * 4
        for frame in made.frames:
            assert frame.won == any(event.tag == "win" for event in happened[: frame.events])
            table = hand.table(replay.book, frame.steps)
            if len(table.events) != frame.events:
                continue  # between the events of one step the table has no picture
            board = table.board
            assert frame.board.rivers == board.rivers
            assert frame.board.melds == board.melds
            assert frame.board.flowers == board.flowers
            assert frame.board.left == board.left
            assert frame.board.barred == board.barred
            assert frame.to_act == table.to_act
            if not table.over:
                assert frame.hands == table.hands
                assert frame.drawn == ((table.turn, table.drawn) if table.drawn is not None else None)
                assert frame.board.turn == board.turn
        events = [frame.event for frame in made.frames[1:]]
        assert events == [step.event for step in hand.steps if step.event is not None][5:]
        for taken in made.taken:
            frame = made.frames[taken.frame]
            if taken.how != "deal":
                assert frame.event is not None
                assert (frame.event.tag, frame.event.seat) == (taken.how, taken.seat)
                assert frame.event.tile == made.order[taken.at]
        assert len({taken.at for taken in made.taken}) == len(made.taken)
        rest = [kind for at, kind in enumerate(made.order) if at not in {taken.at for taken in made.taken}]
        assert rest == hand.table(replay.book).undrawn()
        turns = [frame.turn for frame in made.frames]
        assert turns == sorted(turns)
        assert sum(len(frame.answers) for frame in made.frames) == sum(
            step.event is None and step.action is not None for step in hand.steps
        )


def test_a_hand_that_breaks_off_has_its_frames() -> None:
    _, lines = play_match("guobiao", 4)
    replay = read_log(lines[: len(lines) // 3], unfinished=True)
    last = replay.hands[-1]
    made = hand_frames(last, replay.book)
    assert made.frames[-1].events == sum(step.event is not None for step in last.steps)
