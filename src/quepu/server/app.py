"""The application: routes, guards and pages put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, Depends, FastAPI
from sqlalchemy.exc import InterfaceError, OperationalError
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import quepu
from quepu.folders import data_folder
from quepu.server import belongings, payments
from quepu.server.accounts import api as account_api
from quepu.server.accounts.visitor import pays
from quepu.server.books import api as books_api
from quepu.server.budget import Measured, Storing
from quepu.server.desks import api as desks_api
from quepu.server.few import Few
from quepu.server.hands import api as hands_api
from quepu.server.housekeeping import Housekeeping
from quepu.server.http.guard import AllowedHost, BodyLimit, RateLimit, SafeHeaders
from quepu.server.http.pages import Pages, page
from quepu.server.http.responses import install
from quepu.server.limits import Limits
from quepu.server.operations import log_output
from quepu.server.operations.health import Health
from quepu.server.operations.metrics import WORK_SECONDS
from quepu.server.operations.requests import Requests
from quepu.server.players import api as players_api
from quepu.server.players import roster_api, stats_api
from quepu.server.practice import api as practice_api
from quepu.server.replays import api as replays_api
from quepu.server.replays import review_api
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.reviews import Reviews
from quepu.server.rooms import api as rooms_api
from quepu.server.rooms import discard_values
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.rooms.socket import Sockets, play
from quepu.server.score_tables import api as tables_api
from quepu.server.score_tables import carried_api, clubs_api
from quepu.server.store.accounts import Accounts
from quepu.server.store.belongings import BelongingsStore
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.practice import PracticeStore
from quepu.server.store.replays import Replays
from quepu.server.store.score_tables import TableResults
from quepu.server.store.values import StoreError
from quepu.server.work import Allowed, Pool
from quepu.server.workshop import api as workshop_api

_API = APIRouter()
"""Every route but the connection of a room: worked out once for all applications of a process."""
for _part in (
    hands_api,
    books_api,
    payments,
    practice_api,
    tables_api,
    carried_api,
    clubs_api,
    players_api,
    roster_api,
    stats_api,
    desks_api,
    rooms_api,
    discard_values,
    replays_api,
    review_api,
    account_api,
    belongings,
    workshop_api,
):
    _API.include_router(_part.routes, dependencies=[Depends(pays)])


@dataclass(frozen=True)
class Settings(Limits):
    """Settings of a server: how it is run, and its limits."""

    data: Path = field(default_factory=data_folder)
    database: str | None = None
    """A database address; None: SQLite in `data`."""
    sync: bool = False
    """On SQLite, answer only what is on the disk: a power cut costs nothing then, but a slow disk halts the play."""
    prepare: bool = True
    """Whether tables of the books that are played, for hints and strong bots, are built while the machine is idle."""
    workers: int = 1
    """Processes in which bots think."""
    public_names: tuple[str, ...] = ()
    """Names by which the Internet knows this server; none: it is run at home."""
    proxies: tuple[str, ...] = ()
    """Addresses (or networks) of proxies before it that say who their clients are."""
    metrics_host: str = "127.0.0.1"
    """The address of that listener."""
    metrics_port: int = 0
    """The port on which `/metrics` (with `/healthz` and `/readyz`) is shown to everybody; 0: none."""
    log_format: log_output.Format = "text"
    """The form of the log on standard error: lines for people, or JSON, which has a line for every request too."""
    metrics_token: str = ""
    """Who brings it as a bearer is shown `/metrics` on any port; "": nobody is."""

    @property
    def sqlite(self) -> bool:
        """Whether it stores in SQLite, which only one server may use."""
        return self.database is None or self.database.startswith("sqlite")


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; nothing is opened before it starts up."""
    settings = settings or Settings()
    database = Database(settings.data, settings.database, sync=settings.sync)
    allowed = Allowed(settings.work_cpu, settings.work_wall, settings.work_memory)
    time_used = Measured(settings.work_rate, settings.work_burst, WORK_SECONDS.observe)
    work = Pool(allowed, each=settings.work_each, most=settings.work_most, budget=time_used)
    storing = Storing(settings)
    registry = RoomRegistry(database, work, settings, storing, settings.workers)
    replay_logs, replay_rows = Logs(database), Replays(database)
    replays = ReplayRepository(replay_logs, replay_rows, work, settings)
    reviews = Reviews(replays, replay_rows, settings, registry.building)
    housekeeping = Housekeeping(database, registry, settings)
    health = Health(database)
    workshop = workshop_api.Workshop(settings, registry.building)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = settings.threads  # more of them would hold up the event loop
        try:
            await registry.wake()
            await reviews.wake()
        except (StoreError, OSError) as error:  # pages that keep nothing work without a database
            logging.getLogger("quepu.server").error("started without a store: %s", error)
        housekeeping.start()
        if settings.prepare:
            registry.preparation.start()
        health.start()
        _look_at_routes(app)
        yield
        await health.close()
        await housekeeping.close()
        await reviews.close()
        await replay_logs.close()
        await workshop.close()
        await registry.close()
        await work.close()
        await database.close()

    app = FastAPI(
        lifespan=life,
        title="quepu 雀谱",
        version=quepu.__version__,
        description="Score, explain and keep Chinese mahjong. Refusals are one sentence: {valid: false, error, at}.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the usual pages load scripts from another host
        redoc_url=None,
        middleware=[
            Middleware(SafeHeaders),
            Middleware(Requests, health=health, port=settings.metrics_port, token=settings.metrics_token),
            Middleware(AllowedHost, names=settings.public_names),
            Middleware(RateLimit, rate=settings.rate, burst=settings.burst),
            Middleware(GZipMiddleware, minimum_size=800),
            Middleware(Pages),
            Middleware(BodyLimit, limits=settings, larger={"/api/replays": 2 * settings.log}),
        ],
    )
    app.state.settings = settings
    app.state.database = database
    app.state.rooms = registry
    app.state.housekeeping = housekeeping
    app.state.sockets = Sockets(settings)
    app.state.connections = None  # `serve_here` counts them; a test has none
    app.state.accounts = Accounts(database)
    # passwords tried: for a name from an address, from an address, for a name
    app.state.tries = (RateLimit(app, 1 / 30, 8), RateLimit(app, 1 / 3, 30), RateLimit(app, 1 / 30, 100))
    app.state.owned = BelongingsStore(database)
    # codes tried: from an address, and by everybody together
    app.state.code_tries = (RateLimit(app, 1 / 30, 8), RateLimit(app, 1, 300))
    app.state.work = work
    app.state.workshop = workshop
    app.state.storing = storing
    app.state.practice = PracticeStore(database)
    app.state.desk_rooms = Few(1 << 20)
    app.state.tables = tables_api.Tables(Logs(database), TableResults(database), work, settings)
    app.state.replays = replays
    app.state.reviews = reviews
    app.state.health = health
    install(app, (StoreError, OperationalError, InterfaceError))
    app.add_api_websocket_route("/api/rooms/{id}/ws", play, dependencies=[Depends(pays)])  # found first
    app.router.routes.extend(_API.routes)
    app.add_api_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
    return app


def _look_at_routes(app: FastAPI) -> None:
    """Look at every route once: the first look at one takes some 5 ms, which no request should wait for."""
    for kind in ("http", "websocket"):
        for route in app.routes:
            route.matches({"type": kind, "method": "GET", "path": "/api", "headers": [], "app": app})
