"""Convert matches of other programs to quepu logs, and list everything that is lost.

If a record has the whole wall and its dice, the hand is played on that wall. If it does not say which end of the wall a
tile came from, or draws in another order than our table, a wall is built so that our table draws the same tiles in the
same order, with replacements for kongs and flowers from the tail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quepu.errors import Text, many
from quepu.match.foreign_hand import ForeignError, ForeignHand, ForeignMatch, Move
from quepu.match.log import LogWriter
from quepu.match.match import Match, Recorded
from quepu.match.seats import ORIGIN, RoundPosition
from quepu.match.settle import settle
from quepu.rulebooks import book as find_book
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import PASS, Action, ActionKind, NotAllowed
from quepu.table.play import Table
from quepu.table.wall import TILE_NAMES, Wall, WallPlan, WallWalk, build_wall
from quepu.tiles import FIRST_FLOWER, FLOWERED, PLAIN, WINDS_CHINESE, TileSet

_DICE = (1, 1, 1, 1)
_FAULTS = {
    "WH": Text("错和", "false win"),
    "WA": Text("应答有误", "wrong answer"),
    "TLE": Text("超时", "out of time"),
    "MLE": Text("内存超限", "out of memory"),
    "RE": Text("程序崩溃", "crashed"),
    "NJ": Text("应答不是 JSON", "answer is not JSON"),
}


def log_of(record: ForeignMatch) -> tuple[list[str], list[Text]]:
    """Return the lines of a log, and sentences for everything that could not be kept.

    Raises:
        ForeignError: the tiles are not from one set, or hands are missing.
    """
    if not record.hands:
        raise ForeignError("里面一局都没有。", "there is no hand in it.")
    book = find_book(record.rules)
    first = _place(ORIGIN, record.hands[0])
    match = Match(book, record.names, record.hands[-1].round + 1, first=first)
    lines: list[str] = []
    played = [_play_hand(hand, book) for hand in record.hands]
    log = LogWriter(match, lines.append, options={"from": record.source}, own_walls=played[0][0].wall.own)
    lost = list(record.remarks)
    ignored = sum(hand.ignored for hand in record.hands)
    if ignored:
        lost.append(
            Text(
                f"被更高的叫牌压下的 {ignored} 次吃碰和没有保留。",
                f"not kept: {many(ignored, 'claim')} that lost to a higher one.",
            )
        )
    broken = False
    for number, (hand, (table, cut, built)) in enumerate(zip(record.hands, played, strict=True), 1):
        place = _place(match.place, hand)
        log.hand(len(match.hands) + 1, place, table)
        log.sync()
        remarks = [] if cut is None else [cut]
        if built and hand.wall is not None:
            remarks.append(
                Text(
                    "摸牌次序与我们的牌桌不同，牌墙是按摸到的牌重砌的。", "drawn in another order: the wall is rebuilt."
                )
            )
        if table.ending is not None and cut is None and not hand.fault:
            settlement = settle(table.ending, book, match.rules)
            match = match.add_recorded(Recorded(table.ending, settlement.payments, place))
            log.result(match.hands[-1].settlement, match.totals, match.hands[-1].ending)
            gains = match.hands[-1].players if hand.by_player else settlement.seats
            remarks += _differences(hand, gains, table)
        else:
            remarks += _report_unfinished(hand, cut)
            broken = number == len(record.hands)
            if not broken:
                log.put({"void": len(match.hands) + 1})
        lost += [_at(number, text) for text in remarks] if len(record.hands) > 1 else remarks
    if not broken:
        log.end()
    return lines, lost


def _at(number: int, text: Text) -> Text:
    return Text(f"第 {number} 局：{text.zh}", f"hand {number}: {text.en}")


def _place(before: RoundPosition, hand: ForeignHand) -> RoundPosition:
    """Return the position of a hand in the match, given the position after the hand before."""
    same = ((before.round - 1) % 4, before.dealership) == (hand.round, hand.dealership)
    place = before if same else RoundPosition(hand.round + 1, hand.dealership, 0, before.start)
    if hand.seats is None:
        return place
    a, b, c, d = (hand.seats[(at - hand.dealership) % 4] for at in range(4))
    return place._replace(start=(a, b, c, d))


def _play_hand(hand: ForeignHand, book: Rulebook) -> tuple[Table, Text | None, bool]:
    """Return the table after a hand, why it stopped early (if it did), and whether its wall had to be built."""
    if hand.wall is not None:
        table = Table(book, hand.wall, round=hand.round)
        cut = _play(table, hand.moves)
        if cut is None:
            return table, None, False
    if hand.own_walls:
        try:
            table = Table(book, _wall(hand, own=True), round=hand.round)
            cut = _play(table, hand.moves)
        except ForeignError:  # a seat draws more than its own tiles
            cut = Text("", "")
        if cut is None:
            return table, None, True
    table = Table(book, _wall(hand), round=hand.round)
    return table, _play(table, hand.moves), True


# ---- the wall


def _wall(record: ForeignHand, own: bool = False) -> Wall:
    """Build a wall (or four own walls) from which our table draws the tiles of the record.

    Raises:
        ForeignError: more tiles are drawn than a set has.
    """
    moved = any(move.tile is not None and move.tile >= FIRST_FLOWER for move in record.moves)
    flowered = moved or any(record.flowers) or len(record.rest) == FLOWERED.size
    tiles = PLAIN.with_flowers(flowered)
    size = tiles.size
    order: list[int | None] = [None] * size
    walk = WallWalk(plan := WallPlan(size, own=own))

    def place_tile(at: int, tile: int, entry: int | None = None) -> None:
        if at >= size or order[at] is not None:
            raise ForeignError("摸的牌比一副牌还多。", "more tiles are drawn than there are.", entry)
        order[at] = tile

    for seat, (hand, flowers) in enumerate(zip(record.dealt, record.flowers, strict=True)):
        held = 13 - len(flowers)
        for place, tile in zip(plan.dealt_places(seat), [*flowers, *hand[:held]], strict=True):
            place_tile(place, tile)
        for tile in hand[held:]:
            place_tile(walk.tail(seat), tile)
    replaces = False
    for move in record.moves:
        if move.what == "draw" and move.tile is not None and move.seat is not None:
            place_tile(walk.tail(move.seat) if replaces else walk.head(move.seat), move.tile, move.entry)
            replaces = False
        replaces = replaces or move.what in ("flower", "kong", "added")
    rest = Counter(tiles.tiles)
    rest.subtract(tile for tile in order if tile is not None)
    fewest, kind = min((left, kind) for kind, left in rest.items())
    if fewest < 0:
        name = TILE_NAMES[kind]
        raise ForeignError(f"{name} 出现了不止四张。", f"there are more than four of {name}.")
    free = [at for at, tile in enumerate(order) if tile is None]
    undrawn = dict(zip(free, _undrawn(record.rest, tiles, rest, order), strict=True))
    return build_wall([undrawn[at] if tile is None else tile for at, tile in enumerate(order)], _DICE, own)


def _undrawn(given: Sequence[int], tiles: TileSet, rest: Counter[int], order: Sequence[int | None]) -> list[int]:
    """List the undrawn tiles (`rest`), in the order of the program's own wall if a whole one is `given`."""
    if Counter(given) != Counter(tiles.tiles):
        return sorted(rest.elements())
    if all(tile in (None, given[at]) for at, tile in enumerate(order)):
        return [given[at] for at, tile in enumerate(order) if tile is None]
    gone = Counter(order)
    left = []
    for tile in given:
        if gone[tile]:
            gone[tile] -= 1
        else:
            left.append(tile)
    return left


# ---- playing it again


def _play(table: Table, moves: Sequence[Move]) -> Text | None:
    """Play the record on the table; return a sentence for the first move that fails, None if all succeed."""
    for move in moves:
        try:
            if not _do(table, move):
                return Text(
                    f"第 {move.entry} 条：与重演不符，牌谱停在这里。",
                    f"entry {move.entry}: replaying gives a different result; the log stops here.",
                )
        except NotAllowed as refused:
            zh, en = refused.text
            return Text(f"第 {move.entry} 条：{zh}牌谱停在这里。", f"entry {move.entry}: {en} The log stops here.")
    return None


def _do(table: Table, move: Move) -> bool:
    """Play one move; return False if the table is in another state than the record."""
    what, seat, tile, _ = move
    last = table.board.offer
    if what in ("draw", "drawn"):
        _answer(table, None, PASS)
    if tile is not None and tile >= FIRST_FLOWER and what in ("draw", "flower") and table.rules.table.flowers_replaced:
        return True  # our table set it aside by itself: the draw after it shows whether it was held
    if what == "draw":
        return not table.over and table.turn == seat and table.drawn == tile
    if what == "drawn":
        return table.over
    if seat is None or what == "fault":
        return what == "fault"
    if what in ("pung", "chow", "kong", "win") and last is not None and table.to_act and seat != table.turn:
        claim = {
            "pung": Action(ActionKind.PUNG, last),
            "kong": Action(ActionKind.KONG, last),
            "chow": Action(ActionKind.CHOW, last, None if tile is None else tile - 1),
            "win": Action(ActionKind.WIN),
        }[what]
        _answer(table, seat, claim)
        return True
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


def _answer(table: Table, seat: int | None, claim: Action) -> None:
    """Let one seat (None: no seat) claim the tile on offer and the others pass, until no answer is awaited."""
    claimed = False
    while table.to_act and PASS in table.options(asked := table.to_act[0]):
        if asked == seat and not claimed:
            table.step(seat, claim)
            claimed = True
        else:
            table.step(asked, PASS)
    if seat is not None and not claimed:
        table.step(seat, claim)  # refused, with a sentence that says why


# ---- losses


def _differences(record: ForeignHand, gains: Sequence[int], table: Table) -> list[Text]:
    lost = []
    first = None if table.ending is None else table.ending.first
    points = 0 if first is None else first.points
    if record.fan is not None and record.fan != points:
        theirs = f"（{record.fans}）" if record.fans else ""
        lost.append(
            Text(
                f"记录算 {record.fan} 番{theirs}，这里算 {points} 番。",
                f"the record counts {record.fan} fan{f' ({record.fans})' if record.fans else ''}, this book {points}.",
            )
        )
    if record.scores is not None and list(gains) != record.scores:
        theirs, ours = (" ".join(f"{n:+d}" for n in all_) for all_ in (record.scores, gains))
        lost.append(
            Text(f"记录的得分是 {theirs}，这里结算为 {ours}。", f"the record scores {theirs}, this book {ours}.")
        )
    return lost


def _report_unfinished(record: ForeignHand, cut: Text | None) -> list[Text]:
    lost = []
    if record.fault:
        what = _FAULTS.get(record.fault, Text(record.fault, record.fault))
        seat = next((move.seat for move in record.moves if move.what == "fault"), None)
        who = Text(f"{WINDS_CHINESE[seat]}家", f"player {seat}") if seat is not None else Text("有一家", "a player")
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
