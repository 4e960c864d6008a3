"""Uninitialised values: a shadow bit for each bit of a value, by the rules of MemorySanitizer."""
