"""The shapes of accounts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, SecretStr, StringConstraints

from quepu.server.http.messages import Schema, Writable

AccountName = Annotated[str, StringConstraints(min_length=1, max_length=24, strip_whitespace=True), Writable]
Password = Annotated[SecretStr, Field(min_length=8, max_length=200)]
AnyPassword = Annotated[SecretStr, Field(max_length=200)]


class NewAccount(Schema):
    """A name and a password of at least eight characters."""

    name: AccountName
    password: Password


class LogIn(Schema):
    """A name and its password."""

    name: AccountName
    password: AnyPassword


class Reset(Schema):
    """A code from the operator, and the new password."""

    name: AccountName
    code: Annotated[SecretStr, Field(max_length=40)]
    password: Password


class NewPassword(Schema):
    """A new password to replace `old`."""

    old: AnyPassword
    password: Password


class Goodbye(Schema):
    """The password once more, to delete the account for good."""

    password: AnyPassword


class Account(Schema):
    """The account that is logged in. `token` is for programs (`Authorization: Bearer`); browsers use a cookie."""

    name: str
    created: float
    token: str | None = None


class AccountSeat(Schema):
    """A seat that belongs to the account; `over` once the match has ended."""

    room: str
    place: int
    title: str
    created: float
    updated: float
    over: bool


class Deleted(Schema):
    """The tables deleted with an account: those where it had played only with bots."""

    rooms: list[str]


ACCOUNTS: tuple[type[Schema], ...] = (NewAccount, LogIn, Reset, NewPassword, Goodbye, Account, AccountSeat, Deleted)
