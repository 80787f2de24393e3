"""Preload heavy modules before forking, so that every process shares them."""

import quepu.rulebooks
import quepu.server.replays.review_worker
import quepu.server.rooms.bot_pool
import quepu.server.score_tables.working  # noqa: F401
