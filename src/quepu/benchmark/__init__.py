"""A benchmark of reading rulebooks and choosing discards, for any program that answers JSON.

questions   the questions of a seed: a book to read with its conformance cases, walls with fixed anchors
contestants commands, HTTP endpoints, quepu's own bots and trivial baselines, all asked the same way
running     asking, storing every answer so that a run can be resumed, and the report with intervals
"""
