"""Use the pages in a real Chromium: a click at the table, and what a phone waits for on a slow line and without one."""

from __future__ import annotations

import functools
import http.server
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from run import Row
from server import MANY, part, serving
from tests.browser import browser_path

from quepu.server.http.pages import STATIC

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SIZES = {"desktop 1440 × 900": (1440, 900, False), "phone 390 × 664": (390, 664, True)}
PREFS = "localStorage.setItem('quepu', JSON.stringify({lang: 'zh', theme: 'light', once: true, sound: false}))"
CLICKS = """() => {
    window.clicks = [];
    const river = () => document.querySelectorAll('.zone.bottom .cell').length;
    addEventListener('click', (event) => {
        if (!event.target.closest?.('.own .hand button')) return;
        const before = river();
        const look = new MutationObserver(() => {
            if (river() <= before) return;
            look.disconnect();
            requestAnimationFrame(() => {
                const {port1, port2} = new MessageChannel();  // answers after the frame is made
                port1.onmessage = () => window.clicks.push((performance.now() - event.timeStamp) / 1000);
                port2.postMessage(0);
            });
        });
        look.observe(document.querySelector('.board'), {childList: true, subtree: true});
    }, true);
}"""
STATE = """() => ({
    over: !!document.querySelector('dialog[open]'), n: document.querySelector('main').dataset.n,
    acts: [...document.querySelectorAll('.acts .act')].map((act) => act.classList[1]),
})"""
OFFERED = "() => document.querySelector('dialog[open], .acts .act, .own .hand button:enabled')"
MOVED = "n => document.querySelector('dialog[open]') || document.querySelector('main').dataset.n !== n"


def table_page(clicks: int = 20, seconds: float = 25) -> Iterator[Row]:
    """Discard by clicks on tiles: from each click to the paint that shows the tile in the river."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as server, sync_playwright() as made:
        browser = made.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for what, (width, height, phone) in SIZES.items():
            device: dict[str, Any] = {"viewport": {"width": width, "height": height}, "is_mobile": phone}
            context = browser.new_context(**device, has_touch=phone, service_workers="block")
            context.add_init_script(PREFS)
            times = _clicks(context.new_page(), server.address, clicks, seconds)
            note = f"95 % {1000 * part(times, 0.95):.0f} ms, {len(times)} clicks"
            yield Row(f"{what}: click on a tile → painted in the river", part(times, 0.5), note=note)
            context.close()
        browser.close()


def _clicks(page: Page, site: str, clicks: int, seconds: float) -> list[float]:
    """Play hands against bots, taking whatever is offered; return the seconds of each click."""
    spec = {"bots": ["", "plain", "plain", "plain"], "rules": "lingque-29", "move": 0, "bank": 0, "think": 0.1,
            "rounds": 4, "name": "bench"}  # fmt: skip
    sat = page.request.post(f"{site}api/rooms", data=spec).json()
    page.goto(f"{site}play/{sat['room']}#seat={sat['token']}")
    page.evaluate(CLICKS)
    page.get_by_role("button", name="准备，开打").click()
    end, times = time.monotonic() + seconds, list[float]()
    while len(times) < clicks and time.monotonic() < end:
        page.wait_for_function(OFFERED, timeout=60_000)
        found = page.evaluate(STATE)
        times = page.evaluate("window.clicks")
        if found["over"]:
            page.wait_for_timeout(2500)  # until the fans are counted
            page.get_by_role("dialog").get_by_role("button", name="下一局").click()
            page.wait_for_function("() => !document.querySelector('dialog[open]')")
            continue
        best = next((act for act in ("win", "kong", "pung", "chow", "flower", "pass") if act in found["acts"]), "")
        if best:
            page.locator(f".acts .{best}").first.click(force=True)
        else:
            page.locator(".own .hand button:enabled").last.click(force=True)
        with suppress(Error):  # what was offered went meanwhile
            page.wait_for_function(MOVED, arg=found["n"], timeout=3000)
    return times


PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "is_mobile": True,
    "has_touch": True,
    "locale": "zh-CN",
}
SLOWER = 4
"""How much slower the phone's processor is, as Lighthouse has it."""
LINE = {"offline": False, "latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}
PAGES = {
    "first page": ("/", "main [aria-labelledby=which] li button:enabled"),
    "calculator": ("/calculator", ".keys button:enabled, [role=grid] button:enabled, .grid button:enabled"),
    "rulebook": ("/rulebooks", "main a[data-fan]"),
    "scorekeeper": ("/scorekeeper", "main form input:enabled"),
    "play": ("/play", "main form button.main:enabled"),
    "practice": ("/practice", "main button:enabled"),
}
"""The address of each page, and an element that is there once it can be used."""
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
CACHED = """async () => {
    const later = () => new Promise((then) => setTimeout(then, 100));
    const bundle = await (await fetch('/device/bundle.json')).json();
    for (const name of Object.keys(bundle.files)) {
        await (await fetch('/device/' + name)).arrayBuffer();
        while (!(await caches.match('/device/' + name))) await later();
    }
}"""
RECORDED = """async () => {
    const later = () => new Promise((then) => setTimeout(then, 100));
    const there = async () => (await (await caches.open('device')).keys()).some((one) => /snapshot/.test(one.url));
    for (let left = 600; !(await there()); left--) {
        if (!left) throw new Error('no snapshot was made within a minute');
        await later();
    }
}"""


class _Files(http.server.SimpleHTTPRequestHandler):
    """A host that has files and nothing else."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        """Write no log."""

    def handle(self) -> None:
        """Answer; a browser may close its connection."""
        try:
            super().handle()
        except OSError:
            self.close_connection = True


def _fetched(browser: Browser, site: str, address: str, ready: str) -> tuple[int, float, float]:
    """Open a page on the slow line; return bytes until it could be used, seconds, and milliseconds it was blocked."""
    context = browser.new_context(**PHONE, service_workers="block")
    context.add_init_script(WATCH.replace("IS_THERE", f"document.querySelector({ready!r})"))
    page = context.new_page()
    line, sizes = context.new_cdp_session(page), list[int]()
    line.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(site + address, wait_until="commit", timeout=300_000)
    page.evaluate(USABLE)
    usable, blocked = page.evaluate("[window.usable, window.blocked]")
    context.close()
    return sum(sizes), usable / 1000, blocked


def _started(context: BrowserContext, address: str) -> float:
    """Open the calculator with a hand; return the seconds until its points are there."""
    page = context.new_page()
    page.add_init_script(WATCH.replace("IS_THERE", f"document.body?.innerText.includes({POINTS!r})"))
    page.goto(address, wait_until="commit")
    page.evaluate(USABLE)
    seconds: float = page.evaluate("window.usable / 1000")
    page.close()
    return seconds


def pages() -> Iterator[Row]:
    """Open each page on a slow line (400 kbit/s, 400 ms, a slow phone), then score a hand without a network."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data", MANY) as server:
            for name, (address, ready) in PAGES.items():
                size, usable, blocked = _fetched(browser, server.address.rstrip("/"), address, ready)
                note = f"new profile; main thread blocked {blocked:.0f} ms"
                yield Row(f"{name}, 400 kbit/s: usable", usable, note=note)
                yield Row(f"{name}: fetched until then", size / 1024, "KiB")
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(STATIC)))
        threading.Thread(target=files.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{files.server_port}"
        context = browser.new_context(**PHONE)
        context.set_default_timeout(300_000)
        page = context.new_page()
        page.goto(site)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.evaluate(CACHED)
        context.set_offline(True)
        files.shutdown()
        yield Row("first start without a network: first score", _started(context, site + HAND), note="files cached")
        page.goto(site + HAND)
        page.get_by_text(POINTS).first.wait_for()
        page.evaluate(RECORDED)
        page.close()
        again = median(_started(context, site + HAND) for _ in range(3))
        yield Row("second start without a network: first score", again, note="median of 3, from a snapshot")
        browser.close()
