"""Data that functions of the C library keep for all threads; no numba, the host reads it.

    PLACES    in the arena, so that it has race shadow: 16 bytes per state
    STATES    the functions that share each, and what to call instead

Source: the functions that attributes(7) and the manual of the GNU C library mark as MT-Unsafe with
race:X.  Those that lock what they keep (rand, random) or keep it for each thread (strerror,
inet_ntoa) are no part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.runtime.records.race import descriptor_records

PLACE_BYTES: Final = 16
PLACES: Final = (
    descriptor_records.CLOCKS + descriptor_records.N_CLOCKS * descriptor_records.CLOCK_BYTES
)


@dataclass(frozen=True, slots=True)
class State:
    """What some functions keep; `instead` is empty where nothing takes their place."""

    functions: tuple[str, ...]
    instead: tuple[str, ...]


def _reentrant(*names: str) -> State:
    return State(names, tuple(f"{name}_r" for name in names))


STATES: Final = (
    _reentrant("localtime", "gmtime", "ctime"),
    _reentrant("asctime", "ctime"),
    _reentrant("strtok"),
    _reentrant("drand48", "lrand48", "mrand48", "srand48", "seed48", "lcong48"),
    _reentrant("getpwnam"),
    _reentrant("getpwuid"),
    _reentrant("getpwent"),
    _reentrant("getgrnam"),
    _reentrant("getgrgid"),
    _reentrant("getgrent"),
    State(("gethostbyname",), ("getaddrinfo",)),
    State(("gethostbyname2",), ("getaddrinfo",)),
    State(("gethostbyaddr",), ("getnameinfo",)),
    _reentrant("getnetbyname"),
    _reentrant("getservbyname"),
    _reentrant("getservbyport"),
    _reentrant("getprotobyname"),
    _reentrant("getprotobynumber"),
    _reentrant("ether_ntoa"),
    _reentrant("ether_aton"),
    _reentrant("getmntent"),
    _reentrant("ttyname"),
    _reentrant("ptsname"),
    _reentrant("getlogin"),
    _reentrant("hsearch", "hcreate", "hdestroy"),
    _reentrant("ecvt", "fcvt"),
    State(("l64a",), ()),
)


def states_of(function: str) -> tuple[int, ...]:
    """Numbers of the states that a function uses."""
    found = tuple(n for n, state in enumerate(STATES) if function in state.functions)
    if not found:
        raise AssertionError(f"{function} keeps nothing in the library")
    return found


def state_of(function: str) -> int:
    """Number of the one state that a function uses."""
    (number,) = states_of(function)
    return number


def state_at(addr: int) -> State | None:
    """The state that a race at `addr` is about, if it is about one."""
    number = (addr - PLACES) // PLACE_BYTES
    return STATES[number] if 0 <= number < len(STATES) else None
