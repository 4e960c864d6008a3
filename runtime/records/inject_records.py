"""What is kept of failures that are injected: see kernels/injected.py."""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout.inject_words import INJECTED_KINDS
from irsan.runtime.records.subsystems import record

_U64 = "u8"
N_KINDS: Final = len(INJECTED_KINDS)
INTERRUPTED_PLACES: Final = 64  # of which is known that the last call there was interrupted

INJECT_DTYPE = record(
    [
        ("kinds", _U64),  # bit k: failures of kind k are injected
        ("failing_allocation", _U64),  # number of the only one that fails, 0: they are drawn
        ("n_allocations", _U64),
        ("n_calls", _U64),  # that could have failed
        ("n_injected", _U64),
        # the newest failure
        ("newest", _U64),  # its kind + 1, 0: none yet
        ("at_call", _U64),  # n_calls
        ("routine", _U64),
        ("stack", _U64),
        ("tid", _U64),
        ("asked", _U64),
        ("given", _U64),
        ("weak_failed", _U64),  # 1: the weak compare-exchange that has just returned did
        # the signal that is on its way
        ("signal_due", _U64),  # virtual time at which it comes, 0: there is none
        ("signal_bit", _U64),
        ("signal_thread", _U64),
        ("signal_tid", _U64),
        # by kind
        ("one_in", _U64, (N_KINDS,)),  # calls to one that fails, on average
        ("rng", _U64, (N_KINDS,)),
        ("interrupted", _U64, (INTERRUPTED_PLACES,)),
    ]
)
