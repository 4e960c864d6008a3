"""Processes that play schedules: hosts of this machine that fork one each, workers of a cluster."""
