"""Words of a line of `quepu match` about a win: players, values, and what may follow a hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from re import split
from typing import TYPE_CHECKING, Any

from quepu.cli.inputs import natural
from quepu.errors import Error, HandError, join_list, many
from quepu.folding import fold

if TYPE_CHECKING:
    from quepu.match.match import Match
    from quepu.rules.rulebook import Rulebook

_PARTS = {
    "供": "supplied", "supplied": "supplied", "听": "ready", "ready": "ready", "花": "flowers", "flowers": "flowers",
    "见": "seen", "seen": "seen", "放杠": "feeder", "点杠": "feeder", "fed": "feeder",
    "包": "liable", "liable": "liable",
}  # fmt: skip
"""Words that start a list of arguments of one kind."""
_NO_ONE = ("无", "没有", "none", "nobody")
_RELATIVE_SEATS = {3: "left", 2: "across", 1: "right"}  # seats from the winner's
_FAN, POINTS = ("番", "fan"), ("点", "分", "points")
BETWEEN = "[,，、]"
"""Between several winners, and between their points or tiles."""


def player(match: Match, word: str) -> int:
    """Return a player by name, by number 1-4, or by the current wind.

    Raises:
        Error: no player matches.
    """
    names = match.names
    if word in names:
        return names.index(word)
    alike = [at for at, name in enumerate(names) if fold(name) == fold(word)]
    if len(alike) == 1:
        return alike[0]
    if word in ("1", "2", "3", "4"):
        return int(word) - 1
    for winds in ("东南西北", "東南西北", "ESWN", "eswn"):
        if word in tuple(winds):
            return match.place.seats[winds.index(word)]
    listed = join_list(names)
    raise HandError(f"没有“{word}”这位玩家，玩家有：{listed.zh}。", f"no player {word!r}; players: {listed.en}.")


def players(match: Match, word: str) -> tuple[int, ...]:
    """Return the players named in a word: one, or several winners with commas between (甲,丙).

    Raises:
        Error: no player matches, or one is named twice.
    """
    if word in match.names:  # a name may have a comma of its own
        return (match.names.index(word),)
    once = SeenParts()
    found = [player(match, name) for name in split(BETWEEN, word) if name]
    for at in found:
        once(at, match.names[at], match.names[at])
    return tuple(found)


def _is_player(match: Match, word: str) -> bool:
    try:
        player(match, word)
    except Error:
        return False
    return True


class SeenParts:
    """Parts of a record seen so far: a repeated part is refused, since it would silently overwrite the first."""

    def __init__(self) -> None:
        self.there: set[Hashable] = set()

    def __call__(self, what: Hashable, zh: str, en: str) -> None:
        """Note that `what` was given.

        Raises:
            HandError: it was given before; the sentence names it.
        """
        if what in self.there:
            raise HandError(f"{zh}写了两次。", f"{en} is given twice.")
        self.there.add(what)


def not_understood(words: str) -> HandError:
    """Refuse words that are not part of any record."""
    return HandError(f"没看懂“{words}”。输入 ? 看写法。", f"{words!r} was not understood; type ? for help.")


def value_fields(match: Match, word: str) -> dict[str, int] | None:
    """Read the value of a hand as announced: 18番, 324点, or a bare number in the unit that players announce."""
    announces_fan = match.rules.announced is not None
    for units, key in ((_FAN, "fan"), (POINTS, "points")):
        for unit in units:
            number = natural(word[: -len(unit)]) if fold(word).endswith(unit) else None
            if number is not None:
                if key == "fan" and not announces_fan:
                    if match.book.unit.zh in _FAN:
                        return {"points": number}
                    zh, en = match.book.unit
                    raise HandError(f"这本规则算{zh}：写 {number}{zh}。", f"this rulebook counts {en}, not fan.")
                return {key: number}
    number = natural(word)
    return None if number is None else {"fan" if announces_fan else "points": number}


class HandAdditions:
    """Additions after a hand: 花2, 供 丙3 丁1, 听 乙=9, 见 1m2m, 放杠 甲, 抢杠, circumstances."""

    def __init__(self, match: Match, fields: dict[str, Any]) -> None:
        self.match, self.fields = match, fields
        self.once = SeenParts()
        self.givers: list[int] = []
        self.named_flowers: list[str] = []
        self._readers: dict[str, Callable[[str], bool]] = {
            "supplied": self._read_supplied, "ready": self._read_ready, "seen": self._read_seen,
            "flowers": self._flowers, "feeder": self._feeder, "liable": self._liable,
        }  # fmt: skip

    def read(self, words: list[str]) -> None:
        """Read the words, in any order.

        Raises:
            HandError: one of them was not understood.
        """
        part: Callable[[str], bool] | None = None
        alone = ""  # a word that begins a list, as long as nothing stands in it
        for word in words:
            if fold(word) in _PARTS:
                if alone:
                    break
                part, alone = self._readers[_PARTS[fold(word)]], word
            elif part and part(word):
                alone = ""
            elif not self._alone(word):
                raise not_understood(word)
        if alone:
            raise HandError(
                f"“{alone}”后面还要写内容，输入 ? 看写法。", f"something must follow {alone!r}; type ? for help."
            )
        if self.givers:
            self._spread()

    def _alone(self, word: str) -> bool:
        """Read a word that needs no word before it; a circumstance goes before flowers (花糊 before 花 and 糊)."""
        named = _is_circumstance(word, self.match.book)
        if word[:1] == "花" and len(word) > 1 and not named:
            return self._flowers(word[1:])
        if fold(word) in ("抢杠", "robbed") and "tiles" not in self.fields:
            self.fields["robbed"] = True
            return True
        if not named:
            return False
        if "tiles" not in self.fields:
            raise HandError(
                f"“{word}”只能与手牌同写；报出的点数里已经包含它。",
                f"{word!r} can only be given with tiles: announced points already include it.",
            )
        self.fields["tiles"]["circumstances"].append(word)
        return True

    def _read_supplied(self, word: str) -> bool:
        """Read how many tiles a player supplied (乙3), or the givers of the pungs and kongs in order (乙 乙 丁)."""
        if _is_player(self.match, word):
            self.givers.append(player(self.match, word))
            return True
        count = natural(word[-1])
        if count is None or not _is_player(self.match, word[:-1]):
            return False
        who = player(self.match, word[:-1])
        name = self.match.names[who]
        self.once(("supplied", who), f"{name}供的张数", f"the tiles {name} supplied")
        self.fields.setdefault("supplied", [0] * 4)[who] = count
        return True

    def _read_ready(self, word: str) -> bool:
        named, equals, value = word.partition("=")
        if not equals:
            return False
        given = value_fields(self.match, value)
        fields: dict[str, Any] = {"hands": value} if given is None else given
        key, value = next(iter(fields.items()))
        key = {"points": "ready", "fan": "ready_fan", "hands": "ready_hands"}[key]
        who = player(self.match, named)
        name = self.match.names[who]
        self.once(("ready", who), f"{name}的听牌", f"the ready hand of {name}")
        self.fields.setdefault(key, [None] * 4)[who] = value
        return True

    def _flowers(self, word: str) -> bool:
        """Read a number of flowers, or their names: 花2, 花春梅, 花 春 梅."""
        from quepu.rules.winds_and_flowers import flower_numbers
        from quepu.tiles import FLOWERS, FLOWERS_ENGLISH

        number = natural(word)
        names: list[str] = []
        if number is None:
            try:
                found = flower_numbers(word)
            except Error:
                return False
            assert not isinstance(found, int)  # noqa: S101  # a number was read above
            for one in found:
                self.once(("flower", one), FLOWERS[one], FLOWERS_ENGLISH[one])
            names = [FLOWERS[one] for one in found]
        if not names or not self.named_flowers:
            self.once("flowers", "花牌", "the number of flowers")
        self.named_flowers += names
        number = len(self.named_flowers) if number is None else number
        if "tiles" not in self.fields and not self.match.book.flower_value:
            raise HandError(
                "这本规则报出的点数里已经包含花牌，花牌只能与手牌同写。",
                "in this rulebook announced points already include flowers: give flowers only with tiles.",
            )
        if "tiles" in self.fields:
            self.fields["tiles"]["flowers"] = self.named_flowers or number
        else:
            self.fields["flowers"] = number
        return True

    def _read_seen(self, word: str) -> bool:
        from quepu.hands.notation import tiles

        try:
            tiles(word)
        except Error:
            return False
        self.fields["seen"] = f"{self.fields.get('seen', '')} {word}".strip()
        return True

    def _feeder(self, word: str) -> bool:
        from quepu.scorekeeper.records import NoFeeder

        if fold(word) not in _NO_ONE and not _is_player(self.match, word):
            return False
        self.once("feeder", "放杠的人", "the player who discarded the kong tile")
        self.fields["kong_feeder"] = NoFeeder.OWN_TILE if fold(word) in _NO_ONE else player(self.match, word)
        return True

    def _liable(self, word: str) -> bool:
        """Read who pays for the whole hand: 包 乙, or of several winners 包 甲=乙."""
        winner, equals, payer = word.partition("=")
        also = self.fields.get("also", [])
        if not _is_player(self.match, payer if equals else word):
            if all(one.get("liable") is None for one in (self.fields, *also)):
                unknown, listed = payer if equals else word, join_list(self.match.names)
                raise HandError(
                    f"“包”后面写谁包，没有“{unknown}”这位玩家，玩家有：{listed.zh}。",
                    f"no player {unknown!r} to be liable; players: {listed.en}.",
                )
            return False
        if bool(equals) != bool(also):
            raise HandError(
                "两家和时写 包 和家=包的人，一家和时写 包 包的人。",
                "of several winners, write: liable WINNER=PLAYER; of one: liable PLAYER.",
            )
        fields = self.fields
        if equals:
            who = player(self.match, winner)
            fields = next((one for one in (fields, *also) if one["winner"] == who), {"winner": None})
            if fields["winner"] is None:
                name = self.match.names[who]
                raise HandError(f"{name}没有和牌，没有人替他包。", f"{name} has not won: no player is liable.")
        self.once(("liable", fields["winner"]), "包的人", "the liable player")
        fields["liable"] = player(self.match, payer if equals else word)
        return True

    def _spread(self) -> None:
        """Assign the named givers to the pungs and exposed kongs in order; a single name applies to all."""
        import quepu
        from quepu.hands.hand import MeldKind

        if "tiles" not in self.fields:
            raise HandError(
                "只写点数时，“供”后面写各家的张数，如 供 乙4。",
                "with points alone, give the number of tiles, as in: supplied B4.",
            )
        melds = quepu.parse(self.fields["tiles"]["hand"]).melds
        claimed = [i for i, meld in enumerate(melds) if meld.kind in (MeldKind.PUNG, MeldKind.KONG)]
        if len(self.givers) not in (1, len(claimed)):
            raise HandError(
                f"有 {len(claimed)} 副碰杠，写了 {len(self.givers)} 个名字。",
                f"the hand has {len(claimed)} claimed pungs and kongs, but {many(len(self.givers), 'name')} given.",
            )
        names = self.givers * len(claimed) if len(self.givers) == 1 else self.givers
        seats = self.match.place.seats
        winner = seats.index(self.fields["winner"])
        givers: list[str | None] = [None] * len(melds)
        for at, name in zip(claimed, names, strict=True):
            apart = (seats.index(name) - winner) % 4
            if not apart:
                raise HandError(
                    f"{self.match.names[name]} 是和家，不能供牌给自己。",
                    f"{self.match.names[name]} is the winner and cannot have supplied tiles.",
                )
            givers[at] = _RELATIVE_SEATS[apart]
        self.fields["tiles"]["givers"] = givers


def _is_circumstance(word: str, book: Rulebook) -> bool:
    from quepu.rules.circumstances import luck_of

    try:
        luck_of([word], book)
    except Error:
        return False
    return True
