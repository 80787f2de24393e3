"""The results of a tournament in the columns of the workbook in which EMA, the European association, takes them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, NamedTuple

from quepu.tournament.desk_standings import DeskLine, standings
from quepu.tournament.desk_state import Desk, DeskError

HEAD = (
    "TITLE", "PLAYERS", "POSITION", "FIRST NAME", "LAST NAME", "EMA NUMBER", "TABLE POINTS", "SCORE", "EMA MEMBER",
    "NATIONALITY", "", "COUNTRY", "PLACE", "MERS", "", "RULES", "DATE", "DAYS",
)  # fmt: skip
"""The columns as a program that reads EMA's workbooks finds them; the two without a name hold nothing."""
COUNTRIES = {
    "01": "AUT", "02": "BEL", "03": "DEN", "04": "FRA", "05": "GER", "06": "HUN", "07": "ITA", "08": "NED", "09": "SWE",
    "10": "ESP", "11": "GBR", "12": "POR", "14": "FIN", "15": "RUS", "16": "SUI", "17": "SVK", "19": "POL", "20": "BLR",
}  # fmt: skip
"""Countries by the first two digits of an EMA number, in the letters that EMA's site uses."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PARTICLES = frozenset((
    "van", "von", "de", "den", "der", "del", "della", "di", "da", "do", "dos", "du", "la", "le", "lo", "ten", "ter",
    "zu", "zur", "af", "av",
))  # fmt: skip
"""Words with which a last name may begin."""
_NOTE = re.compile(r"\s*[（(][^（()）]*[)）]$")
_INITIALS = re.compile(r"(\w\.-?)+")


class Event(NamedTuple):
    """Facts of a tournament that the desk does not know: country (three letters), place, first and last day."""

    country: str = ""
    place: str = ""
    first: date | None = None
    last: date | None = None

    @property
    def days(self) -> int | None:
        """The days from the first to the last."""
        return (self.last - self.first).days + 1 if self.first and self.last else None


def make_event(country: str, place: str, first: date | None, last: date | None) -> Event:
    """Check an organiser's entries; a last day alone, or a first, is the only day."""
    letters = country.strip().upper()
    if letters and not re.fullmatch("[A-Z]{3}", letters):
        raise DeskError(
            f"国家“{country}”应是三个字母，如 FRA。", f"country {country!r} should be three letters, such as FRA."
        )
    first, last = first or last, last or first
    if first and last and first > last:
        raise DeskError(
            f"首日 {first} 晚于末日 {last}，请对调。",
            f"the first day, {first}, is after the last, {last}: exchange them.",
        )
    return Event(letters, place.strip(), first, last)


def results(desk: Desk, event: Event, rules: str) -> list[list[Any]]:
    """Return the rows of the workbook; unknown fields stay empty, as does the weight (MERS), which EMA sets.

    `rules` is the name by which EMA knows the rules (`PlayRules.ema_rules`). The tournament stands in the third row,
    left and right of its player. Who withdrew without playing is left out.
    """
    lines = _played(desk)
    rows: list[list[Any]] = [list(HEAD)]
    for line in lines:
        number = member_number(line.number)
        names, country = split_name(line.name), nationality(line.number)
        own = [line.rank, *names, number or 0, line.standard, line.total, int(bool(number)), country]
        rows.append(["", "", *own, "", "", "", "", "", "", "", ""])
    while len(rows) < 3:
        rows.append([""] * len(HEAD))
    rows[2][:2] = [desk.spec.title, len(lines)]
    rows[2][11:] = [event.country, event.place, "", "", rules, dates(event), event.days or ""]
    return rows


def _played(desk: Desk) -> list[DeskLine]:
    lines = standings(desk)
    gone = [line.rank for line in lines if not line.tables and line.name in desk.away]
    return [
        line.model_copy(update={"rank": line.rank - sum(rank < line.rank for rank in gone)})
        for line in lines
        if line.tables or line.name not in desk.away
    ]


def split_name(name: str) -> tuple[str, str]:
    """Split a name as typed into first and last name; a note that tells two people apart is left out.

    The last name is in capitals (initials are not), or begins with a particle, or is the last word.
    """
    words = _NOTE.sub("", name).split() or name.split()
    capitals = [len(word) > 1 and word.isupper() and not _INITIALS.fullmatch(word) for word in words]
    at = len(words) - 1
    if any(capitals) and not all(capitals):
        if capitals[0]:  # the last name comes first
            at = capitals.index(False)
            return " ".join(words[at:]), " ".join(words[:at])
        at = capitals.index(True)
        while at > 1 and words[at - 1] in _PARTICLES:
            at -= 1
    else:
        at = next((at for at, word in enumerate(words[:-1]) if word in _PARTICLES), at)
    return " ".join(words[:at]), " ".join(words[at:])


def nationality(number: str) -> str:
    """Return the country of an EMA number, or the three letters that stand in place of a number."""
    if re.fullmatch("[A-Z]{3}", number):
        return number
    return COUNTRIES.get(member_number(number)[:2], "")


def dates(event: Event) -> str:
    """Return the days as EMA's site writes them: 5 Oct.2026, 11-12 Mar.2026, 28 Sep.-1 Oct.2026."""
    if not event.first or not event.last:
        return ""
    first, last = event.first, event.last
    end = f"{last.day} {_MONTHS[last.month - 1]}.{last.year}"
    if first == last:
        return end
    month = f" {_MONTHS[first.month - 1]}." if first.month != last.month else ""
    year = str(first.year) if first.year != last.year else ""
    return f"{first.day}{month}{year}-{end}"


def member_number(number: str) -> str:
    """Return an EMA number in its eight digits, or an empty text if it is not one.

    Seven digits are a number whose leading zero a spreadsheet dropped.
    """
    found = re.fullmatch("0?[1-9][0-9]{6}|[1-9][0-9]{7}", number)
    return "" if found is None else number.zfill(8)
