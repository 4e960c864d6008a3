"""The interpreter engine: LLVM IR lowered to dense code, run by machine.py."""
