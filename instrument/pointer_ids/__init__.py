"""Pointer provenance: the id of its object beside every pointer."""
