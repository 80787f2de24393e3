"""Tests speak Chinese unless they choose otherwise, whatever machine they run on."""

import os
from collections.abc import Iterator

import pytest

from quepu import errors

os.environ.pop("QUEPU_LANG", None)
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.fixture(autouse=True)
def _language_of_its_own() -> Iterator[None]:
    """No test's choice of language outlives it."""
    yield
    errors._chosen.clear()
