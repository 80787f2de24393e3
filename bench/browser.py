"""Pages in a real browser: what a phone fetches on a slow line until it can be used, and a start without a network.

A phone of 390 × 664 pixels whose processor is four times slower (as Lighthouse has it), a new profile for each page.
The slow line has 400 kbit/s and 400 ms. Times are read off the page's own clock.
"""

from __future__ import annotations

import functools
import http.server
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from rows import Row

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.browser import browser_path

from quepu.server.app import Settings, create_app
from quepu.server.http.pages import STATIC

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "is_mobile": True,
    "has_touch": True,
    "locale": "zh-CN",
}
SLOWER = 4
LINE = {"offline": False, "latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}
PAGES = {
    "first page": ("/", "main h1"),
    "calculator": ("/calculator", ".keys button:enabled, [role=grid] button:enabled, .grid button:enabled"),
    "rulebook": ("/rulebooks", "main a[data-fan]"),
    "scorekeeper": ("/scorekeeper", "main form input:enabled"),
    "play": ("/play", "main form button.main:enabled"),
    "practice": ("/practice", "main button:enabled"),
}
"""The address of each page, and what is there once it can be used."""
HAND, POINTS = "/calculator?h=123456789m1p(234p)%2B1p&rules=lingque-29", "30 点"
WATCH = """
window.blocked = 0;
new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.blocked += task.duration - 50;
}).observe({type: 'longtask', buffered: true});
const look = () => (window.usable = IS_THERE ? performance.now() : requestAnimationFrame(look) && 0);
requestAnimationFrame(look);
"""
USABLE = """new Promise((then, late) => {
    setInterval(() => window.usable && then(), 20);
    setTimeout(() => late(new Error('not usable after five minutes')), 300_000);
})"""


class _Files(http.server.SimpleHTTPRequestHandler):
    """A host that has files and knows nothing else."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        """Nothing."""

    def handle(self) -> None:
        """A browser that closes a connection is no news."""
        try:
            super().handle()
        except OSError:
            self.close_connection = True


@contextmanager
def _served() -> Iterator[str]:
    """A server with an empty store; its address."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder), rate=1e6, burst=10**6, prepare=False))
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", access_log=False))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.02)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()


def _fetched(browser: Browser, site: str, address: str, ready: str) -> tuple[int, float, float]:
    """Bytes that came over the line until a page could be used, seconds until then, and milliseconds it was blocked."""
    context = browser.new_context(**PHONE, service_workers="block")
    context.add_init_script(WATCH.replace("IS_THERE", f"document.querySelector({ready!r})"))
    page = context.new_page()
    line = context.new_cdp_session(page)
    size = 0

    def came(event: dict[str, Any]) -> None:
        nonlocal size
        size += int(event["encodedDataLength"])

    line.on("Network.loadingFinished", came)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(site + address, wait_until="commit", timeout=300_000)
    page.evaluate(USABLE)
    usable, blocked = page.evaluate("[window.usable, window.blocked]")
    context.close()
    return size, usable / 1000, blocked


def _started(context: BrowserContext, address: str) -> tuple[float, float]:
    """Seconds of a cold start without a network until keys can be pressed, and until the first score."""
    page = context.new_page()
    page.add_init_script(WATCH.replace("IS_THERE", f"document.body?.innerText.includes({POINTS!r})"))
    page.add_init_script(
        "const keys = () => document.querySelector('main button:enabled') ? (window.keys = performance.now())"
        " : requestAnimationFrame(keys); requestAnimationFrame(keys)"
    )
    page.goto(address, wait_until="commit")
    page.evaluate(USABLE)
    keys, score = page.evaluate("[window.keys, window.usable]")
    page.close()
    return keys / 1000, score / 1000


def _installed(page: Page) -> None:
    """Wait until the browser has all files."""
    page.evaluate("""async () => {
        const later = () => new Promise((then) => setTimeout(then, 100));
        const bundle = await (await fetch('/device/bundle.json')).json();
        for (const name of Object.keys(bundle.files)) {
            await (await fetch('/device/' + name)).arrayBuffer();
            while (!(await caches.match('/device/' + name))) await later();
        }
    }""")


def _recorded(page: Page) -> None:
    """Wait until the browser has the snapshot from which the next visit starts."""
    page.evaluate("""async () => {
        const later = () => new Promise((then) => setTimeout(then, 100));
        const there = async () => (await (await caches.open('device')).keys()).some((one) => /snapshot/.test(one.url));
        while (!(await there())) await later();
    }""")


def measure() -> Iterator[Row]:
    """Rows of each page on the slow line, then of starts without a network."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        with _served() as site:
            for name, (address, ready) in PAGES.items():
                size, usable, blocked = _fetched(browser, site, address, ready)
                yield Row(
                    f"{name}, 400 kbit/s: usable", f"{usable:.1f} s", f"{size / 1024:.0f} KiB, blocked {blocked:.0f} ms"
                )
                yield Row(f"{name}: fetched until then", f"{size / 1024:.0f} KiB")
                yield Row(f"{name}: main thread blocked until then", f"{blocked:.0f} ms")
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(STATIC)))
        threading.Thread(target=files.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{files.server_port}"
        context = browser.new_context(**PHONE)
        context.set_default_timeout(300_000)
        page = context.new_page()
        page.goto(site)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        _installed(page)
        context.set_offline(True)
        files.shutdown()
        keys, score = _started(context, site + HAND)
        yield Row("first start without a network: first score", f"{score:.1f} s", f"keys {keys:.1f} s")
        page.goto(site + HAND)
        page.get_by_text(POINTS).first.wait_for()
        _recorded(page)
        page.close()
        keys, score = map(median, zip(*(_started(context, site + HAND) for _ in range(5)), strict=True))
        yield Row("second start without a network: first score", f"{score:.1f} s", f"keys {keys:.1f} s; median of 5")
        browser.close()
