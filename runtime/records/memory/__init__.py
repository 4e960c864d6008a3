"""What is kept of memory: heap, guarded pool, managed heap, poison, pointers, leaks."""
