"""Offline traces: recorded executions read from files and analysed for races."""
