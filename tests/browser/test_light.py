"""What the first visit costs a phone on a poor line."""

import json

import pytest

pytestmark = [
    pytest.mark.browser,
    pytest.mark.server("a host of files may compress nothing: the sizes are those that our server sends"),
]
MOST = 300 * 1024
LINE = 400_000 / 8


@pytest.mark.quick("/")
@pytest.mark.parametrize("path", ["/", "/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", "/scorekeeper"])
def test_the_first_page_of_a_phone_is_small(visit, path):
    page = visit("/")  # the profile; the page is measured in a tab that has nothing yet
    tab = page.context.new_page()
    session = page.context.new_cdp_session(tab)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    tab.set_viewport_size({"width": 390, "height": 664})
    sizes, names = [], {}
    session.on("Network.requestWillBeSent", lambda e: names.update({e["requestId"]: e["request"]["url"]}))
    session.on("Network.loadingFinished", lambda e: sizes.append((int(e["encodedDataLength"]), names[e["requestId"]])))
    tab.goto(page.url.rstrip("/") + path, wait_until="networkidle")
    assert sum(size for size, _ in sizes) <= MOST, sorted(sizes, reverse=True)[:8]
    assert not [name for _, name in sizes if name.endswith(".woff2")], "this machine writes Chinese by itself"
    manifest = session.send("Page.getAppManifest")
    assert not manifest["errors"]
    assert manifest["url"].endswith("/manifest.webmanifest")
    icons = [icon["src"] for icon in json.loads(manifest["data"])["icons"]]
    assert len(icons) >= 3
    assert all(tab.request.get(page.url.rstrip("/") + icon).ok for icon in icons)
    tab.close()


def test_a_poor_line_has_a_calculator_within_six_seconds(visit):
    page = visit("/")
    tab = page.context.new_page()
    session = page.context.new_cdp_session(tab)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    tab.set_viewport_size({"width": 390, "height": 664})
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 100, "downloadThroughput": LINE, "uploadThroughput": LINE},
    )
    tab.goto(page.url.rstrip("/") + "/calculator?rules=lingque-29&h=", wait_until="commit")
    tab.locator("[data-kind='1m']").wait_for()
    assert tab.evaluate("performance.now()") < 6000
    tab.close()
