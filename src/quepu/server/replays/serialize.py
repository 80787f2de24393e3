"""Convert a log to the messages that pages draw: matches, hands, frames. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quepu.errors import Text
from quepu.match.frames import Frame, HandFrames
from quepu.match.log import PlayedHand, Replay
from quepu.match.log_lines import add_actor
from quepu.match.match import MatchHand
from quepu.match.penalties import Penalty
from quepu.match.settle import SEAT_NAMES
from quepu.match.words import place_name
from quepu.rules.faults import fault_name
from quepu.rules.play_rules import PlayRules, Words
from quepu.rules.rulebook import Rulebook
from quepu.server.payments import end_of_hand
from quepu.server.rooms.seat_taking import name_text
from quepu.table.events import (
    Claimed,
    Discarded,
    Drawn,
    Event,
    KongConcealed,
    KongFaceDown,
    ReplacementDrawn,
    SeatEvent,
    TileEvent,
    Won,
)
from quepu.table.visibility import Board
from quepu.table.wall import Wall
from quepu.tiles import FIRST_FLOWER, KINDS, NAMES, WINDS, kinds_of

Json = dict[str, Any]

_SECRET = {Drawn: Text("摸牌", "draws"), ReplacementDrawn: Text("补牌", "draws a replacement")}
DEALT = Text("配牌", "the tiles are dealt")


def tile_key(kind: int) -> str:
    """Return the name by which pages know a tile: f1 … f8 for flowers."""
    return NAMES[kind] if kind < KINDS else f"f{kind - FIRST_FLOWER + 1}"


def _melds(board: Board) -> list[list[Json]]:
    return [[shown.to_json() for shown in melds] for melds in board.melds]


def board_shape(board: Board) -> Json:
    """Return a board as pages draw it."""
    return {
        **board.to_json(),
        "rivers": [[tile_key(kind) for kind in river] for river in board.rivers],
        "melds": _melds(board),
        "flowers": [[tile_key(kind) for kind in flowers] for flowers in board.flowers],
        "offer": None,
        "offerer": None,
    }


def _hide_tile(event: Event | None, rules: PlayRules) -> Json | None:
    """Return the form of an event with a secret tile for other seats."""
    if isinstance(event, KongConcealed) and rules.table.concealed_kongs_hidden:
        return KongFaceDown(event.seat).text(rules.words)._asdict()
    if not isinstance(event, Drawn | ReplacementDrawn):
        return None
    who, what = SEAT_NAMES[event.seat], _SECRET[type(event)]
    return Text(f"{who.zh}{what.zh}", f"{who.en} {what.en}")._asdict()


def penalty_text(penalty: Penalty, names: Sequence[str]) -> Text:
    """Describe a fault in words."""
    who, name = name_text(names[penalty.player]), fault_name(penalty.fault)
    made = Text("，已弥补", ", remedied") if penalty.remedied else Text("", "")
    note = f"（{penalty.note}）" if penalty.note else ""
    return Text(f"罚 {who.zh}：{name.zh}{made.zh}{note}", f"penalty for {who.en}: {name.en}{made.en} {note}".strip())


def _tile_of(event: Event | None) -> str | None:
    found = event.tile if isinstance(event, TileEvent | Won) else None
    return None if found is None else tile_key(found)


def _giver_of(event: Event | None) -> str | None:
    found = event.giver if isinstance(event, Claimed | Won) else None
    return None if found is None else WINDS[found]


def frame_shape(frame: Frame, at: int, names: Sequence[str], rules: PlayRules) -> Json:
    """Return one frame. `at` is its number in the match, `names` the players, `rules` those of the table."""
    event, words = frame.event, rules.words
    return {
        "at": at,
        "n": frame.events - 1,
        "turn": frame.turn,
        "e": event.tag if event else "deal",
        "seat": WINDS[event.seat] if isinstance(event, SeatEvent) else None,
        "tile": _tile_of(event),
        "as_drawn": isinstance(event, Discarded) and event.as_drawn,
        "source": _giver_of(event),
        "text": add_actor(event.text(words) if event else DEALT, frame.by)._asdict(),
        "hidden": _hide_tile(event, rules),
        "hands": [[tile_key(kind) for kind in hand] for hand in frame.hands],
        "drawn": {"seat": WINDS[frame.drawn[0]], "tile": tile_key(frame.drawn[1])} if frame.drawn else None,
        "won": frame.won,
        "board": board_shape(frame.board),
        "to_act": [WINDS[seat] for seat in frame.to_act],
        "waits": [[NAMES[kind] for kind in kinds_of(plane)] for plane in frame.waits],
        "answers": [
            {"seat": WINDS[seat], "text": add_actor(action._replace(score=None).text(words), by)._asdict()}
            for seat, action, by in frame.answers
        ],
        "notes": [penalty_text(penalty, names)._asdict() for penalty in frame.penalties],
    }


def end_shape(hand: PlayedHand, settled: MatchHand, before: Sequence[int], book: Rulebook, board: Board) -> Json:
    """Return the settlement of a hand. `before` are the totals by player before it, `board` is the last one."""
    ending = settled.ending
    seats = hand.place.seats
    won = next((step.event for step in reversed(hand.steps) if isinstance(step.event, Won)), None)
    return end_of_hand(ending, settled.settlement, book, board.melds) | {
        "winning": tile_key(won.tile) if won is not None and won.tile is not None else None,
        "totals": [before[player] + settled.players[player] for player in seats],
    }


def end_text(hand: PlayedHand, names: Sequence[str], words: Words) -> Text:
    """Describe the ending of a hand in one line."""
    ending, seats = hand.ending, hand.place.seats
    if ending is None:
        return Text("没有打完", "not finished")
    if not ending.winners:
        return words.drawn
    won = [
        (name_text(names[seats[win.seat]]), f" {win.points}" if win.points or any(hand.fans) else "")
        for win in ending.winners
    ]
    who, points = won[0]
    if ending.self_draw:
        return Text(f"{who.zh} 自摸{points}", f"{who.en} draws a win{points and f' of{points}'}")
    giver = name_text(names[seats[ending.discarder or 0]])
    how = Text("被抢杠", "robbed of a kong") if ending.robbed else words.discarded
    zh = "、".join(f"{who.zh} {words.won.zh}{points}" for who, points in won)
    en = ", ".join(f"{who.en} wins{points}" for who, points in won)
    return Text(f"{zh}，{giver.zh} {how.zh}", f"{en}, {giver.en} {how.en}")


def totals_before(replay: Replay, number: int) -> list[int]:
    """Return each player's points before the hand of this number, including earlier penalties."""
    totals = [replay.match.rules.match.start] * 4
    for hand in replay.match.hands[: number - 1]:
        for player in range(4):
            totals[player] += hand.players[player]
    return totals


def film_shape(replay: Replay, index: int, film: HandFrames, first: int) -> Json:
    """Return every frame of the hand at `index`; `first` is the number of its first frame in the match."""
    hand = replay.hands[index]
    names, seats, words = hand.names, hand.place.seats, replay.match.rules.words
    before = totals_before(replay, hand.number)
    settled = replay.match.hands[index] if index < len(replay.match.hands) else None
    taken = {one.at: one for one in film.taken}
    wall = []
    for at, kind in enumerate(film.order):
        one = taken.get(at)
        wall.append({
            "tile": tile_key(kind),
            "seat": WINDS[one.seat] if one else None,
            "how": one.how if one else None,
            "at": first + one.frame if one else None,
        })  # fmt: skip
    promised: Json = {"commitment": hand.commitment, "salt": hand.salt, "salts": list(hand.salts)}
    if hand.sealed:
        promised |= {"secret": hand.sealed.secret, "commitments": list(hand.sealed.commitments)}
    return {
        "number": hand.number,
        "place": place_name(hand.place, words)._asdict(),
        "names": [names[player] for player in seats],
        "players": list(seats),
        "bots": list(hand.bots),
        "before": [before[player] for player in seats],
        "frames": [frame_shape(frame, first + i, names, replay.match.rules) for i, frame in enumerate(film.frames)],
        "wall": wall,
        "opening": _opening(hand.wall)._asdict(),
        "reveal": {"hand": hand.number, "wall": hand.wall.text(), "dice": list(hand.wall.dice)}
        | {key: value for key, value in promised.items() if value},
        "end": end_shape(hand, settled, before, replay.book, film.frames[-1].board) if settled else None,
    }  # fmt: skip


def _opening(wall: Wall) -> Text:
    """Say where the deal begins."""
    if wall.own:
        return Text("四家各摸自己的牌墙，按东南西北排列", "each seat draws from its own wall; in the order E S W N")
    side, stack = wall.opening
    return Text(
        f"骰子 {'、'.join(map(str, wall.dice))}，从{SEAT_NAMES[side].zh}第 {stack} 墩起牌",
        f"dice {' '.join(map(str, wall.dice))}: dealt from stack {stack} of {SEAT_NAMES[side].en}",
    )


def hand_heads(replay: Replay, counts: Sequence[int]) -> list[Json]:
    """Return the hands of a match; `counts` are the frames of each."""
    heads, first, words = [], 0, replay.match.rules.words
    for index, hand in enumerate(replay.hands):
        settled = replay.match.hands[index] if index < len(replay.match.hands) else None
        heads.append({
            "number": hand.number,
            "place": place_name(hand.place, words)._asdict(),
            "players": list(hand.place.seats),
            "names": list(hand.names),
            "first": first,
            "frames": counts[index],
            "line": hand.line,
            "text": end_text(hand, hand.names, words)._asdict(),
            "gains": list(settled.players) if settled else None,
            "sealed": bool(hand.commitment),
        })  # fmt: skip
        first += counts[index]
    return heads
