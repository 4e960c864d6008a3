"""The processor that a host keeps to, and the ones that a schedule may use all the same.

A schedule is a relay of processes that wait for each other: host, forker, the schedule's own.  Left
to the system, the relays of two hosts meet on one processor while another has nothing to do: two
hosts play 1.75 times as many schedules as one, and 2.0 times when each keeps to a processor.  A
program that asks which processors it may use is told what it would be told otherwise: each
schedule's process takes all of them back before it runs, and stays where it is.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection
from typing import Final

ANY: Final = -1  # processor
MASK_WORDS: Final = 16  # of a mask for sched_setaffinity(2), 64 processors each
_MAX_PROCESSORS: Final = 64 * MASK_WORDS


def processor_of_host(number: int, n_hosts: int) -> int:
    """Where a host is to stay; ANY when there are processors without a host."""
    processors = sorted(os.sched_getaffinity(0))
    if n_hosts < len(processors) or processors[-1] >= _MAX_PROCESSORS:
        return ANY
    return processors[number % len(processors)]


def keep_to(processor: int) -> frozenset[int]:
    """Let this process, and those that it starts, stay there; returns what it might use before.

    processor: ANY changes nothing.  What the system refuses is left as it was: it is but speed
    """
    before = frozenset(os.sched_getaffinity(0))
    if processor != ANY:
        use(frozenset({processor}))
    return before


def use(processors: frozenset[int]) -> None:
    """Let this process use these."""
    try:
        os.sched_setaffinity(0, processors)
    except OSError:  # taken away from it meanwhile
        return


def mask_of(processors: Collection[int]) -> array[int]:
    """Processors as sched_setaffinity(2) reads them: MASK_WORDS words."""
    words = array("Q", bytes(8 * MASK_WORDS))
    for processor in processors:
        if processor < _MAX_PROCESSORS:
            words[processor // 64] |= 1 << processor % 64
    return words
