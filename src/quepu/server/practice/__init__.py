"""Practice: `questions` from a seed, `aims`, `reasons` (why a choice was wrong), `lessons`, `api`, `messages`."""
