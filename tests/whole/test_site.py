"""Links between the pages of the site, without what builds it; `make site` fails on a broken one as well."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.browser import browser_path

CI = Path(__file__).parents[2] / ".ci"
CODE = re.compile(r"^(```+).*?^\1$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`.ci/site.py`, which makes its pages in a folder of the test; no tutorial is executed."""
    monkeypatch.setattr(sys, "path", [str(CI), *sys.path])
    spec = importlib.util.spec_from_file_location("site_of_quepu", CI / "site.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    monkeypatch.setattr(made, "PAGES", tmp_path)
    device = tmp_path_factory.mktemp("device")  # the page that scores, built or not
    for module in (made, sys.modules["site_books"]):
        monkeypatch.setattr(module, "DEVICE", device)
    monkeypatch.setattr(made, "executed", lambda source, lang: source.read_text(encoding="utf-8"))
    monkeypatch.setattr(made, "with_outputs", lambda text: text)
    return made


def links(text: str) -> Iterator[str]:
    """Where a page leads within the site."""
    for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", text)):
        if not re.match(r"\w+:|#", target):
            yield re.split("[#?]", target)[0]


@pytest.mark.long
def test_every_link_of_a_page_leads_to_a_page(site: Any, tmp_path: Path) -> None:
    nav = site.pages()
    made = list(tmp_path.rglob("*.md"))
    assert len(made) > 1000 and tmp_path / "zh" / "try.md" in made
    for path in made:
        for target in links(path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.relative_to(tmp_path)}: {target}"
    for lang in ("zh", "en"):
        assert "](../examples/ppo.py)" in (tmp_path / lang / "tutorials" / "environment.md").read_text(encoding="utf-8")
    yaml = pytest.importorskip("yaml", reason="the extra [site] is not installed")
    assert "A belief about the others' hands" in str(yaml.safe_load("\n".join(nav)))
    listed = re.findall(r"[\w./-]+\.md", "\n".join(nav))
    assert len(listed) > 50 and all((tmp_path / one).is_file() for one in listed)


def test_a_title_may_have_any_quotes(site: Any) -> None:
    title = """The others' "hands": a `belief` #1"""
    yaml = pytest.importorskip("yaml", reason="the extra [site] is not installed")
    assert yaml.safe_load(site.entry(title, "zh/docs/belief.md")) == [{title: "zh/docs/belief.md"}]


@pytest.mark.parametrize(
    "package",
    [
        "quepu", "quepu.arena", "quepu.batch", "quepu.bots", "quepu.lab", "quepu.logs", "quepu.match", "quepu.review",
        "quepu.rl", "quepu.table", "quepu.tournament",
    ],
)  # fmt: skip
def test_every_public_name_stands_in_the_reference(site: Any, package: str) -> None:
    pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")
    found = importlib.import_module(package)
    names = getattr(found, "__all__", None) or [name for name in vars(found) if name[0] != "_"]
    missing = set()
    for name in names:
        one = getattr(found, name)
        module = getattr(one, "__module__", None) or ""
        if module.partition(".")[0] == "quepu":
            if module not in site.MODULES or not one.__doc__:
                missing.add(f"{module}.{name}")
        elif package != "quepu.lab" and name not in described_values(site.MODULES):
            missing.add(name)  # a value or the name of a type
    assert not missing, sorted(missing)


@cache
def described_values(modules: tuple[str, ...]) -> set[str]:
    """Return the names of values with a docstring below them, which the reference shows."""
    found: set[str] = set()
    for name in modules:
        path = CI.parent / "src" / Path(*name.split("."))
        text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
        for one, below in pairwise(ast.parse(text).body):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_first_page_shows_what_this_is_in_both_languages(site: Any) -> None:
    shown = site.front_page()
    assert all(f"pictures/table.{lang}.light.webp" in shown for lang in ("zh", "en"))
    for target in re.findall(r"pictures/[\w.]+", shown):
        assert (CI.parent / "docs" / target).is_file()
    for lang, words in (("zh", "雀谱是"), ("en", "quepu is")):
        assert words in shown and f"({lang}/index.md)" in shown and f"({lang}/tutorials/score.md)" in shown


@pytest.mark.long
def test_the_comparison_of_editions_is_what_its_command_prints(site: Any) -> None:
    written = (CI.parent / "docs" / "reference" / "compare-26-29.md").read_text(encoding="utf-8")
    assert site.with_output(written, "zh") == written
    english = site.with_output(written, "en")
    assert "## Lingque, 26th edition" in english and english.startswith(written[: written.index("\n## ")])
    assert site.with_output("# Another\n\n## Part\n", "en") == "# Another\n\n## Part\n"


def test_the_menu_lists_every_version_and_the_first_page_opens_the_latest(site: Any, tmp_path: Path) -> None:
    for name in ("0.9.0", "0.10.0", "0.11.0rc1", "assets", "0.8.0"):
        (tmp_path / name).mkdir()
        if name != "0.8.0":  # nothing was built there
            (tmp_path / name / "index.html").write_text("", encoding="utf-8")
    site.list_versions(tmp_path)
    listed = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [one["version"] for one in listed] == ["0.11.0rc1", "0.10.0", "0.9.0"]
    assert [one["aliases"] for one in listed] == [[], ["latest"], []]
    assert 'url=0.10.0/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_site_of_one_pre_release_opens_it(site: Any, tmp_path: Path) -> None:
    (tmp_path / "0.2.0rc1").mkdir()
    (tmp_path / "0.2.0rc1" / "index.html").write_text("", encoding="utf-8")
    site.list_versions(tmp_path)
    assert 'url=0.2.0rc1/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_theme_speaks_the_language_of_a_page_and_finds_chinese_words(
    site: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its words, the banner of older versions, and the words that the search is made of."""
    for name in ("material", "mkdocstrings", "jieba"):
        pytest.importorskip(name, reason="the extra [site] is not installed")
    folder = tmp_path_factory.mktemp("built")
    made, nav = folder / "1.0", ["  - zh/index.md", "  - en/index.md"]
    site.page("zh/index.md", "# 清一色\n\n吃、碰、杠都是副露；还差一张就听牌，先求和牌。\n\n## 混一色\n\n清，和。")
    site.page("en/index.md", "# Full Flush\n\nAll tiles of one suit.")
    config = folder / "mkdocs.yml"
    config.write_text(site.configuration(tmp_path, made, nav), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(config)],
        check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    for lang, words, older in (
        ("zh", ("搜索", "目录", "选择当前语言"), "这是旧版本的文档"),
        ("en", ("Search", "Table of contents", "Select language"), "describes an older version"),
    ):
        text = (made / lang / "index.html").read_text(encoding="utf-8")
        assert (
            'base=new URL("..",location)' in text
            and f'<html lang="{lang}"' in text
            and older in text
            and 'href="../../index.html"' in text
        )
        for word in words:
            assert word in text, (lang, word)
    index = json.loads((made / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {
        word for one in index["docs"] for word in re.split(r"[\s\u200b]+|<[^>]*>", f"{one['title']} {one['text']}")
    }
    assert index["config"]["lang"] == ["en", "zh"] and {"清一色", "听牌", "和牌"} < found
    site.mend_query(made)
    assert search_for(folder, ["和牌", "清一色", "suit"]) == ["清一色", "清一色", "Full Flush"]
    with pytest.raises(SystemExit, match="no longer"):
        site.mend_query(made)


def search_for(folder: Path, queries: list[str]) -> list[str]:
    """Return the title of the first page that the search of a built site finds for each query, in a browser."""
    browsers = pytest.importorskip("playwright.sync_api", reason="the extra [dev] is not installed")
    if browser_path() is None:
        pytest.skip("no Chromium is installed")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    found = []
    try:
        with browsers.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), timeout=180_000)
            for query in queries:
                page = browser.new_page()
                page.goto(f"http://127.0.0.1:{server.server_address[1]}/1.0/zh/index.html")
                page.click(".md-search__input")
                page.keyboard.type(query)
                page.keyboard.press("End")
                found.append(page.locator(".md-search-result__item h1").first.inner_text(timeout=120_000))
                page.close()
            browser.close()
    finally:
        server.shutdown()
        server.server_close()
    return [title.replace("\u200b", "") for title in found]
