"""A phone's tables go on on another: a code read by its camera, and an account."""

import re

import pytest

from tests.browser.test_scorekeeper import table

pytestmark = [pytest.mark.browser, pytest.mark.server("what one device hands to another lies with a server meanwhile")]


def titles(page):
    found = page.get_by_role("region", name="我的桌").locator("li a > b")
    found.first.wait_for()
    return found.all_inner_texts()


def test_tables_go_on_on_another_phone(visit):
    old = table(visit)
    old.goto(old.url.split("/scorekeeper")[0] + "/scorekeeper")
    mine = titles(old)
    assert len(mine) == 1
    old.get_by_role("link", name="换设备接着用").click()
    old.get_by_text("1 张记分桌").wait_for()
    old.get_by_role("button", name="获取代码").click()
    code = old.locator("[data-code]").inner_text()
    assert re.fullmatch(r"(\w{4}-){2}\w{4}", code)
    old.get_by_role("img", name="用另一台设备扫").wait_for()

    new = visit(f"/transfer#{code}", size="phone")
    field = new.get_by_label("另一台设备上的代码")
    assert field.input_value() == code
    assert code not in new.url  # it stays in no history
    new.get_by_role("button", name="转到本机").tap()
    new.get_by_text("本机现有 1 张记分桌").wait_for()
    new.goto(new.url.split("/transfer")[0] + "/scorekeeper")
    assert titles(new) == mine

    third = visit("/transfer", size="phone")
    third.get_by_label("另一台设备上的代码").fill(code)
    third.get_by_role("button", name="转到本机").tap()
    third.get_by_text("代码不对、用过了或过期了。").wait_for()

    # an account: what is here becomes its, and is there after logging in elsewhere
    new.goto(new.url.split("/scorekeeper")[0] + "/transfer")
    for page, way in ((new, "注册"), (third, "登录")):
        page.get_by_role("button", name="登录、注册").tap()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name=way, exact=True).first.tap()
        dialog.get_by_label("名字").fill("记分的林")
        dialog.get_by_label(re.compile("^密码")).fill("correct horse 马")
        dialog.get_by_role("button", name={"注册": "注册并登录"}.get(way, way)).last.tap()
        page.get_by_text("随账号同步").first.wait_for()
        page.get_by_text("1 张记分桌").first.wait_for()
    third.goto(third.url.split("/transfer")[0] + "/scorekeeper")
    assert titles(third) == mine
    third.goto(third.url.split("/scorekeeper")[0] + "/transfer")
    third.get_by_role("button", name="账号设置").tap()
    third.get_by_role("dialog").get_by_role("button", name="退出登录").tap()
    third.get_by_text("0 张记分桌").wait_for()  # who uses this phone next finds nothing of it
