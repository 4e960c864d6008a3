"""OpenMP on irsan's threads: what clang calls for a pragma, and the functions of omp.h."""
