"""Owners of logs: server processes, their numbers, and which processes are alive."""

import sqlalchemy as sa
from alembic import op

revision = "0003_owners"
down_revision = "0002_replays"


def upgrade() -> None:
    """Add the owner and the fence to logs, and the table of processes."""
    op.add_column("log", sa.Column("process", sa.String(32), nullable=True))
    op.add_column("log", sa.Column("fence", sa.Integer, nullable=False, server_default="0"))
    op.create_index("log_process", "log", ["process"])
    op.create_table(
        "process",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("alive_until", sa.Float, nullable=False),
    )
