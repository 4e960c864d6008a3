"""How C++ is compiled for the checked library: with libc++'s own assertions on.

    _LIBCPP_HARDENING_MODE_DEBUG       every precondition that the headers can check is checked
    ..._SEMANTIC_ENFORCE               a failed one calls `__libcpp_verbose_abort` with a message

Neither changes the binary interface, so code that was compiled elsewhere may be linked beside.
_LIBCPP_INSTRUMENTED_WITH_ASAN stays off: strings would say which bytes behind their end are unused,
but libc++ then leaves what reads a string's own fields unchecked, and a reference to a string that
is gone would not be seen.

Source: libc++'s __configuration/hardening.h and its page on hardening modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_MODE: Final = "_LIBCPP_HARDENING_MODE"
_SEMANTIC: Final = "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT"


def checked_words(words: Sequence[str] = ()) -> tuple[str, ...]:
    """The compiler's words; the hardening mode is left to `words` of the user that choose one."""
    mode: tuple[str, ...] = (f"-U{_MODE}", f"-D{_MODE}={_MODE}_DEBUG")
    if any(_MODE in word for word in words):
        mode = ()
    return (*mode, f"-U{_SEMANTIC}", f"-D{_SEMANTIC}=_LIBCPP_ASSERTION_SEMANTIC_ENFORCE")
