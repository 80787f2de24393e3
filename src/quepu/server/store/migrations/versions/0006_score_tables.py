"""Results of score tables, stored on change: lists and standings read them instead of every log."""

import sqlalchemy as sa
from alembic import op

revision = "0006_score_tables"
down_revision = "0005_administration"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "score_table",
        sa.Column("log", sa.String(32), sa.ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("club", sa.String(60), nullable=False),
        sa.Column("fingerprint", sa.String(40), nullable=False),
        sa.Column("shown", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
        sa.Column("figures", sa.JSON, nullable=False),
    )
    op.create_index("score_table_of", "score_table", ["club"])
