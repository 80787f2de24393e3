"""`quepu serve`: the web pages and the REST API on this machine."""

from __future__ import annotations

from typing import Any, Final

import click

from quepu.cli import parameters, screen
from quepu.errors import HandError

_TRY_AGAIN: Final = 75
"""Exit status if a database server does not respond, after sysexits.h: retrying may help."""


@parameters.command(
    "serve",
    parameters.text("--host", help="opt.host", metavar="HOST", default="127.0.0.1"),
    parameters.number("--port", help="opt.port", default=8000, least=0, most=65535),
    parameters.text("--data", help="opt.data", metavar="DIR"),
    parameters.text("--database", help="opt.database", metavar="URL"),
    parameters.flag("--sync", help="opt.sync"),
    parameters.text("--public-name", "public_names", help="opt.public_name", metavar="NAME", many=True),
    parameters.text("--behind-proxy", help="opt.behind_proxy", metavar="ADDRESS", many=True),
    parameters.text("--limit", "limits", help="opt.limit", metavar="NAME=NUMBER", many=True),
    parameters.text("--guest", "guests", help="opt.guest", metavar="NAME=COMMAND", many=True),
    parameters.text("--explorer", help="opt.explorer", metavar="DIR"),
    parameters.number("--metrics-port", help="opt.metrics_port", default=0, least=0, most=65535),
    parameters.text("--log", help="opt.log", metavar="text|json", default="text"),
    parameters.text("--config", help="opt.config", metavar="FILE"),
    parameters.flag("--check", help="opt.check"),
    parameters.flag("--no-browser", help="opt.no_browser"),
    needs_click=True,
)
def command(config: str, check: bool, no_browser: bool, **settings: Any) -> int:
    """Serve."""
    from quepu.server.limits import parse_limits
    from quepu.server.operations.configuration import load

    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    flags = {name: value for name, value in settings.items() if context.get_parameter_source(name) is not default}
    if "limits" in flags:
        flags["limits"] = parse_limits(flags["limits"])
    if "guests" in flags:
        flags["guests"] = dict(_guest(given) for given in flags["guests"])
    loaded = load(flags, config)
    if check:
        return _check(loaded)
    import logging

    from quepu.server.http.run import serve
    from quepu.server.operations import log_output
    from quepu.server.operations.start_check import exposure
    from quepu.server.store.database import StoreAway

    made = loaded.configuration
    log_output.install(made.log)
    for finding in exposure(loaded):
        logging.getLogger("quepu.server").warning("%s", finding.what)
    try:
        serve(made.settings(), made.host, made.port, browser=not no_browser)
    except StoreAway as away:
        screen.complain(away)
        return _TRY_AGAIN
    return 0


def _guest(given: str) -> tuple[str, str]:
    """Return the name and the command of a guest.

    Raises:
        HandError: it is not NAME=COMMAND.
    """
    name, equals, command = given.partition("=")
    if not equals:
        raise HandError(f"--guest 写成 名字=命令，不是 {given}。", f"--guest is NAME=COMMAND, not {given}.")
    return name.strip(), command.strip()


def _check(loaded: Any) -> int:
    """Print how a server would start: 0 if it would, else 1."""
    from quepu.cli.texts import say, spoken
    from quepu.server.operations.start_check import check

    found = check(loaded)
    for finding in found:
        print(say(f"check.{finding.level}") + spoken(finding.what))
    return int(any(finding.level == "bad" for finding in found))
