"""Practice: `questions` (made from a seed), `reasons` (why a choice was wrong), `api`, `messages`."""
