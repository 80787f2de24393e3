# ruff: noqa
import os
import time
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.browser
t0 = time.time()


def log(*a):
    print(round(time.time() - t0, 1), *a, flush=True, file=open("/tmp/walk.txt", "a"))


@pytest.mark.parametrize(("lang", "size"), [("zh", (1280, 800)), ("en", (390, 664))])
def test_walk(visit, site, lang, size):
    os.makedirs("/tmp/shots", exist_ok=True)
    errs = []
    page = visit("/workshop?rules=yuque-54", lang=lang)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    T = lambda zh, en: zh if lang == "zh" else en
    draft = 'base = "yuque-54"\n[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\nclass = "连顺、连刻"\n'
    page.goto(site + f"/workshop?house={quote(draft)}")
    page.wait_for_timeout(3000)
    page.screenshot(path=f"/tmp/shots/{lang}1.png")
    log(lang, "open", errs[:3])
    try:
        page.locator(".name code").first.click(timeout=20000)
        page.wait_for_timeout(6000)
        page.locator("#formula").scroll_into_view_if_needed()
        page.screenshot(path=f"/tmp/shots/{lang}2.png")
        log("fan open")
        page.locator("#formula").fill("有(刻子) 且 无此番")
        page.wait_for_timeout(1500)
        page.screenshot(path=f"/tmp/shots/{lang}3.png")
        page.locator("#formula").fill("有(相连(顺子, 2))")
        page.wait_for_timeout(1500)
        page.get_by_role("button", name=T("提出建议", "Propose residues")).click()
        page.locator(".long li").first.wait_for(timeout=60000)
        page.locator(".long").scroll_into_view_if_needed()
        page.screenshot(path=f"/tmp/shots/{lang}4.png")
        log("residues")
        page.locator(".long li").first.get_by_role("button", name=T("采纳", "Accept")).click()
        page.locator(".long li").first.get_by_role("button", name=T("另定", "Overrule")).click()
        page.wait_for_timeout(500)
        page.screenshot(path=f"/tmp/shots/{lang}5.png")
        # a fan of the book
        page.get_by_label(T("找番种", "Find a fan")).fill("混一色:萬")
        page.wait_for_timeout(500)
        page.locator("li .name").filter(has_text="混一色").first.click()
        page.wait_for_timeout(400)
        for s in page.locator(".more summary").all():
            s.click()
        page.wait_for_timeout(5000)
        page.locator("#changed-formula").scroll_into_view_if_needed()
        page.screenshot(path=f"/tmp/shots/{lang}6.png", full_page=False)
        log("changed fan")
        # questions
        page.get_by_label(T("哪个问题", "Which question")).select_option("yuque-12")
        page.get_by_role("button", name=T("开始", "Begin")).click()
        page.locator(".choice").first.wait_for(timeout=100000)
        page.locator(".choice").first.scroll_into_view_if_needed()
        page.screenshot(path=f"/tmp/shots/{lang}7.png")
        log("question")
        while page.locator(".choice").count():
            page.locator(".choice").last.click()
            page.wait_for_timeout(300)
        page.get_by_role("button", name=T("把裁定写进草稿", "Put the ruling into the draft")).click()
        page.wait_for_timeout(500)
        page.screenshot(path=f"/tmp/shots/{lang}8.png")
        log(page.get_by_label(T("规则文件", "Rules file")).first.input_value())
        # effects
        if lang == "en":
            page.get_by_text("Effects").first.click()
        page.get_by_text(T("按通则检查", "Checks")).first.scroll_into_view_if_needed(timeout=60000)
        page.wait_for_timeout(1500)
        page.screenshot(path=f"/tmp/shots/{lang}9.png")
        log("checks")
        page.get_by_role("button", name=T("四步高不计二步高", "四步高 leaves out 二步高")).click(timeout=30000)
        page.wait_for_timeout(1500)
        if lang == "en":
            page.get_by_text("Edit").first.click()
        log(page.get_by_label(T("规则文件", "Rules file")).first.input_value()[-200:])
        page.get_by_label(T("规则文件", "Rules file")).first.scroll_into_view_if_needed()
        page.screenshot(path=f"/tmp/shots/{lang}10.png")
        with page.expect_download(timeout=60000) as d:
            page.get_by_role("button", name=T("改动说明", "List of changes")).click()
        log(open(d.value.path()).read()[:300])
        with page.expect_download(timeout=60000) as d:
            page.get_by_role("button", name=T("写成 Python", "As Python")).click()
        log(open(d.value.path()).read()[:200])
        page.get_by_role("button", name=T("和朋友开一桌", "Table with friends")).click()
        page.wait_for_url("**/play/*", timeout=30000)
        page.wait_for_timeout(2500)
        page.screenshot(path=f"/tmp/shots/{lang}11.png")
        log("table", page.url)
    except Exception as e:
        log("FAILED", str(e)[:600])
        page.screenshot(path=f"/tmp/shots/{lang}-failed.png")
    log("scroll", page.evaluate("document.documentElement.scrollWidth - innerWidth"), errs[:5])
