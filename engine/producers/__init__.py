"""Languages whose own compilers make LLVM IR: Rust, Zig, Fortran, D, Objective-C."""
