"""Tests of the 广东 book."""
