"""Processes, time, signals of others, limits and system calls."""
