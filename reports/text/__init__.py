"""Findings as text, each in the layout of the tool it belongs to."""
