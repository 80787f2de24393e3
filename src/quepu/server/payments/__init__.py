"""Who pays whom, over HTTP: `api`, `messages`."""
