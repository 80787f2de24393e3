"""A browser's own things on another device: `api`, `messages`."""
