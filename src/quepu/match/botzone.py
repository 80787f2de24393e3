"""Matches of botzone.org.cn as quepu's logs: one hand of 国标, with a list of what is lost.

The record does not say which end of the wall a tile came from: the wall is built so that our own table draws the same
tiles in the same order, kong and flower replacements from the tail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quepu.errors import Text
from quepu.match.botzone_record import SEATS, BotzoneError, BotzoneMatch, Move
from quepu.match.log import LogWriter
from quepu.match.match import Match
from quepu.match.seats import RoundPosition
from quepu.rulebooks import book as find_book
from quepu.table.actions import PASS, Action, ActionKind
from quepu.table.play import NotAllowed, Table
from quepu.table.wall import (
    TILE_NAMES,
    Wall,
    WallError,
    WallPlan,
    WallWalk,
    check_wall,
    dealt_places,
    wall_drawn,
)
from quepu.tiles import FIRST_FLOWER, FLOWERED, PLAIN

RULES = "guobiao-mcr"
"""The book of the platform's rules."""
_DICE = (1, 1, 1, 1)
_FAULTS = {
    "WH": Text("错和", "false win"),
    "WA": Text("应答有误", "wrong answer"),
    "TLE": Text("超时", "out of time"),
    "MLE": Text("内存超限", "out of memory"),
    "RE": Text("程序崩溃", "crashed"),
    "NJ": Text("应答不是 JSON", "answer is no JSON"),
}
_OWN_WALL = 34
"""Tiles each player has to himself in duplicate play (复式): the hand is drawn when somebody's own are gone."""


def from_botzone(record: BotzoneMatch) -> tuple[list[str], list[Text]]:
    """The lines of a log, and what could not be kept.

    Raises:
        BotzoneError: the tiles are not those of one set.
    """
    book = find_book(RULES)
    wall = _wall(record)
    first = RoundPosition(round=record.round + 1)
    match = Match(book, record.names, first.round, first=first)
    table = Table(book, wall, round=record.round)
    lines: list[str] = []
    log = LogWriter(match, lines.append, options={"from": "botzone"})
    log.hand(1, match.place, table)
    lost = [
        Text("没有掷骰：开牌位置是假定的。", "no dice were told: where the wall was opened is assumed."),
        Text("牌墙不分头尾：没摸到的牌的次序不可靠。", "the order of undrawn tiles is a guess."),
        Text("与摸到的相同的牌一律记作摸切。", "a discard like the tile just drawn is taken to be that tile."),
    ]  # fmt: skip
    if not record.rest:
        lost[1] = Text("没摸到的牌不知道次序，按牌种排着。", "the order of undrawn tiles is not told; they lie sorted.")
    if record.ignored:
        lost.append(
            Text(
                f"被更高的叫牌压下的 {record.ignored} 次吃碰和没有保留。",
                f"{record.ignored} claims that lost to a higher one are not kept.",
            )
        )
    cut = _play(table, record.moves)
    log.sync()
    if cut is not None:
        lost.append(cut)
    if table.ending is not None and cut is None and not record.fault:
        match = match.played(table.ending)
        log.result(match.hands[-1].settlement, match.totals, match.hands[-1].ending)
        log.end()
        lost += _differences(record, match, table)
    else:
        lost += _unfinished(record, cut)
    return lines, lost


# ---- the wall


def _wall(record: BotzoneMatch) -> Wall:
    """A wall from which our table draws what the record says.

    Raises:
        BotzoneError: the tiles drawn are more than a set has.
    """
    drawn = [move for move in record.moves if move.what == "draw"]
    flowered = (
        any(record.flowers) or any(move.tile >= FIRST_FLOWER for move in drawn) or len(record.rest) == FLOWERED.size
    )
    tiles = PLAIN.with_flowers(flowered)
    size = tiles.size
    order = [-1] * size
    walk = WallWalk(WallPlan(size))

    def place_tile(at: int, tile: int, entry: int) -> None:
        if not 0 <= at < size or order[at] >= 0:
            raise BotzoneError("摸的牌比一副牌还多。", "more tiles are drawn than there are.", entry)
        order[at] = tile

    for seat, (hand, flowers) in enumerate(zip(record.dealt, record.flowers, strict=True)):
        held = 13 - len(flowers)
        for place, tile in zip(dealt_places(seat), [*flowers, *hand[:held]], strict=True):
            place_tile(place, tile, 2)
        for tile in hand[held:]:
            place_tile(walk.tail(), tile, 2)
    replaces = False
    for move in record.moves:
        if move.what == "draw" and replaces:
            place_tile(walk.tail(), move.tile, move.entry)
            replaces = False
        elif move.what == "draw":
            place_tile(walk.head(), move.tile, move.entry)
        replaces = replaces or move.what in ("flower", "kong", "added")
    rest = Counter(tiles.tiles)
    rest.subtract(tile for tile in order if tile >= 0)
    if min(rest.values()) < 0:
        worst = TILE_NAMES[min(rest, key=lambda kind: rest[kind])]
        raise BotzoneError(f"{worst} 出现了不止四张。", f"there are more than four of {worst}.")
    free = [at for at, tile in enumerate(order) if tile < 0]
    for at, tile in zip(free, _undrawn(record, rest, order), strict=True):
        order[at] = tile
    try:
        return check_wall(wall_drawn(order, _DICE))
    except WallError as wrong:  # cannot be: every tile of a set is laid once
        raise BotzoneError(*wrong.text) from wrong


def _undrawn(record: BotzoneMatch, rest: Counter[int], order: Sequence[int]) -> list[int]:
    """The tiles that nobody drew, in the platform's own order if that is told."""
    wall_order = record.rest if len(record.rest) == len(order) else []
    gone = Counter(tile for tile in order if tile >= 0)
    left = []
    for tile in wall_order:
        if gone[tile]:
            gone[tile] -= 1
        else:
            left.append(tile)
    return left or sorted(rest.elements())


# ---- playing it again


def _play(table: Table, moves: Sequence[Move]) -> Text | None:
    """Do at the table what the record says; the sentence for the first move that cannot be done, None if all were."""
    for move in moves:
        try:
            if not _do(table, move):
                if move.what == "drawn" and _own_wall_gone(moves):
                    return Text(
                        "复式赛制：一家自己的 34 张牌摸完就荒牌，公共牌墙里还有牌；牌谱停在那里，没有结算。",
                        "duplicate play: the hand is drawn when a player's own 34 tiles are gone, though others' are "
                        "left; the log stops there, unsettled.",
                    )
                return Text(
                    f"第 {move.entry} 条：与重演不符，牌谱停在这里。",
                    f"entry {move.entry}: playing it again gives something else; the log stops here.",
                )
        except NotAllowed as refused:
            zh, en = refused.text
            return Text(f"第 {move.entry} 条：{zh}牌谱停在这里。", f"entry {move.entry}: {en} The log stops here.")
    return None


def _own_wall_gone(moves: Sequence[Move]) -> bool:
    """Whether the player whose turn it would be has drawn all that could be his alone."""
    drawn = Counter(move.seat for move in moves if move.what == "draw")
    return _OWN_WALL - 13 in drawn.values()


def _do(table: Table, move: Move) -> bool:
    """One move; False if the table stands elsewhere than the record says."""
    what, seat, tile, _ = move
    last = table.board.offer
    if what in ("pung", "chow", "kong", "win") and last is not None and table.to_act and seat != table.turn:
        claim = {
            "pung": Action(ActionKind.PUNG, last),
            "kong": Action(ActionKind.KONG, last),
            "chow": Action(ActionKind.CHOW, last, tile - 1),
            "win": Action(ActionKind.WIN),
        }[what]
        _answer(table, seat, claim)
        return True
    if what in ("draw", "drawn"):
        _answer(table, -1, PASS)
    if what == "draw":
        return not table.over and table.turn == seat and table.drawn == tile
    if what == "drawn":
        return table.over
    if what == "play":
        table.step(seat, Action(ActionKind.DISCARD, tile, drawn=table.drawn == tile))
    elif what == "flower":
        table.step(seat, Action(ActionKind.FLOWER, tile))
    elif what == "kong":
        table.step(seat, Action(ActionKind.CONCEALED, tile))
    elif what == "added":
        table.step(seat, Action(ActionKind.ADDED, tile))
    elif what == "win":
        table.step(seat, Action(ActionKind.WIN))
    return what not in ("pung", "chow")


def _answer(table: Table, seat: int, claim: Action) -> None:
    """Let a seat claim what is on offer and the others pass, as long as anybody is asked about it."""
    claimed = False
    while table.board.offer is not None and table.to_act:
        other = table.to_act[0] if seat not in table.to_act or claimed else seat
        if other == seat and not claimed:
            table.step(seat, claim)
            claimed = True
        else:
            table.step(other, PASS)
    if seat >= 0 and not claimed:
        table.step(seat, claim)  # refused, with the sentence why


# ---- what is lost


def _differences(record: BotzoneMatch, match: Match, table: Table) -> list[Text]:
    lost = []
    ending = table.ending
    points = ending.points if ending is not None else 0
    if record.fan is not None and record.fan != points:
        theirs = f"（{record.fans}）" if record.fans else ""
        lost.append(
            Text(
                f"记录算 {record.fan} 番{theirs}，这里算 {points} 番。",
                f"the record counts {record.fan} fan{f' ({record.fans})' if record.fans else ''}, this book {points}.",
            )
        )
    gains = match.hands[-1].players
    if record.scores is not None and list(gains) != record.scores:
        theirs, ours = (" ".join(f"{n:+d}" for n in all_) for all_ in (record.scores, gains))
        lost.append(
            Text(f"记录的得分是 {theirs}，这里结算为 {ours}。", f"the record scores {theirs}, this book {ours}.")
        )
    return lost


def _unfinished(record: BotzoneMatch, cut: Text | None) -> list[Text]:
    lost = []
    if record.fault:
        what = _FAULTS.get(record.fault, Text(record.fault, record.fault))
        seat = next((move.seat for move in record.moves if move.what == "fault"), -1)
        who = Text(f"{SEATS[seat]}家", f"player {seat}") if seat >= 0 else Text("有一家", "a player")
        lost.append(
            Text(
                f"{who.zh}{what.zh}（{record.fault}），对局到此为止，没有结算。",
                f"{who.en}: {what.en} ({record.fault}); the match ends there, unsettled.",
            )
        )
    elif cut is None:
        lost.append(Text("记录没有打完。", "the record is not finished."))
    if record.scores is not None and any(record.scores):
        lost.append(
            Text(
                f"记录的得分 {' '.join(f'{n:+d}' for n in record.scores)} 没有保留。",
                f"its scores {' '.join(f'{n:+d}' for n in record.scores)} are not kept.",
            )
        )
    return lost
