"""Codes for a new password, banned names, and operators' actions."""

import sqlalchemy as sa
from alembic import op

revision = "0005_administration"
down_revision = "0004_accounts"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "account_code",
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "banned_name",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("about", sa.String(200), nullable=False),
    )
