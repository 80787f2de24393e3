"""A machine without any Chinese font is given ours: no box stands where a character should."""

import itertools
import json
import re
import subprocess

import pytest

from tests.browser import browser_path
from tests.browser.conftest import FLAGS, SIZES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HAN = re.compile("[\u3400-\u9fff]")
PAGES = ["/", "/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", "/rulebooks/lingque-29"]
MOST = 600 * 1024
"""Bytes of fonts: this page's characters, not the whole font."""
LOADED = """async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    do await drawn(); while (!document.fonts.size || document.fonts.status !== "loaded");
}"""
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


@pytest.fixture(scope="module")
def latin(chromium, tmp_path_factory):
    """A browser on a machine whose only font has no Chinese."""
    listed = ["fc-list", "DejaVu Sans:style=Book", "file"]
    found = subprocess.run(listed, capture_output=True, text=True, check=False).stdout.split(":")[0]
    if not found:
        pytest.skip("no DejaVu on this machine")
    own = tmp_path_factory.mktemp("fonts")
    (own / "font.ttf").symlink_to(found)
    (own / "fonts.conf").write_text(CONFIGURATION.format(folder=own, cache=own / "cache"))
    browser = chromium.browser_type.launch(
        executable_path=browser_path(), args=FLAGS, env={"FONTCONFIG_FILE": str(own / "fonts.conf")}, timeout=180_000
    )
    yield browser
    browser.close()


def elements(node):
    """Each element with the Chinese that it writes itself."""
    children = node.get("children", [])
    text = "".join(HAN.findall("".join(child["nodeValue"] for child in children if child["nodeType"] == 3)))
    if text:
        yield node["nodeId"], text
    yield from itertools.chain.from_iterable(map(elements, children))


def drawn_by_others(page):
    """Elements whose Chinese is not all drawn by fonts of the page, with those fonts."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    seen, wrong = 0, []
    for node, text in elements(session.send("DOM.getDocument", {"depth": -1})["root"]):
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        seen += bool(fonts)  # what is not shown has none
        if fonts and sum(font["glyphCount"] for font in fonts if font["isCustomFont"]) < len(text):
            wrong.append((text, fonts))
    return seen, wrong


@pytest.mark.parametrize("hant", [False, True], ids=["hans", "hant"])
def test_chinese_is_drawn_by_our_own_font(site, latin, hant):
    prefs = json.dumps({"lang": "zh", "hant": hant})
    for path in PAGES:
        context = latin.new_context(viewport=SIZES["bars"], is_mobile=True, has_touch=True, service_workers="block")
        context.add_init_script(f"localStorage.setItem('quepu', '{prefs}')")
        page, fetched = context.new_page(), []
        page.on("requestfinished", lambda one, to=fetched: to.append(one) if one.url.endswith(".woff2") else None)
        page.goto(site + path, wait_until="networkidle")
        page.evaluate(LOADED)
        seen, wrong = drawn_by_others(page)
        assert seen > 20, path
        assert wrong == [], path
        assert 0 < sum(one.sizes()["responseBodySize"] for one in fetched) < MOST, path
        context.close()


def test_a_name_that_no_text_of_ours_has_is_drawn_too(site, latin):
    page = latin.new_page()
    page.add_init_script("localStorage.setItem('quepu', '{\"lang\": \"zh\"}')")
    page.goto(site + "/scorekeeper", wait_until="networkidle")
    page.evaluate("document.querySelector('h1').textContent = '龘靐嬲'")
    page.evaluate(LOADED)
    assert drawn_by_others(page)[1] == []
    page.context.close()
