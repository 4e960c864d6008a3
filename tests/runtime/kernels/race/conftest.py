"""What tests of the race detector share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.cell_history import fork_threads


@pytest.fixture
def with_child(guest: Any) -> Any:
    """A guest with a second thread, the first one running; and the record of the second."""
    return guest, fork_threads(guest, 2)[1]
