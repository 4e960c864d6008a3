"""Errors that reach a user: one sentence each, with the documented exit status.

Findings about the guest program are never exceptions: they are values of `irsan.reports.model`.
"""

from __future__ import annotations


class IrsanError(Exception):
    """Base of everything irsan says no with; `exit_status` is what the command returns."""

    exit_status = 70


class UsageError(IrsanError):
    """Bad input from the user: a file, a flag, a program that does not compile."""

    exit_status = 2


class UnsupportedError(IrsanError):
    """The guest program needs something irsan does not support; the message names it."""

    exit_status = 69


class InternalError(IrsanError):
    """irsan contradicts itself; the message says what to attach to a bug report."""

    exit_status = 70
