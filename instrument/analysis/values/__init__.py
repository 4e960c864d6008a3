"""Integers and types: sizes, casts, the range of a value."""
