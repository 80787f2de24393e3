"""The protocol of a bot, and the registry of levels.

A bot receives the view of one seat and all its options, and returns one of the options. It may keep state between
calls; `begin` is called at the start of a hand. Two bots of one level and seed act alike.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from inspect import signature
from typing import Literal, NamedTuple, Protocol, cast, runtime_checkable

from quepu.errors import Error, Text, UnknownName, missing_extra, near_names
from quepu.folding import fold
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Event, Table, View, seen_by


class Bot(Protocol):
    """A player.

    Examples:
        >>> class First:
        ...     def begin(self, book, seat): ...
        ...     def act(self, view, options):
        ...         return options[0]
        >>> from quepu.arena import match
        >>> match("guobiao-mcr", [First, "random", "random", "random"], seed=1, rounds=1).over
        True
    """

    def begin(self, book: Rulebook, seat: int) -> None:
        """Prepare for a hand to be dealt to this seat (0 East … 3 North) under this book."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Choose one of the options (never empty)."""


BotMaker = str | Callable[[int], Bot] | Callable[[], Bot]
"""A level's key, `exec:COMMAND`, `botzone:COMMAND`, `net:FILE`, or a class or function that creates a bot: from a seed,
if it takes one.
"""


class NotABot(Error):
    """An object that is neither a bot nor creates one."""


@runtime_checkable
class Watcher(Protocol):
    """A bot that is shown every event, besides the view when it is to act.

    Examples:
        >>> class Counter:
        ...     seen = 0
        ...     def begin(self, book, seat): ...
        ...     def act(self, view, options):
        ...         return options[0]
        ...     def watch(self, event):
        ...         self.seen += 1
        >>> isinstance(Counter(), Watcher)
        True
    """

    def watch(self, event: Event | int) -> None:
        """Observe an event as the seat sees it, or its bare number if it is another seat's secret."""


@runtime_checkable
class Sitter(Protocol):
    """A bot that is shown its table before it acts.

    Examples:
        >>> class Reader:
        ...     def sit(self, table):
        ...         self.table = table
        >>> isinstance(Reader(), Sitter)
        True
    """

    def sit(self, table: Table) -> None:
        """Sit down at a table."""


def watchers_of(bots: Sequence[Bot | None]) -> list[tuple[int, Watcher]]:
    """Return the bots that watch, with their seats; `bots` go by seat, None is a person.

    >>> watchers_of([make_bot("plain"), None])
    []
    """
    return [(seat, bot) for seat, bot in enumerate(bots) if bot is not None and isinstance(bot, Watcher)]


def show_to_watchers(table: Table, watchers: Sequence[tuple[int, Watcher]], first: int) -> int:
    """Show the events of a table from number `first` on to the bots that watch; return the number of events so far.

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> show_to_watchers(quepu.Table(quepu.book("guobiao-mcr"), make_wall(7)), [], 0) > 4
        True

    Each bot gets them as its seat sees them.
    """
    if watchers:
        hidden = table.rules.table.concealed_kongs_hidden
        for number, event in enumerate(table.events_from(first), first):
            for seat, watcher in watchers:
                watcher.watch(seen_by(event, seat, number, hidden))
    return table.event_count


LevelGroup = Literal["usual", "style", "study"]
"""The purpose of a level: an opponent of some strength, one with a style of its own, or a yardstick not offered for
play.
"""


class BotLevel(NamedTuple):
    """A way to play: its name, its description, and its module ("module:class", imported on first use).

        >>> LEVELS["plain"].name.en, LEVELS["plain"].text.en
        ('beginner', 'heads for the nearest complete shape, claims freely')

    `nickname` is what such a bot is called at a table, `manner` one sentence about how it plays.
    """

    name: Text
    text: Text
    nickname: Text
    manner: Text
    made_by: str
    heavy: bool = False  # needs numpy and a table built once for each book
    group: LevelGroup = "usual"
    on_demand: str = ""  # a form that makes the same moves in plain Python without a table, if there is one


LEVELS: dict[str, BotLevel] = {
    "random": BotLevel(
        Text("随机", "random"),
        Text("乱打", "any legal action"),
        Text("骰子", "Dice"),
        Text("随手打，什么都不想。", "Plays any legal tile without a thought."),
        "quepu.bots.simple:RandomBot",
        group="study",
    ),
    "closed": BotLevel(
        Text("不吃碰", "concealed only"),
        Text("门清：只求成形，不鸣牌", "heads for the nearest complete shape, never claims"),
        Text("阿静", "Quiet"),
        Text("从不吃碰，门清到底。", "Never claims a discard and keeps the hand concealed."),
        "quepu.bots.simple:ClosedBot",
        group="style",
    ),
    "plain": BotLevel(
        Text("新手", "beginner"),
        Text("只求成形，能鸣就鸣", "heads for the nearest complete shape, claims freely"),
        Text("小雀", "Sparrow"),
        Text(
            "刚学会：能吃就吃，能碰就碰，不看番数。",
            "New to the game: claims whatever it can and never looks at the score.",
        ),
        "quepu.bots.simple:PlainBot",
    ),
    "steps": BotLevel(
        Text("普通", "intermediate"),
        Text("求最近的可和牌", "heads for the nearest valid hand"),
        Text("阿稳", "Steady"),
        Text("走最近的路，能和就和，不贪大。", "Takes the shortest way to a valid hand, however small."),
        "quepu.bots.payable_bot:StepsBot",
        True,
        on_demand="quepu.bots.aiming:StepsOnDemand",
    ),
    "gain": BotLevel(
        Text("高手", "expert"),
        Text("权衡点数与远近", "weighs points against distance"),
        Text("老算", "Reckoner"),
        Text("又算远近又算点数，值得才做。", "Weighs the value of a hand against its distance."),
        "quepu.bots.payable_bot:GainBot",
        True,
        on_demand="quepu.bots.aiming:GainOnDemand",
    ),
    "master": BotLevel(
        Text("大师", "master"),
        Text(
            "还考虑杠、暗刻、报听和放铳的风险",
            "also considers kongs, concealed pungs, ready declarations and the risk of dealing in",
        ),
        Text("师父", "Sifu"),
        Text(
            "会防守：有人快和了就不打危险牌。",
            "Defends too: holds back dangerous tiles when someone is close to a win.",
        ),
        "quepu.bots.master:MasterBot",
        True,
    ),
    "people": BotLevel(
        Text("像真人", "human-like"),
        Text(
            "打法像真人：各番种和出的次数接近国标真人牌局",
            "plays like people: wins each fan about as often as people do in MCR",
        ),
        Text("街坊", "Neighbour"),
        Text("像常来的牌友，做的番种和真人差不多。", "Plays the hands that people play, about as often as they do."),
        "quepu.bots.styles:people",
        True,
        "style",
    ),
    "flush": BotLevel(
        Text("染手", "flushes first"),
        Text("偏爱清一色、混一色", "prefers one suit, even when other hands pay more"),
        Text("阿染", "Indigo"),
        Text("爱做清一色、混一色，绕远也要染。", "Loves flushes and goes out of its way for one suit."),
        "quepu.bots.styles:flush",
        True,
        "style",
    ),
    "pungs": BotLevel(
        Text("爱碰", "pungs first"),
        Text("偏爱刻子和杠", "prefers pungs and kongs, even when other hands pay more"),
        Text("双双", "Echo"),
        Text("爱收刻子，能碰就碰，能杠就杠。", "Collects pungs, and kongs where it can."),
        "quepu.bots.styles:pungs",
        True,
        "style",
    ),
    "fast": BotLevel(
        Text("快攻", "speed first"),
        Text("先求和牌，大小其次，能鸣就鸣", "prefers quick wins to big ones, claims freely"),
        Text("阿闪", "Swift"),
        Text("抢快：早早吃碰，小牌也和。", "Races: claims early and takes any win."),
        "quepu.bots.styles:fast",
        True,
        "style",
    ),
    "value": BotLevel(
        Text("做大", "big hands first"),
        Text("宁可慢些也要大牌", "prefers big wins to quick ones"),
        Text("大山", "Summit"),
        Text("沉得住气，宁可慢也要做大牌。", "Patient: prefers a late big hand to an early small one."),
        "quepu.bots.styles:value",
        True,
        "style",
    ),
}
"""Levels by key: strengths, weakest first, then styles."""

LEVEL_NAMES: dict[str, Text] = {key: level.name for key, level in LEVELS.items()}
"""The displayed name of each level: 新手, 普通, 高手 …"""


@lru_cache(8)
def _running(made_by: type[Bot], command: str, _ours: int) -> Bot:
    """Return the process of a command, shared by all its seats: each request names the seat.

    A forked process starts its own.
    """
    bot: Bot = made_by(command)  # type: ignore[call-arg]  # an external bot is made from its command
    return bot


def make_bot(level: BotMaker, seed: int = 0, *, tables: bool = True) -> Bot:
    """Return a bot of this level, `exec:` or `botzone:COMMAND` for one in another process, `net:FILE` for a net.

        >>> type(make_bot("plain", seed=1)).__name__
        'PlainBot'

    `seed` determines its random choices. A class or function creates it from the seed, if it takes one. Without
    `tables`, a level that usually needs them is created in its form without them (see `heavy`).

    Raises:
        UnknownName: the level does not exist. NotABot: the class or function takes more than a seed, or does not create
            a bot.
        BotError: the command cannot be run.
        MissingExtra: the level needs numpy, which is not installed.
    """
    if not isinstance(level, str):
        return _create(level, seed)
    if level.startswith("exec:"):
        from quepu.bots.external import ExternalBot

        return _running(ExternalBot, level[5:], os.getpid())
    if level.startswith("botzone:"):
        from quepu.bots.botzone import guest

        return guest(level.removeprefix("botzone:"))
    if level.startswith("net:"):
        try:
            net: Bot = importlib.import_module("quepu.bots.nets").load_bot(level.removeprefix("net:"))
        except ModuleNotFoundError as wrong:
            raise missing_extra(wrong.name) or wrong from wrong
        return net
    entry = level_of(level)
    module, name = (entry.made_by if tables or not entry.on_demand else entry.on_demand).split(":")
    try:
        made: Bot = getattr(importlib.import_module(module), name)(seed)
    except ModuleNotFoundError as wrong:
        raise missing_extra(wrong.name) or wrong from wrong
    return made


def _create(maker: object, seed: int) -> Bot:
    """Return the bot that a class or function creates from a seed, or without one if it takes none."""
    name = getattr(maker, "__name__", type(maker).__name__)
    made: object = maker
    if callable(maker):
        for given in _arguments(maker, seed, name):
            made = maker(*given)
    if hasattr(made, "act") and hasattr(made, "begin"):
        return cast("Bot", made)
    raise NotABot(
        f"{name} 不是机器人：机器人有 begin 和 act 两个方法。",
        f"{name} is not a bot: a bot has the methods begin and act.",
    )


def _arguments(maker: Callable[..., object], seed: int, name: str) -> list[tuple[int, ...]]:
    """Return the arguments for calling a class or function; empty if its signature is unknown, as for dict."""
    try:
        taken = signature(maker)
    except (ValueError, TypeError):
        return []
    for given in ((seed,), ()):
        with suppress(TypeError):
            taken.bind(*given)
            return [given]
    raise NotABot(
        f"{name} 要的参数不止一个种子：给做好的机器人，或只收一个种子的类、函数。",
        f"{name} takes more than a seed: give a bot, or a class or function that takes only a seed.",
    )


def level_key(name: str) -> str:
    """Return the key of the level of this name, in either script or in English; the name itself if it is unknown.

    Examples:
        >>> level_key("beginner"), level_key("新手")
        ('plain', 'plain')
    """
    if name in LEVELS:
        return name
    return {fold(called): key for key, names in LEVEL_NAMES.items() for called in (key, *names)}.get(fold(name), name)


def level_of(key: str) -> BotLevel:
    """Return the level of this key or name.

        >>> level_of("plain").nickname.en
        'Sparrow'

    Raises:
        UnknownName: the level does not exist.
    """
    entry = LEVELS.get(level_key(key))
    if entry is None:
        listed = ", ".join(LEVELS)
        near = near_names(key, {called: own for own, names in LEVEL_NAMES.items() for called in (own, *names)})
        zh, en = "、".join(near), " or ".join(near)
        raise UnknownName(
            f"没有机器人级别“{key}”。{f'是不是{zh}？' if near else ''}现有：{listed}。",
            f"no bot level {key!r}; {f'did you mean {en}? ' if near else ''}levels: {listed}.",
        )
    return entry


def heavy(level: str, *, tables: bool = True) -> bool:
    """Return whether the level needs numpy and a table built once for each book, or has no form without them.

    Examples:
        >>> heavy("plain"), heavy("gain"), heavy("gain", tables=False)
        (False, True, False)
    """
    return level in LEVELS and LEVELS[level].heavy and (tables or not LEVELS[level].on_demand)
