"""Flags of users: tables, parsing, suppressions, report styles."""
