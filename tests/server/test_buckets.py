"""Budgets that refill, on both sides of what they allow: one less and one more, a moment before and at the moment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from quepu.server.budget import ALSO_PAYS, Buckets, Measured, address, find_network, payers

MOMENT = 1 / 64
"""A short time that floating-point numbers add exactly."""


class Refilled:
    """Buckets with a clock that is set."""

    def __init__(self, rate: float = 2, burst: float = 3, most: int = 10_000) -> None:
        self.now = 100.0
        self.buckets = Buckets(rate, burst, lambda: self.now, most)


def test_a_burst_and_no_more_then_the_rate_and_no_faster() -> None:
    made = Refilled()
    assert [made.buckets.wait("a") for _ in range(5)] == [0, 0, 0, 0.5, 0.5], "nothing is taken by a refusal"
    made.now += 0.5 - MOMENT
    assert made.buckets.wait("a") == pytest.approx(MOMENT)
    made.now += MOMENT
    assert made.buckets.wait("a") == 0
    assert made.buckets.wait("a") == 0.5
    made.now += 100
    assert [made.buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5], "never more than the burst"


def test_another_asker_has_a_bucket_of_his_own() -> None:
    made = Refilled()
    made.buckets.spend("a", 3)
    assert made.buckets.wait("a", 2) == 1
    assert made.buckets.wait("b", 2) == 0


def test_what_costs_more_than_the_burst_waits_for_a_full_bucket_and_is_paid_off() -> None:
    made = Refilled(rate=2, burst=4)
    assert made.buckets.wait("a", 10) == 0, "it would never be allowed else"
    assert made.buckets.wait("a", 1) == (10 - 4 + 1) / 2
    made.now += 3.5
    assert made.buckets.wait("a", 1) == 0
    made.buckets.spend("b", 1)
    assert made.buckets.wait("b", 10) == 0.5


def test_the_cost_is_one_unless_it_is_named() -> None:
    made = Refilled(burst=1)
    assert made.buckets.wait("a") == 0
    assert made.buckets.wait("a") == 0.5
    assert made.buckets.reserve("b") == 0
    assert made.buckets.reserve("b") == 0.5


def test_reservations_queue() -> None:
    made = Refilled(rate=2, burst=3)
    assert [made.buckets.reserve("a", cost) for cost in (1, 2, 1, 4)] == [0, 0, 0.5, 2.5]
    made.now += 2.5
    assert made.buckets.reserve("a", 2) == 1


def test_empty_is_how_long_there_is_nothing() -> None:
    made = Refilled(rate=2, burst=3)
    assert made.buckets.delay("a") == 0
    made.buckets.spend("a", 2.5)
    assert made.buckets.delay("a") == 0
    made.buckets.spend("a", 0.5)
    assert 0 < made.buckets.delay("a") < 0.01, "nothing is left: it takes a moment until there is something"
    made.buckets.spend("a", 5)
    wait = made.buckets.delay("a")
    assert 2.5 < wait < 2.51
    made.now += 2.5
    assert made.buckets.delay("a") > 0
    made.now += wait - 2.5
    assert made.buckets.delay("a") == 0, "after the wait it told"


def test_full_is_with_nothing_missing() -> None:
    made = Refilled(rate=2, burst=3)
    assert made.buckets.is_full("a")
    made.buckets.spend("a", 1)
    assert not made.buckets.is_full("a")
    made.now += 0.5 - MOMENT
    assert not made.buckets.is_full("a")
    made.now += MOMENT
    assert made.buckets.is_full("a")
    assert not made.buckets.buckets.get("b"), "a look remembers nobody"


def test_the_askers_seen_last_are_known_and_so_many() -> None:
    made = Refilled(most=2)
    made.buckets.spend("a", 3)
    made.buckets.spend("b", 3)
    made.buckets.spend("a", 0)  # seen again: b is now the one seen longest ago
    assert [made.buckets.delay(who) > 0 for who in "ab"] == [True, True]
    made.buckets.spend("c", 3)
    assert [made.buckets.delay(who) > 0 for who in "abc"] == [True, False, True]
    assert len(made.buckets.buckets) == 2
    assert Buckets(1, 1).most == 10_000


def test_what_is_measured_is_observed_and_spent() -> None:
    seen: list[float] = []
    measured = Measured(1e-9, 3, seen.append)
    measured.spend("a", 2)
    assert measured.delay("a") == 0
    measured.spend("a", 1.5)
    assert seen == [2, 1.5]
    assert measured.delay("a") > 0
    assert measured.is_full("b")


@settings(deadline=None)
@given(
    st.integers(1, 8), st.integers(1, 20),
    st.lists(
        st.one_of(
            st.tuples(st.just("pass"), st.integers(1, 40)),
            st.tuples(st.sampled_from(["wait", "reserve", "spend"]), st.integers(0, 30)),
        ),
        max_size=40,
    ),
)  # fmt: skip
def test_in_any_order_of_events_a_bucket_is_what_counting_drop_by_drop_makes_it(
    rate: int, burst: int, events: list[tuple[str, int]]
) -> None:
    """Time passes in sixty-fourths of a second, and each brings `rate` sixty-fourths of one."""
    made = Refilled(rate, burst)
    drops = 64 * burst
    for what, number in events:
        if what == "pass":
            made.now += number / 64
            for _ in range(number):
                drops = min(64 * burst, drops + rate)
            continue
        needed = 64 * min(number, burst) if what == "wait" else 64 * number
        short = max(0, needed - drops)
        if what == "spend":
            made.buckets.spend("a", number)
        else:
            wait = getattr(made.buckets, what)("a", number)
            assert wait == pytest.approx(short / 64 / rate, abs=1e-9)
            if what == "wait" and short:
                before, after = Refilled(rate, burst), Refilled(rate, burst)
                for one, moment in ((before, wait - 1e-6), (after, wait + 1e-9)):
                    one.buckets.spend("a", burst - drops / 64)
                    one.now += moment
                assert before.buckets.wait("a", number) > 0
                assert after.buckets.wait("a", number) == 0, "who waits as long as he is told is let in"
        if what != "wait" or not short:
            drops -= 64 * number
        assert (made.buckets.delay("a") == 0) is (drops > 0)
        assert made.buckets.is_full("a") is (drops == 64 * burst)


@pytest.mark.parametrize(
    ("host", "whose"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("2001:db8:1:1:ffff:ffff:ffff:ffff", "2001:db8:1:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("fe80::1%eth0%1", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
        ("not:an:address", "not:an:address"),
    ],
)
def test_an_address_is_one_asker_and_so_is_the_half_of_an_ipv6_one_that_a_network_is_given(
    host: str, whose: str
) -> None:
    assert find_network(host) == whose
    client = (host, 5000) if host else None
    assert address(HTTPConnection({"type": "http", "client": client, "headers": []})) == whose


def test_an_account_pays_beside_its_address() -> None:
    assert payers("203.0.113.7") == ("203.0.113.7",)
    token = ALSO_PAYS.set("account 7")
    try:
        assert payers("203.0.113.7") == ("203.0.113.7", "account 7")
    finally:
        ALSO_PAYS.reset(token)
    assert payers("203.0.113.7") == ("203.0.113.7",)
