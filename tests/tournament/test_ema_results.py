"""The columns that EMA takes: names, countries and dates."""

from datetime import date

import pytest

from quepu.tournament.ema_results import Event, dates, member_number, nationality, split_name


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("Anna Berg", "Anna", "Berg"),
        ("Anna Maria Berg", "Anna Maria", "Berg"),
        ("Jan van den Berg", "Jan", "van den Berg"),
        ("Marjan VAN DEN NIEUWENDIJK", "Marjan", "VAN DEN NIEUWENDIJK"),
        ("BERG Anna Maria", "Anna Maria", "BERG"),
        ("Anna Berg (2)", "Anna", "Berg"),
        ("王芳（甲队）", "", "王芳"),
        ("ANNA BERG", "ANNA", "BERG"),
        ("Van Tran", "Van", "Tran"),
        ("John F. Kennedy", "John F.", "Kennedy"),
        ("J.-P. Kennedy", "J.-P.", "Kennedy"),
        ("Anna J. BERG", "Anna J.", "BERG"),
        ("BERG J.", "J.", "BERG"),
        ("BJÖRKLUND Anna", "Anna", "BJÖRKLUND"),
        ("Jan van den BERG", "Jan", "van den BERG"),
        ("de la Cruz", "", "de la Cruz"),
        ("(2)", "", "(2)"),
    ],
)
def test_names_are_split_into_first_and_last(name, first, last):
    assert split_name(name) == (first, last)


def test_the_country_is_in_the_number_or_stands_in_its_place():
    assert [nationality(number) for number in ("04010001", "16990001", "CHN", "99010001", "7", "")] == [
        "FRA", "SUI", "CHN", "", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "whole"),
    [
        ("04010001", "04010001"),
        ("4010001", "04010001"),  # as a spreadsheet leaves it
        ("16990001", "16990001"),
        ("0401001", ""),
        ("401001", ""),
        ("٤٠١٠٠٠١", ""),
        ("CHN", ""),
        ("", ""),
    ],
)
def test_a_leading_zero_that_a_spreadsheet_dropped_is_put_back(number, whole):
    assert member_number(number) == whole
    if number == "4010001":
        assert nationality(number) == "FRA"


def test_dates_are_written_as_on_the_site_of_ema():
    assert dates(Event()) == ""
    for first, last, text in (
        (date(2026, 10, 5), date(2026, 10, 5), "5 Oct.2026"),
        (date(2026, 3, 11), date(2026, 3, 12), "11-12 Mar.2026"),
        (date(2026, 9, 28), date(2026, 10, 1), "28 Sep.-1 Oct.2026"),
        (date(2026, 12, 31), date(2027, 1, 1), "31 Dec.2026-1 Jan.2027"),
    ):
        assert dates(Event(first=first, last=last)) == text
