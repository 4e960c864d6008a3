"""Memory: malloc, operator new, memcpy, mmap, and the interface to the heap."""
