"""One analysis per file: it owns the arrays of its kernel and lets them grow between chunks."""
