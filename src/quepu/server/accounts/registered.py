"""Answers to rooms and replays about accounts: names that belong to one, and the places that each has taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from fastapi import Depends, Request


class SeatOfAccount(Protocol):
    """A place at a table that belongs to an account."""

    @property
    def room(self) -> str:
        """The table."""
        ...


class Registered(Protocol):
    """The accounts of a server; see `quepu.server.store.accounts.Accounts`."""

    async def named(self, name: str) -> bool:
        """Whether a name, or what it is made to look like, is that of an account."""
        ...

    async def banned(self, name: str) -> bool:
        """Whether nobody may have this name."""
        ...

    async def took(self, account: str, room: str, place: int) -> None:
        """A place belongs to an account from now on."""
        ...

    async def gave_back(self, account: str, room: str) -> None:
        """A place belongs to it no more."""
        ...

    async def seats(self, account: str, most: int = 200) -> Sequence[SeatOfAccount]:
        """Its places, those at tables touched last first."""
        ...


def _registered(request: Request) -> Registered:
    accounts: Registered = request.app.state.accounts
    return accounts


TheRegistered = Annotated[Registered, Depends(_registered)]
