"""The names of checks, shared by the command line and the passes."""

from typing import Final

ADDRESS, THREAD, UNDEFINED, MEMORY = "address", "thread", "undefined", "memory"
OBJECT_BOUNDS = "object-bounds"  # parts of address checks that have to be asked for
INNER_BOUNDS = "inner-bounds"
POINTER_PAIRS = "pointer-pairs"
NO_RACE_ACCESSES = "no-race-accesses"  # parts of race checks that can be left out
NO_RACE_ATOMICS = "no-race-atomics"
ALL_CHECKS = "all-checks"  # none is left out or moved by analyses: for tests of those
BITS_CROSS_CALLS = "bits-cross-calls"  # arguments and results may be uninitialised
UBSAN_HANDLERS: Final = "__ubsan_handle_"  # how the names of what the undefined check calls begin
