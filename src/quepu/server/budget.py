"""Budgets that refill, one for each asker: requests, seconds of the processor, bytes stored, whatever is counted."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits

ALSO_PAYS: ContextVar[str] = ContextVar("ALSO_PAYS", default="")
"""The account on whose budget a request is, beside its address's; "": nobody is logged in."""


def payers(asker: str) -> tuple[str, ...]:
    """Return whose budgets pay for what an address asks for now: its own, and that of the account logged in."""
    account = ALSO_PAYS.get()
    return (asker, account) if account else (asker,)


class Buckets:
    """A bucket of `burst` for each asker that refills at `rate` a second. The `most` askers seen last are known."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.most = most
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def _left(self, who: str) -> float:
        now = self.clock()
        left, at = self.buckets.get(who, (float(self.burst), now))
        return min(self.burst, left + (now - at) * self.rate)

    def _put(self, who: str, left: float) -> None:
        self.buckets[who] = (left, self.clock())
        self.buckets.move_to_end(who)
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)

    def wait(self, who: str, cost: float = 1.0) -> float:
        """Take so much out of the bucket of `who`: 0, or (nothing is taken) the seconds until there is so much."""
        left = self._left(who)
        short = left < min(cost, self.burst)
        self._put(who, left if short else left - cost)
        return (min(cost, self.burst) - left) / self.rate if short else 0.0

    def reserve(self, who: str, cost: float = 1.0) -> float:
        """Take so much, also what is yet to come: the seconds until all of it is there. First come, first served."""
        left = self._left(who) - cost
        self._put(who, left)
        return max(0.0, -left / self.rate)

    def empty(self, who: str) -> float:
        """The seconds until there is anything in the bucket of `who`; 0: there is."""
        left = self._left(who)
        return 0.0 if left > 0 else -left / self.rate + 0.001

    def full(self, who: str) -> bool:
        """Whether nothing is missing in the bucket of `who`."""
        return self._left(who) >= self.burst

    def spend(self, who: str, cost: float) -> None:
        """Take out what something has cost, even where so much is not there."""
        self._put(who, self._left(who) - cost)


class Measured(Buckets):
    """Buckets whose costs are counted by `observe`, too."""

    def __init__(self, rate: float, burst: float, observe: Callable[[float], None]) -> None:
        super().__init__(rate, burst)
        self.observe = observe

    def spend(self, who: str, cost: float) -> None:
        """Take out what something has cost."""
        self.observe(cost)
        super().spend(who, cost)


def address(connection: HTTPConnection) -> str:
    """Return whose request this is: the address it came from; of an IPv6 address the half that a network is given."""
    return whole(connection.client.host if connection.client else "")


Asker = Annotated[str, Depends(address)]
"""Whose request a route answers."""


def whole(host: str) -> str:
    """An address, or the /64 of an IPv6 one."""
    if ":" not in host:
        return host
    try:
        found = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


_LEAST = 512
"""Bytes that anything stored takes beside what it says."""


class Storing:
    """Budgets for the bytes that visitors store. `payers` are an address and, for an account, `account ID`."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = Buckets(limits.stored_rate, limits.stored_burst)

    def spend(self, payers: Sequence[str], size: int) -> None:
        """Charge what was stored to the budgets, even beyond what is left."""
        for who in payers:
            self._buckets.spend(who, size)

    def take(self, payers: Sequence[str], size: int) -> None:
        """Charge what is about to be stored to the budgets.

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
