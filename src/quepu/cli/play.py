"""`quepu play`: a match against three bots in the terminal, logged so that it can be resumed."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypedDict, Unpack

from quepu.cli import parameters
from quepu.cli.board import show_board, show_payments, tile_word, wind_name
from quepu.cli.files import hold
from quepu.cli.inputs import natural
from quepu.cli.screen import complain, note, show
from quepu.cli.texts import in_words_of, join_items, pick, say, spoken
from quepu.errors import Error, HandError, cannot_write
from quepu.folders import data_folder
from quepu.folding import fold
from quepu.table.actions import ActionKind
from quepu.tiles import WINDS, WINDS_CHINESE

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
    try:
        wanted = tile(line.strip())
    except Error:
        raise HandError(
            f"没看懂“{line}”。输入 ? 看怎么操作。", f"{line!r} was not understood; type ? for help."
        ) from None
    same = [option for option in plain if option.tile == wanted]
    if same:
        return next((option for option in same if option.drawn), same[0])
    raise HandError(f"现在不能打 {line}。", f"you cannot discard {line} now.")


def _folder() -> Path:
    return data_folder() / "games"


def _latest() -> Path:
    games = sorted(_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime) if _folder().is_dir() else []
    if not games:
        raise HandError("没有可以继续的对局。", "there is no saved game to resume.")
    return games[-1]


def _line_of(file: TextIO) -> Callable[[str], None]:
    def write(line: str) -> None:
        file.write(line + "\n")
        file.flush()

    return write


class How(TypedDict):
    """Options for the wall, and whether a match is resumed."""

    flowers: bool | None
    own_walls: bool
    resume: bool


@parameters.command(
    "play",
    parameters.rules(),
    parameters.text("--bots", "-b", help="opt.play_bots", metavar="LEVEL", complete=parameters.bots),
    parameters.number("--rounds", "-n", help="opt.rounds", default=1, least=1, most=16),
    parameters.text("--seed", help="opt.play_seed", metavar="SEED"),
    parameters.text("--name", help="opt.name", metavar="NAME"),
    parameters.text("--log", help="opt.play_log", metavar="FILE"),
    parameters.with_flowers(),
    parameters.flag("--own-walls", help="opt.own_walls"),
    parameters.flag("--resume", "-c", help="opt.resume"),
)
def command(rules: str, bots: str, rounds: int, seed: str, name: str, log: str, **how: Unpack[How]) -> int:
    """Play."""
    from quepu.bots import make_bot
    from quepu.cli.inputs import bots_of, rulebook
    from quepu.cli.verify import read
    from quepu.match.log import LogWriter
    from quepu.match.match import Match
    from quepu.rules.play_rules import play_rules

    flowers, resume = how["flowers"], how["resume"]
    levels = list(bots_of(bots or "plain"))
    unfinished = None
    number = 0
    if resume:
        path = Path(log) if log else _latest()
        house = rules if rules.endswith(".toml") else ""
        read(str(path), house)  # refuse a file that is not a log before it is opened for writing
        try:
            file = path.open("a", encoding="utf-8")
        except OSError as wrong:
            raise cannot_write(path, wrong) from wrong
        hold(file, path)
        replay = read(str(path), house)
        if replay.finished:
            raise HandError(f"{path.name} 已经打完。", f"{path.name} is finished.")
        match = replay.match
        if not bots:  # the same players as before
            levels = [str(level) for level in replay.header.get("options", {}).get("bots", levels)]
        players = [make_bot(levels[i % len(levels)], i) for i in range(3)]
        seed = str(replay.header.get("seed") or "")
        _cut(path, replay.lines)
        writer, unfinished = LogWriter.resume(replay, _line_of(file))
        number = len(match.hands)
        flowers = replay.header.get("options", {}).get("flowers")
    else:
        players = [make_bot(levels[i % len(levels)], i) for i in range(3)]
        me = name or say("play.me")
        names = (me, *(say("play.bot", n=i + 1, level=levels[i % len(levels)]) for i in range(3)))
        book = rulebook(rules)
        play_rules(book)  # refuse a book without a table before a file is created
        match = Match(book, (names[0], names[1], names[2], names[3]), rounds)
        path = Path(log) if log else _new_path(match.book.id)
        try:
            if not log:
                path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("x", encoding="utf-8")
        except OSError as wrong:
            raise cannot_write(path, wrong) from wrong
        hold(file, path)
        options = {"bots": levels, "flowers": flowers}
        writer = LogWriter(match, _line_of(file), seed=seed or None, options=options, own_walls=how["own_walls"])
    game = TerminalGame(match, writer, players, _prompt)
    game.shown_events = len(unfinished.events) if unfinished is not None else 0
    show(say("play.welcome", path=path))
    with file:
        try:
            _match(game, seed, flowers, unfinished, number)
        except (Quit, EOFError, KeyboardInterrupt):
            writer.sync()
            note(say("play.left", path=path, command=_command_to_resume(log)))
            return 0
    return 0


def _command_to_resume(log: str) -> str:
    """Return the command that resumes the game; it names the file if the player chose its name."""
    words = ["quepu", "play", *(["--log", log] if log else []), "--resume"]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _cut(path: Path, lines: int) -> None:
    """Remove a last line that a crash left incomplete."""
    whole_lines = path.read_text(encoding="utf-8").split("\n")[:lines]
    path.write_text("\n".join(whole_lines) + "\n", encoding="utf-8")


def _prompt(prompt: str) -> str:
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")
    return input(prompt)


def _new_path(book: str) -> Path:
    from datetime import datetime

    return _folder() / f"{datetime.now():%Y%m%d-%H%M%S}-{book}.jsonl"


def _match(game: TerminalGame, seed: str, flowers: bool | None, unfinished: Table | None, number: int) -> None:
    from quepu.match.settle import settle
    from quepu.match.words import announcements, place_name
    from quepu.table import Table, commitment, make_wall, secret_wall

    match = game.match
    while not match.over:
        place = match.place
        table = unfinished
        unfinished = None
        if table is None:
            number = len(match.hands) + 1
            tiles = match.rules.table.tiles.with_flowers(flowers)
            own_walls = game.writer.own_walls
            if seed:
                wall, salt = make_wall(seed, number, tiles, own_walls), ""
            else:
                wall, salt = secret_wall(tiles, own_walls)
            table = Table(match.book, wall, round=place.round_wind)
            promise = commitment(wall, salt) if salt else ""
            game.writer.hand(number, place, table, salt=salt, commitment=promise)
            own = match.rules.words
            show(say("play.hand", number=number, place=spoken(place_name(place, own)), **in_words_of(own)))
            if wall.own:
                show(say("play.own_walls", n=len(wall.tiles) // 4))
            else:
                side, stack = wall.opening
                show(say("play.dice", dice=" ".join(map(str, wall.dice)), wind=wind_name(side), stack=stack))
            if promise:
                show(say("play.promise", hash=promise[:16]))
        game.play(table, place.seats)
        game.shown_events = 0
        ending = table.ending
        assert ending is not None  # noqa: S101  # nobody is asked any more
        match = match.add_hand(ending)
        game.match = match
        settled = settle(ending, match.book, match.rules)
        game.writer.result(settled, match.totals, ending)
        names = [match.names[player] for player in place.seats]
        for win in ending.winners:
            if win.score is not None:
                from quepu.cli.score_view import show_score

                show_score(win.score)
        for one in announcements(ending, table.ready_hands(), match.rules):
            wind = pick(f"{WINDS_CHINESE[one.seat]}家 ", f"{WINDS[one.seat]}:")
            show(say("match.announced", wind=wind, name=names[one.seat], text=spoken(one.text)))
        show_payments(settled, names, [match.totals[player] for player in place.seats])
        if not match.over:
            game.prompt(say("play.next"))
    game.writer.end()
    show(say("play.over"))
    for standing in match.standings():
        show("  " + join_items([str(standing.rank), standing.name, f"{standing.total:+d}"]))
