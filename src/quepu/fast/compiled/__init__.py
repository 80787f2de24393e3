"""Scoring as loops that numba compiles (the extra `fast`)."""
