"""Fibers of the race detector, in records of threads: a state, and fields.

A fiber is a thread record whose state is FIBER; what its words mean is in
runtime/kernels/combined/fibers.py.

    of a thread that runs    fiber.home          record that keeps its own identity while a fiber's
                                                 is in use, 0 = none yet
                             fiber.current       record of the fiber that it runs, its home included
                             fiber.is_announced  1: a switch was announced, and no change of stacks
                                                 has been seen since
    of a fiber               fiber.runner        record of the thread that runs it, 0 = none
                             fiber.is_home       1: a thread's own, which only its end destroys
"""

from __future__ import annotations

from typing import Final

FIBER: Final = 4  # beside the states of thread_states.py: never scheduled, never joined

