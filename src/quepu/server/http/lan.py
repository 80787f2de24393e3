"""Addresses by which other devices reach this machine in the local network, and one as a code for cameras."""

from __future__ import annotations

import io
import socket

import segno

ANY = ("0.0.0.0", "::", "")  # noqa: S104  # only compared
LOCAL = ("127.", "::1", "localhost")


def addresses(host: str) -> list[str]:
    """Under which addresses others may reach a server that listens on `host`; none if it is for this machine alone."""
    if host.startswith(LOCAL) and host not in ANY:
        return []
    if host not in ANY:
        return [host]
    found = [way for way in (_towards(socket.AF_INET, "192.0.2.1"), *_named()) if way]
    return [one for one in dict.fromkeys(found) if not one.startswith(LOCAL)]


def _towards(family: socket.AddressFamily, other: str) -> str:
    """The address that this machine has towards another; nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((other, 9))
            return str(way.getsockname()[0])
    except OSError:
        return ""


def _named() -> list[str]:
    """The addresses that this machine's own name stands for."""
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        return []


def written(host: str, port: int) -> str:
    """An address as a browser takes it."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def code(address: str) -> str:
    """The address as a QR code for a terminal, two rows in a line."""
    out = io.StringIO()
    segno.make_qr(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
