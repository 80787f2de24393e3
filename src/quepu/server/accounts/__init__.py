"""Accounts over HTTP: `api`, `messages`, `passwords`, `visitor` (who is logged in, and who pays)."""
