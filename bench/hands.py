"""Score hands one at a time, many at once and in frames, and find shanten, waits and discards, next to other programs.

Hands are random legal wins of mixed rarity (`scoring.samples`) with melds, kongs, seats and circumstances. Peers get
the same hands in the form that they take fastest, made beforehand.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from run import Row, compare, in_turn

import quepu
from quepu.batch import from_hands, score_many
from quepu.fast.compiled.code_cache import installed
from quepu.fast.plan import compile_book
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.notation import write
from quepu.json_lines.answers import score_lines
from quepu.json_lines.parallel import answer_in_parallel
from quepu.rulebooks import book, book_ids
from quepu.rules.circumstances import refuse_impossible
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.signatures import COMPILED
from quepu.shapes import distance as shapes_distance

TILES = (*(f"{'WBT'[k // 9]}{k % 9 + 1}" for k in range(27)), "F1", "F2", "F3", "F4", "J1", "J2", "J3")
PACKS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG", MeldKind.KONG: "GANG", MeldKind.CONCEALED_KONG: "GANG"}
FRESH, FRESH_PEERS, LOTS = 20_000, 6_000, 3
SEEN = "the same hands each turn, after one to warm up"


def question(hand: Hand) -> tuple[object, ...]:
    """Return the arguments of PyMahjongGB's calculator for a hand."""
    packs = tuple(
        (PACKS[m.kind], TILES[m.tile + (m.kind == MeldKind.CHOW)], 0 if m.kind == MeldKind.CONCEALED_KONG else 1)
        for m in hand.melds
    )
    luck = Luck(hand.luck)
    return (
        packs, tuple(TILES[k] for k in hand.concealed), TILES[hand.winning or 0], hand.flower_count, hand.self_draw,
        bool(luck & Luck.FOURTH_TILE), bool(luck & (Luck.KONG_DRAW | Luck.ROBBED_KONG)),
        bool(luck & (Luck.LAST_DRAW | Luck.LAST_DISCARD)), hand.seat - 27, hand.round - 27,
    )  # fmt: skip


def of_each(function: Callable[..., object], given: Sequence[Any]) -> Callable[[int], int]:
    """Return a work that calls a function with each of some values."""

    def work(_turn: int) -> int:
        for one in given:
            function(one)
        return len(given)

    return work


def possible(rules: Rulebook, number: int, seed: int = 20261121) -> list[Hand]:
    """Return random wins whose circumstances may go together; none of them is scored."""
    found: list[Hand] = []
    for hand in wins(rules, 2 * number, seed=seed):
        with suppress(quepu.HandError):
            refuse_impossible(hand, rules)
            found.append(hand)
    return found[:number]


def _points(hand: Hand, rules: Rulebook) -> int:
    return quepu.score(hand, rules).points


def _fans(hand: Hand, rules: Rulebook) -> object:
    return quepu.score(hand, rules).fans


def _one_of(lots: Sequence[Callable[[int], int]], turn: int) -> int:
    return lots[turn](turn)


def one_hand(number: int = 1000) -> Iterator[Row]:
    """Score one hand at a time, next to PyMahjongGB (国标) and `mahjong` (closed hands, its own rules)."""
    from MahjongGB import MahjongFanCalculator

    hands = {name: possible(book(name), number) for name in book_ids()}
    rules = book("guobiao-mcr")
    questions, texts = [question(hand) for hand in hands[rules.id]], [write(hand) for hand in hands[rules.id]]
    peer = "PyMahjongGB: fans of one hand"
    load_after, quepu._LOADED_AFTER = quepu._LOADED_AFTER, 1 << 62  # plain Python first
    for how in ("plain", "numba") if installed() else ("plain",):
        works = {
            peer: of_each(lambda asked: MahjongFanCalculator(*asked), questions),
            "Hand to points": of_each(partial(_points, rules=rules), hands[rules.id]),
            "Hand to fans": of_each(partial(_fans, rules=rules), hands[rules.id]),
            "text to fans": of_each(lambda text: quepu.score(text, rules).fans, texts),
            "Hand to the whole explanation": of_each(
                lambda hand: quepu.score(hand, rules).to_json(explain=True), hands[rules.id][:300]
            ),
        }
        if how == "numba":
            for name in hands:
                compile_book(book(name))
        named = {what if what == peer else f"{rules.id}: {what}, {how}": work for what, work in works.items()}
        yield from compare(named, [peer], note=SEEN)
        seeds = range(6) if how == "plain" else range(6, 12)
        lots = [of_each(partial(_fans, rules=rules), possible(rules, number // 2, seed)) for seed in seeds]
        named = {peer: named[peer], f"{rules.id}: Hand to fans, fresh, {how}": partial(_one_of, lots)}
        yield from compare(named, [peer], note="other hands each turn, after a turn to warm up")
        works = {"text to Hand": of_each(quepu.parse, texts)} if how == "plain" else {}
        for name in (one for one in hands if one != rules.id):
            works[f"{name}: Hand to points, {how}"] = of_each(partial(_points, rules=book(name)), hands[name])
        yield from compare(works, list(works), turns=2, note=SEEN)
    quepu._LOADED_AFTER = load_after
    yield from _beside_mahjong(number)


def _beside_mahjong(number: int) -> Iterator[Row]:
    """Closed 灵雀 hands that `mahjong` can score too, with riichi so that there is always a yaku."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig

    calculator, rules = HandCalculator(), book("lingque-29")
    hands, asked = [], []
    for hand in wins(rules, 4 * number, seed=5):
        if hand.melds or hand.winning is None:
            continue
        kinds = [{31: 33, 33: 31}.get(kind, kind) for kind in (*hand.concealed, hand.winning)]  # white, green, red
        tiles = [4 * kind + kinds[:at].count(kind) for at, kind in enumerate(kinds)]
        config = HandConfig(is_tsumo=hand.self_draw, is_riichi=True, player_wind=hand.seat, round_wind=hand.round)
        given = {"tiles": tiles, "win_tile": tiles[-1], "config": config}
        if calculator.estimate_hand_value(**given).error is None:
            hands.append(hand)
            asked.append(given)
    works = {
        "mahjong: estimate_hand_value": of_each(lambda given: calculator.estimate_hand_value(**given), asked),
        "lingque-29, closed: Hand to points": of_each(partial(_points, rules=rules), hands),
    }
    yield from compare(works, ["mahjong: estimate_hand_value"], turns=3, note=SEEN)


def deals(number: int, tiles: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Return random tiles of a deal without flowers, as kinds in order."""
    rng = random.Random(seed)
    return [tuple(sorted(kind // 4 for kind in rng.sample(range(136), tiles))) for _ in range(number)]


def distances(number: int = 2000) -> Iterator[Row]:
    """Find shanten, waits and discards of closed hands, next to riichienv and jansou (seven pairs and orphans too)."""
    from jansou.analysis.efficiency import discard_evaluation
    from jansou.analysis.shanten import shanten
    from jansou.analysis.waits import waits
    from jansou.core.hand import Hand as TheirHand
    from jansou.core.notation import parse_mpsz
    from riichienv import calculate_shanten

    def theirs(hand: Hand) -> Any:
        return TheirHand(tuple(parse_mpsz("".join(f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in hand.concealed))))

    def as_136(hand: Hand) -> list[int]:
        return [4 * kind + hand.concealed[:at].count(kind) for at, kind in enumerate(hand.concealed)]

    thirteen = [Hand(tiles) for tiles in deals(number, 13)]
    ready = [Hand(hand.concealed) for hand in wins(book("guobiao-mcr"), 4 * number, seed=3) if not hand.melds]
    fourteen = [Hand(tiles) for tiles in deals(number // 20, 14)]
    books = ("lingque-29", "guobiao-mcr", "canton")
    kernels = ("plain", "numba") if installed() else ("plain",)
    load_after, shapes_distance._LOADED_AFTER = shapes_distance._LOADED_AFTER, 1 << 62  # plain Python first
    for name in books:
        book(name).notes.pop(COMPILED, None)
    asked = {
        "riichienv: shanten of 13": of_each(calculate_shanten, [as_136(hand) for hand in thirteen]),
        "jansou: shanten of 13": of_each(shanten, [theirs(hand) for hand in thirteen]),
        "jansou: waits of 13, tiles only": of_each(waits, [theirs(hand) for hand in ready]),
        "jansou: discards of 14": of_each(discard_evaluation, [theirs(hand) for hand in fourteen]),
    }
    shantens, of_waits, of_discards = list(asked)[:2], list(asked)[2:3], list(asked)[3:]
    for how in kernels:  # in this order: once loaded, the loops answer for single hands, too
        if how == "numba":
            quepu.shanten_many(thirteen[:1], fast=True)
            for name in books:
                compile_book(book(name))
        note = f"{SEEN}, {how}"
        works = {
            f"{name}: shanten of 13, {how}": of_each(partial(quepu.shanten, rules=book(name)), thirteen)
            for name in books
        }
        yield from compare({name: asked[name] for name in shantens} | works, shantens, note=note)
        works = {
            f"{name}: waits of 13, tiles only, {how}": of_each(partial(quepu.useful, rules=book(name)), ready)
            for name in books
        }
        few = ready[: number // 10]
        works |= {
            f"{name}: waits of 13 with scores, {how}": of_each(partial(quepu.waits, rules=book(name)), few)
            for name in books
        }
        yield from compare({name: asked[name] for name in of_waits} | works, of_waits, turns=3, note=note)
        works = {
            f"{name}: discards of 14, {how}": of_each(partial(quepu.discards, rules=book(name)), fourteen)
            for name in books
        }
        yield from compare({name: asked[name] for name in of_discards} | works, of_discards, turns=3, note=note)
    shapes_distance._LOADED_AFTER = load_after
    if installed():
        yield from _many_distances(books, asked)


def _many_distances(
    books: Sequence[str], asked: dict[str, Callable[[int], int]], number: int = 50_000
) -> Iterator[Row]:
    """Answer for other hands each turn, given as arrays."""

    def together(
        function: Callable[..., Any], name: str, tiles: int, share: int = 1, **keywords: Any
    ) -> Callable[[int], int]:
        def lot(turn: int) -> Any:
            if function is quepu.waits_many:
                some = [hand.concealed for hand in wins(book(name), number // 4, seed=10 + turn) if not hand.melds]
            else:
                some = deals(number // share, tiles, 10 + turn)
            return counts_of(some)

        lots = [lot(turn) for turn in range(4)]

        def work(turn: int) -> int:
            function(lots[turn], book(name), fast=True, **keywords)
            return len(lots[turn])

        return work

    note = "fresh hands in arrays, numba, after another lot"
    peers = list(asked)
    for name in books:
        works = {
            f"{name}: shanten of 13, many": together(quepu.shanten_many, name, 13),
            f"{name}: useful tiles of 13, many": together(quepu.useful_many, name, 13),
        }
        yield from compare({peers[0]: asked[peers[0]]} | works, peers[:1], turns=3, note=note)
        works = {
            f"{name}: waits of 13, tiles only, many": together(quepu.waits_many, name, 13),
            f"{name}: waits of 13 with points, many": together(quepu.waits_many, name, 13, points=True),
        }
        yield from compare({peers[2]: asked[peers[2]]} | works, peers[2:3], turns=3, note=note)
        works = {f"{name}: discards of 14, many": together(quepu.discards_many, name, 14, 20)}
        yield from compare({peers[3]: asked[peers[3]]} | works, peers[3:], turns=3, note=note)


def counts_of(hands: Sequence[Sequence[int]]) -> Any:
    """Return kinds as arrays of copies."""
    import numpy as np

    rows = np.repeat(np.arange(len(hands)), [len(hand) for hand in hands])
    kinds = np.concatenate([np.array(hand) for hand in hands])
    return np.bincount(rows * 34 + kinds, minlength=34 * len(hands)).reshape(-1, 34).astype(np.uint8)


def fresh() -> Iterator[Row]:
    """Score hands that no earlier call has seen with `score_many`, next to PyMahjongGB, book by book.

    Nothing may be learnt from the hands: every lot has other ones, in every run others (some of what was met is kept on
    disk), after a few hundred that load tables and compiled code. The middle of the lots' ratios is given.
    """
    from MahjongGB import MahjongFanCalculator

    seed = time.time_ns() >> 20 & 0xFFFFFFF
    peer = of_each(
        lambda asked: MahjongFanCalculator(*asked),
        [question(hand) for hand in wins(book("guobiao-mcr"), FRESH_PEERS, seed=7)],
    )
    peer(0)
    ways = [("arrays to points", False), *([("arrays to points", True), ("Hands to points, fans and readings", True)] *
                                          installed())]  # fmt: skip
    for what, fast in ways:
        for name in (one for one in book_ids() if fast or one != "yuque-54"):  # which numpy leaves to the plain scorer
            yield _fresh_row(name, what, fast, seed := seed + 100, peer)
    for what in ("Hands", "texts") if installed() else ():
        yield _fresh_row("guobiao-mcr", f"{what} to points", True, seed := seed + 100, peer)


def _fresh_row(name: str, what: str, fast: bool, seed: int, peer: Callable[[int], int]) -> Row:
    rules, times, ratios = book(name), [], []
    for lot in range(LOTS + 1):
        hands = list(wins(rules, FRESH if lot else 300, seed=seed + lot))
        given: Any = [write(hand) for hand in hands] if what.startswith("texts") else hands
        columns: dict[str, Any] = {}
        if what.startswith("arrays"):
            given, columns = columns_of(hands)
        every = "fans" in what
        begun = time.process_time()
        score_many(given, rules, fans=every, reading=every, fast=fast, **columns)
        spent = (time.process_time() - begun) / len(hands)
        if lot:
            begun = time.process_time()
            asked = peer(lot)
            times.append(spent)
            ratios.append((time.process_time() - begun) / asked / spent)
    middle = sorted(range(LOTS), key=lambda lot: ratios[lot])[LOTS // 2]
    note = f"fresh hands in lots of {FRESH:,} after 300 others; {min(ratios):.1f} to {max(ratios):.1f} ×"
    how = "numba" if fast else "numpy"
    return Row(f"{name}: {what}, {how}", times[middle], "s", ratios[middle], "PyMahjongGB", note)


def columns_of(hands: Iterable[Hand]) -> tuple[Any, dict[str, Any]]:
    """Return hands as the arrays that `score_many` takes fastest."""
    made = from_hands(list(hands))
    return made.counts, {
        "melds": made.meld_array, "winning": made.winning, "seat": made.seat_kind, "round": made.round_kind,
        "luck": made.given_luck, "flowers": made.flowers,
    }  # fmt: skip


def lines(number: int = 5000) -> Iterator[Row]:
    """Answer lines of JSON as `quepu score --jsonl` does, one by one and as a file."""
    for name in ("lingque-29", "guobiao-mcr"):
        asked = [json.dumps({"hand": write(hand), "rules": name}) for hand in wins(book(name), number, seed=7)]

        def alone(_turn: int, asked: list[str] = asked) -> int:
            return len(list(score_lines(asked)))

        def together(_turn: int, asked: list[str] = asked) -> int:
            return len(list(answer_in_parallel(asked, book("lingque-29"), jobs=1)))

        for what, each in in_turn({"one by one": alone, "a file": together}, turns=2).items():
            yield Row(f"{name}: {what}", 1 / each, "lines/s", note=SEEN)


HAND = "11223sCC(NNNN)(123s)+3s"
FIRSTS = {
    "import quepu": "import quepu",
    "import and first score": f"import quepu; quepu.score({HAND!r}).points",
    "import and first score_many, numpy": f"import quepu; quepu.score_many([{HAND!r}], fast=False).points",
    "import and first score_many, compiled": f"import quepu; quepu.score_many([{HAND!r}], fast=True).points",
}
COMMANDS = (["--help"], ["score", HAND], ["books"], ["waits", "123m456p789sCCEE"], ["fans", "三连刻"])


def start(times: int = 6) -> Iterator[Row]:
    """Start Python and give the first answer, in processor time beyond that of Python alone; modules are compiled."""

    def least(arguments: list[str], environment: dict[str, str]) -> float:
        found = []
        for _ in range(times):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(found)

    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPATH": str(Path(quepu.__file__).parents[1]), "PYTHONPYCACHEPREFIX": folder}
        alone = least(["-c", "pass"], environment)
        for what, code in FIRSTS.items():
            yield Row(what, least(["-c", code], environment) - alone, note="new process, caches on disk")
        for command in COMMANDS:
            spent = least(["-c", "from quepu.cli import main; main()", *command], environment) - alone
            yield Row(f"quepu {' '.join(command)}", spent, note="new process")


DRAWN = 50
"""One hand out of so many is won with the last tile of the wall."""


def frames(number: int = 1_000_000, name: str = "guobiao-mcr") -> Iterator[Row]:
    """Score a million hands with seat, round, self-draw and circumstances; points alone.

    The ratio is to the same texts in arrays; next to it is the one to counts, which are read from no text.
    """
    import numpy as np
    import pandas
    import polars
    import pyarrow

    pick, rules = random.Random(1), book(name)
    hands = list(wins(rules, number // 10, seed=4))
    texts = [write(hand) for hand in hands] * 10
    columns: dict[str, list[Any]] = {
        "hand": texts,
        "seat": pick.choices("ESWN", k=number),
        "round": pick.choices("ESWN", k=number),
        "self_draw": [pick.random() < 0.4 for _ in range(number)],
    }
    last = "妙手回春"
    columns["circumstances"] = [last if own and pick.random() < 1 / DRAWN else "" for own in columns["self_draw"]]
    counted = from_hands(hands)
    counts = np.tile(counted.counts, (10, 1))
    melds = None if counted.meld_array is None else np.tile(counted.meld_array, (10, 1, 1))
    arrays: dict[str, Any] = {
        "melds": melds, "winning": np.tile(counted.winning, 10),
        "seat": np.array([27 + "ESWN".index(seat) for seat in columns["seat"]]),
        "round": np.array([27 + "ESWN".index(wind) for wind in columns["round"]]),
        "luck": np.array([int(own) | 8 * (some != "") for own, some in
                          zip(columns["self_draw"], columns["circumstances"], strict=True)]),
    }  # fmt: skip

    def of(frame: Any) -> Callable[[int], int]:
        around = {column: frame[column] for column in columns if column != "hand"}
        return lambda _: len(quepu.score_many(frame["hand"], rules, fans=False, reading=False, **around))

    given: dict[str, Any] = {column: np.array(some, object) for column, some in columns.items()}
    given |= {"seat": arrays["seat"], "round": arrays["round"], "self_draw": np.array(columns["self_draw"])}
    works = {
        "texts in numpy arrays": of(given),
        "counts in numpy arrays": lambda _: len(quepu.score_many(counts, rules, fans=False, reading=False, **arrays)),
        "pandas frame": of(pandas.DataFrame(columns)),
        "polars frame": of(polars.DataFrame(columns)),
        "Arrow table": of(pyarrow.table(columns)),
    }
    peers = ["texts in numpy arrays", "counts in numpy arrays"]
    yield from compare(works, peers, turns=3, note=f"{name}, {number:,} rows each turn")
