"""From what a kernel or the processor noticed to a finding: deduplicated, suppressed, reported."""
