"""Accounts over HTTP: `api`, `messages`, `passwords`, `visitor` (the account logged in, and whose budget pays)."""
