"""A match in the terminal: one person and three bots, shown and asked turn by turn."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quepu.cli.board import show_board, tile_word
from quepu.cli.inputs import natural
from quepu.cli.screen import complain, show
from quepu.cli.texts import join_items, say, spoken
from quepu.errors import Error, HandError
from quepu.folding import fold
from quepu.table.actions import FLOWER, ActionKind
from quepu.tiles import FIRST_FLOWER, FLOWERS, FLOWERS_ENGLISH

if TYPE_CHECKING:
    from quepu.bots import Bot
    from quepu.match.log import LogWriter
    from quepu.match.match import Match
    from quepu.rules.play_rules import Words
    from quepu.table import Action, Table, View

ME = 0
_KEYS = {
    ActionKind.WIN: "h", ActionKind.PUNG: "p", ActionKind.KONG: "k", ActionKind.PASS: "⏎", ActionKind.READY: "r",
    ActionKind.FLOWER: "f",
}  # fmt: skip
_WORDS = {
    word: kind
    for kind, words in {
        ActionKind.WIN: ("h", "和", "胡", "win"), ActionKind.PUNG: ("p", "碰", "pung"),
        ActionKind.PASS: ("n", "过", "pass"), ActionKind.FLOWER: ("f", "补", "flower"),
        ActionKind.READY: ("r", "听", "ready"),
    }.items()
    for word in words
}  # fmt: skip
_SHOWN = 4
_KONGS = (ActionKind.KONG, ActionKind.ADDED, ActionKind.CONCEALED)


class Quit(Exception):  # the way a game is left, not a mistake
    """The player leaves; the game is saved."""


class TerminalGame:
    """One person and three bots, with everything logged."""

    def __init__(self, match: Match, writer: LogWriter, bots: Sequence[Bot], prompt: Callable[[str], str]) -> None:
        self.match = match
        self.writer = writer
        self.bots = bots  # for players 1, 2, 3
        self.prompt = prompt
        self.shown_events = 0
        self.hints = True

    # ---- a hand

    def play(self, table: Table, seats: Sequence[int]) -> None:
        """Play a hand to its end."""
        from quepu.bots.protocol import show_to_watchers, watchers_of

        me = seats.index(ME)
        bots = [self.bots[player - 1] if player != ME else None for player in seats]
        for seat, bot in enumerate(bots):
            if bot is not None:
                bot.begin(self.match.book, seat)
        watchers = watchers_of(bots)
        watched = 0
        while True:
            watched = show_to_watchers(table, watchers, watched)
            if not table.to_act:
                break
            self.writer.sync()
            seat = (
                me
                if me in table.to_act and len(table.to_act) == 1
                else next(s for s in table.to_act if s != me or len(table.to_act) == 1)
            )
            mover = bots[seat]
            if mover is None:
                self.show_events(table, me)
                self.turn(table, me, seats)
            else:
                table.step(seat, mover.act(table.view(seat), table.options(seat)))
        self.show_events(table, me)

    def show_events(self, table: Table, me: int) -> None:
        """Show the events since the last call, as far as this seat may see them."""
        from quepu.table import seen_by
        from quepu.table.events import Dealt, DiceThrown, Drawn

        events = table.events
        for number in range(self.shown_events, len(events)):
            event = events[number]
            if isinstance(event, DiceThrown | Dealt):
                continue
            seen = seen_by(event, me, number, table.rules.table.concealed_kongs_hidden)
            if isinstance(seen, int):
                continue
            if not isinstance(event, Drawn) or event.seat != me:
                show(f"  {spoken(seen.text(table.rules.words))}")
        self.shown_events = len(events)

    # ---- my turn

    def turn(self, table: Table, me: int, seats: Sequence[int]) -> None:
        """Prompt until the action is legal."""
        names = [self.match.names[player] for player in seats]
        totals = [self.match.totals[player] for player in seats]
        show_board(table, names, totals, {me}, me)
        found = table.options(me)
        self.list_options(found, table.rules.words)
        while True:
            line = self.prompt(say("play.prompt")).strip()
            word = fold(line)
            if word in ("q", "quit", "退出"):
                raise Quit
            if word in ("?", "help", "帮助"):
                show(say("play.help"))
                continue
            if word in ("t", "提示", "hint"):
                self.hint(table, me)
                continue
            if word in ("b", "桌", "board"):
                show_board(table, names, totals, {me}, me)
                continue
            try:
                table.step(me, choose(line, found, table))
            except Error as error:
                complain(error)
                continue
            return

    def list_options(self, found: Sequence[Action], book: Words) -> None:
        """List the actions besides discards, each with its key, a win with its score."""
        chows = [option for option in found if option.do is ActionKind.CHOW]
        words = []
        for option in found:
            if option.do is ActionKind.DISCARD and not option.ready:
                continue
            key = _KEYS.get(option.do, "")
            if option.do is ActionKind.CHOW:
                key = f"c{chows.index(option) + 1}" if len(chows) > 1 else "c"
            elif option.do in (ActionKind.ADDED, ActionKind.CONCEALED):
                key = f"k {tile_word(option.tile_kind)}"
            elif option.do is ActionKind.DISCARD:
                key = f"r {tile_word(option.tile_kind)}"
            text = spoken(option.text(book))
            if option.score is not None:
                text += f" {spoken(option.score.tally.how)}"
            words.append(f"[{key}] {text}")
        if words:
            show("  " + join_items(words))

    def hint(self, table: Table, me: int) -> None:
        """Show the waits with points, or the waits after each discard."""
        from quepu.cli.waits import show_choices, show_outlook
        from quepu.scoring.waits import choices, outlook

        view = table.view(me)
        if view.has_flower:
            show(f"  {say('play.flower')}")
            return
        self.advise(view, table.options(me))
        seen = view.open_tiles()
        hand = view.as_hand()
        if table.turn == me and table.board.offer is None:
            tiles = view.tiles
            if len(tiles) % 3 == 2 and all(kind < 34 for kind in tiles):
                whole = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
                show_choices(whole, choices(whole, self.match.book, seen), self.match.book, False)
            return
        show_outlook(outlook(hand, self.match.book, seen), self.match.book)

    def advise(self, view: View, found: Sequence[Action]) -> None:
        """Show the value of each choice, as hints and reviews do; nothing without numpy."""
        if importlib.util.find_spec("numpy") is None:
            return
        from quepu.cli.screen import note_tables
        from quepu.review.choice_words import advice, choice_text, outlook
        from quepu.review.valuation import rate_options

        note_tables(self.match.book)
        made = rate_options(view, found) if len(found) > 1 else None
        if made is None:
            return
        show(f"  {say('play.worth')}{spoken(advice(made))}")
        for choice in made.choices[:_SHOWN]:
            show("    " + join_items([spoken(choice_text(choice)), f"{choice.share:.0%}", spoken(outlook(choice))]))
        show(f"  {say('play.shape')}")


def _read_flower(word: str) -> int | None:
    """Return the kind of a flower named in either language, or None."""
    names = [fold(name) for name in (*FLOWERS, *FLOWERS_ENGLISH)]
    return FIRST_FLOWER + names.index(word.strip()) % len(FLOWERS) if word.strip() in names else None


def choose(line: str, found: Sequence[Action], table: Table) -> Action:
    """Return the option that was typed.

    Raises:
        Error: it is not an option.
    """
    from quepu.hands.notation import tile

    word = fold(line)
    by = {option.do: option for option in found}
    chows = [option for option in found if option.do is ActionKind.CHOW]
    plain = [option for option in found if option.do is ActionKind.DISCARD and not option.ready]
    if not word:
        if ActionKind.PASS in by:
            return by[ActionKind.PASS]
        drawn = next((option for option in plain if option.drawn), None)
        if drawn is not None:
            return drawn
    named = _WORDS.get(word)
    if named is not None and named in by:
        return by[named]
    if word[0:1] in ("c", "吃") and chows:
        at = word[1:].strip() or "1"
        if 1 <= (natural(at) or 0) <= len(chows):
            return chows[int(at) - 1]
    if word[0:1] in ("k", "杠", "r"):
        rest = line[1:].strip()
        kinds = _KONGS if word[0] != "r" else (ActionKind.DISCARD,)
        fits = [option for option in found if option.do in kinds and option not in plain]
        if rest:
            wanted = tile(rest)
            fits = [option for option in fits if option.tile == wanted]
        if len(fits) == 1 or (fits and rest):
            return fits[0]
    flower = _read_flower(word.lstrip("f补"))
    if flower is not None and word[0] in "f补":
        named_flower = next((option for option in found if option == FLOWER[flower]), None)
        if named_flower is not None:
            return named_flower
    try:
        wanted = tile(line.strip()) if flower is None else flower
    except Error:
        raise HandError(
            f"没看懂“{line}”。输入 ? 看怎么操作。", f"{line!r} was not understood; type ? for help."
        ) from None
    same = [option for option in plain if option.tile == wanted]
    if same:
        return next((option for option in same if option.drawn), same[0])
    raise HandError(f"现在不能打 {line}。", f"you cannot discard {line} now.")
