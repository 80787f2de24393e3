"""Conformance files: for each rulebook, cases with which any program can test itself.

agreement  cases (the files in data/conformance), asking quepu or another program, and comparing
generate   writing the files and the tables of docs/guide/conformance.md
"""

from __future__ import annotations
