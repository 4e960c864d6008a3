"""Checks of reads and writes: plain, atomic, masked, of ranges, in loops."""
