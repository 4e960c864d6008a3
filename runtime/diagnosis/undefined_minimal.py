"""Failed checks under `-fsanitize-minimal-runtime`: only the sort of check is known.

Source: compiler-rt's ubsan_minimal_handlers.cpp.
Deviation: the original prints a program counter, `ubsan: add-overflow by 0x401136`; the finding has
the place and the stack instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from irsan.runtime.diagnosis.undefined_failures import Failure

_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "type_mismatch": ("null-pointer-use", "null"),
    "alignment_assumption": ("alignment-assumption", "alignment"),
    "add_overflow": ("signed-integer-overflow", "signed-integer-overflow"),
    "sub_overflow": ("signed-integer-overflow", "signed-integer-overflow"),
    "mul_overflow": ("signed-integer-overflow", "signed-integer-overflow"),
    "negate_overflow": ("signed-integer-overflow", "signed-integer-overflow"),
    "divrem_overflow": ("integer-divide-by-zero", "integer-divide-by-zero"),
    "shift_out_of_bounds": ("invalid-shift-exponent", "shift-exponent"),
    "out_of_bounds": ("out-of-bounds-index", "bounds"),
    "local_out_of_bounds": ("local-out-of-bounds", "local-bounds"),
    "builtin_unreachable": ("unreachable-call", "unreachable"),
    "missing_return": ("missing-return", "return"),
    "vla_bound_not_positive": ("non-positive-vla-index", "vla-bound"),
    "float_cast_overflow": ("float-cast-overflow", "float-cast-overflow"),
    "load_invalid_value": ("invalid-bool-load", "bool"),
    "implicit_conversion": (
        "implicit-signed-integer-truncation", "implicit-signed-integer-truncation",
    ),
    "invalid_builtin": ("invalid-builtin-use", "invalid-builtin-use"),
    "invalid_objc_cast": ("invalid-objc-cast", "invalid-objc-cast"),
    "function_type_mismatch": ("function-type-mismatch", "function"),
    "nonnull_arg": ("invalid-null-argument", "nonnull-attribute"),
    "nonnull_return": ("invalid-null-return", "returns-nonnull-attribute"),
    "nullability_arg": ("invalid-null-argument", "nullability-arg"),
    "nullability_return": ("invalid-null-return", "nullability-return"),
    "pointer_overflow": ("pointer-overflow", "pointer-overflow"),
    "cfi_check_fail": ("cfi-bad-type", "cfi"),
}  # fmt: skip


def minimal_failure(name: str) -> Failure:
    """The failure of a handler without facts; of several kinds that it may mean, the usual one."""
    kind, check = _KINDS[name]
    return Failure(kind, check, name.replace("_", "-"))
