"""The pages as files of any web host, and after the network is cut: this browser answers by itself."""

import functools
import http.server
import shutil
import threading

import pytest

from quepu.server.http.pages import STATIC

pytestmark = pytest.mark.browser
HAND = "123456789m1p(234p)%2B1p"


class Files(http.server.SimpleHTTPRequestHandler):
    """A host that has files and knows nothing else."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def files(tmp_path):
    """The address of the folder that `make app` makes, and what closes it."""
    if not (STATIC / "device" / "bundle.json").is_file():
        pytest.skip("built without what answers in the browser (the package index was out of reach)")
    folder = tmp_path / "app"
    shutil.copytree(STATIC, folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", server.shutdown
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(chromium):
    """A page of a phone whose service workers work."""
    context = chromium.new_context(viewport={"width": 390, "height": 664}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(90_000)
    yield page
    context.close()


def test_without_any_server_a_hand_is_scored_and_an_evening_stored(files, page):
    site, stop = files
    page.goto(f"{site}/")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto(f"{site}/calculator?h={HAND}")
    page.get_by_text("30 点").first.wait_for()
    page.get_by_text("离线：由这台设备计算和保存。").wait_for()
    page.evaluate("caches.open('device').then(c => c.keys()).then(k => k.length)")
    page.wait_for_function("caches.open('device').then(c => c.keys()).then(k => k.length >= 7)")

    page.context.set_offline(True)
    stop()
    page.goto(f"{site}/scorekeeper")  # a cold start without a network
    for name, field in zip(
        "甲乙丙丁", page.locator("form input[type=text], form input:not([type])").all()[:4], strict=True
    ):
        field.fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.wait_for_url("**/scorekeeper/*")
    page.get_by_role("heading", name="记录").wait_for()
    address = page.url
    page.goto(address)  # and again: it was kept
    page.get_by_text("甲").first.wait_for()
    page.get_by_role("heading", name="记录").wait_for()
