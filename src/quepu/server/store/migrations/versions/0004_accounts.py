"""Accounts with passwords, their sessions, and their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0004_accounts"
down_revision = "0003_owners"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("key", sa.String(80), nullable=False, unique=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("secret", sa.String(200), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    account = sa.ForeignKey("account.id", ondelete="CASCADE")
    op.create_table(
        "account_session",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(32), account, nullable=False, index=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "account_seat",
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("log", sa.String(32), sa.ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
    )
