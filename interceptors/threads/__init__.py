"""Threads and all that orders them: locks, conditions, semaphores, futexes, fibers, signals."""
