"""The examples of deploy/ before a real server: nginx and Caddy with certificates of a private authority."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import connect

from tests.loop import run
from tests.server.serving import Server

pytestmark = pytest.mark.slow

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "play.example.org"
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "rules": "lingque-29", "bots": ["", *["plain"] * 3]}


class Site(NamedTuple):
    """A server behind a proxy, as a browser reaches it."""

    server: Server
    http: int
    https: int
    trust: ssl.SSLContext

    def fetch(self, method: str, path: str, body: Any = None, host: str = NAME, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.https, timeout=30)
        plain = socket.create_connection(("127.0.0.1", self.https), timeout=30)
        connection.sock = self.trust.wrap_socket(plain, server_hostname=NAME)
        data = None if body is None else json.dumps(body)
        more = {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request(method, path, data, {"Host": host, "Content-Type": "application/json", **more})
        return connection.getresponse()


def free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def nginx(folder: Path, upstream: int, http: int, https: int) -> tuple[list[str], dict[str, str], Path]:
    """The command, its environment, and the certificate of the authority."""
    authority, key, request = folder / "ca.pem", folder / "key.pem", folder / "asked.csr"
    for words in (
        ["-x509", "-days", "2", "-subj", "/CN=private", "-keyout", folder / "ca.key", "-out", authority],
        ["-subj", f"/CN={NAME}", "-keyout", key, "-out", request],
    ):
        subprocess.run(
            ["openssl", "req", "-newkey", "rsa:2048", "-nodes", *map(str, words)], check=True, capture_output=True
        )
    (folder / "names").write_text(f"subjectAltName=DNS:{NAME}\n")
    signed = [
        "-CA",
        authority,
        "-CAkey",
        folder / "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        folder / "names",
    ]
    words = ["x509", "-req", "-in", request, *signed, "-out", folder / "chain.pem"]
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    for old, new in {
        "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{https} ssl http2;",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "/etc/ssl/quepu/fullchain.pem": str(folder / "chain.pem"),
        "/etc/ssl/quepu/privkey.pem": str(key),
    }.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "quepu.conf").write_text(text)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; user root;\n"
        f"events {{}}\nhttp {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n"
        f"include {folder}/quepu.conf; }}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], {}, authority


def caddy(folder: Path, upstream: int, http: int, https: int) -> tuple[list[str], dict[str, str], Path]:
    """The command, its environment, and the certificate of the authority."""
    options = f"{{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\thttp_port {http}\n\thttps_port {https}\n}}\n"
    (folder / "Caddyfile").write_text(options + (DEPLOY / "Caddyfile").read_text())
    given = {
        "PUBLIC_NAME": NAME,
        "UPSTREAM": f"127.0.0.1:{upstream}",
        "XDG_DATA_HOME": str(folder),
        "HOME": str(folder),
    }
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], given, root


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not shutil.which(request.param.__name__) or not shutil.which("openssl"):
        pytest.skip("not installed")
    folder = tmp_path_factory.mktemp("proxy")
    server = Server(folder / "data", "--public-name", NAME, "--behind-proxy", "127.0.0.1", "--log", "json")
    http, https = free(), free()
    command, environment, authority = request.param(
        folder, int(server.address.rsplit(":", 1)[1].strip("/")), http, https
    )
    with (folder / "proxy.log").open("w") as log:
        proxy = subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log)
    try:
        until = time.monotonic() + 60
        while True:
            try:
                made = Site(server, http, https, ssl.create_default_context(cafile=str(authority)))
                made.fetch("GET", "/healthz")
                break
            except OSError:
                assert proxy.poll() is None and time.monotonic() < until, (folder / "proxy.log").read_text()
                time.sleep(0.1)
        yield made
    finally:
        proxy.terminate()
        proxy.wait()
        server.kill()


def test_pages_over_tls(site: Site) -> None:
    answer = site.fetch("GET", "/api/books")
    assert (answer.status, answer.getheader("strict-transport-security")) == (200, "max-age=31536000")
    assert [site.fetch("GET", path).status for path in ("/metrics", "/readyz")] == [404, 404]
    strange = site.fetch("GET", "/", host="evil.example")
    assert strange.status in (404, 421) or not strange.read()  # Caddy answers nothing with 200
    plain = HTTPConnection("127.0.0.1", site.http, timeout=30)
    plain.request("GET", "/play", headers={"Host": NAME})
    redirected = plain.getresponse()
    assert redirected.status in (301, 308)
    assert (redirected.getheader("location") or "").startswith(f"https://{NAME}")


def test_accounts_and_the_addresses_of_visitors(site: Site) -> None:
    """A page of the site may log in; what a visitor writes into X-Forwarded-For is not believed."""
    body = {"name": "林清", "password": "correct horse 马"}
    origin = {"Origin": f"https://{NAME}", "X_Forwarded_For": "203.0.113.9", "X_Forwarded_Proto": "http"}
    answer = site.fetch("POST", "/api/account/register", body, **origin)
    assert answer.status == 200
    assert "secure" in (answer.getheader("set-cookie") or "").lower()
    number = answer.getheader("x-request-id")
    assert number is not None
    until, found = time.monotonic() + 10, list[str]()
    while not found and time.monotonic() < until:  # the line is written when the answer is over
        found = [line for line in Path(site.server._errors.name).read_text().splitlines() if number in line]
    line = json.loads(found[0])
    assert (line["route"], line["status"], line["from"]) == ("/api/account/register", 200, "loopback-4")


def test_a_table_is_played_through_it(site: Site) -> None:
    room = json.load(site.fetch("POST", "/api/rooms", ROOM))

    async def played() -> int:
        acted = 0
        address = f"wss://{NAME}:{site.https}/api/rooms/{room['room']}/ws"
        async with (
            asyncio.timeout(60),
            connect(
                address,
                host="127.0.0.1",
                port=site.https,
                ssl=site.trust,
                max_size=None,
                origin=f"https://{NAME}:{site.https}",
            ) as line,  # type: ignore[arg-type]
        ):
            await line.send(json.dumps({"token": room["token"]}))
            await line.send('{"ready":true}')
            while acted < 5:
                message = json.loads(await line.recv())
                options = (message.get("view") or {}).get("options")
                if options:
                    action = {key: value for key, value in options[-1].items() if key != "score"}
                    await line.send(json.dumps({"action": action, "n": message["n"]}))
                    acted += 1
                elif "over" in message:
                    await line.send('{"ready":true}')
        return acted

    assert run(played()) == 5
