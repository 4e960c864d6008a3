"""irsan: a dynamic data-race and memory-error sanitizer for LLVM IR."""

__version__ = "0.1.0"
