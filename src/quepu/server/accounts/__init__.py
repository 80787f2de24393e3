"""Accounts over HTTP: `api`, `messages`, `budget` (accounts pay, too), `payers` (what is stored)."""
