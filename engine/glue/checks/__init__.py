"""Glue that is inlined at accesses: address, bounds, uninitialised bits, pointer provenance."""
