"""Hands, their readings and their conditions as numpy arrays."""
