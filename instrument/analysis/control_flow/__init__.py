"""Blocks and loops of a function: dominators, loops, turns that are left, what runs in between."""
