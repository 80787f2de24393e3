"""Belongings of an account, and codes that transfer a browser's belongings to another."""

import sqlalchemy as sa
from alembic import op

revision = "0007_belongings"
down_revision = "0006_score_tables"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "account_things",
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("who", sa.String(64), nullable=False),
    )
    op.create_table(
        "transfer_code",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("transfer_code_of", "transfer_code", ["code"], unique=True)
