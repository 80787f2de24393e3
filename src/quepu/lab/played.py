"""Compare counts of real wins, on platforms or between bots, with exact shares."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from quepu.errors import HandError, Text, cannot_read, join_list, many
from quepu.fast.universe.census import Census
from quepu.lab.calibrate import PUNG_FACTOR, fit, place_fans
from quepu.lab.captions import fan_words, source
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rulebooks import book as book_of
from quepu.rules.digest import expression
from quepu.rules.rulebook import Rulebook

FEWEST_OF_PEOPLE = 20
"""A book that shares fewer fans with the table is another game."""


@dataclass(frozen=True)
class Played:
    """Counts of wins from one source: the total, and the number with each fan."""

    key: str
    title: Text
    wins: int
    fans: dict[str, int]


@cache
def platform_table() -> dict[str, Any]:
    """Return the counts that 玉雀's book quotes from three platforms, with their source."""
    text = resources.files("quepu.data").joinpath("platform_wins.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def platforms() -> list[Played]:
    """Return the same as counts comparable with exact shares; fans that a platform defines differently are left out."""
    table = platform_table()
    found = []
    for n, platform in enumerate(table["platforms"]):
        fans = {}
        for name, row in table["fans"].items():
            if row["wins"][n] and not row.get("differs"):
                for alias in (name, *row.get("names", ())):
                    fans[alias] = row["wins"][n]
        found.append(Played(platform["key"], Text(platform["zh"], platform["en"]), platform["wins"], fans))
    return found


@cache
def people_table() -> dict[str, Any]:
    """Return how often people's wins of 国标 hold each fan, with the source."""
    text = resources.files("quepu.data").joinpath("people_wins.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def people(book: Rulebook) -> list[Played]:
    """Return people's wins for the fans that a book shares with the table's book; empty if there are too few."""
    table = people_table()
    own = book_of(table["rules"])
    fans = {
        fan.name: table["fans"][fan.name]
        for fan in book.fans
        if fan.name in table["fans"] and expression(fan.when) == expression(own.fan(fan.name).when)
    }
    if len(fans) < FEWEST_OF_PEOPLE:
        return []
    return [
        Played("people", Text("人（国标，每万次和牌）", "people (Guobiao, of ten thousand wins)"), table["wins"], fans)
    ]


def against_people(book: Rulebook, least: int = 5, *, like_people: bool = False) -> Sheet | None:
    """Compare bots' wins with people's, fan by fan, in bits. None if either is missing.

    Only fans with at least `least` wins of bots; the standard error is that of the bots' count. The bots are those of
    `simulated`, or those that play like people.
    """
    bots, some = (load_simulated_like_people if like_people else load_simulated)(book), people(book)
    if not bots or not some:
        return None
    mine, theirs = bots[0], some[0]
    rows = []
    for name, n in mine.fans.items():
        if n >= least and theirs.fans.get(name):
            a, b = n / mine.wins, theirs.fans[name] / theirs.wins
            rows.append((name, a, b, float(np.log2(a / b)), float(np.sqrt((1 - a) / n) / np.log(2))))
    rows.sort(key=lambda row: -abs(row[3]))
    off = float(np.sqrt(np.mean([row[3] ** 2 for row in rows])))
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("bots", Text("机器人", "bots"), "share"),
        SheetColumn("people", Text("人", "people"), "share"),
        SheetColumn("bits", Text("差（比特）", "difference in bits"), "number"),
        SheetColumn("error", Text("标准误", "s.e."), "number"),
    )
    lines = [
        Text(
            f"{len(rows)} 个番种，均方根差 {off:.2f} 比特：这种打法拟合于人的这张表。",
            f"{len(rows)} fans, r.m.s. difference {off:.2f} bits: this style was fitted to this table of people.",
        )
        if like_people
        else Text(
            f"{len(rows)} 个番种，均方根差 {off:.2f} 比特：机器人的和牌不能直接当作人的和牌。",
            f"{len(rows)} fans, r.m.s. difference {off:.2f} bits: wins of bots are not to be taken for people's.",
        )
    ]
    table = people_table()
    where = Text(f"{mine.title.zh}；人：{table['source']}", f"{mine.title.en}; people: {table['source_en']}")
    who = Text("像真人的机器人", "human-like bots") if like_people else Text("机器人", "bots")
    title = Text(f"{book.title.zh}：{who.zh}与人的和牌", f"{book.title.en}: wins of {who.en} and of people")
    facts = {"fans": len(rows), "rms": off}
    return Sheet(
        "like-people" if like_people else "people", title, where, columns, rows, facts, lines, words=fan_words(book)
    )


def load_simulated(book: Rulebook) -> list[Played]:
    """Return the shipped wins of bots under this book (empty for a book or house rule without such a file).

    data/wins-BOOK.json is the output of `quepu simulate -r BOOK -b gain,gain,gain,gain -n 1500 --seed 1 --json`.
    """
    return _load_shipped("simulated", f"wins-{book.id}.json", book)


def load_simulated_like_people(book: Rulebook) -> list[Played]:
    """Return the same for bots of the style `people`, an approximation of people's wins.

    data/wins-BOOK-people.json is the output of `quepu simulate -b people,people,people,people --seed 1 --json`.
    """
    return _load_shipped("like-people", f"wins-{book.id}-people.json", book)


def _load_shipped(key: str, name: str, book: Rulebook) -> list[Played]:
    file = resources.files("quepu").joinpath(f"data/{name}")
    if not file.is_file():
        return []
    data = json.loads(file.read_text("utf-8"))
    if data["fingerprint"] != book.fingerprint:
        return []
    wins = _wins(data)
    return [Played(key, _source_text(data, name, wins), wins, data["fans"])]


def read_played(path: str | Path) -> Played:
    """Read a file of wins: the output of `quepu simulate --json`, or {"wins": 5983, "fans": {"一般高": 800}}.

    Raises:
        HandError: it cannot be read, or has another form.
    """
    try:
        data = json.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError:
        raise HandError(f"{path} 不是正确的 JSON。", f"{path} is not valid JSON.") from None
    fans = data.get("fans") if isinstance(data, dict) else None
    wins = _wins(data) if isinstance(data, dict) else None
    counts = isinstance(fans, dict) and all(isinstance(n, int) and n >= 0 for n in fans.values())
    if not isinstance(wins, int) or wins <= 0 or not counts or fans is None:
        raise HandError(
            f'{path} 应是 quepu simulate --json 的输出，或 {{"wins": 和牌数, "fans": {{番种: 次数}}}}。',
            f'{path} should be the output of quepu simulate --json, or {{"wins": number, "fans": {{fan: number}}}}.',
        )
    return Played(Path(path).name, _source_text(data, Path(path).name, wins), wins, fans)


def _wins(data: dict[str, Any]) -> Any:
    hands, drawn = data.get("hands"), data.get("drawn")
    return hands - drawn if isinstance(hands, int) and isinstance(drawn, int) else data.get("wins")


def _source_text(data: dict[str, Any], name: str, wins: int) -> Text:
    """Name a source: a simulation by its players, another file by its name."""
    try:
        levels = Counter(player["level"] for player in data["players"])
        who = join_list(f"{n} × {level}" for level, n in levels.items())
        bots = Text(f"机器人 {who.zh}（{data['rules']}", f"bots {who.en} ({data['rules']}")
        return Text(f"{bots.zh}，{wins} 次和牌）", f"{bots.en}, {many(wins, 'win')})")
    except (KeyError, TypeError):
        return Text(f"{name}（{wins} 次和牌）", f"{name} ({many(wins, 'win')})")


def played_bits(census: Census, played: list[Played], factor: float = PUNG_FACTOR) -> Sheet:
    """Tabulate bits of real wins against exact bits, with the slope per source: how strongly people (or bots) aim."""
    at = place_fans(census, factor, by_row=True)
    exact = dict(zip(at.names, at.bits.tolist(), strict=True))
    rows, facts, lines = [], {}, []
    for some in played:
        found = [
            (name, exact[name], float(np.log2(some.wins / n))) for name, n in some.fans.items() if name in exact and n
        ]
        rows += [(some.key, name, bits, seen, some.fans[name]) for name, bits, seen in found]
        line = fit(np.array([b for _, b, _ in found]), np.array([s for _, _, s in found]))
        if line:
            facts[some.key] = {
                "slope": line.slope,
                "slope_se": line.slope_se,
                "intercept": line.intercept,
                "r2": line.r2,
                "sd": line.sd,
                "fans": line.n,
            }
            lines.append(
                Text(
                    f"{some.title.zh}：实战比特 = "
                    f"({line.slope:.2f} ± {line.slope_se:.2f}) × 理论比特 {line.intercept:+.2f}，"
                    f"标准差 {line.sd:.2f}（{line.n} 个番种）",
                    f"{some.title.en}: played bits = "
                    f"({line.slope:.2f} ± {line.slope_se:.2f}) × exact bits {line.intercept:+.2f}, "
                    f"s.d. {line.sd:.2f} ({line.n} fans)",
                )
            )
    columns = (
        SheetColumn("source", Text("来源", "source"), "word"),
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("bits", Text("理论比特", "exact bits"), "number"),
        SheetColumn("played", Text("实战比特", "played bits"), "number"),
        SheetColumn("wins", Text("次数", "wins"), "int"),
    )
    table = platform_table()
    where = source(census)
    if {row[0] for row in rows} & {platform["key"] for platform in table["platforms"]}:
        where = Text(f"{where.zh}；平台次数：{table['source']}", f"{where.en}; platform counts: {table['source_en']}")
    if not rows:
        lines.append(Text("没有哪一处实战与本规则有同样的番种。", "No counted wins have a fan of this rulebook."))
    title = Text(f"{census.book.title.zh}：实战与理论", f"{census.book.title.en}: played against exact")
    words = fan_words(census.book) | {some.key: some.title for some in played}
    return Sheet("played", title, where, columns, rows, facts, lines, words=words)
