"""Move a browser's belongings to another device: by a transfer code, or by an account.

The owner's name is sent in the header `X-Who` and in answers, codes in bodies; neither appears in a URL.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field, SecretStr

from quepu.server.accounts.api import Me, require_same_origin
from quepu.server.accounts.visitor import Somebody, stores
from quepu.server.budget import address
from quepu.server.http.messages import Schema, Who
from quepu.server.http.responses import Plain, Refusal, Whose, from_state, refusals
from quepu.server.limits import Limits
from quepu.server.store.belongings import BelongingsStore


class BelongingsShape(Schema):
    """The belongings of a browser, counted."""

    tables: int
    desks: int
    replays: int
    answers: int


class TransferCodeShape(Schema):
    """A single-use code that expires in `minutes`."""

    code: str
    minutes: float


class TakeOver(Schema):
    """A code entered in another browser; with `merge`, this browser's belongings (`X-Who`) are added."""

    code: Annotated[SecretStr, Field(max_length=40)]
    merge: bool = True


class FollowAccount(Schema):
    """Continue with the account's belongings; with `merge`, this browser's (`X-Who`) are added to them."""

    merge: bool = False


class OwnName(Schema):
    """The owner name that a browser uses from now on."""

    who: Who


BELONGINGS: tuple[type[Schema], ...] = (BelongingsShape, TransferCodeShape, TakeOver, FollowAccount, OwnName)
"""The types that the client needs."""


routes = APIRouter(
    prefix="/api/belongings",
    tags=["accounts"],
    dependencies=[Depends(require_same_origin)],
    responses=refusals(400, 401, 403, 422, 429),
)


TheOwned = Annotated[BelongingsStore, from_state("owned")]


def _limit_attempts(request: Request) -> None:
    """Limit code attempts, per address and in total, so that codes cannot be guessed."""
    one, everybody = request.app.state.code_tries
    for limit, whose in ((one, address(request)), (everybody, "")):
        wait = limit.wait(whose)
        if wait:
            raise Refusal(429, "试得太频繁，请过一会儿再试。", "too many attempts: please wait a while.", after=wait)


def _private(answer: Plain) -> Plain:
    answer.headers["cache-control"] = "no-store"
    return answer


@routes.get("", response_model=BelongingsShape)
async def belongings(who: Whose, owned: TheOwned) -> Plain:
    """Count this browser's belongings."""
    return _private(Plain((await owned.count(who))._asdict()))


@routes.post("/code", response_model=TransferCodeShape, dependencies=[Depends(stores)])
async def code(who: Whose, owned: TheOwned, request: Request) -> Plain:
    """Issue a single-use code for another device; an older one expires."""
    limits: Limits = request.app.state.settings
    made, _ = await owned.code(who, limits.transfer_minutes)
    return _private(Plain({"code": made, "minutes": limits.transfer_minutes}))


@routes.post("/take", response_model=OwnName)
async def take(given: TakeOver, who: Whose, me: Somebody, owned: TheOwned, request: Request) -> Plain:
    """Continue with another browser's belongings by its code; its link to an account is taken over, too."""
    _limit_attempts(request)
    found = await owned.use_code(given.code.get_secret_value())
    if found is None:
        raise Refusal(400, "代码不对、用过了或过期了。", "the code is wrong, was used before, or has expired.")
    follows = me is not None and await owned.of_account(me.id) == who
    if given.merge or follows:
        await owned.merge(who, found)
    if me is not None and follows:
        await owned.name_account(me.id, found)
    return _private(Plain({"who": found}))


@routes.post("/account", response_model=OwnName, dependencies=[Depends(stores)])
async def follow(given: FollowAccount, me: Me, who: Whose, owned: TheOwned) -> Plain:
    """Continue with the account's belongings."""
    found = await owned.of_account(me.id)
    if given.merge:
        await owned.merge(who, found)
    return _private(Plain({"who": found}))
