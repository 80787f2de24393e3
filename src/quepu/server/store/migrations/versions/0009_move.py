"""Whether a store is being filled from another one, or its data has been moved to another one."""

import sqlalchemy as sa
from alembic import op

revision = "0009_move"
down_revision = "0008_tidied"


def upgrade() -> None:
    """Create the table; it is empty unless `quepu admin move` has used the store."""
    op.create_table(
        "move",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("other", sa.String(300), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
