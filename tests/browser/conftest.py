"""A real server and a real Chromium for the tests of the pages."""

import importlib.util
import itertools
import json
import os
import re
import threading
from pathlib import Path

import pytest
import uvicorn

from quepu.server.app import create_app
from quepu.server.http.pages import STATIC
from tests.browser import browser_path, felt, files, profiles
from tests.browser.slowly import Slowly
from tests.server.flat_hints import flat_hints
from tests.server.serving import unlimited

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844},
    "bars": {"width": 390, "height": 664},  # a phone whose browser shows its bars
}
FAILED = pytest.StashKey[bool]()
ALONE = bool(os.environ.get("QUEPU_WITHOUT_SERVER"))
"""Whether the pages are files of a host that has nothing else, and this browser answers every question by itself."""
UNKNOWN = re.compile("status of 40[45]")  # what a host of files says of other addresses, and of what is sent there
REFUSAL = re.compile("status of 4(00|01|09|22)")  # a refusal that the page shows as a sentence
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def _need(there, what):
    """Without a browser these tests are skipped, but never where everything is supposed to be there."""
    if not there:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


def pytest_collection_modifyitems(items):
    """Without a server those tests are left out whose marker `server` says what they need one for."""
    for item in items:
        if marker := item.get_closest_marker("server"):
            (why,) = marker.args  # a marker without its reason ends the run
            if ALONE:
                item.add_marker(pytest.mark.skip(f"there is no server: {why}"))


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    """Where the files of a host lie that has nothing else."""
    return tmp_path_factory.mktemp("files") / "app"


@pytest.fixture(scope="package")
def explored(tmp_path_factory):
    """The folder of stored discards that the server may ask; tests fill it."""
    return tmp_path_factory.mktemp("explored")


@pytest.fixture(scope="package")  # tests of other packages have the process to themselves
def site(tmp_path_factory, folder, explored):
    """The address of a server with the built client."""
    _need((STATIC / "index.html").is_file(), "the web client is not built: pip install -e . or npm run build in web/")
    if ALONE:
        with files.serving(folder) as (address, _):
            yield address
        return
    many = {"rooms": 10_000, "open_rooms": 10_000}  # all tests of a run come from one address
    settings = unlimited(tmp_path_factory.mktemp("site"), explorer=explored, **many)
    app, late = create_app(settings), float(os.environ.get("QUEPU_SLOW_LINE", "0"))
    served = Slowly(app, late) if late else app
    server = uvicorn.Server(uvicorn.Config(served, port=0, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    with flat_hints(app, tmp_path_factory.mktemp("flat"), "lingque-29", "guobiao"):
        yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(60)
    assert not thread.is_alive()


@pytest.fixture(scope="package")
def fonts(tmp_path_factory):
    """The fonts of this machine and one of Chinese, which a bare machine lacks: pages are as wide everywhere."""
    own = tmp_path_factory.mktemp("fonts")
    package = importlib.util.find_spec("noto_cjk_sans_otc")
    assert package is not None and package.submodule_search_locations  # of the extra `lab`
    (own / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
        f"<dir>{package.submodule_search_locations[0]}</dir><cachedir>{own / 'cache'}</cachedir></fontconfig>"
    )
    return own / "fonts.conf"


@pytest.fixture(scope="package")  # its driver keeps an event loop running: others could not start theirs
def chromium(fonts):
    """One browser for the tests of this folder."""
    _need(browser_path(), "no Chromium on this machine (apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        environment = {**os.environ, "FONTCONFIG_FILE": str(fonts)}
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=FLAGS, env=environment, timeout=180_000
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def table(site, chromium):
    """A table whose room is the test: its line, with its page."""
    yield from _table(site, chromium, "zh")


@pytest.fixture(scope="module")
def english_table(site, chromium):
    """The same in English."""
    yield from _table(site, chromium, "en")


def _table(site, chromium, lang):
    context = chromium.new_context(reduced_motion="reduce", service_workers="block")
    page = context.new_page()
    settings = json.dumps({"lang": lang, "theme": "light", "aid": True, "sound": False})
    page.add_init_script(f"localStorage.setItem('quepu', '{settings}')")
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    line = felt.Line(page)
    page.goto(f"{site}/play/ROOM")
    page.locator(".board").wait_for()
    yield line
    context.close()
    assert complaints == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Beside a failure: what each page showed then, which a later reader cannot see otherwise."""
    report = yield
    if call.when == "call" and report.failed:
        item.stash[FAILED] = True
        for page in getattr(item.funcargs.get("visit"), "pages", ()):
            try:
                shown = page.evaluate("() => document.body.innerText")
            except Exception as error:  # noqa: BLE001  # closed, crashed: that is what there is to tell
                shown = str(error)
            report.sections.append((f"page {page.url}", shown[:3000]))
    return report


@pytest.fixture(scope="package")
def idle(chromium):
    """Profiles, each with its page, as good as new, by size: a renderer costs more than what most tests do in it."""
    pages = {size: [] for size in SIZES}
    yield pages
    for page in itertools.chain(*pages.values()):
        page.context.close()


@pytest.fixture(scope="package")
def snapshot(chromium, site, folder):
    """Without a server, the address of what every page starts Python from: one start from the files is enough."""
    return profiles.record(chromium, site, folder) if ALONE else ""


@pytest.fixture
def visit(site, chromium, idle, snapshot, request):
    """Open an address in a fresh profile. What the page complains about, or asks of another host, fails the test.

    `missing` are addresses (or their beginnings) that this page will ask for and not find: the browser's own line about
    each is expected, about any other it is a complaint.
    """
    own, complaints, pages = [], [], []

    def opened(path="/", size="desktop", theme="light", lang="zh", book="lingque-29", context=None, missing=()):
        expected = tuple(site + address for address in (["/"] if ALONE else missing))

        def heard(message):
            lost = UNKNOWN.search(message.text) and message.location["url"].startswith(expected or ("-",))
            if message.type == "error" and not lost and not REFUSAL.search(message.text):
                complaints.append(f"{message.text} {message.location['url']}")

        listeners = {
            "pageerror": lambda error: complaints.append(str(error)),
            "console": heard,
            "request": lambda r: None if r.url.startswith((site, "blob:", "data:")) else complaints.append(r.url),
        }
        if context is not None:
            page = context.new_page()
        else:
            pool, phone = idle[size], size != "desktop"
            page = pool.pop() if pool else profiles.new(chromium, SIZES[size], phone, site, snapshot)
            profiles.prefer(page, {"lang": lang, "theme": theme, "book": book})
            own.append((page, size, listeners))
        pages.append(page)
        page.set_default_timeout(300_000 if ALONE else 60_000)  # a busy machine is no fault of the page
        for event, listener in listeners.items():
            page.on(event, listener)
        if context is None:
            profiles.watch(page)
        page.goto(site + path)
        page.wait_for_selector("main#main *:visible")
        return page

    opened.pages = pages
    yield opened
    for page, size, listeners in own:
        if request.node.stash.get(FAILED, False) or not profiles.emptied(page, SIZES[size], site, listeners, ALONE):
            page.context.close()
        else:
            idle[size].append(page)
    assert not [c for c in complaints if "ERR_INTERNET_DISCONNECTED" not in c]


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    _need(AXE.is_file(), "axe-core is not there: npm ci in web/")
    return AXE.read_text(encoding="utf-8")
