"""[fans."…"] with a formula, [changes."…"], classes, [drops], [conflicts] and [sentences] in a file of house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from quepu.errors import Text, near_names
from quepu.rules.arithmetic import Leaving, ResidueArithmetic
from quepu.rules.condition_trial import refuse_unclear_groups
from quepu.rules.formula import FormulaError, parse_formula
from quepu.rules.house_words import A_NAME, LONGEST_NAME, Refuses, is_title, line_of, names, natural, should_be, text_of
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook, like

FANS_MOST: Final = 30
OWN_CLASS: Final = "自定"
"""The class of a fan that names none."""
_LONGEST_SENTENCE: Final = 400
_A_SENTENCE: Final = (f"一行，1 到 {_LONGEST_SENTENCE} 个字", f"one line of 1 to {_LONGEST_SENTENCE} characters")
_TIMES_MOST: Final = 9
_COLUMN_MOST: Final = 1000
_GROUPS_MOST: Final = 7
_RELATIONS: Final = ("drops", "conflicts")
_OF: Final = {"each": EACH, "all": ALL}
_PLAIN: Final = {
    "class": "category", "english": "english", "definition": "definition", "sentence": "sentence", "most": "most",
}  # fmt: skip
"""Keys that are fields of a row as they are written."""


def arrange_classes(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with the classes of the house: their order, and what some are called instead."""
    given = data.get("classes", [])
    if not given:
        return made
    names = [one if isinstance(one, str) else one["name"] for one in given]
    was = {one["was"]: one["name"] for one in given if isinstance(one, dict) and "was" in one}
    now = list(dict.fromkeys(was.get(fan.category, fan.category) for fan in made.fans))
    if lost := [name for name in was if all(fan.category != name for fan in made.fans)]:
        file.wrong(
            f"{made.title.zh}没有“{lost[0]}”这一类。", f"{made.title.en} has no category {lost[0]!r}.", "classes"
        )
    if missing := [name for name in now if name not in names]:
        file.wrong(
            f"classes 要列出每一类，还缺：{'、'.join(missing)}。",
            f"classes must list every class; missing: {', '.join(missing)}.",
            "classes",
        )
    if len({*names}) < len(names) or len({*was}) < sum(isinstance(one, dict) and "was" in one for one in given):
        file.wrong("classes 里有一类写了两次。", "a class stands in classes twice.", "classes")
    order = sorted(made.fans, key=lambda fan: names.index(was.get(fan.category, fan.category)))
    english = {one["name"]: one["en"] for one in given if isinstance(one, dict) and "en" in one}
    fans = {fan.name: {"category": was[fan.category]} for fan in made.fans if fan.category in was}
    return made.having(fans=fans, order=[fan.name for fan in order], classes=english)


def revise_fans(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with fans of its own changed, one after the other: formulas mean fans as changed above them."""
    moved = []
    for name, given in data.get("changes", {}).items():
        row = file.apply(partial(made.fan, name), "changes", name)
        _check(file, made, "changes", name, given)
        fields = _fields(file, made, "changes", name, given, row)
        if "value" in given:
            fields["value"] = given["value"]
        if fields.get("category", row.category) != row.category:
            moved.append((row.name, fields["category"]))
        made = file.apply(partial(made.having, fans={row.name: fields}), "changes", name)
        if made.fan(name).of > ALL and isinstance(made.arithmetic, ResidueArithmetic):
            file.apply(partial(refuse_unclear_groups, made.fan(name)), "changes", name, "of")
    # scores may hang on the class of a fan (in 灵雀 those of one class are multiplied as one): the fingerprint has it
    return made.having(settings={"classes of changed fans": tuple(moved)}) if moved else made


def add_fans(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the new fans, each a row like any other behind those of the book."""
    rows: list[Fan] = []
    for name, given in data.get("fans", {}).items():
        if name in made.index or name in made.circumstances:
            file.wrong(
                f"已经有叫“{name}”的番种；要改它，写进 [changes.\"{name}\"]。",
                f"a fan called {name!r} already exists; to change it, write [changes.\"{name}\"].",
                "fans", name,
            )  # fmt: skip
        _check(file, made, "fans", name, given)
        fields = _fields(file, made, "fans", name, given, None)
        fields["value"] = file.apply(partial(like, made.fans[0].value, given["value"], name), "fans", name, "value")
        sentence = {"sentence": given["when"], "english": name, "category": OWN_CLASS}
        row = Fan(name, **{**sentence, **fields})
        if row.of > ALL and "groups" in columns_of(made) and "groups" not in given:
            kind = type(next(fan.extra for fan in made.fans if fan.extra is not None))
            own: Any = row.own(kind)
            row = replace(row, extra=replace(own, groups=row.of))
        if row.of > ALL and isinstance(made.arithmetic, ResidueArithmetic):
            file.apply(partial(refuse_unclear_groups, row), "fans", name, "of")
        rows.append(row)
    if not rows:
        return made
    # scores may hang on the class of a fan (in 灵雀 those of one class are multiplied as one): the fingerprint has it
    classes = tuple((row.name, row.category) for row in rows if row.category != OWN_CLASS)
    settings = {"classes of new fans": classes} if classes else None
    return file.apply(partial(made.having, add=rows, settings=settings), "fans")


def place_fans(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with fans moved in its order: before or after another."""
    names = [fan.name for fan in made.fans]
    for table in ("changes", "fans"):
        for name, given in data.get(table, {}).items():
            for side in ("before", "after"):
                if side in given:
                    other = file.apply(partial(made.fan, given[side]), table, name, side).name
                    own = made.fan(name).name
                    names.remove(own)
                    names.insert(names.index(other) + (side == "after") if other != own else 0, own)
    return made if names == [fan.name for fan in made.fans] else made.having(order=names)


def _fields(
    file: Refuses, made: Rulebook, table: str, name: str, given: Mapping[str, Any], row: Fan | None
) -> dict[str, Any]:
    """Fields of a row as a file writes them, without its value and its relations."""
    fields = {field: given[key] for key, field in _PLAIN.items() if key in given}
    if "of" in given:
        fields["of"] = _OF.get(given["of"], given["of"])
    if "when" in given:
        each = fields.get("of", ALL) == EACH
        try:
            fields["when"] = parse_formula(given["when"], made, places=each)
        except FormulaError as error:
            at = (error.at or 0) + 1
            file.wrong(
                f"“{name}”的公式第 {at} 个字符：{error.text.zh}",
                f"formula of {name!r}, character {at}: {error.text.en}",
                table, name, "when",
            )  # fmt: skip
        if row is not None and row.of == EACH and not each:
            fields |= {"of": fields.get("of", ALL), "on": None}
    columns = columns_of(made)
    written = {key: value for key, value in given.items() if key in columns}
    if written:
        kind = type(next(fan.extra for fan in made.fans if fan.extra is not None))
        own = row.own(kind) if row is not None else kind()
        value = row.value if row is not None else made.fans[0].value
        cells = {key: columns[key].make_cell(file, cell, value, (table, name, key)) for key, cell in written.items()}
        fields["extra"] = replace(own, **cells)  # type: ignore[type-var]  # a dataclass
    return fields


def _check(file: Refuses, made: Rulebook, table: str, name: str, given: object) -> None:
    """Refuse a new fan, or a change of one, that is not a table of the right things."""
    if not line_of(name, LONGEST_NAME):
        file.wrong(f"番种的名称应是{A_NAME[0]}。", f"the name of a fan must be {A_NAME[1]}.", table, name)
    if not isinstance(given, dict):
        file.wrong(f"“{name}”应是一张表：when、value……", f"{name!r} must be a table: when, value …", table, name)
    columns = columns_of(made)
    known = [key for key in _FAN if key not in columns]
    for key in given:
        if key in columns:
            continue
        if key not in known:
            listed = " ".join([*known, *columns])
            file.wrong(
                f"番种“{name}”没有“{key}”，可用：{listed}。",
                f"a fan has no {key!r}; there are: {listed}.",
                table,
                name,
                key,
            )
        fits, zh, en = _FAN[key]
        if not fits(given[key]):
            file.wrong(
                f"番种“{name}”的 {key} {should_be(zh)}。", f"{key} of the fan {name!r} must be {en}.", table, name, key
            )
    for key in ("when", "value") if table == "fans" else ():
        if key not in given:
            file.wrong(f"番种“{name}”缺少 {key}。", f"the fan {name!r} has no {key}.", table, name)


class Column(NamedTuple):
    """A column of a family that a file may write for a fan: its type, and whether `false` leaves it empty."""

    kind: type
    optional: bool

    def make_cell(self, file: Refuses, cell: Any, value: Any, keys: tuple[str, ...]) -> Any:
        """Return a cell of the column as a row has it; `value` is one of the book's values."""
        if self.optional and cell is False:
            return None
        if self.kind is object:
            return file.apply(partial(like, value, cell, keys[1]), *keys)
        fits, zh, en = _CELLS[self.kind]
        if not fits(cell):
            file.wrong(
                f"番种“{keys[1]}”的 {keys[2]} {should_be(zh)}。",
                f"{keys[2]} of the fan {keys[1]!r} must be {en}.",
                *keys,
            )
        return tuple(cell) if self.kind is tuple else cell


_CELLS: Final[dict[type, tuple[Callable[[Any], bool], str, str]]] = {
    bool: (lambda cell: isinstance(cell, bool), "true 或 false", "true or false"),
    int: (lambda cell: natural(cell) and cell <= _COLUMN_MOST, f"0 到 {_COLUMN_MOST}", f"0 to {_COLUMN_MOST}"),
    str: (lambda cell: line_of(cell, LONGEST_NAME), *A_NAME),
    tuple: (names, "番种名称的列表", "a list of names of fans"),
}


def column_head(book: Rulebook, key: str) -> Text:
    """Return the name of a column for people: what the family calls it, or its key."""
    kind: Any = next((type(fan.extra) for fan in book.fans if fan.extra is not None), None)
    head: Text | None = kind.__dataclass_fields__[key].metadata.get("head") if kind else None
    return head or book.columns.get(key) or Text(key, key)


def columns_of(book: Rulebook) -> dict[str, Column]:
    """Columns that rows of a book's family have beside those of every row, by name."""
    kind = next((type(fan.extra) for fan in book.fans if fan.extra is not None), None)
    found = {}
    for key, hint in get_type_hints(kind).items() if kind else ():
        (own,) = (one for one in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if one is not NoneType)
        plain = get_origin(own) or own
        if plain in _CELLS or hasattr(plain, "_fields"):
            found[key] = Column(plain if plain in _CELLS else object, NoneType in get_args(hint))
    return found


def relate_fans(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the 不计 and 互斥 that the house names, in place of the rows' own."""
    changes: dict[str, dict[str, tuple[str, ...]]] = {}
    for field in _RELATIONS:
        tables: list[tuple[tuple[str, ...], str, Any]] = [
            ((table, name, field), name, given[field])
            for table in ("changes", "fans")
            for name, given in data.get(table, {}).items()
            if field in given
        ]
        tables += [((field, name), name, given) for name, given in data.get(field, {}).items()]
        for keys, name, given in tables:
            row = file.apply(partial(made.fan, name), *keys).name
            if not names(given):
                file.wrong(
                    f"“{name}”的 {field} 应是番种名称的列表。", f"{field} of {name!r} must be names of fans.", *keys
                )
            listed = tuple(file.apply(partial(_write_name, made, word, field), *keys) for word in given)
            mine = changes.setdefault(row, {})
            mine[field] = listed
            if field == "drops":
                mine["implied"] = ()
                continue
            for other in made.fans:  # a row that names this one does so no more, unless it is named here
                theirs = changes.get(other.name, {}).get(field, other.conflicts)
                if row in theirs and other.name not in listed:
                    changes.setdefault(other.name, {})[field] = tuple(x for x in theirs if x != row)
    return made.having(fans=changes) if changes else made


def leaving(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """Return the book with what fans leave later ones, and the house's reasons."""
    given = data.get("residues", {})
    if not given:
        return made
    if not isinstance(made.arithmetic, Leaving):
        file.wrong(
            f"{made.title.zh}的番种不按剩余数叠加，没有 [residues]。",
            f"{made.title.en} does not add fans by residues, so there is no [residues].",
            "residues",
        )
    groups = made.arithmetic.residue_names(made)
    entries: list[tuple[str, str, int]] = []
    reasons: dict[tuple[str, str], Text] = {}
    for a, later in given.items():
        if not isinstance(later, dict):
            file.wrong(
                f"“{a}”应是一张表：后计的番种 = 剩下的组数。",
                f"{a!r} must be a table of fan = groups left.",
                "residues",
                a,
            )
        for b, cell in later.items():
            keys = ("residues", a, b)
            for name in (a, b):
                if name not in groups:
                    near = near_names(name, {one: one for one in groups})
                    file.wrong(
                        f"没有“{name}”这个番种。" + (f"是不是{'、'.join(near)}？" if near else ""),
                        f"there is no fan {name!r}." + (f" Did you mean {' / '.join(near)}?" if near else ""),
                        *keys,
                    )
            left: Any = cell.get("left") if isinstance(cell, dict) else cell
            why = cell.get("why") if isinstance(cell, dict) else None
            if isinstance(cell, dict) and ({*cell} - {"left", "why"} or (why is not None and not is_title(why))):
                file.wrong("应写作 { left = 组数, why = 理由 }。", "write { left = groups, why = the reason }.", *keys)
            if left is not False and not (natural(left) and left <= groups[b]):
                file.wrong(
                    f"“{b}”涉及 {groups[b]} 组，剩下的应是 0 到 {groups[b]}，或 false（不减）。",
                    f"{b!r} has {groups[b]} groups, so 0 to {groups[b]} are left, or false for all of them.",
                    *keys,
                )
            entries.append((a, b, -1 if left is False or left == groups[b] else left))
            if why is not None:
                reasons[a, b] = text_of(why)
    return made.having(settings={"residues": (*made.settings.get("residues", ()), *entries)}, reasons=reasons)


def reword_fans(file: Refuses, data: Mapping[str, Any], made: Rulebook) -> Rulebook:
    """The book with the house's sentences in place of the rows' own; no score hangs on them."""
    changes: dict[str, dict[str, str]] = {}
    for name, sentence in data.get("sentences", {}).items():
        row = file.apply(partial(made.fan, name), "sentences", name).name
        if not line_of(sentence, _LONGEST_SENTENCE):
            file.wrong(
                f"“{name}”的话应是一行，最多 {_LONGEST_SENTENCE} 字。",
                f"the sentence of {name!r} must be one line of {_LONGEST_SENTENCE} characters at most.",
                "sentences", name,
            )  # fmt: skip
        changes[row] = {"sentence": sentence}
    return made.having(fans=changes) if changes else made


def _write_name(book: Rulebook, word: str, field: str) -> str:
    """A name among the relations as the rows write it: a fan, or of 不计 also * (all), *class, and + before a name."""
    if field == "drops" and (word == "*" or word.removeprefix("*") in {fan.category for fan in book.fans}):
        return word
    plus = field == "drops" and word.startswith("+")
    return "+" * plus + book.fan(word[1:] if plus else word).name


_FAN: Final[dict[str, tuple[Callable[[Any], bool], str, str]]] = {
    "when": (lambda value: isinstance(value, str), "一个公式", "a formula"),
    "value": (lambda value: isinstance(value, (int, dict, list)), "番值", "a value"),
    "english": (lambda value: line_of(value, LONGEST_NAME), *A_NAME),
    "definition": (lambda value: line_of(value, _LONGEST_SENTENCE), *_A_SENTENCE),
    "of": (
        lambda value: value in (*_OF,) or (type(value) is int and 1 <= value <= _GROUPS_MOST),
        f"1 到 {_GROUPS_MOST} 副，或 each（一处计一次）、all（整手）",
        f"a number of groups, 1 to {_GROUPS_MOST}, or each (once for every place) or all (the whole hand)",
    ),
    "before": (lambda value: line_of(value, LONGEST_NAME), *A_NAME),
    "after": (lambda value: line_of(value, LONGEST_NAME), *A_NAME),
    "class": (lambda value: line_of(value, LONGEST_NAME), *A_NAME),
    "sentence": (lambda value: line_of(value, _LONGEST_SENTENCE), *_A_SENTENCE),
    "most": (
        lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _TIMES_MOST,
        f"1 到 {_TIMES_MOST}",
        f"1 to {_TIMES_MOST}",
    ),
    "drops": (names, "番种名称的列表", "a list of names of fans"),
    "conflicts": (names, "番种名称的列表", "a list of names of fans"),
}
"""What a fan is written with: when it holds (`quepu.rules.formula`), what it is worth, its relations, place and words.

Beside these a file may write every column of the family (`columns_of`)."""
