"""Rulebooks: which there are, and every row of one."""

from __future__ import annotations

from fastapi import APIRouter

import quepu
from quepu.rulebooks import book_ids
from quepu.server.messages import BookBrief, BookPage, Refused
from quepu.server.shapes import book_brief, book_page
from quepu.server.speaking import Plain

routes = APIRouter(prefix="/api", tags=["books"], responses={400: {"model": Refused}, 422: {"model": Refused}})


@routes.get("/books", response_model=list[BookBrief])
def books() -> Plain:
    """Every rulebook without its rows."""
    found = []
    for name in book_ids():
        try:
            found.append(book_brief(quepu.book(name)).model_dump())
        except ModuleNotFoundError:  # a family that is being written
            continue
    return Plain(found)


@routes.get("/books/{name}", response_model=BookPage)
def book(name: str) -> Plain:
    """One rulebook, by id or alias, with every row, relation, ruling and scored example."""
    return Plain(book_page(quepu.book(name)).model_dump())
