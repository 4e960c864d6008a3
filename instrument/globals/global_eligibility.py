"""Which globals get a redzone.

Left alone: declarations, thread-locals, other address spaces, what a compiler or LLVM made for
itself, globals marked no_sanitize_address, and sections whose name is a C identifier, which
programs walk from `__start_NAME` to `__stop_NAME`.

Source: LLVM's AddressSanitizer pass.
Deviations: LLVM leaves out alignments above 32 bytes and, on ELF, definitions that the linker may
replace (weak, or in a comdat).  The engine's own link takes those in: it describes each copy by
itself, so a copy that loses describes nothing that is used.
"""

from __future__ import annotations

import re

from irsan.instrument.globals.redzone_sizes import MIN_REDZONE_BYTES
from irsan.ir.types import PointerType
from irsan.ir.values import GlobalVariable

_OWN_NAMES = (
    "llvm.", "__llvm_", "___asan_", "__asan_", "__odr_asan_", "__sancov", "__prof", "__irsan_",
)  # fmt: skip
_ARRAYS = (".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors")
_C_IDENTIFIER = re.compile(r"[A-Za-z0-9_]+\Z")
_EXACT = frozenset(("external", "internal", "private"))
_REPLACEABLE = frozenset(("weak", "weak_odr", "linkonce", "linkonce_odr"))


def may_have_redzone(variable: GlobalVariable, *, portable: bool) -> bool:
    """Whether a variable may grow and be described; `portable`: as LLVM itself would."""
    assert isinstance(variable.type, PointerType)
    if variable.is_declaration or variable.thread_local or variable.type.address_space:
        return False
    if variable.externally_initialized or "no_sanitize_address" in variable.sanitizer:
        return False
    if is_own_name(variable.name) or not _is_plain_section(variable.section):
        return False
    if variable.linkage in _EXACT and variable.comdat is None:
        return not portable or variable.alignment <= MIN_REDZONE_BYTES
    return not portable and variable.linkage in _EXACT | _REPLACEABLE


def is_own_name(name: str) -> bool:
    """Whether a compiler or a sanitizer has made the variable for itself."""
    return name.startswith(_OWN_NAMES)


def _is_plain_section(section: str) -> bool:
    if not section:
        return True
    if "__llvm" in section or "__LLVM" in section or section.startswith((*_ARRAYS, "llvm.")):
        return False
    return not _C_IDENTIFIER.match(section)
