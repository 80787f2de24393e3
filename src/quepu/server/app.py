"""The application: routes, guards and pages put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import quepu
from quepu.folders import data_folder
from quepu.server import (
    account_api,
    books_api,
    clubs_api,
    hands_api,
    pay_api,
    practice_api,
    replays_api,
    review_api,
    rooms_api,
    tables_api,
)
from quepu.server.guard import BodyLimit, RateLimit, SafeHeaders
from quepu.server.pages import page
from quepu.server.replay_messages import MOST_LOG
from quepu.server.replays import Shelf
from quepu.server.replays.reviewing import Reviews
from quepu.server.rooms import House
from quepu.server.rooms_socket import Sockets
from quepu.server.speaking import install
from quepu.server.store import Database
from quepu.server.store.accounts import Accounts
from quepu.server.store.database import StoreError


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    data: Path = field(default_factory=data_folder)
    database: str | None = None
    """A database address; None: SQLite in `data`."""
    sync: bool = False
    """On SQLite, answer only what is on the disk: a power cut costs nothing then, but a slow disk halts the play."""
    rate: float = 50
    """Requests a second that one address may keep up."""
    burst: int = 300
    sockets: int = 500
    """Sockets that one address may have open."""
    workers: int = 1
    """Processes in which bots think."""
    body: int = 256 * 1024
    """Bytes of the largest request."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; nothing is opened before it starts up."""
    settings = settings or Settings()
    database = Database(settings.data, settings.database, sync=settings.sync)
    house = House(database, settings.workers)
    shelf = Shelf(database)
    reviews = Reviews(shelf)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        try:
            await house.wake()
            await reviews.wake()
        except StoreError as error:  # pages that keep nothing work without a database
            logging.getLogger("uvicorn.error").warning("%s · %s", error.say("zh"), error.say("en"))
        yield
        await reviews.close()
        await shelf.close()
        await house.close()
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
            Middleware(RateLimit, rate=settings.rate, burst=settings.burst),
            Middleware(GZipMiddleware, minimum_size=800),
            Middleware(BodyLimit, most=settings.body, larger={"/api/replays": 2 * MOST_LOG}),
        ],
    )
    app.state.settings = settings
    app.state.database = database
    app.state.house = house
    app.state.sockets = Sockets(settings.sockets)
    app.state.accounts = Accounts(database)
    # passwords tried: for a name from an address, from an address, for a name
    app.state.tries = (RateLimit(app, 1 / 30, 8), RateLimit(app, 1 / 3, 30), RateLimit(app, 1 / 30, 100))
    app.state.shelf = shelf
    app.state.reviews = reviews
    install(app)
    for part in (
        hands_api,
        books_api,
        pay_api,
        practice_api,
        tables_api,
        clubs_api,
        rooms_api,
        replays_api,
        review_api,
        account_api,
    ):
        app.include_router(part.routes)
    app.add_api_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
    return app
