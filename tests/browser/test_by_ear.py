"""Play, replay and review through the accessibility tree alone: by roles and names; every event in few words."""

import re

import pytest

from quepu.rulebooks import book
from tests.browser.by_ear import Listener
from tests.browser.test_play import hurry
from tests.browser.test_replays import MATCH, stored
from tests.review.flat import write_flat

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", autouse=True)
def flat(tmp_path_factory):
    """Tables for reviews that are there at once."""
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        write_flat(book("guobiao"), folder)
        yield


def by_ear(visit, path):
    page = visit(path, book="guobiao")
    hurry(page)
    return Listener(page)


@pytest.mark.server("a table from a replay is a table of a server")
def test_a_position_of_a_replay_is_played_on_by_ear(visit, site):
    id = stored(site, MATCH)
    user = by_ear(visit, f"/replays/{id}?at=40&seat=S")
    user.press("button", "从这里接着打")
    dialog = user.one("dialog", "从这里接着打")
    user.check_names()
    user.press("button", "开打", dialog)
    user.one("link", "由牌谱续打的一桌").wait_for()
    result = user.play_hand()
    user.press("link", "看牌谱", result)
    user.one("slider", "步").wait_for()
    user.check_names()
    user.press("button", "这一场")
    user.press("link", "由另一份牌谱续打")
    user.one("slider", "步").wait_for()
    assert user.page.url.startswith(f"{site}/replays/{id}?at=40")
    user.check_words()


@pytest.mark.server("mistakes are found by reviews, which are the work of a server")
@pytest.mark.slow
def test_four_hands_are_played_and_three_mistakes_found_by_ear(visit, site):
    user = by_ear(visit, "/")
    user.press("button", "和三个电脑开一桌")
    for _ in range(12):  # four hands, and those that a dealer who stays adds
        result = user.play_hand()
        user.check_names()
        ends = user.one("link", "看牌谱", result)
        if ends.count():
            break
        user.press("button", re.compile("下一"), result)
        result.wait_for(state="detached")
    user.press("link", "看牌谱", result)
    user.press("button", "复盘", exact=True)
    user.press("button", "复盘这一场")
    user.one("list", re.compile("本.")).wait_for(timeout=120_000)
    user.one("group", "整场").or_(user.page.get_by_text("整场")).first.wait_for(timeout=300_000)
    user.check_names()
    found = set()
    for _ in range(3):
        before = user.page.url
        user.press("button", "下一失误")
        user.page.wait_for_function("u => location.href !== u", arg=before)
        user.one("heading", re.compile("这一步.*失误")).wait_for()
        found.add(user.page.url)
    assert len(found) == 3
    user.check_words()
