"""The guide of 玉雀 besides its fans: rules.toml, its tables, its residues, its sticks, its examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quepu.errors import Text
from quepu.rulebooks.yuque import residues
from quepu.rulebooks.yuque.arithmetic import Accretion
from quepu.rulebooks.yuque.play_rules import STICKS, quick_table
from quepu.rulebooks.yuque.point_fractions import print_value
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.guide import Grid, Part, Section, Shown, examples, faults, read
from quepu.rules.rulebook import Rulebook

_HERE = Path(__file__).parent
_PLAYERS = 4
_COMMA = "、"


def sections(book: Rulebook) -> tuple[Section, ...]:
    """Return the rules in words, the tables and the examples of the book or a house rule of it."""
    makers = {
        "fans": _fans, "summary": _summary, "residues": _residues, "quick": _quick, "sticks": _sticks,
        "minima": _minima, "examples": _examples, "faults": faults,
    }  # fmt: skip
    return read(_HERE / "rules.toml", book, makers)


def _both(cell: object) -> Text:
    return Text(str(cell), str(cell))


def _fans(book: Rulebook, _words: str) -> Iterable[Part]:
    """Tables I and II: list number, name, value, groups and priority; rows of a house have none of these columns."""
    own = [(fan, fan.extra) for fan in book.fans if isinstance(fan.extra, YuqueExtra)]
    for title, later in (
        (Text("表 I：优先级 = 0（刻子、偶然类）", "Table I: priority 0"), False),
        (Text("表 II：优先级 > 0（牌型类；门前清）", "Table II: priority above 0"), True),
    ):
        rows = []
        for fan, columns in own:
            if bool(columns.priority) != later:
                continue
            groups = columns.groups if later else ""
            cells = (columns.number, fan.name, print_value(fan), groups, columns.priority)
            english = (columns.number, f"{fan.name} {fan.english}", *cells[2:])
            rows.append(tuple(Text(str(a), str(b)) for a, b in zip(cells, english, strict=True)))
        heads = (
            Text("序号", "number"), Text("番种", "fan"), Text("番值", "value"), Text("涉及组数", "groups"),
            Text("优先级", "priority"),
        )  # fmt: skip
        yield Grid(title, heads, tuple(rows), (3, 4))


def _summary(book: Rulebook, _words: str) -> Iterable[Part]:
    """计番简表: show a row for each value from the greatest to 0, a column for each priority."""
    cells: dict[tuple[int, int], dict[str, list[str]]] = {}
    for fan in book.fans:
        own = fan.own(YuqueExtra)
        if not (own.number or "0.0").startswith("0.0"):  # 番刻 is outside the table
            mark = print_value(fan)
            at = fan.value - own.off, own.priority
            cells.setdefault(at, {}).setdefault("" if mark == str(fan.value) else mark, []).append(fan.name)
    columns = range(max(priority for _, priority in cells) + 1)

    def cell(value: int, priority: int) -> Text:
        found = cells.get((value, priority), {})
        return _both("；".join(f"{mark} {_COMMA.join(names)}".lstrip() for mark, names in found.items()))

    top = max(value for value, _ in cells)
    values = [value for value in range(top, -1, -1) if any((value, p) in cells for p in columns)]
    yield Grid(
        Text("计番简表（番值 × 优先级）", "Value by priority"),
        (Text("番值", "value"), *(Text(f"优先级 {p}", f"priority {p}") for p in columns)),
        tuple((_both(value), *(cell(value, p) for p in columns)) for value in values),
        (0,),
        Text(  # ruling yuque-12
            "括号内为计番刻时的番值。番刻每副 2 番，不在表内。原书三种清一色都印作 15-2(12-2)，这里照表 II。",
            "In brackets the value where 番刻 are counted. 番刻, 2 each, stand outside. The book prints 15-2(12-2) for all "
            "three 清一色; here as in table II.",
        ),
    )


_UNREASONED = Text("自定规则所定。", "As the house rules say.")


def _residues(book: Rulebook, _words: str) -> Iterable[Part]:
    """List every entry of the matrix, first by the fan counted before, then by the reason."""
    groups = {residues.stem(fan.name): fan.extra.groups for fan in book.fans if isinstance(fan.extra, YuqueExtra)}
    left = book.arithmetic.residues_of(book) if isinstance(book.arithmetic, Accretion) else {}
    by_first: dict[str, list[str]] = {}
    order = {residues.stem(fan.name): i for i, fan in enumerate(book.fans)}
    for (a, b), d in sorted(left.items(), key=lambda one: order.get(one[0][0], 0)):
        if {a, b} <= set(groups):
            by_first.setdefault(a, []).append(f"{b} {d}/{groups[b]}")
    yield Grid(
        Text("剩余数", "Residues"),
        (Text("已计番种", "fan counted"), Text("后计番种的剩余数", "remainder of later fans")),
        tuple((_both(a), _both(_COMMA.join(later))) for a, later in by_first.items()),
    )
    rows = []
    families = {
        family.why: [(a, b) for a, later in family.after.items() for b in later] for family in residues.FAMILIES
    }
    own = {(a, b) for a, b, _ in book.settings.get("residues", ())}
    families = {why: [pair for pair in pairs if pair not in own] for why, pairs in families.items()}
    for a, b, _ in book.settings.get("residues", ()):
        families.setdefault(book.reasons.get((a, b), _UNREASONED), []).append((a, b))
    for why, some in families.items():
        pairs = [(a, b) for a, b in some if (a, b) in left and {a, b} <= set(groups)]
        listed = _COMMA.join(f"{a} → {b} {left[a, b]}/{groups[b]}" for a, b in pairs)
        if listed:
            rows.append((why, _both(listed)))
    yield Grid(Text("理由", "Reasons"), (Text("理由", "reason"), Text("各项", "entries")), tuple(rows))


def _quick(_book: Rulebook, _words: str) -> Iterable[Part]:
    """点数速查表 as printed."""
    table = quick_table()
    rows = tuple(tuple(_both(n) for n in row) for row in table.rows)
    yield Grid(
        Text("附：点数速查表", "Points at a glance"), table.heads, rows, tuple(range(len(table.heads))), table.note
    )


def _sticks(_book: Rulebook, _words: str) -> Iterable[Part]:
    """计分棒: list how many there are of each value, and their worth."""
    rows, totals = [], [0, 0]
    for stick in STICKS:
        count = stick.each * _PLAYERS + stick.pool
        totals = [totals[0] + stick.each * stick.value, totals[1] + stick.pool * stick.value]
        cells = [_both(stick.value), stick.colour]
        cells += [_both(f"{n}×{stick.value}" if n else "-") for n in (stick.each, stick.pool)]
        rows.append((*cells, _both(f"{count}×{stick.value} = {count * stick.value}")))
    total = (Text("总计", "total"), Text("", ""), *map(_both, (*totals, totals[0] * _PLAYERS + totals[1])))
    yield Grid(
        Text("计分棒", "Counting sticks"),
        (Text("分值", "value"), Text("颜色", "colour"), Text("初始每家手中", "each player begins with"),
         Text("初始计分池中", "the pool begins with"), Text("总计", "in all")),
        (*rows, total),
        (0, 2, 3, 4),
        Text(  # ruling yuque-29
            "除绿之外颜色名未能留存。原书 500、1000 总计印作 18 根、全部印作 35900，皆为误印。",
            "The names of the colours are lost but for green. The book misprints 18 sticks of 500 and of 1000, and 35900 in "
            "all.",
        ),
    )  # fmt: skip


def _minima(book: Rulebook, _words: str) -> Iterable[Part]:
    """第 54 版最低番数: list the least value of each kind of hand."""
    prefix = "最低番数:"
    rows: dict[str, tuple[Text, ...]] = {}
    for shown in examples(_HERE / "examples.toml", lambda entry: entry.get("at", "").startswith(prefix), book):
        if not isinstance(shown, Shown):
            continue
        name = shown.label.zh.removeprefix(prefix)
        fan = shown.sentence.rpartition("共 ")[2].split(" ")[0]
        rows.setdefault(name, (_both(name), _both(fan), _both(shown.example.hand)))
    heads = (Text("和牌", "hand"), Text("最低番数", "least fan"), Text("如", "as"))
    yield Grid(Text("第 54 版最低番数", "The least fan of well-known hands"), heads, tuple(rows.values()), (1,))


def _examples(book: Rulebook, words: str) -> Iterable[Part]:
    """List the examples of one place in the book, or all."""
    yield from examples(_HERE / "examples.toml", lambda entry: not words or entry.get("at") == words, book)
