"""The processes that work for the routes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from quepu.server.work.pool import Pool


def _work(request: Request) -> Pool:
    work: Pool = request.app.state.work
    return work


Work = Annotated[Pool, Depends(_work)]
