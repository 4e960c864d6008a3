"""Room for irsan's own work in a process whose program has lowered its limits.

Soft limits are lifted to the hard ones, which the program could not lower really
(interceptors/system/rlimits.py), and put back afterwards.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_NEEDED: Final = (
    resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_NPROC
)  # fmt: skip


@contextmanager
def lifted_limits() -> Iterator[None]:
    """Work without the limits that the program has set."""
    before = [(number, resource.getrlimit(number)) for number in _NEEDED]
    lift_limits()
    try:
        yield
    finally:
        for number, limits in before:
            with suppress(OSError, ValueError):
                resource.setrlimit(number, limits)


def lift_limits() -> None:
    """The same for good: the program has ended."""
    for number in _NEEDED:
        with suppress(OSError, ValueError):
            hard = resource.getrlimit(number)[1]
            resource.setrlimit(number, (hard, hard))
