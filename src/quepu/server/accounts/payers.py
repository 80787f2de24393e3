"""Payers of what is stored: the budgets that a request is on, its address's and its account's."""

from __future__ import annotations

from fastapi import Request

from quepu.server.budget import Asker, payers
from quepu.server.storing import Storing


async def stores(request: Request, asker: Asker) -> None:
    """Dependency of a route that stores what it is sent: its body is taken out of the budgets first."""
    storing: Storing = request.app.state.storing
    storing.take(payers(asker), len(await request.body()))
