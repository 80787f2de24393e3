"""Play one hand with four bots, whole or decision by decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from quepu.arena.plan import PlanError, Player, book_of, name_of, seat_bot
from quepu.bots.line_process import BotError
from quepu.bots.protocol import Bot, Sitter, show_to_watchers, watchers_of
from quepu.errors import Error, Text
from quepu.match.settle import SEAT_NAMES
from quepu.rules.play_rules import SEATS, PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, NotAllowed, Table, Wall


def play_hand(
    book: str | Rulebook,
    wall: Wall,
    bots: Sequence[Player],
    *,
    round: int = 0,
    rules: PlayRules | None = None,
    seed: int = 0,
) -> Table:
    """Play a hand to its end; `bots[seat]` sits at East, South, West, North. The table has the complete record.

        >>> from quepu.bots import make_bot
        >>> from quepu.table import make_wall
        >>> table = play_hand("guobiao", make_wall(7), [make_bot("random", seat) for seat in range(4)])
        >>> table.over
        True

    A bot with a method `watch` receives every event as its seat sees it (`quepu.table.seen_by`), one with `sit` the
    table. `seed` is for bots created here, from a level or a class.

    Raises:
        PlanError: there are not four, or one of them is not a bot.
        NotAllowed: a bot returned an action that is not allowed, or none; with the name of the bot.
        BotError: a bot in another process failed; with its command.
    """
    table, playing = _seat_bots(book, wall, bots, round, rules, seed)
    for _ in _play(table, bots, playing):
        pass
    return table


def follow_hand(
    book: str | Rulebook,
    wall: Wall,
    bots: Sequence[Player],
    *,
    round: int = 0,
    rules: PlayRules | None = None,
    seed: int = 0,
) -> Iterator[tuple[Table, int, Action]]:
    """Play a hand as `play_hand`, and yield each decision just before it takes effect: table, seat, action.

        >>> from quepu.table import make_wall
        >>> table, seat, action = next(follow_hand("guobiao", make_wall(7), ["random"] * 4))
        >>> seat, action in table.options(seat)
        (0, True)

    Raises:
        Error: as `play_hand`.
    """
    table, playing = _seat_bots(book, wall, bots, round, rules, seed)
    return _play(table, bots, playing)


def _seat_bots(
    book: str | Rulebook, wall: Wall, bots: Sequence[Player], round: int, rules: PlayRules | None, seed: int
) -> tuple[Table, list[Bot]]:
    book = book_of(book)
    if len(bots) != SEATS:
        raise PlanError(f"一桌四家，给了 {len(bots)} 个机器人。", f"a table has four seats, not {len(bots)}.")
    playing = [seat_bot(player, seed * 4 + seat) for seat, player in enumerate(bots)]
    for seat, bot in enumerate(playing):
        bot.begin(book, seat)
    table = Table(book, wall, round=round, rules=rules)
    for bot in playing:
        if isinstance(bot, Sitter):
            bot.sit(table)
    return table, playing


def _play(table: Table, bots: Sequence[Player], playing: Sequence[Bot]) -> Iterator[tuple[Table, int, Action]]:
    watchers = watchers_of(playing)
    shown = 0
    while True:
        shown = show_to_watchers(table, watchers, shown)
        if not table.to_act:
            return
        seat = table.to_act[0]
        chosen = _choice_of(playing[seat], bots[seat], table)
        yield table, seat, chosen
        try:
            table.step(seat, chosen)
        except NotAllowed as refused:
            raise NotAllowed(*_describe_error(bots[seat], seat, refused)) from refused


def _choice_of(bot: Bot, player: Player, table: Table) -> Action:
    """Return the action of the bot that is to act; `player` is the description it was created from.

    Raises:
        NotAllowed: it is not an action; with the name of the bot.
        BotError: a bot in another process failed; with its command.
    """
    seat = table.to_act[0]
    try:
        chosen = bot.act(table.view(seat), table.options(seat))
    except BotError as failed:
        raise BotError(*_describe_error(bot, seat, failed)) from failed
    if not isinstance(chosen, Action):
        zh, en = (
            f"act 应返回 options 中的一项，而不是 {chosen!r}。",
            f"act must return one of the options, not {chosen!r}.",
        )
        raise NotAllowed(*_describe_error(player, seat, NotAllowed(zh, en)))
    return chosen


def _describe_error(player: Player, seat: int, wrong: Error) -> Text:
    """Describe an error of a bot, with its name."""
    name, (zh, en), at = name_of(player), wrong.text, SEAT_NAMES[seat]
    return Text(f"机器人 {name}（{at.zh}）：{zh}", f"bot {name} ({at.en}): {en}")


@contextmanager
def hand_of(wall: int, seed: int) -> Iterator[None]:
    """Add the hand's number and seed to errors of bots within this context."""
    try:
        yield
    except (BotError, NotAllowed) as wrong:
        zh, en = wrong.text
        where = Text(f"第 {wall + 1} 局（种子 {seed}），", f"hand {wall + 1} of seed {seed}, ")
        raise type(wrong)(f"{where.zh}{zh}", f"{where.en}{en}") from wrong
