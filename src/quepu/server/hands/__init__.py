"""Hands over HTTP: `api`, `messages`, `win_request` (a win at a table as a question that can be sent again)."""
