"""Propose residues for a fan from its condition, each with a hand that needs that many changes.

In a book with residues, a fan leaves a later one as many groups as the most changes that a hand with the first fan can
still need for the second (`group_changes`); that hand is shown as the reason. The author accepts or overrules it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from quepu.errors import OverlayError, Text, many
from quepu.fast.universe.limits import limits_of
from quepu.hands.planes import ALL_TILES
from quepu.lab.group_changes import AskedFan, group_text, most_changes
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rules.arithmetic import Leaving, ResidueArithmetic, ResidueFigures
from quepu.rules.rulebook import Rulebook
from quepu.tiles import KINDS

_TILE_PLANES: Final = frozenset(
    {"c1", "c2", "c3", "c4", "p", "pair", "t1", "t2", "t3", "t4", "form", "seat", "round"}
)  # fmt: skip


class ResidueProposal(NamedTuple):
    """Proposal of a residue: fan `a` leaves `left` of the `groups` of fan `b`; `now` is the book's own residue.

    The hand `before` needs `left` changes to have `b` too; `after` is the hand with these changes.
    """

    a: str
    b: str
    left: int
    groups: int
    now: int
    before: str
    after: str

    @property
    def why(self) -> Text:
        """The reason in words."""
        if not self.left:
            return Text(f"有“{self.a}”的和牌必有“{self.b}”。", f"Every hand with {self.a} has {self.b}.")
        if not self.before:
            return Text("一组也不省。", "Nothing is spared.")
        return Text(
            f"最多改 {self.left} 次，如 {self.before} 改成 {self.after}。",
            f"At most {many(self.left, 'change')}, as from {self.before} to {self.after}.",
        )


def propose(
    book: Rulebook, names: list[str], watch: Callable[[int, int], None] = lambda _done, _of: None
) -> list[ResidueProposal]:
    """Propose the residues that some fans leave to later ones, and those that earlier ones leave to them.

    Fans that are not about the tiles (luck, concealment, kongs) are left out, and so are pairs that are stated to leave
    everything. Without names, propose those of the fans that the base of the book lacks.

    Raises:
        OverlayError: the book does not add fans by residues, or lacks some kinds of tiles.
        UnknownName: a fan does not exist.
    """
    if not isinstance(book.arithmetic, ResidueArithmetic) or not isinstance(book.arithmetic, Leaving):
        raise OverlayError(f"{book.title.zh}的番种不按剩余数叠加。", f"{book.title.en} does not add fans by residues.")
    if limits_of(book).tiles != ALL_TILES:
        raise OverlayError(
            f"剩余数的建议要用全部 {KINDS} 种牌来推，{book.title.zh}没有全部。",
            f"residues are proposed over hands of all {KINDS} kinds of tiles; {book.title.en} lacks some.",
        )
    figures = book.arithmetic.residue_figures(book)
    known = book.arithmetic.residue_names(book)
    asked = [AskedFan(fan) for fan in book.fans]
    mine = {book.index[book.fan(name).name] for name in names}
    rows = [i for i in range(len(book.fans)) if i != figures.fan_pung]
    pairs = [(a, b) for a in rows for b in rows if a != b and mine & {a, b} and _matters(book, figures, a, b)]
    found: dict[tuple[str, str], ResidueProposal] = {}
    for done, (a, b) in enumerate(pairs):
        watch(done, len(pairs))
        groups, now = figures.groups[b], figures.remaining[a][b]
        names_of = _name(known, book.fans[a].name), _name(known, book.fans[b].name)
        if names_of in found:
            continue
        most = most_changes(asked[a], asked[b], groups)
        if most is None or most[0] >= groups:
            if now < groups:
                found[names_of] = ResidueProposal(*names_of, groups, groups, now, "", "")
        else:
            found[names_of] = ResidueProposal(*names_of, most[0], groups, now, *map(group_text, most[1:]))
    return list(found.values())


def _name(known: object, name: str) -> str:
    """Return the name by which a fan's residues go: the shared one of variants."""
    return name if name in known else name.partition(":")[0]  # type: ignore[operator]  # a mapping


def _matters(book: Rulebook, figures: ResidueFigures, a: int, b: int) -> bool:
    """Return whether the residue of a and b can ever matter: both count together, a first, and both are about tiles."""
    apart = figures.apart[a] >> b & 1
    tiles = all(book.fans[i].reads <= _TILE_PLANES and figures.groups[i] for i in (a, b))
    return bool(not apart and tiles and 0 < figures.priority[a] <= figures.priority[b])


def residue_sheet(book: Rulebook, found: list[ResidueProposal]) -> Sheet:
    """Return a table of the proposals, the book's figures, and the reasons."""
    columns = (
        SheetColumn("fan", Text("已计", "fan counted"), "fan"),
        SheetColumn("later", Text("后计", "fan after it"), "fan"),
        SheetColumn("proposed", Text("建议剩", "proposed")),
        SheetColumn("now", Text("现写", "stated")),
        SheetColumn("why", Text("理由", "why"), "word"),
    )
    words: dict[str, Text] = {}
    rows = []
    for one in found:
        key = f"{one.a} → {one.b}"
        words[key] = one.why
        rows.append((one.a, one.b, f"{one.left}/{one.groups}", f"{one.now}/{one.groups}", key))
    differ = sum(one.left != one.now for one in found)
    lines = [
        Text(
            f"{differ} 项与现写的不同。要照建议，把 --toml 所印的写进规则文件；要另定，写自己的组数与理由。",
            f"{differ} differ from what is stated. To accept them, put what --toml prints into the file; to overrule "
            "one, write your own number and reason.",
        )
    ]
    source = Text(f"quepu lab · {book.id} {book.fingerprint}", f"quepu lab · {book.id} {book.fingerprint}")
    title = Text(f"{book.title.zh}：剩余数的建议", f"{book.title.en}: proposed residues")
    return Sheet("residues", title, source, columns, rows, {"differ": differ}, lines, words=words)


def residue_toml(found: list[ResidueProposal]) -> str:
    """Write the differences from the book as tables of a house-rules file."""
    tables: dict[str, list[str]] = {}
    for one in found:
        if one.left != one.now:
            left = "false" if one.left == one.groups else str(one.left)
            why = f', why = {{ zh = "{one.why.zh}", en = "{one.why.en}" }}' if one.before else ""
            tables.setdefault(one.a, []).append(f'"{one.b}" = {{ left = {left}{why} }}')
    return "\n".join(f'[residues."{a}"]\n' + "\n".join(lines) + "\n" for a, lines in tables.items())
