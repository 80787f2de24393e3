"""The scorekeeper over HTTP: `api` and `messages` of tables, `clubs_api` of club nights."""
