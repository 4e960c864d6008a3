"""Where checked code meets compilers, other instrumentation and native libraries."""
