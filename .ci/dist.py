"""Builds what a release consists of, into dist/: two wheels, the sdist, an SBOM, and the licences of what is shipped.

    python .ci/dist.py [--url URL]

`quepu` is all of the program in Python. `quepu-web` is the built web client, which `quepu[server]` brings. The sdist
has both, and a wheel made from it, or from a checkout, has the client in it. The version is `quepu.__version__`; a
commit with a tag must have the tag v and that version. URL (else $QUEPU_URL) is where the repository is published:
links of the package page and the project's URLs are made of it, and are left out without it.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
STATIC = Path("src/quepu/server/static")
SERVER = "server = [\n"
MOST_BYTES = 2_000_000
"""A wheel of the program is no larger."""
WEB = """\
[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "quepu-web"
version = "{version}"
description = "The built web client of quepu 雀谱, for quepu[server]"
readme = "README.md"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE", "THIRD-PARTY.md"]
authors = [{{ name = "quepu contributors" }}]
classifiers = ["Environment :: Web Environment", "Topic :: Games/Entertainment :: Board Games"]
{urls}
[tool.hatch.build.targets.wheel]
only-include = ["src/quepu/server/static"]
sources = ["src"]
artifacts = ["src/quepu/server/static/**"]
"""
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


def version() -> str:
    """The version of the package, checked against the tag of this commit if it has one."""
    text = (ROOT / "src/quepu/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if not found:
        raise SystemExit("src/quepu/__init__.py has no __version__")
    tags = output("git", "tag", "--points-at", "HEAD", "v*").split()
    if tags and f"v{found[1]}" not in tags:
        raise SystemExit(f"this commit is tagged {' '.join(tags)}, the package is {found[1]}")
    return found[1]


def output(*command: str) -> str:
    """What a command prints; nothing where there is no repository."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def copied(to: Path) -> None:
    """Copy the sources of this checkout and the built client."""
    for name in output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    shutil.copytree(ROOT / STATIC, to / STATIC, dirs_exist_ok=True)


def absolute(text: str, url: str) -> str:
    """A page whose links work elsewhere than in the repository."""
    return LINK.sub(lambda m: f"[{m[1]}]({url}/blob/main/{m[2].removeprefix('./')})" if url else m[1], text)


def published(source: Path, url: str) -> str:
    """Make the page of the package, and its URLs, those of a place; returns the table of URLs."""
    page = source / "README.en.md"
    page.write_text(absolute(page.read_text(encoding="utf-8"), url), encoding="utf-8")
    if not url:
        return ""
    places = {"Homepage": "", "Source": "", "Changelog": "/blob/main/CHANGELOG.md", "Issues": "/issues"}
    urls = "[project.urls]\n" + "".join(f'{name} = "{url}{path}"\n' for name, path in places.items())
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(text.replace("[project.scripts]", f"{urls}\n[project.scripts]", 1), encoding="utf-8")
    return urls


def built(source: Path, *what: str) -> None:
    """Build with the build backend that a project names."""
    environment = {**os.environ, "QUEPU_WEB": "skip"}  # the client is there
    done = subprocess.run(
        [sys.executable, "-m", "build", *what, "--outdir", str(DIST), str(source)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])


def without_client(source: Path, number: str) -> None:
    """Make a copy of the sources that of the program alone: the extra `server` brings the client."""
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    if SERVER not in text:
        raise SystemExit("pyproject.toml has no extra `server`")
    project.write_text(text.replace(SERVER, f'{SERVER}  "quepu-web=={number}",\n', 1), encoding="utf-8")
    shutil.rmtree(source / STATIC)


def bundled() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Folder and package.json of what the client is made of: everything that its lock does not call for tools only."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    for name, entry in sorted(lock["packages"].items()):
        folder = ROOT / "web" / name
        if name and not entry.get("dev") and (folder / "package.json").is_file():
            yield folder, json.loads((folder / "package.json").read_text(encoding="utf-8"))


def licences() -> str:
    """The licence of every package that the client is made of, with its text."""
    parts = ["# Licences of what the web client is made of\n"]
    for folder, package in bundled():
        texts = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|ofl|copying)", path.name))
        found = [path.read_text(encoding="utf-8", errors="replace").strip() for path in texts if path.is_file()]
        body = "\n\n".join(found)
        parts.append(f"## {package['name']} {package['version']}: {package.get('license', 'see its text')}\n\n{body}\n")
    return "\n".join(parts)


def web_components() -> list[dict[str, Any]]:
    """The packages of the client as CycloneDX components."""
    return [
        {
            "type": "library", "name": one["name"], "version": one["version"],
            "purl": f"pkg:npm/{one['name'].replace('@', '%40')}@{one['version']}",
            **({"licenses": [{"expression": one["license"]}]} if isinstance(one.get("license"), str) else {}),
        }
        for _, one in bundled()
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
    """Build everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default=os.environ.get("QUEPU_URL", ""))
    url = parser.parse_args().url.rstrip("/")
    if not (ROOT / STATIC / "index.html").is_file():
        raise SystemExit("the web client is not built: pip install -e . builds it")
    number = version()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    notices = licences()
    (DIST / "THIRD-PARTY.md").write_text(notices, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        source, web = Path(folder) / "source", Path(folder) / "web"
        copied(source)
        (source / "THIRD-PARTY.md").write_text(notices, encoding="utf-8")
        urls = published(source, url)
        built(source, "--sdist")
        (web / STATIC).parent.mkdir(parents=True)
        shutil.copytree(source / STATIC, web / STATIC)
        shutil.copy2(ROOT / "LICENSE", web / "LICENSE")
        (web / "THIRD-PARTY.md").write_text(notices, encoding="utf-8")
        (web / "README.md").write_text(
            "# quepu-web\n\nThe built web client of quepu; `pip install 'quepu[server]'` brings it.\n", encoding="utf-8"
        )
        (web / "pyproject.toml").write_text(WEB.format(version=number, urls=urls), encoding="utf-8")
        built(web, "--wheel")
        without_client(source, number)
        built(source, "--wheel")
    sbom(number)
    wheel = next(DIST.glob("quepu-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        inside = [name for name in archive.namelist() if "/static/" in name]
    if inside or wheel.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{wheel.name}: {wheel.stat().st_size} bytes, {len(inside)} files of the client")
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {path.name}")


if __name__ == "__main__":
    main()
