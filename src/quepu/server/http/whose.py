"""The owner of the tables, logs and practice that a request is about: the random name that a browser keeps.

Whoever knows it has it, so it travels in the header `X-Who`, which no proxy writes down, and never in the address:
there it is refused.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query

from quepu.server.http.messages import Who
from quepu.server.http.responses import Refusal


def _whose(
    x_who: Annotated[Who | None, Header(description="whose own things are meant")] = None,
    who: Annotated[str | None, Query(include_in_schema=False)] = None,
) -> str | None:
    if who is not None:
        raise Refusal(
            422,
            "“who”不能写在地址里（会留在代理的记录中），请放在“X-Who”头里。",
            "'who' may not stand in the address, where proxies write it down; send the header 'X-Who'.",
        )
    return x_who


MaybeWhose = Annotated[str | None, Depends(_whose)]


def _needed(who: MaybeWhose) -> str:
    if who is None:
        raise Refusal(422, "缺少“X-Who”。", "'X-Who' is missing.")
    return who


Whose = Annotated[str, Depends(_needed)]
