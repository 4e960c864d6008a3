"""How control goes from one operation to the next: what the machine and the helpers share.

Every operation and every helper has the signature `i64 (ptr frame, ptr pc)` and ends with a jump to
the operation of the next code word: LLVM's `musttail` call through the table of operations.
"""

from __future__ import annotations

from typing import Final

SYMBOL: Final = "irsan_interpret"
"""Runs a function from `pc`: 0 when it has ended, else the number of a request to its stub."""
TABLE: Final = "irsan_operations"
"""The address of each operation, by its number."""
DECLARATIONS: Final = f"@{TABLE} = external constant ptr"
"""What a module of helpers needs."""


def dispatch(pc: str, name: str = "next") -> list[str]:
    """LLVM lines that go on with the word at `pc`, a value; `name` distinguishes several of them.

    The frame is `%frame`.
    """
    return [
        f"  %{name}.number = load i16, ptr {pc}, align 8",
        f"  %{name}.index = zext i16 %{name}.number to i64",
        f"  %{name}.entry = getelementptr ptr, ptr @{TABLE}, i64 %{name}.index",
        f"  %{name}.operation = load ptr, ptr %{name}.entry, align 8",
        f"  %{name}.result = musttail call i64 %{name}.operation(ptr %frame, ptr {pc})",
        f"  ret i64 %{name}.result",
    ]
