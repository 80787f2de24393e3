"""On a phone held upright everything that can be pressed is at least 44 × 44 CSS pixels, and nothing lies sideways."""

import pytest

from tests.browser.states import STATES
from tests.browser.targets import sideways, too_small

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def phone(site, chromium):
    """One phone for all states: what a state leaves behind is what a user finds too."""
    device = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    context = chromium.new_context(**device, reduced_motion="reduce")
    context.add_init_script(
        "localStorage.setItem('quepu', JSON.stringify({lang: 'en', theme: 'dark', book: 'lingque-29'}))"
    )  # English words are the longer ones
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


@pytest.mark.parametrize("name", STATES)
def test_everything_is_a_fingertip_large(phone, site, name):
    address, act = STATES[name]
    phone.goto(site + address)
    phone.wait_for_selector("main#main *")
    phone.wait_for_load_state("networkidle")
    if act:
        act(phone)
        phone.wait_for_load_state("networkidle")
    assert too_small(phone) == []
    assert sideways(phone) == []
    assert phone.locator("button, a[href]").count() > 5
