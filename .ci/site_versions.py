"""Versions of the site side by side: the file behind the version menu, and a first page that opens the latest."""

from __future__ import annotations

import json
from pathlib import Path

from packaging.version import InvalidVersion, Version

FIRST = """\
<!doctype html>
<html lang="zh">
<meta charset="utf-8">
<title>quepu 雀谱</title>
<meta http-equiv="refresh" content="0; url={latest}/index.html">
<a href="{latest}/index.html">quepu 雀谱 {latest}</a>
</html>
"""


def list_versions(site: Path) -> None:
    """Write versions.json, as the theme's menu reads it, and index.html into the folder of all versions.

    Every folder named by a version that has a first page is listed, the newest first. The latest is the newest release;
    a pre-release only where there is no other.
    """
    found = sorted(filter(None, (_version(folder) for folder in site.iterdir())), reverse=True)
    latest = next((one for one in found if not one.is_prerelease), found[0])
    listed = [{"version": str(one), "title": str(one), "aliases": ["latest"] * (one == latest)} for one in found]
    (site / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    (site / "index.html").write_text(FIRST.format(latest=latest), encoding="utf-8")


def _version(folder: Path) -> Version | None:
    """Return the version that a folder is named by, or None if it does not hold one."""
    try:
        made = Version(folder.name)
    except InvalidVersion:
        return None
    return made if str(made) == folder.name and (folder / "index.html").is_file() else None
