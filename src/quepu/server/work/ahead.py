"""Imports that the processes need, made once: each of them is a copy of one that has it."""

import quepu.rulebooks
import quepu.server.replays.review_worker
import quepu.server.rooms.bot_pool
import quepu.server.score_tables.working  # noqa: F401
