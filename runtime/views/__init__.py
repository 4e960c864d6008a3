"""The host's read-only views of what kernels keep."""
