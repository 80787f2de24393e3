"""Everything the lab says of a book on one page."""

from __future__ import annotations

from quepu.errors import Text
from quepu.lab import calibrate, points, rarity, relations
from quepu.lab.census import Progress
from quepu.lab.page import page
from quepu.lab.sheet import Sheet
from quepu.lab.states import state
from quepu.lab.store import census
from quepu.rulebook import Rulebook

PLAIN = "open-discard"
CLOSED = "closed-discard"
FOUR = ("open-discard", "open-draw", "closed-discard", "closed-draw")


def sheets(book: Rulebook, progress: Progress | None = None) -> list[Sheet]:
    """The tables of a report, in their order."""
    taken = {}
    for n, key in enumerate(FOUR):

        def step(done: int, all_: int, n: int = n) -> None:
            if progress is not None:
                progress(n * all_ + done, len(FOUR) * all_)

        taken[key] = census(book, state(key), progress=step)
    plain, closed = taken[PLAIN], taken[CLOSED]
    return [
        rarity.rarity_sheet(closed),
        points.distribution(closed),
        points.biggest(closed),
        *([calibrate.payable(list(taken.values()))] if book.minimum else []),
        calibrate.values(plain),
        calibrate.factors(plain),
        calibrate.joint(plain),
        calibrate.played_bits(plain, calibrate.platforms()),
        relations.implications(plain),
        relations.declared(closed),
        relations.overlap(plain),
        relations.redundant(closed),
    ]


def report(book: Rulebook, lang: str = "zh", progress: Progress | None = None) -> str:
    """The page as HTML text."""
    title = Text(f"{book.title.zh}：实验室报告", f"{book.title.en}: lab report")
    intro = [
        Text(
            "每个数都来自对全部和牌的精确枚举；方法见 docs/lab.md，可用 quepu lab 逐项重算。",
            "Every number comes from all winning hands, exactly; docs/lab.md has the method, quepu lab each number.",
        )
    ]
    return page(sheets(book, progress), lang, title, intro)
