"""Tests of the whole project: documents and site, packages, every door in every order, both folds of events."""
