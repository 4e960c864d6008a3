"""Frozen memory, in a process of its own: one that has a guest's arena is no host to be frozen."""

from __future__ import annotations

from pathlib import Path

from tests.support.apart import run_apart


def test_what_was_frozen_is_there_and_can_be_changed() -> None:
    run_apart(Path(__file__).with_name("frozen_memory_checks.py"))
