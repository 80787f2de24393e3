"""Take the README's pictures from the real pages: `make pictures`.

Starts a server with an empty folder and takes the table, a scored hand and the workshop, in Chinese and English,
light and dark, as WebP in docs/pictures/. Together they stay below 400 kB (tests/test_documents.py).
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import browser_path  # noqa: E402
from tests.browser.conftest import FLAGS  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

PICTURES = ROOT / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 760}
WIDTH = 880
"""Pixels of a picture in the README."""
QUALITY = 74
SEED = 20
MOVES, MOST_MOVES = 9, 14
"""Own moves at the table before its picture is taken; more while hints go by the shape alone."""
UNPREPARED = re.compile("备牌表|loading tables")
DRAFT = 'base = "lingque-29"\nminimum = 12\n\n[values]\n"三同顺" = { fu = 40 }\n'
HAND = "11223sCC(NNNN)(123s)+3s"
NAMES = {"zh": "小雨", "en": "Yu"}


@contextmanager
def serving() -> Iterator[str]:
    """Run a server with an empty folder; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "quepu", "serve", "--port", "0", "--no-browser", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                for line in process.stdout or ():
                    if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                        yield found[0]
                        break
                else:
                    raise RuntimeError("the server did not start")
            finally:
                process.terminate()


def open_page(browser: Browser, site: str, lang: str, theme: str) -> Page:
    """Open the site in a fresh profile."""
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce", service_workers="block")
    page = context.new_page()
    settings = json.dumps({"lang": lang, "theme": theme, "book": "lingque-29", "sound": False, "aid": True})
    page.add_init_script(f"localStorage.setItem('quepu', {json.dumps(settings)})")
    page.goto(site)
    page.wait_for_selector("main#main *:visible")
    return page


def show_table(page: Page, site: str, lang: str) -> None:
    """Open a seeded table with three bots and play until the middle of a hand, pressing the first hint."""
    spec = {
        "name": NAMES[lang], "rules": "lingque-29", "bots": ["", "plain", "plain", "plain"], "move": 0, "bank": 0,
        "think": 0, "seed": SEED,
    }  # fmt: skip
    room = page.evaluate(
        """async spec => {
            const answer = await fetch('/api/rooms',
                {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(spec)});
            const {room, token, place} = await answer.json();
            localStorage.setItem('quepu.rooms', JSON.stringify([{room, token, place, at: Date.now()}]));
            return room;
        }""",
        spec,
    )
    page.goto(f"{site}/play/{room}")
    page.get_by_role("button", name=re.compile("准备|Ready")).click()
    ready = "() => document.querySelector('dialog[open], .acts .act, .own .hand button:enabled')"
    for made in range(MOST_MOVES):
        page.wait_for_function(ready, timeout=60_000)
        if made >= MOVES:
            page.wait_for_timeout(4_000)  # hints come a moment later
            if not page.get_by_text(UNPREPARED).count():
                break
        if page.locator(".acts .act.pass").count():
            page.keyboard.press("Space")
        else:
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("Enter")
        page.wait_for_timeout(700)


def show_hand(page: Page, site: str, _lang: str) -> None:
    """Score a hand in the calculator."""
    page.goto(f"{site}/calculator?rules=lingque-29&h={quote(HAND)}&seat=N")
    page.wait_for_selector(".fans, table")
    page.wait_for_timeout(1_000)


def show_workshop(page: Page, site: str, _lang: str) -> None:
    """Change a value in the workshop and see every possible hand rescored."""
    page.goto(f"{site}/workshop?house={quote(DRAFT)}")
    page.locator(".moves").wait_for(timeout=240_000)
    page.wait_for_timeout(1_000)


SHOWN = {"table": show_table, "hand": show_hand, "workshop": show_workshop}


def main() -> int:
    """Take every picture; returns the exit status."""
    PICTURES.mkdir(exist_ok=True)
    total = 0
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for lang in ("zh", "en"):
            for theme in ("light", "dark"):
                for name, show in SHOWN.items():
                    page = open_page(browser, site, lang, theme)
                    show(page, site, lang)
                    image = Image.open(io.BytesIO(page.screenshot()))
                    image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)
                    file = PICTURES / f"{name}.{lang}.{theme}.webp"
                    image.save(file, quality=QUALITY, method=6)
                    total += file.stat().st_size
                    page.context.close()
        browser.close()
    print(f"{len(list(PICTURES.glob('*.webp')))} pictures, {total / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
