"""Fibers of the race detector, as numbers: a record's state, and words of thread.spare.

A fiber is a thread record whose state is FIBER; what its words mean is in
runtime/kernels/combined/fibers.py.
Other words: thread_words.py, context_stacks.py.
"""

from __future__ import annotations

from typing import Final

FIBER: Final = 4  # beside the states of thread_states.py: never scheduled, never joined

# of a thread that runs
HOME: Final = 16  # record that keeps its own identity while a fiber's is in use, 0 = none yet
CURRENT: Final = 17  # record of the fiber that it runs, its home included
IS_ANNOUNCED: Final = 18  # 1 = a switch was announced and no change of stacks has been seen since

# of a fiber
RUNNER: Final = 16  # record of the thread that runs it, 0 = none
IS_HOME: Final = 17  # 1 = a thread's own, which only its end destroys
