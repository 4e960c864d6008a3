"""Stand-ins for malloc, free, locks and libc; one file per family, one registry."""
