"""Accounts over HTTP: optional, so that places and finished matches follow a person from device to device.

A browser is identified by an HttpOnly cookie that other sites cannot send; a program by the same token as a bearer.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from quepu.server.accounts.messages import Account, AccountSeat, Deleted, Goodbye, LogIn, NewAccount, NewPassword, Reset
from quepu.server.accounts.passwords import check_password
from quepu.server.accounts.visitor import COOKIE, Somebody, token_of
from quepu.server.budget import address
from quepu.server.http.guard import is_own_page
from quepu.server.http.responses import Plain, Refusal, from_state, refusals
from quepu.server.rooms.messages import Sat
from quepu.server.store.accounts import STAYS, Accounts, NameTaken, key
from quepu.server.store.values import LoggedIn


def require_same_origin(request: Request) -> None:
    """Refuse account requests from pages of another host; programs send no origin."""
    if not is_own_page(request):
        raise Refusal(403, "别的网站不能用这里的账号。", "accounts cannot be used from another site.")


routes = APIRouter(
    prefix="/api/account",
    tags=["accounts"],
    dependencies=[Depends(require_same_origin)],
    responses=refusals(400, 401, 403, 404, 409, 422, 429),
)  # fmt: skip


TheAccounts = Annotated[Accounts, from_state("accounts")]


def _require_login(who: Somebody) -> LoggedIn:
    if who is None:
        raise Refusal(401, "请先登录。", "log in first.")
    return who


Me = Annotated[LoggedIn, Depends(_require_login)]


def _limit_attempts(request: Request, name: str) -> None:
    """Limit password attempts: a few per name and address, more per address, and per name.

    So guessing from one address does not lock out the owner at another one, unless the attacker has many addresses. For
    a logged-in account, `name` is its id, which others do not know.
    """
    who = address(request)
    one, all_names, all_addresses = request.app.state.tries
    first = one.is_full(f"{key(name)} {who}")  # an owner locked out by others' guesses still has one attempt from here
    for limit, whose in ((one, f"{key(name)} {who}"), (all_names, who), (all_addresses, key(name))):
        wait = limit.wait(whose)
        if wait and not (limit is all_addresses and first):
            raise Refusal(429, "试得太频繁，请过一会儿再试。", "too many attempts: please wait a while.", after=wait)


async def _welcome(request: Request, accounts: Accounts, account: LoggedIn) -> Response:
    token = await accounts.log_in(account.id)
    answer = Plain({"name": account.name, "created": account.created, "token": token})
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, token, max_age=int(STAYS), path="/api", httponly=True, samesite="strict", secure=secure)
    answer.headers["cache-control"] = "no-store"
    return answer


def _farewell(answer: Response) -> Response:
    answer.delete_cookie(COOKIE, path="/api", httponly=True, samesite="strict")
    return answer


@routes.get("", response_model=Account)
async def me(who: Me) -> Plain:
    """Return the account that is logged in."""
    return Plain({"name": who.name, "created": who.created, "token": None})


@routes.post("/register", response_model=Account)
async def register(body: NewAccount, request: Request, accounts: TheAccounts) -> Response:
    """Create an account and log in."""
    _limit_attempts(request, body.name)
    check_password(body.password.get_secret_value(), body.name)
    try:
        account = await accounts.register(body.name, body.password.get_secret_value())
    except NameTaken:
        raise Refusal(409, f"“{body.name}”已经有人用了。", f"the name {body.name!r} is taken.") from None
    return await _welcome(request, accounts, account)


@routes.post("/login", response_model=Account)
async def log_in(body: LogIn, request: Request, accounts: TheAccounts) -> Response:
    """Log in."""
    _limit_attempts(request, body.name)
    return await _welcome(request, accounts, await _check_login(accounts, body.name, body.password.get_secret_value()))


async def _check_login(accounts: Accounts, name: str, password: str) -> LoggedIn:
    account = await accounts.check(name, password)
    if account is None:
        raise Refusal(401, "名字或密码不对。", "the name or the password is wrong.")
    return account


async def _still_knows(accounts: Accounts, who: LoggedIn, password: str) -> None:
    if await accounts.check(who.name, password) is None:
        raise Refusal(401, "密码不对。", "the password is wrong.")


@routes.post("/logout", status_code=204)
async def log_out(request: Request, accounts: TheAccounts) -> Response:
    """Log out on this device; others stay logged in."""
    token = token_of(request)
    if token:
        await accounts.log_out(token)
    return _farewell(Response(status_code=204))


@routes.post("/password", response_model=Account)
async def password(body: NewPassword, who: Me, request: Request, accounts: TheAccounts) -> Response:
    """Change the password and log out every other device."""
    _limit_attempts(request, who.id)
    await _still_knows(accounts, who, body.old.get_secret_value())
    check_password(body.password.get_secret_value(), who.name)
    await accounts.change_password(who.id, body.password.get_secret_value())
    await request.app.state.owned.rename_owner(who.id)  # other devices lose access to the account's tables
    return await _welcome(request, accounts, who)


@routes.post("/reset", response_model=Account)
async def reset(body: Reset, request: Request, accounts: TheAccounts) -> Response:
    """Set a new password with a code from the operator; every device is logged out."""
    _limit_attempts(request, body.name)
    check_password(body.password.get_secret_value(), body.name)  # before the code is used up
    account = await accounts.reset(body.name, body.code.get_secret_value(), body.password.get_secret_value())
    if account is None:
        raise Refusal(401, "名字或代码不对，或代码已过期。", "the name or the code is wrong, or the code has expired.")
    await request.app.state.owned.rename_owner(account.id)
    return await _welcome(request, accounts, account)


@routes.get("/export", responses={200: {"content": {"application/json": {}}}})
async def export(who: Me, accounts: TheAccounts) -> Plain:
    """Return everything stored about the account, as one file."""
    answer = Plain(await accounts.export(who.id))
    answer.headers["content-disposition"] = 'attachment; filename="quepu-account.json"'
    answer.headers["cache-control"] = "no-store"
    return answer


@routes.post("/delete", response_model=Deleted)
async def delete(body: Goodbye, who: Me, request: Request, accounts: TheAccounts) -> Response:
    """Delete the account for good, with every table where it played only with bots."""
    _limit_attempts(request, who.id)
    await _still_knows(accounts, who, body.password.get_secret_value())
    rooms = await accounts.delete(who.id)
    for room in rooms:
        await request.app.state.rooms.drop(room)
        request.app.state.replays.forget(room)
    return _farewell(Plain({"rooms": rooms}))


@routes.get("/seats", response_model=list[AccountSeat])
async def seats(who: Me, accounts: TheAccounts) -> Plain:
    """List the account's seats, finished matches included; the most recently used table comes first."""
    return Plain([seat._asdict() for seat in await accounts.seats(who.id)])


@routes.post("/seats/{room}", response_model=Sat)
async def come_back(room: str, who: Me, accounts: TheAccounts, request: Request) -> Plain:
    """Issue a new seat token to continue on this device; the old one becomes invalid."""
    mine = next((seat for seat in await accounts.seats(who.id) if seat.room == room), None)
    if mine is None:
        raise Refusal(404, "你在这一桌没有座位。", "you have no seat at this table.")
    token = await request.app.state.rooms.call(room, "renew", place=mine.place)
    return Plain({"room": room, "place": mine.place, "token": token})
