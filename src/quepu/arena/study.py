"""Are the values right? One report per book: exact shares, wins of bots and of people, seats, the earlier edition.

Everything comes from the program's data and from the classes of every possible hand, so the report is reproducible.
Wherever bots stand in for people, the page says how much they differ from people.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from math import log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from quepu.arena.seat_value import SeatRecord, load_shipped_seats
from quepu.errors import Text
from quepu.fast.universe.census import Census
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.standard_hands import STATES
from quepu.fast.universe.valued import census_of, valued
from quepu.lab import calibrate, compare
from quepu.lab.canvas import as_letters
from quepu.lab.captions import source
from quepu.lab.page import Headline, Part, page
from quepu.lab.pairing import pair_up
from quepu.lab.played import (
    Played,
    against_people,
    load_simulated,
    load_simulated_like_people,
    people,
    people_table,
    platforms,
    played_bits,
)
from quepu.lab.report import ABOUT, find_sibling_edition
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rulebooks import book as book_of
from quepu.rules.diff import edition_changes
from quepu.rules.measured_figures import figures
from quepu.rules.rulebook import Rulebook

_STATE = "open-discard"
_FEWEST = 5
"""The fewest wins for which a share is meaningful."""
_WANTED_ERROR = 0.05
_Z = 1.96
_SEATS = (Text("东（庄）", "East (dealer)"), Text("南", "South"), Text("西", "West"), Text("北", "North"))
_SEATED = {"": "seats", "plain": "seats-plain"}
"""Records of seats that a study shows, by the level in their name: the title of the sheet."""
_VERDICTS = calibrate.VERDICTS | {"fair": Text("相称", "fair")}
_ABOUT = {
    "verdicts": Text(
        "每个番种值多少，对照它多稀有：全部和牌（精确）、机器人的和牌、像真人的机器人的和牌、真人的和牌，各拟合一条直线，"
        "离直线超过一个标准差就是偏高或偏低。各来源结论相同，就是“一致”。",
        "The value of each fan against its rarity. One line is fitted for all winning hands (exact), one for wins of "
        "bots, one for wins of human-like bots and one for wins of people. A fan more than one standard deviation "
        "from the line is overpaid or underpaid; the verdict is agreed if every source gives the same.",
    ),
    "seats": Text(
        "四个同样的机器人，各座位每局得失与标准误；给了补偿，各座位就相等。",
        "Four identical bots: the gain of each seat per hand, with its standard error; the compensation would make "
        "the seats equal.",
    ),
    "seats-plain": Text(
        "同上，换成四个只求尽快和牌的机器人（plain）：局数多，标准误小。它们不看点数，所以不能当作上表的精确版。",
        "The same for four bots that only complete a hand as fast as they can (plain): many more hands and a small "
        "standard error. They ignore points, so this is not a more precise version of the table above.",
    ),
    "like-people": Text(
        "像真人的机器人（people）的和牌与真人的和牌，逐番种相差几比特。",
        "Difference between wins of human-like bots (people) and wins of people, fan by fan, in bits.",
    ),
    "editions": Text("两版之间改了什么。", "What changed between the two editions."),
    "won-fans": Text(
        "机器人按两版规则打，各番种占和牌的比例，以及两者之差的标准误（上限）：改版怎样影响和出的番种。",
        "Share of the bots' wins with each fan under both editions, and an upper bound on the standard error of the "
        "difference: how the new edition changes which fans are won.",
    ),
}


class Study(NamedTuple):
    """The report of a book: an HTML page, and its tables as plain data."""

    html: str
    data: dict[str, Any]


def study(book: Rulebook, lang: str = "zh") -> Study:
    """Return the report of a registered book."""
    parts = list(_parts(book))
    title = Text(f"{book.title.zh}：番值是否合适", f"{book.title.en}: are the values right?")
    digest = inputs(book)
    (rms, fans), (near, near_fans) = bots_from_people(), bots_from_people(like_people=True)
    intro = [
        Text(
            "精确的数来自全部和牌的枚举；实战的数来自随程序附带的机器人对局；真人的数只有国标的一张表。每张表下有重算它的命令。",
            "Exact figures come from all winning hands, played ones from the bot games that come with the program, and "
            "those of people from a single table of MCR wins. The command that prints a table is below it.",
        ),
        Text(
            f"机器人不等于真人：打国标时两者和出的番种相差 {rms:.2f} 比特（{fans} 个番种的均方根）；"
            f"按真人的表拟合的打法（people）相差 {near:.2f}（{near_fans} 个番种）。"
            "凡是用机器人代替真人的地方，都可能差这么多；别的规则里真人会和什么，由这种打法预测。",
            f"Bots are not people: under MCR the fans that they win differ by {rms:.2f} bits (r.m.s. of {fans} "
            f"fans); with the style fitted to people's wins (people), by {near:.2f} ({near_fans} fans). Expect errors "
            "of this size wherever bots stand in for people. For other rulebooks, this style predicts what people "
            "would win.",
        ),
        Text(f"数据摘要 {digest}", f"digest of the data {digest}"),
    ]
    with as_letters():
        html = page(parts, lang, title, intro, _headlines(book, parts))
    tables = [_round_data(part.sheet.to_json("zh")) for part in parts]
    return Study(html, {"book": book.id, "fingerprint": book.fingerprint, "inputs": digest, "tables": tables})


def inputs(book: Rulebook) -> str:
    """Return twelve hex digits that change with any input of a book's report."""
    both = _editions(book)
    books = both or (book,)
    seats, *more_seats = [load_shipped_seats(book, level) for level in _SEATED]
    given = [
        [one.fingerprint for one in books],
        [[some.wins, sorted(some.fans.items())] for one in books for some in _of_bots(one)],
        people_table(),
        seats.to_json() if seats is not None else None,
        [[name, figure.share] for name, figure in figures(book).items()],
        *(one.to_json() for one in more_seats if one is not None),
    ]
    return hashlib.sha256(json.dumps(given, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:12]


def _of_bots(book: Rulebook) -> list[Played]:
    return [*load_simulated(book), *load_simulated_like_people(book)]


def bots_from_people(*, like_people: bool = False) -> tuple[float, int]:
    """Return how far bots' wins are from people's, under the book of people's table: bits r.m.s., and fans."""
    sheet = against_people(book_of(people_table()["rules"]), like_people=like_people)
    return (sheet.facts["rms"], sheet.facts["fans"]) if sheet is not None else (float("nan"), 0)


def _editions(book: Rulebook) -> tuple[Rulebook, Rulebook] | None:
    """Return the edition before a book and the book, if there is an earlier one."""
    both = find_sibling_edition(book)
    numbered = both is not None and all(one.edition.isdigit() for one in both)
    return both if numbered and both is not None and both[1].id == book.id else None


def _census(book: Rulebook, *books: Rulebook) -> Census:
    return census_of(valued(book, classed_for(books or (book,), STATES[_STATE])))


def _parts(book: Rulebook) -> Iterator[Part]:
    census = _census(book)
    yield Part(verdicts(census), _ABOUT["verdicts"], f"quepu lab study {book.id}")
    yield Part(calibrate.values(census), ABOUT["calibrate"], f"quepu lab calibrate {book.id} -t values")
    sources = [*_of_bots(book), *people(book), *platforms()]
    yield Part(played_bits(census, sources), ABOUT["played"], f"quepu lab calibrate {book.id} -t played")
    beside = against_people(book)
    if beside is not None:
        yield Part(beside, ABOUT["people"], f"quepu lab calibrate {book.id} -t people")
    like = against_people(book, like_people=True)
    if like is not None:
        yield Part(like, _ABOUT["like-people"], f"quepu lab calibrate {book.id} -t like-people")
    for level, key in _SEATED.items():
        seats = load_shipped_seats(book, level)
        if seats is not None:
            command = f"quepu lab seats {book.id} -b {seats.level} -n {seats.sums.hands} --seed {seats.seed}"
            yield Part(seat_sheet(book, seats, key), _ABOUT[key], command)
    both = _editions(book)
    if both is None:
        return
    old, new = both
    names = f"{old.id} {new.id}"
    yield Part(_changes(old, new), _ABOUT["editions"], f"quepu diff {names}")
    yield Part(
        calibrate.tabulate_moves(_census(old, *both), _census(new, *both)), ABOUT["moved"],
        f"quepu lab calibrate {new.id} --against {old.id} -t moved",
    )  # fmt: skip
    pairs = pair_up(old, new, STATES[_STATE])
    for made in (compare.summary, compare.by_fan, compare.most_changed):
        sheet = made(pairs)
        yield Part(sheet, ABOUT[sheet.key], f"quepu lab compare {names} -S {_STATE}")
    for source_of, key in ((load_simulated, "won-fans"), (load_simulated_like_people, "won-fans-people")):
        won = _won_fans(old, new, source_of, key)
        if won is not None:
            yield Part(won, _ABOUT["won-fans"], f"quepu lab study {book.id}")


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95% interval of a share."""
    share, square = hits / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _by_stem(census: Census, some: Played | None, at: calibrate.Placed) -> list[int | None]:
    """Return the wins with each placed fan, rows that differ by suit or tile together; None if fewer than count."""
    if some is None:
        return [None] * len(at.names)
    names = [fan.name for fan in census.book.fans]
    counts = [sum(some.fans.get(names[row], 0) for row in rows) for rows in at.rows]
    return [n if n >= _FEWEST else None for n in counts]


def _judge_fans(bits: list[float | None], value: Any) -> list[str | None]:
    """Return the verdict on each fan by a line of value against these bits; None without bits."""
    there = [i for i, one in enumerate(bits) if one is not None]
    line = calibrate.fit(np.array([bits[i] for i in there], float), np.array([value[i] for i in there]))
    found: list[str | None] = [None] * len(bits)
    if line is None:
        return found
    for i, x in ((i, one) for i, one in enumerate(bits) if one is not None):
        rest = value[i] - line.at(x)
        found[i] = "fair" if abs(rest) < line.sd else "overpaid" if rest > 0 else "underpaid"
    return found


def verdicts(census: Census) -> Sheet:
    """Tabulate every fan's share by each source, its least value, the verdict of each source, and where they agree."""
    book = census.book
    at = calibrate.place_fans(census)
    bots = next(iter(load_simulated(book)), None)
    like, human = next(iter(load_simulated_like_people(book)), None), next(iter(people(book)), None)
    won, liked, met = (_by_stem(census, one, at) for one in (bots, like, human))
    of_bots, of_like, of_people = (one.wins if one is not None else 1 for one in (bots, like, human))
    exact = [float(one) for one in at.bits]
    judged = (
        _judge_fans(list(exact), at.value),
        _judge_fans([None if n is None else log2(of_bots / n) for n in won], at.value),
        _judge_fans([None if n is None else log2(of_like / n) for n in liked], at.value),
        _judge_fans([None if n is None else log2(of_people / n) for n in met], at.value),
    )
    rows: list[tuple[Any, ...]] = []
    for i, name in enumerate(at.names):
        verdict = [one[i] for one in judged]
        there = {one for one in verdict if one is not None}
        agreed = verdict[0] if len(there) == 1 and sum(one is not None for one in verdict) > 1 else ""
        n, k, m = won[i], liked[i], met[i]
        low, high = wilson(n, of_bots) if n is not None else (None, None)
        rows.append(
            (name, float(at.value[i]), exact[i], None if n is None else n / of_bots, low, high,
             None if k is None else k / of_like, None if m is None else m / of_people, *verdict,
             "" if agreed == "fair" else agreed)
        )  # fmt: skip
    rows.sort(key=lambda row: (not row[-1], str(row[-1]), row[2]))
    unit = calibrate.scale(census)
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("value", Text(f"最低 {unit.zh}", f"least {unit.en}"), "number"),
        SheetColumn("bits", Text("比特（精确）", "bits (exact)"), "number"),
        SheetColumn("bots", Text("机器人", "bots"), "share"),
        SheetColumn("low", Text("95% 下限", "95% from"), "share"),
        SheetColumn("high", Text("95% 上限", "95% to"), "share"),
        SheetColumn("like_people", Text("像真人", "like people"), "share"),
        SheetColumn("people", Text("人", "people"), "share"),
        SheetColumn("exact_verdict", Text("精确", "exact"), "word"),
        SheetColumn("bots_verdict", Text("机器人", "bots"), "word"),
        SheetColumn("like_people_verdict", Text("像真人", "like people"), "word"),
        SheetColumn("people_verdict", Text("人", "people"), "word"),
        SheetColumn("agreed", Text("一致", "agreed"), "word"),
    )
    words = calibrate.stem_words(book) | _VERDICTS
    lists = {key: [words[row[0]] for row in rows if row[-1] == key] for key in ("overpaid", "underpaid")}
    lines = [
        Text(
            f"各来源一致：偏高 {'、'.join(one.zh for one in lists['overpaid']) or '无'}；"
            f"偏低 {'、'.join(one.zh for one in lists['underpaid']) or '无'}。",
            f"Every source agrees: overpaid {', '.join(one.en for one in lists['overpaid']) or 'none'}; "
            f"underpaid {', '.join(one.en for one in lists['underpaid']) or 'none'}.",
        )
    ]
    facts = {key: [one.zh for one in found] for key, found in lists.items()}
    title = Text(f"{book.title.zh}：番值的判断", f"{book.title.en}: verdicts on the values")
    where = source(census)
    if bots is not None:
        where = Text(f"{where.zh}；{bots.title.zh}", f"{where.en}; {bots.title.en}")
    if like is not None:
        where = Text(f"{where.zh}；{like.title.zh}", f"{where.en}; {like.title.en}")
    if human is not None:
        table = people_table()
        where = Text(f"{where.zh}；人：{table['source']}", f"{where.en}; people: {table['source_en']}")
    return Sheet("verdicts", title, where, columns, rows, facts, lines, words=words)


def seat_sheet(book: Rulebook, found: SeatRecord, key: str = "seats") -> Sheet:
    """Tabulate each seat's gain per hand, with its standard error and the compensation."""
    lines = found.sums.lines()
    mean = sum(line.net for line in lines) / len(lines)  # not 0 if a book pays from outside the four
    rows = [
        (str(line.seat), line.won, line.self_drawn, line.dealt_in, line.net, line.error, mean - line.net)
        for line in lines
    ]
    unit = book.unit
    columns = (
        SheetColumn("seat", Text("座位", "seat"), "word"),
        SheetColumn("won", Text("和牌", "won"), "share"),
        SheetColumn("self_drawn", Text("自摸", "self-drawn"), "share"),
        SheetColumn("dealt_in", Text("放铳", "dealt in"), "share"),
        SheetColumn("net", Text(f"每局得失（{unit.zh}）", f"gain per hand ({unit.en})"), "number"),
        SheetColumn("error", Text("标准误", "s.e."), "number"),
        SheetColumn("compensation", Text("补偿", "compensation"), "number"),
    )
    most = max(line.error for line in lines)
    sums, needed = found.sums, round(int(found.sums.hands * (most / _WANTED_ERROR) ** 2), -3)
    zh, en = (
        f"{sums.hands} 局，每局得失的标准误至多 {most:.3f}",
        f"{sums.hands} hands, standard error at most {most:.3f}",
    )
    if most > _WANTED_ERROR:
        zh, en = (
            f"{zh}；要到 {_WANTED_ERROR} 约需 {needed} 局",
            f"{en}; {_WANTED_ERROR} would take about {needed} hands",
        )
    note = Text(f"{zh}。", f"{en}.")
    where = Text(
        f"quepu lab seats · {book.id} {book.fingerprint} · 4 × {found.level}，种子 {found.seed}；机器人不等于人",
        f"quepu lab seats · {book.id} {book.fingerprint} · 4 × {found.level}, seed {found.seed}; bots are not people",
    )
    title = Text(f"{book.title.zh}：座位（{found.level}）", f"{book.title.en}: the seats ({found.level})")
    words = {str(at): text for at, text in enumerate(_SEATS)}
    facts = {"hands": sums.hands, "drawn": sums.drawn, "error": most}
    return Sheet(key, title, where, columns, rows, facts, [note], words=words, partial=sums.partial)


def _changes(old: Rulebook, new: Rulebook) -> Sheet:
    """Tabulate the changes between editions, a line each, in both languages."""
    kinds = {
        "values": Text("值", "values"), "relations": Text("关系", "relations"), "wording": Text("文字", "wording"),
    }  # fmt: skip
    rows = [(kind, line.zh, line.en) for kind, lines in edition_changes(old, new).items() for line in lines]
    columns = (
        SheetColumn("kind", Text("哪类", "kind"), "word"),
        SheetColumn("zh", Text("改了什么", "change (in Chinese)")),
        SheetColumn("en", Text("改了什么（英文）", "change")),
    )
    title = Text(f"{old.title.zh} → {new.title.zh}：改了什么", f"{old.title.en} → {new.title.en}: changes")
    where = Text(f"{old.id} {old.fingerprint} → {new.id} {new.fingerprint}", f"{old.fingerprint} → {new.fingerprint}")
    return Sheet("editions", title, where, columns, rows, {"lines": len(rows)}, words=kinds)


def _won_fans(old: Rulebook, new: Rulebook, source_of: Callable[[Rulebook], list[Played]], key: str) -> Sheet | None:
    """Tabulate bots' shares of wins with each fan under both editions; None if either has no such wins."""
    sides = [next(iter(source_of(one)), None) for one in (old, new)]
    if sides[0] is None or sides[1] is None:
        return None
    before, after = sides[0], sides[1]
    rows = []
    for name in dict.fromkeys([*after.fans, *before.fans]):
        a, b = before.fans.get(name, 0) / before.wins, after.fans.get(name, 0) / after.wins
        error = sqrt(a * (1 - a) / before.wins + b * (1 - b) / after.wins)
        rows.append((name, a, b, b - a, error))
    rows.sort(key=lambda row: -abs(row[3]))
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("old", Text(old.edition, old.edition), "share"),
        SheetColumn("new", Text(new.edition, new.edition), "share"),
        SheetColumn("difference", Text("差", "difference"), "share"),
        SheetColumn("error", Text("标准误（至多）", "s.e. (at most)"), "share"),
    )
    who = Text("像真人的机器人", " by human-like bots") if key != "won-fans" else Text("", "")
    title = Text(
        f"{old.title.zh} → {new.title.zh}：{who.zh}和出的番种", f"{old.title.en} → {new.title.en}: fans won{who.en}"
    )
    where = Text(f"{before.title.zh}；{after.title.zh}", f"{before.title.en}; {after.title.en}")
    return Sheet(key, title, where, columns, rows, {}, words=calibrate.stem_words(new, old))


def _headlines(book: Rulebook, parts: list[Part]) -> list[Headline]:
    by = {part.sheet.key: part.sheet.facts for part in parts}
    found = [Headline(Text("番种", "fans"), str(len(book.fans)))]
    if "r2" in by.get("calibrate", {}):
        found.append(Headline(Text("番值与稀有度 R²", "R² of values and rarity"), f"{by['calibrate']['r2']:.3f}"))
    for key, text in (
        ("overpaid", Text("一致偏高", "agreed overpaid")),
        ("underpaid", Text("一致偏低", "agreed underpaid")),
    ):
        found.append(Headline(text, str(len(by["verdicts"][key]))))
    if "seats" in by:
        seats = next(part.sheet for part in parts if part.sheet.key == "seats")
        dealer = seats.rows[0]
        found.append(Headline(Text("庄家每局", "dealer, per hand"), f"{dealer[4]:+.2f} ± {dealer[5]:.2f}"))
    return found


def _round_data(data: Any) -> Any:
    """Round plain data to six digits: the last ones of a fit differ between machines."""
    if isinstance(data, float):
        return float(f"{data:.6g}")
    if isinstance(data, dict):
        return {key: _round_data(one) for key, one in data.items()}
    return [_round_data(one) for one in data] if isinstance(data, list | tuple) else data
