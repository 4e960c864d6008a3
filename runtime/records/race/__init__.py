"""What the race detector keeps: accesses, clocks, locks, sync objects, the recorded trace."""
