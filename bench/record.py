"""Figures that were measured: a line of JSON each in `history.jsonl`, the newest of them as one table and a drawing.

A line has section, what, figure (as printed), value (seconds, or pieces a second), better ("less" or "more"), ratio and
peer where another program did the same work in the same run, beside (as printed), date, commit, load (of the machine,
over a minute). Who adds a section yields `Row`s; nothing else is needed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rows import Row

HERE = Path(__file__).parent
HISTORY = HERE / "history.jsonl"
RESULTS = HERE / "results.md"
TREND = HERE / "trend.svg"
MOST_ROWS = 60
WORSE = 0.2
"""So much worse than the last time is a drop."""
_SCALE = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
_HEAD = """\
# Benchmarks

Written by `make bench` (`python bench/run.py`) from [history.jsonl](history.jsonl): the newest figure of each
kind, those next to another program first, then a few of each section. A ratio above 1 says how many times faster
quepu is than that program in the same run; load is the machine's over a minute, next to its cores, and disturbs
ratios least. `make bench-check` measures again and fails where a figure is a fifth worse. Why things are built the way
they are, with measurements, is in [docs/decisions](../docs/decisions/README.md).

![How they changed](trend.svg)

| what | figure | peer | ratio | commit | date | load |
|---|---:|---|---:|---|---|---:|
"""


def parsed(figure: str) -> tuple[float | None, str]:
    """The number in a figure such as `12.3 µs (81,000/s)` or `1,200 hands/s`, and whether less of it is better."""
    found = re.match(r"([\d.,]+) ?([^\d\s(]*)", figure)
    if not found:
        return None, "less"
    value = float(found[1].replace(",", ""))
    unit = found[2]
    if "/s" in figure.split("(", maxsplit=1)[0] or unit not in _SCALE:
        return value, "more" if "/s" in figure else "less"
    return value * _SCALE[unit], "less"


def compared(beside: str) -> tuple[float | None, str]:
    """The ratio to another program and its name, of `3.6 × PyMahjongGB in the same run; …`."""
    found = re.match(r"([\d.]+) × `?([A-Za-z][\w-]*)`?", beside)
    return (float(found[1]), found[2]) if found and found[2] != "one" else (None, "")  # beside one process


def entries(section: str, rows: Iterable[Row], stamp: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of a section as lines of the history."""
    made = []
    for row in rows:
        value, better = parsed(row.figure)
        ratio, peer = compared(row.beside)
        line = {"section": section, "what": row.what, "figure": row.figure, "value": value, "better": better}
        made.append({**line, "ratio": ratio, "peer": peer, "beside": row.beside, **stamp})
    return made


def stamp() -> dict[str, Any]:
    """Date, commit and load of now."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False, cwd=HERE
    ).stdout.strip()
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"date": time.strftime("%Y-%m-%d"), "commit": commit, "load": load, "cores": os.cpu_count()}


def history() -> list[dict[str, Any]]:
    """Every figure ever written down, oldest first."""
    if not HISTORY.exists():
        return []
    return [json.loads(line) for line in HISTORY.read_text(encoding="utf-8").splitlines()]


def newest(lines: Iterable[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The last figure of each thing."""
    return {(line["section"], line["what"]): line for line in lines}


def add(lines: Iterable[dict[str, Any]]) -> None:
    """Write figures down, and the table and the drawing anew."""
    with HISTORY.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    every = history()
    RESULTS.write_text(page(every), encoding="utf-8")
    TREND.write_text(trend(every), encoding="utf-8")


def page(lines: Iterable[dict[str, Any]]) -> str:
    """The newest figures as one table of `MOST_ROWS`: beside another program first, then some of each section.

    The first figure of every section is among them.
    """
    every = list(newest(lines).values())
    place: dict[tuple[str, bool], int] = {}
    order: list[tuple[bool, int, int]] = []
    for line in every:
        key = line["section"], line["ratio"] is None
        place[key] = place.get(key, 0) + 1
        alone = line["ratio"] is None
        order.append((alone and place[key] > 1, place[key], len(order)))
    listed = [every[at] for *_, at in sorted(order)[:MOST_ROWS]]
    listed.sort(key=lambda line: (line["ratio"] is None, line["section"]))
    rows = []
    for line in listed:
        ratio = "" if line["ratio"] is None else f"{line['ratio']:g} ×"
        load = "–" if line["load"] is None else f"{line['load']:g} / {line['cores']}"
        cells = (
            f"{line['section']}: {line['what']}",
            line["figure"],
            line["peer"],
            ratio,
            line["commit"],
            line["date"],
            load,
        )
        rows.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return _HEAD + "\n".join(rows) + "\n"


def drops(now: Iterable[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[str]:
    """What is a fifth worse than it was: by its ratio where there is one (load disturbs it less), else by its value."""
    last = newest(before)
    found = []
    for line in now:
        old = last.get((line["section"], line["what"]))
        if old is None:
            continue
        by = "ratio" if line["ratio"] and old["ratio"] else "value"
        if not line[by] or not old[by]:
            continue
        change = line[by] / old[by]
        better = change if by == "ratio" or line["better"] == "more" else 1 / change
        if better < 1 - WORSE:
            was = f"{old['figure']} {old['beside']}".strip()
            found.append(f"{line['section']}: {line['what']}: {line['figure']} {line['beside']} (was {was})")
    return found


def trend(lines: Iterable[dict[str, Any]], most: int = 24) -> str:
    """How figures changed from one time to the next, a small drawing each: SVG, up is better."""
    series: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for line in lines:
        value = line["ratio"] or line["value"]
        if value:
            up = value if line["ratio"] or line["better"] == "more" else 1 / value
            series.setdefault((line["section"], line["what"]), []).append((line["date"], up))
    drawn = sorted(series.items(), key=lambda item: -len(item[1]))[:most]
    wide, high, across = 250, 84, 3
    parts = []
    for number, ((section, what), points) in enumerate(drawn):
        x, y = number % across * wide, number // across * high
        top = max(value for _, value in points)
        step = (wide - 30) / max(1, len(points) - 1)
        places = [(x + 10 + i * step, y + 70 - 42 * value / top) for i, (_, value) in enumerate(points)]
        title = f"{section}: {what}".replace("&", "&amp;").replace("<", "&lt;").replace("`", "")
        shown = title if len(title) <= 44 else title[:43] + "…"
        parts.append(f'<text x="{x + 10}" y="{y + 16}" font-size="10">{shown}<title>{title}</title></text>')
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="#1f4e9c" stroke-width="1.5"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2" fill="#b3261e"/>' for px, py in places]
    rows = -(-len(drawn) // across)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * across} {max(1, rows) * high}"'
        ' font-family="sans-serif" fill="#333">' + "".join(parts) + "</svg>\n"
    )
