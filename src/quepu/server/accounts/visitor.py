"""The visitor behind a request: the account logged in, the budgets that pay, and names of accounts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Protocol

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from quepu.server.budget import ALSO_PAYS, Asker, Storing, payers
from quepu.server.http.responses import from_state
from quepu.server.store.values import LoggedIn, StoreError

COOKIE = "quepu_session"
_ACCOUNT = "quepu.somebody"


def token_of(request: HTTPConnection) -> str:
    """Return the token of a request, from the bearer header or the cookie; "" for none."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


async def somebody(connection: HTTPConnection) -> LoggedIn | None:
    """Return the account of a request, looked up once; None without one."""
    token = token_of(connection)
    if not token:
        return None
    if _ACCOUNT not in connection.scope:
        connection.scope[_ACCOUNT] = await connection.app.state.accounts.who(token)
    found: LoggedIn | None = connection.scope[_ACCOUNT]
    return found


Somebody = Annotated[LoggedIn | None, Depends(somebody)]


class SeatOfAccount(Protocol):
    """A seat at a table that belongs to an account."""

    @property
    def room(self) -> str:
        """The table of the seat."""


class Registered(Protocol):
    """The accounts of a server; see `quepu.server.store.accounts.Accounts`."""

    async def is_taken(self, name: str) -> bool:
        """Return whether a name, or one that it looks like, belongs to an account."""

    async def is_banned(self, name: str) -> bool:
        """Return whether a name is forbidden."""

    async def took(self, account: str, room: str, place: int) -> None:
        """Attach a seat to an account."""

    async def gave_back(self, account: str, room: str) -> None:
        """Detach a seat from the account."""

    async def seats(self, account: str, most: int = 200) -> Sequence[SeatOfAccount]:
        """Return the account's seats, those at recently used tables first."""


TheRegistered = Annotated[Registered, from_state("accounts")]


async def pays(connection: HTTPConnection) -> None:
    """Charge work and storage to the account that is logged in, too: a dependency of every route."""
    account = None
    with suppress(StoreError):  # routes that store nothing work without a store
        account = await somebody(connection)
    ALSO_PAYS.set("" if account is None else f"account {account.id}")


async def stores(request: Request, asker: Asker) -> None:
    """Charge the body to the budgets first: a dependency of routes that store request bodies."""
    storing: Storing = request.app.state.storing
    storing.take(payers(asker), len(await request.body()))
