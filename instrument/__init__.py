"""Passes that insert hook calls; the output is still valid LLVM IR."""
