"""Many tables at once, compiled (the extra `fast`); the plain twin is `quepu.table`."""

from __future__ import annotations

from quepu.fast.tables.fast_tables import FastTables, walls

__all__ = ["FastTables", "walls"]
