"""Leak searches: roots, and the check at exit."""
