"""The map of memory: addresses, words, options, events; no numba here."""
