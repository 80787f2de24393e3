"""The account that is logged in pays for what its requests cost, beside the address that they come from."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import HTTPConnection

from quepu.server.accounts.visitor import somebody
from quepu.server.budget import ALSO_PAYS
from quepu.server.store.values import StoreError


async def pays(connection: HTTPConnection) -> None:
    """Dependency of every route: from here on the account logged in pays, too, for what is worked out and stored."""
    account = None
    with suppress(StoreError):  # what stores nothing is answered without a store
        account = await somebody(connection)
    ALSO_PAYS.set("" if account is None else f"account {account.id}")
