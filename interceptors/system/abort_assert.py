"""What a program says when it ends itself: asked by the glue of abort, assert and panics.

The work is done by engine/findings/last_words.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from irsan.interceptors.public_interface.sanitizer_host import served
from irsan.interceptors.registry import Export

_STEM = "last_words."

EXPORTS = (
    Export("void irsan_abort_called(ptr)", host=_STEM + "abort_called"),
    Export("void irsan_panic_raised(ptr)", host=_STEM + "panic_raised"),
    Export("void irsan_assertion_failed(ptr,ptr,u32,ptr)", host=_STEM + "assertion_failed"),
    Export("void irsan_errno_assertion_failed(i32,ptr,u32,ptr)",
           host=_STEM + "errno_assertion_failed"),
    Export("void irsan_plain_assertion_failed(ptr,ptr,u32)",
           host=_STEM + "plain_assertion_failed"),
    Export("void irsan_library_assertion_failed(ptr,u32,ptr,ptr)",
           host=_STEM + "library_assertion_failed"),
    Export("void irsan_precondition_failed(ptr)", host=_STEM + "precondition_failed"),
)  # fmt: skip
ROUTINES: dict[str, Callable[[Any, Sequence[int]], int]] = {
    export.host: partial(served, export.host) for export in EXPORTS
}
