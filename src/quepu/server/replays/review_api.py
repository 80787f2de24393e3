"""Reviews over HTTP: begun, watched, stopped, and read hand by hand."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from quepu.server.accounts.visitor import stores
from quepu.server.budget import Asker
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain
from quepu.server.replays.review_messages import HandReview, ReviewState
from quepu.server.replays.reviews import Reviews

routes = APIRouter(
    prefix="/api/replays/{id}/review",
    tags=["replays"],
    responses={status: {"model": Refused} for status in (403, 404, 409, 422, 429)},
)


def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]


@routes.get("", response_model=ReviewState)
async def state(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Progress of the review of a match, and how each hand was played as far as it is known."""
    return Plain(await reviews.state(id, asker))


@routes.post("", response_model=ReviewState, dependencies=[Depends(stores)])
async def start(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Begin the review of a match, or go on with it; one that is there already is not worked out again."""
    return Plain(await reviews.start(id, asker))


@routes.delete("", response_model=ReviewState)
async def cancel(id: str, reviews: TheReviews, asker: Asker) -> Plain:
    """Stop a review; the hands that are done stay."""
    return Plain(await reviews.cancel(id, asker))


@routes.get("/{number}", response_model=HandReview)
async def hand(id: str, number: int, reviews: TheReviews) -> Plain:
    """Every decision of a hand with what each choice keeps, and why."""
    return Plain(await reviews.hand(id, number))
