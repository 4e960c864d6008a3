"""Versions of loops whose checks were made for many turns at once."""
