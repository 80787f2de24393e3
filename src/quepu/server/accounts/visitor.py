"""Who a request comes from, if it is somebody who is logged in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from quepu.server.store.values import LoggedIn

COOKIE = "quepu_session"


def token_of(request: Request) -> str:
    """The token that a request brings, as a bearer or a cookie; "" for none."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


async def somebody(request: Request) -> LoggedIn | None:
    """Who asks, if it is somebody with an account."""
    token = token_of(request)
    if not token:
        return None
    found: LoggedIn | None = await request.app.state.accounts.who(token)
    return found


Somebody = Annotated[LoggedIn | None, Depends(somebody)]
