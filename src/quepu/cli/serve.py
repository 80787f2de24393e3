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
    options.flag("--no-browser", help="opt.no_browser"),
)
def command(host: str, port: int, data: str, database: str, sync: bool, no_browser: bool) -> int:
    """Serve."""
    from pathlib import Path

    from quepu.folders import data_folder
    from quepu.server.app import Settings
    from quepu.server.run import serve

    folder = Path(data).expanduser() if data else data_folder()
    serve(Settings(data=folder, database=database or None, sync=sync), host, port, browser=not no_browser)
    return 0
