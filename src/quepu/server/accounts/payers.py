"""Payers of what a request costs and stores: its address and, beside it, the account that is logged in."""

from __future__ import annotations

from contextlib import suppress

from fastapi import Request
from starlette.requests import HTTPConnection

from quepu.server.accounts.visitor import somebody
from quepu.server.budget import ALSO_PAYS, Asker, payers
from quepu.server.store.values import StoreError
from quepu.server.storing import Storing


async def pays(connection: HTTPConnection) -> None:
    """Dependency of every route: from here on the account logged in pays, too, for what is worked out and stored."""
    account = None
    with suppress(StoreError):  # what stores nothing is answered without a store
        account = await somebody(connection)
    ALSO_PAYS.set("" if account is None else f"account {account.id}")


async def stores(request: Request, asker: Asker) -> None:
    """Dependency of a route that stores what it is sent: its body is taken out of the budgets first."""
    storing: Storing = request.app.state.storing
    storing.take(payers(asker), len(await request.body()))
