"""Conformance files: for each rulebook, cases that any program can test itself by.

cases  what a case is; the files in data/conformance    agreement  asking quepu or another program, and comparing
generate  writing the files and the tables of docs/guide/conformance.md
"""

from __future__ import annotations
