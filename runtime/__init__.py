"""All mutable run-time state and the kernels that work on it."""
