"""Club nights over HTTP. A club night is nothing of its own: it is the tables of somebody that carry its name."""

from __future__ import annotations

import random
import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool

from quepu.server.club import formula, lines, seated
from quepu.server.keeping import Kept, fold
from quepu.server.messages import Refused, Who
from quepu.server.speaking import Plain
from quepu.server.store import Logs
from quepu.server.table_messages import ClubName, ClubView, NextRound, TableSpec
from quepu.server.tables_api import KIND, Store, head_shape, read_log, records_of

routes = APIRouter(prefix="/api/clubs", tags=["tables"], responses={400: {"model": Refused}, 422: {"model": Refused}})
By = Literal["total", "reduced"]


async def _tables(store: Logs, who: str, club: str) -> list[tuple[dict[str, Any], Kept]]:
    found = []
    for head in await store.list(KIND, who, most=1000):
        spec, records, _ = records_of((await read_log(store, head.id))[1])
        if spec.club == club:
            kept = await run_in_threadpool(fold, spec, records)
            found.append((head_shape(head, kept), kept))
    return found


async def _shown(store: Logs, who: str, club: str, by: By) -> dict[str, Any]:
    tables = await _tables(store, who, club)
    kept = [one for _, one in tables]
    alpha, scale = formula(kept)
    results = lines(kept, alpha, scale)

    def worth(line: Any) -> float:
        return float(line.total if by == "total" else round(line.reduced, 9))

    numbers = sorted({one.spec.club_round for one in kept})
    return {
        "name": club,
        "rounds": [
            {"number": n, "tables": sorted((h for h, k in tables if k.spec.club_round == n), key=lambda h: h["title"])}
            for n in numbers
        ],
        "standings": [
            {"rank": 1 + sum(worth(other) > worth(line) for other in results), **line._asdict()}
            for line in sorted(results, key=lambda line: (-worth(line), line.name))
        ],
        "by": by,
        "alpha": alpha,
        "scale": scale,
    }


@routes.get("/{club}", response_model=ClubView)
async def club(club: ClubName, who: Annotated[Who, Query()], store: Store, by: By = "total") -> Plain:
    """The rounds and standings of a club night."""
    return Plain(await _shown(store, who, club, by))


@routes.post("/{club}/rounds", response_model=ClubView, status_code=201)
async def next_round(club: ClubName, asked: NextRound, store: Store) -> Plain:
    """Seat the next round and open its tables."""
    tables = await _tables(store, asked.who, club)
    kept = [one for _, one in tables]
    results = sorted(lines(kept, *formula(kept)), key=lambda line: -line.total)
    names = [name.strip() for name in asked.names]
    rng = random.Random(secrets.randbits(64))  # a draw among friends, not a secret
    ranked = [line.name for line in results] if asked.by == "standings" else []
    drawn = seated(names, [one.match.names for one in kept], rng, ranked)
    number = max((one.spec.club_round for one in kept), default=0) + 1
    specs = [
        TableSpec(
            title=f"{club} {number}-{i + 1}",
            rules=asked.rules,
            house=asked.house,
            names=four,
            rounds=asked.rounds,
            club=club,
            club_round=number,
        )
        for i, four in enumerate(drawn)
    ]
    for spec in specs:
        await run_in_threadpool(fold, spec, [])  # refuses what cannot be, before the first is opened
    for spec in specs:
        await store.create(KIND, asked.who, spec.title, {"spec": spec.model_dump()})
    answer = Plain(await _shown(store, asked.who, club, "total"))
    answer.status_code = 201
    return answer
