"""The functions of omp.h, but for locks: queries, affinity, allocators, devices."""
