"""Every page on desktop and phone, light and dark, Chinese and English: no faults, nothing sideways, light to load."""

import json
import re
import urllib.request

import pytest

from tests.browser.targets import TOO_WIDE

pytestmark = pytest.mark.browser

HAND = "234m234p2344567s%2B4s"
NO_PAGE = "/no/such/page"
PAGES = [
    "/",
    f"/calculator?rules=lingque-29&h={HAND}",
    "/calculator?rules=guobiao&h=12x",
    "/calculator?rules=yuque-54&h=123m456p(789s)(EEE)C",
    "/rulebooks/guobiao",
    "/rulebooks/lingque-29?view=diff",
    "/rulebooks/yuque-54?view=rulings",
    "/scorekeeper",
    "/play",
    "/replays",
    "/replays/explorer",
    "/practice?rules=lingque-29&kind=fans&level=2&seed=6",
    "/practice?rules=guobiao&kind=waits&level=2&seed=6",
    "/practice?rules=guobiao&kind=pays&level=1&seed=4",
    NO_PAGE,
]
_AXE = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations'] });
  return found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | '));
}"""


def sound(page, axe):
    """No serious fault, nothing that can be scrolled sideways."""
    page.evaluate(axe)
    assert page.evaluate(_AXE) == []
    assert page.evaluate(TOO_WIDE) <= 0


WIDE = {PAGES[1], "/", "/rulebooks/guobiao", "/scorekeeper", "/play"}
"""What is laid out otherwise on a desk; the other pages are looked at there by the slow tests."""
LOOKS = [
    *(pytest.param("phone", "dark", "en", path) for path in PAGES),
    *(pytest.param("desktop", "light", "zh", path, marks=[pytest.mark.slow] * (path not in WIDE)) for path in PAGES),
]


@pytest.mark.quick(
    "phone-dark-en-/",
    "phone-dark-en-/rulebooks/guobiao",
    "phone-dark-en-/scorekeeper",
    "phone-dark-en-/play",
    "phone-dark-en-/replays",
    "phone-dark-en-/no/such/page",
    "desktop-light-zh-/play",
)
@pytest.mark.parametrize(("size", "theme", "lang", "path"), LOOKS)
def test_every_page_is_sound(visit, axe, path, size, theme, lang):
    page = visit(path, size=size, theme=theme, lang=lang, missing=[NO_PAGE])
    page.wait_for_load_state("networkidle")
    sound(page, axe)


_CUT = """() => {
  const select = document.querySelector('header select');
  const cut = (option) => {
    const whole = select.cloneNode();
    whole.style.cssText = 'position: absolute; width: auto; max-width: none';
    whole.append(option.cloneNode(true));
    select.after(whole);
    const width = whole.offsetWidth;
    whole.remove();
    return width > select.offsetWidth;
  };
  return [...select.options].filter(cut).map((option) => option.text);
}"""


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_top_of_the_page_names_books_whole(visit, lang):
    page = visit("/", size="bars", lang=lang)
    page.locator("header select option").nth(2).wait_for(state="attached")
    for width in (360, 390, 821, 1021, 1251, 1366):
        page.set_viewport_size({"width": width, "height": 664})
        assert page.evaluate(_CUT) == [], width  # the edition, which tells them apart, stands last


@pytest.mark.quick
def test_dialogs_are_sound_and_give_the_focus_back(visit, axe):
    page = visit("/", size="phone", theme="light")
    page.get_by_role("button", name="设置").click()
    page.get_by_role("dialog", name="设置").wait_for()
    sound(page, axe)
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "设置"


@pytest.mark.quick
def test_language_and_theme_change_at_once_and_stay(visit):
    page = visit("/")
    page.get_by_role("button", name="Switch to English").click()
    assert page.get_by_role("link", name="Calculator").count() >= 1
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    page.wait_for_selector("h1")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator("h1").inner_text() == "Quepu"


@pytest.mark.server("a host of files may compress nothing: the sizes are those that our server sends")
def test_the_first_page_is_light_and_its_heading_font_follows(visit):
    page = visit("/")
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate("""() => ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
        .map((entry) => [entry.name, entry.encodedBodySize])""")
    weight = sum(size for name, size in sizes if not name.endswith(".woff2"))
    assert 10_000 < weight < 120_000
    page.wait_for_function("document.fonts.check('16px \"LXGW WenKai\"', '雀谱')")


@pytest.mark.quick
@pytest.mark.server("a host of files has no list of rulebooks")
def test_the_home_page_names_all_that_it_needs(visit, site):
    page = visit(NO_PAGE, size="phone", missing=[NO_PAGE])
    calls = []
    page.route("**/api/practice/question", lambda _: None)  # what the puzzle needs depends on the day
    page.on("request", lambda one: calls.append(one.url.removeprefix(site)))
    page.goto(site + "/")
    page.locator(".books li.on").wait_for()
    assert calls.count("/api/books") == 1  # preloaded data is not requested a second time
    text = page.request.get(site + "/").text()
    named = set(re.findall(r'(?:href|src)="([^"]+)"', text))
    assert "/api/books" in named
    below = next(at for at, one in enumerate(calls) if one.startswith("/assets/Below-"))  # by then it can be used
    needed = [one for one in calls[:below] if re.fullmatch(r"/assets/.*\.(js|css)", one)]
    assert [one for one in needed if one not in named] == []
    assert 3 < len([one for one in calls[:below] if one in named]) < 18  # six are fetched at a time
    assert not any("/Below-" in one or "/Puzzle-" in one for one in named)
    assert "modulepreload" not in page.request.get(site + "/play").text()


_FONTLESS = """
    const plain = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...where) { plain.call(this, '□', ...where); };
"""
"""A machine without Chinese fonts draws the same box for every character."""


@pytest.mark.parametrize("fontless", [False, True])
def test_a_phone_loads_a_chinese_font_where_it_has_none(visit, fontless):
    page = visit(NO_PAGE, size="phone", missing=[NO_PAGE])
    if fontless:
        page.context.add_init_script(_FONTLESS)
    calls = []
    page.on("request", lambda request: calls.append(request.url))
    with page.expect_response(lambda answer: "/api/score" in answer.url):
        page.goto(page.url.removesuffix(NO_PAGE) + "/")
    page.wait_for_load_state("networkidle")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => document.fonts.ready.then(() => done(0))))")
    assert any(re.search(r"/fonts-[^/]*\.css$", address) for address in calls) == fontless  # which letters there are
    assert fontless or not [address for address in calls if address.endswith(".woff2")]


@pytest.mark.quick("/play#%")
@pytest.mark.parametrize("path", ["/play#%", "/replays#%", "/rulebooks#%E4%A"])
def test_an_address_that_is_no_escape_shows_its_page(visit, path):
    visit(path).locator("main h1").first.wait_for()


def test_an_address_of_no_characters_is_no_room(visit):
    page = visit("/play/%00%ff", missing=["/api/rooms/"])
    page.get_by_text("没有这个房间").wait_for()


@pytest.mark.quick
def test_keys_lead_everywhere(visit):
    page = visit("/")
    pages = {
        "t": "/play",
        "l": "/replays",
        "c": "/calculator",
        "r": "/rulebooks",
        "s": "/scorekeeper",
        "p": "/practice",
    }
    for key, path in pages.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(re.compile(rf"{path}\b"))  # that of the rulebooks goes on to a book
    page.keyboard.press("?")
    assert page.get_by_role("dialog").inner_text().count("算番") >= 1


def test_the_key_that_led_before_takes_nothing_from_the_next(visit):
    page = visit("/calculator")
    page.clock.install()
    for key in "gh":
        page.keyboard.press(key)
    page.wait_for_url(re.compile("/$"))
    page.clock.run_for(1400)
    page.keyboard.press("g")
    page.clock.run_for(200)
    page.keyboard.press("s")
    page.wait_for_url(re.compile("/scorekeeper"))


@pytest.mark.quick
@pytest.mark.server("it goes away and comes back")
def test_without_the_server_the_page_says_so(visit):
    page = visit(f"/calculator?h={HAND}")
    page.context.set_offline(True)
    page.get_by_role("button", name="自摸").click()
    page.get_by_text("连不上服务器").first.wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="点和").click()
    page.get_by_text("连不上服务器").first.wait_for(state="detached")


@pytest.mark.server("its answer is compared, read here without a browser")
def test_a_page_gets_the_very_bytes_that_the_api_gives(visit, site):
    page = visit("/calculator")
    with page.expect_response(lambda r: "/api/score" in r.url) as caught:
        page.fill("#notation", "234m234p2344567s+4s")
    body = {"rules": "lingque-29", "hand": "234m234p2344567s+4s"}
    request = urllib.request.Request(
        f"{site}/api/score?explain=true", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        assert caught.value.body() == answer.read()
