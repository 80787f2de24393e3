"""Statistics over any set of logs, over HTTP. Nothing is stored: files are read in parts that are added up.

If possible, the browser computes this itself, and files never leave it.
"""

from __future__ import annotations

from fastapi import APIRouter

from quepu.server.budget import Asker
from quepu.server.http.responses import Plain, refusals
from quepu.server.players import working as work
from quepu.server.players.messages import AddUp, LogSetShape, ReadLogs, StatsView
from quepu.server.score_tables.api import TheTables

routes = APIRouter(prefix="/api/stats", tags=["tables"], responses=refusals(400, 413, 422))


@routes.post("/read", response_model=LogSetShape)
async def read(given: ReadLogs, tables: TheTables, asker: Asker) -> Plain:
    """Read files: logs of quepu, score tables, matches of other programs."""
    return Plain(await tables.pool.run(asker, work.read_files, given))


@routes.post("", response_model=StatsView)
async def add_up(given: AddUp, tables: TheTables, asker: Asker) -> Plain:
    """Add up sets of logs: the figures that `quepu stats` shows for a folder."""
    return Plain(await tables.pool.run(asker, work.add_up_sets, given))
