"""Metrics of this process for Prometheus. docs/guide/operators.md lists them.

Counters and histograms belong to the process; gauges (`Gauges`) are read from an application on each scrape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

import quepu

if TYPE_CHECKING:
    from fastapi import FastAPI

disable_created_metrics()  # type: ignore[no-untyped-call]  # when a series began is nobody's question here
REGISTRY: Final = CollectorRegistry()
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LONG = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)


def _histogram(name: str, about: str, labels: tuple[str, ...] = (), buckets: tuple[float, ...] = _QUICK) -> Histogram:
    return Histogram(name, about, labels, buckets=buckets, registry=REGISTRY)


def _counter(name: str, about: str, labels: tuple[str, ...] = ()) -> Counter:
    return Counter(name, about, labels, registry=REGISTRY)


REQUESTS: Final = _counter("quepu_requests", "Requests answered.", ("method", "route", "status"))
REQUEST_SECONDS: Final = _histogram(
    "quepu_request_seconds", "From a request's head to the end of its answer.", ("route",)
)
SOCKETS: Final = _counter("quepu_sockets", "WebSockets that ended, by how they did.", ("code",))
_ACTIONS: Final = _histogram(
    "quepu_action_seconds", "From an action's arrival to its being stored and sent to everybody.", ("by",)
)
ACTION_OF_PERSON: Final = _ACTIONS.labels("person")
ACTION_OF_BOT: Final = _ACTIONS.labels("bot")
HANDS: Final = _counter("quepu_hands", "Hands played to their end.")
MATCHES: Final = _counter("quepu_matches", "Matches played to their end.")
ROOMS_LOST: Final = _counter("quepu_rooms_lost", "Rooms that this process could not go on with (see the log).")
BOT_SECONDS: Final = _histogram("quepu_bot_seconds", "From a bot's question to its answer.", ("lane",), _LONG)
BOT_FAILURES: Final = _counter("quepu_bot_failures", "Questions that a bot could not answer.")
WORK_SECONDS: Final = _histogram("quepu_work_seconds", "Processor time of a piece of heavy work.", (), _LONG)
STORE_SECONDS: Final = _histogram("quepu_store_seconds", "Transactions of the store.", ("does",))
APPENDS: Final = _counter("quepu_store_appends", "Appends to logs.")
APPENDED_TOGETHER: Final = _histogram(
    "quepu_store_appends_together", "Appends in one commit.", (), (1, 2, 5, 10, 20, 50, 100, 200, 500)
)
STORE_FAILURES: Final = _counter("quepu_store_failures", "Transactions that the store refused or did not answer.")
LOOP_LATE: Final = _histogram("quepu_loop_late_seconds", "How late the event loop wakes what it should.")

for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=REGISTRY)


class Gauges(Collector):
    """Gauges of an application, read on each scrape."""

    def __init__(self, app: FastAPI, *, store_up: bool) -> None:
        self.app = app
        self.store_up = store_up

    def describe(self) -> Iterable[Metric]:
        """Return nothing: registering must not read state."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges."""
        state = self.app.state
        yield InfoMetricFamily("quepu_build", "The program.", {"version": quepu.__version__})
        rooms = _family("quepu_rooms", "Rooms in memory.", "phase")
        phases = dict.fromkeys(("open", "playing", "between", "over"), 0)
        people = bots = watching = 0
        for room in state.rooms.rooms.values():
            phases[room.phase] += 1
            watching += len(room.audience.spectators)
            people += sum(bool(place.listeners) for place in room.seating.places)
            bots += sum(place.kind == "bot" for place in room.seating.places)
        for phase, count in phases.items():
            rooms.add_metric([phase], count)
        yield rooms
        seats = _family("quepu_seats", "Seats taken, and people who watch.", "who")
        for who, count in (("person", people), ("bot", bots), ("spectator", watching)):
            seats.add_metric([who], count)
        yield seats
        yield GaugeMetricFamily("quepu_rooms_broken", "Rooms that cannot be read.", len(state.rooms.broken))
        yield GaugeMetricFamily("quepu_sockets_open", "WebSockets open.", state.sockets.open)
        if state.connections is not None:
            yield GaugeMetricFamily("quepu_connections_open", "HTTP connections open.", state.connections.all)
        waiting = _family("quepu_waiting", "What waits in a queue.", "queue")
        queues = {
            "work": state.work.waiting,
            "reviews": state.reviews.waiting,
            "appends": state.rooms.logs.waiting,
            **{f"bots_{name}": lane.waiting for name, lane in state.rooms.bots.pools.items()},
        }
        for queue, count in queues.items():
            waiting.add_metric([queue], count)
        yield waiting
        yield GaugeMetricFamily("quepu_store_up", "Whether the store answers.", self.store_up)
        yield GaugeMetricFamily("quepu_store_connections", "Connections to the store in use.", state.database.in_use)
        sizes = _family("quepu_store_bytes", "Bytes of an SQLite database and its write-ahead log.", "file")
        for file, size in state.database.sizes().items():
            sizes.add_metric([file], size)
        yield sizes
        yield GaugeMetricFamily("quepu_store_unsynced", "Whether moves do not reach the disk.", state.database.unsynced)


def _family(name: str, about: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, about, labels=[label])


def exposition(gauges: Gauges) -> bytes:
    """Return the text for Prometheus."""
    now = CollectorRegistry()
    now.register(gauges)
    return generate_latest(REGISTRY) + generate_latest(now)
