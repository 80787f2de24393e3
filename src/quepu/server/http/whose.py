"""Whose tables, logs and practice a request is about: the random name that a browser keeps.

Whoever knows it has it, so it travels in the header `X-Who`, which no proxy writes down, and not in the address. In the
address (`?who=`) it is still read, for programs that were written before.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query

from quepu.server.http.messages import Who
from quepu.server.http.responses import Refusal


def _whose(
    x_who: Annotated[Who | None, Header(description="whose own things are meant")] = None,
    who: Annotated[Who | None, Query(deprecated=True, description="the same, as it was once given")] = None,
) -> str | None:
    return x_who or who


MaybeWhose = Annotated[str | None, Depends(_whose)]


def _needed(who: MaybeWhose) -> str:
    if who is None:
        raise Refusal(422, "缺少“X-Who”。", "'X-Who' is missing.")
    return who


Whose = Annotated[str, Depends(_needed)]
