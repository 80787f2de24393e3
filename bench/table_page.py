"""A table in a real browser: from a click to the paint that shows the discard, and how long what moves takes.

Chromium without windows, drawn by the processor, against `quepu serve` on the same machine: a hand is played by real
clicks on tiles against three bots, whatever is offered is taken. Times are of the clock on the wall.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rows import Row

CLICKS = 60
"""Discards of each page; the hands played for them have deals, claims and wins."""
MOST_HANDS = 8
MOST_SECONDS = 80.0
"""For each page: on a crowded machine fewer clicks are measured, but on both pages."""
PAGES = {"desktop 1440 × 900": (1440, 900, False), "phone 390 × 664": (390, 664, True)}
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PREFS = "localStorage.setItem('quepu', JSON.stringify({lang: 'zh', theme: 'light', once: true, sound: false}))"
WATCH = """() => {
    const taken = (window.taken = {click: [], deal: [], discard: [], claim: [], win: [], count: []});
    const painted = () => new Promise((done) => requestAnimationFrame(() => {
        const {port1, port2} = new MessageChannel();  // after the frame is made
        port1.onmessage = () => done(performance.now());
        port2.postMessage(0);
    }));
    const river = () => document.querySelectorAll('.zone.bottom .cell').length;
    addEventListener('click', (event) => {
        if (!event.target.closest?.('.own .hand button')) return;
        const before = river();
        const look = new MutationObserver(() => {
            if (river() <= before) return;
            look.disconnect();
            void painted().then((now) => taken.click.push(now - event.timeStamp));
        });
        look.observe(document.querySelector('.board'), {childList: true, subtree: true});
    }, true);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const made = animate.apply(this, given), begun = performance.now();
        const what = this.matches('.laid') ? 'claim' : this.matches('.cell') ? 'discard' : '';
        if (what && made.effect.getComputedTiming().duration > 0)
            void made.finished.then(() => taken[what].push(performance.now() - begun), () => {});
        return made;
    };
    let deal = 0, win = 0;
    new MutationObserver(() => {
        const dealing = document.querySelector('.area.dealing');
        if (dealing && !deal) deal = performance.now();
        if (!dealing && deal) (taken.deal.push(performance.now() - deal), (deal = 0));
        const dialog = document.querySelector('dialog[open]');
        if (!win && !dialog && document.querySelector('.area .won, .own .drawn .win')) win = performance.now();
        if (win > 0 && dialog) {
            const opened = performance.now();
            taken.win.push(opened - win);
            win = -1;
            requestAnimationFrame(() => {
                const all = dialog.getAnimations({subtree: true}).map((one) => one.finished);
                void Promise.allSettled(all).then(() => taken.count.push(performance.now() - opened));
            });
        }
        if (win < 0 && !dialog) win = 0;
    }).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'open']});
}"""
STATE = """() => ({
    over: !!document.querySelector('dialog[open]'), n: document.querySelector('main').dataset.n,
    acts: [...document.querySelectorAll('.acts .act')].map((act) => act.classList[1]),
})"""
OFFERED = "() => document.querySelector('dialog[open], .acts .act, .own .hand button:enabled')"


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a server of its own."""
    serve = "from quepu.cli import main; main()"
    command = [sys.executable, "-c", serve, "serve", "--port", "0", "--no-browser", "--data", folder]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent / "src")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        yield found[0].rstrip("/")
    finally:
        process.terminate()
        process.wait(30)


def measure() -> Iterator[Row]:
    """A row for each thing that moves, on a desk and on a phone."""
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parent.parent))
    from tests.browser import browser_path

    with tempfile.TemporaryDirectory() as folder, served(folder) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for what, (width, height, phone) in PAGES.items():
            device: dict[str, Any] = {"viewport": {"width": width, "height": height}, "is_mobile": phone}
            context = browser.new_context(**device, has_touch=phone, service_workers="block")
            context.add_init_script(PREFS)
            yield from _rows(what, _played(context.new_page(), site))
            context.close()
        browser.close()


def _played(page: Any, site: str) -> dict[str, list[float]]:
    """What a page measured while hands were played on it."""
    spec = {"bots": ["", "plain", "plain", "plain"], "rules": "lingque-29", "move": 0, "bank": 0, "think": 0.3,
            "rounds": 4, "name": "bench"}  # fmt: skip
    sat = page.request.post(f"{site}/api/rooms", data=spec).json()
    page.goto(f"{site}/play/{sat['room']}#seat={sat['token']}")
    page.evaluate(WATCH)
    page.get_by_role("button", name="准备，开打").click()
    end = time.monotonic() + MOST_SECONDS
    for _ in range(MOST_HANDS):
        _play_hand(page, end)
        taken: dict[str, list[float]] = page.evaluate("window.taken")
        enough = len(taken["click"]) >= CLICKS and taken["win"] and taken["claim"] and len(taken["deal"]) > 1
        if enough or time.monotonic() > end:
            break
        page.wait_for_timeout(2500)  # until the fans are counted
        page.get_by_role("dialog").get_by_role("button", name=re.compile("下一局|Next")).click()
        page.wait_for_function("() => !document.querySelector('dialog[open]')")
    return taken


def _play_hand(page: Any, end: float) -> None:
    """Take what is offered, else discard the drawn tile by a click on it, until the result is shown or time is up."""
    while time.monotonic() < end:
        page.wait_for_function(OFFERED, timeout=60_000)
        found = page.evaluate(STATE)
        if found["over"]:
            return
        best = next((act for act in ("win", "kong", "pung", "chow", "flower", "pass") if act in found["acts"]), "")
        if best:
            page.locator(f".acts .{best}").first.click(force=True)
        else:
            page.locator(".own .hand button:enabled").last.click(force=True)
        page.wait_for_function(
            "n => document.querySelector('dialog[open]') || document.querySelector('main').dataset.n !== n",
            arg=found["n"],
            timeout=60_000,
        )


NAMES = {
    "click": "click on a tile → paint with it in the river",
    "deal": "deal, with its dice",
    "discard": "flight of a discard",
    "claim": "flight of a claimed set",
    "win": "won hand laid open → result",
    "count": "fans counted in the result",
}


def _rows(page: str, taken: dict[str, list[float]]) -> Iterator[Row]:
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load not known"
    for key, name in NAMES.items():
        times = taken[key]
        if not times:
            continue
        most = sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]
        figure = f"{statistics.median(times):.0f} ms (95 %: {most:.0f} ms)"
        yield Row(f"{page}: {name}", figure, f"n = {len(times)}; {load}")
