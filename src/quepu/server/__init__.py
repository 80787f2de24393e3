"""The web server: the core behind a REST API, a store for what people keep, and the pages of the client.

Imported only by `quepu serve` and by tests; the core knows nothing of it.
"""
