"""Reviews over HTTP: start, progress, cancel, and results hand by hand."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends

from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.responses import Plain, from_state, refusals
from quepu.server.replays.review_messages import HandReview, ReviewState
from quepu.server.replays.reviews import Reviews

routes = APIRouter(
    prefix="/api/replays/{id}/review",
    tags=["replays"],
    responses=refusals(403, 404, 409, 422, 429),
)


TheReviews = Annotated[Reviews, from_state("reviews")]


@routes.get("", response_model=ReviewState)
async def state(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Return the progress of a match's review, and how each hand was played as far as known."""
    return Plain(await reviews.state(id, asker))


@routes.post("", response_model=ReviewState, dependencies=[Depends(stores)])
async def start(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Start or resume the review of a match; a finished one is not repeated."""
    return Plain(await reviews.start(id, asker))


@routes.delete("", response_model=ReviewState)
async def cancel(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Cancel a review; finished hands stay."""
    return Plain(await reviews.cancel(id, asker))


@routes.get("/{number}", response_model=HandReview)
async def hand(id: str, number: int, reviews: TheReviews) -> Plain:
    """Return every decision of a hand with the value of each choice, and why."""
    return Plain(await reviews.hand(id, number))
