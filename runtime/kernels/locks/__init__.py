"""Locks as the detectors see them: who holds which, in which order, rightly or not."""
