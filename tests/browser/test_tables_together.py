"""Several phones at one table: one log, whoever writes, and whoever was away."""

import io
import re

import pytest

from tests.browser.test_scorekeeper import table

pytestmark = pytest.mark.browser


def choose(button):
    """Taps until the key is pressed: a line about the network may move the page under the finger."""
    for _ in range(3):
        button.tap()
        for _ in range(50):
            if button.get_attribute("aria-pressed") == "true":
                return
            button.page.wait_for_timeout(100)
    raise AssertionError(button)


def write(page, winner, payer, points):
    form = page.locator("form").first
    choose(form.get_by_role("group", name="和家").get_by_role("button", name=winner))
    choose(form.get_by_role("group", name="谁放铳").get_by_role("button", name=payer))
    form.get_by_role("button", name=f"{points} 点，记下", exact=True).tap()


def hands(page):
    return page.get_by_role("region", name="记录").locator("tbody tr")


def wait_for_hands(page, n):
    hands(page).nth(n - 1).wait_for()
    assert hands(page).count() == n


def test_four_phones_join_by_link_two_write_at_once_and_one_was_away(visit):
    first = table(visit)
    first.get_by_role("button", name="邀请").tap()
    dialog = first.get_by_role("dialog")
    dialog.get_by_role("img", name=re.compile("二维码")).first.wait_for()
    link = dialog.get_by_label("一起记分的链接").input_value()
    look = dialog.get_by_label("只读链接").input_value()
    wall_link = dialog.get_by_role("link", name="大屏幕").get_attribute("href")
    dialog.get_by_role("button", name="关闭").tap()
    path = link[link.index("/scorekeeper") :]
    second, third = visit(path, size="phone"), visit(path, size="phone")
    reader = visit(look[look.index("/scorekeeper") :], size="phone")
    wall = visit(wall_link)
    for page in (second, third):
        page.get_by_role("region", name=re.compile("^记一")).wait_for()

    write(first, "周", "林", 24)
    for page in (first, second, third, reader):
        wait_for_hands(page, 1)  # every screen follows
    wall.get_by_text("周 和 24 点").wait_for()

    third.context.set_offline(True)
    for points in (20, 30, 40):
        write(third, "何", "许", points)
    waiting = third.get_by_role("group", name="等待联网")
    waiting.locator("li").nth(2).wait_for()
    assert waiting.locator("li").count() == 3
    waiting.get_by_text("何 和 40 点，许 放铳").wait_for()

    held = []

    def hold(route):
        if route.request.method == "POST" and "preview" not in route.request.url:
            held.append(route)
        else:
            route.continue_()

    for page in (first, second):
        page.route("**/api/tables/*", hold)
    write(first, "林", "周", 36)
    write(second, "许", "周", 12)
    while len(held) < 2:
        first.wait_for_timeout(20)
    for route in held:
        route.continue_()
    for page in (first, second):
        page.unroute("**/api/tables/*")
    while not (late := next((one for one in (first, second) if one.get_by_text("别处刚改过").count()), None)):
        first.wait_for_timeout(20)
    wait_for_hands(late, 2)
    points = 12 if late is second else 36
    late.locator("form").first.get_by_role("button", name=f"{points} 点，记下", exact=True).tap()  # still chosen
    for page in (first, second, reader):
        wait_for_hands(page, 3)

    third.context.set_offline(False)
    third.get_by_text("别处也改了 2 次").wait_for()
    third.get_by_role("button", name="追加在后面").tap()
    for page in (first, second, third, reader):
        wait_for_hands(page, 6)
    scores = [
        page.get_by_role("region", name="分数").locator("strong").all_inner_texts()
        for page in (first, second, third, reader)
    ]
    assert scores[0] == scores[1] == scores[2] == scores[3]
    assert wall.locator("strong").all_inner_texts() == scores[0]
    second.goto(link.split("/scorekeeper")[0] + "/scorekeeper")
    second.get_by_role("heading", name="别人的桌").wait_for()


def test_what_was_written_without_a_network_is_sent_by_itself_and_once(visit):
    page = table(visit)
    page.context.set_offline(True)
    write(page, "周", "林", 24)
    page.get_by_role("group", name="等待联网").get_by_text("周 和 24 点，林 放铳").wait_for()
    page.context.set_offline(False)
    wait_for_hands(page, 1)
    assert page.get_by_role("group", name="等待联网").count() == 0
    lost = []

    def lose(route):
        """The server takes it, and its answer does not arrive."""
        if route.request.method == "POST" and not lost and "preview" not in route.request.url:
            lost.append(route.fetch())
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/api/tables/*", lose)
    write(page, "何", "许", 20)
    wait_for_hands(page, 2)
    page.get_by_role("group", name="等待联网").wait_for(state="detached")
    page.wait_for_timeout(300)
    assert hands(page).count() == 2


def test_the_evening_is_one_sheet_of_paper_and_a_picture(visit):
    page = table(visit, size="desktop")
    address = page.url.rsplit("/", 1)[1]
    length = 1
    for i in range(23):
        record = {"kind": "hand", "winner": i % 4, "points": 24 + 2 * i, "discarder": (i + 1) % 4}
        body = {"seen": length, "do": "add", "record": record}
        answer = page.request.post(f"{page.url.split('/scorekeeper')[0]}/api/tables/{address}", data=body)
        if not answer.ok:
            break  # the match is over
        length += 1
    wait_for_hands(page, length - 1)
    assert length > 12
    sheet = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    page.emulate_media(media="print")
    assert page.locator(".sheet .hands tbody tr").count() == length - 1
    assert page.locator(".sheet").is_visible()
    assert not page.get_by_role("button", name="撤销").first.is_visible()
    page.emulate_media(media="screen")
    if page.get_by_role("button", name="图片").count() == 0 or not page.get_by_role("button", name="图片").is_visible():
        page.get_by_text("结算、换人、改名、定座、结束").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="图片").click()
    drawn = io.BytesIO(caught.value.path().read_bytes()).getvalue()
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) > 10_000
