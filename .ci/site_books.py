"""Pages of the site about rulebooks: a book with its fans and rulings, and each fan with its figures and examples."""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from site_lists import WORDS  # noqa: E402

import quepu  # noqa: E402  # of this checkout
from quepu.errors import Error  # noqa: E402
from quepu.hands.drawing import hand_html  # noqa: E402
from quepu.rules.measured_figures import figures, measured_in  # noqa: E402
from quepu.rules.row import value_text  # noqa: E402
from quepu.scoring.describe import describe_fan, score_example  # noqa: E402
from quepu.scoring.notebook import score_html  # noqa: E402

DEVICE = ROOT / "src" / "quepu" / "server" / "static" / "device"


def slug(name: str) -> str:
    """A name as a file's: what a link may hold as it is."""
    return re.sub(r"[^\w-]+", "-", name, flags=re.ASCII).strip("-").lower()


def fan_page(book: quepu.Rulebook, number: int, lang: str) -> str:
    """A fan: sentence, value, relations, exact figures, pictures of its example and near miss."""
    words, fan = WORDS[lang], book.fans[number]
    data = describe_fan(book, fan, lang)
    name, other = (fan.name, fan.english) if lang == "zh" else (fan.english, fan.name)
    value = value_text(data["value"], lang, data["printed"])
    lines = [f"# {name}", f"*{other}* · [{book.title.say(lang)}](index.md)", "", f"> {fan.sentence}", ""]
    if lang == "en":
        lines += [data.get("definition") or "", ""]
    lines += ["| | |", "|---|---|", f"| {words['value']} | {value} |"]
    lines.append(f"| {words['class']} | {book.class_name(fan.category, lang)} |")
    for key in ("aliases", "drops", "dropped_by", "conflicts"):
        if data[key]:
            lines.append(f"| {words[key]} | {'、'.join(linked(book, one) for one in data[key])} |")
    figure, state = figures(book).get(fan.name), measured_in(book)
    if figure and figure.share is not None and state:
        lines.append(f"| {words['share']} | {rarity(figure.share)} ({state.say(lang)}) |")
    if figure and figure.least is not None:
        lines.append(f"| {words['least']} | {figure.least}: `{figure.least_hand}` |")
    for key in ("example", "near_miss"):
        example = getattr(fan, key)
        if example is not None:
            lines += [
                "",
                f"## {words[key]}",
                "",
                f"`{example.hand}`{tried(example.hand, book, words)}",
                "",
                shown(example, book),
            ]
    for ruling in book.rulings:
        if ruling.id in fan.rulings:
            lines += ["", f'!!! note "{words["rulings"]} {ruling.id}"', f"    {ruling.answer.say(lang)}"]
    return "\n".join(lines)


def shown(example: Any, book: quepu.Rulebook) -> str:
    """A drawn hand with its score; a hand that does not win, alone."""
    try:
        return score_html(score_example(example, book))
    except Error:
        return f"<div>{hand_html(quepu.parse(example.hand))}</div>"


def rarity(share: float) -> str:
    """A share of all hands, as far as its digits say something."""
    if share >= 0.001 or not share:
        return f"{share:.4%}"
    return f"{100 * share:.3g}% · 1 : {1 / share:,.0f}"


def tried(hand: str, book: quepu.Rulebook, words: dict[str, str]) -> str:
    """A link to the calculator with this hand; none where it is not built."""
    address = f"../try.md?{urlencode({'hand': hand, 'book': book.id})}"
    return f" · [{words['try_this']}]({address})" if DEVICE.is_dir() else ""


def linked(book: quepu.Rulebook, name: str) -> str:
    """A name with a link to the page of its row, if it is one."""
    return f"[{name}]({fan_file(book, book.index[name])})" if name in book.index else name


def fan_file(book: quepu.Rulebook, number: int) -> str:
    """The file of a row's page."""
    return f"{number + 1:03d}-{slug(book.fans[number].english)}.md"


def book_page(book: quepu.Rulebook, lang: str) -> str:
    """A book: its facts, its fans, its rulings."""
    words = WORDS[lang]
    lines = [
        f"# {book.title.say(lang)}",
        "",
        f"`{book.id}` · {words['minimum']} {book.minimum} {book.unit.say(lang)} ·",
    ]
    lines += [f"{len(book.fans)} {words['fans']} · {words['digest']} `{book.fingerprint}`", ""]
    lines += [f"| {words['fans']} | {words['english']} | {words['value']} | {words['class']} |", "|---|---|---:|---|"]
    for number, fan in enumerate(book.fans):
        name, other = (fan.name, fan.english) if lang == "zh" else (fan.english, fan.name)
        value = book.printed_value(fan) or str(fan.value)
        link = f"[{name}]({fan_file(book, number)})"
        lines.append(f"| {link} | {other} | {value} | {book.class_name(fan.category, lang)} |")
    lines += ["", f"## {words['rulings']}", ""]
    for ruling in book.rulings:
        mark = f" ({words['open']})" if ruling.open else ""
        lines += [f"**{ruling.id}**{mark} {escape(ruling.question.say(lang))}", "", escape(ruling.answer.say(lang)), ""]
    return "\n".join(lines)
