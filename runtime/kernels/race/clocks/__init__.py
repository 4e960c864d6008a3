"""Logical clocks: vector clocks, tree clocks, their rows, words and generations."""
