"""Numba kernels of the offline analyses: arrays in, indices and counts out; they never raise."""
