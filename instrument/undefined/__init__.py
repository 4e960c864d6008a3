"""Checks of undefined behaviour that the pass itself inserts."""
