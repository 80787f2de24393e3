"""On a phone held upright everything that can be pressed is at least 44 × 44 CSS pixels, and nothing lies sideways."""

import pytest

from tests.browser.states import STATES
from tests.browser.targets import TOO_WIDE, sideways, too_small

pytestmark = pytest.mark.browser

QUICK = [
    "home",
    "calc-empty",
    "calc-won",
    "calc-melds",
    "calc-waits",
    "calc-seen",
    "fan",
    "fans-rules",
    "scores-new",
    "scores-typed",
    "scores-yuque-win",
    "practice-answered",
    "practice-pays",
    "settings",
    "help",
]
"""One of each kind of page; the others are walked by the slow tests."""
WALKED = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in STATES]


@pytest.fixture(scope="module")
def phone(site, chromium):
    """One phone for all states: what a state leaves behind is what a user finds too."""
    device = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    context = chromium.new_context(**device, reduced_motion="reduce", locale="zh-CN", service_workers="block")
    context.add_init_script(
        "localStorage.setItem('quepu', JSON.stringify({lang: 'en', theme: 'dark', book: 'lingque-29'}))"
    )  # English words are the longer ones
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


@pytest.mark.quick("calc-won", "scores-typed")
@pytest.mark.parametrize("name", WALKED)
def test_everything_is_a_fingertip_large(phone, site, name):
    address, act = STATES[name]
    phone.goto(site + address)
    phone.wait_for_selector("main#main *:visible")
    phone.wait_for_load_state("networkidle")
    if act:
        act(phone)
        phone.wait_for_load_state("networkidle")
    assert too_small(phone) == []
    assert sideways(phone) == []
    assert phone.locator("button, a[href]").count() > 5


@pytest.mark.parametrize("name", ["fans-diff", "players"])
def test_the_narrowest_phone_holds_it(phone, site, name):
    phone.set_viewport_size({"width": 360, "height": 640})
    address, act = STATES[name]
    phone.goto(site + address)
    phone.wait_for_load_state("networkidle")
    if act:
        act(phone)
    assert sideways(phone) == []
    phone.set_viewport_size({"width": 390, "height": 844})


def test_the_top_of_the_page_fits_every_width(phone, site):
    """In English, whose words are longer, from the narrowest tablet to a desk."""
    phone.goto(site + "/calculator")
    phone.wait_for_load_state("networkidle")
    for width in (720, 768, 821, 900, 961, 1024, 1100, 1181, 1440):
        phone.set_viewport_size({"width": width, "height": 800})
        assert phone.evaluate(TOO_WIDE) <= 0, width
    phone.set_viewport_size({"width": 390, "height": 844})
