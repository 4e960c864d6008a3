"""LLVM text between checked code and kernels: hooks, interceptors, thread switches."""
