"""Check a draft against the general sentence of its book: the fans that a new fan implies, and redundant fans.

Exact: every winning hand in several states is asked which fans hold in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, Text
from quepu.fast.universe.valued import census
from quepu.lab.relations import together
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.lab.states import state
from quepu.rules.arithmetic import Implying
from quepu.rules.digest import expression
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example

STATES: Final = ("closed-discard", "open-discard", "kongs", "closed-draw")
"""States in which relations are looked for: those of circumstances that a state lacks hold nowhere in it."""


class DraftFinding(NamedTuple):
    """Something to settle about a drafted fan: never, always, equal, brings, clash (with another fan), or ruling."""

    kind: str
    fan: str
    other: str
    text: Text
    drops: tuple[str, str] | None = None  # the book's sentence requires that the first exclude the second

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**self._asdict(), "text": self.text._asdict(), "drops": list(self.drops or ())}


def find_drafted_fans(book: Rulebook, base: Rulebook) -> list[Fan]:
    """Return the fans of a draft that its base lacks, or that hold otherwise."""
    found = []
    for fan in book.fans:
        old = next((base.fans[base.index[name]] for name in (fan.name, *fan.aliases) if name in base.index), None)
        if old is None or (old.when is not fan.when and expression(old.when) != expression(fan.when)):
            found.append(fan)
    return found


def check(
    book: Rulebook, base: Rulebook, watch: Callable[[str], object] = lambda _key: None, keys: tuple[str, ...] = STATES
) -> list[DraftFinding]:
    """List the open questions about the drafted fans of a book."""
    mine = find_drafted_fans(book, base)
    found = list(_broken_rulings(book))
    if not mine:
        return found
    n = len(book.fans)
    both, total = np.zeros((n, n)), 0.0
    for key in keys:
        watch(key)
        taken = census(book, state(key))
        both += together(taken, held=True)
        total += float(taken.whole.by_class("reading_sets").sum())
    for fan in mine:
        found += _about(book, fan, both, total)
    return list(dict.fromkeys(found))


def _broken_rulings(book: Rulebook) -> Iterator[DraftFinding]:
    """Yield the rulings of a house whose hands do not have their points."""
    for ruling in book.rulings:
        for example, points, measure in ruling.hands:
            try:
                now = int(getattr(score_example(example, book), measure))
            except Error:
                now = 0
            if now != points:
                text = Text(
                    f"裁定 {ruling.id}：{example.hand} 应是 {points}，现在是 {now}。",
                    f"Ruling {ruling.id}: {example.hand} must be worth {points}, and is worth {now}.",
                )
                yield DraftFinding("ruling", "", "", text)


def _about(book: Rulebook, fan: Fan, both: NDArray[np.float64], total: float) -> list[DraftFinding]:
    """List the open questions about one fan."""
    row, alone = book.index[fan.name], both.diagonal()
    if not alone[row]:
        text = Text(f"“{fan.name}”在任何和牌里都不成立。", f"{fan.name} never holds.")
        return [DraftFinding("never", fan.name, "", text)]
    if alone[row] == total:
        text = Text(f"“{fan.name}”在每一手和牌里都成立。", f"{fan.name} holds in every hand.")
        return [DraftFinding("always", fan.name, "", text)]
    found = []
    for i, other in enumerate(book.fans):
        if i == row or not alone[i] or alone[i] == total:
            continue
        within, around = both[row, i] == alone[row], both[row, i] == alone[i]
        if within and around:
            text = Text(
                f"“{fan.name}”与“{other.name}”成立的和牌完全相同。",
                f"{fan.name} and {other.name} hold in the same hands.",
            )
            found.append(DraftFinding("equal", fan.name, other.name, text))
        elif within or around:
            strong, weak = (fan, other) if within else (other, fan)
            finding = _check_implied(book, strong, weak)
            found += [finding] if finding else []
    return found


def _check_implied(book: Rulebook, strong: Fan, weak: Fan) -> DraftFinding | None:
    """Tell that one fan always brings another, unless their relation is declared."""
    i, j = book.index[strong.name], book.index[weak.name]
    if (book.drops[i] | book.conflicts[i]) >> j & 1 or book.drops[j] >> i & 1:
        return None
    rule = book.arithmetic.general_rule(book, strong, weak) if isinstance(book.arithmetic, Implying) else None
    names = f"“{strong.name}”必然带来“{weak.name}”", f"{strong.name} always brings {weak.name}"
    if rule is None:
        text = Text(f"{names[0]}，两者都计。", f"{names[1]}; both count.")
        return DraftFinding("brings", strong.name, weak.name, text)
    text = Text(f"{names[0]}，却都计：{rule.zh}", f"{names[1]}, and yet both count: {rule.en}")
    return DraftFinding("clash", strong.name, weak.name, text, (strong.name, weak.name))


def check_sheet(book: Rulebook, found: list[DraftFinding]) -> Sheet:
    """Return a table of the open questions."""
    columns = (
        SheetColumn("kind", Text("什么", "kind"), "word"),
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("other", Text("与", "with"), "fan"),
        SheetColumn("text", Text("说明", "in words"), "word"),
    )
    words = {one.text.en: one.text for one in found} | _KINDS
    rows = [(one.kind, one.fan or None, one.other or None, one.text.en) for one in found]
    clashes = sum(one.drops is not None for one in found)
    lines = [
        Text(
            f"{clashes} 处按规则书的通则应不计：--toml 输出 [drops]；若要一起计，不写即可。",
            f"{clashes} should not count by the rulebook's general sentence: --toml prints them as [drops]; to count "
            "both, leave them out.",
        )
    ]
    source = Text(f"quepu lab · {book.id} {book.fingerprint}", f"quepu lab · {book.id} {book.fingerprint}")
    title = Text(f"{book.title.zh}：草稿的番种", f"{book.title.en}: the drafted fans")
    return Sheet("check", title, source, columns, rows, {"clashes": clashes}, lines, words=words)


_KINDS: Final = {
    "never": Text("从不成立", "never holds"),
    "always": Text("总是成立", "always holds"),
    "equal": Text("完全相同", "the same as"),
    "brings": Text("必然带来", "always implies"),
    "clash": Text("按通则应不计", "should not count"),
    "ruling": Text("与裁定不合", "against a ruling"),
}


def check_toml(book: Rulebook, found: list[DraftFinding]) -> str:
    """Write the relations that the book's sentence demands, beside those that the fans have, as [drops]."""
    drops: dict[str, list[str]] = {}
    for one in found:
        if one.drops is not None:
            strong, weak = one.drops
            drops.setdefault(strong, list(book.fan(strong).drops)).append(weak)
    if not drops:
        return ""
    lines = [
        f'"{name}" = [{", ".join(f"{chr(34)}{other}{chr(34)}" for other in others)}]' for name, others in drops.items()
    ]
    return "\n".join(["[drops]", *lines, ""])
