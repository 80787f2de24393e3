"""`quepu play`: a match against three bots in the terminal, logged so that it can be resumed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypedDict, Unpack

from quepu.cli import parameters
from quepu.cli.board import show_payments, wind_name
from quepu.cli.files import hold
from quepu.cli.score_view import show_wins
from quepu.cli.screen import note, show
from quepu.cli.terminal_game import Quit, TerminalGame
from quepu.cli.texts import in_words_of, join_items, pick, say, spoken
from quepu.errors import HandError, cannot_write
from quepu.folders import data_folder
from quepu.tiles import WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.table import Table


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
        show_wins(ending, names)
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
