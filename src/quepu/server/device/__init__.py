"""The same routes on the user's device, without a server: for pages that are offline.

Runs wherever Python does, including a browser's worker (Pyodide): nothing here needs a database, threads or processes.
"""
