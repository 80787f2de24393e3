"""`quepu replay LOG`: step through a match in the terminal; piped, print all of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from quepu.cli import parameters
from quepu.cli.board import show_board, show_payments
from quepu.cli.inputs import natural
from quepu.cli.screen import note, show
from quepu.cli.texts import in_words_of, join_items, join_words, say, spoken
from quepu.errors import UnknownName, many
from quepu.folding import fold
from quepu.match.frames import has_frame
from quepu.match.log import PlayedHand, Replay
from quepu.match.log_lines import add_actor
from quepu.match.words import place_name
from quepu.rules.circumstances import english_names
from quepu.scoring.score import FanLine
from quepu.tiles import WINDS


@dataclass
class Viewer:
    """A viewer of a log: the position in it, and whose tiles are open."""

    replay: Replay
    hand: int = 0
    step: int = 0
    open_seats: frozenset[int] = frozenset(range(4))
    over: bool = False

    @property
    def played(self) -> PlayedHand:
        """The current hand."""
        return self.replay.hands[self.hand]

    def names(self) -> Sequence[str]:
        """The players by seat."""
        return [self.played.names[player] for player in self.played.place.seats]

    def totals(self, after: bool = False) -> Sequence[int]:
        """Return points by seat, before this hand or after it."""
        hands = self.replay.match.hands
        totals = [self.replay.match.rules.match.start] * 4
        for hand in hands[: self.hand + after]:
            for player in range(4):
                totals[player] += hand.players[player]
        return [totals[player] for player in self.played.place.seats]

    # ---- moving

    def next(self) -> None:
        """Go to the next event; at the end of a hand, to the next hand."""
        if self.step < len(self.played.steps):
            self.step += 1
            while self.step < len(self.played.steps) and self.played.steps[self.step - 1].event is None:
                self.step += 1
        elif self.hand + 1 < len(self.replay.hands):
            self.hand, self.step = self.hand + 1, 0

    def back(self) -> None:
        """Go back one event; at the start of a hand, to the end of the one before."""
        if self.step:
            self.step -= 1
            while self.step and self.played.steps[self.step - 1].event is None:
                self.step -= 1
        elif self.hand:
            self.hand -= 1
            self.step = len(self.played.steps)

    def jump(self, number: int) -> bool:
        """Go to just after event `number` of this hand."""
        for at, step in enumerate(self.played.steps):
            if step.event is not None:
                number -= 1
                if number < 0:
                    self.step = at + 1
                    return True
        return False

    # ---- showing

    def show(self) -> None:
        """Show the table at this position."""
        at = sum(step.event is not None for step in self.played.steps[: self.step])
        of = sum(step.event is not None for step in self.played.steps)
        words = self.replay.match.rules.words
        place = spoken(place_name(self.played.place, words))
        show(say("replay.where", hand=self.played.number, place=place, at=at, of=of, **in_words_of(words)))
        if self.step and (event := (step := self.played.steps[self.step - 1]).event) is not None:
            show(f"  {spoken(add_actor(event.text(words), step.by))}")
        if self.played.problem is None:
            table = self.played.table(self.replay.book, self.step)
            me = min(self.open_seats) if len(self.open_seats) == 1 else 0
            show_board(table, self.names(), self.totals(), set(self.open_seats), me)
        else:
            show(say("replay.events_only", **in_words_of(words)))
        if self.step == len(self.played.steps) and self.hand < len(self.replay.match.hands):
            self.show_end()

    def show_end(self) -> None:
        """Show how the hand was settled."""
        hand = self.replay.match.hands[self.hand]
        english = english_names(self.replay.book)
        wins, recorded = hand.ending.winners, self.played.fans
        for at in range(max(len(wins), len(recorded[:1]))):
            score = wins[at].score if at < len(wins) else None
            named = recorded[at] if at < len(recorded) else ()
            lines = score.fans if score else [FanLine(name, n, {}, english.get(name, "")) for name, n in named]
            who = self.names()[wins[at].seat] if len(wins) > 1 else ""
            listed = join_words(spoken(line.text) for line in lines)
            if not score and any(name not in english for name, _ in named):
                listed += say("replay.as_named")
            show("  " + join_items([part for part in (who, spoken(score.tally.how) if score else "", listed) if part]))
        show_payments(hand.settlement, self.names(), self.totals(after=True))

    def answer(self, line: str) -> bool:
        """Carry out a typed command; return False if it was not understood."""
        word, _, rest = line.strip().partition(" ")
        word = fold(word)
        if word in ("", "n", "下"):
            self.next()
        elif word in ("b", "上"):
            self.back()
        elif word in ("j", "跳") and (number := natural(rest)) is not None:
            return self.jump(number)
        elif word in ("h", "局", "盘") and 1 <= (natural(rest) or 0) <= len(self.replay.hands):
            self.hand, self.step = int(rest) - 1, 0
        elif word in ("e", "末"):
            self.step = len(self.played.steps)
        elif word in ("s", "看") and rest.upper() in WINDS and rest:
            self.open_seats = frozenset({WINDS.index(rest.upper())})
        elif word in ("a", "全"):
            self.open_seats = frozenset(range(4))
        elif word in ("q", "退"):
            self.over = True
        else:
            return False
        return True


def _print_all(viewer: Viewer) -> None:
    """Print all of it, as the open seats know it."""
    from quepu.rules.play_rules import play_rules
    from quepu.table import seen_by

    replay, words = viewer.replay, viewer.replay.match.rules.words
    one = min(viewer.open_seats) if len(viewer.open_seats) == 1 else None
    hidden = play_rules(replay.book).table.concealed_kongs_hidden
    for number, hand in enumerate(replay.hands):
        viewer.hand = number
        place = spoken(place_name(hand.place, words))
        show(say("replay.hand", hand=hand.number, place=place, names=" ".join(viewer.names()), **in_words_of(words)))
        at = 0
        for step in hand.steps:
            if step.event is not None:
                seen_event = step.event if one is None else seen_by(step.event, one, at, hidden)
                if not isinstance(seen_event, int):
                    show(f"{at:4d}  {spoken(seen_event.text(words))}")
                at += 1
        if number < len(replay.match.hands):
            viewer.show_end()


def _open(viewer: Viewer, hand: int, frame: int) -> None:
    """Go to a frame of a hand: the deal, or just after an event that follows it.

    Raises:
        UnknownName: the log does not have it.
    """
    hands = viewer.replay.hands
    if hand > len(hands):
        raise UnknownName(f"这份牌谱只有 {len(hands)} 局。", f"this log has only {many(len(hands), 'hand')}.")
    viewer.hand, viewer.step = hand - 1, 0
    before = sum(not has_frame(event) for event in viewer.played.events)
    last = len(viewer.played.events) - before - 1
    if frame > last or not viewer.jump(frame + before):
        raise UnknownName(f"第 {hand} 局只有 {last} 帧。", f"hand {hand} has only {last} frames.")


@parameters.command(
    "replay",
    parameters.argument("log", "arg.log", default=None),
    parameters.text("--rules", "-r", help="opt.log_rules", metavar="RULES"),
    parameters.text("--seat", "-s", help="opt.replay_seat", metavar="WIND"),
    parameters.number("--hand", "-n", help="opt.replay_hand", default=0, least=0),
    parameters.number("--frame", "-f", help="opt.replay_frame", default=0, least=0),
)
def command(log: str, rules: str, seat: str, hand: int, frame: int) -> int:
    """Replay."""
    from quepu.cli.verify import load_log
    from quepu.rules.winds_and_flowers import wind

    replay = load_log(log, rules).replay
    if not replay.hands:
        show(say("replay.empty"))
        return 0
    viewer = Viewer(replay)
    if seat:
        viewer.open_seats = frozenset({wind(seat) - 27})
    if hand:
        _open(viewer, hand, frame)
    if not sys.stdin.isatty():
        if hand:
            viewer.show()
        else:
            _print_all(viewer)
        return 0
    show(say("replay.keys", **in_words_of(replay.match.rules.words)))
    viewer.show()
    while not viewer.over:
        try:
            line = input("> ")
        except (EOFError, KeyboardInterrupt):
            break
        if viewer.answer(line):
            if not viewer.over:
                viewer.show()
        else:
            note(say("replay.keys", **in_words_of(replay.match.rules.words)))
    return 0
