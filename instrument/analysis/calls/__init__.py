"""Where calls put their arguments, and what inline assembly does."""
