"""Kernels that call several detectors: an access, the heap, the life of a thread."""
