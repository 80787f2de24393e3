"""Belongings of a browser on another device: by a code from one to the other, or by an account.

The name that owns it travels in the header `X-Who` and in answers, a code in bodies; neither stands in an address.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field, SecretStr

from quepu.server.accounts.api import Me, same_origin
from quepu.server.accounts.visitor import Somebody, stores
from quepu.server.budget import address
from quepu.server.http.messages import Refused, Schema, Who
from quepu.server.http.responses import Plain, Refusal, Whose
from quepu.server.limits import Limits
from quepu.server.store.belongings import BelongingsStore


class BelongingsShape(Schema):
    """Belongings of a browser, counted."""

    tables: int
    desks: int
    replays: int
    answers: int


class TransferCodeShape(Schema):
    """A code, good once: `minutes` from now."""

    code: str
    minutes: float


class TakeOver(Schema):
    """A code typed into another browser; with `merge`, what belongs to this one (`X-Who`) goes along."""

    code: Annotated[SecretStr, Field(max_length=40)]
    merge: bool = True


class FollowAccount(Schema):
    """Go on with what belongs to the account; with `merge`, what belongs to this browser (`X-Who`) becomes its."""

    merge: bool = False


class OwnName(Schema):
    """The name under which a browser goes on."""

    who: Who


BELONGINGS: tuple[type[Schema], ...] = (BelongingsShape, TransferCodeShape, TakeOver, FollowAccount, OwnName)
"""The shapes that the client needs."""


routes = APIRouter(
    prefix="/api/belongings",
    tags=["accounts"],
    dependencies=[Depends(same_origin)],
    responses={
        400: {"model": Refused},
        401: {"model": Refused},
        403: {"model": Refused},
        422: {"model": Refused},
        429: {"model": Refused},
    },
)


def _owned(request: Request) -> BelongingsStore:
    owned: BelongingsStore = request.app.state.owned
    return owned


TheOwned = Annotated[BelongingsStore, Depends(_owned)]


def _tried(request: Request) -> None:
    """Codes may be tried slowly only, from an address and from all together: nobody finds one by guessing."""
    one, everybody = request.app.state.code_tries
    for limit, whose in ((one, address(request)), (everybody, "")):
        wait = limit.wait(whose)
        if wait:
            raise Refusal(429, "试得太频繁，请过一会儿再试。", "too many tries: please wait a while.", after=wait)


def _private(answer: Plain) -> Plain:
    answer.headers["cache-control"] = "no-store"
    return answer


@routes.get("", response_model=BelongingsShape)
async def belongings(who: Whose, owned: TheOwned) -> Plain:
    """Belongings of this browser, counted."""
    return _private(Plain((await owned.count(who))._asdict()))


@routes.post("/code", response_model=TransferCodeShape, dependencies=[Depends(stores)])
async def code(who: Whose, owned: TheOwned, request: Request) -> Plain:
    """A code for another device, good once; an older one is good no more."""
    limits: Limits = request.app.state.settings
    made, _ = await owned.code(who, limits.transfer_minutes)
    return _private(Plain({"code": made, "minutes": limits.transfer_minutes}))


@routes.post("/take", response_model=OwnName)
async def take(given: TakeOver, who: Whose, me: Somebody, owned: TheOwned, request: Request) -> Plain:
    """Go on with what belongs to another browser, by its code; where this one follows an account, so does that."""
    _tried(request)
    found = await owned.used(given.code.get_secret_value())
    if found is None:
        raise Refusal(400, "代码不对、用过了或过期了。", "the code is wrong, was used before, or is too old.")
    follows = me is not None and await owned.of_account(me.id) == who
    if given.merge or follows:
        await owned.merge(who, found)
    if me is not None and follows:
        await owned.name_account(me.id, found)
    return _private(Plain({"who": found}))


@routes.post("/account", response_model=OwnName, dependencies=[Depends(stores)])
async def follow(given: FollowAccount, me: Me, who: Whose, owned: TheOwned) -> Plain:
    """Go on with what belongs to the account."""
    found = await owned.of_account(me.id)
    if given.merge:
        await owned.merge(who, found)
    return _private(Plain({"who": found}))
