"""Builds of other people: compiler wrappers, files that carry IR, build systems."""
