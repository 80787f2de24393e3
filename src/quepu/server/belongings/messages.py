"""The shapes of what belongs to a browser, and of its way to another."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, SecretStr

from quepu.server.http.messages import Schema, Who


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
