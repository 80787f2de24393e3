"""`quepu serve`: the web pages and the REST API on this machine."""

from __future__ import annotations

from quepu.cli import options


@options.command(
    "serve",
    options.text("--host", help="opt.host", metavar="HOST", default="127.0.0.1"),
    options.number("--port", help="opt.port", default=8000, least=0, most=65535),
    options.text("--data", help="opt.data", metavar="DIR"),
    options.text("--database", help="opt.database", metavar="URL"),
    options.flag("--sync", help="opt.sync"),
    options.text("--public-name", help="opt.public_name", metavar="NAME", many=True),
    options.text("--behind-proxy", help="opt.behind_proxy", metavar="ADDRESS", many=True),
    options.text("--limit", help="opt.limit", metavar="NAME=NUMBER", many=True),
    options.flag("--no-browser", help="opt.no_browser"),
)
def command(
    host: str,
    port: int,
    data: str,
    database: str,
    sync: bool,
    public_name: tuple[str, ...],
    behind_proxy: tuple[str, ...],
    limit: tuple[str, ...],
    no_browser: bool,
) -> int:
    """Serve."""
    from pathlib import Path

    from quepu.folders import data_folder
    from quepu.server.app import Settings
    from quepu.server.http.run import serve
    from quepu.server.limits import given

    folder = Path(data).expanduser() if data else data_folder()
    settings = Settings(
        **given(limit),
        data=folder,
        database=database or None,
        sync=sync,
        public_names=public_name,
        proxies=behind_proxy,
    )
    serve(settings, host, port, browser=not no_browser)
    return 0
