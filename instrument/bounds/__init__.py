"""Exact bounds of the object that an access belongs to."""
