"""Globals: redzones, descriptors, order of initialisation, one definition."""
