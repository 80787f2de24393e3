"""What people keep: practice answers, and the logs of tables. SQLite in the data folder, or PostgreSQL."""

from quepu.server.store.appending import Conflict
from quepu.server.store.database import Database
from quepu.server.store.logs import Entry, LogHead, Logs
from quepu.server.store.practice import Answered, PracticeStore

__all__ = ["Answered", "Conflict", "Database", "Entry", "LogHead", "Logs", "PracticeStore"]
