"""Payments over HTTP: `api`, `messages`."""
