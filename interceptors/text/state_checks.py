"""Kernels for functions that keep data in the C library for all threads.

    getpwnam("root")    the name is read, then what the library keeps for getpwnam is written

Which functions these are is in race/library_states.py of the records.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import check_object_read
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.library_states import library_state_used
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.race.library_states import state_of


@kernel
def check_state(ctx: Context, state: u64) -> bool:
    """A function that keeps data in the library."""
    library_state_used(ctx, state)
    return True


@kernel
def check_text_and_state(ctx: Context, text: u64, state: u64) -> bool:
    """A function that reads one whole string, and keeps data in the library."""
    return check_text(ctx, text) and check_state(ctx, state)


@kernel
def check_two_texts_and_state(ctx: Context, first: u64, second: u64, state: u64) -> bool:
    """A function that reads two whole strings, and keeps data in the library."""
    return check_two_texts(ctx, first, second) and check_state(ctx, state)


@kernel
def check_object_and_state(ctx: Context, source: u64, n_bytes: u64, state: u64) -> bool:
    """A function that reads an object, and keeps data in the library."""
    check_object_read(ctx, source, n_bytes)
    return check_state(ctx, state)


def keeps_state(prototype: str) -> Export:
    """A function with no argument to check."""
    state = state_of(Export(prototype).name)
    return Export(prototype, kernel="check_state", then_real=True, constants=(state,))


def reads_text(prototype: str) -> Export:
    """A function whose first argument is a string."""
    state = state_of(Export(prototype).name)
    return Export(prototype, kernel="check_text_and_state", then_real=True, constants=(state,))
