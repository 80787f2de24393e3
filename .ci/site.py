"""The site: pages of every book and fan out of the books themselves, the documents, an API reference.

    python .ci/site.py [--serve]

Pages are made in build/site-pages and built by mkdocs, strictly: a broken link fails. Commands and Python of the
documents are run by tests/test_documents.py; tutorials are executed here, as notebooks (notebooks.py), so no page shows
what the program does not do. Where the client's offline part is built, a page scores hands by it in the browser.
It is written to site/VERSION/, next to the versions that are there (site_versions.py).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from notebooks import executed  # noqa: E402
from notebooks import page as with_outputs  # noqa: E402
from site_books import DEVICE, book_page, fan_file, fan_page  # noqa: E402
from site_lists import MODULES, WORDS  # noqa: E402
from site_search import mend_query, write_words  # noqa: E402
from site_versions import list_versions  # noqa: E402

import quepu  # noqa: E402  # of this checkout
from quepu.arena.study import study  # noqa: E402

PAGES = ROOT / "build" / "site-pages"
LIVE = Path(__file__).parent / "calculator"
THEME = Path(__file__).parent / "theme"
EXAMPLES = ROOT / "examples"
"""Scripts that documents name; they stand on the site as files."""
NO_SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>\n'
"""The theme asks each language for one; addresses are known only where the site is published."""
TWO_LANGUAGES = ("compare-26-29.md", "glossary.md", "privacy.md")
"""Documents that stand in one file for both languages."""
CONFIG = """\
site_name: quepu 雀谱
extra_css: [quepu.css]
extra:
  version: {{provider: mike}}  # the menu that reads versions.json
  alternate:
    - {{name: 中文, link: ./zh/index.html, lang: zh}}
    - {{name: English, link: ./en/index.html, lang: en}}
docs_dir: {pages}
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  custom_dir: {theme}
  language: en  # on Chinese pages zh: theme/partials/language.html
  font: false
  features: [navigation.indexes, navigation.top, navigation.prune, search.suggest, content.code.copy]
  palette:
    - {{media: "(prefers-color-scheme: light)", scheme: default}}
    - {{media: "(prefers-color-scheme: dark)", scheme: slate}}
plugins:
  - search:
      lang: [en, zh]
      separator: '[\\s\\u200b\\u3000\\-、。，．？！；：（）《》“”]+'
      jieba_dict_user: {words}
  - mkdocstrings:
      handlers:
        python:
          paths: [{source}]
          options:
            docstring_style: google
            docstring_options:
              returns_multiple_items: false
              warn_unknown_params: false  # keywords of a TypedDict
              warn_missing_types: false
            docstring_section_style: list  # tables are too wide for phones
            separate_signature: true
            show_attribute_values: false
            show_source: false
            members_order: source
            heading_level: 2
markdown_extensions:
  - tables
  - attr_list
  - md_in_html
  - admonition
  - pymdownx.superfences
  - toc:  # names of places as GitHub makes them, for links to Chinese headings too
      slugify: !!python/object/apply:pymdownx.slugs.slugify {{kwds: {{case: lower}}}}
validation: {{links: {{not_found: warn, unrecognized_links: warn, anchors: warn}}}}
nav:
{nav}
"""


def page(path: str, text: str) -> None:
    """Write one page."""
    file = PAGES / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.rstrip() + "\n", encoding="utf-8")


def site_path(file: Path) -> str | None:
    """Return where a file of the repository is found below a language's folder of the site; None if it is not there."""
    name = f"{file.name.removesuffix('.md').removesuffix('.zh')}.md"
    if file == ROOT / "bench" / "results.md":
        return "docs/figures.md"
    if file.parent == EXAMPLES and file.is_file():
        return f"examples/{file.name}"
    if file.suffix != ".md" or not file.is_file():
        return None
    if file.parent == ROOT / "docs" / "guide" / "tutorials":
        return f"tutorials/{name}"
    if file.is_relative_to(ROOT / "docs") or file in (ROOT / "CONTRIBUTING.md", *ROOT.glob("CHANGELOG*.md")):
        return f"docs/{name}"
    return None


def link(text: str, source: Path, lang: str, here: str) -> str:
    """Turn links between files of the repository into links between pages of the site.

    A link to a document leads to the same language, one to the same page in the other language to that language;
    a link to a file that is not a page becomes plain text.

    Args:
        text: a document's Markdown.
        source: the document's file.
        lang: "zh" or "en".
        here: the page's folder below the language's, "" or "docs".
    """
    up = "../" if here else ""
    other = "zh" if lang == "en" else "en"

    def linked(match: re.Match[str]) -> str:
        target, mark, place = match[2].partition("#")
        found = (source.parent / target).resolve()
        if found.parent == ROOT and found.name.startswith("README"):
            return f"[{match[1]}](../{other}/index.md)"
        path = site_path(found)
        if path is None:
            return match[1]
        if path == site_path(source) and match[1] in ("中文", "English"):
            return f"[{match[1]}](../{up}{other}/{path})"
        return f"[{match[1]}]({up}{path}{mark}{place})"

    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)]+)\)", linked, text)


def with_output(text: str, lang: str) -> str:
    """Replace the tables of a document by the output, in this language, of the `quepu lab` command that it names."""
    named = re.search(r"^    quepu (lab .+) --markdown \S+$", text, re.MULTILINE)
    if named is None:
        return text
    command = [sys.executable, "-m", "quepu", "--lang", lang, *named[1].split(), "--markdown", "-"]
    made = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", cwd=ROOT / "src").stdout
    return text[: text.index("\n## ") + 1] + made[made.index("## ") :]


def documents(lang: str) -> Iterator[tuple[str, str]]:
    """The documents of the repository in this language, in English where they have no other."""
    docs = ROOT / "docs"
    folders = (docs, docs / "guide", docs / "reference", docs / "decisions")
    sources = [source for folder in folders for source in sorted(folder.glob("*.md"))]
    for source in (*sources, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        if source.name.endswith(".zh.md"):
            continue
        chinese, name = source.with_suffix(".zh.md"), source.name
        read = chinese if lang == "zh" and chinese.is_file() else source
        text = link(with_output(read.read_text(encoding="utf-8"), lang), read, lang, "docs")
        title = next((line[2:] for line in text.splitlines() if line.startswith("# ")), name)
        if lang == "zh" and not chinese.is_file() and source.name not in TWO_LANGUAGES:
            title = f"{title}（英文）"
            text = f"---\nsearch:\n  exclude: true\n---\n\n{text}"  # found in its own half
        page(f"{lang}/docs/{name}", text)
        yield f"{lang}/docs/{name}", title


def tutorials(lang: str) -> Iterator[tuple[str, str]]:
    """The tutorials of a language as executed notebooks: a page each, and the notebook to download beside it."""
    for source in sorted((ROOT / "docs" / "guide" / "tutorials").glob("*.md")):
        if source.name.endswith(".zh.md") is not (lang == "zh"):
            continue
        name = source.name.partition(".")[0]
        made = executed(source, lang)
        text = link(with_outputs(made), source, lang, "tutorials")
        title, _, rest = text.partition("\n")
        page(f"{lang}/tutorials/{name}.md", f"{title}\n\n[{WORDS[lang]['notebook']}]({name}.ipynb)\n{rest}")
        notebook = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        (PAGES / lang / "tutorials" / f"{name}.ipynb").write_text(notebook, encoding="utf-8")
        yield f"{lang}/tutorials/{name}.md", title.removeprefix("# ")


def figures_page(lang: str) -> str:
    """Return the tables of measured figures."""
    source = ROOT / "bench" / "results.md"
    text = source.read_text(encoding="utf-8").replace("[history.jsonl](history.jsonl)", "a history")
    return link(text, source, lang, "docs")


def studies(lang: str) -> str:
    """Write the study of each book's values (`quepu lab study`) with its data; return the page that lists them."""
    folder = PAGES / lang / "studies"
    folder.mkdir(parents=True)
    lines = [f"# {WORDS[lang]['studies']}", ""]
    for book in quepu.books():
        made = study(book, lang)
        (folder / f"{book.id}.html").write_text(made.html, encoding="utf-8")
        data = json.dumps(made.data, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{book.id}.json").write_text(data + "\n", encoding="utf-8")
        lines.append(f"- [{book.title.say(lang)}]({book.id}.html) ([JSON]({book.id}.json))")
    return "\n".join(lines)


def calculator(lang: str) -> str:
    """The page that scores hands in the browser."""
    text = (LIVE / f"page.{lang}.html").read_text(encoding="utf-8")
    options = "".join(f'<option value="{book.id}">{escape(book.title.say(lang))}</option>' for book in quepu.books())
    return f"# {WORDS[lang]['try']}\n\n{text.replace('<!-- books -->', options)}"


def home(lang: str) -> str:
    """The README in this language, its links into the repository as text or to the pages here."""
    source = ROOT / ("README.md" if lang == "zh" else "README.en.md")
    text = link(source.read_text(encoding="utf-8"), source, lang, "")
    return text.replace('"docs/pictures/', '"../pictures/')


def front_page() -> str:
    """The first page: in either language the first sentences of the README, its first picture, and where to go on."""
    lines = ["# quepu 雀谱"]
    for lang, title in (("zh", "中文"), ("en", "English")):
        text = (ROOT / ("README.md" if lang == "zh" else "README.en.md")).read_text(encoding="utf-8")
        picture = re.search(r"<picture>.*?</picture>", text)
        if picture is None:
            raise SystemExit(f"the README has no picture for the first page ({lang})")
        words = WORDS[lang]
        further = {title: "index.md", words["tutorials"]: "tutorials/score.md", words["studies"]: "studies/index.md"}
        further |= {words["try"]: "try.md"} if DEVICE.is_dir() else {}
        lines += [f"## {title}", text.split("\n\n")[1], picture[0].replace('"docs/pictures/', '"pictures/')]
        lines.append(" · ".join(f"[{name}]({lang}/{path})" for name, path in further.items()))
    return "\n\n".join(lines)


def entry(title: str, path: str) -> str:
    """Return a page's line in the table of contents."""
    return f"      - {json.dumps(title, ensure_ascii=False)}: {path}"


def pages() -> list[str]:
    """Make every page in PAGES; returns the lines of the table of contents."""
    shutil.rmtree(PAGES, ignore_errors=True)
    nav: list[str] = []
    shutil.copytree(ROOT / "docs" / "pictures", PAGES / "pictures")
    page("index.md", front_page())
    nav.append("  - quepu: index.md")
    for lang, title in (("zh", "中文"), ("en", "English")):
        quepu.language(lang)  # of what is drawn
        page(f"{lang}/index.md", home(lang))
        (PAGES / lang / "sitemap.xml").write_text(NO_SITEMAP, encoding="utf-8")
        nav += [f"  - {title}:", f"    - {lang}/index.md", f"    - {WORDS[lang]['books']}:"]
        for book in quepu.books():
            folder = f"{lang}/{book.id}"
            page(f"{folder}/index.md", book_page(book, lang))
            nav.append(entry(book.title.say(lang), f"{folder}/index.md"))
            for number in range(len(book.fans)):
                page(f"{folder}/{fan_file(book, number)}", fan_page(book, number, lang))
        nav.append(f"    - {WORDS[lang]['tutorials']}:")
        nav += [entry(title, path) for path, title in tutorials(lang)]
        if DEVICE.is_dir():
            page(f"{lang}/try.md", calculator(lang))
            nav.append(f"    - {WORDS[lang]['try']}: {lang}/try.md")
        nav.append(f"    - {WORDS[lang]['documents']}:")
        nav += [entry(title, path) for path, title in documents(lang)]
        page(f"{lang}/docs/figures.md", figures_page(lang))
        nav.append(entry(WORDS[lang]["figures"], f"{lang}/docs/figures.md"))
        page(f"{lang}/studies/index.md", studies(lang))
        nav.append(entry(WORDS[lang]["studies"], f"{lang}/studies/index.md"))
        (PAGES / lang / "examples").mkdir()
        for example in (*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.npz")):
            shutil.copy2(example, PAGES / lang / "examples" / example.name)
        for extra in (ROOT / "docs").glob("*.svg"):
            shutil.copy2(extra, PAGES / lang / "docs" / extra.name)
    nav.append("  - API:")
    for name in MODULES:
        page(f"api/{name}.md", f"# {name}\n\n::: {name}\n")
        nav.append(f"    - {name}: api/{name}.md")
    shutil.copy2(LIVE / "quepu.css", PAGES / "quepu.css")
    if DEVICE.is_dir():
        shutil.copytree(DEVICE, PAGES / "device", ignore=shutil.ignore_patterns("libraries-*"))
        for name in ("page.mjs", "worker.mjs"):
            shutil.copy2(LIVE / name, PAGES / "device" / name)
    return nav


def configuration(pages: Path, site: Path, nav: list[str]) -> str:
    """Return the configuration by which mkdocs makes a site of pages."""
    words = pages.parent / "words.txt"
    write_words(words, (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    return CONFIG.format(pages=pages, site=site, source=ROOT / "src", theme=THEME, words=words, nav="\n".join(nav))


def main() -> int:
    """Make the pages and build them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--serve", action="store_true", help="show them on a port of this machine instead")
    given = parser.parse_args()
    nav = pages()
    config = ROOT / "build" / "mkdocs.yml"
    site = ROOT / "site"
    text = configuration(PAGES, site / quepu.__version__, nav)
    config.write_text(text, encoding="utf-8")
    how = ["serve"] if given.serve else ["build", "--strict", "--quiet"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", *how, "--config-file", str(config)]
    failed = subprocess.run(command, check=False, env=quiet).returncode
    if not failed and not given.serve:
        mend_query(site / quepu.__version__)
        list_versions(site)
    return failed


if __name__ == "__main__":
    sys.exit(main())
