"""Practice: `questions` (made from a seed), `reasons` (why a choice was wrong), `lessons`, `api`, `messages`."""
