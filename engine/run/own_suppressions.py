"""Suppressions that a program brings along: what `__asan_default_suppressions` and similar return.

    extern "C" const char *__asan_default_suppressions() { return "interceptor_via_fun:old_code"; }

The functions run in the guest before anything else of the program.  Those of the leak search are
asked when it searches (engine/findings/leak_searches.py).

Source: sanitizer/asan_interface.h, tsan_interface.h, ubsan_interface.h.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from irsan.engine.findings.findings import FindingsRecorder
from irsan.errors import UsageError

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_FUNCTIONS: Final = {
    "__asan_default_suppressions": "AddressSanitizer",
    "__tsan_default_suppressions": "ThreadSanitizer",
    "__ubsan_default_suppressions": "UndefinedBehaviorSanitizer",
}


def brings_suppressions(symbols: Mapping[str, int]) -> bool:
    """Whether a program with these symbols defines one of those functions."""
    return not _FUNCTIONS.keys().isdisjoint(symbols)


def ask_for_suppressions(
    machine: Machine, recorder: FindingsRecorder, symbols: Mapping[str, int]
) -> None:
    """Call those functions that the program defines; UsageError for a line that is none.

    symbols: the program's own.
    """
    for name, tool in _FUNCTIONS.items():
        function = symbols.get(name, 0)
        at = machine.call_guest(function) if function else 0
        if not at:
            continue
        text = ctypes.string_at(at).decode("utf-8", "replace")
        try:
            recorder.add_suppressions(text, name)
        except UsageError as error:
            raise UsageError(f"{tool}: failed to parse suppressions: {error}") from None
