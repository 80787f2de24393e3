"""Every command and every line of Python in the documents is run, and prints what the document says.

After a change of output, `python -m tests.test_documents` writes the new output into the documents; read the diff.
"""

from __future__ import annotations

import contextlib
import doctest
import fnmatch
import importlib
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import quepu
from quepu.cli import run
from quepu.cli.declared import COMMANDS
from quepu.cli.program import program
from quepu.rulebooks.house_rules import read
from tests.guides import followed

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "README.en.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
TRANSLATED = [path for path in DOCUMENTS if path.name.endswith(".zh.md") and path.parent.name in ("guide", "reference")]
"""Their code is that of the English document (test_translations.py) and is run there; commands print Chinese here."""
GUIDES = ("first-fan", "first-book")
"""Their commands are run as if they had been followed."""
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"[\w./<>…-]+\.(?:py|ts|svelte|toml|json|md)(?!\w)|(?<![\w/])(?:[\w<>-]+/)+(?=$|[ )])")
"""A file or folder that is named among code."""
NOT_HERE = (
    "my_bot.py",
    "club.toml",
    "hongkong.toml",
    "src/quepu/server/static/",
    "tests/tuidao/stated.py",
    "answers.jsonl",
    "report.json",
)
"""The reader's own, and what is built."""
WIDTH = "100"


def consoles(text: str) -> Iterator[re.Match[str]]:
    return (fence for fence in FENCE.finditer(text) if fence[1] == "console")


def printed(command: str, files: dict[str, str], lang: str) -> str:
    """What a command line prints, in a folder that holds these files."""
    words = shlex.split(command)
    data = ""
    if words[0] == "echo":
        data, words = words[1] + "\n", words[words.index("|") + 1 :]
    assert words[0] == "quepu", command
    out = io.StringIO()
    before = Path.cwd()
    old = {key: os.environ.get(key) for key in ("COLUMNS", "QUEPU_LANG", "NO_COLOR")}
    os.environ.update(COLUMNS=WIDTH, QUEPU_LANG=lang, NO_COLOR="1")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            if data:
                (Path(folder) / "stdin").write_text(data, encoding="utf-8")
                words.append("stdin")
            run(words[1:])
        finally:
            os.chdir(before)
            for key, value in old.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")


def replayed(text: str, lang: str) -> str:
    """The document with the output of its commands as it is now."""
    files = {
        m[1].splitlines()[0].removeprefix("# "): m[1] for m in re.finditer(r"^```toml\n(# .*?)^```$", text, re.M | re.S)
    }

    def again(fence: re.Match[str]) -> str:
        if fence[1] != "console":
            return fence[0]
        commands = [line for line in fence[2].splitlines() if line.startswith("$ ")]
        parts = [f"{command}\n{printed(command[2:], files, lang)}" for command in commands]
        return "```console\n" + "\n\n".join(parts) + "\n```"

    return FENCE.sub(again, text)


def language(path: Path) -> str:
    return "zh" if path.name == "README.md" or path.name.endswith(".zh.md") else "en"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_print_what_the_document_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with followed() if path.name.partition(".")[0] in GUIDES else contextlib.nullcontext():
        assert replayed(text, language(path)) == text


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path not in TRANSLATED], ids=lambda path: path.name)
def test_python_in_the_document_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_LANG", language(path))
    text = re.sub(r"^```.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def fences(kind: str) -> list[tuple[str, str]]:
    """Document and text of every fence of this kind."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in DOCUMENTS if path not in TRANSLATED)
    return [(path.name, fence[2]) for path, text in texts for fence in FENCE.finditer(text) if fence[1] == kind]


@pytest.mark.parametrize(("name", "text"), fences("toml"))
def test_toml_in_a_document_is_read(name: str, text: str) -> None:
    """House rules make a book; settings of anything else are TOML."""
    if "base" in tomllib.loads(text):
        assert read(text).fans, name


@pytest.mark.parametrize(("name", "text"), fences("sh"))
def test_shell_in_a_document_is_understood(name: str, text: str) -> None:
    """What needs another machine is not run: the shell reads it, and quepu and make know every command and option."""
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("no shell")
    assert subprocess.run([shell, "-n"], input=text, text=True, check=False).returncode == 0
    for part in re.split(r"\n|&&|\|", text):
        words = shlex.split(part.partition(" > ")[0], comments=True)
        words = words[3:] if words[:2] == ["sudo", "-u"] else words
        called = words[0].rpartition("/")[2] if words else ""
        if called == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), part
        if called != "quepu":
            continue
        command: click.Command = program()
        rest = words[1:]
        while isinstance(command, click.Group) and rest:
            found = command.get_command(click.Context(command), rest[0])
            assert found is not None, part
            command, rest = found, rest[1:]
        command.make_context("quepu", rest)  # refuses what it does not know


def test_the_python_of_the_readmes_is_typed(tmp_path: Path) -> None:
    """A reader who copies it into a strictly typed program gets no complaint."""
    api = pytest.importorskip("mypy.api")
    copied = []
    for name in ("README.md", "README.en.md"):
        copied.append(tmp_path / f"{name.replace('.', '_')}.py")
        examples = doctest.DocTestParser().get_examples((ROOT / name).read_text(encoding="utf-8"))
        assert examples, name
        copied[-1].write_text("".join(example.source for example in examples), encoding="utf-8")
    out, errors, status = api.run(["--config-file", str(ROOT / "pyproject.toml"), *map(str, copied)])
    assert status == 0, out + errors


def test_the_front_pages_have_something_to_run() -> None:
    for name in ("README.md", "README.en.md"):
        assert (ROOT / name).read_text(encoding="utf-8").count(">>> ") >= 4
    text = (ROOT / "docs" / "guide" / "terminal.md").read_text(encoding="utf-8")
    assert len(list(consoles(text))) >= 5


def test_the_readme_shows_pictures_that_load_fast() -> None:
    """At least two on the first screen, in both languages and themes; together at most 400 kB; all of them shown."""
    shown = set()
    for name in ("README.md", "README.en.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        images = re.findall(r'(?:src|srcset)="([^"]+)"', text)
        assert len(re.findall("<img ", text.split("\n## ")[0])) >= 2
        shown |= {ROOT / image for image in images}
    assert shown == set((ROOT / "docs" / "pictures").glob("*.webp"))
    assert sum(path.stat().st_size for path in shown) <= 400_000


def test_the_package_describes_itself_truly() -> None:
    assert doctest.testmod(quepu).failed == 0


def test_every_link_to_a_file_leads_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


@pytest.mark.parametrize(("name", "end"), [("README.md", ".zh.md"), ("README.en.md", ".md")])
def test_the_readme_links_every_guide_and_one_names_every_command(name: str, end: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    terminal = (ROOT / "docs" / "guide" / f"terminal{end}").read_text(encoding="utf-8")
    assert sorted(set(COMMANDS) - set(re.findall(r"`quepu ([\w-]+)`", terminal))) == []
    tutorials = {path.name.split(".")[0] for path in (ROOT / "docs" / "guide" / "tutorials").glob("*.md")}
    for guide in ("table", "bots", "environments", "lab", "operators", *(f"tutorials/{one}" for one in tutorials)):
        assert f"(docs/guide/{guide}{end})" in text, guide


@pytest.mark.parametrize(("name", "lang"), [("README.md", "zh"), ("README.en.md", "en")])
def test_the_table_of_rulebooks_is_complete(name: str, lang: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w-]+)` \| .* \| (\d+ \w+) \|$", text, re.MULTILINE))
    assert listed == {book.id: f"{book.minimum} {book.unit.say(lang)}" for book in quepu.books()}


def test_the_tree_in_the_design_is_the_layers_upside_down() -> None:
    """Every module once, and none above one that it may not import: the layers that import-linter checks."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    tree = next(fence[2] for fence in FENCE.finditer(text) if fence[2].startswith("src/quepu/"))
    named = re.findall(r"(?<=[ \n])(\w+(?:\.py|/))(?= )", tree.split("\nweb/")[0])
    for name in named:
        assert (ROOT / "src" / "quepu" / name).exists(), name
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    height = {name: -at for at, layer in enumerate(layers) for name in re.findall(r"\w+", layer)}
    listed = [name.removesuffix(".py").rstrip("/") for name in named if name != "data/"]
    assert sorted(listed) == sorted(height)
    assert [height[name] for name in listed] == sorted(height.values())


def test_the_picture_of_the_architecture_is_drawn_from_todays_imports() -> None:
    drawing = runpy.run_path(str(ROOT / "docs" / "architecture.py"))["drawn"]
    assert (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8") == drawing(), (
        "run python docs/architecture.py"
    )


@pytest.mark.parametrize("package", ["lab", "fast", "server", "server/rooms"])
def test_a_package_says_where_its_modules_stand(package: str) -> None:
    folder = ROOT / "src" / "quepu" / package
    listed = re.findall(r"\w+", folder.joinpath("__init__.py").read_text(encoding="utf-8").split('"""')[1])
    for path in folder.iterdir():
        if path.suffix == ".py" or (path / "__init__.py").exists():
            assert path.stem in (*listed, "__init__") or path.stem.endswith(("_api", "_messages")), path.stem


def test_every_file_and_module_that_the_documents_name_is_there() -> None:
    folders = [
        ROOT / name
        for name in ("src", "tests", "bench", "docs", "deploy", "examples", "web/src", "web/tiles", "web/device")
    ]
    paths = [path for folder in folders for path in (folder, *folder.rglob("*"))] + list(ROOT.iterdir())
    there = [f"/{path.relative_to(ROOT)}" for path in paths]
    for path in DOCUMENTS:
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        for words in re.findall(r"`([^`\n]+)`", text):
            for name in NAMED.findall(words):
                pattern = "*/" + re.sub(r"<\w+>|…|BOOK", "*", name.rstrip("/"))
                not_ours = name.startswith((".", "/")) or name in NOT_HERE
                assert not_ours or fnmatch.filter(there, pattern), f"{path.name}: {name}"
            for name in re.findall(r"\bquepu(?:\.\w+)+", words):
                assert _resolved(name), f"{path.name}: {name}"


def _resolved(name: str) -> bool:
    """Whether a dotted name is a module of quepu, or something that one has."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            found: object = importlib.import_module(".".join(parts[:n]))
            for part in parts[n:]:
                if not hasattr(found, part):
                    return False
                found = getattr(found, part)
            return True
    return False


if __name__ == "__main__":
    for document in DOCUMENTS:
        source = document.read_text(encoding="utf-8")
        with followed() if document.name.partition(".")[0] in GUIDES else contextlib.nullcontext():
            document.write_text(replayed(source, language(document)), encoding="utf-8")
    sys.exit(0)


PUBLIC = (
    "quepu", "quepu.rl", "quepu.arena", "quepu.table", "quepu.tournament", "quepu.batch", "quepu.match",
    "quepu.match.imports", "quepu.logs", "quepu.bots.protocol", "quepu.review", "quepu.rl.data", "quepu.rl.sb3",
    "quepu.rl.action_numbers", "quepu.rl.encodings", "quepu.rl.layout", "quepu.lab.rarity", "quepu.lab.compare",
    "quepu.lab.find_hand",
)  # fmt: skip
"""Modules for users; the reference also has those that they are made of."""
HEAVY = ("quepu.bots.protocol", "quepu.review", "quepu.lab.rarity", "quepu.lab.compare", "quepu.lab.find_hand")
"""Modules whose examples take a second and more."""


def public_objects(name: str) -> Iterator[tuple[str, object]]:
    """Yield the classes and functions that a module offers, without its errors and what it has from another one."""
    module = importlib.import_module(name)
    own = [one for one, value in vars(module).items() if one[0] != "_" and getattr(value, "__module__", "") == name]
    for one in getattr(module, "__all__", own):
        value = getattr(module, one)
        inner = any(value is getattr(sys.modules.get(other), one, None) for other in PUBLIC[: PUBLIC.index(name)])
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception)) and not inner:
            yield f"{name}.{one}", value


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.long] * (one in HEAVY)) for one in PUBLIC])
def test_public_names_have_an_example_that_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if ".rl" in name:
        pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")
    if name.endswith("sb3"):
        pytest.importorskip("stable_baselines3", reason="the extra [sb3] is not installed")
    monkeypatch.chdir(tmp_path)
    finder, runner, without = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(), []
    for called, value in public_objects(name):
        for test in finder.find(value, called, sys.modules[value.__module__]):
            without += [called] * (not test.examples)
            runner.run(test, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0
    assert without == []
