"""Practice: `questions` (made from a seed), `api`, `messages`."""
