"""The kernel language: how a Python function with scalars in its signature becomes machine code."""
