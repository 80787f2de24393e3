"""Replays: rows for lists, and reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0002_replays"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "replay",
        sa.Column("log", sa.String(32), sa.ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("rules", sa.String(200), nullable=False),
        sa.Column("played", sa.Float, nullable=False),
        sa.Column("words", sa.String(1000), nullable=False),
        sa.Column("shown", sa.JSON, nullable=False),
    )
    op.create_index("replay_of", "replay", ["finished", "played"])
    op.create_table(
        "review",
        sa.Column("log", sa.String(32), sa.ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("hand", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
    )
