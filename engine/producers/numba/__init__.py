"""Kernels that numba has compiled, checked with their arguments: `irsan.check`."""
