"""The numbers that stand for things in columns, for kernels and for everything around them.

Operations are numbered once, here: accesses come first, then what locks and threads do, then what
orders nothing; kernels distinguish these groups by comparing.
"""

from __future__ import annotations

READ, WRITE, ACQUIRE, RELEASE, FORK, JOIN, BEGIN, END, DUMMY, SKIPPED = range(10)

NONE = -1  # no row, no thread, no place in a list

THREAD_BITS = 20  # of a word or a key that holds a thread beside something else
THREAD_MASK = (1 << THREAD_BITS) - 1
