"""Parts of a rulebook besides its rows: house options, rulings, corrections, and its origin."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Text
from quepu.rules.row import Example

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Option:
    """A house option that the book itself names: `choices` (the first is the default) and the effect of each.

    With `between`, any whole number from the one to the other may be chosen, and with `free` whatever that does not
    refuse with an `OverlayError`; `choices` are the usual ones. `words` are the choices as people read them, in their
    order; none: they can be read as they are. `former` is the key in earlier versions: recorded games may use it, and
    fingerprints still do. `after` names options of which one must be chosen otherwise for this one to matter.
    """

    key: str
    text: Text
    choices: tuple[Any, ...]
    apply: Callable[[Rulebook, Any], Rulebook]
    between: tuple[int, int] | None = None
    words: tuple[Text, ...] = ()
    free: Callable[[Any], object] | None = None
    former: str = ""
    after: tuple[str, ...] = ()

    def in_words(self, choice: Any) -> Text:
        """Describe a choice."""
        if self.words and choice in self.choices:
            return self.words[self.choices.index(choice)]
        if isinstance(choice, bool):
            return Text("是", "yes") if choice else Text("否", "no")
        return Text(str(choice), str(choice))

    def matters(self, chosen: Container[str]) -> bool:
        """Return whether this option has an effect where those `chosen` differ from the book's."""
        return not self.after or any(key in chosen for key in self.after)

    def takes(self, choice: Any) -> bool:
        """Whether it may be set to this.

        Raises:
            OverlayError: it may be anything of a kind, and this is not of that kind.
        """
        if self.free is not None:
            self.free(choice)
            return True
        if self.between is None or isinstance(choice, bool) or not isinstance(choice, int):
            return any(choice == one and isinstance(choice, bool) == isinstance(one, bool) for one in self.choices)
        return self.between[0] <= choice <= self.between[1]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling on an ambiguous or misprinted place: the sentence it rests on and its tests.

    `open`: the author must still decide; questions of greater `weight` come first. `edition`: the only edition
    concerned, in a family whose editions share rulings. `option`: the option of the book that chooses the reading.
    `hands`: hands with the points (or the total) that they have by it: those of a house; the book's own are in its
    tests. `asks`: further hands on which its readings differ. `alike`: the reason why no hand that can be written down
    tells its readings apart, if that is so.
    """

    id: str
    question: Text
    answer: Text
    sentence: str
    tests: tuple[str, ...] = ()
    open: bool = False
    weight: int = 0
    edition: str = ""
    option: str = ""
    hands: tuple[tuple[Example, int, str], ...] = ()
    asks: tuple[Example, ...] = ()
    alike: Text | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """A change to a book's scores after games were played under it: when, what, and the earlier version.

    `before` turns this book (or a house rule made from it) into the earlier one; `was` builds most of them. So every
    revision remains usable for playing, scoring and judging, though only the newest is written out in rows.
    """

    date: str
    text: Text
    before: Callable[[Rulebook], Rulebook]


def was(**changes: Any) -> Callable[[Rulebook], Rulebook]:
    """Return the usual `Correction.before`: `Rulebook.having` with these, ignoring rows that a house rule left out."""

    def before(book: Rulebook) -> Rulebook:
        valid = dict(changes)
        for key in ("values", "fans"):
            if key in valid:
                valid[key] = {name: change for name, change in valid[key].items() if name in book.index}
        if "without" in valid:
            valid["without"] = [name for name in valid["without"] if name in book.index]
        return book.having(**valid)

    return before


class Origin(NamedTuple):
    """The origin of a book: another book, and the arguments of `having` (or only `revision`: the argument of `at`)."""

    book: Rulebook
    changes: Mapping[str, Any]
