"""What a limit of irsan has refused: words of ctx.refused, counted by kernels, reported by the
host.

How it is reported is in engine/findings/run_limits.py; every limit and its number, in
docs/limits.md.
"""

from __future__ import annotations

from typing import Final

THREADS: Final = 0  # as many as there are slots were alive
STACKS: Final = 1  # no room for the stack of another thread
HUGE_STACKS: Final = 2  # a stack beyond the largest was asked for
FIBERS: Final = 3  # announced to the race detector
EXIT_FUNCTIONS: Final = 4  # of atexit, at_quick_exit and thread-local destructors
ROBUST: Final = 5  # robust mutexes whose owner's end is not noticed
GLOBAL_TABLES: Final = 6  # tables of globals that were registered
N_REFUSED: Final = 7
