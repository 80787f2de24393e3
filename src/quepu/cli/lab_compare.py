"""`quepu lab compare|calibrate`: compare two books, and a book's values with rarity."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from quepu.cli import parameters
from quepu.cli.lab_output import Outputs, book_of_rules, deliver, open_book, outputs, progress, state_option, states_of
from quepu.cli.lab_tables import take_census
from quepu.cli.screen import note
from quepu.cli.texts import say, spoken
from quepu.errors import HandError

if TYPE_CHECKING:
    from quepu.lab.sheet import Sheet

_OPEN, _CLOSED = "open-discard", "closed-discard"
_CALIBRATIONS = ("values", "factors", "joint", "played", "people", "like-people", "payable", "moved")
_FOUR = ("open-discard", "open-draw", "closed-discard", "closed-draw")


@parameters.command(
    "lab.compare",
    parameters.book_argument("old", "arg.old", metavar="OLD"),
    parameters.book_argument("new", "arg.new", metavar="NEW"),
    state_option(f"{_OPEN},{_CLOSED}"),
    parameters.jobs(),
    *outputs(),
)
def compare(old: str, new: str, state: str, jobs: int, **where: Unpack[Outputs]) -> int:
    """Compare."""
    books = open_book(old, where), open_book(new)
    from quepu.lab.compare import by_fan, most_changed, pair_up, summary
    from quepu.lab.pairing import prepare_pairing
    from quepu.lab.states import state as state_of

    sheets: list[Sheet] = []
    cut = False
    keys = states_of(state, (_OPEN, _CLOSED))
    if jobs != 1:
        prepare_pairing(*books, [state_of(key) for key in keys], jobs)
    for key in keys:
        try:
            with progress(f"{say('lab.comparing')} {spoken(state_of(key).text)}") as step:
                pairs = pair_up(*books, state_of(key), step)
        except MemoryError:
            raise HandError(
                "内存不足：比较约需 700 MB。", "not enough memory: a comparison needs about 700 MB."
            ) from None
        except KeyboardInterrupt:
            if not sheets:
                raise
            cut = True
            break
        sheets += [summary(pairs), by_fan(pairs), most_changed(pairs)]
    for sheet in sheets:
        sheet.partial = cut
    return deliver(sheets, where)


@parameters.command(
    "lab.find",
    book_of_rules(),
    parameters.text("--with", "fans", help="opt.find.with", metavar="FAN,…"),
    parameters.text("--without", help="opt.find.without", metavar="FAN,…"),
    parameters.number("--least", help="opt.find.least", default=0, least=0),
    parameters.text("--near", help="opt.find.near", metavar="HAND"),
    parameters.number("--number", "-n", help="opt.find.number", default=10, least=1, most=1000),
    state_option(_CLOSED),
    *outputs(),
)
def find(
    rules: str, fans: str, without: str, least: int, near: str, number: int, state: str, **where: Unpack[Outputs]
) -> int:
    """Find."""
    book = open_book(rules, where)
    from quepu.hands.notation import parse_part
    from quepu.lab.find_hand import Wanted, find_hands, find_nearest, find_sheet, nearest_sheet
    from quepu.lab.states import state as state_of

    wanted, unwanted = ([name.strip() for name in text.replace("，", ",").split(",") if name.strip()]
                        for text in (fans, without))  # fmt: skip
    sheets = []
    for key in states_of(state, (_CLOSED,)):
        if near:
            hand, wish = parse_part(near), Wanted(tuple(wanted), tuple(unwanted), least)
            close = find_nearest(book, state_of(key), wish, hand, number)
            sheets.append(nearest_sheet(book, state_of(key), hand, close))
            continue
        found = find_hands(book, state_of(key), fans=wanted, without=unwanted, least=least, examples=number)
        sheets.append(find_sheet(book, state_of(key), found))
    code = deliver(sheets, where, whole=True)
    if not any(sheet.facts["hands"] for sheet in sheets):
        note(say("lab.find.states"))
    return code


@parameters.command(
    "lab.suggest",
    book_of_rules(),
    parameters.text(
        "--law", help="opt.law", metavar="LAW", default="bits", complete=parameters.choices("bits", "mean", "rare")
    ),
    parameters.text("--fan", help="opt.law.fan", metavar="FAN"),
    parameters.text("--to", help="opt.law.to", metavar="NUMBER"),
    state_option(_OPEN),
    *outputs(),
)
def suggest(rules: str, law: str, fan: str, to: str, state: str, **where: Unpack[Outputs]) -> int:
    """Suggest."""
    book = open_book(rules, where)
    from quepu.lab.states import state as state_of
    from quepu.lab.suggest import LAWS, suggest_sheet
    from quepu.lab.suggest import suggest as suggestions

    try:
        number = float(to) if to else None
    except ValueError:
        raise HandError("--to 应是一个数。", "--to must be a number.") from None
    if law in LAWS and law != "bits" and (number is None or not number > 0):
        raise HandError(
            f"--law {law} 须用 --to 给出一个大于 0 的数。", f"--law {law} needs --to with a number above 0."
        )
    if law == "rare" and not fan:
        raise HandError("--law rare 须用 --fan 给出番种。", "--law rare needs --fan with a fan.")
    sheets = [
        suggest_sheet(book, state_of(key), suggestions(book, state_of(key), law, fan, number))
        for key in states_of(state, (_OPEN,))
    ]
    return deliver(sheets, where, whole=True)


@parameters.command(
    "lab.residues",
    book_of_rules(),
    parameters.text("--fan", "fans", help="opt.residues.fans", metavar="FAN,…"),
    parameters.flag("--toml", help="opt.residues.toml"),
    *outputs(),
)
def residues(rules: str, fans: str, toml: bool, **where: Unpack[Outputs]) -> int:
    """Residues."""
    book = open_book(rules, where)
    from quepu.lab.residues import propose, residue_sheet, residue_toml
    from quepu.rulebooks import book as find

    base = find(book.base or book.id).index
    given = [name.strip() for name in fans.replace("，", ",").split(",") if name.strip()]
    names = given or [fan.name for fan in book.fans if fan.name not in base]
    if not names:
        raise HandError("请写明番种：这本规则没有自己添的。", "name a fan: this rulebook has added none of its own.")
    with progress(say("lab.residues")) as step:
        found = propose(book, names, step)
    if toml:
        print(residue_toml(found), end="")
        return 0
    return deliver([residue_sheet(book, found)], where, whole=True)


@parameters.command(
    "lab.check",
    book_of_rules(),
    parameters.flag("--toml", help="opt.check.toml"),
    *outputs(),
)
def check(rules: str, toml: bool, **where: Unpack[Outputs]) -> int:
    """Check."""
    book = open_book(rules, where)
    from quepu.lab.draft_check import check as settle
    from quepu.lab.draft_check import check_sheet, check_toml
    from quepu.rulebooks import find_registered

    found = settle(book, find_registered(book))
    if toml:
        print(check_toml(book, found), end="")
        return 0
    return deliver([check_sheet(book, found)], where, whole=True)


@parameters.command(
    "lab.calibrate",
    book_of_rules(),
    parameters.text("--pung", help="opt.pung", metavar="FACTOR", default="2"),
    parameters.text("--played", help="opt.played", metavar="FILE"),
    parameters.text("--against", help="opt.against", metavar="RULES"),
    parameters.text("--table", "-t", help="opt.table", metavar="TABLE", complete=parameters.choices(*_CALIBRATIONS)),
    state_option(_OPEN),
    parameters.flag("--fresh", help="opt.fresh"),
    *outputs(),
)
def calibrate(
    rules: str, pung: str, played: str, against: str, table: str, state: str, fresh: bool, **where: Unpack[Outputs]
) -> int:
    """Calibrate."""
    book = open_book(rules, where)
    from quepu.lab import calibrate as lab
    from quepu.lab.played import against_people, load_simulated, people, platforms, played_bits
    from quepu.lab.played import read_played as played_file

    try:
        factor = float(pung)
    except ValueError:
        factor = 0.0
    if not 0 < factor <= 100:
        raise HandError("--pung 应是 0 到 100 之间的数。", "--pung must be a number between 0 and 100.")
    wanted = tuple(table.replace("，", ",").split(",")) if table else ()
    for name in wanted:
        if name not in _CALIBRATIONS:
            raise HandError(
                f"--table 可取：{' '.join(_CALIBRATIONS)}。", f"--table must be one of: {' '.join(_CALIBRATIONS)}."
            )
    sources = [
        *(played_file(name) for name in played.split(",") if name),
        *load_simulated(book),
        *people(book),
        *platforms(),
    ]
    other = open_book(against) if against else None
    if "moved" in wanted and other is None:
        raise HandError("--table moved 需要 --against 另一规则。", "--table moved needs --against another rulebook.")
    (key, *_) = states_of(state, (_OPEN,))
    census = take_census(book, key, fresh)
    makers: dict[str, Callable[[], Sheet | None]] = {
        "values": lambda: lab.values(census, factor),
        "factors": lambda: lab.factors(census),
        "joint": lambda: lab.joint(census, factor),
        "played": lambda: played_bits(census, sources, factor),
        "people": lambda: against_people(book),
        "like-people": lambda: against_people(book, like_people=True),
        "payable": lambda: lab.payable([take_census(book, name, fresh) for name in _FOUR]),
        "moved": lambda: lab.tabulate_moves(take_census(other, key, fresh), census, factor) if other else None,
    }
    if not wanted:
        wanted = ("values", "factors", "joint", "played", "people", "like-people",
                  *(("payable",) if book.minimum else ()), *(("moved",) if other else ()))  # fmt: skip
    found = [makers[name]() for name in wanted]
    return deliver([sheet for sheet in found if sheet is not None], where)
