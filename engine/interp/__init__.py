"""The interpreter engine: LLVM IR lowered to dense code, run by one numba loop (see machine.py)."""
