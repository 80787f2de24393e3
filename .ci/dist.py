"""Build a release into dist/: three wheels, the sdist, an SBOM, and the licences of everything shipped.

    python .ci/dist.py [--url URL]
    python .ci/dist.py --core

`quepu` is the program in Python without its server. `quepu-web` is the server with the built web client, which
`quepu[server]` brings, and `quepu-data` the tables that were computed ahead and the conformance cases, which
`quepu[batch]` brings. The sdist has all of it, and so has a wheel made from it, or from a checkout. The version is
`quepu.__version__`; a commit with a tag must have the tag v and that version. URL (else $QUEPU_URL) is where the
repository is published: links of the package page and the project's URLs are made of it, and are left out without it.

With --core only the core wheel is built, in a temporary folder, and its size checked: a few seconds, without the web
client and without a network. Continuous integration does it before the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
SERVER = Path("src/quepu/server")
STATIC = SERVER / "static"
DATA = Path("src/quepu/data")
MOST_BYTES = 2_000_000
"""The most bytes of the core wheel."""


class Apart(NamedTuple):
    """Folders of the program that are a wheel of their own."""

    folders: tuple[Path, ...]
    extra: str
    """The extra of quepu that installs it."""
    words: str


APART = {
    "quepu-web": Apart((SERVER,), "server", "The web server of quepu 雀谱, with its built client"),
    "quepu-data": Apart(
        (DATA / "classes", DATA / "gains", DATA / "conformance"),
        "batch",
        "Tables and conformance cases of quepu's 雀谱 rulebooks, computed ahead",
    ),
}
WHEEL = """\
[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "{words}, for quepu[{extra}]"
readme = "README.md"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE", "THIRD-PARTY.md"]
authors = [{{ name = "quepu contributors" }}]
classifiers = ["Environment :: Web Environment", "Topic :: Games/Entertainment :: Board Games"]
{urls}
[tool.hatch.build.targets.wheel]
only-include = {folders}
sources = ["src"]
artifacts = {folders}
"""
CHECKOUT = re.compile(r"(?<=^## Quick start\n\n).*?(?=^```python$)", re.MULTILINE | re.DOTALL)
"""The commands for a checkout: all that stands between this heading and the first lines of Python."""
EXTRA = re.compile(r"(?<=[`'])\.(?=[\[`])")
"""The checkout as pip installs it: `.[server]`, or `.` alone."""
INSTALL = """\
Python 3.11 or newer is all it needs:

```sh
python3 -m pip install 'quepu[server]'    # [cli] for the terminal, none or [batch] for the library, [fast] for speed
quepu serve                               # opens the web app: calculator, tables, scorekeeper, practice
```

"""
PICTURE = re.compile(r'<picture>.*?<img src="([^"]+)"[^>]*?alt="([^"]*)"[^>]*></picture>')
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


def version() -> str:
    """The version of the package, checked against the tag of this commit if it has one."""
    text = (ROOT / "src/quepu/version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if not found:
        raise SystemExit("src/quepu/version.py has no __version__")
    tags = output("git", "tag", "--points-at", "HEAD", "v*").split()
    if tags and f"v{found[1]}" not in tags:
        raise SystemExit(f"this commit is tagged {' '.join(tags)}, the package is {found[1]}")
    return found[1]


def output(*command: str) -> str:
    """What a command prints; nothing where there is no repository."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def copied(to: Path) -> None:
    """Copy the sources of this checkout, and the client if it is built."""
    for name in output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    if (ROOT / STATIC).is_dir():
        shutil.copytree(ROOT / STATIC, to / STATIC, dirs_exist_ok=True)


def absolute(text: str, url: str) -> str:
    """A page whose links and pictures work elsewhere than in the repository; without a URL it has neither."""
    text = PICTURE.sub(lambda m: f"![{m[2]}]({url}/raw/main/{m[1]})" if url else m[2], text)
    return LINK.sub(lambda m: f"[{m[1]}]({url}/blob/main/{m[2].removeprefix('./')})" if url else m[1], text)


def installed_from_index(text: str) -> str:
    """A page for who has the package and no checkout: its commands install by name.

    Raises:
        SystemExit: the README's first commands are others than those that are replaced here.
    """
    text, commands = CHECKOUT.subn(INSTALL, text)
    if commands != 1:
        raise SystemExit(
            "README.en.md: .ci/dist.py replaces the commands for a checkout, which stand between the heading "
            "`## Quick start` and the first ```python"
        )
    return EXTRA.sub("quepu", text)


def published(source: Path, url: str) -> str:
    """Make the page of the package, and its URLs, those of a place; returns the table of URLs."""
    page = source / "README.en.md"
    text = installed_from_index(page.read_text(encoding="utf-8"))
    page.write_text(absolute(text, url), encoding="utf-8")
    if not url:
        return ""
    places = {"Homepage": "", "Source": "", "Changelog": "/blob/main/CHANGELOG.md", "Issues": "/issues"}
    urls = "[project.urls]\n" + "".join(f'{name} = "{url}{path}"\n' for name, path in places.items())
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(text.replace("[project.scripts]", f"{urls}\n[project.scripts]", 1), encoding="utf-8")
    return urls


def built(source: Path, target: str, to: Path = DIST) -> None:
    """Build a wheel or an sdist with the backend of the projects, hatchling, as this environment has it."""
    environment = {**os.environ, "QUEPU_WEB": "skip"}  # the client is there
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(to)],
        cwd=source, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])


def parted(source: Path, number: str) -> None:
    """Reduce a copy of the sources to the core: extras bring the folders that are apart."""
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    for name, (folders, extra, _) in APART.items():
        begins = f"\n{extra} = ["
        if text.count(begins) != 1:
            raise SystemExit(f"pyproject.toml has no extra `{extra}`")
        text = text.replace(begins, f'{begins}"{name}=={number}", ', 1)
        for folder in folders:
            shutil.rmtree(source / folder)
    project.write_text(text, encoding="utf-8")


def core_wheel(source: Path, number: str, to: Path) -> Path:
    """Build the core wheel from a copy of the sources, which is reduced to it.

    Raises:
        SystemExit: it is too large, or contains files that another wheel has.
    """
    parted(source, number)
    built(source, "wheel", to)
    (wheel,) = to.glob("quepu-*.whl")
    check_core(wheel)
    return wheel


def check_core(wheel: Path) -> None:
    """Refuse a core wheel that is too large, or has files of another wheel.

    Raises:
        SystemExit: with the largest files of the wheel.
    """
    homes = tuple(f"{folder.relative_to('src').as_posix()}/" for one in APART.values() for folder in one.folders)
    with zipfile.ZipFile(wheel) as archive:
        inside = [name for name in archive.namelist() if name.startswith(homes)]
        large = sorted(archive.infolist(), key=lambda entry: -entry.compress_size)[:5]
    if inside:
        raise SystemExit(f"{wheel.name} has {len(inside)} files that belong to another wheel, such as {inside[0]}")
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        largest = ", ".join(f"{entry.filename} ({entry.compress_size:,})" for entry in large)
        raise SystemExit(
            f"{wheel.name} has {size:,} bytes, {MOST_BYTES:,} is the limit; its largest files are {largest}. "
            "Tables that can be computed again belong to quepu-data: add their folder to APART in .ci/dist.py"
        )


def apart(name: str, source: Path, to: Path, number: str, urls: str) -> None:
    """Build the wheel of folders that are apart."""
    folders, extra, words = APART[name]
    for folder in folders:
        shutil.copytree(source / folder, to / folder)
    for licence in ("LICENSE", "THIRD-PARTY.md"):
        shutil.copy2(source / licence, to / licence)
    brought = f"`pip install 'quepu[{extra}]'` brings it."
    (to / "README.md").write_text(f"# {name}\n\n{words}; {brought}\n", encoding="utf-8")
    listed = json.dumps([folder.as_posix() for folder in folders])
    project = WHEEL.format(name=name, version=number, urls=urls, words=words, extra=extra, folders=listed)
    (to / "pyproject.toml").write_text(project, encoding="utf-8")
    built(to, "wheel")


def bundled() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Folder and package.json of what the client is made of: everything that its lock does not call for tools only."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    for name, entry in sorted(lock["packages"].items()):
        folder = ROOT / "web" / name
        if name and not entry.get("dev") and (folder / "package.json").is_file():
            yield folder, json.loads((folder / "package.json").read_text(encoding="utf-8"))


def on_device() -> Iterator[tuple[Message, str]]:
    """The Python that answers in the browser: the metadata of each library in the bundle, and its licence."""
    for bundle in (ROOT / STATIC / "device").glob("libraries-*.zip"):
        with zipfile.ZipFile(bundle) as archive:
            for name in sorted(archive.namelist()):
                home, _, file = name.partition(".dist-info/")
                if file == "METADATA":
                    texts = [
                        archive.read(other).decode("utf-8", "replace").strip()
                        for other in sorted(archive.namelist())
                        if other.startswith(f"{home}.dist-info/") and re.search(r"(?i)licen[cs]e|copying", other)
                    ]
                    yield message_from_bytes(archive.read(name)), "\n\n".join(texts)


def licence_of(metadata: Message) -> str:
    """What a Python library says its licence is."""
    classifiers = [one.rpartition(" :: ")[2] for one in metadata.get_all("Classifier", []) if one.startswith("License")]
    return metadata["License-Expression"] or ", ".join(classifiers) or metadata["License"] or "see its text"


def licences() -> str:
    """The licence of every package that the client is made of, with its text."""
    parts = ["# Licences of what the web client is made of\n"]
    for folder, package in bundled():
        texts = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|ofl|copying)", path.name))
        found = [path.read_text(encoding="utf-8", errors="replace").strip() for path in texts if path.is_file()]
        body = "\n\n".join(found)
        parts.append(f"## {package['name']} {package['version']}: {package.get('license', 'see its text')}\n\n{body}\n")
    for metadata, text in on_device():
        parts.append(f"## {metadata['Name']} {metadata['Version']} (Python): {licence_of(metadata)}\n\n{text}\n")
    parts.append("## Tiles and icons\n\nDrawn by quepu's own programs (`web/tiles`), under the licence of quepu.\n")
    return "\n".join(parts)


def web_components() -> list[dict[str, Any]]:
    """The packages of the client, and the Python in it, as CycloneDX components."""
    return [
        *(
            {
                "type": "library", "name": one["name"], "version": one["version"],
                "purl": f"pkg:npm/{one['name'].replace('@', '%40')}@{one['version']}",
                **({"licenses": [{"expression": one["license"]}]} if isinstance(one.get("license"), str) else {}),
            }
            for _, one in bundled()
        ),
        *(
            {
                "type": "library", "name": one["Name"], "version": one["Version"],
                "purl": f"pkg:pypi/{one['Name'].lower()}@{one['Version']}",
                "licenses": [{"license": {"name": licence_of(one)}}],
                "properties": [{"name": "quepu:where", "value": "quepu-web, in the browser"}],
            }
            for one, _ in on_device()
        ),
    ]  # fmt: skip


def sbom(number: str) -> None:
    """Write the SBOM: every Python package of this environment that quepu[all] needs, and those of the client."""
    command = ["cyclonedx_py", "environment", "--pyproject", str(ROOT / "pyproject.toml"), "--of", "JSON"]
    done = subprocess.run(
        [sys.executable, "-m", *command, sys.executable], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode:
        raise SystemExit(f"no SBOM: {done.stderr[-500:]}")
    data = json.loads(done.stdout)
    data["components"] = [*data.get("components", ()), *web_components()]
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    (DIST / f"quepu-{number}.cdx.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Build everything, or (--core) the core wheel alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default=os.environ.get("QUEPU_URL", ""))
    parser.add_argument("--core", action="store_true", help="build the core wheel alone and check its size")
    given = parser.parse_args()
    if given.core:
        with tempfile.TemporaryDirectory() as folder:
            copied(Path(folder) / "source")
            published(Path(folder) / "source", "")
            wheel = core_wheel(Path(folder) / "source", version(), Path(folder) / "dist")
            print(f"{wheel.name}: {wheel.stat().st_size:,} bytes of {MOST_BYTES:,}")
    else:
        release(given.url.rstrip("/"))


def release(url: str) -> None:
    """Build everything that is published."""
    if not (ROOT / STATIC / "index.html").is_file():
        raise SystemExit("the web client is not built: pip install -e . builds it")
    number = version()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    notices = licences()
    (DIST / "THIRD-PARTY.md").write_text(notices, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        copied(source)
        (source / "THIRD-PARTY.md").write_text(notices, encoding="utf-8")
        urls = published(source, url)
        built(source, "sdist")
        for name in APART:
            apart(name, source, Path(folder) / name, number, urls)
        core_wheel(source, number, DIST)
    sbom(number)
    client = zipfile.ZipFile(next(DIST.glob("quepu_web-*.whl"))).namelist()
    if "quepu/server/static/device/bundle.json" not in client:
        raise SystemExit("quepu-web cannot answer without a server: python web/device/bundle.py")
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {path.name}")


if __name__ == "__main__":
    main()
