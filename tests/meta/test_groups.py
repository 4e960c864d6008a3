"""Tests of one group stay on one worker of xdist; else their fixtures are made once per worker."""

from __future__ import annotations

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one worker")
def test_the_worker_knows_the_group(request: pytest.FixtureRequest) -> None:
    """xdist writes it into the node's id, from which its scheduler reads it."""
    assert request.node.nodeid.endswith("@tests/meta/test_groups.py")
