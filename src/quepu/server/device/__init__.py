"""The same routes on one's own device, without a server: for pages that are offline.

Runs wherever Python does, in a browser's worker too (Pyodide): nothing here needs a database, threads or processes.
"""
