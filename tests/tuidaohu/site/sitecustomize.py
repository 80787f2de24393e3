"""Registers the book in every process that has this folder on its path: servers, their workers, the command line."""

from quepu import rulebooks

rulebooks._MODULES["tuidaohu"] = "tests.tuidaohu"
