"""Token buckets, one per visitor: requests, CPU seconds, bytes stored, and other costs."""

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
"""The account that pays for a request besides its address; "": not logged in."""


def payers(asker: str) -> tuple[str, ...]:
    """Return the budgets that pay for an address's request: its own, and that of the account logged in."""
    account = ALSO_PAYS.get()
    return (asker, account) if account else (asker,)


class Buckets:
    """A token bucket with capacity `burst` per visitor, refilled at `rate` per second; LRU of `most` visitors."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.most = most
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def _count_left(self, who: str) -> float:
        now = self.clock()
        left, at = self.buckets.get(who, (float(self.burst), now))
        return min(self.burst, left + (now - at) * self.rate)

    def _put(self, who: str, left: float) -> None:
        self.buckets[who] = (left, self.clock())
        self.buckets.move_to_end(who)
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)

    def wait(self, who: str, cost: float = 1.0) -> float:
        """Spend `cost`; return 0, or the seconds to wait if there is not enough (nothing is spent then)."""
        left = self._count_left(who)
        short = left < min(cost, self.burst)
        self._put(who, left if short else left - cost)
        return (min(cost, self.burst) - left) / self.rate if short else 0.0

    def reserve(self, who: str, cost: float = 1.0) -> float:
        """Spend `cost` in advance; return the seconds until it is covered. First come, first served."""
        left = self._count_left(who) - cost
        self._put(who, left)
        return max(0.0, -left / self.rate)

    def delay(self, who: str) -> float:
        """Return the seconds until the bucket of `who` is not empty; 0 if it is not."""
        left = self._count_left(who)
        return 0.0 if left > 0 else -left / self.rate + 0.001

    def is_full(self, who: str) -> bool:
        """Return whether the bucket of `who` is full."""
        return self._count_left(who) >= self.burst

    def spend(self, who: str, cost: float) -> None:
        """Spend the actual cost of something, even beyond the balance."""
        self._put(who, self._count_left(who) - cost)


class Measured(Buckets):
    """Token buckets whose costs are also recorded by `observe`."""

    def __init__(self, rate: float, burst: float, observe: Callable[[float], None]) -> None:
        super().__init__(rate, burst)
        self.observe = observe

    def spend(self, who: str, cost: float) -> None:
        """Spend the actual cost of something."""
        self.observe(cost)
        super().spend(who, cost)


def address(connection: HTTPConnection) -> str:
    """Return the address of a request; for IPv6, the network half."""
    return find_network(connection.client.host if connection.client else "")


Asker = Annotated[str, Depends(address)]
"""The address that a route's request comes from."""


def find_network(host: str) -> str:
    """Return an address, or the /64 of an IPv6 one."""
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
"""Overhead in bytes of any stored object."""


class Storing:
    """Budgets for the bytes that visitors store. `payers` are an address and, for an account, `account ID`."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = Buckets(limits.stored_rate, limits.stored_burst)

    def spend(self, payers: Sequence[str], size: int) -> None:
        """Charge stored bytes to the budgets, even beyond the balance."""
        for who in payers:
            self._buckets.spend(who, size)

    def take(self, payers: Sequence[str], size: int) -> None:
        """Charge bytes that are about to be stored to the budgets.

        Raises:
            Refusal: one of them is used up.
        """
        wait = max(map(self._buckets.delay, payers), default=0.0)
        if wait:
            raise Refusal(
                429,
                "你保存的内容已达上限，请过一会儿再存。",
                "you have stored too much here: please wait a while.",
                after=wait,
            )
        self.spend(payers, size + _LEAST)
