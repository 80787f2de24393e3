"""Hands over HTTP: `api`, `messages`."""
