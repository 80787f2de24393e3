"""The time of the last removal of expired data."""

import sqlalchemy as sa
from alembic import op

revision = "0008_tidied"
down_revision = "0007_belongings"

_NEWEST = """
    INSERT INTO tidied (id, at)
    SELECT 1, newest FROM (
        SELECT max(at) AS newest FROM (
            SELECT max(updated) AS at FROM log UNION ALL
            SELECT max(at) FROM practice_answer UNION ALL
            SELECT max(created) FROM account
        ) AS written
    ) AS one WHERE newest IS NOT NULL
"""


def upgrade() -> None:
    """Create the table; in a used database, the clock is measured from the last write."""
    op.create_table("tidied", sa.Column("id", sa.Integer, primary_key=True), sa.Column("at", sa.Float, nullable=False))
    op.execute(_NEWEST)
