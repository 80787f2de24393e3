"""Areas of the code, the modules of each, and the quick tests that should notice a change in them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
WORK = ROOT / "build" / "mutants"
"""Where results and coverage are kept."""


class Area(NamedTuple):
    """Modules (patterns below src/quepu) and their tests, the quickest to notice first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> list[Path]:
        """Return the modules, without those that only make text, pictures or random hands."""
        found = sorted({path for pattern in self.modules for path in (ROOT / "src/quepu").glob(pattern)})
        return [path for path in found if path.name not in WORDS]


WORDS = {"notebook.py", "booklet.py", "describe.py", "play_words.py", "formula_words.py", "words.py", "samples.py"}
_GENERIC = (
    "tests/test_tallies.py",
    "tests/test_books.py",
    "tests/lab/test_draft_check.py",
    "tests/test_conformance.py",
    "tests/golden/test_scores.py",
)
_SUMS = "tests/fast/weighing/test_additive.py"
_PRODUCTS = "tests/fast/weighing/test_product_and_residue.py"
_PLAY = tuple(f"tests/table/test_{name}.py" for name in ("luck", "rules", "wall_end", "ready", "position", "wall"))

AREAS = {
    "lingque": Area(
        ("rulebooks/lingque/arithmetic.py",),
        ("tests/lingque", *_GENERIC, "tests/test_explanations.py", _PRODUCTS),
    ),
    "yuque": Area(
        ("rulebooks/yuque/arithmetic.py", "rulebooks/yuque/accretion.py", "rulebooks/yuque/residues.py",
         "rulebooks/yuque/point_fractions.py"),
        ("tests/yuque", *_GENERIC, "tests/test_explanations.py", _PRODUCTS),
    ),
    "guobiao": Area(
        ("rulebooks/guobiao/arithmetic.py",), ("tests/guobiao", *_GENERIC, "tests/test_explanations.py", _SUMS)
    ),
    "canton": Area(
        ("rulebooks/canton/arithmetic.py",), ("tests/canton", *_GENERIC, "tests/test_explanations.py", _SUMS)
    ),
    "payments": Area(
        ("rulebooks/*/play_rules.py", "rulebooks/canton/payment_tables.py"),
        ("tests/match/test_settle.py", "tests/match/test_match.py", "tests/match/test_seats.py",
         "tests/test_stated_play.py", "tests/match/test_payment_reasons.py",
         "tests/canton/test_payments.py", "tests/canton/test_payment_limits.py",
         "tests/test_play_diff.py",
         "tests/lingque", "tests/yuque", "tests/guobiao",
         "tests/canton", "tests/match", "tests/table"),
    ),
    "scoring": Area(
        ("scoring/*.py",),
        ("tests/test_said_scores.py", "tests/cli/test_english.py",
         "tests/test_values.py", "tests/test_books.py", "tests/test_waiting.py",
         "tests/test_completion.py", "tests/test_explanations.py", "tests/core",
         "tests/test_near_misses.py", "tests/test_conformance.py", "tests/test_circumstances.py",
         "tests/test_public.py", "tests/test_wait_planes.py", "tests/test_readings.py"),
    ),
    "rules": Area(
        ("rules/*.py",),
        ("tests/core", "tests/test_difference.py", "tests/test_house_limits.py", "tests/fast/test_new_fans.py",
         "tests/test_export.py", "tests/test_rulebook_packages.py", "tests/test_play_words.py",
         "tests/test_stated_play.py", "tests/test_scripts.py", "tests/lingque/test_next_edition.py",
         "tests/yuque/test_next_edition.py", "tests/test_books.py",
         "tests/test_circumstances.py",
         "tests/test_overlay.py", "tests/server/test_course.py",
         "tests/test_house_mistakes.py", "tests/test_play_diff.py", "tests/test_guides.py", "tests/test_values.py",
         "tests/test_option_words.py", "tests/test_usual.py", "tests/test_explanations.py",
         "tests/match/test_settle.py",
         "tests/match/test_penalties.py", "tests/golden/test_scores.py"),
    ),
    "luck": Area(("table/luck.py", "table/legal.py"), (*_PLAY, "tests/table", "tests/match")),
    "table": Area(("table/*.py",), (*_PLAY, "tests/table", "tests/server/test_held.py", "tests/match")),
    "match": Area(
        ("match/*.py",),
        ("tests/match", "tests/scorekeeper", "tests/cli/test_verify.py", "tests/bots/test_botzone.py",
         "tests/server/test_terms.py", "tests/test_option_words.py"),
    ),
    "server": Area(
        ("server/accounts/*.py", "server/rooms/places.py", "server/http/guard.py", "server/budget.py",
         "server/store/accounts.py"),
        ("tests/server",),
    ),
}  # fmt: skip
