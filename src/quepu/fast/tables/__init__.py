"""Many tables at once, compiled (the extra `fast`); `quepu.table` is what it is compared with."""

from __future__ import annotations

from quepu.fast.tables.fast_tables import FastTables, walls

__all__ = ["FastTables", "walls"]
