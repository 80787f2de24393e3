"""Serve the built client: hashed files are cached for good, the page itself is revalidated.

Every address has the same page, but the home page also names all files that it needs, so that browsers fetch them at
once.
"""

from __future__ import annotations

import json
import re
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from quepu.errors import Text
from quepu.server.http.responses import language_of, refuse

if TYPE_CHECKING:
    from quepu.server.previews.api import Previews

STATIC = (Path(__file__).parents[1] / "static").resolve()
_LONGEST = 200
_WHOLE_PAGE: dict[int, Client] = {}
"""The page by its modification time, so that a build while the server runs is served."""
_BROTLI = re.compile(r"(?:^|,)\s*br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))")
"""An Accept-Encoding that takes brotli, unless its weight is 0."""
_IMMUTABLE = "public, max-age=31536000, immutable"

_ABSENT = """<!doctype html><html lang="zh-Hans"><meta charset="utf-8"><title>雀谱</title>
<h1>雀谱</h1><p>服务器已经运行，但没有装网页客户端（安装时设了 QUEPU_WEB=skip，或从源码目录运行而没有构建）。
在源码目录运行 <code>pip install .</code> 即可构建；接口
<a href="/api/openapi.json">/api/openapi.json</a> 照常可用。</p>
<p lang="en">The server runs, but the web client was not built (QUEPU_WEB=skip, or run from a source tree).
<code>pip install .</code> in the source tree builds it; the API works as it is.</p></html>"""


class Client(NamedTuple):
    """The page, the home page, and the paths at which it shows something: folders have more below them."""

    page: bytes
    home: bytes
    pages: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def has(self, path: str) -> bool:
        """Return whether a path is a page; others get the same page with status 404, which reports it."""
        plain = path.rstrip("/") or "/"
        return plain in self.pages or "/" + plain.split("/")[1] in self.folders


async def page(request: Request) -> Response:
    """Return a file of the client, or its page for any other path: the client interprets the path."""
    path = request.url.path
    if path.startswith("/api/"):
        return refuse(Text("没有这个地址。", "this address does not exist.").say(language_of(request)), 404)
    if path.startswith("/assets/") or "." in path.rsplit("/", 1)[-1][:_LONGEST]:
        file = _file(path)
        if file is None and path.startswith(("/assets/", "/device/")):  # requested by a page, not by a person
            return HTMLResponse("404", status_code=404)
        if file is not None and file.name not in ("index.html", "404.html"):
            hashed = path.startswith(("/assets/", "/device/")) and file.name != "bundle.json"
            return _send(file, request, _IMMUTABLE if hashed else "no-cache")
    if path.startswith("/embed/"):
        return await _previews(request).embed(request)
    client = _client()
    if client is None:
        return HTMLResponse(_ABSENT, status_code=404)
    is_home = path in ("/", "/index.html")
    is_page = len(path) <= _LONGEST and (is_home or client.has(path))
    text = client.home if is_home else client.page
    whole = await _with_preview(text, request) if is_page else text
    return HTMLResponse(whole, 200 if is_page else 404, headers={"cache-control": "no-cache"})


def _send(file: Path, request: Request, cache: str) -> FileResponse:
    """Return a file, or its smaller copy from the build if the browser reads brotli."""
    headers = {"cache-control": cache}
    small = file.with_name(f"{file.name}.br")
    if _BROTLI.search(request.headers.get("accept-encoding", "")) and small.is_file():
        headers |= {"content-encoding": "br", "vary": "Accept-Encoding"}
        return FileResponse(small, headers=headers, media_type=guess_type(file.name)[0])
    return FileResponse(file, headers=headers)


def _previews(request: Request) -> Previews:
    found: Previews = request.app.state.previews
    return found


async def _with_preview(page: bytes, request: Request) -> bytes:
    """Return the page with the title, description and picture of what its address shows, for chat apps."""
    found = await _previews(request).tags(request)
    if found is None:
        return page
    shown, tags = found
    title = f"<title>{escape(shown.title)}</title>\n    {tags}"
    description = f'<meta name="description" content="{escape(shown.description)}" />'
    text = re.sub(r"<title>.*?</title>", lambda _: title, page.decode(), count=1, flags=re.DOTALL)
    return re.sub(r'<meta\s+name="description".*?/>', lambda _: description, text, count=1, flags=re.DOTALL).encode()


def _file(path: str) -> Path | None:
    """Return the client's file of this name; None if there is none."""
    if len(path) > _LONGEST or "\0" in path:
        return None
    file = (STATIC / path.lstrip("/")).resolve()
    return file if file.is_relative_to(STATIC) and file.is_file() else None


def _client() -> Client | None:
    """Return the page with its paths; None if the client was not built."""
    try:
        written = (STATIC / "index.html").stat().st_mtime_ns
        if written not in _WHOLE_PAGE:
            listed = json.loads((STATIC / "addresses.json").read_text("utf-8"))
            plain, home = ((STATIC / name).read_bytes() for name in ("404.html", "index.html"))
            _WHOLE_PAGE.clear()
            _WHOLE_PAGE[written] = Client(plain, home, frozenset(listed["pages"]), frozenset(listed["folders"]))
    except OSError:
        return None
    return _WHOLE_PAGE.get(written)


class Pages:
    """Serves pages before any API route is matched, since they are requested most often."""

    path = "/{path:path}"
    """The name of these requests in metrics and logs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not scope["path"].startswith("/api/"):
            scope["route"] = self
            response = await page(Request(scope))
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, send)
