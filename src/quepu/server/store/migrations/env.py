"""Alembic's entry point: migrations run on a given connection."""

from alembic import context

from quepu.server.store.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
