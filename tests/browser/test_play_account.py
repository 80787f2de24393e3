"""Accounts in the browser: optional; with one, a place follows to another device."""

import httpx
import pytest

from quepu.server.rooms import admission
from tests.browser.test_play_table import faults

pytestmark = [pytest.mark.browser, pytest.mark.server("accounts are a server's")]
web = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
"""Patient: a crowded machine answers late."""


def log_in(page, way, name, password):
    page.get_by_role("button", name="登录、注册").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=way, exact=True).first.click()
    dialog.get_by_label("名字").fill(name)
    dialog.get_by_label("密码").fill(password)
    dialog.locator("footer .main").click()


def test_a_place_follows_its_account_to_another_device(visit, axe):
    desk = visit("/play")
    log_in(desk, "注册", "阿竹", "一二三四五六七八")
    account = desk.get_by_role("region", name="账号")
    account.get_by_text("阿竹").wait_for()
    assert desk.get_by_label("你的名字").input_value() == "阿竹"
    desk.get_by_role("button", name="开桌", exact=True).click()
    desk.get_by_role("list", name="座位").get_by_text("阿竹").wait_for()
    desk.get_by_role("button", name="准备，开打").click()
    desk.locator(".own .hand button").nth(12).wait_for()
    phone = visit("/play", size="phone")
    log_in(phone, "登录", "阿竹", "一二三四五六七八")
    phone.get_by_role("region", name="账号").get_by_role("button", name="换到这里").click()
    phone.locator(".own .hand button").nth(12).wait_for()
    desk.get_by_text("这个座位不再是你的。").or_(desk.get_by_text("座位已转到另一台设备。")).wait_for()
    phone.goto(phone.url.rsplit("/", 1)[0])
    phone.get_by_role("region", name="账号").get_by_role("button", name="账号设置").click()
    dialog = phone.get_by_role("dialog")
    dialog.get_by_label("当前密码").fill("不对的密码")
    dialog.get_by_label("密码（至少").fill("另一个不对的密码")
    dialog.get_by_role("button", name="改密码").last.click()
    dialog.get_by_text("密码不对。", exact=True).wait_for()
    dialog.get_by_role("button", name="注销账号").click()
    assert dialog.get_by_text("密码不对。").count() == 0  # that was about the other matter
    assert faults(phone, axe) == []  # the button that deletes for good can be read
    dialog.get_by_role("button", name="退出登录").click()
    phone.get_by_role("button", name="登录、注册").wait_for()


def test_what_is_wrong_is_a_sentence(visit):
    page = visit("/play")
    page.get_by_role("button", name="登录、注册").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("名字").fill("没有这个人")
    dialog.get_by_label("密码").fill("不对的密码")
    dialog.locator("footer .main").click()
    dialog.get_by_text("名字或密码不对。").wait_for()
    dialog.get_by_role("button", name="注册", exact=True).click()
    dialog.get_by_label("密码").fill("short")
    dialog.locator("footer .main").click()
    assert dialog.get_by_label("密码").evaluate("input => input.validity.tooShort")  # the browser says it itself
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


def test_a_lost_player_comes_back_by_the_link_that_his_host_gives_him(visit, site, monkeypatch):
    monkeypatch.setattr(admission, "LOST", 0.0)
    spec = {"name": "阿明", "rules": "lingque-29", "bots": ["", "", "plain", "plain"], "move": 0, "bank": 0, "think": 0}
    host = web.post(f"{site}/api/rooms", json=spec).json()
    room = f"/play/{host['room']}"
    lost = web.post(f"{site}/api{room.replace('play', 'rooms')}/sit", json={"name": "小红"}).json()
    pages = [visit(f"{room}#seat={sat['token']}", size="bars") for sat in (host, lost)]
    for page in pages:
        page.get_by_role("button", name="准备，开打").click()
    pages[0].locator(".own .hand button").nth(12).wait_for()
    pages[1].evaluate("() => localStorage.removeItem('quepu.rooms')")
    pages[1].goto(site + room)  # a spectator now
    pages[1].locator(".board").wait_for()
    pages[0].locator(".away", has_text="小红").wait_for()
    pages[1].get_by_role("button", name="这一桌").click()
    pages[1].get_by_text("由阿明发新链接").wait_for()
    pages[0].get_by_role("button", name="这一桌").click()
    menu = pages[0].get_by_role("dialog")
    menu.get_by_role("button", name="给小红新链接").click()
    link = menu.get_by_label("只发给小红").input_value()
    pages[1].goto("about:blank")
    pages[1].goto(link)
    pages[1].locator(".own .hand button").nth(12).wait_for()
    menu.get_by_text("没有人掉线。").wait_for(state="detached")
    menu.get_by_text("小红的座位链接是阿明发的。").wait_for()
