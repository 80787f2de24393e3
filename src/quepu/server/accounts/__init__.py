"""Accounts over HTTP: `api`, `messages`, and `payers`: on whose budget a request is."""
