"""The store of what people keep: practice answers, and the logs of tables. SQLite in the data folder, or PostgreSQL."""
