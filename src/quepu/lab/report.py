"""A report: all tables of a book on one page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from shlex import quote

from quepu.errors import Text
from quepu.fast.universe.census import Census, Progress
from quepu.fast.universe.valued import census
from quepu.lab import calibrate, compare, points, rarity, relations
from quepu.lab.page import Headline, Part, page
from quepu.lab.played import Played, against_people, load_simulated, people, platforms, played_bits
from quepu.lab.sheet import Sheet, format_value, percent
from quepu.lab.states import state
from quepu.rules.rulebook import Rulebook

PLAIN = "open-discard"
CLOSED = "closed-discard"
EACH = "closed-each"
FOUR = ("open-discard", "open-draw", "closed-discard", "closed-draw")
Watch = Callable[[Text], Progress | None]
"""Called at every step with the name of the step; returns the receiver of its progress."""

ABOUT = {
    "rarity": Text(
        "每个番种在全部和牌中占多少：一种和牌按最佳拆解计一次，按实体牌组（每种牌四张里取哪几张）加权。",
        "The share of all winning hands that count each fan. A hand counts once, by its best reading, weighted by the "
        "physical tile sets that make it.",
    ),
    "won": Text(
        "看听法与和张的番种：每手和牌的十四张各当一次最后一张，按（实体牌组，和张）加权。",
        "Fans about the wait or the winning tile: each of a hand's fourteen tiles is the last one in turn; "
        "weighted by (tile set, winning tile).",
    ),
    "points": Text("一副和牌值多少：精确分布。", "What a hand is worth: the exact distribution."),
    "biggest": Text("最大的和牌，同类取一例。", "The biggest hands, one of each kind."),
    "payable": Text(
        "四副一对的全部和牌中，各状态下达到起和的有多少。",
        "Of all standard hands, those that reach the minimum in each state.",
    ),
    "calibrate": Text(
        "横轴是 −log₂ 成立的占比（每副刻子加权），纵轴是计入这个番种的和牌的最低值。离直线超过一个标准差的标出。",
        "Horizontal axis: −log2 of the share in which the fan holds (pungs weighted). Vertical axis: the lowest value "
        "of a hand that counts it. Fans more than one standard deviation from the line are marked.",
    ),
    "factors": Text(
        "刻子可以碰三家的牌，顺子只能吃上家，所以每副刻子加权；这个权是唯一的自由参数，图中是取各种值时的拟合。",
        "A pung can be claimed from three players, a chow only from one, so pungs are weighted. The weight is the only "
        "free parameter; the curve shows the fit for each value.",
    ),
    "joint": Text(
        "两个番种一起计时的最低值，对照同时成立有多稀有、按上面的直线应值多少：看复合、套算、不计是松还是紧。",
        "The lowest value of a hand that counts both fans, against the value that the line above gives for the rarity "
        "of both: it shows where the rulebook pays too much or too little for combinations.",
    ),
    "played": Text(
        "实战（平台、机器人）和牌中的频率，对照理论频率：斜率小于 1，因为人会奔着番种做牌。",
        "How often fans are won (platforms, bots) against exact shares: the slope is below 1, because players aim for "
        "fans.",
    ),
    "people": Text(
        "机器人的和牌与真人的和牌，逐番种相差几比特：差得多的番种，机器人不能代表真人。",
        "Difference between wins of bots and wins of people, fan by fan, in bits: where it is large, bots do not "
        "represent people.",
    ),
    "implications": Text(
        "一个番种成立时，另一个也成立的比例。", "Of the readings with one fan, the share that also have another."
    ),
    "declared": Text(
        "规则声明的不计、互斥，对照全部和牌的实际情况。只列出不同之处；状态不同，结果也不同。",
        "The relations that the rulebook declares (不计, 互斥), checked against all hands of this state. Only "
        "differences are listed.",
    ),
    "overlap": Text("计入两个番种的和牌，有多少是同一批。", "How much the hands that count two fans overlap."),
    "redundant": Text(
        "逐个删去番种，看有多少拆解的得分改变；一个也不变，这个番种就是多余的。",
        "Each fan is removed in turn: the share of readings whose score changes. If none does, the fan never matters.",
    ),
    "compare": Text("同一批和牌在两个版本下各算一次。", "Every hand scored under both editions."),
    "compare-fans": Text("逐番种看变化。", "The changes fan by fan."),
    "compare-hands": Text("变化最大的和牌，同类取一例。", "The hands that change most, one of each kind."),
    "moved": Text("番种在稀有度与番值图上改版前后的位置。", "The position of each fan before and after the change."),
}
"""A description of each table."""


def find_sibling_edition(book: Rulebook) -> tuple[Rulebook, Rulebook] | None:
    """Return the book and its nearest other edition in the registry, the older first; None if it has none."""
    from quepu.rulebooks import book as book_of
    from quepu.rulebooks import book_ids

    ids = list(book_ids())
    if book.id in ids:
        family = [book_of(name) for name in ids if name != book.id and book_of(name).family == book.family]
    else:
        family = [book_of(book.base)] if book.base in ids else []  # a house rule is compared with its base
    if not book.family or not family:
        return None
    other = family[0]
    if other.edition.isdigit() and book.edition.isdigit() and other.edition != book.edition:
        first = int(other.edition) < int(book.edition)
    else:
        first = book.id not in ids or ids.index(other.id) < ids.index(book.id)
    return (other, book) if first else (book, other)


def tables(
    book: Rulebook, watch: Watch | None = None, played: list[Played] | None = None, called: str = ""
) -> Iterator[tuple[Sheet, str]]:
    """Yield the tables of a report in order, each with the command that prints it (for the book as `called`)."""

    def step(text: Text) -> Progress | None:
        return watch(text) if watch else None

    def take(key: str) -> Census:
        return census(book, state(key), progress=step(state(key).text))

    def name_of(one: Rulebook) -> str:
        return quote(called) if called and one.id == book.id else one.id

    name, closed = name_of(book), take(CLOSED)
    yield rarity.rarity_sheet(closed), f"rarity {name}"
    yield rarity.won_sheet(take(EACH)), f"rarity {name} -S {EACH}"
    yield points.distribution(closed), f"points {name}"
    yield points.biggest(closed), f"points {name}"
    plain = take(PLAIN)
    if book.minimum:
        four = [{PLAIN: plain, CLOSED: closed}.get(key) or take(key) for key in FOUR]
        yield calibrate.payable(four), f"calibrate {name} -t payable"
    yield calibrate.values(plain), f"calibrate {name} -t values"
    yield calibrate.factors(plain), f"calibrate {name} -t factors"
    yield calibrate.joint(plain), f"calibrate {name} -t joint"
    yield (
        played_bits(plain, [*(played or []), *load_simulated(book), *people(book), *platforms()]),
        f"calibrate {name} -t played",
    )
    beside = against_people(book)
    if beside is not None:
        yield beside, f"calibrate {name} -t people"
    yield relations.implications(plain), f"implications {name} -S {PLAIN}"
    yield relations.compare_declared(closed), f"implications {name}"
    yield relations.overlap(plain), f"overlap {name} -S {PLAIN}"
    yield relations.redundant(closed, step(Text("逐个删去番种", "striking out fans"))), f"redundant {name}"
    both = find_sibling_edition(book)
    if not both:
        return
    old, new = (census(one, state(PLAIN), progress=step(one.title)) if one.id != book.id else plain for one in both)
    yield calibrate.tabulate_moves(old, new), f"calibrate {name_of(new.book)} --against {name_of(old.book)} -t moved"
    for key in (PLAIN, CLOSED):
        pairs = compare.pair_up(*both, state(key), step(Text("两版比较", "comparing editions")))
        for table in (compare.summary, compare.by_fan, compare.most_changed):
            yield table(pairs), f"compare {name_of(old.book)} {name_of(new.book)} -S {key}"


def report(
    book: Rulebook,
    lang: str = "zh",
    watch: Watch | None = None,
    played: list[Played] | None = None,
    called: str = "",
) -> tuple[str, bool]:
    """Return the page as HTML text, and whether it was interrupted: then it has the finished part, and a note.

    `called` is the book's name in commands, if that is not its id: the path of a file of house rules.

    Raises:
        KeyboardInterrupt: it was interrupted before anything was finished.
    """
    title = Text(f"{book.title.zh}：实验室报告", f"{book.title.en}: lab report")
    intro = [
        Text(
            "每个数都来自对全部和牌的精确枚举；方法见 docs/guide/lab.zh.md，每张表下有重算它的命令。",
            "Every number is exact, counted over all winning hands. docs/guide/lab.md describes the method; the "
            "command that gives a table is below it.",
        )
    ]
    parts: list[Part] = []
    cut = False
    try:
        for sheet, command in tables(book, watch, played, called):
            parts.append(Part(sheet, ABOUT[sheet.key], f"quepu lab {command}"))
    except KeyboardInterrupt:
        if not parts:
            raise
        cut = True
    cut = cut or any(part.sheet.partial for part in parts)
    return page(parts, lang, title, intro, _facts(book, [part.sheet for part in parts]), partial=cut), cut


def _facts(book: Rulebook, made: list[Sheet]) -> list[Headline]:
    by = {sheet.key: sheet.facts for sheet in made}
    whole, spread, fitted = by.get("rarity", {}), by.get("points", {}), by.get("calibrate", {})
    facts = [Headline(Text("番种", "fans"), str(len(book.fans)))]
    if whole:
        facts.append(Headline(Text("和牌种数", "winning hands"), format_value(whole["hands"], "int")))
        facts.append(Headline(Text("实体牌组", "physical tile sets"), format_value(whole["sets"], "int")))
    if spread:
        mean = Text(f"门前清点和平均（{book.unit.zh}）", f"mean of a concealed hand on a discard ({book.unit.en})")
        facts.append(Headline(mean, f"{spread['mean']:.2f}"))
    if spread and book.minimum:
        below = Text(f"其中不足起和 {book.minimum}", f"below the minimum of {book.minimum}")
        facts.append(Headline(below, percent(spread["share_below"])))
    if "r2" in fitted:
        facts.append(Headline(Text("番值与稀有度 R²", "R² of values and rarity"), f"{fitted['r2']:.3f}"))
    return facts
