"""Races: from a pair of accesses to a finding, or none: expected, filtered, one too many."""
