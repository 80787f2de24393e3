"""Rulebooks over HTTP: the list, every row of one, and the differences between two."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

import quepu
from quepu import rulebooks
from quepu.rulebooks import books as registered
from quepu.rulebooks import house_rules, readings
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import open_questions
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.books.differences import difference_answer
from quepu.server.books.messages import (
    BookBrief,
    BookPage,
    DifferenceAnswer,
    DraftDifference,
    GuideAnswer,
    OpenQuestion,
)
from quepu.server.budget import Asker
from quepu.server.hands.messages import HouseText
from quepu.server.http.messages import Short
from quepu.server.http.rendering import bilingual, book_brief, book_page, guide_answer, ruling_shape
from quepu.server.http.responses import Lang, Plain, refusals
from quepu.server.work.pool import Work

_ON_PAPER = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content policy of a booklet: its own styles, no script, nothing loaded."""
House = Annotated[str, Query(max_length=20_000, description="house rules as TOML; they name their own base book")]
Paper = Literal["A4", "A5"]
Form = Literal["book", "sheet", "card"]

routes = APIRouter(prefix="/api", tags=["books"], responses=refusals(400, 422))


@routes.get("/books", response_model=list[BookBrief])
def books() -> Plain:
    """List every rulebook without its rows; variants of another book come last."""
    return Plain([book_brief(book).model_dump() for book in (*registered(), *readings())])


@routes.get("/books/{name}", response_model=BookPage)
def book(name: str) -> Plain:
    """Return one rulebook, by id or alias, with every row, relation, ruling and scored example."""
    return Plain(book_page(rulebooks.book(name)).model_dump())


@routes.get("/books/{name}/rules", response_model=GuideAnswer)
def book_rules(name: str) -> Plain:
    """Return the rules of one rulebook section by section, with its tables and scored examples."""
    return Plain(guide_answer(rulebooks.book(name)).model_dump())


@routes.get("/questions", response_model=list[OpenQuestion])
def questions() -> Plain:
    """List open questions to the authors of the rulebooks, most important first."""
    return Plain(
        [
            OpenQuestion(rules=book.id, title=bilingual(book.title), ruling=ruling_shape(ruling)).model_dump()
            for book, ruling in open_questions(quepu.books())
        ]
    )


@routes.get("/diff", response_model=DifferenceAnswer)
def diff(old: str, new: str) -> Plain:
    """Return the changes from one rulebook to another; each fan with one hand scored under both."""
    return Plain(difference_answer(rulebooks.book(old), rulebooks.book(new)))


@routes.post("/house/page", response_model=BookPage)
async def draft_page(body: HouseText, work: Work, asker: Asker) -> Plain:
    """Return the rulebook of house rules, with every row, relation and scored example."""
    return Plain(await work.run(asker, _draft_page, body.house))


@routes.post("/house/rules", response_model=GuideAnswer)
async def draft_rules(body: HouseText, work: Work, asker: Asker) -> Plain:
    """Return the rules in words of the book under house rules."""
    return Plain(await work.run(asker, _draft_rules, body.house))


@routes.post("/house/diff", response_model=DifferenceAnswer)
async def draft_diff(body: DraftDifference, work: Work, asker: Asker) -> Plain:
    """Return the changes made by house rules, relative to their base book or another one."""
    return Plain(await work.run(asker, _draft_diff, body.house, body.old))


def _form(*, sheet: bool = False, card: bool = False) -> Form:
    return "card" if card else "sheet" if sheet else "book"


TheForm = Annotated[Form, Depends(_form)]


@routes.get("/booklet", response_class=Response, responses={200: {"content": {"text/html": {}}}})
async def booklet(
    work: Work,
    asker: Asker,
    lang: Lang,
    form: TheForm,
    rules: Short = DEFAULT_RULES,
    house: House = "",
    since: Short = "",
    paper: Paper = "A4",
) -> Response:
    """Return a rulebook or a draft typeset for paper, a self-contained page.

    `sheet`: its fans on one sheet; `card`: the choices of a club and the payments, on one page.
    """
    page = await work.run(asker, _booklet, rules, house, since, paper, form, lang)
    return Response(page, media_type="text/html; charset=utf-8", headers={"content-security-policy": _ON_PAPER})


def _booklet(rules: str, house: str, since: str, paper: str, form: Form, lang: str) -> str:
    from quepu.lab.draft_effects import add_examples
    from quepu.scoring.booklet import booklet, club_card, fan_sheet

    book = house_rules.book_of(rules, house)
    if form == "card":
        return club_card(book, lang, paper)
    book = add_examples(book, counting=False)
    if form == "sheet":
        return fan_sheet(book, lang, paper)
    base = rulebooks.find_registered(book)
    drafted = base if base.fingerprint != book.fingerprint else None
    return booklet(book, lang, rulebooks.book(since) if since else drafted, paper)


def _draft_page(house: str) -> dict[str, Any]:
    return book_page(_draft(house)).model_dump()


def _draft_rules(house: str) -> dict[str, Any]:
    return guide_answer(_draft(house)).model_dump()


def _draft_diff(house: str, old: str) -> dict[str, Any]:
    made = _draft(house)
    return difference_answer(rulebooks.book(old) if old else rulebooks.find_registered(made), made)


def _draft(house: str) -> Rulebook:
    """Return the book of house rules, which may belong to an old game; they name their own base book."""
    return house_rules.book_of("", house)
