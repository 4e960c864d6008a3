"""Leak searches that the program asks for, served by Python.

    __lsan_do_leak_check()               once; leaks end the program, no search at exit any more
    __lsan_do_recoverable_leak_check()   1 when there are leaks, 0 when not; the program goes on

The names that programs call are in leaks.py: machine code that keeps where the caller stands
and then comes here.  The work is done by `machine.leaks` (engine/findings/leak_searches.py).

Source: sanitizer/lsan_interface.h.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irsan.interceptors.registry import Export


def search_or_end(machine: Any, _arguments: Sequence[int]) -> Any:
    """How the program ends when there are leaks, 0 when it goes on."""
    return machine.leaks.search_or_end(machine)


def search_and_go_on(machine: Any, _arguments: Sequence[int]) -> int:
    """Whether there are leaks."""
    return int(machine.leaks.search(machine))


EXPORTS = (
    Export("void irsan_do_leak_check()", host="search_or_end"),
    Export("i32 irsan_do_recoverable_leak_check()", host="search_and_go_on"),
)
ROUTINES: Mapping[str, Callable[[Any, Sequence[int]], Any]] = {
    "search_or_end": search_or_end,
    "search_and_go_on": search_and_go_on,
}
