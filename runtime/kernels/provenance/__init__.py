"""Pointer provenance: ids of objects, in memory, in calls and at accesses."""
