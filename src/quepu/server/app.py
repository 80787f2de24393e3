"""The application: routes, guards and pages put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, Depends, FastAPI
from sqlalchemy.exc import InterfaceError, OperationalError
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import quepu
from quepu import rulebooks
from quepu.folders import data_folder
from quepu.server import belongings, payments
from quepu.server.accounts import api as account_api
from quepu.server.accounts.visitor import pays
from quepu.server.books import api as books_api
from quepu.server.budget import Measured, Storing
from quepu.server.desks import api as desks_api
from quepu.server.hands import api as hands_api
from quepu.server.housekeeping import Housekeeping
from quepu.server.http.guard import AllowedHost, BodyLimit, RateLimit, SafeHeaders
from quepu.server.http.pages import Pages, page
from quepu.server.http.responses import install
from quepu.server.limits import Limits
from quepu.server.lru_cache import LRUCache
from quepu.server.operations import log_output
from quepu.server.operations.health import Health
from quepu.server.operations.metrics import WORK_SECONDS
from quepu.server.operations.requests import Requests
from quepu.server.players import api as players_api
from quepu.server.players import friends_api, ladder_api, roster_api, season_api, stats_api
from quepu.server.players.friends import FriendStore
from quepu.server.practice import api as practice_api
from quepu.server.previews import api as previews_api
from quepu.server.replays import api as replays_api
from quepu.server.replays import asking_api, explorer_api, nets_api, review_api
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.reviews import Reviews
from quepu.server.rooms import api as rooms_api
from quepu.server.rooms import discard_values
from quepu.server.rooms.guests import Guests
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
"""Every route but the socket of a room, built once for all applications of a process."""
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
    season_api,
    ladder_api,
    friends_api,
    desks_api,
    rooms_api,
    discard_values,
    replays_api,
    review_api,
    asking_api,
    nets_api,
    explorer_api,
    previews_api,
    account_api,
    belongings,
    workshop_api,
):
    _API.include_router(_part.routes, dependencies=[Depends(pays)])


@dataclass(frozen=True)
class Settings(Limits):
    """The settings of a server: how it is run, and its limits."""

    data: Path = field(default_factory=data_folder)
    database: str | None = None
    """A database URL; None: SQLite in `data`."""
    sync: bool = False
    """On SQLite, reply only once data is on disk: safe against power cuts, but a slow disk stalls play."""
    prepare: bool = True
    """Whether tables of played books, for hints and strong bots, are built while the machine is idle."""
    workers: int = 1
    """Number of processes in which bots think."""
    guests: Mapping[str, str] = field(default_factory=dict)
    """Programs that may sit in rooms, by name: `exec:COMMAND` or `botzone:COMMAND`. Visitors can only choose a name."""
    explorer: Path | None = None
    """The folder of stored discards that pages may ask; None: there is none."""
    public_names: tuple[str, ...] = ()
    """Public host names of this server; none: it runs at home."""
    proxies: tuple[str, ...] = ()
    """Addresses (or networks) of trusted proxies that report client addresses."""
    metrics_host: str = "127.0.0.1"
    """The address of the metrics listener."""
    metrics_port: int = 0
    """The port on which anyone can read `/metrics` (with `/healthz` and `/readyz`); 0: none."""
    log_format: log_output.Format = "text"
    """Format of the log on standard error: lines for people, or JSON, which also has a line per request."""
    metrics_token: str = ""
    """A bearer token that gives access to `/metrics` on any port; "": no access."""

    @property
    def sqlite(self) -> bool:
        """Whether it stores in SQLite, which only one server can use."""
        return self.database is None or self.database.startswith("sqlite")


_WARM_AFTER = 10.0
"""Seconds until the process for questions begins: its imports take seconds, which no question should wait for."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Build the application; nothing is opened before startup."""
    settings = settings or Settings()
    database = Database(settings.data, settings.database, sync=settings.sync)
    allowed = Allowed(settings.work_cpu, settings.work_wall, settings.work_memory)
    time_used = Measured(settings.work_rate, settings.work_burst, WORK_SECONDS.observe)
    work = Pool(
        allowed, each=settings.work_each, most=settings.work_most, budget=time_used, begin=rulebooks.book_ids
    )  # installed books are found before any work that is charged
    asking = Pool(
        Allowed(settings.hint_cpu, settings.hint_wall, settings.hint_memory),
        each=settings.work_each, most=settings.work_most, budget=time_used, begin=asking_api.begin, nice=10,
    )  # fmt: skip
    exploring = Pool(explorer_api.ALLOWED, each=settings.work_each, most=settings.work_most, budget=time_used, nice=10)
    storing = Storing(settings)
    registry = RoomRegistry(database, work, settings, storing, settings.workers, Guests(settings.guests))
    replay_logs, replay_rows = Logs(database), Replays(database)
    replays = ReplayRepository(replay_logs, replay_rows, work, settings)
    reviews = Reviews(replays, replay_rows, settings, registry.building)
    registry.on_near_end = reviews.prepare
    housekeeping = Housekeeping(database, registry, settings)
    health = Health(database)
    workshop = workshop_api.Workshop(settings, registry.building)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = settings.threads  # more threads would hold up the event loop
        try:
            await registry.wake()
            await reviews.wake()
        except (StoreError, OSError) as error:  # pages that store nothing work without a database
            logging.getLogger("quepu.server").error("started without a store: %s", error)
        housekeeping.start()
        warming = None
        if settings.prepare:
            registry.preparation.start()
            warming = asyncio.get_running_loop().call_later(_WARM_AFTER, asking.begin)
        health.start()
        _look_at_routes(app)
        yield
        if warming is not None:
            warming.cancel()
        await health.close()
        await housekeeping.close()
        await reviews.close()
        await replay_logs.close()
        await workshop.close()
        await asking.close()
        await exploring.close()
        await registry.close()
        await work.close()
        await database.close()

    app = FastAPI(
        lifespan=life,
        title="quepu 雀谱",
        version=quepu.__version__,
        description="Score, explain and keep Chinese mahjong. Refusals are one sentence: {valid: false, error, at}.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the standard pages load scripts from another host
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
    app.state.connections = None  # `serve_here` counts them; tests do not
    app.state.accounts = Accounts(database)
    # ---- password attempts: per name and address, per address, per name
    app.state.tries = (RateLimit(app, 1 / 30, 8), RateLimit(app, 1 / 3, 30), RateLimit(app, 1 / 30, 100))
    app.state.owned = BelongingsStore(database)
    # ---- code attempts: per address, and in total
    app.state.code_tries = (RateLimit(app, 1 / 30, 8), RateLimit(app, 1, 300))
    app.state.work = work
    app.state.asking = asking
    app.state.exploring = exploring
    app.state.workshop = workshop
    app.state.storing = storing
    app.state.practice = PracticeStore(database)
    app.state.desk_rooms = LRUCache(1 << 20)
    app.state.tables = tables_api.Tables(Logs(database), TableResults(database), work, settings)
    app.state.replays = replays
    app.state.reviews = reviews
    app.state.ladders = ladder_api.Ladders(replays, replay_rows, work)
    app.state.friends = FriendStore(Logs(database), registry.announce)
    registry.on_news = app.state.friends.hear
    app.state.previews = previews_api.Previews(replays, work)
    housekeeping.caches += [*replays.caches, app.state.previews.pictures, app.state.tables.views, app.state.desk_rooms]
    app.state.health = health
    install(app, (StoreError, OperationalError, InterfaceError))
    app.add_api_websocket_route("/api/rooms/{id}/ws", play, dependencies=[Depends(pays)])  # matched first
    app.router.routes.extend(_API.routes)
    app.add_api_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
    return app


def _look_at_routes(app: FastAPI) -> None:
    """Match every route once: the first match of a route takes about 5 ms, which would delay a request."""
    for kind in ("http", "websocket"):
        for route in app.routes:
            route.matches({"type": kind, "method": "GET", "path": "/api", "headers": [], "app": app})
