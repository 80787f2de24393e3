"""Accounts over HTTP: `api`, `messages`."""
