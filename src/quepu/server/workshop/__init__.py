"""The workshop 工坊: drafts of rulebooks, and all effects of a change."""
