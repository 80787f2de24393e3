"""The addresses that a server in a local network shows to phones."""

import socket

import pytest

from quepu.server.http import run


def test_a_server_for_this_machine_alone_names_no_others():
    for host in ("127.0.0.1", "localhost", "::1"):
        assert run.addresses(host) == []


def test_an_address_of_its_own_is_the_one():
    assert run.addresses("192.0.2.7") == ["192.0.2.7"]
    assert run.write_address("192.0.2.7", 8000) == "http://192.0.2.7:8000/"
    assert run.write_address("fd00::7", 80) == "http://[fd00::7]:80/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_one_that_listens_everywhere_names_the_addresses_of_the_machine(host, monkeypatch):
    monkeypatch.setattr(run, "_towards", lambda family, other: "192.0.2.9")
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda *given: [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "192.0.2.9", "198.51.100.4")],
    )
    assert run.addresses(host) == ["192.0.2.9", "198.51.100.4"]


def test_without_any_network_there_is_none(monkeypatch):
    def fails(*given):
        raise OSError

    monkeypatch.setattr(socket, "socket", fails)
    monkeypatch.setattr(socket, "getaddrinfo", fails)
    assert run.addresses("0.0.0.0") == []


@pytest.mark.parametrize("terminal", [True, False])
def test_it_prints_them_and_a_code_for_cameras(terminal, monkeypatch, capsys):
    monkeypatch.setattr(run, "addresses", lambda host: ["192.0.2.9", "198.51.100.4"])
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    run._show_ways("0.0.0.0", 8123)
    out = capsys.readouterr().out
    assert "http://192.0.2.9:8123/  http://198.51.100.4:8123/" in out
    rows = [line for line in out.splitlines() if "▀" in line or "▄" in line or "█" in line]
    assert len(rows) > 10 if terminal else not rows
