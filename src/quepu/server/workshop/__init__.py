"""The workshop 工坊: drafts of rulebooks, and everything that a change does."""
