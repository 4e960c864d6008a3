"""Records in memory, one file a subsystem: plain dtypes, no numba here."""
