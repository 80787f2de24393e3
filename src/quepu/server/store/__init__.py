"""The store of user data: practice answers, and the logs of tables. SQLite in the data folder, or PostgreSQL."""
