"""Run the server on one address and open the page."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import segno
import uvicorn

from quepu.errors import Error, Text
from quepu.server.app import Settings, create_app
from quepu.server.http.connections import Connections, raise_descriptors
from quepu.server.http.memory import collect_by_the_clock, give_back_what_is_freed
from quepu.server.live import Followers
from quepu.server.operations import log_output
from quepu.server.store.backup import in_use
from quepu.server.store.database import Database


class CannotListen(Error):
    """The address is taken or forbidden."""


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 8000, *, browser: bool = True) -> None:
    """Serve until interrupted.

    Port 0 means any free port.

    Raises:
        CannotListen: the address is taken or forbidden.
        FolderInUse: another server uses the folder of an SQLite database.
        StoreError: the store does not respond, or was written by a newer version.
    """
    os.umask(0o077)  # stored data is private: walls of running hands, password hashes
    give_back_what_is_freed()
    log_output.install(settings.log_format)
    with in_use(settings.data, alone=settings.sqlite):
        asyncio.run(try_store(settings))  # fail before accepting connections if the store cannot be opened
        _serve_there(settings, host, port, browser=browser)


async def try_store(settings: Settings) -> None:
    """Open the store, migrate it, and close it again.

    Raises:
        StoreError: the store cannot be opened.
    """
    database = Database(settings.data, settings.database)
    try:
        await database.open()
    finally:
        await database.close()


def _serve_there(settings: Settings, host: str, port: int, *, browser: bool) -> None:
    listening = [listen(host, port)]
    if settings.metrics_port:
        listening.append(listen(settings.metrics_host, settings.metrics_port))
    port = listening[0].getsockname()[1]
    address = write_address("127.0.0.1" if host in ANY else host, port)
    print(f"雀谱 quepu: {address}", flush=True)  # noqa: T201  # the one line a user needs
    _show_ways(host, port)
    if browser:
        opener = threading.Timer(0.6, webbrowser.open, (address,))
        opener.daemon = True
        opener.start()
    connections = Connections(settings, raise_descriptors(), settings.proxies)
    app = create_app(settings)
    app.state.connections = connections
    config = uvicorn.Config(
        app,
        http=connections.protocol(),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=65_536,  # longer messages end the connection; rooms only need far shorter ones
        timeout_graceful_shutdown=3,
    )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(_Server(config, app.state.tables.followers), listening))


def _show_ways(host: str, port: int) -> None:
    """Print addresses for phones in the same network, the first also as a QR code in a terminal."""
    ways = [write_address(one, port) for one in addresses(host)]
    if not ways:
        return
    zh, en = "同一网络里的手机打开", "phones in the same network open"
    print(f"{Text(zh, en)}: {'  '.join(ways)}", flush=True)  # noqa: T201  # beside the line above
    if sys.stdout.isatty():
        print(qr_code(ways[0]), flush=True)  # noqa: T201


class _Server(uvicorn.Server):
    """A server whose event streams end at shutdown: they are the only responses that would not."""

    def __init__(self, config: uvicorn.Config, followers: Followers) -> None:
        super().__init__(config)
        self._followers = followers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, wait for responses in progress, close the application."""
        self._followers.close()
        await super().shutdown(sockets)


async def _serve(server: uvicorn.Server, listening: list[socket.socket]) -> None:
    collecting = asyncio.create_task(collect_by_the_clock())
    try:
        await server.serve(listening)
    finally:
        collecting.cancel()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return an event loop in C, if available; otherwise None for Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        CannotListen: the address is taken or forbidden.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except (OSError, OverflowError, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise CannotListen(
            f"不能在 {host} 的 {port} 端口上监听：{why}。可用 --port 换一个端口。",
            f"cannot listen on {host} port {port}: {why}. Choose another with --port.",
        ) from None
    listening.listen(128)
    return listening


ANY = ("0.0.0.0", "::", "")  # noqa: S104  # only compared
LOCAL = ("127.", "::1", "localhost")


def addresses(host: str) -> list[str]:
    """List the addresses by which others can reach a server on `host`; none if it is local only."""
    if host.startswith(LOCAL) and host not in ANY:
        return []
    if host not in ANY:
        return [host]
    found = [way for way in (_towards(socket.AF_INET, "192.0.2.1"), *_list_addresses()) if way]
    return [one for one in dict.fromkeys(found) if not one.startswith(LOCAL)]


def _towards(family: socket.AddressFamily, other: str) -> str:
    """Return this machine's address towards another one, without sending anything."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((other, 9))
            return str(way.getsockname()[0])
    except OSError:
        return ""


def _list_addresses() -> list[str]:
    """Return the addresses that this machine's own name resolves to."""
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        return []


def write_address(host: str, port: int) -> str:
    """Return an address as a browser takes it."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def qr_code(address: str) -> str:
    """Return the address as a QR code for a terminal, two rows per line."""
    out = io.StringIO()
    segno.make_qr(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
