"""OpenMP as GCC and Polly call it: GOMP_*."""
