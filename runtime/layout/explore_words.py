"""Numbers of the strategies that explore: what their words mean, scores, kinds of events.

    RunOptions.scheduler_words   depth, length, n_sites, sites..., rest...

    depth    PCT's d, or how many delays or preemptions a schedule may have, plus one; of a script
             whether it names switches behind events, too: 0 or 1
    length   how many points a schedule is expected to have
    sites    site numbers whose accesses are points: where races were found
    rest     what one strategy needs beside: shares of threads (urw, surw), switches (script),
             reads-from pairs (rff)

The rest lies in a table of its own, `REST_WORDS`; switches that a schedule has made are left in
`SWITCHES`, pairs of step and slot.  Where it is traced, its events are in `EVENTS`, rows of four
words:

    thread number (16 bits), kind (16), site (32)
    address of what the event touches
    bits of the threads that could go on, by thread number
    points so far (32 bits), the thread's slot (32)
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

MAX_REST: Final = 1 << 17
MAX_SWITCHES: Final = 1 << 20
MAX_EVENTS: Final = 1 << 20

REST_WORDS: Final = memory_map.table("schedule words", MAX_REST * 8)
SWITCHES: Final = memory_map.table("schedule switches", MAX_SWITCHES * 8)
EVENT_BYTES: Final = 32
EVENTS: Final = memory_map.table("schedule events", MAX_EVENTS * EVENT_BYTES)

# Scores of threads: a drawn one is above a lowered one, that above one of who spins or yields.
FIRST_SCORE: Final = 1 << 32
LOWERED_SCORE: Final = 1 << 31

# What an event does with its object: two reads of one object go together.
READS: Final = 0
WRITES: Final = 1
STARTS: Final = 2  # a thread begins, or goes on behind a sleep: touches nothing that others see
WAKES: Final = 3  # a thread goes on behind a wait
TOUCHES: Final = 4  # no event: a lock taken or given up behind the thread's last event
GOES_ON: Final = 5  # a thread goes on behind an operation by which it has let others go on

BEHIND_SHARE: Final = 4  # behind one of so many of these operations, drawn, there is a point

EVENT_FUEL: Final = 1 << 16  # safepoints that a thread may take between two events: it spins
IDLE_POINTS: Final = 1 << 17  # in a row without an event: no progress, some ten seconds
SPIN_EVENTS: Final = 64  # events at one place, one after the other: the thread spins
FAIR_EVENTS: Final = 1 << 12  # events of one thread while others could run: enough for now
