"""The visitor that a request comes from, if it is somebody who is logged in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from quepu.server.store.values import LoggedIn

COOKIE = "quepu_session"
_ACCOUNT = "quepu.somebody"


def token_of(request: HTTPConnection) -> str:
    """The token that a request brings, as a bearer or a cookie; "" for none."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


async def somebody(connection: HTTPConnection) -> LoggedIn | None:
    """The account of a request, None without one; looked up once for a request."""
    token = token_of(connection)
    if not token:
        return None
    if _ACCOUNT not in connection.scope:
        connection.scope[_ACCOUNT] = await connection.app.state.accounts.who(token)
    found: LoggedIn | None = connection.scope[_ACCOUNT]
    return found


Somebody = Annotated[LoggedIn | None, Depends(somebody)]
