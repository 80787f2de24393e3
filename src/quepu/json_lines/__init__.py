"""JSON in, JSON out: `answers` (one object), `batch` (many lines at a time), `parallel` (on several cores)."""
