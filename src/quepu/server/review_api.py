"""Reviews over HTTP: begun, watched, stopped, and read hand by hand."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from quepu.server.messages import Refused
from quepu.server.replays.reviewing import Reviews
from quepu.server.review_messages import HandReview, ReviewState
from quepu.server.speaking import Plain

routes = APIRouter(
    prefix="/api/replays/{id}/review",
    tags=["replays"],
    responses={status: {"model": Refused} for status in (404, 409, 422)},
)


def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]


@routes.get("", response_model=ReviewState)
async def state(id: str, reviews: TheReviews) -> Plain:
    """How far the review of a match is, and how each hand was played as far as it is known."""
    return Plain(await reviews.state(id))


@routes.post("", response_model=ReviewState)
async def start(id: str, reviews: TheReviews) -> Plain:
    """Begin the review of a match, or go on with it; one that is there already is not worked out again."""
    return Plain(await reviews.start(id))


@routes.delete("", response_model=ReviewState)
async def cancel(id: str, reviews: TheReviews) -> Plain:
    """Stop a review; the hands that are done stay."""
    return Plain(await reviews.cancel(id))


@routes.get("/{number}", response_model=HandReview)
async def hand(id: str, number: int, reviews: TheReviews) -> Plain:
    """Every decision of a hand with what each choice keeps, and why."""
    return Plain(await reviews.hand(id, number))
