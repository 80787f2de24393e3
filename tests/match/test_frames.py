"""Pictures of a hand agree with the table after every step, in every book, flowers and kongs included."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quepu.errors import Text
from quepu.match import LogWriter, Match, Replay, read_log
from quepu.match.frames import HandFrames, frame_at, hand_frames, has_frame, steps_at
from quepu.match.log import PlayedHand
from quepu.match.log_lines import LogProblem
from quepu.rulebooks import book
from quepu.table import Table
from quepu.table.events import Drawn, FlowerSetAside, ReplacementDrawn
from quepu.table.position import Position, apply
from quepu.table.wall import WallPlan
from tests.books import PLAYED
from tests.match.test_log import play_match
from tests.table.walls import JUNK, stacked, throw_away


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
            assert frame.waits == table.waits
            if len(table.events) != frame.events:
                assert frame.to_act == ()
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


def dealt_flowers() -> Replay:
    """A hand in which the replacement of a dealt flower is a flower too, thrown away to its end."""
    match, lines = Match(book("canton")), list[str]()
    wall = stacked(["1478m258p369s秋SW", "147m258p369sESW春", *JUNK[2:]], tail="7s夏8s", flowers=True)
    table = throw_away(Table(match.book, wall))
    LogWriter(match, lines.append).hand(1, match.place, table)
    return read_log(lines, unfinished=True)


HANDS = {name: read_log(play_match(name, seed)[1]) for name, seed in (("guobiao", 21), ("canton", 5))}
"""Flowers are set aside by their owners in the one, by the table in the other."""
HANDS["stacked"] = dealt_flowers()


@pytest.fixture(params=[*((name, at) for name in ("guobiao", "canton") for at in (0, 1)), ("stacked", 0)], ids=str)
def played(request: pytest.FixtureRequest) -> tuple[PlayedHand, HandFrames]:
    """A hand with its frames; the second one has a penalty, whose payer may no longer claim."""
    name, at = request.param
    replay = HANDS[name]
    return replay.hands[at], hand_frames(replay.hands[at], replay.book)


def test_a_frame_has_what_was_said_since_the_one_before(played: tuple[PlayedHand, HandFrames]) -> None:
    hand, made = played
    before = 0
    for frame in made.frames:
        steps = hand.steps[before : frame.steps]
        last = steps[-1]
        assert last.event is not None and frame.event == (None if before == 0 else last.event)
        assert frame.by == last.by
        said = [(step.seat, step.action, step.by) for step in steps if step.event is None and step.action is not None]
        assert list(frame.answers) == said
        assert list(frame.penalties) == [step.penalty for step in steps if step.penalty is not None]
        happened = [step.event for step in hand.steps[: frame.steps] if step.event is not None]
        assert frame.events == len(happened)
        assert frame.turn == sum(event.tag in ("draw", "chow", "pung", "kong") for event in happened)
        before = frame.steps
    assert sum(len(frame.penalties) for frame in made.frames) == (hand.number == 2)


def test_who_acted_for_a_seat_is_told() -> None:
    replay = HANDS["guobiao"]
    hand = replay.hands[0]
    steps = [step._replace(by="clock") if n % 3 else step for n, step in enumerate(hand.steps)]
    made = hand_frames(replace(hand, steps=steps), replay.book)
    assert [frame.by for frame in made.frames] == [steps[frame.steps - 1].by for frame in made.frames]
    answers = [step.by for step in steps if step.event is None and step.action is not None]
    assert [by for frame in made.frames for _, _, by in frame.answers] == answers and "clock" in answers


def test_the_deal_is_taken_from_its_places_in_the_wall(played: tuple[PlayedHand, HandFrames]) -> None:
    """Three times four tiles each, then one."""
    hand, made = played
    deal = [taken for taken in made.taken if taken.how == "deal"]
    places = [[*(16 * turn + 4 * seat + n for turn in range(3) for n in range(4)), 48 + seat] for seat in range(4)]
    assert [taken.at for taken in deal] == [at for own in places for at in own]
    assert [(taken.seat, taken.frame) for taken in deal] == [(seat, 0) for seat in range(4) for _ in range(13)]
    assert list(made.order) == hand.wall.order()


def test_the_tile_beside_a_hand(played: tuple[PlayedHand, HandFrames]) -> None:
    """It is the one just drawn, the replacement of a dealt flower until the next one, or the tile that won."""
    hand, made = played
    position, n = Position(WallPlan(len(hand.wall.tiles))), 0
    beside: tuple[int, int] | None = None
    for frame in made.frames:
        for event in hand.events[n : frame.events]:
            if isinstance(event, ReplacementDrawn) and not position.dealt:
                beside = (event.seat, event.tile)
            elif isinstance(event, Drawn | ReplacementDrawn) or (
                isinstance(event, FlowerSetAside) and beside is not None and event.seat == beside[0]
            ):
                beside = None
            apply(position, event)
        n = frame.events
        hands = [list(own) for own in frame.hands]
        won = position.won
        if won is not None and won.giver is not None:
            assert frame.drawn == (won.seat, won.tile)
        elif position.drawn is not None:
            assert frame.drawn == (position.turn, position.drawn)
        else:
            assert frame.drawn == beside
            if beside is not None:
                hands[beside[0]].append(beside[1])
        assert [sorted(own) for own in hands] == position.hands


def test_steps_and_frames_are_numbered_together(played: tuple[PlayedHand, HandFrames]) -> None:
    hand, made = played
    numbers = [frame.steps for frame in made.frames]
    assert [steps_at(hand, at) for at in range(len(numbers))] == numbers
    assert steps_at(hand, -1) is None and steps_at(hand, len(numbers)) is None
    for steps in range(len(hand.steps) + 1):
        assert frame_at(hand, steps) == sum(number <= steps for number in numbers) - 1
    assert [has_frame(event) for event in hand.events[:6]] == [False, False, False, False, True, True]


def test_a_hand_that_cannot_be_replayed_has_its_frames_without_seats_to_act_and_waits() -> None:
    replay = HANDS["canton"]
    hand = replay.hands[1]
    made = hand_frames(hand, replay.book)
    assert any(frame.to_act for frame in made.frames) and any(any(frame.waits) for frame in made.frames)
    unknown = hand_frames(replace(hand, problem=LogProblem(2, Text("不同", "different"))), replay.book)
    assert unknown.taken == made.taken and unknown.order == made.order
    assert [repr(frame) for frame in unknown.frames] == [
        repr(frame._replace(to_act=(), waits=(0, 0, 0, 0))) for frame in made.frames
    ]
