"""The built client: files with a hash in their name are kept by browsers for good, the page itself is asked anew."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from quepu.errors import Text
from quepu.server.http.responses import language_of, refuse

STATIC = Path(__file__).parents[1] / "static"
_LONGEST = 200
_IMMUTABLE = "public, max-age=31536000, immutable"

_ABSENT = """<!doctype html><html lang="zh-Hans"><meta charset="utf-8"><title>雀谱</title>
<h1>雀谱</h1><p>服务器已经运行，但没有装网页客户端（安装时设了 QUEPU_WEB=skip，或从源码目录运行而没有构建）。
在源码目录运行 <code>pip install .</code> 即可构建；接口
<a href="/api/openapi.json">/api/openapi.json</a> 照常可用。</p>
<p lang="en">The server runs, but the web client was not built (QUEPU_WEB=skip, or run from a source tree).
<code>pip install .</code> in the source tree builds it; the API works as it is.</p></html>"""


def page(request: Request) -> Response:
    """A file of the client, or its one page for any other address: the client reads the address itself."""
    path = request.url.path
    if path.startswith("/api/"):
        return refuse(Text("没有这个地址。", "there is nothing at this address.").say(language_of(request)), 404)
    static = STATIC.resolve()
    file = static
    if "\0" not in path and len(path) < _LONGEST:  # what is longer names no file anywhere
        file = (static / path.lstrip("/")).resolve()
    if file.is_relative_to(static) and file.is_file() and file.name != "index.html":
        hashed = path.startswith("/assets/")
        return FileResponse(file, headers={"cache-control": _IMMUTABLE if hashed else "no-cache"})
    if path.startswith("/assets/") or "." in path.rsplit("/", 1)[-1]:
        return HTMLResponse("404", status_code=404)
    index = static / "index.html"
    if not index.is_file():
        return HTMLResponse(_ABSENT, status_code=404)
    return FileResponse(index, headers={"cache-control": "no-cache"})
