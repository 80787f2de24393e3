"""`quepu serve`: the web pages and the REST API on this machine."""

from __future__ import annotations

import click

from quepu.cli import options
from quepu.cli.texts import say


@options.command(
    "serve",
    options.text("--host", help="opt.host", metavar="HOST", default="127.0.0.1"),
    click.Option(
        ["--port"], type=click.IntRange(0, 65535), default=8000, help=say("opt.port") + say("default", value="8000")
    ),
    options.text("--data", help="opt.data", metavar="DIR"),
    options.text("--database", help="opt.database", metavar="URL"),
    options.flag("--no-browser", help="opt.no_browser"),
)
def command(host: str, port: int, data: str, database: str, no_browser: bool) -> int:
    """Serve."""
    from pathlib import Path

    from quepu.folders import data_folder
    from quepu.server.app import Settings
    from quepu.server.run import serve

    folder = Path(data).expanduser() if data else data_folder()
    serve(Settings(data=folder, database=database or None), host, port, browser=not no_browser)
    return 0
