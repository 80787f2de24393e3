"""Work that would block the event loop: done in other processes, with limits, and fairly between askers.

process     one process, and its limits
pool        processes, and a queue in which askers take turns
building    tables of a book, built in slices
"""

from quepu.server.work.pool import Pool
from quepu.server.work.process import Allowed

__all__ = ["Allowed", "Pool"]
