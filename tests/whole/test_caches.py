"""Every cache has a bound: `lru_cache` with a size, or a reason here why there are only so many keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "quepu"

FEW_KEYS = {
    "fast/arrays/win_places.py choices": "two keys",
    "fast/compiled/loop_code.py weighing_code": "arithmetics",
    "fast/nearest/gain_packing.py _least": "exchanges of suits, dragons, winds",
    "fast/nearest/gain_packing.py _move": "exchanges of suits, dragons, winds",
    "fast/nearest/join.py _lane_columns": "sizes of a suit: nine ranks at most",
    "fast/nearest/payable.py _move_winds": "seat × round",
    "fast/nearest/suit_readings.py winds_first": "seat × round",
    "fast/universe/hand_index.py half": "sizes of a suit: nine ranks at most",
    "fast/universe/hand_index.py lane": "sizes of a suit: nine ranks at most",
    "fast/universe/special.py key_of_lane": "copies of a tile",
    "fast/universe/standard_hands.py meld_sets": "numbers of melds",
    "hands/drawing.py tile_svg": "kinds of tiles",
    "hands/suit_tables.py suit_rows": "sizes of a suit: nine ranks at most",
    "hands/win.py _text": "groups: tiles × kinds of groups",
    "rl/writer.py _blank_rows": "rounds named after a wind",
    "rl/writer.py loops_there": "encodings",
    "rules/packages.py find_installed": "the registered books' names",
    "rules/written_formulas.py family_formulas": "the books' guides",
    "table/wall.py dealt_places": "seats",
    "table/wall.py sides_taken": "numbers of tiles in a wall",
}
"""Functions under an unbounded `cache` that have parameters, and their keys."""

GLOBALS = {
    "bots/danger.py _COSTS": "weak: as long as the tables",
    "fast/nearest/payable.py _TABLES": "_MOST_TABLES",
    "fast/universe/valued.py _lately": "_REMEMBERED",
    "errors.py _chosen": "one language",
    "json_lines/answers.py _line_cache": "_MOST_LINES",
    "lab/draft_effects.py _sides": "_REMEMBERED",
    "lab/relations.py _lately": "_REMEMBERED",
    "match/log_lines.py _texts": "interned events and actions",
    "hands/pieces.py _known": "_MOST",
    "lab/group_changes.py _SAMPLED": "one sample",
    "rulebooks/registry.py _BOOKS": "registered books and their revisions",
    "rulebooks/canton/options.py _CHANGES": "options of the book",
    "rulebooks/pickles.py _recipes": "weak: as long as the book",
    "rules/play_rules.py _MADE": "_MOST_MADE",
    "server/http/pages.py _WHOLE_PAGE": "one page",
    "server/http/rendering.py _PAGES": "_PAGES_MOST",
    "server/replays/review_worker.py _begun": "_MOST_BEGUN",
    "server/replays/review_worker.py _read": "_REMEMBERED",
    "server/rooms/bot_choice.py _bots": "_BOTS",
    "server/score_tables/working.py _worked": "_ROWS",
    "server/work/building.py _BUILDING": "_MOST_BUILDING",
    "shapes/shape.py SHAPES": "registered shapes",
    "table/event_fields.py _CODECS": "classes of events",
}
"""Containers of modules that grow while the program runs, and what bounds them: a name of the module, or their keys."""

_CONTAINERS = {"dict", "list", "set", "OrderedDict", "defaultdict", "deque", "WeakKeyDictionary", "WeakValueDictionary"}


def modules(holding: str) -> Iterator[tuple[str, ast.Module, str]]:
    """Each module in which the pattern is found: its place, its tree, its text."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if re.search(holding, text, re.MULTILINE):
            yield path.relative_to(SOURCE).as_posix(), ast.parse(text), text


def unbounded(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is under a cache without a size, and has parameters."""
    written = [ast.unparse(one) for one in function.decorator_list]
    open_ended = {"cache", "functools.cache", "lru_cache(None)", "lru_cache(maxsize=None)"}
    given = function.args
    return any(one in open_ended for one in written) and bool(given.posonlyargs + given.args + given.kwonlyargs)


def test_functions_that_remember_all_answers_have_few_keys() -> None:
    found = {
        f"{place} {node.name}"
        for place, tree, _ in modules(r"^\s*@.*cache\b")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and unbounded(node)
    }
    assert found == set(FEW_KEYS)


def empty(value: ast.expr) -> bool:
    """Whether it is an empty container, made to be filled."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] in _CONTAINERS and not value.args
    return isinstance(value, ast.Dict | ast.List | ast.Set) and ast.unparse(value) in ("{}", "[]")


def test_what_modules_collect_is_bounded() -> None:
    found: dict[str, str] = {}
    for place, tree, text in modules(r"^\S.*(\[\]|\{\}|\(\))\)?($|\s+#)"):  # all else costs seconds
        for node in tree.body:
            if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None and empty(node.value):
                name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
                found[f"{place} {name}"] = text
    assert set(found) == set(GLOBALS)
    for key, bound in GLOBALS.items():
        if " " not in bound:
            assert found[key].count(bound) > 1, f"{key}: {bound} is used nowhere"
