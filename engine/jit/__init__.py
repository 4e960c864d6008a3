"""The native engine: LLVM objects, our own loader, green threads."""
