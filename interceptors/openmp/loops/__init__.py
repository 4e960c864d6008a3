"""Loops that a team shares: static, dynamic, ordered, nests that wait for each other."""
