"""Whose budget of stored bytes a request is on: its address's, and its account's."""

from __future__ import annotations

from fastapi import Request

from quepu.server.accounts.visitor import Somebody
from quepu.server.budget import Asker
from quepu.server.storing import Storing


def payers(asker: Asker, account: Somebody) -> list[str]:
    """Whose budgets pay for what a request stores."""
    return [asker] if account is None else [asker, f"account {account.id}"]


async def stores(request: Request, asker: Asker, account: Somebody) -> None:
    """What a route depends on that stores what it is sent: its body is taken out of the budgets first."""
    storing: Storing = request.app.state.storing
    storing.take(payers(asker, account), len(await request.body()))
