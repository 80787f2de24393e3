"""Bytes that visitors have stored: a budget that refills, for each address and for each account."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.server.budget import Buckets
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits

_LEAST = 512
"""Bytes that anything stored takes beside what it says."""


class Storing:
    """The budgets of one server. `payers` are an address and, for who is logged in, `account ID`."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = Buckets(limits.stored_rate, limits.stored_burst)

    def spend(self, payers: Sequence[str], size: int) -> None:
        """Take what was stored out of the budgets, even where so much is not there."""
        for who in payers:
            self._buckets.spend(who, size)

    def take(self, payers: Sequence[str], size: int) -> None:
        """Take what is about to be stored out of the budgets.

        Raises:
            Refusal: one of them is used up.
        """
        wait = max(map(self._buckets.empty, payers), default=0.0)
        if wait:
            raise Refusal(
                429,
                "你保存的内容已达上限，请过一会儿再存。",
                "you have stored too much here: please wait a while.",
                after=wait,
            )
        self.spend(payers, size + _LEAST)
