"""Previews over HTTP: tags for the head of a page, pictures, and embeds in other sites."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from html import escape
from typing import Final

from fastapi import APIRouter, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from quepu.errors import Error, Text
from quepu.server.budget import Asker
from quepu.server.http.responses import HEADERS, Lang, Refusal, language_of, refusals
from quepu.server.lru_cache import LRUCache, SharedWork
from quepu.server.previews.pictures import HEIGHT, WIDTH, Shown, draw
from quepu.server.previews.subjects import (
    Subject,
    describe,
    describe_match,
    describe_moment,
    describe_quickly,
    find_subject,
)
from quepu.server.replays.repository import Opened, ReplayRepository
from quepu.server.replays.review_worker import Source, summarize_log
from quepu.server.store.values import StoreError
from quepu.server.work.pool import Pool

EMBED = "/embed"
"""The beginning of the address of an embed; the page's own address follows."""
_PICTURES = "/api/previews"
_PICTURE_BYTES, _WORDS = 8 << 20, 500
_DAY = "public, max-age=86400"
_UNREAD = (Error, Refusal, StoreError, SQLAlchemyError, OSError, ValueError, KeyError, IndexError)
"""Why a page has no preview: nothing is there, a log has no book, the store is away. The page itself opens."""
_STYLE: Final = "html,body{margin:0;background:#f6f4ee}img{display:block;width:100%;height:auto}"
_EMBED_POLICY: Final = "; ".join((
    "default-src 'none'", "img-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors *",
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'",
))  # fmt: skip
"""The content policy of embeds: any site may frame them, and they run no scripts."""

routes = APIRouter(prefix=_PICTURES, tags=["previews"], responses=refusals(400, 404, 409, 429))


class Previews:
    """Makes previews, and keeps the most recent ones."""

    def __init__(self, replays: ReplayRepository, work: Pool) -> None:
        self._replays = replays
        self._work = work
        self._shared = SharedWork()
        self._described = LRUCache(_WORDS)
        self.pictures = LRUCache(_PICTURE_BYTES)

    async def picture(self, subject: Subject, lang: str, asker: str) -> bytes:
        """Return the picture of a subject as PNG.

        Raises:
            Error: its hand or book does not exist.
            Refusal: its replay does not exist, or the asker has used up their computing time.
        """
        opened = await self._open(subject)  # what is kept of a deleted replay is not shown
        found: bytes | None = self.pictures.get((subject, lang))
        if found is None:
            found = await self._shared.run((subject, lang), lambda: self._draw(subject, opened, lang, asker))
            self.pictures.put((subject, lang), found, len(found))
        return found

    async def _open(self, subject: Subject) -> Opened | None:
        return await self._replays.open(subject.replay) if subject.replay else None

    async def _draw(self, subject: Subject, opened: Opened | None, lang: str, asker: str) -> bytes:
        if opened is None:
            return await self._work.run(asker, draw_subject, subject, lang)
        return await self._work.run(asker, draw_moment, subject, opened.source, opened.title, lang)

    async def describe(self, subject: Subject, lang: str) -> Shown | None:
        """Describe a subject in words; None if there is no such hand, book or replay, or none that can be read."""
        try:
            opened = await self._open(subject)
            found: Shown | None = self._described.get((subject, lang))
            if found is not None:
                return found
            if opened is not None:
                row = (await asyncio.to_thread(summarize_log, opened.source, opened.kind, opened.title))[0]
                found = describe_match(opened.title, row, lang)
            else:
                found = await run_in_threadpool(describe_quickly, subject, lang)
        except _UNREAD:
            return None
        return self._described.put((subject, lang), found)

    async def tags(self, request: Request) -> tuple[Shown, str] | None:
        """Return the title and description of the page of a request, with its tags for chat apps; None: as usual."""
        subject = find_subject(request.url.path, request.query_params)
        shown = None if subject is None else await self.describe(subject, language_of(request))
        return None if subject is None or shown is None else (shown, _write_tags(request, subject, shown))

    async def embed(self, request: Request) -> Response:
        """Return a small page with the picture of a hand, puzzle or replay moment, which any site may frame."""
        lang = language_of(request)
        subject = find_subject(request.url.path.removeprefix(EMBED), request.query_params)
        shown = None if subject is None else await self.describe(subject, lang)
        headers = {key: value for key, value in HEADERS.items() if key != "cross-origin-opener-policy"}
        headers |= {"content-security-policy": _EMBED_POLICY, "cache-control": "no-cache"}
        if subject is None or shown is None:
            sentence = Text("这里没有可嵌入的内容。", "There is nothing to embed at this address.").say(lang)
            return HTMLResponse(_write_page(lang, sentence, escape(sentence)), 404, headers)
        alt = escape(f"{shown.title} · {shown.description}")
        body = (
            f'<a href="{escape(subject.address)}" target="_blank" rel="noopener">'
            f'<img src="{escape(_picture_address(subject, lang))}" width="{WIDTH}" height="{HEIGHT}" alt="{alt}"></a>'
        )
        return HTMLResponse(_write_page(lang, shown.title, body), headers=headers)


def draw_subject(subject: Subject, lang: str) -> bytes:
    """Draw a hand or a puzzle."""
    return draw(describe(subject, lang))


def draw_moment(subject: Subject, source: Source, title: str, lang: str) -> bytes:
    """Draw a moment of a replay."""
    return draw(describe_moment(subject, source, title, lang))


def _write_tags(request: Request, subject: Subject, shown: Shown) -> str:
    site, lang = str(request.base_url).rstrip("/"), language_of(request)
    tags = {
        "og:type": "website", "og:site_name": Text("雀谱", "quepu").say(lang), "og:title": shown.title,
        "og:description": shown.description, "og:url": site + subject.address,
        "og:image": site + _picture_address(subject, lang), "og:image:type": "image/png",
        "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT), "og:image:alt": shown.description,
    }  # fmt: skip
    lines = [f'<meta property="{key}" content="{escape(value)}" />' for key, value in tags.items()]
    return "\n    ".join((*lines, '<meta name="twitter:card" content="summary_large_image" />'))


def _picture_address(subject: Subject, lang: str) -> str:
    joined = "&" if subject.query else "?"
    return f"{_PICTURES}{subject.address}{joined}lang={lang}"


def _write_page(lang: str, title: str, body: str) -> str:
    code = "en" if lang == "en" else "zh-Hans"
    return (
        f'<!doctype html><html lang="{code}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>"
    )


@routes.get("/{path:path}", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def picture(path: str, request: Request, asker: Asker, lang: Lang) -> Response:
    """Return the picture of a page's address, as PNG: a hand of the calculator, a puzzle, a moment of a replay."""
    subject = find_subject(f"/{path}", request.query_params)
    if subject is None:
        raise Refusal(404, "这个地址没有图。", "there is no picture for this address.")
    previews: Previews = request.app.state.previews
    drawn = await previews.picture(subject, lang, asker)
    lasts = subject.get("day") == request.query_params.get("day", "")  # an address without a day shows today's puzzle
    headers = {"cache-control": _DAY if lasts else "no-cache", "vary": "accept-language"}
    return Response(drawn, media_type="image/png", headers=headers)
