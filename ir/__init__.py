"""irsan's own typed model of LLVM IR, its bitcode reader and its printer."""
