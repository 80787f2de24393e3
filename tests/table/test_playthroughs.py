"""Whole hands as readable text, played again and compared: every book, every way a hand can end.

`python -m tests.table.test_playthroughs` writes the files anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quepu.hands.hand import Luck
from quepu.hands.notation import meld_text
from quepu.match import settle
from quepu.match.settle import SEAT_NAMES, in_words
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.table.wall import TILE_NAMES
from quepu.tiles import PLAIN
from tests.books import PLAYED
from tests.table.players import choose

FOLDER = Path(__file__).parent / "playthroughs"
SEED = "play"
HANDS: dict[str, dict[str, int]] = {
    "lingque-29": {
        "robbed-kong": 103, "kong-draw": 1073, "half-on-self-draw": 980, "all-paid-by-one": 796,
        "kong-without-replacement": 1354, "last-draw": 481, "last-discard": 461, "drawn": 52,
    },
    "lingque-26": {"early-discard": 662, "half-by-one": 471, "drawn": 141},
    "yuque-54": {"robbed-kong": 103, "kong-draw": 1302, "last-discard": 882, "drawn": 1094},
    "guobiao": {"flowers": 641, "robbed-kong": 1301, "last-draw": 507, "kong-draw": 1499, "drawn": 880},
    "guobiao-mcr": {"flower-after-kong": 619, "last-discard": 588, "self-draw": 758},
    "guobiao-mil-2025": {"flower-after-kong": 619, "last-discard": 588, "self-draw": 758},
    "canton": {"robbed-kong": 1301, "kong-draw": 1499, "last-discard": 624, "drawn": 1403, "flowers": 1142},
}  # fmt: skip
WITH_FLOWERS = {"lingque-29": {"flowers": 224}}
"""Hands of books that are played without flowers unless the table says so, played with them."""
FILES = [
    (name, story, hand, flowers)
    for flowers, hands in ((False, HANDS), (True, WITH_FLOWERS))
    for name, stories in hands.items()
    for story, hand in stories.items()
]


def lines(name: str, hand: int, with_flowers: bool) -> Iterator[str]:
    rules = play_rules(book(name))
    wall = make_wall(SEED, hand, PLAIN.with_flowers(rules.table.flowers or with_flowers))
    return _lines(Table(book(name), wall, round=hand % 4))


def _lines(table: Table) -> Iterator[str]:
    opener, stack = table.wall.opening
    yield f"{table.book.title.zh} · 圈风{'東南西北'[table.board.round]}"
    yield f"开牌：{SEAT_NAMES[opener].zh}面前从右往左第 {stack} 墩起配牌"
    shown = 0
    while True:
        for n in range(shown, len(table.events)):
            yield f"{n:4} {table.events[n].text().zh}"
        shown = len(table.events)
        if not table.to_act:
            break
        seat = table.to_act[0]
        more = [option.text().zh for option in table.options(seat) if option.do != "discard" or option.ready]
        action = choose(table, seat)
        if more:
            yield f"       {SEAT_NAMES[seat].zh}可以：{'、'.join(more)} → {action.text().zh}"
        table.step(seat, action)
    yield from _ended(table)


def _ended(table: Table) -> Iterator[str]:
    ending = table.ending
    assert ending is not None
    for seat in range(4):
        concealed = "".join(TILE_NAMES[kind] for kind in table.hands[seat])
        melds = "".join(meld_text(meld) for meld in table.melds[seat])
        flowers = "".join(TILE_NAMES[kind] for kind in table.board.flowers[seat])
        yield f"{SEAT_NAMES[seat].zh} {concealed}{melds}{' 花 ' + flowers if flowers else ''}"
    for win in ending.winners:
        luck = [name for name, bits in table.book.circumstances.items() if win.luck & bits == bits]
        who = SEAT_NAMES[win.seat].zh
        yield f"和牌：{who}，{win.points} 点（{'、'.join(map(str, win.score.fans if win.score else ()))}）"
        yield f"情形：{'、'.join(luck) or '无'}；提供牌张：{list(win.supplied)}"
    settlement = settle(ending, table.book, play_rules(table.book))
    for payment in settlement.payments:
        yield in_words(payment).zh
    yield f"收支：{list(settlement.seats)}"


def file_of(name: str, story: str) -> Path:
    return FOLDER / f"{name}.{story}.txt"


@pytest.mark.parametrize(("name", "story", "hand", "flowers"), FILES)
def test_playthrough(name: str, story: str, hand: int, flowers: bool) -> None:
    assert "\n".join(lines(name, hand, flowers)) + "\n" == file_of(name, story).read_text(encoding="utf-8")


def test_every_book_has_three_and_every_file_its_test() -> None:
    for name in PLAYED:
        assert len(list(FOLDER.glob(f"{name}.*.txt"))) >= 3
    assert {path.name for path in FOLDER.iterdir()} == {file_of(name, story).name for name, story, _, _ in FILES}


@pytest.mark.parametrize(
    ("words", "luck"),
    [
        ("robbed-kong", Luck.ROBBED_KONG),
        ("kong-draw", Luck.KONG_DRAW),
        ("last-draw", Luck.LAST_DRAW),
        ("last-discard", Luck.LAST_DISCARD),
    ],
)
def test_each_file_has_what_its_name_says(words: str, luck: Luck) -> None:
    shown = 0
    for name, stories in HANDS.items():
        if words in stories:
            table = Table(book(name), make_wall(SEED, stories[words], play_rules(book(name)).table.tiles))
            while table.to_act:
                seat = table.to_act[0]
                table.step(seat, choose(table, seat))
            assert table.ending is not None
            assert table.ending.winners[0].luck & luck
            shown += 1
    assert shown


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, story, hand, flowers in FILES:
        file_of(name, story).write_text("\n".join(lines(name, hand, flowers)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
